#!/bin/bash
# arm64_root.sh DIRECTORY PACKAGE...: fills DIRECTORY with Debian's arm64 packages, extracted and not installed: what a
# cross compiler and qemu-user need of that system. Nothing is done when it already has these packages.
set -euo pipefail

root=$1
shift
mark=$root/packages.txt
if [[ -f $mark && $(<"$mark") == "$*" ]]; then
    exit
fi
rm -rf "$root"
. /etc/os-release
include=$(IFS=,; echo "$*")
mmdebstrap --quiet --arch=arm64 --variant=extract --include="$include" "$VERSION_CODENAME" "$root"
# A link to /lib means that of the root, also for programs that do not take it for theirs.
find "$root" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfnr "$root$(readlink "$link")" "$link"
done
echo "$*" >"$mark"
