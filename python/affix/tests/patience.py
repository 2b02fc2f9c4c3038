# SPDX-License-Identifier: MIT
"""How long tests wait for what must come. It is over at once when it comes, so the time is that of a busy machine."""

import os

# Where a processor is emulated, everything takes many times as long.
FACTOR = float(os.environ.get("AFFIX_TEST_PATIENCE", "1"))


def patience(seconds):
    """So many seconds on this machine, AFFIX_TEST_PATIENCE times as many."""
    return seconds * FACTOR
