//! The server of `breccia view`, asked by hand: what it gives, and what nobody gets out of it.

mod common;

use common::{Desk, Viewer, made};
use std::fs;

fn made_run() -> (Desk, Viewer) {
    let desk = Desk::new();
    made::grains(&desk.path("run"));
    desk.write("secret.txt", "secret");
    let viewer = Viewer::start(&desk, &["run"]);
    (desk, viewer)
}

#[test]
fn page_info_table_and_frames_are_served_with_safe_headers() {
    let (_desk, viewer) = made_run();
    for path in [
        "/",
        "/main.js",
        "/layout.css",
        "/api/runs",
        "/api/runs/0",
        "/api/runs/0/table",
        "/api/runs/0/frames/grains/0",
    ] {
        let answer = viewer.get(path);
        assert_eq!(answer.status, 200, "{path}");
        for header in [
            "Content-Security-Policy: default-src 'self'",
            "X-Content-Type-Options: nosniff",
            "Cache-Control: no-store",
        ] {
            assert!(answer.head.contains(header), "{path}: {}", answer.head);
        }
        assert!(!answer.head.contains("Access-Control-Allow"), "{path}");
        assert!(!answer.body.is_empty());
    }
    let info: serde_json::Value = serde_json::from_slice(&viewer.get("/api/runs/0").body).unwrap();
    assert_eq!(info["title"], "Angular grains");
    assert_eq!(info["state"], "finished");
    assert_eq!(info["kinds"]["grains"].as_array().unwrap().len(), made::FRAMES);
    assert!(viewer.get("/api/runs/0/frames/grains/0").body.starts_with(b"BRF1"));
    let head = viewer.send(&format!("HEAD / HTTP/1.1\r\nHost: {}\r\n\r\n", viewer.host()));
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn nothing_else_is_served() {
    let (_desk, viewer) = made_run();
    let paths = [
        "/../secret.txt",
        "/api/runs/0/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "/api/runs/0/frames/../grains/0",
        "/api/runs/0/frames/grains/../../../../secret.txt",
        "/api/runs/0/frames/..%2f..%2fsecret/0",
        "/api/runs/0/frames/grains/0/",
        "/api/runs/0/frames/grains/-1",
        "/api/runs/0/frames/grains/+1",
        "/api/runs/0/frames/grains/99999999999999999999",
        "/api/runs/0/frames/grains/5",
        "/api/runs/0/frames/secrets/0",
        "/api/runs/1",
        "/api/runs/-1",
        "/api/runs/0/checkpoint",
        "/api/runs/0/scene.toml",
        "/scene.toml",
        "/run/table.csv",
        "/index.html",
        "/main.js/",
        "/main.js?x",
        "/page/main.js",
        "/\0",
        "/..\\secret.txt",
        "/.git/config",
        "http://127.0.0.1/etc/passwd",
        "*",
        "/api/runs/0/table/../../../secret.txt",
    ];
    for path in paths {
        let answer = viewer.get(path);
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!String::from_utf8_lossy(&answer.body).contains("secret\n"), "{path}");
    }
}

#[test]
fn other_methods_and_other_hosts_are_refused() {
    let (_desk, viewer) = made_run();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get"] {
        let answer = viewer.send(&format!("{method} / HTTP/1.1\r\nHost: {}\r\n\r\n", viewer.host()));
        assert_eq!(answer.status, 405, "{method}");
    }
    // A page of another site can point its own name at this machine (DNS rebinding); its name gives it away.
    for host in
        ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1.evil.example", "localhost", "0.0.0.0", ""]
    {
        let answer = viewer.send(&format!("GET /api/runs HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(answer.status, 403, "{host}");
    }
    let port = viewer.host().rsplit(':').next().unwrap().to_owned();
    assert_eq!(viewer.send(&format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n")).status, 200);
    assert_eq!(viewer.send("GET / HTTP/1.1\r\n\r\n").status, 400);
    assert_eq!(viewer.send("\r\n\r\n").status, 400);
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(40_000), viewer.host());
    assert!([0, 400, 404, 431].contains(&viewer.send(&long).status));
    assert_eq!(viewer.get("/").status, 200, "it still answers");
}

#[cfg(unix)]
#[test]
fn links_and_collections_do_not_lead_out_of_the_run_folder() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    for run in ["other", "run", "linked"] {
        made::grains(&desk.path(run));
    }
    let frame = |run: &str, index: usize| desk.path(&format!("{run}/frames/grains_{index:06}.vtp"));
    // A frame, the table and a collection that are links to things elsewhere.
    fs::remove_file(frame("run", 1)).unwrap();
    symlink(frame("other", 1), frame("run", 1)).unwrap();
    fs::remove_file(desk.path("run/table.csv")).unwrap();
    symlink("/etc/passwd", desk.path("run/table.csv")).unwrap();
    fs::remove_dir_all(desk.path("linked/frames")).unwrap();
    symlink(desk.path("other/frames"), desk.path("linked/frames")).unwrap();
    // A collection that names a file elsewhere.
    let pvd = desk
        .text("run/contacts.pvd")
        .replace("frames/contacts_000000.vtp", "../other/frames/contacts_000000.vtp");
    desk.write("run/contacts.pvd", pvd);
    let (viewer, linked) = (Viewer::start(&desk, &["run"]), Viewer::start(&desk, &["linked"]));
    assert_eq!(viewer.get("/api/runs/0/frames/grains/0").status, 200);
    assert_eq!(viewer.get("/api/runs/0/frames/grains/1").status, 404);
    assert_eq!(viewer.get("/api/runs/0/table").status, 404);
    assert_eq!(viewer.get("/api/runs/0/frames/contacts/0").status, 404);
    assert_eq!(viewer.get("/api/runs/0/frames/contacts/1").status, 200);
    assert_eq!(linked.get("/api/runs/0/frames/grains/0").status, 404);
    // A pipe would keep a reader waiting for ever.
    fs::remove_file(frame("run", 2)).unwrap();
    let made = std::process::Command::new("mkfifo").arg(frame("run", 2)).status().unwrap();
    assert!(made.success());
    assert_eq!(viewer.get("/api/runs/0/frames/grains/2").status, 404);
}

#[test]
fn damaged_and_missing_things_are_told_in_words() {
    let (desk, viewer) = made_run();
    let frame = desk.path("run/frames/grains_000002.vtp");
    let bytes = fs::read(&frame).unwrap();
    fs::write(&frame, &bytes[..bytes.len() / 2]).unwrap();
    let cut = viewer.get("/api/runs/0/frames/grains/2");
    assert_eq!(cut.status, 500);
    assert!(
        String::from_utf8_lossy(&cut.body).contains("damaged"),
        "{:?}",
        String::from_utf8_lossy(&cut.body)
    );
    desk.write("run/grains.pvd", "rubbish");
    let info: serde_json::Value = serde_json::from_slice(&viewer.get("/api/runs/0").body).unwrap();
    assert!(info["troubles"][0].as_str().unwrap().contains("grains.pvd"), "{info}");
    fs::remove_dir_all(desk.path("run")).unwrap();
    let gone = viewer.get("/api/runs/0");
    assert_eq!(gone.status, 404);
    assert!(String::from_utf8_lossy(&gone.body).contains("no longer there"));
    let overview: serde_json::Value = serde_json::from_slice(&viewer.get("/api/runs").body).unwrap();
    assert_eq!(overview["runs"][0]["state"], "gone");
}

#[test]
fn states_are_read_from_what_a_run_left() {
    let desk = Desk::new();
    made::grains(&desk.path("run"));
    let viewer = Viewer::start(&desk, &["run"]);
    let state = || serde_json::from_slice::<serde_json::Value>(&viewer.get("/api/runs/0").body).unwrap();
    desk.write("run/summary.json", "{ \"status\": \"failed: sphere 3 left the domain\" }");
    assert_eq!(state()["state"], "failed");
    assert!(state()["words"].as_str().unwrap().contains("sphere 3"));
    desk.write("run/summary.json", "{ \"status\": \"interrupted\" }");
    assert_eq!(state()["state"], "interrupted");
    fs::remove_file(desk.path("run/summary.json")).unwrap();
    desk.write("run/log.txt", "breccia\n 10.0 %  t = 1 of 2 s\n\n");
    assert_eq!(state()["state"], "going");
    assert_eq!(state()["progress"], "10.0 %  t = 1 of 2 s");
    desk.write("run/log.txt", "breccia\nerror: the disk is full\n");
    assert_eq!(state()["state"], "failed");
}

#[test]
fn wrong_folders_are_refused_with_advice() {
    let desk = Desk::new();
    desk.write("file", "");
    desk.breccia(&["view", "nowhere", "--no-open"]).exits(1).complains(&["nowhere", "help:"]);
    desk.breccia(&["view", "file", "--no-open"]).exits(1).complains(&["is not a folder"]);
    desk.breccia(&["view", "--no-open"]).exits(2);
    desk.breccia(&["view", "a", "b", "c"]).exits(2);
}
