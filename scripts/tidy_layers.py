#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy over the layers as one source: what amalgamate.py makes of them.

Usage: tidy_layers.py [--jobs N] ROOT WORK. Most of clang-tidy's time goes to the standard library's declarations, which it
reads once for each source and each check; joined, the layers take a fifth of the time of their sources one by one. The
checks are those of ROOT/.clang-tidy, dealt out to N processes. A finding is printed with the file and line that it stands
in; the exit code is 1 if there is one.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

CLANG_TIDY = "clang-tidy-19"
# Seen from here every call reaches something that may throw std::bad_alloc or std::length_error in the end.
NEEDS_ONE_SOURCE = {"bugprone-exception-escape"}
PARTS = ("TLS", "XML", "TIME_ZONES", "IO_URING", "ADMIN")
SECTION = re.compile(r"^// ---- (\S+) -+$")
FINDING = re.compile(r"^(\S+?/(affix\.[ch]pp)):(\d+):(\d+): (\w[\w ]*): (.*)$")


def joined(root, work):
    """Writes affix.hpp and affix.cpp to `work`, with the checks beside them."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    subprocess.run([sys.executable, root / "scripts/amalgamate.py", root, work, "0.0.0"], check=True, stdout=subprocess.DEVNULL)
    shutil.copy(root / ".clang-tidy", work)


def checks(work):
    listed = subprocess.run([CLANG_TIDY, "--list-checks", work / "affix.cpp", "--"], cwd=work, check=True, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [line.strip() for line in listed.splitlines()[1:] if line.strip() and line.strip() not in NEEDS_ONE_SOURCE]


def run(work, some):
    command = [CLANG_TIDY, "--quiet", "--header-filter=/affix\\.hpp$", "--checks=-*," + ",".join(some), work / "affix.cpp", "--",
               "-std=c++23", f"-I{work}"] + [f"-DAFFIX_{part}" for part in PARTS]
    return subprocess.run(command, cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Places:
    """Where a line of a joined file comes from."""

    def __init__(self, root, path):
        self.root = root
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.read = {}

    def source(self, number):
        """(file, line or 0) of a line: lines are found again by their text, as names and blank lines may differ."""
        name = next((SECTION.match(line).group(1) for line in reversed(self.lines[:number]) if SECTION.match(line)), None)
        if name is None:
            return None, 0
        path = next((path for path in (self.root / "include" / name, self.root / "src" / name) if path.exists()), None)
        if path is None:
            return name, 0
        if path not in self.read:
            self.read[path] = path.read_text(encoding="utf-8").splitlines()
        text = self.lines[number - 1]
        same = [at for at, line in enumerate(self.read[path], 1) if line == text]
        return path.relative_to(self.root), same[0] if len(same) == 1 else 0


def translated(output, places):
    """clang-tidy's output with the tree's files in place of the joined ones."""
    for line in output.splitlines():
        found = FINDING.match(line)
        if found:
            path, file, number, column, kind, text = found.groups()
            source, at = places[file].source(int(number))
            if source is not None:
                yield f"{source}:{at or '?'}:{column}: {kind}: {text} ({path}:{number})"
                continue
        if line and not line.endswith(("warnings generated.", "warning generated.", "warnings treated as errors", "warning treated as error")):
            yield line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    arguments = parser.parse_args()
    root, work = arguments.root.resolve(), arguments.work.resolve()
    joined(root, work)
    wanted = checks(work)
    if not wanted:
        sys.exit("tidy_layers: .clang-tidy asks for no check")
    places = {name: Places(root, work / name) for name in ("affix.hpp", "affix.cpp")}
    shares = [share for share in (wanted[begin::arguments.jobs] for begin in range(arguments.jobs)) if share]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(len(shares)) as pool:
        for done in pool.map(lambda share: run(work, share), shares):
            failed = failed or done.returncode != 0
            for line in translated(done.stdout, places):
                print(line)
    print(f"tidy_layers: {len(wanted)} checks of {sum(len(place.lines) for place in places.values())} lines")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
