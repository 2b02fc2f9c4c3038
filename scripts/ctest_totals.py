#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums ctest's JUnit files: prints "passed failed skipped", then a line per test that did not pass.

Usage: ctest_totals.py [--output] FILE... A test that ctest could not run at all counts as failed, never as skipped.
With --output it prints instead the end of what each failed test printed.
"""

import sys
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


def print_outputs(names):
    """The end of each failed test's output: where a test says why is near its last line."""
    for name in names:
        for case in ElementTree.parse(name).getroot().iter("testcase"):
            if case.get("status") == "fail":
                lines = (case.findtext("system-out") or "").splitlines()
                print(f"--- {case.get('name')}: the last {min(len(lines), OUTPUT_LINES)} of {len(lines)} lines")
                print("\n".join(lines[-OUTPUT_LINES:]))


def main():
    if sys.argv[1] == "--output":
        print_outputs(sys.argv[2:])
        return
    passed = failed = 0
    skipped_lines, failed_lines = [], []
    for name in sys.argv[1:]:
        suite = ElementTree.parse(name).getroot()
        for case in suite.iter("testcase"):
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


if __name__ == "__main__":
    main()
