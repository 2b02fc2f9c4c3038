#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds every tracked file to the rules that need no compiler.

Faults (exit code 1): tabs, trailing spaces, a missing newline at the end, bytes outside ASCII in code, a missing SPDX
line, a header without #pragma once, left-over marker words, banned file names, binary files outside their places, a
Markdown file with no title or two, a relative link to nothing or to no heading, a table whose rows have different numbers
of columns, a README program that is not its file, code that nothing says to be kept right by a test.

Usage: check_tidy.py [ROOT] [--report]. With --report also prints what is only argued in review: long lines, long files,
long functions, public headers without a unit test.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

CPP = {".hpp", ".cpp", ".h", ".cc", ".inl"}
SCRIPT = {".py", ".sh", ".cmake"}
SCRIPT_NAMES = {"dev", "run", "CMakeLists.txt"}
MAKEFILE = "debian/rules"  # Its commands begin with tabs.
PICTURE_PLACE = "docs/images/"
PICTURE_BYTES = 150_000
BINARY_PLACES = ("tests/data/", "fuzz/corpus/", PICTURE_PLACE)
FOREIGN_PLACES = ("tests/data/", "fuzz/corpus/", "dictionaries/")  # Bytes that are not written in our style.
BANNED_NAMES = {"util", "utils", "helper", "helpers", "manager", "common", "misc", "impl", "data", "info", "interfaces",
                "third_party"}
MARKERS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
SPDX = "SPDX-License-Identifier: MIT"
# Forms of C that C++ expresses better; clang-tidy finds the same, but reads the standard library each time to do so.
OF_C = {re.compile(r"^\s*typedef\b"): "using", re.compile(r"\w\(void\)\s*(?:const|noexcept|override|\{|;|$)"): "()",
        re.compile(r"^[^\"]*\bNULL\b[^\"]*$"): "nullptr"}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")  # Of a picture too.
BAR = re.compile(r"(?<!\\)\|")  # Within code too: a renderer of tables sees the bar first.
# Code on a page says what keeps it right: a program or command that a test runs as it stands (guide.py), a part of a file that
# the build compiles, or the test that does the same in another way. Output of a program has no language.
CODE = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(cpp|cmake|sh|ini|csv|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
KEPT_RIGHT = re.compile(r"(run|file \S+|prints|the file \S+|part of (\S+)|as in (\S+))$")
SNIPPET = re.compile(r"<!-- the file ([^ ]+) -->\n```cpp\n(.*?)```", re.DOTALL)
FUNCTION_START = re.compile(r"^[A-Za-z_\[][^;{}#]*\([^;{}]*\)[^;{}=]*\{\s*$")
LINE_COLUMNS, FILE_LINES, FUNCTION_LINES = 100, 600, 70


def tracked_files(root):
    """Files git knows or would add; every file but build/ when there is no git or no git work tree."""
    if shutil.which("git"):
        listing = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                 capture_output=True, check=False)
        if listing.returncode == 0 and listing.stdout:
            names = listing.stdout.decode().split("\0")
            return sorted(root / name for name in set(names) if name and (root / name).is_file())
    return sorted(p for p in root.rglob("*")
                  if p.is_file() and not {".git", "__pycache__"} & set(p.parts) and p.relative_to(root).parts[0] != "build")


class Tidy:
    def __init__(self, root):
        self.root = root
        self.faults = []
        self.notes = []
        self.anchors = {}  # Of a page, by its path.

    def name(self, path):
        return str(path.relative_to(self.root))

    def fault(self, path, line, text):
        self.faults.append(f"{self.name(path)}:{line}: {text}")

    def check(self, path):
        name = self.name(path)
        parts = list(path.relative_to(self.root).parts)
        for part in parts:
            stem = part.split(".")[0]
            if stem in BANNED_NAMES and not name.startswith("tests/data/"):
                self.fault(path, 1, f"'{stem}' is a banned name: it says nothing about what is inside")
        content = path.read_bytes()
        if b"\0" in content:
            if not name.startswith(BINARY_PLACES):
                self.fault(path, 1, "a binary file outside tests/data, fuzz/corpus and docs/images")
            elif name.startswith(PICTURE_PLACE) and len(content) > PICTURE_BYTES:
                self.fault(path, 1, f"a picture of {len(content)} bytes, {PICTURE_BYTES} at most")
            return
        if name.startswith(FOREIGN_PLACES) and path.suffix not in CPP and path.suffix != ".md":
            return
        text = content.decode("utf-8", errors="replace")
        self.check_text(path, text)
        if path.suffix == ".md":
            self.check_markdown(path, text)
        if path.suffix in CPP:
            self.check_cpp(path, text)

    def check_text(self, path, text):
        code = path.suffix in CPP | SCRIPT or path.name in SCRIPT_NAMES
        if text and not text.endswith("\n"):
            self.fault(path, text.count("\n") + 1, "no newline at the end of the file")
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line and self.name(path) != MAKEFILE:
                self.fault(path, number, "a tab")
            if line != line.rstrip():
                self.fault(path, number, "a space at the end of the line")
            if code and not line.isascii():
                self.fault(path, number, "a character outside ASCII")
            marker = MARKERS.search(line)
            if code and marker:
                self.fault(path, number, f"'{marker.group(0)}': do it now or write it down where it is planned")

    def check_cpp(self, path, text):
        lines = text.split("\n")
        if lines[0] != f"// {SPDX}":
            self.fault(path, 1, f"the first line must be '// {SPDX}'")
        elif not lines[1].startswith("// ") and not path.name.endswith("_test.cpp"):  # A test's name says its subject.
            self.fault(path, 2, "a file comment must follow the SPDX line: what this is and what it does not do")
        if path.suffix == ".hpp" and "#pragma once" not in lines:
            self.fault(path, 1, "a header without #pragma once")
        for number, line in enumerate(lines, 1):
            for old, new in OF_C.items():
                if old.search(line.split("//")[0]):
                    self.fault(path, number, f"C's way; C++ has {new}")
        self.note_lengths(path, lines)
        name = self.name(path)
        match = re.fullmatch(r"include/affix/(\w+)/(\w+)\.hpp", name)
        if match and match.group(2) != "fwd":
            test = self.root / "tests/unit" / match.group(1) / f"{match.group(2)}_test.cpp"
            if not test.exists():
                self.notes.append(f"{name}: no unit test file {test.relative_to(self.root)}")

    def note_lengths(self, path, lines):
        name = self.name(path)
        if len(lines) > FILE_LINES:
            self.notes.append(f"{name}: {len(lines)} lines, aim at {FILE_LINES}")
        start = None
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_COLUMNS:
                self.notes.append(f"{name}:{number}: {len(line)} columns, aim at {LINE_COLUMNS}")
            if start is None and FUNCTION_START.match(line) and not line.startswith("namespace"):
                start = number
            elif start is not None and line.startswith("}"):
                if number - start > FUNCTION_LINES:
                    self.notes.append(f"{name}:{start}: a function of {number - start} lines, aim at {FUNCTION_LINES}")
                start = None

    def check_markdown(self, path, text):
        fenced = False
        titles = []
        bars = 0  # Of the rows of the table that a line may belong to; 0 outside of tables.
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("```"):
                fenced = not fenced
            elif not fenced and line.startswith("# "):
                titles.append(number)
            elif not fenced:
                for target in LINK.findall(line):
                    self.check_link(path, number, target)
            row_bars = len(BAR.findall(line)) if line.startswith("|") and not fenced else 0
            if bars and row_bars and row_bars != bars:
                self.fault(path, number, f"a row of {row_bars - 1} columns in a table of {bars - 1}; a bar in a cell is \\|")
            bars = (bars or row_bars) if row_bars else 0
        if len(titles) != 1:
            self.fault(path, titles[1] if titles else 1, f"a Markdown file has one '# Title', this one {len(titles)}")
        if path.name != "CONTRIBUTING.md":  # Commands of a working day, for whoever works on the tree.
            self.check_code(path, text)
        for file_name, block in SNIPPET.findall(text):
            program = self.root / file_name
            if not program.is_file() or program.read_text() != block:
                self.fault(path, 1, f"the program shown is not the text of {file_name}; copy the file again")

    def check_code(self, path, text):
        for block in CODE.finditer(text):
            marker, _, code = block.groups()
            number = text.count("\n", 0, block.start()) + 1
            kept = KEPT_RIGHT.match(marker or "")
            if not kept:
                self.fault(path, number, "code that no test keeps right: put <!-- run -->, <!-- file X -->, <!-- part of FILE --> or "
                                         "<!-- as in TEST --> before it")
                continue
            named = self.root / (kept.group(2) or kept.group(3) or ".")
            if not named.exists():
                self.fault(path, number, f"there is no {kept.group(2) or kept.group(3)}")
            elif kept.group(2) and "".join(code.split()) not in "".join(named.read_text().split()):
                self.fault(path, number, f"the code is no part of {kept.group(2)}")

    def check_link(self, path, number, target):
        if re.match(r"[a-z]+:", target):
            return
        file_name, _, anchor = target.partition("#")
        page = path.parent / file_name if file_name else path
        if not page.exists():
            self.fault(path, number, f"the link to '{target}' leads nowhere")
        elif anchor and page.suffix == ".md" and anchor not in self.anchors_of(page):
            self.fault(path, number, f"the link to '{target}' names no heading of that page")

    def anchors_of(self, page):
        """Names of its headings in links, as GitHub and the site make them."""
        page = page.resolve()
        if page not in self.anchors:
            found, fenced = {}, False
            for line in page.read_text().split("\n"):
                fenced = fenced != line.startswith("```")
                heading = re.match(r"#{1,6} (.*)", line)
                if heading and not fenced:
                    words = re.sub(r"[^\w\- ]", "", heading.group(1).lower())
                    name = words.strip().replace(" ", "-")
                    earlier = found.get(name, 0)
                    found[name] = earlier + 1
                    if earlier:
                        found[f"{name}-{earlier}"] = 1
            self.anchors[page] = found
        return self.anchors[page]


def main():
    arguments = [a for a in sys.argv[1:] if a != "--report"]
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    tidy = Tidy(root)
    files = tracked_files(root)
    for path in files:
        tidy.check(path)
    if "--report" in sys.argv:
        for note in tidy.notes:
            print(f"note: {note}")
    for fault in tidy.faults:
        print(fault)
    print(f"check_tidy: {len(files)} files, {len(tidy.faults)} faults, {len(tidy.notes)} notes")
    return 1 if tidy.faults else 0


if __name__ == "__main__":
    sys.exit(main())
