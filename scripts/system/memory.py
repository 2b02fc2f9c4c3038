# SPDX-License-Identifier: MIT
"""A virtual machine's memory. Its host gives it a page when the machine touches it first, which takes five times as
long as a page that the machine has had before; who writes files then pays for the host, and in an early round more than
in a late one."""

import mmap
import os
import re
import time
from pathlib import Path

# Python 3.11 has no name for it.
MADV_POPULATE_WRITE = 23
PART = 0.5


def is_virtual():
    return re.search(r"^flags\s*:.*\bhypervisor\b", Path("/proc/cpuinfo").read_text(), re.MULTILINE) is not None


def available_bytes():
    found = re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
    return int(found.group(1)) * 1024


def touch():
    """Takes half of what is available once and gives it back, so that the machine has it from here on. Nothing on a
    machine that is no virtual one. Returns seconds and bytes."""
    if not is_virtual():
        return 0.0, 0
    started = time.monotonic()
    size = int(available_bytes() * PART) // mmap.PAGESIZE * mmap.PAGESIZE
    # In a process of its own: that it may be ended for want of memory hurts nobody else.
    child = os.fork()
    if child == 0:
        try:
            memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            memory.madvise(mmap.MADV_HUGEPAGE)
            memory.madvise(MADV_POPULATE_WRITE)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return time.monotonic() - started, size
