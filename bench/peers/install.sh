#!/bin/sh
# Installs the other codes from the packages of Debian or Ubuntu. Nothing else of the project needs them.
set -e
apt-get update
apt-get install -y --no-install-recommends lammps liggghts
