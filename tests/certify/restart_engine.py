#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills an engine under test and starts it again: the command that `affix certify run --restart` calls in tests.

Usage: restart_engine.py STATE [--without-memory]

STATE is a file of JSON: `pid` of the engine, `command` that starts it, `journal`, its folder, and `awaits`, a text of its
first line, empty if it writes none. The new pid is written there.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path


def kill(pid):
    with os.fdopen(os.pidfd_open(pid), "rb", buffering=0) as process:
        signal.pidfd_send_signal(process.fileno(), signal.SIGKILL)
        select.select([process], [], [])


def start(state):
    process = subprocess.Popen(state["command"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if state["awaits"]:
        line = process.stdout.readline()
        assert state["awaits"] in line, line
    return process


def main():
    file = Path(sys.argv[1])
    state = json.loads(file.read_text())
    kill(state["pid"])
    if "--without-memory" in sys.argv[2:]:
        shutil.rmtree(state["journal"])
    state["pid"] = start(state).pid
    file.write_text(json.dumps(state))


if __name__ == "__main__":
    main()
