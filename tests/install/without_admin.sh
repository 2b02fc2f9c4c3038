#!/bin/bash
# without_admin.sh CMAKE SOURCE COMPILER GENERATOR: with AFFIX_ADMIN=OFF affix is configured on a machine without
# nlohmann/json.hpp; without the option the error names both.
set -euo pipefail

cmake=$1 source=$2 compiler=$3 generator=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

options=(-S "$source" -G "$generator" "-DCMAKE_CXX_COMPILER=$compiler" -DAFFIX_DEVELOPER_MODE=OFF)
# The one header is not found, wherever it is: a file that asks for it looks into a folder of its own only.
options+=("-DCMAKE_PROJECT_INCLUDE=$work/no_json.cmake")
cat >"$work/no_json.cmake" <<'END'
macro(find_path variable name)
  if("${name}" STREQUAL "nlohmann/json.hpp")
    set(${variable} ${variable}-NOTFOUND)
  else()
    _find_path(${variable} ${name} ${ARGN})
  endif()
endmacro()
END
if "$cmake" -B "$work/on" "${options[@]}" >"$work/words" 2>&1; then
    echo "the layers were configured without its header"
    exit 1
fi
grep -q 'AFFIX_ADMIN=OFF' "$work/words"
"$cmake" -B "$work/off" "${options[@]}" -DAFFIX_ADMIN=OFF
if find "$work/off" \( -name '*.ninja' -o -name '*.make' -o -name '*.pc' \) -exec grep -l 'affix_\(admin\|service\)\|affix-\(admin\|service\)\|nlohmann' {} +; then
    echo "these files still know of the layers"
    exit 1
fi
