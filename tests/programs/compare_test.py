#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`./dev compare system` and its like in their shortest form: every contender does the work, the rows are there, and
goals are judged by what was measured. No times."""

import csv
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import judged_goals

AFFIX = Path(sys.argv.pop(1))
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 150

sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
from system import goals, scenarios  # noqa: E402


class Compare(judged_goals.JudgedGoals):
    def compare(self, *arguments):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            file = Path(directory) / "rows.json"
            done = subprocess.run([sys.executable, ROOT / "scripts" / "compare_system.py", AFFIX.parent,
                                   ROOT / "dictionaries", "--rounds", "2", "--seconds", "0.05", "--json", file,
                                   *arguments], capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            return done.stdout, json.loads(file.read_text())

    def test_round_trips(self):
        output, rows = self.compare("--only", "round_trip_block")
        self.assertIn("round_trip_block: one order at a time", output)
        names = [row["contender"] for row in rows]
        self.assertEqual(names[:2], ["raw_block", "affix_block"])
        if (AFFIX.parent / "affix_quickfix_acceptor").exists():
            self.assertIn("quickfix_file", names)
        for row in rows:
            self.assertEqual(row["benchmark"], "round_trip_block/service")
            self.assertGreater(row["n"], 0)
            self.assertLessEqual(row["min"], row["median"])
            self.assertLessEqual(row["median"], row["max"])
        self.assertIsNone(rows[0]["ratio_to_floor"])
        self.assertGreater(rows[1]["ratio_to_floor"], 0)

    def test_a_server_under_load_of_one_contender(self):
        _, rows = self.compare("--only", "server_8x10", "--contender", "affix_block")
        by_name = {(row["benchmark"], row["contender"]): row for row in rows}
        for figure in ("server_cpu", "server_cpu_messages", "rate"):
            self.assertIn((f"server_8x100/{figure}", "affix_block"), by_name)
        self.assertIn(("server_8x10/server_cpu", "raw_stored"), by_name)
        self.assertNotIn(("server_8x10/rate", "quickfix_file"), by_name)
        ours = by_name["server_8x10/server_cpu", "affix_block"]
        self.assertLessEqual(by_name["server_8x10/server_cpu_messages", "affix_block"]["median"], ours["median"])

    def test_files_and_pictures(self):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            output, _ = self.compare("--only", "round_trip_block", "--contender", "affix_block", "--output", directory)
            # Judged by what was measured, whatever that is on this machine.
            judged = re.search(r"round trip, both sleep, median +\| <= 1\.10 x raw +\| ([\d.]+) x +\| (holds|does not)", output)
            self.assertTrue(judged, output)
            if float(judged[1]) != 1.10:  # As printed it may be a little more or less.
                self.assertEqual(judged[2], "holds" if float(judged[1]) < 1.10 else "does not")
            self.assertNotIn("not measured", output)
            with open(Path(directory) / "curves.csv", encoding="utf-8", newline="") as file:
                points = [row for row in csv.DictReader(file) if row["contender"] == "affix_block"]
            self.assertEqual(points[0]["fraction"], "0.0")
            values = [float(row["ns"]) for row in points]
            self.assertEqual(values, sorted(values))
            with open(Path(directory) / "goals.csv", encoding="utf-8", newline="") as file:
                verdicts = {row["row"]: row["holds"] for row in csv.DictReader(file)}
            self.assertEqual(verdicts["round trip, both sleep, median"], judged[2])
            self.assertEqual(verdicts["client TX, median"], "not measured")
            self.assertIn("<svg", (Path(directory) / "round_trip_block.svg").read_text())

    def test_round_trips_by_configuration(self):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            file = Path(directory) / "latency.csv"
            done = subprocess.run([sys.executable, ROOT / "scripts" / "bench_round_trip.py", AFFIX.parent,
                                   ROOT / "dictionaries", "--configuration", "raw_block,default,sync", "--rates",
                                   "500,2000", "--seconds", "0.2", "--block", "--csv", file], capture_output=True,
                                  text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            with open(file, encoding="utf-8", newline="") as text:
                rows = list(csv.DictReader(text))
            # Each order of sync waits for the disk, so that its faster rate is left out.
            self.assertEqual([(row["configuration"], row["rate"]) for row in rows],
                             [("raw_block", "500"), ("raw_block", "2000"), ("default", "500"), ("default", "2000"),
                              ("sync", "500")])
            for row in rows:
                self.assertLessEqual(int(row["p50_ns"]), int(row["p99_ns"]))

    def test_two_hosts_are_a_server_and_a_client(self):
        command = [sys.executable, ROOT / "scripts" / "bench_round_trip.py", AFFIX.parent, ROOT / "dictionaries",
                   "--configuration", "balanced"]
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            server = subprocess.Popen([*command, "--role", "server", "--address", "127.0.0.1:0"], text=True,
                                      stdout=subprocess.PIPE)
            address = server.stdout.readline().removeprefix("listening on ").strip()
            file = Path(directory) / "latency.csv"
            done = subprocess.run([*command, "--role", "client", "--address", address, "--rates", "1000", "--seconds",
                                   "0.2", "--csv", file], capture_output=True, text=True, timeout=TIMEOUT)
            server.terminate()
            server.communicate(timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            self.assertEqual(server.returncode, 0)
            self.assertEqual(len(file.read_text().splitlines()), 2)

    def test_tails(self):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            file = Path(directory) / "rows.json"
            done = subprocess.run([sys.executable, ROOT / "scripts" / "compare_tail.py", AFFIX.parent, ROOT / "dictionaries",
                                   "--rounds", "2", "--seconds", "0.05", "--burst", "200", "--only", "steady_10000,burst,flood_10",
                                   "--contender", "affix_memory,affix_process,affix_process_spin", "--json", file,
                                   "--output", directory], capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            rows = {(row["benchmark"], row["contender"]): row for row in json.loads(file.read_text())}
            # 0.05 s at 10,000 a second, twice: each order was answered and counts.
            for scenario in ("steady_10000", "burst"):
                for name in ("raw_block", "raw_spin", "affix_memory", "affix_process", "affix_process_spin"):
                    row = rows[f"tail/{scenario}/response", name]
                    self.assertEqual((row["n"], row["rounds"]), (1000, 2))
                    self.assertLessEqual(row["median_least"], row["median"])
                    self.assertLessEqual(row["median"], row["median_most"])
                    self.assertLessEqual(row["p9999"], row["max"])
            self.assertNotIn(("tail/steady_10000/response", "affix_group"), rows)
            self.assertGreater(rows["tail/flood_10/server_cpu", "affix_process"]["median"], 0)
            self.assertRegex(done.stdout, r"memory +(its own|free pages are (kept|given back))")
            self.assertRegex(done.stdout, r"measured +new page \d+\.\d us singly, .* a loop that spins held up \d+ us at most")
            self.assertRegex(done.stdout, r"journals +on (no disk|a disk that is read \d+ KiB ahead)")
            with open(Path(directory) / "goals.csv", encoding="utf-8", newline="") as text:
                goals_by_name = {row["row"]: row for row in csv.DictReader(text)}
            verdicts = {name: row["holds"] for name, row in goals_by_name.items()}
            self.assert_judged_by_what_was_measured(goals_by_name["burst, sleeping: p99 of process"])
            self.assertEqual(verdicts["archive, sleeping: p99 of process"], "not measured")
            self.assert_judged_by_what_was_measured(goals_by_name["largest wait of a worker, steady 10,000/s, sleeping"])
            self.assertRegex(done.stdout, r"affix_process +largest waits of the worker, us: .*; a loop that spins \d")
            self.assertEqual(verdicts["steady 1,000/s, sleeping: p99 of process, to memory"], "not measured")

    def test_tails_beside_other_work(self):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            file = Path(directory) / "rows.json"
            done = subprocess.run([sys.executable, ROOT / "scripts" / "compare_tail.py", AFFIX.parent, ROOT / "dictionaries",
                                   "--rounds", "1", "--seconds", "0.2", "--archive", "30000", "--resend", "2000", "--only",
                                   "archive,resend", "--contender", "affix_memory,affix_process", "--json", file],
                                  capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            rows = {(row["benchmark"], row["contender"]): row for row in json.loads(file.read_text())}
            for name in ("raw_block", "affix_memory", "affix_process"):
                self.assertEqual(rows["tail/archive/response", name]["n"], 2000)
            for name in ("affix_memory", "affix_process"):
                self.assertEqual(rows["tail/resend/response", name]["n"], 2000)
            # The floor keeps nothing that it could send again.
            self.assertNotIn(("tail/resend/response", "raw_block"), rows)
            self.assertRegex(done.stdout, r"the archive was at work for \d+\.\d to \d+\.\d s of each turn")

    def test_many_sessions_and_storms(self):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            done = subprocess.run([sys.executable, ROOT / "scripts" / "bench_scale.py", AFFIX.parent,
                                   ROOT / "dictionaries", "--quick", "--only", "reconnect", "--output", directory],
                                  capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            with open(Path(directory) / "scale.csv", encoding="utf-8", newline="") as file:
                dropped = {row["case"]: float(row["max"]) for row in csv.DictReader(file) if row["figure"] == "dropped"}
            self.assertEqual(dropped["calm"], 0)
            self.assertGreater(dropped["storm"], 0)

    def test_starts(self):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            done = subprocess.run([sys.executable, ROOT / "scripts" / "bench_scale.py", AFFIX.parent,
                                   ROOT / "dictionaries", "--quick", "--only", "start", "--output", directory],
                                  capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            with open(Path(directory) / "scale.csv", encoding="utf-8", newline="") as file:
                self.assertEqual([row["figure"] for row in csv.DictReader(file)], ["new", "again"])

    def test_an_idle_monitor(self):
        with tempfile.TemporaryDirectory(prefix="affix-compare-test-") as directory:
            done = subprocess.run([sys.executable, ROOT / "scripts" / "bench_scale.py", AFFIX.parent,
                                   ROOT / "dictionaries", "--quick", "--only", "monitor", "--output", directory],
                                  capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            with open(Path(directory) / "scale.csv", encoding="utf-8", newline="") as file:
                found = {row["figure"]: float(row["median"]) for row in csv.DictReader(file)}
            self.assertEqual(found.keys(), {"core_share", "metrics_time", "metrics_bytes"})
            self.assertGreater(found["metrics_bytes"], 0)


class Goals(unittest.TestCase):
    """Measurements that a row needs to hold."""

    @staticmethod
    def judged(turns, sent=(), rested=()):
        spin = next(one for one in scenarios.all_scenarios() if one.name == "round_trip_spin")
        spin.turns = {name: [{"service": {"median": median, "p99": 2 * median}} for median in rounds]
                      for name, rounds in turns.items()}
        return {goal.row: goal for goal in goals.table({spin.name: spin}, sent, rested)}

    def test_ratios_are_of_the_same_round(self):
        # The second round was slow for both.
        row = self.judged({"raw_spin": [10, 30, 10], "affix_spin": [10.5, 33, 10.8]})["round trip, both spin, median"]
        self.assertAlmostEqual(row.measured, 1.08)
        self.assertEqual(row.verdict, "holds")
        row = self.judged({"raw_spin": [10, 30, 10], "affix_spin": [12, 30, 12]})["round trip, both spin, median"]
        self.assertEqual(row.verdict, "does not")

    def test_who_has_no_figure_holds_nothing(self):
        rows = self.judged({"raw_spin": [10]})
        self.assertEqual({goal.verdict for goal in rows.values()}, {"not measured"})

    def test_a_tail_is_beyond_the_median(self):
        sent = [{"benchmark": "client_tx", "contender": "raw", "median": 1000, "p999": 2000},
                {"benchmark": "client_tx", "contender": "affix", "median": 1100, "p999": 2300},
                {"benchmark": "client_tx_above_raw", "contender": "affix", "median": 100}]
        rows = self.judged({}, sent, [{"benchmark": "idle/one_more_session", "median": 13000}])
        self.assertEqual(rows["client TX, median"].verdict, "holds")
        self.assertAlmostEqual(rows["client TX, p99.9 - p50"].measured, 1.2)
        self.assertEqual(rows["client TX, p99.9 - p50"].verdict, "does not")
        self.assertEqual(rows["session at rest, memory beyond its socket"].verdict, "holds")


if __name__ == "__main__":
    unittest.main()
