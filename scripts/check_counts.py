#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares instructions and allocations per message with the committed baselines.

Times on a shared machine differ by a factor of two from one minute to the next; these two do not. Instructions are
counted by callgrind inside the function `affix_measured` of the program affix_counts, with the AVX2 kernel, because
valgrind knows no AVX-512; allocations by the program itself.

  check_counts.py PROGRAM             compare; exit code 1 on a fault, 77 when this CPU has no AVX2
  check_counts.py PROGRAM --update    write the baselines anew (commit them with the change that moved them)

The baselines are benchmarks/baselines/counts.json:
  {"tolerance_percent": 2.0, "iterations": 1000,
   "scenarios": {"index_er169": {"instructions": 345.1, "allocations": 0}}}
Both numbers are per iteration. More instructions than the baseline plus the tolerance, or any more allocations, is a
fault; so is a scenario without a baseline and a baseline without a scenario. Fewer is praised and should be updated.
A scenario X_watched is X while another process reads the engine's counters, and must cost the same.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BASELINES = Path(__file__).resolve().parent.parent / "benchmarks/baselines/counts.json"
DEFAULTS = {"tolerance_percent": 2.0, "iterations": 1000, "scenarios": {}}
SECONDS_MAX = 120
WATCHED = "_watched"


def run(command):
    environment = dict(os.environ, AFFIX_KERNEL="avx2")
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS_MAX, check=False)


def lacks_avx2():
    return not re.search(r"^flags.*\bavx2\b", Path("/proc/cpuinfo").read_text(), re.MULTILINE)


def read_baselines():
    return json.loads(BASELINES.read_text()) if BASELINES.exists() else dict(DEFAULTS)


def list_scenarios(program):
    """The scenarios that the program knows; raises RuntimeError if it names none."""
    listed = run([program, "--list"])
    if listed.returncode != 0 or not listed.stdout.split():
        raise RuntimeError(f"{program} --list names no scenario: {listed.stderr.strip()}")
    return listed.stdout.split()


def measure(program, scenario, iterations):
    """Instructions and allocations per iteration of one scenario."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "callgrind.out"
        counted = run(["valgrind", "--tool=callgrind", "--toggle-collect=affix_measured*", f"--callgrind-out-file={result}",
                       program, scenario, str(iterations)])
        if counted.returncode != 0:
            raise RuntimeError(f"{scenario}: {' '.join(counted.stderr.strip().splitlines()[-3:])}")
        total = re.search(r"^(?:totals|summary): (\d+)", result.read_text(errors="replace"), re.MULTILINE)
    answer = json.loads(counted.stdout)
    if not total or int(total.group(1)) == 0:
        raise RuntimeError(f"{scenario}: callgrind counted nothing: is the work inside affix_measured?")
    return int(total.group(1)) / iterations, answer["allocations"] / iterations


def compare(name, measured, baseline, tolerance):
    """One line for the reader, and whether it is a fault."""
    instructions, allocations = measured
    if baseline is None:
        return f"{name}: {instructions:.1f} instructions, {allocations:g} allocations, but no baseline", True
    change = 100.0 * (instructions / baseline["instructions"] - 1.0)
    line = (f"{name}: {instructions:.1f} instructions ({change:+.1f} % of {baseline['instructions']:.1f}), "
            f"{allocations:g} allocations (baseline {baseline['allocations']:g})")
    if allocations > baseline["allocations"]:
        return line + ": MORE ALLOCATIONS", True
    if change > tolerance:
        return line + f": MORE INSTRUCTIONS than the tolerance of {tolerance} %", True
    if change < -tolerance:
        return line + ": better; update the baseline", False
    return line, False


def compare_watched(measured):
    """Lines about scenarios whose reader costs the measured process anything."""
    lines = []
    for name, watched in measured.items():
        alone = measured.get(name.removesuffix(WATCHED)) if name.endswith(WATCHED) else None
        # The layout of a process's memory decides a few instructions in a thousand messages, in hash tables and such.
        if alone is not None and (abs(watched[0] - alone[0]) > 0.0005 * alone[0] or watched[1] != alone[1]):
            lines.append(f"{name}: {watched[0]:.1f} instructions, {watched[1]:g} allocations: NOT THE SAME AS ALONE "
                         f"({alone[0]:.1f}, {alone[1]:g})")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    program, update = options.program, options.update
    if lacks_avx2():
        print("skipped: this CPU has no avx2, and the baselines are the AVX2 kernel's")
        return 77
    stored = read_baselines()
    try:
        scenarios = list_scenarios(program)
    except RuntimeError as error:
        print(error)
        return 1

    faults = 0
    measured = {}
    for name in scenarios:
        try:
            measured[name] = measure(program, name, stored["iterations"])
        except (RuntimeError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
            print(f"failed: {error}")
            faults += 1
            continue
        if update:
            print(f"{name}: {measured[name][0]:.1f} instructions, {measured[name][1]:g} allocations")
            continue
        line, fault = compare(name, measured[name], stored["scenarios"].get(name), stored["tolerance_percent"])
        print(line)
        faults += fault
    for line in compare_watched(measured):
        print(line)
        faults += 1
    for name in sorted(set(stored["scenarios"]) - set(scenarios)):
        if not update:
            print(f"{name}: has a baseline, but affix_counts does not know it")
            faults += 1
    if update and faults == 0:
        stored["scenarios"] = {name: {"instructions": round(instructions, 1), "allocations": allocations}
                               for name, (instructions, allocations) in sorted(measured.items())}
        BASELINES.parent.mkdir(parents=True, exist_ok=True)
        BASELINES.write_text(json.dumps(stored, indent=2) + "\n")
        print(f"wrote {BASELINES}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
