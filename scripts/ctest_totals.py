#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums ctest's JUnit files: prints "passed failed skipped", then a line per test that did not pass.

Usage: ctest_totals.py [--output] [--cases FOLDER] FILE... A test that ctest could not run at all counts as failed, never
as skipped. A test whose report of cases tests/run_cases.py left in FOLDER counts as its cases. With --output it prints
instead the end of what each failed test printed.
"""

import argparse
import os
import xml.etree.ElementTree as ElementTree


def reason_of(case):
    """Why a skipped test says it was skipped: GoogleTest's text, or its own "skipped: ..." line; may be empty."""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines()]
    for number, line in enumerate(lines):
        if line.startswith("skipped:"):
            return line.removeprefix("skipped:").strip()
        if line.endswith(": Skipped") and number + 1 < len(lines):
            return lines[number + 1]
    return ""


OUTPUT_LINES = 60


def cases_of(names, folder):
    """The cases of all reports: a test's own report in place of the test, if it wrote one."""
    for name in names:
        for test in ElementTree.parse(name).getroot().iter("testcase"):
            own = os.path.join(folder, test.get("name") + ".xml") if folder else ""
            if test.get("status") not in ("run", "fail") or not os.path.exists(own):
                yield test
                continue
            cases = list(ElementTree.parse(own).getroot().iter("testcase"))
            yield from cases
            if test.get("status") == "fail" and all(case.get("status") != "fail" for case in cases):
                yield test


def print_outputs(cases):
    """The end of each failed test's output: where a test says why is near its last line."""
    for case in cases:
        if case.get("status") == "fail":
            lines = (case.findtext("system-out") or "").splitlines()
            print(f"--- {case.get('name')}: the last {min(len(lines), OUTPUT_LINES)} of {len(lines)} lines")
            print("\n".join(lines[-OUTPUT_LINES:]))


def print_totals(cases):
    passed = failed = 0
    skipped_lines, failed_lines = [], []
    for case in cases:
        status = case.get("status")
        if status == "run":
            passed += 1
        elif status in ("notrun", "disabled"):
            message = next((child.get("message", "") for child in case if child.tag == "skipped"), "")
            if status == "disabled" or message.startswith("SKIP_"):
                skipped_lines.append(f"skipped: {case.get('name')}  {reason_of(case)}".rstrip())
            else:
                failed += 1
                failed_lines.append(f"failed:  {case.get('name')}  {message or 'did not run'}")
        else:
            failed += 1
            failed_lines.append(f"failed:  {case.get('name')}")
    print(passed, failed, len(skipped_lines))
    for line in skipped_lines + failed_lines:
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", action="store_true", help="print the end of each failed test's output")
    parser.add_argument("--cases", default="", metavar="FOLDER", help="where tests left the reports of their cases")
    parser.add_argument("reports", nargs="+", metavar="FILE")
    options = parser.parse_args()
    cases = cases_of(options.reports, options.cases)
    if options.output:
        print_outputs(cases)
    else:
        print_totals(cases)


if __name__ == "__main__":
    main()
