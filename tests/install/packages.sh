#!/bin/bash
# packages.sh CMAKE SOURCE BUILD: builds what the preset `package` builds, in BUILD, with its Debian packages in
# BUILD/packages and an installation in BUILD/prefix. The tests of shared libraries and packages start from these.
set -euo pipefail

cmake=$1 source=$2 build=$3
# Not optimised, and in batches of sources: that takes a tenth of the time, and a call that optimisation would have removed
# must find its symbol exported.
"$cmake" -S "$source" --preset package -B "$build" -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DAFFIX_PRECOMPILE=ON \
    -DAFFIX_UNITY=ALL -DCMAKE_SKIP_INSTALL_RPATH=OFF
"$cmake" --build "$build" -j 2
"$(dirname "${BASH_SOURCE[0]}")/install.sh" "$cmake" "$build" "$build/prefix"
# A library exports what its public headers declare, and these are private.
if nm --dynamic --demangle --defined-only "$build"/libaffix_engine.so | grep -E ' T affix::v0::engine::(LogonGate|Dialer)::'; then
    echo "packages: private parts are exported" >&2
    exit 1
fi
"$(dirname "${BASH_SOURCE[0]}")/symbols.sh" "$build"/libaffix_*.so
if command -v dpkg-deb >/dev/null; then
    # Those of Debian find the libraries where the system looks, and are linked once more without a path of their own.
    "$cmake" -DCMAKE_SKIP_INSTALL_RPATH=ON "$build"
    "$cmake" --build "$build" -j 2
    rm -rf "$build/packages"
    (cd "$build" && "$(dirname "$cmake")/cpack" -G DEB -B "$build/packages")
fi
