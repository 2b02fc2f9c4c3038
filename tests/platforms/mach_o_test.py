#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that were linked for macOS: for the right processor, and with no library but the system's own.

Usage: mach_o_test.py PROCESSOR FOLDER: x86_64 or aarch64, and the folder of the programs.
"""

import struct
import sys
from pathlib import Path

MAGIC = 0xFEEDFACF
PROCESSORS = {0x01000007: "x86_64", 0x0100000C: "aarch64"}
EXECUTABLE = 2
# Load commands that name a library.
LIBRARY_COMMANDS = {0xC, 0x80000018, 0x8000001F}
SYSTEM = ("/usr/lib/", "/System/Library/")


def faults_of(path, processor):
    bytes_ = path.read_bytes()
    magic, kind, _, file_type, count, _ = struct.unpack_from("<IIIIII", bytes_)
    if magic != MAGIC or file_type != EXECUTABLE:
        return ["is no program of macOS"]
    faults = []
    if PROCESSORS.get(kind) != processor:
        faults.append(f"is for {PROCESSORS.get(kind, hex(kind))}, not for {processor}")
    at = 32
    for _ in range(count):
        command, size, name_at = struct.unpack_from("<III", bytes_, at)
        if command in LIBRARY_COMMANDS:
            name = bytes_[at + name_at:at + size].split(b"\0")[0].decode()
            if not name.startswith(SYSTEM):
                faults.append(f"needs {name}")
        at += size
    return faults


def main():
    processor, folder = sys.argv[1], Path(sys.argv[2])
    programs = sorted(path for path in folder.iterdir() if path.is_file())
    faults = [f"{path}: {fault}" for path in programs for fault in faults_of(path, processor)]
    print("\n".join([*faults, f"{len(programs)} programs, {len(faults)} faults"]))
    return 1 if faults or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
