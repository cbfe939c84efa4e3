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
        let picture = root().join(format!("docs/pictures/{name}.png"));
        let size = std::fs::metadata(&picture).expect("a picture").len();
        assert!(size < 200_000, "{}: {size} bytes", picture.display());
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
