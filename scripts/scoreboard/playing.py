# SPDX-License-Identifier: MIT
"""Plays scenarios against an acceptor with `affix-lab certify run`, each in a session of its own.

A scenario that fails is played again when nothing else is, with more patience and against another process: only what fails
then, too, is a failure. So one that ended the engine's process does not spoil others, and a machine that is late does not
count. After each such failure an ordinary session shows whether the process still serves; if not, the next scenario gets
a new one, and what failed is played in one once more.
"""

import concurrent.futures
import subprocess
import tempfile
import xml.etree.ElementTree as Xml
from collections import namedtuple
from pathlib import Path

from scoreboard.acceptors import Acceptor

SENDER = "ISLD"
PLAYED_AT_ONCE = 4
PLAY_SECONDS = 240
# Seconds for an expected message: together with others, alone, and for the first Logon of a process, which may compile itself.
PATIENCE = 3
PATIENCE_ALONE = 6
PATIENCE_FIRST = 60
PROBE = "4b"

# fault: what was expected and what came; trace: the messages, `>` to the engine and `<` of it.
Outcome = namedtuple("Outcome", "passed fault trace")


class EngineDoesNotStart(Exception):
    """With what it said."""


def target_of(index):
    return f"T{index + 1:03}"


def play_one(program, address, scenario, target, folder, patience=PATIENCE):
    """The outcome of one scenario."""
    junit = Path(folder) / f"{scenario.id}.xml"
    done = subprocess.run(
        [program, "certify", "run", scenario.path, "--address", address, "--session", f"FIX.4.4:{target}:{SENDER}",
         "--scenario", scenario.id, "--junit", junit, "--quiet", "--patience", str(patience)],
        capture_output=True, text=True, errors="replace", check=False, timeout=PLAY_SECONDS)
    if done.returncode not in (0, 1) or not junit.exists():
        raise RuntimeError(f"{scenario.id} was not played: {done.stdout}{done.stderr}")
    case = Xml.parse(junit).getroot().find(".//testcase")
    if case is None:
        raise RuntimeError(f"there is no scenario {scenario.id}")
    failure = case.find("failure")
    if failure is None:
        return Outcome(True, [], [])
    lines = [line.strip() for line in failure.text.strip().splitlines()[1:]]
    trace = [line for line in lines if line.startswith(("> ", "< ", "B > ", "B < "))]
    return Outcome(False, [line for line in lines if line not in trace], trace)


class Served:
    """A process of an engine with a session for each play, of which each takes one."""

    def __init__(self, program, engine, sessions, probe, folder):
        self.program, self.probe, self.folder = program, probe, folder
        targets = [target_of(index) for index in range(sessions + 1)]
        try:
            self.acceptor = Acceptor(engine.command(SENDER, targets, folder), engine.environment())
        except OSError as fault:
            raise EngineDoesNotStart(f"{engine.title} does not start: {fault}") from fault
        if not self.acceptor.await_address():
            said = "\n".join(self.acceptor.lines[-20:])
            self.acceptor.close()
            raise EngineDoesNotStart(f"{engine.title} does not start:\n{said}")
        self._free = iter(targets)
        self.probed(PATIENCE_FIRST)

    def take(self):
        """A session that nobody has used, or None."""
        return next(self._free, None)

    def play(self, scenario, patience, target=None):
        return play_one(self.program, self.acceptor.address, scenario, target or self.take(), self.folder, patience)

    def probed(self, patience=PATIENCE_ALONE):
        return self.play(self.probe, patience).passed

    def close(self):
        self.acceptor.close()


class Play:
    """All scenarios of an engine."""

    def __init__(self, program, engine, scenarios, probe):
        self.program, self.engine, self.scenarios, self.probe = program, engine, scenarios, probe

    def served(self, sessions):
        self._folder = tempfile.TemporaryDirectory(prefix="affix-scoreboard-")
        try:
            return Served(self.program, self.engine, sessions, self.probe, self._folder.name)
        except EngineDoesNotStart:
            self._folder.cleanup()
            raise

    def end(self, served):
        served.close()
        self._folder.cleanup()

    def together(self):
        """A first look at all."""
        served = self.served(len(self.scenarios))
        try:
            with concurrent.futures.ThreadPoolExecutor(PLAYED_AT_ONCE) as pool:
                plays = [pool.submit(served.play, scenario, PATIENCE, served.take()) for scenario in self.scenarios]
                return {scenario.id: play.result() for scenario, play in zip(self.scenarios, plays)}
        finally:
            self.end(served)

    def alone(self, scenarios, say):
        """Those that did not pass, one after the other."""
        outcomes = {}
        served, fresh = None, False
        try:
            for scenario in scenarios:
                for _ in range(2):
                    if served is None:
                        # A play and a probe each, and the replay.
                        served, fresh = self.served(3 * len(scenarios)), True
                    outcome = served.play(scenario, PATIENCE_ALONE)
                    died = served.acceptor.ended()
                    if outcome.passed or (not died and served.probed()):
                        fresh = False
                        break
                    if died:
                        outcome = Outcome(False, [*outcome.fault, "the engine's process ended with "
                                                  f"{served.acceptor.exit_code()}: " + " / ".join(served.acceptor.lines[-3:])],
                                          outcome.trace)
                    self.end(served)
                    served = None
                    if fresh:
                        break
                outcomes[scenario.id] = outcome
                if not outcome.passed:
                    say(f"  {scenario.id}: {' / '.join(outcome.fault)}")
        finally:
            if served:
                self.end(served)
        return outcomes


def play_all(program, engine, scenarios, probe, say):
    """Outcomes by id."""
    play = Play(program, engine, scenarios, probe)
    outcomes = play.together()
    outcomes.update(play.alone([scenario for scenario in scenarios if not outcomes[scenario.id].passed], say))
    return outcomes
