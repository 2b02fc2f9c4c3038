#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""guide.py PAGE PREFIX AFFIX COMPILER GENERATOR: does what a page of the guide says, in an empty directory, with affix
installed under PREFIX.

A code block behind `<!-- file NAME -->` becomes that file, one behind `<!-- run -->` is run, all of them by one shell, and
every line of one behind `<!-- prints -->` must be in what the block before it printed.
"""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from held_port import held_port  # noqa: E402

BLOCK = re.compile(r"<!-- (file|run|prints)(?: (\S+))? -->\n```\w*\n(.*?)```", re.DOTALL)
PATIENCE_SECONDS = 600
# Others take their places, so that runs beside each other do not meet. The first is ${PORT} as well.
PORTS_ON_PAGES = ("9876", "9877", "5042", "9443")


def main():
    page, prefix, affix, compiler, generator = sys.argv[1:]
    with contextlib.ExitStack() as held:
        ports = [str(held.enter_context(held_port())) for _ in PORTS_ON_PAGES]
        work = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="affix-guide-", ignore_cleanup_errors=True)))
        (work / "bin").mkdir()
        for program in ("affix", "affix-lab", "affix-monitor", "affix-keep"):
            (work / "bin" / program).symlink_to(Path(affix).resolve().with_name(program))
        home = work / "home"
        home.mkdir()
        (work / "bin" / "affix-admin").symlink_to(Path(prefix, "bin", "affix-admin"))
        script, expected = "set -e\n", []
        whole = Path(page).read_text()
        for on_page, port in zip(PORTS_ON_PAGES, ports):
            whole = re.sub(rf"\b{on_page}\b", port, whole)
        for kind, name, text in BLOCK.findall(whole):
            if kind == "file":
                (home / name).write_text(text)
            elif kind == "run":
                script += f"exec >{work}/printed.{len(expected)} 2>{work}/error.{len(expected)}\n{text}"
                expected.append([])
            else:
                expected[-1] += text.splitlines()
        if not expected:
            raise SystemExit(f"{page}: nothing to run")
        environment = dict(os.environ, PATH=f"{work}/bin:{os.environ['PATH']}", CMAKE_PREFIX_PATH=prefix, CXX=compiler,
                           CMAKE_GENERATOR=generator, PORT=ports[0], CMAKE_CXX_STANDARD="23")
        # Programs that the page leaves running end with its shell.
        script = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n" + script
        done = subprocess.run(["bash", "-c", script], cwd=home, env=environment, check=False, timeout=PATIENCE_SECONDS)
        for number, lines in enumerate(expected):
            printed = work / f"printed.{number}"
            said = printed.read_text() if printed.exists() else ""
            missing = [line for line in lines if line not in said]
            if missing or done.returncode != 0:
                errors = work / f"error.{number}"
                print(f"block {number + 1}:\n{said[-4000:]}\n{errors.read_text()[-4000:] if errors.exists() else ''}")
            if missing:
                raise SystemExit(f"{page}: not printed: {missing}")
        if done.returncode != 0:
            raise SystemExit(f"{page}: exit code {done.returncode}")


if __name__ == "__main__":
    main()
