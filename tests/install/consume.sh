#!/bin/bash
# consume.sh WAY CMAKE PLACE COMPILER GENERATOR [LAUNCHER]: builds and runs the consumer project with CMake. WAY is
# find_package, PLACE an installation's prefix; or add_subdirectory, PLACE the sources.
set -euo pipefail

way=$1 cmake=$2 place=$3 compiler=$4 generator=$5 launcher=${6:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

options=(-G "$generator" "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"
         -DCMAKE_BUILD_TYPE=Release)
if [[ $way == find_package ]]; then
    options+=("-DCMAKE_PREFIX_PATH=$place")
else
    # Whether it builds is the question, which takes a tenth of the time in batches and without optimisation. The layers
    # are built without exceptions, as a user may want them, for a program that has them.
    options+=("-DAFFIX_SOURCE=$place" -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DAFFIX_PRECOMPILE=ON
              -DAFFIX_UNITY=ALL -DAFFIX_NO_EXCEPTIONS=ON)
fi
"$cmake" -S "$here/consumer" -B "$work/build" "${options[@]}"
"$cmake" --build "$work/build" --target consumer session gate
"$work/build/consumer"
nm --dynamic --defined-only "$work/build/gate.so" | grep ' affix_plugin$' >/dev/null
diff "$here/../../examples/10_first_session.expected" <("$work/build/session")
