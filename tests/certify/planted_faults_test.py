#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Variants of the echo and the exchange that break one rule each: a scenario finds every one, and the good ones pass all.

Usage: planted_faults_test.py AFFIX_LAB CONFORMANCE_ECHO [NAME...]. A name limits the run to these variants.
"""

import concurrent.futures
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Name: the rule that is broken, and ids of scenarios that find it.
ECHO = {
    "heartbeat-without-id": ("out 0 112=* remove 112", {"4 b"}),
    "test-request-unanswered": ("out 0 112=* lose", {"4 b"}),
    "wrong-checksum": ("out 0 112=* checksum", {"4 b"}),
    "wrong-length": ("out 0 112=* length", {"4 b"}),
    "reject-without-number": ("out 3 remove 45", {"14 a", "2 k"}),
    "reject-with-another-reason": ("out 3 change 373=99", {"14 a", "2 k"}),
    "logon-with-another-interval": ("out A change 108=31", {"1S a"}),
    "no-logout-before-the-end": ("out 5 lose", {"13 b"}),
    "wrong-target": ("out 0 112=* change 56=OTHER", {"4 b"}),
    "gap-not-asked-for": ("out 2 lose", {"2 b", "10 a"}),
    "time-of-another-form": ("out 0 112=* change 52=20260101-00:00", {"4 b"}),
    "number-twice": ("out 3 change 34=1", {"14 a"}),
    "connection-kept-open": ("out 5 keep-open", {"13 b"}),
    "end-instead-of-reject": ("out 3 close", {"14 a"}),
}

EXCHANGE = {
    "fills-lost": ("out 8 39=2 withhold", {"fill"}),
    "fills-repeated": ("out 8 39=2 repeat", {"fill"}),
    "gap-before-fill": ("out 8 39=2 lose", {"fill"}),
    "wrong-sum": ("out 8 39=1 change 14=1", {"partial-fill"}),
    "exec-id-again": ("out 8 change 17=SAME", {"new-ids"}),
    "cancel-without-original": ("out 8 150=4 remove 41", {"cancel"}),
    "cancels-ignored": ("in F ignore", {"cancel"}),
    "orders-rejected": ("in D every 3 reject", {"new-many"}),
    "late": ("out 8 150=0 delay 4s", {"new"}),
    "half-an-answer": ("out 8 150=5 halve", {"replace"}),
    "halted": ("halt CERT2", {"fill"}),
    "reject-without-reason": ("out 8 150=8 remove 103", {"reject"}),
}

SESSIONS = 16
SIDE_BY_SIDE = 4


def exchange_configuration(folder):
    text = "[EXCHANGE]\nnic_address=127.0.0.1\naccept_port=0\n"
    names = [f"CERT{number}" for number in range(SESSIONS)] + ["CERT_B", "COD", "DROP"]
    for name in names:
        text += (f"[{name}]\ntype=session\ninstance=EXCHANGE\nbegin_string=FIX.4.4\nsender_comp_id=EXCH\n"
                 f"target_comp_id={name}\njournal_path={folder}/journal\ndurability=memory\n"
                 f"dictionary={ROOT}/dictionaries/FIX44.xml\n")
        if name == "COD":
            text += "cancel_on_disconnect=BOTH\n"
    return text


class Variant:
    """The program under test, with one fault or none."""

    def __init__(self, lab, echo, kind, rule):
        self.kind = kind
        self.lab = lab
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        if kind == "echo":
            command = [echo, "--port", "0", "--directory", str(self.folder / "echo"), "--plain-sessions", str(SESSIONS)]
        else:
            (self.folder / "exchange.ini").write_text(exchange_configuration(self.folder))
            command = [lab, "exchange", str(self.folder / "exchange.ini"), "--drop-copy", "DROP"]
        if rule:
            (self.folder / "faults").write_text(rule + "\n")
            command += ["--faults", str(self.folder / "faults")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.address = None
        for line in self.process.stdout:
            if match := re.search(r"127\.0\.0\.1:\d+", line):
                self.address = match[0]
                break

    def __enter__(self):
        assert self.address, f"{self.kind} does not listen"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=30)
        self.temporary.cleanup()

    def certify(self, ids=()):
        """Outcomes by scenario id."""
        junit = self.folder / "result.xml"
        command = [self.lab, "certify", "run", "--address", self.address, "--quiet", "--junit", str(junit)]
        if self.kind == "echo":
            command += ["session", "--keeps-numbers"]
            command += [part for number in range(SESSIONS)
                        for part in ("--session", f"FIX.4.4:TW44_{number + 1}:ISLD")]
        else:
            command += ["orders", "market_data", "drop_copy"]
            # One session plays in the order of the files where symbols are shared.
            command += [part for number in range(SESSIONS) for part in
                        ("--session", f"FIX.4.4:CERT{number}:EXCH" + (f",symbol=S{number}" if not ids else ""))]
        for name in sorted(ids):
            command += ["--scenario", name]
        if ids:  # One session is enough.
            first = command.index("--session")
            command = command[:first + 2] + [part for part in command[first + 2:]
                                             if part != "--session" and not part.startswith("FIX.4.4:")]
        run = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert run.returncode in (0, 1), run.stdout + run.stderr
        outcomes = {}
        for case in xml.etree.ElementTree.parse(junit).iter("testcase"):
            name = case.get("name").split(":")[0]
            failed = case.find("failure") is not None
            outcomes[name] = outcomes.get(name, False) or failed
            if failed and not ids:
                print(case.find("failure").text[:600])
        return outcomes


def main():
    lab, echo, *names = sys.argv[1:]
    missed = []
    if not names:
        for kind in ("echo", "exchange"):
            with Variant(lab, echo, kind, None) as good:
                failed = [name for name, failure in good.certify().items() if failure]
                print(f"good {kind}: {'fails ' + ', '.join(failed) if failed else 'passes all'}")
                missed += [f"good {kind}"] * bool(failed)
    planted = [(kind, name, rule, ids) for kind, variants in (("echo", ECHO), ("exchange", EXCHANGE))
               for name, (rule, ids) in variants.items() if not names or name in names]

    def caught_by(variant):
        kind, _, rule, ids = variant
        with Variant(lab, echo, kind, rule) as program:
            return [each for each, failure in program.certify(ids).items() if failure]

    # They wait most of the time. A good program, which slowness might fail, was played alone.
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for (kind, name, rule, _), caught in zip(planted, pool.map(caught_by, planted)):
            print(f"{kind} {name} ({rule}): {'caught by ' + ', '.join(caught) if caught else 'NOT CAUGHT'}", flush=True)
            missed += [name] * (not caught)
    print(f"{len(planted)} variants, missed: {', '.join(missed) if missed else 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
