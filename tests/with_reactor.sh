#!/bin/bash
# with_reactor.sh REACTOR PROGRAM [ARGUMENTS]: runs PROGRAM with that reactor under test, or exits with 77 (skipped)
# when this kernel does not allow it. Reads the kernel's settings itself, on purpose.
set -euo pipefail

reactor=$1
shift
if [[ $reactor == io_uring ]]; then
    disabled=$(cat /proc/sys/kernel/io_uring_disabled 2>/dev/null || echo 0)
    IFS=.- read -r major minor _ < <(uname -r)
    if [[ $disabled -ne 0 ]] || ((major < 6 || (major == 6 && minor < 1))); then
        echo "skipped: Linux $major.$minor, kernel.io_uring_disabled=$disabled: the io_uring reactor cannot run here"
        exit 77
    fi
fi
AFFIX_TEST_REACTOR=$reactor exec "$@"
