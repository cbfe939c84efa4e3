//! `breccia picture` and `breccia report`, from frames that our own writer made.

mod common;

use common::{Desk, made};

/// Width and height in the head of a PNG file.
fn size(png: &[u8]) -> [u32; 2] {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

fn desk() -> Desk {
    let desk = Desk::new();
    made::grains(&desk.path("grains"));
    made::solids(&desk.path("solids"));
    made::many_spheres(&desk.path("spheres"), 500);
    desk
}

#[test]
fn pictures_of_every_kind_are_drawn_and_repeat_to_the_byte() {
    let desk = desk();
    for run in ["grains", "solids", "spheres"] {
        let again = format!("{run}-again.png");
        desk.breccia(&["picture", run, "--size", "320x200"]).exits(0);
        desk.breccia(&["picture", run, "--size", "320x200", "--out", &again]).exits(0);
        let png = desk.read(&format!("{run}.png"));
        assert_eq!(size(&png), [320, 200]);
        assert!(png.len() > 3000, "{run}: {} bytes are too few for something to be seen", png.len());
        assert!(png == desk.read(&again), "{run}");
    }
}

#[test]
fn time_field_range_and_direction_change_the_picture() {
    let desk = desk();
    let draw = |more: &[&str]| {
        let mut words = vec!["picture", "spheres", "--size", "200x160", "--out", "a.png"];
        words.extend(more);
        let told = desk.breccia(&words).exits(0).out;
        (desk.read("a.png"), told)
    };
    let (last, told) = draw(&[]);
    assert!(told.contains("t = 0.4"), "{told}");
    let (early, told) = draw(&["--time", "0.11"]);
    assert!(told.contains("t = 0.1 s"), "{told}");
    let others = [
        draw(&["--colour", "id"]),
        draw(&["--colour", "plain"]),
        draw(&["--range", "-1", "5"]),
        draw(&["--azimuth", "10"]),
    ];
    assert!(last != early);
    assert!(others.iter().all(|(png, _)| *png != last));
}

#[test]
fn wrong_wishes_are_told_with_what_there_is() {
    let desk = desk();
    desk.breccia(&["picture", "spheres", "--colour", "taste"])
        .exits(1)
        .complains(&["taste", "velocity", "radius"]);
    desk.breccia(&["picture", "grains", "--colour", "taste"]).exits(1).complains(&["taste", "grain"]);
    desk.breccia(&["picture", "nowhere"]).exits(1).complains(&["nowhere", "help:"]);
    desk.breccia(&["picture", "spheres", "--size", "big"]).exits(2).complains(&["1600x1000"]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    desk.breccia(&["picture", "empty"]).exits(1).complains(&["holds no frames"]);
    desk.write("spheres/frames/spheres_000004.vtp", "rubbish");
    desk.breccia(&["picture", "spheres"]).exits(1).complains(&["damaged", "--time"]);
    desk.breccia(&["picture", "spheres", "--time", "0"]).exits(0);
}

#[test]
fn a_report_of_a_run_holds_everything_and_needs_nothing() {
    let desk = Desk::new();
    desk.write("bed.toml", common::shaken_bed(0.02, "frames = \"10 ms\""));
    desk.breccia(&["run", "bed.toml", "--out", "bed"]).exits(0);
    desk.breccia(&["report", "bed", "--out", "bed.html"]).exits(0);
    let page = desk.text("bed.html");
    for part in [
        "Shaken bed",
        "finished at t =",
        "Energy budget",
        "Where the time went",
        "data:image/png;base64,",
        "<svg",
        "scene.toml",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    assert_eq!(page.matches("data:image/png;base64,").count(), 3);
    for outside in ["src=\"http", "href=\"http", "<script", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn runs_in_the_plane_have_reports_and_pictures_too() {
    let desk = Desk::new();
    let scenes = [
        ("grains", include_str!("view/grains.toml"), "Energy budget [J/m]"),
        ("solids", include_str!("view/solids.toml"), "Energy budget [J]"),
    ];
    for (name, scene, budget) in scenes {
        desk.write(&format!("{name}.toml"), scene);
        desk.breccia(&["run", &format!("{name}.toml"), "--out", name]).exits(0);
        desk.breccia(&["report", name]).exits(0);
        let page = desk.text(&format!("{name}.html"));
        for part in [budget, "Where the time went", "Energies", "data:image/png;base64,"] {
            assert!(page.contains(part), "{name}: no {part}");
        }
        desk.breccia(&["picture", name, "--size", "480x300"]).exits(0);
        // What a run leaves of itself is the picture of its last frame.
        assert_eq!(size(&desk.read(&format!("{name}/picture.png"))), [1600, 1000]);
    }
}

#[test]
fn a_damaged_frame_is_told_in_the_report_and_the_rest_is_shown() {
    let desk = desk();
    desk.write("grains/frames/grains_000004.vtp", "rubbish");
    desk.breccia(&["report", "grains", "--out", "grains.html"]).exits(0);
    let page = desk.text("grains.html");
    assert!(page.contains("class=\"warning\"") && page.contains("damaged"));
    assert_eq!(page.matches("data:image/png;base64,").count(), 2);
}

#[test]
fn a_report_of_experiments_has_their_checks_and_figures() {
    let desk = Desk::new();
    desk.breccia(&["verify", "spheres.free_fall", "--quick", "--out", "checks"]).exits(0);
    desk.breccia(&["report", "checks"]).exits(0);
    let page = desk.text("checks.html");
    for part in ["Verification", "spheres.free_fall", "0 failed", "expected", "measured"] {
        assert!(page.contains(part), "no {part}");
    }
}
