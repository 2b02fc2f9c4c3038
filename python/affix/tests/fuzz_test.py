# SPDX-License-Identifier: MIT
"""A few rounds of every subject of the fuzz program, which `./dev python --fuzz SECONDS` runs under sanitizers."""

import warnings

import pytest

from fuzzing import SUBJECTS, run_round

ROUNDS = {"sessions": 15, "logs": 25, "world": 25}
ROUNDS_OTHERWISE = 60


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("subject", SUBJECTS)
def test_rounds(subject):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for seed in range(ROUNDS.get(subject, ROUNDS_OTHERWISE)):
            run_round(subject, seed)
