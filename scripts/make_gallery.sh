#!/usr/bin/env bash
# Draws the pictures of docs/gallery anew: scripts/make_gallery.sh [FOLDER OF RUNS] [SCENE …]
#
# Runs the scenes that have not been run yet (out/NAME by default) and draws each with the command that its page gives.
# Where Python has Pillow, pictures are reduced to 256 colours, which halves their size.
set -euo pipefail
cd "$(dirname "$0")/.."
runs="${1:-out}"
breccia="${BRECCIA:-cargo run --release --quiet --}"
shift || true
names=("$@")
if [ ${#names[@]} -eq 0 ]; then names=(scenes/*/scene.toml); fi
for name in "${names[@]}"; do
  name="${name#scenes/}"
  name="${name%/scene.toml}"
  if [ ! -e "$runs/$name/summary.json" ]; then $breccia run "scenes/$name/scene.toml" --out "$runs/$name"; fi
  # The line of the page, with the run where it is and the picture where it belongs.
  options="$(sed -n "s|^breccia picture out/$name \(.*\)-o $name.*|\1|p" "docs/gallery/$name.md")"
  # shellcheck disable=SC2086
  $breccia picture "$runs/$name" $options -o "docs/pictures/$name.png"
  python3 - "docs/pictures/$name.png" <<'PYTHON' || true
import sys
from PIL import Image
Image.open(sys.argv[1]).quantize(256, dither=Image.Dither.NONE).save(sys.argv[1], optimize=True)
PYTHON
done
