#!/bin/bash
# components.sh CMAKE PREFIX COMPILER GENERATOR: a component that the installation has not got is named, with those that it
# has.
set -euo pipefail

cmake=$1 prefix=$2 compiler=$3 generator=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.24)
project(misspelt LANGUAGES CXX)
find_package(affix REQUIRED COMPONENTS wire engin)
END
if "$cmake" -S "$work" -B "$work/build" -G "$generator" "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_PREFIX_PATH=$prefix" \
        >"$work/words" 2>&1; then
    echo "a component that does not exist was found"
    exit 1
fi
# CMake breaks lines where it likes.
words=$(tr -s ' \n' ' ' <"$work/words")
for wanted in 'there is no component "engin"' 'Components are base wire' fix44; do
    if [[ $words != *"$wanted"* ]]; then
        printf '%s\n%s\n' "not said: $wanted" "$words"
        exit 1
    fi
done
