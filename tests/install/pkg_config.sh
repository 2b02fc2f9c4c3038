#!/bin/bash
# pkg_config.sh PREFIX COMPILER: builds two examples with make against an installation that only pkg-config knows of, and
# runs them: the codec alone and a whole session.
set -euo pipefail

prefix=$1 compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

found=$(find "$prefix" -name affix.pc)
PKG_CONFIG_PATH=$(dirname "$found")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
# Shared libraries bring what they are linked with: their users have no other package's files.
if compgen -G "$LD_LIBRARY_PATH/libaffix_wire.so*" >/dev/null; then
    export PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH
fi
pkg-config --print-errors --exists affix affix-wire affix-engine
make -C "$work" -f "$here/consumer/Makefile" VPATH="$examples" CXX="$compiler"
diff "$examples/02_encode.expected" <("$work/02_encode")
diff "$examples/10_first_session.expected" <("$work/10_first_session")
