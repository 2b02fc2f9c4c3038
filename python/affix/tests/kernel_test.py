# SPDX-License-Identifier: MIT
"""The module finds the instructions of its processor: a build that does not is right, and half as fast."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

# Of x86-64; every aarch64 has the one kernel. (An emulator may show the flags of the machine under it.)
FLAGS = Path("/proc/cpuinfo").read_text().split() if platform.machine() == "x86_64" else ["asimd"]
PROGRAM = "import affix; affix.parse(affix.encode('0'))"


@pytest.mark.parametrize(("kernel", "flag"), [("sse42", "sse4_2"), ("avx2", "avx2"), ("avx512", "avx512_vbmi2"),
                                              ("neon", "asimd")])
def test_a_kernel_of_this_processor_can_be_demanded(kernel, flag):
    if flag not in FLAGS:
        pytest.skip(f"this processor has no {kernel}")
    # The library ends a process that demands a kernel which it does not find.
    environ = {**os.environ, "AFFIX_KERNEL": kernel}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
