#!/usr/bin/env bash
# Installs Chromium where there is none, for the tests of `breccia view` (Debian, Ubuntu; as root or with sudo).
set -euo pipefail
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" > /dev/null; then exit 0; fi
done
as_root=""
if [ "$(id -u)" -ne 0 ]; then as_root="sudo"; fi
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends chromium
