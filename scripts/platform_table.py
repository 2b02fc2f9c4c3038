#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of what is tested where, made from the stages of `dev`, between two marks of docs/reference/platforms.md.

Usage: platform_table.py [--check]. With --check nothing is written; exit code 1 if the page has another table.
"""

import re
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/platforms.md"
BEGIN, END = "<!-- stages: made by scripts/platform_table.py -->", "<!-- end of stages -->"
# The beginnings of stages' names: what they are run on.
PLATFORMS = {
    "gcc-debug": "Linux x86-64, GCC 12, debug",
    "gcc-release": "Linux x86-64, GCC 12, release",
    "clang-release": "Linux x86-64, Clang 19, release",
    "clang-asan": "Linux x86-64, Clang 19, AddressSanitizer and UBSan",
    "clang-tsan": "Linux x86-64, Clang 19, ThreadSanitizer",
    "gcc-aarch64": "Linux aarch64, GCC 12, emulated",
    "macos-aarch64": "macOS aarch64, Clang of zig",
    "macos-x86_64": "macOS x86-64, Clang of zig",
    "musl-x86_64": "Linux x86-64 with musl, static, Clang of zig",
    "windows": "Windows x86-64, mingw-w64, wine",
    "python": "the Python package",
}
# Stages that only make ready.
PREPARATIONS = {"compiler and libraries", "Debian's packages for it"}
COMPILER = re.compile(r"(clang|g)\+\+-\d+$")
STAGES = {"stage", "build_stage", "test_stage"}


class Script:
    """The functions of `dev`, and which stages a call of one runs."""

    def __init__(self, text):
        self.functions = {}
        for name, body in re.findall(r"^(\w+)\(\) \{\n(.*?)^\}", text.replace("\\\n", " "), re.MULTILINE | re.DOTALL):
            self.functions[name] = body.splitlines()

    def stages(self, name, arguments=()):
        """(platform's word, rest of the stage's name) in order."""
        arguments, values, loops = list(arguments), {}, []
        for line in self.functions[name]:
            for variable, number in re.findall(r"\b(\w+)=\$\{?(\d)(?::-)?\}?(?=\s|$)", line):
                values[variable] = arguments[int(number) - 1] if len(arguments) >= int(number) else ""
            guard = re.match(r'\s*\[\[ -n \$(\w+) \]\] \|\| return 0', line)
            if guard and not values.get(guard.group(1)):
                return
            loop = re.match(r"\s*for (\w+) in ([^$;]+); do", line)
            if loop:
                loops = [{loop.group(1): word} for word in loop.group(2).split()]
            for more in loops or [{}]:
                yield from self.stages_of_line(line, {**values, **more}, arguments)
            if line.strip() == "done":
                loops = []

    def stages_of_line(self, line, values, arguments):
        for variable, value in values.items():
            line = re.sub(rf"\$\{{?{variable}\b\}}?", value, line)
        for command in re.split(r"\s*(?:&&|\|\||;|\bif\b|\bthen\b)\s*", line.strip()):
            try:
                words = shlex.split(command, comments=True)
            except ValueError:
                continue
            if not words:
                continue
            if words[0] in ("stage", "here") and len(words) > 1:
                if words[0] == "stage":
                    platform, _, rest = words[1].partition(": ")
                    yield platform, rest
            elif words[0] == "build_stage":
                yield words[1], "compiled"
            elif words[0] == "test_stage":
                part = "-R" in words and words[2] == "tests" and words[words.index("-R") + 1] != "."
                yield words[1], words[2] + (" (some)" if part else "")
            elif words[0] in self.functions and words[0].startswith("platform_"):
                rest = [word for one in words[1:] for word in (arguments[1:] if one == "$@" else [one])]
                yield from self.stages(words[0], rest)


def known(stages):
    """The stages of platforms, each once, by platform."""
    found = {}
    for platform, rest in stages:
        name = PLATFORMS.get(platform) or ("Linux x86-64, " + platform if COMPILER.fullmatch(platform) else None)
        if name is not None and rest not in PREPARATIONS:
            found.setdefault(name, {})[rest] = True
    return found


def commands(script):
    """Command -> its stages by platform."""
    check = "\n".join(script.functions["check_platform"])
    called = re.findall(r"^\s*(\w+)\) (platform_\w+)(.*?);;", check, re.MULTILINE)
    result = {"`./dev test`": known(script.stages("cmd_test")), "`./dev check`": known(script.stages("cmd_check"))}
    for name, function, words in called:
        result[f"`--platform {name}`"] = known(script.stages(function, shlex.split(words)))
    return result


def table(text):
    found = commands(Script(text))
    platforms = [name for name in [*PLATFORMS.values(), *sorted({name for one in found.values() for name in one})]]
    lines = ["| where | what | in each run of CI | by `./dev check` with |", "|---|---|---|---|"]
    daily = {"`./dev test`", "`./dev check`"}
    for platform in dict.fromkeys(platforms):
        whats = dict.fromkeys(what for one in found.values() for what in one.get(platform, {}))
        for what in whats:
            where = [command for command, one in found.items() if what in one.get(platform, {})]
            lines.append(f"| {platform} | {what} | {', '.join(word for word in where if word in daily) or 'no'} | "
                         f"{', '.join(word for word in where if word not in daily) or '-'} |")
    return "\n".join(lines)


def main():
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        sys.exit(f"{PAGE.relative_to(ROOT)}: the marks of the table are missing")
    made = f"{before}{BEGIN}\n{table((ROOT / 'dev').read_text())}\n{END}{after}"
    if "--check" in sys.argv[1:]:
        if made != page:
            print(f"{PAGE.relative_to(ROOT)}: the table is not that of dev's stages; run scripts/platform_table.py")
            return 1
    elif made != page:
        PAGE.write_text(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
