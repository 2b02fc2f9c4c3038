#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Failover as operators and counterparties meet it: two `affix serve` processes, one of which leads; its death, hand-overs,
programs of a change of role, `affix cluster`, and mistakes in configurations and commands."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import unittest

import failover_fixture
import fix_peer
import program_fixture
import serve_fixture

serve_fixture.ServeTest.affix = os.path.abspath(sys.argv.pop(1))


class TakeOver(failover_fixture.FailoverTest):
    def session(self, node, first=1, group="DESKS", reset=False):
        """A counterparty that goes on with its numbers."""
        peer = fix_peer.FixPeer.connect(self.served[node].port, f"{group}_TRADER", "US")
        self.addCleanup(peer.close)
        peer.next_number = first
        peer.send("A", [(98, 0), (108, 30)] + ([(141, "Y")] if reset else []))
        return peer, peer.wait("A")

    def test_the_other_node_goes_on_after_a_kill(self):
        self.start_all()
        self.wait_for_pair()
        peer, _ = self.session("A")
        self.echoed(peer, "ONE")
        self.echoed(peer, "TWO")
        self.kill("A")
        row = self.wait_for("B", role="primary")
        self.assertGreater(row["epoch"], 1)
        self.assertTrue(row["alone"])
        again, logon = self.session("B", first=peer.next_number)
        self.assertEqual(int(logon[34]), 4)  # After its Logon and two echoes: no number twice.
        self.echoed(again, "THREE")
        self.assertIn("R202", self.wait_for_line("B", "alone"))
        self.wait_for_line("B", "E307", "DESKS")
        # The dead node comes back as a standby, and gets what it missed.
        self.start("A")
        self.wait_for_pair("B")
        self.assertEqual(self.replication("A")["role"], "standby")
        self.kill("B")
        self.wait_for("A", role="primary")
        third, logon = self.session("A", first=again.next_number)
        self.assertEqual(int(logon[34]), 6)
        self.echoed(third, "FOUR")

    def test_an_order_that_was_answered_is_in_both_journals(self):
        self.start_all()
        self.wait_for_pair()
        peer, _ = self.session("A")
        self.echoed(peer, "SEEN")
        # At once: output waits for the standby, so what the peer has seen is there.
        self.kill("A")
        copies = subprocess.run([self.affix, "log", self.path("B.journals")], capture_output=True, text=True, check=False,
                                timeout=program_fixture.TIMEOUT)
        self.assertIn("SEEN", copies.stdout, copies.stderr)

    def test_a_standby_refuses_a_logon_and_says_who_leads(self):
        self.start_all()
        self.wait_for_pair()
        peer = fix_peer.FixPeer.connect(self.served["B"].port, "DESKS_TRADER", "US")
        self.addCleanup(peer.close)
        peer.send("A", [(98, 0), (108, 30)])
        self.assertEqual(peer.ended(), [])
        line = self.wait_for_line("B", "E310")
        for piece in ("DESKS_TRADER", "failover group DESKS", "node A leads"):
            self.assertIn(piece, line)
        # A stranger is refused as ever.
        stranger = fix_peer.FixPeer.connect(self.served["B"].port, "NOBODY", "US")
        self.addCleanup(stranger.close)
        stranger.send("A", [(98, 0), (108, 30)])
        self.assertEqual(stranger.ended(), [])
        self.wait_for_line("B", "N206", "NOBODY")

    def test_an_orderly_end_lets_the_other_lead(self):
        self.start_all()
        self.wait_for_pair()
        peer, _ = self.session("A")
        self.echoed(peer, "ONE")
        self.assertEqual(self.served["A"].stop(), 0)
        del self.served["A"]
        self.wait_for("B", role="primary")

    def test_groups_have_their_primaries_on_different_nodes(self):
        groups = {"EUROPE": "A,B", "ASIA": "B,A"}
        self.start_all(groups=groups)
        self.wait_for_pair("A", "EUROPE")
        self.wait_for_pair("B", "ASIA")
        code, out, error = self.cluster()
        self.assertEqual((code, error), (0, ""))
        self.assertRegex(out, r"EUROPE +A +primary")
        self.assertRegex(out, r"ASIA +B +primary")
        self.kill("A")
        self.wait_for("B", "EUROPE", role="primary")
        self.assertEqual(self.replication("B", "ASIA")["role"], "primary")


class Operators(failover_fixture.FailoverTest):
    def test_a_group_is_handed_over(self):
        self.start_all()
        before = self.wait_for_pair()
        answer = self.ask("A", "demote", "DESKS", "B")
        self.assertEqual((answer["status"], answer["code"]), ("begun", "R303"))
        row = self.wait_for_pair("B")
        self.assertGreater(row["epoch"], before["epoch"])
        self.wait_for_line("A", "E306")
        self.assertEqual(self.replication("A")["primary"], "B")

    def test_commands_are_refused_with_a_reason(self):
        self.start_all()
        self.wait_for_pair()
        for node, words, code in (("A", ("demote", "DESKS", "C"), "R207"), ("B", ("demote", "DESKS"), "R207"),
                                  ("A", ("promote", "DESKS"), "R207"), ("A", ("demote", "NONE"), "E309"),
                                  ("B", ("promote", "DESKS", "--accept-loss"), "R209"), ("A", ("promote",), "A103"),
                                  ("B", ("promote", "DESKS", "really"), "A103")):
            with self.subTest(node=node, words=words):
                answer = self.ask(node, *words)
                self.assertEqual((answer["status"], answer["code"]), ("refused", code), answer)
        self.assertEqual(self.replication("A")["role"], "primary")

    def test_a_node_out_of_sync_leads_only_by_an_operator_s_word(self):
        self.start_all()
        self.wait_for_pair()
        self.kill("B")
        self.wait_for("A", role="primary", in_sync="A", alone=True)
        self.kill("A")
        self.start("B")
        row = self.wait_for("B", role="standby", store="done")
        self.assertIn("not in sync", row["why_standby"])
        answer = self.ask("B", "promote", "DESKS")
        self.assertEqual((answer["status"], answer["code"]), ("refused", "R208"))
        self.assertEqual(self.ask("B", "promote", "DESKS", "--accept-loss")["status"], "begun")
        self.wait_for("B", role="primary")
        self.wait_for_line("B", "R206")

    def test_the_cluster_is_shown_moved_and_drained(self):
        self.start_all()
        self.wait_for_pair()
        self.wait_for("B", role="standby", in_sync="A,B")  # It hears of the entry a moment after the primary.
        code, out, error = self.cluster()
        self.assertEqual((code, error), (0, ""))
        self.assertRegex(out, r"DESKS +A +primary +\d+ +in sync")
        self.assertRegex(out, r"DESKS +B +standby +\d+ +in sync +\d+ bytes")
        code, out, error = self.cluster("move", "DESKS", "B")
        self.assertEqual((code, error), (0, ""))
        self.assertRegex(out, r"^failover group DESKS: A -> B, epoch \d+\n$")
        self.wait_for_pair("B")
        self.assertIn("leads failover group DESKS already", self.cluster("move", "DESKS", "B")[1])
        code, out, error = self.cluster("drain", "B")
        self.assertEqual((code, error), (0, ""))
        self.assertIn("B -> A", out)
        self.wait_for_pair("A")
        self.assertIn("leads no failover group", self.cluster("drain", "B")[1])
        for words in (("move", "NONE", "B"), ("move", "DESKS", "C"), ("drain", "C")):
            code, out, error = self.cluster(*words)
            self.assertEqual((code, out), (1, ""), words)
            self.assertIn("[R304]", error, words)

    def test_the_cluster_says_which_node_does_not_answer(self):
        self.start_all()
        self.wait_for_pair()
        port = self.served["A"].administration
        served = dict(self.served)
        self.kill("A")
        self.wait_for("B", role="primary")
        self.served = {**self.served, "A": served["A"]}
        code, out, _ = self.cluster()
        self.assertEqual(code, 1)
        self.assertIn(f"127.0.0.1:{port} does not answer", out)
        self.assertRegex(out, r"DESKS +B +primary")
        del self.served["A"]

    def test_the_cluster_needs_places(self):
        done = subprocess.run([self.affix, "cluster"], capture_output=True, text=True, check=False,
                              timeout=program_fixture.TIMEOUT)
        self.assertEqual(done.returncode, 1)
        self.assertIn("[R307]", done.stderr)

    def test_top_shows_the_groups(self):
        self.start_all()
        self.wait_for_pair()

        def top():
            return subprocess.run([self.affix, "top", "--once", "--interval", "0", self.path("A.counters")], check=True,
                                  capture_output=True, text=True, timeout=program_fixture.TIMEOUT).stdout
        line = program_fixture.until("both in sync in affix top", lambda: next(
            (line for line in top().splitlines() if "in sync A,B" in line), None))
        self.assertRegex(line, r"^failover group DESKS: node A primary, epoch \d+ for \d+\w, in sync A,B; B \d+ bytes, .*behind$")


class Programs(failover_fixture.FailoverTest):
    def program(self, name, body):
        path = self.write(name, f"#!/bin/sh\n{body}\n")
        os.chmod(path, 0o755)
        return path

    def test_programs_of_a_change_of_role(self):
        record = self.path("record")
        promote = self.program("promote", f'echo "promote $*" >> {record}')
        demote = self.program("demote", f'echo "demote $*" >> {record}')
        self.start_all(group_keys=f"promote_program={promote}\ndemote_program={demote}")
        self.wait_for_pair()
        epoch = self.replication("A")["epoch"]
        program_fixture.until("the program of A", lambda: os.path.exists(record) and
                              self.read("record") == f"promote DESKS {epoch}\n")
        self.ask("A", "demote", "DESKS")
        after = self.wait_for_pair("B")["epoch"]
        lines = program_fixture.until("three programs", lambda: (
            found if len(found := sorted(self.read("record").splitlines())) == 3 else None))
        self.assertEqual(lines, [f"demote DESKS {epoch}", f"promote DESKS {epoch}", f"promote DESKS {after}"])
        self.wait_for_line("A", "R301", "has ended in order")
        # An orderly end gives the role up, too.
        self.assertEqual(self.served["B"].stop(), 0)
        del self.served["B"]
        self.assertIn(f"demote DESKS {after}", self.read("record"))

    def test_a_program_that_fails_is_reported_and_changes_nothing(self):
        failing = self.program("failing", "exit 3")
        self.start_all(group_keys=f"promote_program={failing}")
        self.wait_for_pair()
        self.wait_for_line("A", "R302", "status 3")
        self.assertEqual(self.replication("A")["output"], "passes")

    def test_the_service_manager_sees_the_roles(self):
        manager = self.manager()
        self.start("B")
        self.start("A", environment={"NOTIFY_SOCKET": manager.path})
        self.assertIn("STATUS=running; standby of DESKS", manager.wait("READY=1"))
        self.wait_for_pair()
        while not manager.wait("STATUS=").startswith("STATUS=running; leads DESKS"):
            pass


class Mistakes(failover_fixture.FailoverTest):
    def test_configurations_that_cannot_work_are_refused(self):
        right = self.node_text("A")
        for wrong, code in ((right.replace("replication_nodes=A,B", "replication_nodes=A,C"), "C504"),
                            (right.replace("failover_group=DESKS", "failover_group=DESK"), "C505"),
                            (right.replace("node=A\n", "node=D\n"), "C50"),
                            (right.replace("election=file:", "election=files:"), "C50"),
                            (right.replace("failover_directory=", "#"), "C205"),
                            (right.replace("promote_program", "x"), None)):
            with self.subTest(code=code):
                if code is None:
                    continue
                status, error = self.refused(wrong)
                self.assertEqual(status, 6, error)
                self.assertIn(f"[{code}", error)

    def test_the_examples_lack_nothing_but_their_files(self):
        examples = pathlib.Path(__file__).resolve().parents[2] / "examples/80_failover"
        for example in sorted(examples.glob("*.ini")):
            with self.subTest(example=example.name):
                done = subprocess.run([self.affix, "config", "check", str(example)], capture_output=True, text=True, check=False,
                                      timeout=program_fixture.TIMEOUT)
                lines = (done.stdout + done.stderr).splitlines()
                self.assertTrue(lines)
                for line in lines:
                    self.assertRegex(line, r"'/(etc|run|usr|var)/.*No such file or directory \[C101\]$")

    def test_an_address_in_use_is_named(self):
        with socket.create_server(("127.0.0.1", self.node_ports["A"])):
            status, error = self.refused(self.node_text("A"))
        self.assertEqual(status, 1)
        self.assertIn("node_addresses", error)
        self.assertIn(str(self.node_ports["A"]), error)
        self.assertIn("[O105]", error)

    def test_two_processes_do_not_share_promises(self):
        self.start("A")
        text = self.node_text("B").replace(self.path("B.failover"), self.path("A.failover"))
        status, error = self.refused(text)
        self.assertEqual(status, 1)
        self.assertIn("[E304]", error)

    def test_an_etcd_that_is_not_there_keeps_nobody_from_starting(self):
        port = self.hold_port()
        self.start("A", election=f"etcd://127.0.0.1:{port}")
        row = self.wait_for("A", role="standby")
        row = program_fixture.until("the store's error", lambda: (
            found if "etcd" in (found := self.replication("A"))["store"] else None))
        self.assertIn(str(port), row["store"])
        self.assertIn("election store", row["why_standby"])
        answer = self.ask("A", "promote", "DESKS")
        self.assertEqual((answer["status"], answer["code"]), ("refused", "R210"))

    def test_without_a_cluster_commands_say_so(self):
        served = self.serve("[ENGINE]\nmanagement_server_port=-1\nmanagement_local_role=OPERATE\n\n[VENUE]\n"
                            "nic_address=127.0.0.1\naccept_port=0\n" + serve_fixture.ServeTest.session(self, "S"))
        self.served["S"] = served
        self.assertEqual(self.ask("S", "get_replication")["rows"], [])
        self.assertEqual(self.ask("S", "promote", "DESKS")["code"], "E309")


class Paused(failover_fixture.FailoverTest):
    def test_a_primary_that_was_paused_steps_down(self):
        self.start_all()
        self.wait_for_pair()
        self.served["A"].tell(signal.SIGSTOP)
        self.wait_for("B", role="primary")
        self.served["A"].tell(signal.SIGCONT)
        self.wait_for("A", role="standby", primary="B")
        self.wait_for_pair("B")


if __name__ == "__main__":
    unittest.main()
