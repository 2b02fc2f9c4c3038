#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of building with affix: seconds for each program of benchmarks/compile, a QuickFIX one of the same work
beside them, the bytes of the stripped programs, and seconds a translation unit pays for each umbrella header.

Usage: measure_compile_time.py [--quick] [--rounds N] [--json FILE] BUILD_DIRECTORY...

Each build directory is a configured and built one, of one compiler each; its own commands are timed, without ccache.
The minimum of several runs counts; rounds are interleaved, so that a slow moment of the machine hits every row alike.
The row "empty" is the compiler's own start. "with libraries": the program and the shared libraries it needs beyond those
of C and C++; ours is linked statically. With --json, a list of {"benchmark", "contender", "unit", "n", "min", "median",
"max"}.
"""

import argparse
import json
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ("acceptor", "typed_acceptor", "codec", "quickfix_acceptor")
SYSTEM_LIBRARIES = re.compile(r"^(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|ld-linux|linux-vdso)[.-]")


def timed(command, folder):
    started = time.perf_counter()
    subprocess.run(command, check=True, cwd=folder)
    return time.perf_counter() - started


class Build:
    """A build directory: its compiler, and how it compiles each program."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        cache = (self.folder / "CMakeCache.txt").read_text()
        self.compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE).group(1)
        self.label = "clang" if "clang" in Path(self.compiler).name else "gcc"
        self.commands = {}
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            source = Path(entry["file"])
            if source.parent == ROOT / "benchmarks/compile" and source.stem in PROGRAMS:
                self.commands[source.stem] = (self.command_of(entry), entry["directory"])

    @staticmethod
    def command_of(entry):
        """The compiler's own, without what stores its results, and with a place for the object."""
        words = shlex.split(entry["command"])
        if Path(words[0]).name == "ccache":
            words = words[1:]
        words[words.index("-o") + 1] = "OBJECT"
        return words

    def compile(self, name, output):
        words, folder = self.commands[name]
        return timed([str(output) if word == "OBJECT" else word for word in words], folder)

    def include(self, source, output):
        return timed([self.compiler, "-std=c++23", "-O2", f"-I{ROOT / 'include'}", "-c", str(source), "-o", str(output)],
                     output.parent)

    def sizes(self, name, folder):
        """Bytes of the stripped program, and with the libraries it needs; None when it was not built."""
        program = self.folder / "bin" / f"affix_compile_{name}"
        if not program.exists():
            return None
        stripped = folder / program.name
        subprocess.run(["strip", "-s", "-o", str(stripped), str(program)], check=True)
        needed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
        libraries = [Path(found.group(1)) for found in re.finditer(r"=> (\S+) \(", needed)]
        beside = sum(path.stat().st_size for path in libraries if not SYSTEM_LIBRARIES.match(path.name))
        return stripped.stat().st_size, stripped.stat().st_size + beside


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs="+", type=Path)
    parser.add_argument("--quick", action="store_true", help="one round, programs only")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 5)
    return options


def sources(folder, quick):
    """Name -> file: one that is empty, and one for each umbrella header."""
    made = {"empty": folder / "empty.cpp"}
    made["empty"].write_text("int main() {}\n")
    for header in () if quick else sorted(path.name for path in (ROOT / "include/affix").glob("*.hpp")):
        made[f"affix/{header}"] = folder / f"include_{header}.cpp"
        made[f"affix/{header}"].write_text(f"#include <affix/{header}>\nint main() {{}}\n")
    return made


def measure(builds, rounds, folder, quick):
    """(benchmark, compiler) -> seconds of each round."""
    seconds = {}
    units = sources(folder, quick)
    for _ in range(rounds):
        for build in builds:
            for name in build.commands:
                seconds.setdefault((f"program {name}", build.label), []).append(build.compile(name, folder / "out.o"))
            for name, source in units.items():
                seconds.setdefault((f"include {name}", build.label), []).append(build.include(source, folder / "out.o"))
    return seconds


def main():
    options = arguments()
    builds = [Build(folder) for folder in options.builds]
    rows = []
    with tempfile.TemporaryDirectory(prefix="affix-compile-") as name:
        folder = Path(name)
        seconds = measure(builds, options.rounds, folder, options.quick)
        print(f"{'seconds to compile':32} {'compiler':8} {'min':>7} {'median':>7}")
        for (benchmark, label), values in sorted(seconds.items(), key=lambda item: not item[0][0].startswith("program")):
            print(f"{benchmark:32} {label:8} {min(values):7.3f} {statistics.median(values):7.3f}")
            rows.append({"benchmark": benchmark, "contender": label, "unit": "s", "n": len(values),
                         "min": min(values), "median": statistics.median(values), "max": max(values)})
        print(f"\n{'bytes, stripped':32} {'compiler':8} {'program':>10} {'with libraries':>15}")
        for build in builds:
            for program in PROGRAMS:
                sizes = build.sizes(program, folder) if shutil.which("strip") else None
                if sizes is None:
                    continue
                print(f"{program:32} {build.label:8} {sizes[0]:10} {sizes[1]:15}")
                for kind, size in (("size", sizes[0]), ("size_with_libraries", sizes[1])):
                    rows.append({"benchmark": f"{kind} {program}", "contender": build.label, "unit": "bytes", "n": 1,
                                 "min": size, "median": size, "max": size})
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
