# SPDX-License-Identifier: MIT
"""Random use of the package, each round from one seed, compared with naive models where there is one.

A subject is a function of a random.Random that does a bounded piece of work. fuzz_test.py runs a few rounds of each in
every test run; `./dev python --fuzz SECONDS` runs them for long, under AddressSanitizer.
"""

from random import Random

from fuzzing import dictionaries, encoding, groups, logs, parsing, sessions, streams, world

SUBJECTS = {
    "parsing": parsing.run,
    "encoding": encoding.run,
    "groups": groups.run,
    "streams": streams.run,
    "world": world.run,
    "dictionaries": dictionaries.run,
    "logs": logs.run,
    "sessions": sessions.run,
}


def run_round(subject, seed):
    SUBJECTS[subject](Random(f"{subject} {seed}"))
