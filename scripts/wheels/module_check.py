#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what auditwheel does not ask of the modules in a wheel. Needs pyelftools.

Usage: module_check.py WHEEL

- An undefined symbol is one of CPython's, or has the version of the library that defines it. A static library that was
  compiled against a newer glibc leaves a name without a version, which would be found on newer machines only.
- The wheel has no libraries beside the module: whatever it needs but libc is inside.
- The module defines nothing for other modules but its entry point.
"""

import io
import sys
import zipfile

from elftools.elf.elffile import ELFFile

LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
OF_PYTHON = ("Py", "_Py")
# Weak, and absent unless a tool preloads them.
OF_TOOLS = ("_ITM_", "__gmon_start__", "__cxa_finalize", "__tsan", "__asan")


def faults_of(module):
    elf = ELFFile(module)
    needed = {tag.needed for tag in elf.get_section_by_name(".dynamic").iter_tags("DT_NEEDED")}
    faults = [f"needs {name}" for name in sorted(needed - LIBRARIES)]
    versions = elf.get_section_by_name(".gnu.version")
    for number, symbol in enumerate(elf.get_section_by_name(".dynsym").iter_symbols()):
        if not symbol.name:
            continue
        is_undefined = symbol["st_shndx"] == "SHN_UNDEF"
        is_of_python = symbol.name.startswith(OF_PYTHON)
        if is_undefined and not is_of_python and not symbol.name.startswith(OF_TOOLS):
            if versions.get_symbol(number)["ndx"] in ("VER_NDX_LOCAL", "VER_NDX_GLOBAL"):
                faults.append(f"needs {symbol.name} of no known library")
        elif not is_undefined and not symbol.name.startswith("PyInit_"):
            faults.append(f"exports {symbol.name}")
    return faults


def main():
    faults = []
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        for name in wheel.namelist():
            if ".libs/" in name:
                faults.append(f"{name}: a library that is not linked into the module")
            elif name.endswith(".so"):
                faults += [f"{name} {fault}" for fault in faults_of(io.BytesIO(wheel.read(name)))]
    for fault in faults:
        print(f"{sys.argv[1]}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
