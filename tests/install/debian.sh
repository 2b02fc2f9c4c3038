#!/bin/bash
# debian.sh PACKAGES COMPILER: the Debian packages, installed by dpkg into a scratch root that knows the packages of this
# machine, so that what they depend on is judged and the machine stays as it is. Then the program runs and a user's
# program is built.
set -euo pipefail

packages=$1 compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

fail() {
    printf 'debian: %s\n' "$*" >&2
    exit 1
}

names=(affix-admin affix-dictionaries affix-keep affix-lab affix-monitor affix-tools libaffix-dev libaffix0.1)
found=$(for file in "$packages"/*.deb; do dpkg-deb --field "$file" Package; done | sort | xargs)
[[ $found == "${names[*]}" ]] || fail "packages are $found"
for name in "${names[@]}"; do
    file=$(echo "$packages/${name}"_*.deb)
    dpkg-deb --contents "$file" >"$work/contents"
    for page in copyright changelog.Debian.gz; do
        grep -q " ./usr/share/doc/$name/$page\$" "$work/contents" || fail "$name has no $page"
    done
    if grep -vE '^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root ' "$work/contents"; then
        fail "$name has files of other modes or owners"
    fi
    if grep -E '/usr/(local|src)|/home|\.a$' "$work/contents"; then
        fail "$name has files where none belong"
    fi
    while read -r program; do
        grep -q " ./usr/share/man/man1/$program.1.gz\$" "$work/contents" || fail "$name has no manual page of $program"
    done < <(sed -n 's|.* \./usr/bin/\([^/]\{1,\}\)$|\1|p' "$work/contents")
done
for page in affix-tools:affix-serve affix-tools:affix affix-admin:affix-admin affix-lab:affix-lab-demo affix-monitor:affix-monitor affix-keep:affix-keep \
    libaffix-dev:affix_generator; do
    dpkg-deb --contents "$(echo "$packages/${page%:*}"_*.deb)" >"$work/contents"
    grep -q " ./usr/share/man/man1/${page#*:}.1.gz\$" "$work/contents" || fail "${page%:*} has no manual page ${page#*:}"
done
for name in affix-tools:affix affix-lab:affix-lab affix-monitor:affix-monitor affix-keep:affix-keep libaffix-dev:affix_generator; do
    dpkg-deb --contents "$(echo "$packages/${name%:*}"_*.deb)" >"$work/contents"
    for file in "bash-completion/completions/${name#*:}" "zsh/site-functions/_${name#*:}" "fish/vendor_completions.d/${name#*:}.fish"; do
        grep -q " ./usr/share/$file\$" "$work/contents" || fail "${name%:*} has no $file"
    done
done
dpkg-deb --field "$packages"/libaffix0.1_*.deb Depends >"$work/depends"
for library in libc6 libstdc++6 libpugixml1v5; do
    grep -q "$library" "$work/depends" || fail "libaffix0.1 does not depend on $library: $(cat "$work/depends")"
done

# The program that serves sessions contains no HTTP server.
dpkg-deb --field "$packages"/affix-tools_*.deb Depends >"$work/depends"
if grep -E 'httplib|brotli|pcap|dbus|affix-(monitor|lab|keep)' "$work/depends"; then
    fail "affix-tools depends on what affix serve does not use"
fi

if command -v lintian >/dev/null && ! lintian --fail-on error "$packages"/*.deb >"$work/lintian.log" 2>&1; then
    cat "$work/lintian.log" >&2
    fail "lintian finds errors"
fi

mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers" "$root/etc"
cp /var/lib/dpkg/status "$root/var/lib/dpkg/status"
touch "$root/var/lib/dpkg/available"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
    as_root=(fakeroot)
fi
# At its installation a package refreshes the linker's cache, here of a root that is never booted.
mkdir "$work/stubs"
ln -s "$(command -v true)" "$work/stubs/ldconfig"
if ! PATH=$work/stubs:$PATH:/usr/sbin:/sbin "${as_root[@]}" dpkg --root="$root" --force-not-root --force-script-chrootless \
    --no-triggers --install "$packages"/*.deb >"$work/dpkg.log" 2>&1; then
    cat "$work/dpkg.log" >&2
    fail "dpkg does not install them"
fi

libraries=$(dirname "$(find "$root/usr/lib" -name 'libaffix_wire.so.0.1')")
if readelf --dynamic "$libraries"/*.so "$root"/usr/bin/affix "$root"/usr/bin/affix-monitor "$root"/usr/bin/affix-lab "$root"/usr/bin/affix-keep \
    "$root"/usr/bin/affix_generator | grep -E 'RPATH|RUNPATH'; then
    fail "a library or program looks for libraries in a place of its own"
fi
export LD_LIBRARY_PATH=$libraries
[[ -f $root/usr/lib/sysusers.d/affix.conf ]] || fail "affix-tools does not bring its user"
grep -q '^ExecStart=/usr/bin/affix serve /etc/affix/%i.ini$' "$root/usr/lib/systemd/system/affix@.service" ||
    fail "the unit does not run the program of the package"
grep -q '^ExecStart=/usr/bin/affix-monitor /etc/affix/%i.ini' "$root/usr/lib/systemd/system/affix-monitor@.service" ||
    fail "the monitor's unit does not run the program of the package"
grep -q '^ExecStart=/usr/bin/affix-keep --socket ' "$root/usr/lib/systemd/system/affix-keep.service" ||
    fail "the keeper's unit does not run the program of the package"
if readelf --dynamic "$root/usr/bin/affix-keep" | grep -E 'NEEDED.*(affix_(engine|session|wire)|ssl|pugixml)'; then
    fail "affix-keep links what it does not use"
fi
if command -v systemd-sysusers >/dev/null; then
    grep -q '^affix:' "$root/etc/passwd" || fail "affix-tools has not made its user"
fi
for program in affix affix-monitor affix-lab affix-keep; do
    "$root/usr/bin/$program" --version
done
"$root/usr/bin/affix" demo --help >/dev/null
"$root/usr/bin/affix" dictionary check "$root/usr/share/affix/dictionaries/FIX44.xml" >/dev/null
"$here/pkg_config.sh" "$root/usr" "$compiler"
