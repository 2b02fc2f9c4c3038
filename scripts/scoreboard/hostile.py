# SPDX-License-Identifier: MIT
"""Hostile peers beside an ordinary one: does the ordinary one still get a Logon and an answer to its TestRequest?

The standard says nothing about this, so no engine passes or fails; the page says what happened. Every connection is
loopback's, and each kind acts for HOSTILE_SECONDS.
"""

import datetime
import random
import socket
import struct
import tempfile
import threading
import time
from pathlib import Path

from scoreboard.acceptors import memory_kib
from scoreboard.playing import SENDER, Served

HOSTILE_SECONDS = 4
# When the hostile peers have begun to act.
BEGUN_SECONDS = 1
# For the answers to the ordinary session, which may come when the hostile peers are gone.
PATIENCE = 30
SOH = b"\x01"


def message(target, number, fields):
    """A whole message to the engine; `fields` begin with 35."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H:%M:%S.%f")[:-3]
    kind, _, rest = fields.partition("|")
    body = f"{kind}|34={number}|49={target}|56={SENDER}|52={now}|{rest}|".replace("|", "\x01").encode()
    head = b"8=FIX.4.4" + SOH + b"9=%d" % len(body) + SOH
    return head + body + b"10=%03d" % (sum(head + body) % 256) + SOH


def connected(address, receive_bytes=None):
    host, port = address.rsplit(":", 1)
    line = socket.socket()
    if receive_bytes:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    line.settimeout(HOSTILE_SECONDS)
    line.connect((host, int(port)))
    return line


def hold(address, count, first, until):
    """`count` connections that send `first` and then nothing."""
    lines = []
    for _ in range(count):
        line = connected(address)
        lines.append(line)
        line.sendall(first)
    time.sleep(max(0, until - time.monotonic()))
    for line in lines:
        line.close()


def silent(address, _, until):
    hold(address, 100, b"", until)


def half_logons(address, target, until):
    logon = message(target, 1, "35=A|98=0|108=30")
    hold(address, 50, logon[:len(logon) // 2], until)


def giant_lengths(address, _, until):
    hold(address, 20, b"8=FIX.4.4\x019=2147483647\x0135=A\x01" + b"x" * 4096, until)


def garbage(address, _, until):
    """Connections that send bytes of no meaning, one after the other; from one seed, so that each run sends the same."""
    dice = random.Random(1)
    while time.monotonic() < until:
        try:
            line = connected(address)
            for _ in range(16):
                line.sendall(dice.randbytes(1024))
            line.close()
        except OSError:
            pass
        time.sleep(0.02)


def resets(address, target, until):
    """Connections that send half a Logon and are reset."""
    logon = message(target, 1, "35=A|98=0|108=30")
    while time.monotonic() < until:
        line = connected(address)
        line.sendall(logon[:20])
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()
        time.sleep(0.005)


def dribble(address, target, until):
    """One session whose bytes come one at a time."""
    line = connected(address)
    number = 1
    try:
        while time.monotonic() < until:
            for byte in message(target, number, "35=A|98=0|108=30" if number == 1 else "35=0"):
                line.sendall(bytes([byte]))
                time.sleep(0.002)
            number += 1
    finally:
        line.close()


def frozen(address, target, until):
    """One session that asks and asks, and reads nothing."""
    line = connected(address, receive_bytes=4096)
    line.sendall(message(target, 1, "35=A|98=0|108=30"))
    number = 2
    line.settimeout(0.2)
    try:
        while time.monotonic() < until:
            line.sendall(message(target, number, "35=1|112=" + "x" * 1000))
            number += 1
    except OSError:
        time.sleep(max(0, until - time.monotonic()))
    finally:
        line.close()


KINDS = {"silent": silent, "half Logons": half_logons, "giant lengths": giant_lengths, "garbage": garbage,
         "resets": resets, "dribble": dribble, "frozen": frozen}


def act(kind, address, target, until):
    try:
        KINDS[kind](address, target, until)
    except OSError:
        pass  # The engine has ended the connection.


def look(served, kind, probe):
    """An ordinary session while the peers of this kind act."""
    acceptor = served.acceptor
    before = memory_kib(acceptor.pid)
    peers = threading.Thread(target=act, args=(kind, acceptor.address, served.take(), time.monotonic() + HOSTILE_SECONDS))
    peers.start()
    time.sleep(BEGUN_SECONDS)
    outcome = served.play(probe, PATIENCE)
    peers.join()
    return {"served": outcome.passed, "ended": acceptor.ended(), "memory_kib": [before, memory_kib(acceptor.pid)],
            "fault": outcome.fault}


def look_at_all(program, engine, kinds, probe):
    """A row for each kind, all against one process, as long as it serves. A look that finds the ordinary peer not served is
    taken again with a new one: the machine may have been late, or the kind before was to blame."""
    rows, served = {}, None
    with tempfile.TemporaryDirectory(prefix="affix-scoreboard-") as folder:
        for number, kind in enumerate(kinds):
            for attempt in range(2):
                if served is None:
                    home = Path(folder) / f"{number}-{attempt}"
                    home.mkdir()
                    served = Served(program, engine, 3 * len(kinds), probe, home)
                rows[kind] = look(served, kind, probe)
                well = rows[kind]["served"] and not rows[kind]["ended"]
                if not well or not served.probed():
                    served.close()
                    served = None
                if well:
                    break
        if served:
            served.close()
    return rows
