# SPDX-License-Identifier: MIT
"""Runs random rounds of every subject in turn, for a time or forever from one seed.

    python -m fuzzing SECONDS [--seed N] [--subject NAME]... [--rounds N] [--mark FILE]

A round that fails is named with its seed. --mark keeps the name of the round that runs in a file, for one that ends the
process.
"""

import argparse
import os
import sys
import time
import traceback
import warnings

import pytest

from fuzzing import SUBJECTS, run_round


def main():
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__.splitlines()[0])
    parser.add_argument("seconds", type=float)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--subject", action="append", choices=list(SUBJECTS))
    parser.add_argument("--rounds", type=int, default=sys.maxsize)
    parser.add_argument("--mark")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)  # nanobind's, about objects that __init__() has not made.
    # An exception of a finalizer is no fault of the package.
    sys.unraisablehook = lambda _: None
    mark = os.open(arguments.mark, os.O_RDWR | os.O_CREAT | os.O_TRUNC) if arguments.mark else None
    rounds = dict.fromkeys(arguments.subject or SUBJECTS, 0)
    failed = 0
    seed = arguments.seed
    end = time.monotonic() + arguments.seconds
    while time.monotonic() < end and seed - arguments.seed < arguments.rounds:
        for subject in rounds:
            name = f"--subject {subject} --seed {seed} --rounds 1"
            if mark is not None:
                os.pwrite(mark, name.ljust(80).encode() + b"\n", 0)
            try:
                run_round(subject, seed)
            except (Exception, pytest.fail.Exception):
                failed += 1
                print(f"failed: {name}\n{traceback.format_exc()}", flush=True)
                if failed == 10:
                    return 1
            rounds[subject] += 1
        seed += 1
    print(f"rounds: {rounds}; {failed} failed; first seed {arguments.seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
