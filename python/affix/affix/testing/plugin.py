# SPDX-License-Identifier: MIT
"""The fixture of affix.testing, which pytest finds by the package's entry point."""

from collections.abc import Iterator

import pytest

from affix.testing import Scenarios, ScriptedPeers


@pytest.fixture
def fix_peer() -> Iterator[ScriptedPeers]:
    """Makes scripted FIX counterparties. Those that the test leaves open must have played their script."""
    with ScriptedPeers() as peers:
        yield peers


@pytest.fixture
def fix_scenarios() -> Scenarios:
    """Plays scenarios of `affix certify` against an engine under test."""
    return Scenarios()
