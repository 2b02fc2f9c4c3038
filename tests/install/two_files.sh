#!/bin/bash
# two_files.sh GENERATED COMPILER [FLAG...]: a user's project that took affix.hpp and affix.cpp into itself; a whole
# session runs. FLAGS are for both files. No library beside the compiler's own is linked but what FLAGS name.
set -euo pipefail

generated=$1 compiler=$2
shift 2
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++23 -Wall -Wextra -Werror "-I$generated" "$@")

# The administration port's header is there for those only who ask for that.
if [[ " $* " != *" -DAFFIX_ADMIN "* ]]; then
    mkdir -p "$work/absent/nlohmann"
    echo '#error "nlohmann/json.hpp is included without AFFIX_ADMIN"' >"$work/absent/nlohmann/json.hpp"
    flags+=("-I$work/absent")
fi

sed 's|"affix/engine.hpp"|"affix.hpp"|' "$examples/10_first_session.cpp" >"$work/session.cpp"
"$compiler" "${flags[@]}" "$generated/affix.cpp" "$work/session.cpp" -o "$work/session"
diff "$examples/10_first_session.expected" <("$work/session")
