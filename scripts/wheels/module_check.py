# SPDX-License-Identifier: MIT
"""Checks the demands of a module in a wheel on the process that loads it, beyond what auditwheel looks at.

- An undefined symbol is CPython's, or has the version of the library that defines it. A static library that was compiled
  against a newer glibc leaves names without a version, which only newer machines have.
- Nothing but libc is needed, and no library lies beside the module: all else is inside.
- Nothing but the entry point is defined for other modules.
"""

import re
import tempfile
import zipfile
from pathlib import Path

from wheels.environments import run

LIBC = re.compile(r"(libc|libm|libpthread|libdl|librt|ld-linux-\S+)\.so\.\d+")
SYMBOL = re.compile(r"^\s*\d+:\s+\S+\s+\S+\s+\S+\s+(?P<bind>\S+)\s+\S+\s+(?P<section>\S+)\s+(?P<name>[^\s@]+)(?P<version>@\S+)?")
NEEDED = re.compile(r"\(NEEDED\).*\[(\S+)\]")


def faults_of(module):
    """The faults of a shared object."""
    shown = run("readelf", "--wide", "--dynamic", "--dyn-syms", module)
    faults = [f"needs {name}" for name in NEEDED.findall(shown) if not LIBC.fullmatch(name)]
    for symbol in filter(None, map(SYMBOL.match, shown.splitlines())):
        name = symbol["name"]
        if symbol["section"] != "UND":
            if not name.startswith("PyInit_"):
                faults.append(f"defines {name} for others")
        elif not symbol["version"] and symbol["bind"] != "WEAK" and not name.startswith(("Py", "_Py")):
            faults.append(f"needs {name}, which no known library has")
    return faults


def check_modules(wheel):
    """Ends the program if a module of the wheel has a fault."""
    faults = []
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as place:
        for name in archive.namelist():
            if ".libs/" in name:
                faults.append(f"{name} is not inside the module")
            elif name.endswith(".so"):
                faults += [f"{Path(name).name} {fault}" for fault in faults_of(archive.extract(name, place))]
    if faults:
        raise SystemExit("\n".join([f"failed: the modules of {wheel.name}", *faults]))
