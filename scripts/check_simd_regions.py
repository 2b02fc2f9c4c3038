#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that wide SIMD registers stay inside the kernels: a program built here must run on any x86-64.

Usage: check_simd_regions.py ARCHIVE.a... Disassembles the libraries. A ymm, zmm or mask register is a fault in any
object but those of the wide kernels (kernel_avx2, kernel_avx512, crc32c_avx512), and there too in a weak function: that is an inline function of a header, of
which the linker may keep this copy for callers on every CPU. A multiplication of 512 bits is a fault everywhere: some CPUs
lower the clock of a core that does them now and then. Exit code 77 when the archives are not x86-64 code.
"""

import re
import subprocess
import sys

SLOWS_THE_CLOCK = re.compile(r"\tv(pmadd|pmul|pdp|mul|div|sqrt|fn?m(add|sub)|dpbf)\w*\s.*%zmm\d")
KERNEL_OBJECT = re.compile(r"(kernel|crc32c)_avx(2|512)")
WIDE = re.compile(r"%[yz]mm\d+|%k[0-7]\b")
OBJECT = re.compile(r"^(\S+\.o):\s+file format (\S+)")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")


def weak_symbols(archive):
    """Object name -> its weak functions."""
    names, current = {}, ""
    listing = subprocess.run(["nm", archive], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        if line.endswith(".o:"):
            current = line[:-1]
        else:
            words = line.split()
            if len(words) == 3 and words[1] in ("W", "V", "u"):
                names.setdefault(current, set()).add(words[2])
    return names


def check(archive):
    """The faults of one archive, and how many kernel objects it has; None when it is not x86-64 code."""
    faults, kernels = [], set()
    weak = weak_symbols(archive)
    current = function = ""
    reported = set()
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", archive], capture_output=True, text=True, check=True)
    for line in listing.stdout.splitlines():
        if match := OBJECT.match(line):
            current = match.group(1)
            if match.group(2) != "elf64-x86-64":
                return None
            if KERNEL_OBJECT.search(current):
                kernels.add(current)
        elif match := FUNCTION.match(line):
            function = match.group(1)
        elif WIDE.search(line) and (current, function) not in reported:
            inside_kernel = KERNEL_OBJECT.search(current)
            if not inside_kernel or function in weak.get(current, ()):
                reported.add((current, function))
                why = "a weak function of a kernel" if inside_kernel else "no kernel"
                faults.append(f"{archive}: {current}: {function} uses wide registers, but is {why}")
            if SLOWS_THE_CLOCK.search(line) and (current, function, "clock") not in reported:
                reported.add((current, function, "clock"))
                faults.append(f"{archive}: {current}: {function} multiplies 512 bits at once")
    return faults, len(kernels)


def main():
    faults, kernels = [], 0
    for archive in sys.argv[1:]:
        result = check(archive)
        if result is None:
            print(f"skipped: {archive} is not x86-64 code")
            return 77
        faults += result[0]
        kernels += result[1]
    for fault in faults:
        print(fault)
    print(f"check_simd_regions: {len(sys.argv) - 1} archives, {kernels} kernels with wide registers, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
