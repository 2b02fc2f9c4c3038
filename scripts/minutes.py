#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints where the time of the last `./dev test` and `./dev check` went: their stages, and what was compiled meanwhile.

Usage: minutes.py [--rows N] BUILD. BUILD/logs/COMMAND.stages has one line per stage, written by ./dev: seconds since the
epoch at its beginning, its seconds, its result and its name, separated by tabs. Compile times come from ninja's logs:
they are times by the clock of jobs that run side by side, so their sum is larger than the stage's.
"""

import argparse
import collections
import os
import re

TARGET = re.compile(r"CMakeFiles/([^/]+)\.dir/(.+)$")


def stages_of(path):
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [(float(began), int(seconds), result, name) for began, seconds, result, name in rows]


def steps_of(folder, since):
    """The (output, seconds) of a build's steps whose output was written since then; the last run of each."""
    steps = {}
    with open(os.path.join(folder, ".ninja_log"), encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            begin, end, _, output, _ = line.rstrip("\n").split("\t")
            steps[output] = (int(end) - int(begin)) / 1000
    for output, seconds in steps.items():
        try:
            written = os.stat(os.path.join(folder, output)).st_mtime
        except FileNotFoundError:
            continue
        if written >= since:
            yield output, seconds


def print_table(title, rows):
    print(f"\n{title}")
    for seconds, text in rows:
        print(f"  {seconds:7.0f} s  {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=12, help="rows of each table of compile times (12)")
    parser.add_argument("build", help="the folder of all builds")
    options = parser.parse_args()
    since = None
    for command in ("test", "check"):
        path = os.path.join(options.build, "logs", command + ".stages")
        if not os.path.exists(path):
            continue
        stages = stages_of(path)
        if not stages:
            continue
        total = sum(seconds for _, seconds, _, _ in stages)
        print(f"./dev {command}: {total / 60:.1f} minutes")
        for _, seconds, result, name in stages:
            print(f"  {seconds:7d} s  {100 * seconds / max(total, 1):3.0f} %  {name}{'' if result == 'ok' else '  ' + result}")
        since = min(since or stages[0][0], stages[0][0])
    if since is None:
        print("No ./dev test or ./dev check has run here.")
        return
    for name in sorted(os.listdir(options.build)):
        folder = os.path.join(options.build, name)
        if not os.path.exists(os.path.join(folder, ".ninja_log")):
            continue
        targets, files = collections.Counter(), []
        for output, seconds in steps_of(folder, since):
            found = TARGET.search(output)
            targets[found.group(1) if found else "linking and generating"] += seconds
            if found:
                files.append((seconds, found.group(1) + ": " + found.group(2)))
        if targets:
            total = sum(targets.values())
            print_table(f"build/{name}: {len(files)} files, {total / 60:.1f} minutes of all jobs; by target",
                        [(seconds, target) for target, seconds in targets.most_common(options.rows)])
            print_table(f"build/{name}: the longest files", sorted(files, reverse=True)[:options.rows])


if __name__ == "__main__":
    main()
