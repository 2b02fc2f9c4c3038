#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums ctest's JUnit files: prints "passed failed skipped", then a line per test that did not pass.

Usage: ctest_totals.py FILE... A test that ctest could not run at all counts as failed, never as skipped.
"""

import sys
import xml.etree.ElementTree as ElementTree


def reason_of(case):
    """The last line a skipped test printed, which says why; empty when it printed nothing."""
    output = (case.findtext("system-out") or "").strip().splitlines()
    words = [line for line in output if "skip" in line.lower() and not line.startswith(("[  SKIPPED ]", "[  PASSED  ]"))]
    return words[0].strip() if words else ""


def main():
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
