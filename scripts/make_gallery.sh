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
image = Image.open(sys.argv[1]).convert("RGB")
width, height = image.size
# The colour scale is small, but all its colours are wanted.
left = width - round(0.155 * height)
scale = image.crop((left, round(0.3 * height), left + round(0.02 * height), round(0.7 * height))).resize((width, height // 10))
both = Image.new("RGB", (width, height + height // 10))
both.paste(image, (0, 0))
both.paste(scale, (0, height))
small = image.quantize(palette=both.quantize(256), dither=Image.Dither.NONE)
colours, paper = small.getpalette(), 3 * small.getpixel((0, 0))
colours[paper:paper + 3] = [255] * 3
small.putpalette(colours)
small.save(sys.argv[1], optimize=True)
PYTHON
done
