#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the cases of a GoogleTest program in one process, and reports each case by name.

Usage: run_cases.py [OPTIONS] PROGRAM [ARGUMENTS]...

A case that ends the process, or does not end in time, has failed; the cases after it run in a new process. If the
process fails after its last case (a leak that a sanitizer finds, for example), each of its cases runs once more in a
process of its own, so that the report names the cause. The cases that --alone matches always have a process of their own.

The results go to the file --results in the form of ctest's JUnit report; scripts/ctest_totals.py adds them up. The exit
code is 0 if no case failed.
"""

import argparse
import fnmatch
import os
import re
import selectors
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

RUN = re.compile(r"^\[ RUN      \] (\S+)$")
ENDS = {"[       OK ]": "run", "[  FAILED  ]": "fail", "[  SKIPPED ]": "notrun"}
ABORT_SECONDS = 10
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Case:
    def __init__(self, name):
        self.name = name
        self.status = ""  # "run" (passed), "fail", "notrun" (skipped) or "disabled", as ctest calls them.
        self.lines = []
        self.began = time.monotonic()
        self.seconds = 0.0

    def end(self, status):
        self.status = status
        self.seconds = time.monotonic() - self.began


def names_of(program):
    """The names of all cases, in the order in which the program would run them."""
    listing = subprocess.run(program + ["--gtest_list_tests"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if listing.returncode != 0:
        sys.exit(f"run_cases.py: {program[-1]} cannot list its cases: it ended with {listing.returncode}")
    names, suite = [], ""
    for line in listing.stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if word.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return names


class Process:
    """One run of the program over some of its cases; `cases` has one entry for each case that began."""

    def __init__(self, program, names, case_seconds):
        self.cases = []
        self.case_seconds = case_seconds
        self.remains = b""
        self.popen = subprocess.Popen(program + ["--gtest_filter=" + ":".join(names), "--gtest_color=no"],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      start_new_session=True)
        try:
            self.killed = self.follow()
        finally:
            # Ends what a case started and left behind, too.
            try:
                os.killpg(self.popen.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.code = self.popen.wait()
            self.popen.stdout.close()
        if self.remains:
            self.take(self.remains)

    def take(self, line):
        """Follows which case runs; a result may follow text that the case left without an end of line."""
        text = line.decode(errors="replace").rstrip("\n")
        print(text, flush=True)
        began = RUN.match(text)
        if began:
            self.cases.append(Case(began.group(1)))
        elif self.cases and not self.cases[-1].status:
            case = self.cases[-1]
            case.lines.append(text)
            for words, status in ENDS.items():
                at = text.find(f"{words} {case.name}")
                if at >= 0 and text.endswith(" ms)"):
                    case.end(status)

    def read(self):
        """Takes what the pipe holds; false at its end."""
        part = os.read(self.popen.stdout.fileno(), 1 << 16)
        *lines, self.remains = (self.remains + part).split(b"\n")
        for line in lines:
            self.take(line)
        return bool(part)

    def follow(self):
        """Reads until the process ends; true if it had to be ended because a case took too long."""
        ended = os.pidfd_open(self.popen.pid)
        with selectors.DefaultSelector() as selector:
            selector.register(self.popen.stdout, selectors.EVENT_READ)
            selector.register(ended, selectors.EVENT_READ)
            killed, until = False, None
            try:
                while True:
                    since = self.cases[-1].began if self.cases and not self.cases[-1].status else time.monotonic()
                    limit = until or since + self.case_seconds
                    ready = [key.fileobj for key, _ in selector.select(max(0.0, limit - time.monotonic()))]
                    if self.popen.stdout in ready:
                        if not self.read():
                            selector.unregister(self.popen.stdout)
                    elif ended in ready:
                        return killed
                    if time.monotonic() < limit:
                        continue
                    if killed:
                        return True
                    # The signal of a failed assertion: sanitizers then print where the threads are.
                    killed, until = True, time.monotonic() + ABORT_SECONDS
                    print(f"run_cases.py: no end after {self.case_seconds:g} s", flush=True)
                    os.kill(self.popen.pid, signal.SIGABRT)
            finally:
                os.close(ended)


def reason(code, killed, seconds):
    if killed:
        return f"did not end within {seconds:g} s"
    if code < 0:
        return f"ended the process with {signal.Signals(-code).name}"
    return f"ended the process with exit code {code}"


def run(program, names, case_seconds):
    """Runs the named cases, one process after another until each has a result."""
    cases, waiting = [], list(names)
    while waiting:
        process = Process(program, waiting, case_seconds)
        done = process.cases
        if done and not done[-1].status:
            done[-1].end("fail")
            done[-1].lines.append("run_cases.py: this case " + reason(process.code, process.killed, case_seconds))
        elif process.code != 0 and all(case.status != "fail" for case in done):
            if len(waiting) > 1:
                print("run_cases.py: the process failed after its last case: each case again, in a process of its own")
                return cases + [case for name in waiting for case in run(program, [name], case_seconds)]
            case = done[0] if done else Case(waiting[0])
            case.end("fail")
            case.lines.append("run_cases.py: this case " + reason(process.code, process.killed, case_seconds))
            done = [case]
        elif len(done) < len(waiting):
            case = Case(waiting[len(done)])
            case.end("fail")
            case.lines.append("run_cases.py: the process ended before this case began")
            done = done + [case]
        cases += done
        finished = {case.name for case in done}
        waiting = [name for name in waiting if name not in finished]
    return cases


def write_results(path, prefix, cases):
    """The form of ctest's --output-junit, one entry a case."""
    suite = ElementTree.Element("testsuite")
    for case in cases:
        entry = ElementTree.SubElement(suite, "testcase", name=prefix + case.name, classname=prefix + case.name,
                                       time=f"{case.seconds:.3f}", status=case.status)
        if case.status == "notrun":
            ElementTree.SubElement(entry, "skipped", message="SKIP_")
        if case.status != "run":
            ElementTree.SubElement(entry, "system-out").text = NOT_IN_XML.sub("?", "\n".join(case.lines))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    partial = f"{path}.{os.getpid()}"
    ElementTree.ElementTree(suite).write(partial, encoding="utf-8", xml_declaration=True)
    os.replace(partial, path)


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--results", required=True, metavar="FILE", help="where the report of the cases goes")
    parser.add_argument("--prefix", default="", help="what stands before each case's name in the report")
    parser.add_argument("--case-seconds", type=float, default=60, help="longest time of one case (60)")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="run every Nth case, beginning with the Ith")
    parser.add_argument("--alone", action="append", default=[], metavar="PATTERN", help="these in processes of their own")
    parser.add_argument("--without", action="append", default=[], metavar="PATTERN", help="leave these out")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if os.path.exists(options.results):
        os.remove(options.results)
    index, total = (int(part) for part in options.shard.split("/"))
    names = names_of(options.program)
    if not names:
        sys.exit(f"run_cases.py: {options.program[-1]} has no cases")
    names = [name for name in names if not matches(name, options.without)][index - 1::total]
    disabled = [name for name in names if "DISABLED_" in name]
    names = [name for name in names if name not in disabled]
    alone = [name for name in names if matches(name, options.alone)]
    cases = run(options.program, [name for name in names if name not in alone], options.case_seconds)
    for name in alone:
        cases += run(options.program, [name], options.case_seconds)
    for name in disabled:
        cases.append(Case(name))
        cases[-1].end("disabled")
    write_results(options.results, options.prefix, cases)
    failed = [case.name for case in cases if case.status == "fail"]
    for name in failed:
        print(f"failed: {options.prefix}{name}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
