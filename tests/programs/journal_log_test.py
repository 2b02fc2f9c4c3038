#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix log` and `affix journal` on journals that real engines wrote, and our Python reader beside them."""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
import affix_journal  # noqa: E402

AFFIX = sys.argv.pop(1)
LAB = AFFIX + "-lab"
TIMEOUT = 60
TRADER = "FIX.4.4:ALICE->EXCHANGE"
SETTINGS_SMALL = "max_serialised_file_size=65536\n"


def run(*arguments, status=0, **options):
    done = subprocess.run([AFFIX, *map(str, arguments)], capture_output=True, timeout=TIMEOUT, check=False, **options)
    if done.returncode != status:
        raise AssertionError(f"affix {arguments}: status {done.returncode}\n{done.stdout[-2000:]!r}\n{done.stderr[-2000:]!r}")
    return done.stdout.decode("utf-8", errors="replace")


def packet(source, target, sequence, payload, flags=0x18):
    """An Ethernet frame with one TCP segment."""
    tcp = struct.pack("!HHIIBBHHH", source[1], target[1], sequence & 0xFFFFFFFF, 0, 5 << 4, flags, 65535, 0, 0) + payload
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0, bytes(source[0]), bytes(target[0]))
    return bytes(12) + b"\x08\x00" + ip + tcp


def capture(frames):
    """A pcap file with nanoseconds of (time, frame)."""
    out = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)
    for utc_ns, frame in frames:
        out += struct.pack("<IIII", utc_ns // 10**9, utc_ns % 10**9, len(frame), len(frame)) + frame
    return out


class JournalsOfRealEngines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="affix-journal-log-test-"))
        subprocess.run([LAB, "demo", "--directory", cls.home, "--duration", "1.5", "--rate", "200"],
                       stdout=subprocess.DEVNULL, timeout=TIMEOUT, check=True)
        cls.traders, cls.exchange = cls.home / "traders", cls.home / "exchange"
        cls.journals = sorted({path.parent for path in cls.home.rglob("*.journal")})
        cls.alice = next(j for j in cls.journals if affix_journal.identity_of(j).decode() == TRADER)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home, ignore_errors=True)

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="affix-journal-log-case-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def copy(self):
        shutil.copytree(self.alice, self.directory / "copy")
        return self.directory / "copy"

    def test_python_reads_the_same_records(self):
        for journal in self.journals:
            ours = [json.loads(line) for line in run("journal", "export", "--format", "json", journal).splitlines()]
            theirs = list(affix_journal.read_journal(journal))
            self.assertEqual(len(ours), len(theirs))
            self.assertGreater(len(theirs), 100)
            for mine, record in zip(ours, theirs):
                self.assertEqual(mine["sequence"], record.sequence)
                self.assertEqual(mine["session"], affix_journal.identity_of(journal).decode())
                if record.kind in ("sent", "received"):
                    self.assertEqual(mine["direction"], {"sent": "out", "received": "in"}[record.kind])
                    text = "".join(f"{field['tag']}={field['value']}\x01" for field in mine["fields"])
                    self.assertEqual(text.encode(), record.message)
                self.assertTrue(record.processed or record.kind != "received")
            raw = subprocess.run([AFFIX, "journal", "export", "--format", "raw", journal], capture_output=True,
                                 timeout=TIMEOUT, check=True).stdout
            self.assertEqual(raw, b"".join(r.message for r in theirs if r.kind in ("sent", "received")))

    def test_python_notices_damage(self):
        journal = self.copy()
        first = journal / "0000000001.journal"
        content = bytearray(first.read_bytes())
        content[4096 + 50] ^= 1
        first.write_bytes(content)
        with self.assertRaises(affix_journal.Damaged):
            list(affix_journal.read_journal(journal))

    def test_python_awaits_a_record_in_writing_like_ours(self):
        """The end of a journal with `sync`, whose writer has copied a part of the last record into the file."""
        journal = self.copy()
        records = list(affix_journal.read_journal(journal))
        last = records[-1]
        newest = journal / f"{last.segment:010}.journal"
        half = last.offset + 40 + len(last.message) // 2
        for clean, flags, behind in ((0, 1, 0), (1, 1, 0), (0, 0, 0), (0, 1, 1)):
            content = bytearray(newest.read_bytes())
            content[half:] = bytes(len(content) - half)
            content[last.offset + ((40 + len(last.message) + 8) & ~7)] = behind
            generation = max(struct.unpack_from("=Q", content, at)[0] for at in (512, 1024)) + 1
            state = struct.pack("=Q16sQQIII", generation, bytes(16), 4096, 0, clean, 0, flags)
            content[512:568] = state + struct.pack("=I", affix_journal.crc32c(state))
            newest.write_bytes(content)
            awaited = (clean, flags, behind) == (0, 1, 0)
            done = subprocess.run([AFFIX, "journal", "export", "--format", "raw", journal], capture_output=True,
                                  timeout=TIMEOUT, check=False)
            self.assertEqual(done.returncode, 0 if awaited else 1, done.stderr)
            theirs = []
            try:
                theirs.extend(affix_journal.read_journal(journal))
                self.assertTrue(awaited)
            except affix_journal.Damaged as damage:
                self.assertFalse(awaited, damage)
            if awaited:
                self.assertEqual(theirs, records[:-1])
                self.assertEqual(done.stdout, b"".join(r.message for r in theirs if r.kind in ("sent", "received")))

    def test_python_follows_a_writer_into_the_next_segment(self):
        """The writer fills a segment and begins the next one after the first was read."""
        journal = self.copy()
        records = list(affix_journal.read_journal(journal))
        first = journal / "0000000001.journal"
        whole = first.read_bytes()
        early = [r for r in records if r.segment == 1][-3].offset
        first.write_bytes(whole[:early] + bytes(len(whole) - early))
        reading = affix_journal.read_journal(journal)
        seen = [next(reading)]
        first.write_bytes(whole)
        self.assertEqual(seen + list(reading), records)

    def test_a_journal_cut_while_it_is_shown_ends_with_a_reason(self):
        journal = self.copy()
        records = len(list(affix_journal.read_journal(journal)))
        shown = subprocess.Popen([AFFIX, "log", "--heartbeats", str(journal)], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        # It stands still when the pipe is full, in the middle of what it has mapped.
        first = shown.stdout.read(1)
        for segment in journal.glob("*.journal"):
            os.truncate(segment, 4096)
        out, err = shown.communicate(timeout=TIMEOUT)
        self.assertEqual(shown.returncode, 1, err)
        self.assertIn(b"cut short", err)
        self.assertIn(b".journal", err)
        self.assertLess(len((first + out).splitlines()), records)
        self.assertNotIn(b"cut short", out)

    def test_a_journal_cut_before_says_so_too(self):
        journal = self.copy()
        os.truncate(journal / "0000000001.journal", 20000)
        done = subprocess.run([AFFIX, "log", str(journal)], capture_output=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"0000000001.journal", done.stderr)
        self.assertIn("DAMAGED", run("journal", "verify", journal, status=1))

    def test_verify_finds_all_sound(self):
        report = run("journal", "verify", self.home)
        self.assertEqual(len(report.splitlines()), 8)
        self.assertEqual(report.count(": sound, "), 8)
        run("journal", "verify", self.directory, status=2)

    def test_repair_mends_journals_that_opening_refuses(self):
        journal = self.copy()
        segments = [p for p in sorted(journal.glob("*.journal")) if p.read_bytes()[:8] != bytes(8)]
        records = list(affix_journal.read_journal(journal))
        newest = affix_journal.read_header(segments[-1].read_bytes()).number
        victim = [r for r in records if r.segment == newest and r.kind == "sent"][-3]
        content = bytearray(segments[-1].read_bytes())
        content[victim.offset + 45] ^= 1
        segments[-1].write_bytes(content)
        self.assertIn("DAMAGED", run("journal", "verify", journal, status=1))
        plan = run("journal", "repair", journal, status=1)
        self.assertRegex(plan, rf"sent messages {victim.sequence} to {victim.sequence} .*\[J219\]")
        self.assertEqual(segments[-1].read_bytes(), bytes(content), "a dry run changes nothing")
        done = run("journal", "repair", "--apply", journal)
        self.assertIn("the damaged file is kept as", done)
        self.assertIn("sound", run("journal", "verify", journal))
        self.assertEqual(Path(str(segments[-1]) + ".damaged").read_bytes(), bytes(content))
        after = list(affix_journal.read_journal(journal))
        self.assertEqual(len(after), len(records))
        self.assertIn("nothing to repair", run("journal", "repair", "--apply", journal))

    def test_archive_takes_closed_segments_and_log_reads_them(self):
        before = run("log", "--heartbeats", self.alice)
        for packing in ("none", "gzip", "zstd"):
            shutil.rmtree(self.directory / "copy", ignore_errors=True)
            shutil.rmtree(self.directory / "old", ignore_errors=True)
            journal = self.copy()
            in_use = [p.name for p in sorted(journal.glob("*.journal")) if p.read_bytes()[:8] != bytes(8)]
            self.assertGreater(len(in_use), 2, "the demo fills some segments")
            arguments = ("--older-than", "0s", "--pack", packing, journal, self.directory / "old")
            planned = run("journal", "archive", "--dry-run", *arguments)
            for everything in ("--keep-bytes", "--keep-trading-days"):
                self.assertEqual(run("journal", "archive", "--dry-run", everything, "0", *arguments[2:]), planned)
            self.assertEqual(len(planned.splitlines()), len(in_use) - 2)
            self.assertFalse((self.directory / "old").exists())
            run("journal", "archive", *arguments)
            left = sorted(p.name for p in journal.glob("*.journal"))
            self.assertEqual([name for name in left if name in in_use], in_use[-2:])
            self.assertIn("sound", run("journal", "verify", journal))
            together = run("log", "--heartbeats", self.directory / "old", journal)
            self.assertEqual(together, before)
            if packing == "gzip":
                packed = list(affix_journal.read_journal(self.directory / "old"))
                self.assertEqual(packed[0].sequence, 1)
        run("journal", "archive", self.alice, self.directory / "old", status=2)

    def test_the_wire_is_the_journal(self):
        """A capture made of the journal's messages, segments split, doubled and out of order, gives the same lines."""
        ours, theirs = ((10, 0, 0, 1), 40000), ((10, 0, 0, 2), 9876)
        frames, sequence = [], {"sent": 0xFFFFFF00, "received": 1000}
        records = [r for r in affix_journal.read_journal(self.alice) if r.kind in sequence]
        for kind, way in (("sent", (ours, theirs)), ("received", (theirs, ours))):
            first = min(r.utc_ns for r in records)
            frames.append((first - 1, packet(*way, sequence[kind], b"", flags=2)))
            sequence[kind] += 1
        for at, record in enumerate(records):
            way = (ours, theirs) if record.kind == "sent" else (theirs, ours)
            message, number = record.message, sequence[record.kind]
            parts = [(number, message[:31]), (number + 31, message[31:70]), (number + 70, message[70:])]
            if at % 3 == 1:
                parts = [parts[1], parts[0], parts[0], parts[2]]
            frames += [(record.utc_ns, packet(*way, where, part)) for where, part in parts]
            sequence[record.kind] = number + len(message)
        (self.directory / "wire.pcap").write_bytes(capture(frames))
        wire = run("log", "--heartbeats", "--as", "ALICE", self.directory / "wire.pcap")
        # The engine's remarks about a session are in no packet.
        messages = [line for line in run("log", "--heartbeats", self.alice).splitlines() if " EVT " not in line]
        self.assertEqual(sorted(wire.splitlines()), sorted(messages))

    def test_text_of_ours_and_of_others_reads_back(self):
        lines = run("log", self.alice).splitlines()
        (self.directory / "ours.log").write_text("\n".join(lines) + "\n")
        self.assertEqual(run("log", self.directory / "ours.log").splitlines(), lines)
        piped = subprocess.run([AFFIX, "log", "-"], input="\n".join(lines).encode(), capture_output=True, timeout=TIMEOUT,
                               check=True).stdout.decode()
        self.assertEqual(piped.splitlines(), lines)

    def test_filters_and_statistics_agree(self):
        statistics = json.loads(run("log", "--stats", "--json", self.traders))
        sessions = statistics["sessions"]
        self.assertEqual(len(sessions), 4)
        for name, session in sessions.items():
            for way in ("in", "out"):
                self.assertEqual(session[way]["gaps"], 0)
                for message_type, count in session[way]["types"].items():
                    shown = run("log", "--type", message_type, "--direction", way, "--session", name, self.traders)
                    self.assertEqual(len(shown.splitlines()), count)
        self.assertGreater(statistics["latency_ns"]["measured"], 50)

    def test_a_path_after_any_option_is_a_path(self):
        for words in (("--type", "D"), ("--where", "35=D"), ("--session", "A"), ("--grep", "35=D"), ("--direction", "in"),
                      ("--secret", "58"), ("--columns",), ("--columns", "11,54"), ("--as", "X"), ("--from", "2020-01-01")):
            self.assertEqual(run("log", *words, self.traders), run("log", self.traders, *words))

    def test_a_slip_in_a_filter_is_no_quiet_day(self):
        for words in (("--type", "Nope"), ("--where", "54=Byu"), ("--session", "NOBODY")):
            done = subprocess.run([AFFIX, "log", str(self.home), *words], capture_output=True, timeout=TIMEOUT, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"nothing fits {' '.join(words)} [P102]\n"))
        self.assertNotEqual(run("log", self.home, "--where", "54=Buy", "--type", "NewOrderSingle"), "")
        done = subprocess.run([AFFIX, "log", "/etc/passwd"], capture_output=True, timeout=TIMEOUT, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\(--heartbeats\) \[P102\]\n")

    def test_verify_prints_json_for_programs(self):
        lines = [json.loads(line) for line in run("journal", "verify", "--json", self.home).splitlines()]
        self.assertEqual(len(lines), len(self.journals))
        for line in lines:
            self.assertFalse(line["damaged"])
            self.assertGreater(sum(segment["records"] for segment in line["segments"]), 0)

    def test_follow_shows_new_messages(self):
        with open(self.directory / "live.log", "w", encoding="ascii") as file:
            process = subprocess.Popen([AFFIX, "log", "--follow", str(self.directory / "live.log")],
                                       stdout=subprocess.PIPE, text=True)
            try:
                for number in (1, 2):
                    file.write(f"20260131-12:00:00 : 8=FIX.4.4|9=5|35=D|49=A|56=B|34={number}|10=000|\n")
                    file.flush()
                    self.assertIn(f"|34={number}|", process.stdout.readline())
            finally:
                process.terminate()
                process.wait(TIMEOUT)
                process.stdout.close()


if __name__ == "__main__":
    unittest.main()
