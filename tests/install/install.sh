#!/bin/bash
# install.sh CMAKE BUILD PREFIX: installs what a build against affix needs, from a build of its libraries, and the client of
# the administration port. Nothing of an earlier installation is left, so that a file no longer installed is missed.
set -euo pipefail

cmake=$1 build=$2 prefix=$3
rm -rf "$prefix"
for component in runtime development dictionaries admin; do
    "$cmake" --install "$build" --prefix "$prefix" --component "$component" >/dev/null
done
