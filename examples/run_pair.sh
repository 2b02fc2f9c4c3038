#!/bin/bash
# run_pair.sh ACCEPTOR INITIATOR EXPECTED: runs the acceptor and the initiator of this directory as two processes with
# their configuration files, compares the initiator's output, and requires an orderly end of the acceptor at SIGTERM.
set -euo pipefail

acceptor=$1 initiator=$2 expected=$3
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"; [[ -z ${venue:-} ]] || kill -9 "$venue" 2>/dev/null || true' EXIT
export AFFIX_JOURNALS=$work/journals

mkfifo "$work/said"
AFFIX_PORT=0 "$acceptor" "$examples/11_acceptor.cfg" >"$work/said" &
venue=$!
exec 3<"$work/said"
read -r -t 20 line <&3
[[ $line == "listening on 127.0.0.1:"* ]]

for run in first second; do
    echo "the $run run"
    # The second run uses the journals of the first, and continues with their sequence numbers.
    AFFIX_PORT=${line##*:} "$initiator" "$examples/12_initiator.cfg" | tee "$work/$run"
    diff "$expected" "$work/$run"
done
kill -TERM "$venue"
status=0
wait "$venue" || status=$?
venue=
exec 3<&-
[[ $status -eq 0 ]]
