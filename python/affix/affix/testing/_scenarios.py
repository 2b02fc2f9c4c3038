# SPDX-License-Identifier: MIT
"""Scenarios of `affix certify` in tests: the program is the counterparty of an engine under test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType


@dataclass(frozen=True)
class ScenarioResult:
    """One scenario in one version: `fault` is empty if it passed."""

    name: str
    file: str
    line: int
    fault: str
    skipped: bool


def certify_program() -> str:
    """$AFFIX_LAB, or affix-lab in PATH."""
    found = os.environ.get("AFFIX_LAB") or shutil.which("affix-lab")
    if not found:
        raise FileNotFoundError("scenarios need the program affix-lab, in PATH or named by AFFIX_LAB")
    return found


class ScenarioRun:
    """A run that listens for an engine that connects. `port` is where; finish() waits for the results."""

    def __init__(self, command: Sequence[str], listens: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="affix-certify-")
        self._junit = Path(self._folder.name) / "result.xml"
        self._process = subprocess.Popen([*command, "--junit", str(self._junit)], stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True)
        self._output = ""
        #: Where the counterparty listens; 0 if it connects.
        self.port = 0
        if listens:
            assert self._process.stdout is not None
            for line in self._process.stdout:
                self._output += line
                if match := re.match(r"listening on .*:(\d+)$", line):
                    self.port = int(match[1])
                    break

    def finish(self, timeout: float = 600.0) -> list[ScenarioResult]:
        """Waits until every scenario is played. Raises AssertionError with the failures' texts if one failed."""
        try:
            output, _ = self._process.communicate(timeout=timeout)
            self._output += output
            if self._process.returncode not in (0, 1):
                raise AssertionError(self._output)
            results = [_result(case) for case in xml.etree.ElementTree.parse(self._junit).iter("testcase")]
        finally:
            self.close()
        failures = [each.fault for each in results if each.fault]
        if failures:
            raise AssertionError("\n".join(failures))
        return results

    def close(self) -> None:
        """Ends it, whatever was played."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()
        self._folder.cleanup()

    def __enter__(self) -> ScenarioRun:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if kind is None and self._process.poll() is None:
            self.finish()
        self.close()


def _result(case: xml.etree.ElementTree.Element) -> ScenarioResult:
    failure = case.find("failure")
    return ScenarioResult(name=case.get("name", ""), file=case.get("file", ""), line=int(case.get("line", "0")),
                          fault="" if failure is None else failure.text or "", skipped=case.find("skipped") is not None)


class Scenarios:
    """Plays scenarios against an engine under test."""

    def run(self, *scenarios: str | os.PathLike[str], address: str, sender_comp_id: str, target_comp_id: str,
            begin_string: str = "FIX.4.4", variables: Mapping[str, object] | None = None,
            arguments: Sequence[str] = ()) -> list[ScenarioResult]:
        """The engine listens at `address`. CompIDs are the counterparty's. Raises AssertionError if a scenario fails.

        `scenarios` are files, directories or names of those supplied ("session", "orders"); `arguments` are further
        ones of `affix certify run`.
        """
        command = self._command(scenarios, sender_comp_id, target_comp_id, begin_string, variables, arguments)
        return ScenarioRun([*command, "--address", address], listens=False).finish()

    def listen(self, *scenarios: str | os.PathLike[str], sender_comp_id: str, target_comp_id: str,
               begin_string: str = "FIX.4.4", variables: Mapping[str, object] | None = None,
               arguments: Sequence[str] = ()) -> ScenarioRun:
        """The engine connects to the returned run's `port`; leaving `with` waits for the results."""
        command = self._command(scenarios, sender_comp_id, target_comp_id, begin_string, variables, arguments)
        return ScenarioRun([*command, "--listen", "127.0.0.1:0"], listens=True)

    @staticmethod
    def _command(scenarios: Sequence[str | os.PathLike[str]], sender: str, target: str, begin_string: str,
                 variables: Mapping[str, object] | None, arguments: Sequence[str]) -> list[str]:
        command = [certify_program(), "certify", "run", *(os.fspath(scenario) for scenario in scenarios),
                   "--begin-string", begin_string, "--sender", sender, "--target", target]
        for name, value in (variables or {}).items():
            command += ["--set", f"{name}={value}"]
        return [*command, *arguments]
