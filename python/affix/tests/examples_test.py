# SPDX-License-Identifier: MIT
"""The examples, as users start them."""

import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from patience import patience

import affix

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PATIENCE = patience(60)


@pytest.fixture
def start(tmp_path):
    """Starts an example; what still runs at the end is killed."""
    started = []

    def begin(*arguments):
        process = subprocess.Popen([sys.executable, EXAMPLES / arguments[0], *arguments[1:]], cwd=tmp_path,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def port_of(venue):
    line = venue.stdout.readline()
    match = re.fullmatch(r"listens at port (\d+)\n", line)
    assert match, line + venue.stderr.read()
    return match[1]


def output_of(process):
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return output.splitlines()


def test_trader_and_venue(start):
    venue = start("venue.py", "0")
    lines = output_of(start("trader.py", "127.0.0.1", port_of(venue)))
    assert lines == [f"order-{number}: 2, {100 * number} filled at 1.0825" for number in (1, 2, 3)]


def test_market_data(start):
    venue = start("market_data.py", "--serve", "0")
    lines = output_of(start("market_data.py", "--updates", "20", "127.0.0.1", port_of(venue), "EUR/USD", "GBP/USD"))
    assert len(lines) == 22
    assert lines[:2] == [f"{symbol}: bid 1000000 at 1.0824, offer 1000000 at 1.0826"
                         for symbol in ("EUR/USD", "GBP/USD")]
    middle = dict.fromkeys(("EUR/USD", "GBP/USD"), Decimal("1.0825"))
    for line in lines[2:]:
        match = re.fullmatch(r"(.+): bid \d+ at (\S+), offer \d+ at (\S+)", line)
        assert match, line
        symbol, bid, offer = match[1], Decimal(match[2]), Decimal(match[3])
        assert offer - bid == Decimal("0.0002")
        assert abs((bid + offer) / 2 - middle[symbol]) == Decimal("0.0001")
        middle[symbol] = (bid + offer) / 2


def test_log_to_table(start, tmp_path):
    order = affix.encode("D", {11: "order-1", 55: "EUR/USD", 54: "1", 38: 100, 44: "1.0825"},
                         header={49: "FIRM", 56: "VENUE", 34: 5, 52: "20260131-12:00:00.250"})
    (tmp_path / "venue.log").write_bytes(b"20260131-12:00:00.500 : " + order.replace(b"\x01", b"|") + b"\n")
    assert any("order-1" in line and "1.0825" in line for line in output_of(start("log_to_table.py", "venue.log")))


def test_the_tests_of_the_trader(tmp_path):
    """In a process of its own, so that the fixture is found by the package's entry point, as users get it."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLES / "test_trader.py"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout
