# SPDX-License-Identifier: MIT
"""make_scoreboard.py without an engine: its scenarios, its rows, its page, and what its hostile peers send."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import make_scoreboard
from scoreboard import engines, hostile, page
from scoreboard.judged import read_scenarios

SCENARIOS = ROOT / "tests" / "scoreboard" / "scenarios"


def board_of(scenarios, failed=()):
    """A board of two engines, of which the second fails what is named and leaves the dictionary to others."""
    rows = {scenario.id: {"result": "passed"} for scenario in scenarios}
    others = {scenario.id: {"result": "left", "reason": "it has no dictionary"} if scenario.path.stem == "dictionary"
              else {"result": "failed", "fault": ["expected Logout (5), but nothing came"], "trace": ["> 8=FIX.4.4|35=A|"]}
              if scenario.id in failed else {"result": "passed"} for scenario in scenarios}
    served = {kind: {"served": True, "ended": False, "memory_kib": [1, 2], "fault": []} for kind in hostile.KINDS}
    about = {"version": "1", "origin": "here", "settings": "none", "adapter": ""}
    return {"one": {"title": "One", "scenarios": rows, "hostile": served, **about},
            "two": {"title": "Two", "scenarios": others, "hostile": served, **about}}


class Scoreboard(unittest.TestCase):
    def setUp(self):
        self.scenarios = read_scenarios(SCENARIOS)

    def test_each_scenario_names_its_source_and_a_case_of_it(self):
        self.assertGreater(len(self.scenarios), 60)
        for scenario in self.scenarios:
            self.assertRegex(scenario.source, r"^Test Cases \d+", scenario.id)

    def test_a_scenario_without_source_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "session.scenario"
            path.write_text("scenario 1: nobody says so\nrole acceptor\nconnect\n", encoding="utf-8")
            with self.assertRaises(SystemExit):
                read_scenarios(Path(folder))

    def test_no_scenario_asks_for_a_text(self):
        for path in SCENARIOS.glob("*.scenario"):
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.startswith(("<", "find", "within")):
                    self.assertNotRegex(line, r"[ |]58=", f"{path.name}: {line}")

    def test_engines_and_their_adapters(self):
        all_engines = engines.all_engines(Path("bin"), Path("jvm"))
        self.assertGreaterEqual(len({engine.name for engine in all_engines}), 8)
        for engine in all_engines:
            self.assertTrue(engine.settings and engine.origin, engine.name)
            if engine.adapter:
                self.assertTrue((ROOT / engine.adapter).is_file(), engine.adapter)
            # Reasons are for scenarios that exist.
            known = {scenario.id for scenario in self.scenarios} | {path.stem for path in SCENARIOS.glob("*")}
            self.assertLessEqual(set(engine.left), known, engine.name)

    def test_versions_are_those_that_are_fetched(self):
        lists = (ROOT / "tests/interop/jvm/pom.xml").read_text() + "".join(
            path.read_text() for path in (ROOT / "tests/scoreboard/adapters").rglob("*")
            if path.name in ("requirements.txt", "package.json", "Cargo.toml"))
        for engine in engines.all_engines(Path("bin"), Path("jvm")):
            if engine.name not in ("affix", "quickfix"):
                self.assertIn(engine.version, lists, engine.name)

    def test_the_page_has_each_failure_with_its_bytes(self):
        text = page.text_of(board_of(self.scenarios, failed=("1S-d",)), self.scenarios)
        self.assertEqual(text.count("**fails**"), 1)
        self.assertIn("> 8=FIX.4.4|35=A|\nexpected Logout (5), but nothing came", text)
        self.assertIn("Not judged, as it has no dictionary: 14a", text)
        for line in text.splitlines():
            if line.startswith("| 2"):
                self.assertEqual(line.count("|"), 6, line)

    def test_two_runs_that_differ_are_told(self):
        first, second = board_of(self.scenarios, failed=("2c",)), board_of(self.scenarios, failed=("2d",))
        self.assertEqual(make_scoreboard.differences(first, first), [])
        self.assertEqual(make_scoreboard.differences(first, second),
                         ["two scenarios 2c: first failed, then passed", "two scenarios 2d: first passed, then failed"])

    def test_hostile_peers_send_whole_messages_when_they_mean_to(self):
        text = hostile.message("T001", 7, "35=1|112=x").decode()
        body = re.fullmatch(r"8=FIX\.4\.4\x019=(\d+)\x01(35=1\x0134=7\x0149=T001\x0156=ISLD\x0152=[^\x01]+\x01112=x\x01)10=(\d{3})\x01", text)
        self.assertEqual(int(body[1]), len(body[2]))
        self.assertEqual(int(body[3]), sum(text[:-7].encode()) % 256)


if __name__ == "__main__":
    unittest.main()
