//! The scenes that come along, and the one in the README, can be loaded as they are.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn scene_folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("scenes")).expect("scenes");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

#[test]
fn every_scene_loads_without_warnings() {
    assert!(scene_folders().len() >= 6);
    for folder in scene_folders() {
        let path = folder.join("scene.toml");
        match breccia::scene::load(&path) {
            Ok(loaded) => assert!(loaded.warnings.is_empty(), "{}: {:?}", path.display(), loaded.warnings),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
}

#[test]
fn every_scene_has_a_page_with_its_command_and_a_picture() {
    for folder in scene_folders() {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let page = std::fs::read_to_string(folder.join("README.md")).expect("a page");
        assert!(page.contains(&format!("run scenes/{name}/scene.toml")), "{name}: no command");
        assert!(page.contains(&format!("docs/pictures/{name}.png")), "{name}: no picture");
    }
}

#[test]
fn the_gallery_has_a_page_for_every_scene_with_its_commands_and_the_time_it_takes() {
    let read =
        |path: &str| std::fs::read_to_string(root().join(path)).unwrap_or_else(|_| panic!("no {path}"));
    let (gallery, scenes) = (read("docs/gallery/README.md"), read("scenes/README.md"));
    for folder in scene_folders() {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let page = read(&format!("docs/gallery/{name}.md"));
        for part in [
            format!("](../pictures/{name}.png)"),
            format!("breccia run scenes/{name}/scene.toml "),
            format!("breccia view out/{name} "),
            format!("breccia picture out/{name} "),
            format!("-o {name}.png "),
        ] {
            assert!(page.contains(&part), "docs/gallery/{name}.md: no `{part}`");
        }
        let (_, rest) = page.split_once("# about ").expect("a time");
        let (time, _) = rest.split_once(" on two cores").expect("a time");
        for (table, link) in [(&gallery, format!("]({name}.md)")), (&scenes, format!("]({name}/README.md)"))]
        {
            let row = table
                .lines()
                .find(|line| line.contains(&link))
                .unwrap_or_else(|| panic!("{name} is not listed"));
            assert!(row.ends_with(&format!("| {time} |")), "{name} takes {time}: {row}");
        }
        let size =
            std::fs::metadata(root().join(format!("docs/pictures/{name}.png"))).expect("a picture").len();
        assert!(size < 150_000, "{name}.png: {size} bytes");
    }
}

#[test]
fn the_scene_of_the_readme_loads() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("a text");
    let (_, rest) = readme.split_once("```toml\n").expect("a scene");
    let (scene, _) = rest.split_once("```").expect("its end");
    let loaded = breccia::scene::load_str("README.md", scene, Path::new(""));
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
}
