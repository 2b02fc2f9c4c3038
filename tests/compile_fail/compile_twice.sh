#!/bin/bash
# compile_twice.sh FILE COMPILER [FLAGS]: FILE must compile, and must not compile with AFFIX_EXPECT_FAILURE;
# the compiler's words must then contain the text of the file's "// Expected:" line, if it has one.
set -euo pipefail

file=$1
shift

if ! words=$("$@" "$file" 2>&1); then
    printf '%s\n%s\n' "$file does not compile even without its wrong line:" "$words"
    exit 1
fi
if words=$("$@" -DAFFIX_EXPECT_FAILURE "$file" 2>&1); then
    echo "$file compiles with its wrong line, which the types should forbid"
    exit 1
fi
expected=$(sed -n 's|^// Expected: ||p' "$file")
if [[ -n $expected && $words != *"$expected"* ]]; then
    printf '%s\n%s\n' "$file fails, but not with the words '$expected':" "$words"
    exit 1
fi
