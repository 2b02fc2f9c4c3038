#!/bin/bash
# components.sh CMAKE PREFIX COMPILER GENERATOR: a component that the installation does not have is named in an error, with
# those that it has; and so is a library that static layers need and the machine lacks, if a layer above it is asked for.
set -euo pipefail

cmake=$1 prefix=$2 compiler=$3 generator=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# configure COMPONENTS OPTIONS...: configures a project that asks for the components; its output goes to $work/words, on one
# line, since CMake breaks lines where it likes.
configure() {
    local code=0
    printf '%s\n' 'cmake_minimum_required(VERSION 3.24)' 'project(components LANGUAGES CXX)' \
        "find_package(affix REQUIRED COMPONENTS $1)" >"$work/CMakeLists.txt"
    rm -rf "$work/build"
    "$cmake" -S "$work" -B "$work/build" -G "$generator" "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_PREFIX_PATH=$prefix" \
        "${@:2}" >"$work/lines" 2>&1 || code=$?
    tr -s ' \n' ' ' <"$work/lines" >"$work/words"
    return "$code"
}

# refused WANTED...: the last project was refused with each of these texts.
refused() {
    for wanted in "$@"; do
        if ! grep -qF "$wanted" "$work/words"; then
            printf 'not said: %s\n' "$wanted"
            cat "$work/lines"
            exit 1
        fi
    done
}

if configure 'wire engin'; then
    echo "a component that does not exist was found"
    exit 1
fi
refused 'there is no component "engin"' 'Components are base os wire' fix44
if grep -q 'affix::generator' "$(find "$prefix" -name affixTargets.cmake)"; then
    # affix_generate(), for which the program is enough.
    configure codegen || { cat "$work/lines"; exit 1; }
fi

if grep -q 'OpenSSL::SSL' "$(find "$prefix" -name affixTargets.cmake)"; then
    if configure engine -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON; then
        echo "the engine was found without OpenSSL, which it links"
        exit 1
    fi
    refused OpenSSL
    configure wire -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON || { cat "$work/lines"; exit 1; }
fi
if grep -q 'affix::libcctz' "$(find "$prefix" -name affixTargets.cmake)"; then
    if configure engine -DAFFIX_LIBcctz=OFF; then
        echo "the engine was found without cctz, which it links"
        exit 1
    fi
    refused 'need the library cctz (Debian: libcctz-dev)'
fi
