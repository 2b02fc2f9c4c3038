# SPDX-License-Identifier: MIT
"""Measures what the README's figures stand for: medians of rounds in which all contenders take part one after the other."""

import json
import statistics
import subprocess
import tempfile
import time
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import compare_system
from system import scenarios

PROGRAM_SECONDS = 300
# Of each program: the ratio that counts is the median over them.
RUNS = 7
SYSTEM_ROUNDS = 5
SYSTEM_SECONDS = 0.3


def measured_programs(binaries, sources):
    """(program, benchmark, contender) -> medians, one a run. Contenders take turns within a run."""
    medians = {}
    for program in sorted({source.program for source in sources if source.program != "system"}):
        print(f"verify: affix_bench_{program}, {RUNS} runs", flush=True)
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory(prefix="affix-verify-") as folder:
                for benchmark in sorted({source.benchmark for source in sources if source.program == program}):
                    rows = Path(folder) / "rows.json"
                    subprocess.run([binaries / f"affix_bench_{program}", "--quick", "--filter", benchmark, "--json", rows],
                                   stdout=subprocess.DEVNULL, check=True, timeout=PROGRAM_SECONDS)
                    for row in json.loads(rows.read_text(encoding="utf-8")):
                        if row["benchmark"] == benchmark:
                            medians.setdefault((program, benchmark, row["contender"]), []).append(row["median"])
    return medians


def measured_systems(binaries, dictionaries, sources):
    """(system, benchmark, contender) -> medians, one a round, in the unit of the README's figures."""
    medians = {}
    wanted = {}
    for source in sources:
        if source.program == "system":
            wanted.setdefault(source.benchmark, set()).update((source.ours, source.reference))
    cores = sorted(compare_system.os.sched_getaffinity(0))
    options = Namespace(binaries=binaries, dictionaries=dictionaries, rounds=SYSTEM_ROUNDS, seconds=SYSTEM_SECONDS,
                        messages=None, contender="", server_core=cores[0], load_core=cores[-1])
    for benchmark, kinds in wanted.items():
        name, _, figure = benchmark.partition("/")
        scenario = next(one for one in scenarios.all_scenarios() if one.name == name)
        scenario = replace(scenario, kinds=tuple(kind for kind in scenario.kinds if kind in kinds), turns={}, curves={})
        print(f"verify: {name}, {SYSTEM_ROUNDS} rounds", flush=True)
        with tempfile.TemporaryDirectory(prefix="affix-verify-") as folder:
            begin = time.monotonic()
            compare_system.run_scenario(options, scenario, Path(folder))
            print(f"  {time.monotonic() - begin:.0f} seconds", flush=True)
        for kind, turns in scenario.turns.items():
            scale = 1e-3 if figure == "service" else 1
            medians["system", benchmark, kind] = [turn[figure]["median"] * scale for turn in turns]
    return medians


def ratios(medians, source):
    """Reference over ours, of each run or round in which both took part."""
    ours = medians.get((source.program, source.benchmark, source.ours), [])
    reference = medians.get((source.program, source.benchmark, source.reference), [])
    return [theirs / mine for mine, theirs in zip(ours, reference)]


def median_of(medians, source, contender):
    values = medians.get((source.program, source.benchmark, contender))
    return statistics.median(values) if values else None
