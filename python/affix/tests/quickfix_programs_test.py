# SPDX-License-Identifier: MIT
"""Programs for QuickFIX's binding, on affix and, where quickfix-tls is installed, on QuickFIX itself in either role:
both sides see the same messages, whichever engine they run on.
"""

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from patience import patience

import affix

PROGRAMS = Path(__file__).parent / "quickfix_programs"
DICTIONARIES = Path(affix.__file__).parent / "dictionaries"
VERSIONS = ("FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4", "FIXT.1.1")
has_quickfix = importlib.util.find_spec("quickfix") is not None
needs_quickfix = pytest.mark.skipif(not has_quickfix, reason="quickfix-tls is not installed")
SECONDS = patience(60)


def settings(role, directory, port):
    us, them = ("VENUE", "FIRM") if role == "acceptor" else ("FIRM", "VENUE")
    lines = ["[DEFAULT]", f"ConnectionType={role}", "StartTime=00:00:00", "EndTime=00:00:00", "HeartBtInt=30",
             "ReconnectInterval=1", f"SenderCompID={us}", f"TargetCompID={them}", f"FileStorePath={directory}/store",
             f"FileLogPath={directory}/log", "SocketReuseAddress=Y",
             f"SocketAcceptPort={port}" if role == "acceptor" else "SocketConnectHost=127.0.0.1",
             "SocketAcceptAddress=127.0.0.1" if role == "acceptor" else f"SocketConnectPort={port}"]
    for version in VERSIONS:
        lines += ["[SESSION]", f"BeginString={version}"]
        if version == "FIXT.1.1":
            lines += ["DefaultApplVerID=FIX.5.0", f"TransportDataDictionary={DICTIONARIES}/FIXT11.xml",
                      f"AppDataDictionary={DICTIONARIES}/FIX50.xml"]
        else:
            lines.append(f"DataDictionary={DICTIONARIES}/{version.replace('.', '')}.xml")
    path = directory / f"{role}.cfg"
    path.write_text("\n".join(lines) + "\n")
    return path


def run(directory, venue_engine, trader_engine):
    """The trader's output, and the messages in both logs."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    places = {"acceptor": directory / "venue", "initiator": directory / "trader"}
    for place in places.values():
        place.mkdir()
    files = {role: settings(role, place, port) for role, place in places.items()}
    environ = [{**os.environ, "FIX_ENGINE": engine} for engine in (venue_engine, trader_engine)]
    venue = subprocess.Popen([sys.executable, PROGRAMS / "executor.py", files["acceptor"]], env=environ[0], text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert venue.stdout.readline().strip() == "ready", venue.stderr.read()
        trader = subprocess.run([sys.executable, PROGRAMS / "tradeclient.py", files["initiator"]], env=environ[1],
                                capture_output=True, text=True, timeout=SECONDS)
        _, said = venue.communicate(timeout=SECONDS)
    finally:
        venue.kill()
        venue.wait()
    # QuickFIX's own process is now and then ended by a signal when its objects go at its exit.
    assert trader.returncode == 0 and (venue.returncode == 0 or venue_engine == "quickfix"), (trader.stderr, said)
    logs = {role: {path.name: logged(path) for path in (place / "log").glob("FIX*.messages.current.log")}
            for role, place in places.items()}
    return json.loads(trader.stdout[trader.stdout.index("{"):]), logs


#: Times, numbers, lengths and sums; and what each engine chooses for itself.
_CHANGING = {"9", "10", "34", "52", "60"}


def logged(path):
    """Application messages and rejects, each as its fields."""
    messages = []
    for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        fields = [field for field in line.partition(" : ")[2].split("\x01") if field]
        kind = next(field[3:] for field in fields if field.startswith("35="))
        if kind not in "012456A":
            messages.append(sorted(field for field in fields if field.partition("=")[0] not in _CHANGING))
    return messages


def test_the_programs_trade_on_affix(tmp_path):
    seen, logs = run(tmp_path, "affix", "affix")
    assert set(seen) == {f"{version}:FIRM->VENUE" for version in VERSIONS}
    for session, events in seen.items():
        names = [event[0] for event in events]
        assert names[:4] == ["onCreate", "toAdmin", "fromAdmin", "onLogon"], session
        assert names[-3:] == ["toAdmin", "fromAdmin", "onLogout"], session
        assert names.count("toApp") == (6 if session.startswith("FIXT") else 8), session
    # Each side's log has the same messages, from the other end.
    turned = {re.sub("FIRM-VENUE", "VENUE-FIRM", name): messages for name, messages in logs["initiator"].items()}
    assert turned == logs["acceptor"] and len(turned) == len(VERSIONS)
    assert sorted(map(len, turned.values())) == [12, 16, 16, 16, 16, 16]


@pytest.fixture(scope="module")
def of_quickfix(tmp_path_factory):
    return run(tmp_path_factory.mktemp("quickfix"), "quickfix", "quickfix")


@needs_quickfix
@pytest.mark.parametrize("venue, trader", [("affix", "affix"), ("affix", "quickfix"), ("quickfix", "affix")])
def test_the_programs_see_the_same_as_on_quickfix(tmp_path, of_quickfix, venue, trader):
    seen, logs = run(tmp_path, venue, trader)
    wanted, wanted_logs = of_quickfix
    assert application_part(seen) == application_part(wanted)
    assert logs == wanted_logs


def application_part(seen):
    return {session: [event for event in events if len(event) == 1 or event[1]["35"] not in "A5"]
            for session, events in seen.items()}

