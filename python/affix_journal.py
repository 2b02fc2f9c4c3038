#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads affix journals with Python's standard library alone, as docs/reference/journal-format.md tells it.

As a library: `for record in read_journal(directory)`. As a program: prints a JSON object a line for each record of the
journals that it is given. Segments packed with gzip by `affix journal archive` are read too; zstd is not in the
standard library. Reading changes nothing and needs no lock; beside a live writer it ends where that one had come to.
"""

import gzip
import json
import re
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"AFFIXJNL"
RECORDS_OFFSET = 4096
KINDS = {1: "sent", 2: "received", 3: "held", 4: "resent", 5: "event"}
EVENTS = {0: "none", 1: "numbers set", 2: "reset", 3: "trading day", 4: "remark", 5: "epoch"}
SEGMENT_NAME = re.compile(r"(\d{10})\.journal(\.gz)?")
RECORD_HEADER_BYTES = 40
OMITTED = 1
STATE_OFFSETS = (512, 1024)
SYNCED = 1


class Damaged(Exception):
    """Stored bytes contradict themselves; the text says where."""


class Unsupported(Exception):
    """No journal, or one of a version that this reader does not know."""


@dataclass(frozen=True)
class Header:
    """Header of a segment, and the numbers it begins with."""

    number: int
    segment_bytes: int
    numbers_only: bool
    created_utc_ns: int
    next_outgoing: int
    next_expected: int
    previous_end: int
    journal_id: int
    identity: bytes
    order: str  # "<" or ">", as struct wants it.


@dataclass(frozen=True)
class Record:
    """One record. `message` is a FIX message or an event's text."""

    segment: int
    offset: int
    kind: str
    event: str
    omitted: bool
    unsent: int  # Queued messages that no resend has reached; see the format's page.
    processed: bool
    utc_ns: int
    sequence: int
    number_after: int
    message: bytes


def _make_table():
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ 0x82F63B78 if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


_TABLE = _make_table()


def crc32c(data, previous=0):
    """CRC-32C of `data`, continued from `previous`."""
    crc = previous ^ 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def read_header(data, where="segment"):
    """The header of a segment's bytes, or None for one that is prepared and not yet in use."""
    if len(data) < RECORDS_OFFSET:
        raise Damaged(f"{where}: no segment is {len(data)} bytes long")
    if data[:8] == bytes(8):
        return None
    order = {MAGIC: "<", MAGIC[::-1]: ">"}.get(bytes(data[:8]))
    if order is None:
        raise Unsupported(f"{where}: not a journal segment")
    mark, version, _, records_offset, crc = struct.unpack_from(order + "IHHII", data, 8)
    if mark != 0x01020304 or version != 1:
        raise Unsupported(f"{where}: version {version}")
    if crc != crc32c(data[8:20] + bytes(4) + data[24:512]) or records_offset != RECORDS_OFFSET:
        raise Damaged(f"{where}: the header does not match its checksum")
    size, number, flags, created, outgoing, expected = struct.unpack_from(order + "QIIqQQ", data, 24)
    (previous_end,) = struct.unpack_from(order + "I", data, 80)
    (journal_id,) = struct.unpack_from(order + "Q", data, 88)
    (identity_bytes,) = struct.unpack_from(order + "I", data, 124)
    return Header(number, size, bool(flags & 1), created, outgoing, expected, previous_end, journal_id,
                  bytes(data[128:128 + identity_bytes]), order)


def read_record(data, header, offset, where="segment"):
    """(record, offset after it), or None where nothing is committed."""
    if len(data) - offset < RECORD_HEADER_BYTES + 8:
        return None
    length, crc = struct.unpack_from(header.order + "II", data, offset)
    if length == 0:
        return None
    after = offset + ((length + 1 + 7) & ~7)
    if length < RECORD_HEADER_BYTES or after > len(data):
        raise Damaged(f"{where}: bad record at byte {offset}")
    seed = (header.number * 0x9E3779B1 + offset) & 0xFFFFFFFF
    if crc32c(data[offset + 8:offset + length], seed) != crc:
        raise Damaged(f"{where}: bad record at byte {offset}")
    kind, event, flags, unsent, utc_ns, sequence, number_after = struct.unpack_from(header.order + "BBHIqQQ", data, offset + 8)
    if kind not in KINDS or event not in EVENTS:
        raise Damaged(f"{where}: unknown kind {kind}/{event} at byte {offset}")
    message = bytes(data[offset + RECORD_HEADER_BYTES:offset + length])
    return Record(header.number, offset, KINDS[kind], EVENTS[event], bool(flags & OMITTED), unsent,
                  data[offset + length] != 0, utc_ns, sequence, number_after, message), after


def segment_files(directory):
    """(number, path) of the segments in a directory, in order; an unpacked one goes before its packed copy."""
    found = {}
    for path in sorted(Path(directory).iterdir()):
        match = SEGMENT_NAME.fullmatch(path.name)
        if match and (int(match.group(1)) not in found or not match.group(2)):
            found[int(match.group(1))] = path
    return sorted(found.items())


def _contents(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _is_followed(path, header):
    """Whether the next segment has begun."""
    try:
        with open(path.with_name(f"{header.number + 1:010}.journal"), "rb") as following:
            return following.read(8) not in (b"", bytes(8))
    except FileNotFoundError:
        return False


def _may_be_in_writing(data, header, offset):
    """Whether a live writer with durability `sync` may be copying the record there: no byte is behind what is there."""
    newest, live = 0, False
    for at in STATE_OFFSETS:
        (generation,) = struct.unpack_from(header.order + "Q", data, at)
        clean, _, flags, crc = struct.unpack_from(header.order + "IIII", data, at + 40)
        if generation > newest and crc == crc32c(data[at:at + 52]):
            newest, live = generation, clean == 0 and bool(flags & SYNCED)
    (length,) = struct.unpack_from(header.order + "I", data, offset)
    last, after = offset + length - 1, offset + ((length + 1 + 7) & ~7)
    return live and length >= RECORD_HEADER_BYTES and last < len(data) and data[last] == 0 and not any(data[after:after + 4])


def _read_on(path, data, header, end):
    """(record, offset after it) of each record from `end` on."""
    while True:
        try:
            found = read_record(data, header, end, str(path))
        except Damaged:
            if _may_be_in_writing(data, header, end) and not _is_followed(path, header):
                return
            data = _contents(path)  # The writer may have completed it since.
            found = read_record(data, header, end, str(path))
        if found is None:
            return
        yield found
        end = found[1]


def read_journal(directory):
    """Every record of a journal, in order. Raises Damaged where it cannot be read on."""
    before, before_path, end = None, None, 0
    for number, path in segment_files(directory):
        data = _contents(path)
        header = read_header(data, str(path))
        if header is None:
            return  # Prepared; nothing follows it.
        if header.number != number:
            raise Damaged(f"{path}: holds segment {header.number}")
        if before is not None:
            if number != before.number + 1:
                raise Damaged(f"{path}: segments before it are gone")
            if header.previous_end > end:  # The writer may have appended there before it began this one.
                for record, end in _read_on(before_path, _contents(before_path), before, end):
                    yield record
            if header.journal_id != before.journal_id or header.previous_end != end:
                raise Damaged(f"{path}: does not continue the segment before it, which ends at byte {end}")
        before, before_path, end = header, path, RECORDS_OFFSET
        for record, end in _read_on(path, data, header, end):
            yield record


def identity_of(directory):
    """Session of the journal, as its writer named it."""
    for _, path in segment_files(directory):
        header = read_header(_contents(path), str(path))
        if header is not None:
            return header.identity
    raise Unsupported(f"{directory}: no journal segment")


def main(arguments):
    if not arguments:
        print("usage: affix_journal.py JOURNAL...", file=sys.stderr)
        return 2
    status = 0
    for directory in arguments:
        try:
            session = identity_of(directory).decode("utf-8", errors="backslashreplace")
            for record in read_journal(directory):
                line = {"session": session, **vars(record)}
                line["message"] = record.message.decode("latin-1")
                print(json.dumps(line))
        except (Damaged, Unsupported, OSError) as problem:
            print(problem, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
