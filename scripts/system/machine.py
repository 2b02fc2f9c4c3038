# SPDX-License-Identifier: MIT
"""The machine that the system benchmarks run on: what a reader of their figures must know about it."""

import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

# Free blocks of so many pages, as a power of two, are given back; the kernel has none of 2^11.
REPORTING = Path("/sys/module/page_reporting/parameters/page_reporting_order")
NEVER_REPORTED = 11


def gives_pages_back():
    """Whether this virtual machine gives free pages back to its host."""
    try:
        return int(REPORTING.read_text()) < NEVER_REPORTED
    except (OSError, ValueError):
        return False


def memory():
    """A virtual machine may give its free memory back to its host. Then a page that is used again costs 3 to 10 us and
    not 1, which whoever stores messages pays and who stores nothing does not."""
    try:
        order = int(REPORTING.read_text())
    except (OSError, ValueError):
        return "its own"
    if order >= NEVER_REPORTED:
        return f"free pages are kept ({REPORTING} is {order})"
    return f"free pages are given back to the host ({REPORTING} is {order}, {NEVER_REPORTED} keeps them)"


def read_ahead(folder):
    """How far the disk of `folder` is read ahead, in KiB, or None when no disk is under it (tmpfs). An engine takes the
    size of the pages that it prepares journals in from it."""
    device = os.stat(folder).st_dev
    try:
        text = Path(f"/sys/class/bdi/{os.major(device)}:{os.minor(device)}/read_ahead_kb").read_text()
        return int(text)
    except (OSError, ValueError):
        return None


def measured(binaries, folder):
    """Measurements of this machine by `affix doctor` with files in `folder`, as a sentence."""
    done = subprocess.run([str(binaries.resolve() / "affix"), "doctor", "--json"], capture_output=True, text=True, check=False,
                          cwd=folder)
    try:
        values = json.loads(done.stdout)["measured"]
        page, gaps, wake_up, flush = (values[name] for name in ("new_page", "spinning", "wake_up", "flush"))
        return (f"new page {page['single_ns'] / 1e3:.1f} us singly, {page['in_pieces_ns'] / 1e3:.1f} us in pieces of 64 KiB, "
                f"{page['in_large_pieces_ns'] / 1e3:.1f} us of 2 MiB (one took {page['largest_piece_ns'] / 1e6:.1f} ms); a loop that "
                f"spins held up {gaps['largest_gap_ns'] / 1e3:.0f} us at most; wake-up {wake_up['median_ns'] / 1e3:.0f} us; flush "
                f"{flush['median_ns'] / 1e3:.0f} us")
    except (ValueError, KeyError):
        return "not all of it"


# Spins, and prints the nanoseconds of the longest gap between two looks at the clock.
SPINNING = """
import gc, sys, time
gc.disable()
clock = time.perf_counter_ns
last, largest = clock(), 0
end = last + int(float(sys.argv[1]) * 1e9)
while last < end:
    now = clock()
    if now - last > largest:
        largest = now - last
    last = now
print(largest)
"""


def largest_gap(core, seconds):
    """How long a loop on that core that does nothing else was held up at most, in nanoseconds."""
    done = subprocess.run(["taskset", "-c", str(core), sys.executable, "-I", "-c", SPINNING, str(seconds)], capture_output=True,
                          text=True, check=True)
    return int(done.stdout)


def compiler(binaries):
    """The first line of what the compiler of these programs says about itself."""
    cache = binaries.parent / "CMakeCache.txt"
    if not cache.exists():
        return "unknown compiler"
    found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache.read_text(), re.MULTILINE)
    if not found:
        return "unknown compiler"
    version = subprocess.run([found.group(1), "--version"], capture_output=True, text=True, check=False)
    return version.stdout.splitlines()[0] if version.stdout else found.group(1)


def about(binaries):
    """The machine and the commit: printed first, and written beside all rows."""
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    commit = subprocess.run(["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"],
                            capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    return {"processor": model, "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(),
            "compiler": compiler(binaries), "commit": commit, "load_before": os.getloadavg()[0], "memory": memory(),
            "time": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())}
