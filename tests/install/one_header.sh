#!/bin/bash
# one_header.sh GENERATED COMPILER [FLAG...]: a user's project that took affix_wire.hpp into itself, with two files that
# include it. What they print is the same with every kernel that this machine has.
set -euo pipefail

generated=$1 compiler=$2
shift 2
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++23 -Wall -Wextra -Wpedantic -Werror "-I$generated" "$@")

cat >"$work/elsewhere.cpp" <<'TEXT'
#include "affix_wire.hpp"

unsigned sum_elsewhere(std::string_view bytes) { return affix::wire::checksum(bytes); }
TEXT
example=02_encode
sed 's|"affix/wire.hpp"|"affix_wire.hpp"|' "$examples/$example.cpp" >"$work/$example.cpp"
"$compiler" "${flags[@]}" "$work/$example.cpp" "$work/elsewhere.cpp" -o "$work/$example"
diff "$examples/$example.expected" <("$work/$example")
for kernel in scalar sse42 avx2 avx512 neon; do
    # One that this machine or this build does not have is refused with its reason, before it is used.
    if AFFIX_KERNEL=$kernel "$work/$example" >"$work/printed" 2>"$work/refused"; then
        diff "$examples/$example.expected" "$work/printed"
    else
        [[ $kernel != scalar ]]
        grep -q "AFFIX_KERNEL=$kernel: this build or this machine cannot run" "$work/refused"
    fi
done
