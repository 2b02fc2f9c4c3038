# SPDX-License-Identifier: MIT
"""Damaged journals and text logs: every entry that can be read is, and the rest is a problem."""

import gzip
import shutil
import tempfile
from functools import cache
from pathlib import Path

import affix
from fuzzing import material
from fuzzing.loopback import Pair

CODECS = (None, affix.dictionary("FIX.4.4"))


@cache
def journal():
    """The files of a journal that a session has written."""
    directory = Path(tempfile.mkdtemp())
    try:
        with Pair(f"journal_path={directory}\n") as pair:
            pair.log_on()
            for number in range(5):
                pair.send("D", {11: str(number), 58: "x" * (10 * number + 1)})
            pair.turns(5)
        return [(path.relative_to(directory), path.read_bytes().rstrip(b"\0") + bytes(64))
                for path in sorted(directory.rglob("*")) if path.is_file()]
    finally:
        shutil.rmtree(directory)


def text_log(random):
    lines = []
    for _ in range(random.randint(1, 8)):
        shown = material.message(random).replace(b"\x01", random.choice((b"|", b"\x01", b"^A")))
        lines.append(random.choice((b"20260131-12:00:00.500 : ", b"", b"2026-01-31T12:00:00Z [in] ")) + shown)
    return b"\n".join(lines) + b"\n"


def run(random):
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        if random.random() < 0.5:
            for path, data in journal():
                (directory / path).parent.mkdir(parents=True, exist_ok=True)
                if random.random() < 0.6:
                    data = material.damaged(random, data, 3)
                (directory / path).write_bytes(data)
        else:
            data = text_log(random)
            if random.random() < 0.6:
                data = material.damaged(random, data, 6)
            if random.random() < 0.2:
                data = material.damaged(random, gzip.compress(data), 2)
            (directory / "venue.log").write_bytes(data)
        entries = []
        try:
            reader = affix.decode_log(directory, codec=random.choice(CODECS), own_comp_id=random.choice(("", "FIRM")))
            for entry in reader:
                entries.append(entry)
                assert len(entries) < 10_000
            assert all(isinstance(problem, str) for problem in reader.problems)
        except affix.LogError as refused:
            assert str(refused)
    # The files and the reader are gone.
    reader = None
    for entry in entries:
        assert isinstance(entry.kind, str) and isinstance(entry.session, str) and isinstance(entry.event, str)
        entry.time, entry.direction, entry.sequence
        if entry.message is not None:
            assert bytes(entry.message) == entry.bytes
            entry.message.to_dict()
