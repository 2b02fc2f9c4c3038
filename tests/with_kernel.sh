#!/bin/bash
# with_kernel.sh KERNEL PROGRAM [ARGUMENTS]: runs PROGRAM with that codec kernel forced, or exits with 77
# (skipped) when this CPU does not have the instructions. Reads the CPU's flags itself, on purpose.
set -euo pipefail

kernel=$1
shift
case $kernel in
    scalar | neon) needed=() ;;  # Every CPU that runs the program has them.
    sse42) needed=(sse4_2 popcnt) ;;
    avx2) needed=(avx2 bmi1 bmi2) ;;
    avx512) needed=(avx512f avx512bw avx512vl avx512vbmi avx512_vbmi2) ;;
    *) echo "with_kernel.sh: unknown kernel '$kernel'" >&2; exit 2 ;;
esac

flags=" $(grep -m1 '^flags' /proc/cpuinfo | cut -d: -f2) "
for flag in "${needed[@]}"; do
    if [[ $flags != *" $flag "* ]]; then
        echo "skipped: this CPU has no $flag, so the $kernel kernel cannot run here"
        exit 77
    fi
done
AFFIX_KERNEL=$kernel exec "$@"
