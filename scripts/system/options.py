# SPDX-License-Identifier: MIT
"""Options that comparisons of whole systems share."""

import os
from pathlib import Path


def add_places(parser):
    """Where figures go, and on which cores servers and load run."""
    parser.add_argument("--output", type=Path, help="directory of CSV files and pictures")
    parser.add_argument("--json", type=Path)
    cores = sorted(os.sched_getaffinity(0))
    parser.add_argument("--server-core", type=int, default=cores[0])
    parser.add_argument("--load-core", type=int, default=cores[-1])


def fill(options, **sizes):
    """Sizes that were not given: (with --quick, without)."""
    for name, (quick, full) in sizes.items():
        if getattr(options, name) is None:
            setattr(options, name, quick if options.quick else full)


def refuse_unknown(parser, options, contenders):
    """A contender that would be ignored is a mistake, and better reported."""
    unknown = [name for name in options.contender.split(",") if name and name not in contenders]
    if unknown:
        parser.error(f"no contender '{unknown[0]}'; there are: {', '.join(contenders)}")
