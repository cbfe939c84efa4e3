//! The page itself: files that are part of the program.

/// A file of the page.
pub struct Asset {
    /// Path in the browser.
    pub path: &'static str,
    /// Content type.
    pub kind: &'static str,
    /// Contents.
    pub body: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! page {
    ($($kind:ident $path:literal $file:literal,)*) => {
        &[$(Asset { path: $path, kind: $kind, body: include_str!(concat!("page/", $file)) },)*]
    };
}

/// All there is to serve besides the runs.
pub const ASSETS: &[Asset] = page! {
    HTML "/" "index.html",
    SVG "/icon.svg" "icon.svg",
    CSS "/layout.css" "layout.css",
    CSS "/controls.css" "controls.css",
    SCRIPT "/api.js" "api.js",
    SCRIPT "/camera.js" "camera.js",
    SCRIPT "/charts.js" "charts.js",
    SCRIPT "/colours.js" "colours.js",
    SCRIPT "/dom.js" "dom.js",
    SCRIPT "/fields.js" "fields.js",
    SCRIPT "/frame.js" "frame.js",
    SCRIPT "/gl.js" "gl.js",
    SCRIPT "/icons.js" "icons.js",
    SCRIPT "/inspector.js" "inspector.js",
    SCRIPT "/keys.js" "keys.js",
    SCRIPT "/layers.js" "layers.js",
    SCRIPT "/legend.js" "legend.js",
    SCRIPT "/look.js" "look.js",
    SCRIPT "/main.js" "main.js",
    SCRIPT "/math.js" "math.js",
    SCRIPT "/pane.js" "pane.js",
    SCRIPT "/panel.js" "panel.js",
    SCRIPT "/player.js" "player.js",
    SCRIPT "/shaders.js" "shaders.js",
    SCRIPT "/snapshot.js" "snapshot.js",
    SCRIPT "/stage.js" "stage.js",
    SCRIPT "/table.js" "table.js",
    SCRIPT "/theme.js" "theme.js",
    SCRIPT "/triad.js" "triad.js",
    SCRIPT "/zip.js" "zip.js",
};

/// The file at a path.
pub fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_file_of_the_page_is_served_under_its_name() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/view/page");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let files: BTreeSet<String> = files.map(|name| format!("/{}", name.to_string_lossy())).collect();
        let served = ASSETS.iter().map(|asset| if asset.path == "/" { "/index.html" } else { asset.path });
        assert_eq!(served.map(str::to_owned).collect::<BTreeSet<_>>(), files);
    }

    #[test]
    fn modules_import_only_what_is_served() {
        for asset in ASSETS.iter().filter(|asset| asset.path.ends_with(".js")) {
            for import in asset.body.split("from \"./").skip(1) {
                let name = import.split('"').next().unwrap();
                assert!(find(&format!("/{name}")).is_some(), "{} imports {name}", asset.path);
            }
            assert!(asset.body.lines().count() <= 400, "{} is too long", asset.path);
        }
    }
}
