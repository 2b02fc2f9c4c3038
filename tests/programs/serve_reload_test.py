#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SIGHUP to `affix serve`: its file taken over while sessions trade, or refused as a whole."""

import os
import signal
import socket
import sys
import unittest

from serve_fixture import TIMEOUT, ServeTest

ServeTest.affix = sys.argv.pop(1)


class Reload(ServeTest):
    def started(self, text):
        self.notices = self.manager()
        served = self.serve(text, NOTIFY_SOCKET=self.notices.path)
        self.notices.wait("READY=1")
        return served

    def reload(self, served, text):
        """The file says `text` now. Returns the notice to the service manager at the end of the reload."""
        self.write("serve.ini", text)
        served.tell(signal.SIGHUP)
        self.notices.wait("RELOADING=1")
        return self.notices.wait("READY=1").split("STATUS=")[1]

    def newcomer(self, port, name):
        """Logs on as soon as the session is there: it comes with the next turn of its worker."""
        while True:
            peer = self.peer(port, name, log_on=False)
            peer.send("A", [(98, 0), (108, 30), (141, "Y")])
            if peer.next_message() is not None:
                return peer

    def test_a_new_session_trades_and_those_that_are_up_do_not_notice(self):
        served = self.started(self.server(self.session("OLD")))
        old = self.peer(served.port, "OLD")
        self.echoed(old, "ONE")
        self.assertEqual(self.reload(served, self.server(self.session("OLD"), self.session("NEW"))), "running")
        new = self.newcomer(served.port, "NEW")
        self.echoed(new, "FIRST")
        old.order("TWO")
        # The very next message: nothing else was said to it meanwhile.
        echo = dict(old.next_message())
        self.assertEqual((echo[35], echo[11], echo[34]), ("D", "TWO", "3"))
        self.assertRegex(self.read("log"), r"INFO +E209 NEW: reload: ")
        self.assertNotRegex(self.read("log"), r"OLD: reload: ")
        new.log_out()
        old.log_out()
        self.assertEqual(served.stop(), 0)

    def test_a_session_that_goes_is_logged_out_and_the_others_stay(self):
        served = self.started(self.server(self.session("STAYS"), self.session("GOES")))
        stays, goes = self.peer(served.port, "STAYS"), self.peer(served.port, "GOES")
        self.reload(served, self.server(self.session("STAYS")))
        goes.wait("5")
        goes.send("5")
        self.assertEqual(goes.ended(), [])
        self.echoed(stays, "ONE")
        stays.log_out()
        self.assertEqual(served.stop(), 0)

    def test_a_wrong_file_is_reported_whole_and_changes_nothing(self):
        text = self.server(self.session("OLD"))
        served = self.started(text)
        old = self.peer(served.port, "OLD")
        status = self.reload(served, self.server(self.session("OLD", more="heartbeat_interval_seconds=often"),
                                                 self.session("NEW", more="colour=red")))
        self.assertIn("refused", status)
        self.echoed(old, "ONE")
        log = self.read("log")
        for word in ("heartbeat_interval_seconds", "colour"):
            self.assertRegex(log, rf"ERROR +C\d+ reload: .*serve\.ini:\d+: .*{word}")
        self.assertRegex(log, r"ERROR +E208 ")
        stranger = self.peer(served.port, "NEW", log_on=False)
        stranger.send("A", [(98, 0), (108, 30)])
        self.assertIsNone(stranger.next_message())
        # Mended, it is taken.
        self.assertEqual(self.reload(served, self.server(self.session("OLD"), self.session("NEW"))), "running")
        self.newcomer(served.port, "NEW").log_out()
        old.log_out()
        self.assertEqual(served.stop(), 0)

    def test_a_key_that_cannot_change_refuses_the_whole_reload(self):
        served = self.started(self.server(self.session("OLD")))
        for changed, words in ((self.server(self.session("OLD"), self.session("NEW"), more="rx_buffer_capacity=65536"),
                                "cannot be changed while the engine runs"),
                               (self.server("[APPLICATION]\napplication=DROP_COPY\ndrop_copy_to=NEW\n",
                                            self.session("OLD"), self.session("NEW")),
                                "[APPLICATION]: key 'application' cannot be changed while it runs"),
                               (self.server(self.session("OLD"), self.session("NEW", more="callback_thread=1")),
                                "callback_thread=1 does not go with application ECHO")):
            with self.subTest(words=words):
                self.assertIn("refused", self.reload(served, changed))
                self.assertIn(words, self.read("log"))
                stranger = self.peer(served.port, "NEW", log_on=False)
                stranger.send("A", [(98, 0), (108, 30)])
                self.assertIsNone(stranger.next_message())
        self.assertEqual(served.stop(), 0)

    def test_files_that_are_wrong_in_any_way_change_nothing(self):
        served = self.started(self.server(self.session("OLD")))
        old = self.peer(served.port, "OLD")
        self.write("broken.xml", "<fix>\n<header></fix>\n")
        self.write("loop.ini", f"include={self.path('loop.ini')}\n")
        wrong = ["dictionary=" + self.path("broken.xml"), "dictionary=" + self.path("absent"), "dictionary=" + self.directory,
                 "include=" + self.path("loop.ini"), "include=" + self.path("absent"), "logon_username=${AFFIX_TEST_UNSET}",
                 "schedule_windows=08:00-17:00\nschedule_time_zone=Mars/Base", "schedule_windows=MON 08:00-17:00,MON 09:00-10:00",
                 "schedule_windows=MON 08:00-17:00\nschedule_logon_windows=TUE 08:00-09:00", "start_hour_utc=8", "heartbeat_interval_seconds=5KiB",
                 "heartbeat_interval_seconds=1\nheartbeat_interval_seconds=1", "additional_static_header_tags=34=1", "instance=NOBODY",
                 "daily_reset_utc=25:00", "[OLD]\nbegin_string=FIX.4.4", "[BROKEN", "x" * 70_000, "\x01\x02\x7f", "journal_path="]
        for lines in wrong:
            new = self.session("NEW", more=lines)
            if lines.startswith("journal_path"):
                new = new.replace(f"journal_path={self.directory}/journal\n", "")
            with self.subTest(lines=lines[:60]):
                status = self.reload(served, self.server(self.session("OLD", more="logout_timeout_seconds=7"), new))
                self.assertIn("refused", status)
                self.echoed(old, "STILL")
        for text in ("", "# nothing\n", "\x00\x01\x02"):
            self.assertIn("refused", self.reload(served, text))
        self.echoed(old, "LAST")
        self.assertEqual(os.listdir(self.path("journal")), ["FIX.4.4-US-OLD"])
        self.assertNotIn("reload: changed", self.read("log"))
        self.assertEqual(self.read("log").count("reload: refused, nothing has changed"), len(wrong) + 3)
        old.log_out()
        self.assertEqual(served.stop(), 0)

    def test_a_key_without_effect_is_reported_at_a_reload_too(self):
        served = self.started(self.server(self.session("OLD")))
        self.assertEqual(self.reload(served, self.server(self.session("OLD"), self.session("NEW", more="sequence_store_file_path=x"))), "running")
        self.assertRegex(self.read("log"), "WARNING C208 reload: .*key 'sequence_store_file_path' has no effect")
        self.assertEqual(served.stop(), 0)

    def test_a_file_that_is_gone_changes_nothing(self):
        served = self.started(self.server(self.session("OLD")))
        os.remove(self.path("serve.ini"))
        served.tell(signal.SIGHUP)
        self.notices.wait("READY=1")
        self.echoed(self.peer(served.port, "OLD"), "ONE")
        self.assertRegex(self.read("log"), r"ERROR +[A-Z]\d+ reload: .*serve\.ini")

    def test_the_log_moves_and_its_level_changes(self):
        text = self.server(self.session("OLD"))
        served = self.started(text)
        self.reload(served, text.replace(f"log_file={self.path('log')}", f"log_file={self.path('log2')}\nlog_level=ERROR"))
        self.peer(served.port, "OLD").log_out()
        self.assertEqual(served.stop(), 0)
        self.assertEqual(self.read("log2"), "")
        self.assertNotIn("SIGTERM", self.read("log"))

    def test_a_log_that_was_moved_away_is_opened_anew_and_nothing_is_reloaded(self):
        served = self.started(self.server(self.session("OLD")))
        self.write("serve.ini", "nonsense")
        os.rename(self.path("log"), self.path("log.1"))
        served.tell(signal.SIGUSR1)
        while not os.path.exists(self.path("log")) or "SIGUSR1" not in self.read("log"):
            pass
        self.echoed(self.peer(served.port, "OLD"), "ONE")
        self.assertNotIn("nonsense", self.read("log"))
        self.assertNotIn("reload", self.read("log") + self.read("log.1"))
        self.assertEqual(served.stop(), 0)
        self.assertIn("SIGTERM", self.read("log"))

    def test_an_operator_opens_log_and_audit_trail_anew(self):
        served = self.started(self.server(self.session("OLD"), engine="management_server_port=-1\n"
                                          f"management_local_role=OPERATE\naudit_file={self.path('audit')}"))
        for name in ("log", "audit"):
            os.rename(self.path(name), self.path(name + ".1"))
        with socket.create_connection(("127.0.0.1", served.administration), TIMEOUT) as desk:
            desk.sendall(b"reopen_log\nquit\n")
            answers = b"".join(iter(lambda: desk.recv(4096), b"")).decode()
        self.assertEqual(answers.splitlines()[0], f"done: the log goes on in {self.path('log')}")
        self.assertIn("reopen_log", self.read("audit"))
        peer = self.peer(served.port, "OLD")
        self.echoed(peer, "ONE")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertIn("SIGTERM", self.read("log"))
        self.assertNotIn("SIGTERM", self.read("log.1"))

    def test_reloads_can_be_switched_off_while_it_runs(self):
        text = self.server(self.session("OLD"))
        served = self.started(text)
        self.reload(served, text.replace("[ENGINE]", "[ENGINE]\nignore_sighup=true"))
        self.write("serve.ini", "nonsense")
        served.tell(signal.SIGHUP)
        peer = self.peer(served.port, "OLD")
        self.echoed(peer, "ONE")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertTrue(self.notices.next().startswith("STOPPING=1"))
        self.assertNotIn("nonsense", self.read("log"))

    def test_routes_follow(self):
        def routed(to, *names):
            return self.server(f"[APPLICATION]\napplication=ROUTER\n[ROUTE]\nroute_from=DESK\nroute_to={to}\n",
                               *map(self.session, ("DESK", *names)))
        served = self.started(routed("A", "A"))
        desk, a = self.peer(served.port, "DESK"), self.peer(served.port, "A")
        desk.order("ONE")
        self.assertEqual(a.wait("D")[11], "ONE")
        self.assertEqual(self.reload(served, routed("B", "A", "B")), "running")
        desk.order("TWO")
        # B is not there yet, and A is no more the place for it.
        self.assertEqual(desk.wait("j")[58], "B cannot be reached")
        b = self.newcomer(served.port, "B")
        desk.order("THREE")
        self.assertEqual(b.wait("D")[11], "THREE")
        self.assertEqual(self.reload(served, routed("A", "A")), "running")
        b.wait("5")
        b.send("5")
        b.ended()
        desk.order("FOUR")
        self.assertEqual(a.wait("D")[11], "FOUR")
        # By its name it is not found either, as soon as it is gone for good.
        while True:
            desk.order("FIVE", header=[(128, "B")])
            desk.send("1", [(112, "DONE")])
            if dict(desk.next_message())[35] == "0":
                break
            desk.wait("0")
        self.assertEqual(a.wait("D")[11], "FIVE")

    def test_receivers_of_copies_follow(self):
        def copied(to, *names):
            return self.server(f"[APPLICATION]\napplication=DROP_COPY\ndrop_copy_to={to}\n",
                               *map(self.session, ("DESK", *names)))
        served = self.started(copied("A", "A"))
        desk, a = self.peer(served.port, "DESK"), self.peer(served.port, "A")
        self.reload(served, copied("A,B", "A", "B"))
        b = self.newcomer(served.port, "B")
        desk.order("ONE")
        self.assertEqual((a.wait("D")[11], b.wait("D")[11]), ("ONE", "ONE"))
        self.reload(served, copied("B", "A", "B"))
        a.order("FROM_A")
        self.assertEqual(b.wait("D")[11], "FROM_A")


if __name__ == "__main__":
    unittest.main()
