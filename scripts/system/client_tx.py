# SPDX-License-Identifier: MIT
"""A client that sends: `affix_bench_client_tx`, once with a reader that spins and once with one that sleeps."""

import csv
import json
import os
import subprocess

TIMEOUT = 3_600


def measure(options, messages, directory):
    """Rows and curves of the sending client, a run for each way the reader waits; and whether all went well. Nothing when the
    program was not built or `options.only` is of something else."""
    program = options.binaries / "affix_bench_client_tx"
    rows, curves, sound = [], {}, True
    for name, more in (("client_tx", []), ("client_tx_reader_sleeps", ["--sink-sleeps"])):
        if not any(text in name for text in options.only.split(",")) or not program.exists():
            continue
        print(f"\n{name}: one order each 10 us, to a reader that {'sleeps' if more else 'spins'} on the other core",
              flush=True)
        file, curve = directory / "tx.json", directory / "tx.csv"
        done = subprocess.run([str(program), "--messages", str(messages), "--core", str(options.server_core),
                               "--sink-core", str(options.load_core), "--json", str(file), "--distribution",
                               str(curve), *more],
                              env={**os.environ, "TMPDIR": str(directory)}, timeout=TIMEOUT)
        if done.returncode != 0:
            sound = False
            continue
        mine = json.loads(file.read_text())
        rows += [{**row, "benchmark": row["benchmark"].replace("client_tx", name)} for row in mine]
        with open(curve, encoding="utf-8", newline="") as text:
            lines = list(csv.DictReader(text))
        curves[name] = {key.removesuffix("_ns"): [(float(line["fraction"]), int(line[key])) for line in lines]
                        for key in lines[0] if key != "fraction"}
    return rows, curves, sound
