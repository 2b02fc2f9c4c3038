#!/bin/bash
# symbols.sh LIBRARY...: every symbol that a library of ours defines for others has the inline namespace of this ABI in its
# name, or is a C function of a name of ours, so that two versions can live in one process. Weak symbols of the standard
# library's templates belong to the library that comes first.
set -euo pipefail

count=0
for library in "$@"; do
    kind=()
    if [[ $library == *.so* ]]; then
        kind=(--dynamic)
    fi
    symbols=$(nm "${kind[@]}" --extern-only --defined-only "$library" | awk 'NF == 3 { print $2, $3 }')
    count=$((count + $(wc -l <<<"$symbols")))
    if grep -vE '^[WVuvw] |5affix2v0| affix_[a-z_]+$' <<<"$symbols" || grep -E '5affix' <<<"$symbols" | grep -v 5affix2v0; then
        echo "symbols: $library: these are not of affix::v0" >&2
        exit 1
    fi
done
echo "$count symbols"
[[ $count -gt 500 ]]
