#!/bin/bash
# consume.sh WAY CMAKE SOURCE_DIR BUILD_DIR COMPILER GENERATOR LAUNCHER: builds and runs the consumer project.
# WAY is find_package (against an installation in a temporary folder) or add_subdirectory (against the sources).
set -euo pipefail

way=$1 cmake=$2 source=$3 build=$4 compiler=$5 generator=$6 launcher=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

options=(-G "$generator" "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"
         -DCMAKE_BUILD_TYPE=Release)
if [[ $way == find_package ]]; then
    "$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log"
    options+=("-DCMAKE_PREFIX_PATH=$work/prefix")
else
    options+=("-DAFFIX_SOURCE=$source")
fi
"$cmake" -S "$source/tests/install/consumer" -B "$work/build" "${options[@]}"
"$cmake" --build "$work/build" --target consumer
"$work/build/consumer"
