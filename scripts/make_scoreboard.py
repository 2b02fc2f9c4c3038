#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays the same scenarios against affix and other engines, and writes the scoreboard.

Usage: make_scoreboard.py BIN JVM [ENGINE...] [--twice] [--scenario ID]... [--jobs N] [--page FILE] [--output DIRECTORY]

BIN holds affix, affix-lab and quickfix_echo; JVM is what `./dev scoreboard` made of the engines for Java. Without an ENGINE
all are played. A scenario asks only for what the standard requires (tests/scoreboard/scenarios), and each failure is
confirmed by a second play, alone. --twice plays everything again and fails if a result differs. --output gets results.json,
with the bytes of every failure; --page writes the page, which names engines
that could not be played.

Exit code 0: every engine was played, and affix passed what is judged.
"""

import argparse
import concurrent.futures
import json
import sys
from pathlib import Path

from scoreboard import engines as known
from scoreboard import hostile, page
from scoreboard.judged import read_scenarios
from scoreboard.playing import PROBE, EngineDoesNotStart, play_all

# A page of fewer would be no comparison.
ENGINES_LEAST = 8
SCENARIOS = known.ROOT / "tests" / "scoreboard" / "scenarios"


def say(text):
    print(text, flush=True)


def judge(program, engine, scenarios, probe, kinds):
    """The engine's row: the outcome of each scenario and of each kind of hostile peer."""
    said = []
    judged = [scenario for scenario in scenarios if engine.reason_left(scenario) is None]
    outcomes = play_all(program, engine, judged, probe, said.append)
    rows = {}
    for scenario in scenarios:
        reason = engine.reason_left(scenario)
        if reason is not None:
            rows[scenario.id] = {"result": "left", "reason": reason}
        elif outcomes[scenario.id].passed:
            rows[scenario.id] = {"result": "passed"}
        else:
            rows[scenario.id] = {"result": "failed", "fault": outcomes[scenario.id].fault,
                                 "trace": outcomes[scenario.id].trace}
    beside = hostile.look_at_all(program, engine, kinds, probe)
    failed = sum(row["result"] == "failed" for row in rows.values())
    said.append(f"  {sum(row['result'] == 'passed' for row in rows.values())} passed, {failed} failed, "
        f"{sum(row['result'] == 'left' for row in rows.values())} not judged; hostile peers: "
        + ", ".join(f"{kind} {'served' if row['served'] else 'NOT served'}" for kind, row in beside.items()))
    say("\n".join([f"{engine.title} {engine.version}: {len(judged)} scenarios", *said]))
    return {"title": engine.title, "version": engine.version, "origin": engine.origin, "settings": engine.settings,
            "adapter": engine.adapter, "scenarios": rows, "hostile": beside}


def verdicts(board):
    """The parts that two runs must agree in: results, not times or bytes."""
    return {(name, part, key): row.get("result", row.get("served"))
            for name, engine in board.items() for part in ("scenarios", "hostile") for key, row in engine[part].items()}


def play(options, engines, scenarios, probe, kinds):
    """Rows by engine, and why others are absent. Some engines at a time, as scenarios are mostly waits."""
    board, absent = {}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = {}
        for engine in engines:
            try:
                engine.prepare()
                rows[engine.name] = pool.submit(judge, options.bin / "affix-lab", engine, scenarios, probe, kinds)
            except known.Absent as reason:
                absent.append(str(reason))
        for name, row in rows.items():
            try:
                board[name] = row.result()
            except EngineDoesNotStart as reason:
                absent.append(str(reason))
    for reason in absent:
        say(f"absent: {reason}")
    return board, absent


def differences(first, second):
    one, other = verdicts(first), verdicts(second)
    return [f"{' '.join(key)}: first {one.get(key)}, then {other.get(key)}" for key in sorted({*one, *other})
            if one.get(key) != other.get(key)]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=Path)
    parser.add_argument("jvm", type=Path)
    parser.add_argument("engine", nargs="*")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--scenario", action="append")
    parser.add_argument("--jobs", type=int, default=3)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--output", type=Path, default=known.ROOT / "build" / "scoreboard")
    options = parser.parse_args()
    options.bin, options.jvm = options.bin.resolve(), options.jvm.resolve()
    if options.page and (options.engine or options.scenario):
        parser.error("the page is of all engines and scenarios")
    return options


def main():
    options = parse_options()
    engines = known.all_engines(options.bin, options.jvm)
    unknown = set(options.engine) - {engine.name for engine in engines}
    if unknown:
        raise SystemExit(f"scoreboard: there is no engine {', '.join(sorted(unknown))}; there are: "
                         + " ".join(engine.name for engine in engines))
    engines = [engine for engine in engines if not options.engine or engine.name in options.engine]
    scenarios = read_scenarios(SCENARIOS)
    probe = next(scenario for scenario in scenarios if scenario.id == PROBE)
    scenarios = [scenario for scenario in scenarios if not options.scenario or scenario.id in options.scenario]
    kinds = () if options.scenario else hostile.KINDS
    board, absent = play(options, engines, scenarios, probe, kinds)
    differing = []
    if options.twice:
        say("again")
        differing = differences(board, play(options, engines, scenarios, probe, kinds)[0])
        for text in differing:
            say(f"DIFFERS {text}")
        say(f"{len(verdicts(board))} results, {len(differing)} differ")
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "results.json").write_text(json.dumps(board, indent=1) + "\n", encoding="utf-8")
    if options.page and len(board) >= ENGINES_LEAST:
        page.write(options.page, board, scenarios, absent)
    own = board.get("affix")
    passed = own is None or all(row["result"] == "passed" for row in own["scenarios"].values())
    say(f"{len(board)} engines played, {len(absent)} absent; {options.output}/results.json has the bytes")
    return 0 if board and not absent and not differing and passed else 1


if __name__ == "__main__":
    sys.exit(main())
