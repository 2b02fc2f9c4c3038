#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix-monitor` beside `affix serve`: its numbers are the journals', it outlives the engine, and it does nothing for
whoever may not ask."""

import gzip
import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import unittest
from pathlib import Path

import monitor_fixture
from monitor_fixture import OPERATE_TOKEN, READ_TOKEN
from program_fixture import until

AFFIX = sys.argv.pop(1)
MONITOR = AFFIX + "-monitor"
monitor_fixture.MonitorTest.affix = AFFIX
ROOT = Path(__file__).resolve().parents[2]
DICTIONARY = f"dictionary={ROOT / 'dictionaries/FIX44.xml'}\n"
NOW = (60, "20260131-12:00:00")
PARTY = [(453, 2), (448, "TRADER"), (447, "D"), (452, 11), (448, "DESK"), (447, "D"), (452, 24)]


class Sight(monitor_fixture.MonitorTest):
    def test_numbers_agree_with_the_journals(self):
        served = self.serve(self.venue("A", "B"))
        monitor = self.start_monitor()
        peers = {name: self.peer(served.port, name) for name in ("A", "B")}
        for number in range(40):
            self.echoed(peers["A"], f"A-{number}")
        self.echoed(peers["B"], "B-0")
        until("the counters", lambda: monitor.session("A")["counters"]["messages_sent"] == 41)
        state = monitor.get("/api/state")
        self.assertEqual(state["engine"]["status"], "up")
        self.assertEqual(state["engine"]["pid"], served.process.pid)
        self.assertEqual(state["engine"]["name"], "serve")
        self.assertFalse(state["monitor"]["operate"])
        self.assertEqual(len(state["workers"]), 1)
        entries = self.journal()
        for session in state["sessions"]:
            name = session["name"]
            own = [entry for entry in entries if entry["session"].endswith(f"->{name}")]
            own = [entry for entry in own if entry["kind"] == "message"]
            sent = [entry for entry in own if entry["direction"] == "out"]
            received = [entry for entry in own if entry["direction"] == "in"]
            self.assertEqual(session["state"], "logged on")
            self.assertEqual(session["schedule"], "always")
            self.assertEqual(session["role"], "acceptor")
            self.assertEqual(session["counters"]["messages_sent"], len(sent), name)
            self.assertEqual(session["counters"]["messages_received"], len(received), name)
            self.assertEqual(session["next_outgoing"], sent[-1]["sequence"] + 1)
            self.assertEqual(session["next_expected"], received[-1]["sequence"] + 1)
            listed = monitor.messages(session=name, session_messages=1, limit=7)
            self.assertEqual(len(listed), len(own))
            self.assertEqual([(one["seq"], one["direction"], one["type"]) for one in reversed(listed)],
                             [(entry["sequence"], entry["direction"], entry["type"]) for entry in own])
            times = [one["time_ns"] for one in listed]
            self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual(len(monitor.messages(session_messages=1, events=1, limit=500)), len(entries))
        self.assertGreater(state["disks"][0]["free_bytes"], 0)

    def test_messages_are_found_by_their_fields(self):
        served = self.serve(self.venue("A", session_more=DICTIONARY))
        peer = self.peer(served.port, "A")
        for number in range(5):
            peer.order(f"O-{number}", NOW, (58, f"note {number}"))
            peer.wait("D")
        peer.order("GROUPS", NOW, *PARTY)
        peer.wait("D")
        monitor = self.start_monitor()
        found = monitor.messages(clordid="O-3")
        self.assertEqual([one["direction"] for one in found], ["out", "in"])
        self.assertEqual(found[0]["summary"]["ClOrdID"], "O-3")
        self.assertEqual(found[0]["summary"]["Side"], "Buy")
        self.assertEqual(found[0]["name"], "NewOrderSingle")
        self.assertEqual(len(monitor.messages(clordid="O-3", direction="in")), 1)
        self.assertEqual(len(monitor.messages(text="note 4")), 2)
        self.assertEqual(len(monitor.messages(type="A")), 2)
        self.assertEqual(len(monitor.messages(type="NewOrderSingle", symbol="IBM", tag=["58~note", "54=Buy"])), 10)
        self.assertEqual(monitor.messages(symbol="MSFT"), [])
        middle = monitor.messages(clordid="O-2", direction="in")[0]
        later = monitor.messages(**{"from": middle["time"], "type": "D", "direction": "in"})
        self.assertEqual([one["summary"]["ClOrdID"] for one in later], ["GROUPS", "O-4", "O-3", "O-2"])
        earlier = monitor.messages(to=middle["time_ns"], type="D", direction="in")
        self.assertEqual([one["summary"]["ClOrdID"] for one in earlier], ["O-2", "O-1", "O-0"])
        whole = monitor.get("/api/message", id=monitor.messages(clordid="GROUPS", direction="in")[0]["id"])
        fields = [(one["tag"], one["name"], one["depth"], one.get("entry"), one["part"]) for one in whole["fields"]]
        at = [tag for tag, *_ in fields].index(453)
        self.assertEqual(fields[at:at + 5], [(453, "NoPartyIDs", 0, None, "body"), (448, "PartyID", 1, 1, "body"),
                                             (447, "PartyIDSource", 1, 1, "body"), (452, "PartyRole", 1, 1, "body"),
                                             (448, "PartyID", 1, 2, "body")])
        self.assertEqual(fields[0], (8, "BeginString", 0, None, "header"))
        self.assertEqual(fields[-1][4], "trailer")
        self.assertEqual(whole["fields"][2]["meaning"], "NewOrderSingle")
        self.assertIn("|11=GROUPS|", whole["raw"])

    def test_a_reject_leads_to_its_message(self):
        served = self.serve(self.venue("A", session_more=DICTIONARY))
        peer = self.peer(served.port, "A")
        peer.order("GOOD", NOW)
        peer.wait("D")
        peer.send("D", [(11, "BAD"), (55, "IBM"), (54, "Q"), (38, 100), (40, 1), NOW])
        peer.wait("3")
        monitor = self.start_monitor()
        problems = monitor.messages(problems=1)
        self.assertEqual([one["type"] for one in problems], ["3"])
        self.assertTrue(problems[0]["problem"])
        self.assertEqual(problems[0]["reason"], "Value is incorrect (out of range) for this tag: Side (54)")
        whole = monitor.get("/api/message", id=problems[0]["id"])
        bad = monitor.get("/api/message", id=whole["rejects"])
        self.assertEqual(bad["summary"]["ClOrdID"], "BAD")
        self.assertEqual(bad["rejected_by"], problems[0]["id"])
        self.assertTrue(bad["problem"])
        self.assertEqual(bad["reason"], problems[0]["reason"])
        listed = {one["id"]: one for one in monitor.messages()}
        self.assertEqual(listed[problems[0]["id"]]["rejects"], bad["id"])
        self.assertEqual(listed[bad["id"]]["rejected_by"], problems[0]["id"])
        self.assertEqual(sum(one["problem"] for one in listed.values()), 2)
        until("the alert", lambda: any(alert["kind"] == "rejects" and alert["session"] == "A"
                                       for alert in monitor.get("/api/alerts")["current"]) or
              monitor.session("A")["counters"]["rejects_sent"] == 1)

    def test_an_order_is_followed_over_its_replacements(self):
        served = self.serve(self.venue("A", "B"))
        peer, other = self.peer(served.port, "A"), self.peer(served.port, "B")
        peer.order("ONE")
        peer.wait("D")
        self.echoed(other, "OTHER")
        peer.send("G", [(11, "TWO"), (41, "ONE"), (55, "IBM"), (54, 1), (38, 50), (40, 1)])
        peer.wait("G")
        peer.send("8", [(37, "X1"), (11, "TWO"), (17, "E1"), (150, 2), (39, 2), (55, "IBM"), (54, 1), (151, 0), (14, 50),
                        (6, 10.5)])
        peer.wait("8")
        monitor = self.start_monitor()
        for name in ("ONE", "TWO"):
            order = monitor.order(clordid=name)
            self.assertEqual(sorted(order["names"]), ["ONE", "TWO"])
            self.assertEqual([step["type"] for step in order["steps"]], ["D", "D", "G", "G", "8", "8"])
            self.assertEqual(order["sessions"], ["A"])
            self.assertEqual((order["status"], order["status_name"], order["cum_qty"]), ("2", "Filled", "50"))
            self.assertEqual(order["steps"][0]["since_previous_ns"], 0)
            self.assertEqual(sum(step["since_previous_ns"] for step in order["steps"]),
                             order["last_ns"] - order["first_ns"])
        near = monitor.order(clordid="TWO", near=order["steps"][2]["id"])
        self.assertEqual(near["steps"], order["steps"])
        self.assertEqual(monitor.order(clordid="NOBODY")["steps"], [])

    def test_history_is_kept(self):
        served = self.serve(self.venue("A"))
        monitor = self.start_monitor()
        peer = self.peer(served.port, "A")

        def known():
            return [each for each in monitor.get("/api/history", counter="messages_received")["per_s"] if each is not None]
        until("two looks", lambda: len(known()) >= 2)
        before = sum(known())
        for number in range(200):
            self.echoed(peer, f"H-{number}")
        until("the history", lambda: sum(known()) - before >= 150)
        history = until("latencies", lambda: next(
            (each for each in [monitor.get("/api/history", session="A", latency="callback", seconds=60)]
             if sum(count or 0 for count in each["count"]) > 0), None))
        at = next(index for index, count in enumerate(history["count"]) if count)
        self.assertGreater(history["p50"][at], 0)
        self.assertGreaterEqual(history["max"][at], history["p50"][at])
        self.assertEqual(len(history["times_ns"]), len(history["p99"]))
        self.assertRegex(monitor.refused("/api/history", 400, counter="state"), r"'state' \[M122\]")
        monitor.refused("/api/history", 404, session="NOBODY", counter="logons")


class Stopped(monitor_fixture.MonitorTest):
    """The kill switch, by its scope: whatever an operator reads says that it was thrown, and when it is undone."""

    def metrics(self):
        _, _, body = self.monitor.request("/metrics")
        return dict(line.rsplit(" ", 1) for line in body.decode().splitlines() if "sending_stopped" in line and line[0] != "#")

    def shown(self):
        state = self.monitor.get("/api/state")
        engine = state["engine"]
        sessions = [one["name"] for one in state["sessions"] if one["sending_stopped"]]
        for one in state["sessions"]:
            self.assertEqual(one["counters"]["sending_stopped"], int(one["sending_stopped"]))
        self.assertEqual(engine["instances_stopped"], len(engine["stopped_instances"]))
        return engine["sending_stopped"], engine["stopped_instances"], sessions

    def top(self):
        done = subprocess.run([AFFIX, "top", self.path("serve.ini"), "--once", "--interval", "0"], capture_output=True,
                              text=True, timeout=monitor_fixture.TIMEOUT, check=True)
        return done.stdout

    def test_is_shown_and_so_is_its_end(self):
        served = self.serve(self.venue("A", "B"))
        self.monitor = monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}")
        self.peer(served.port, "A")
        nothing = (False, [], [])
        self.assertEqual(self.shown(), nothing)
        instance = monitor.session("A")["instance"]
        keys = ("affix_sending_stopped", f'affix_instance_sending_stopped{{instance="{instance}"}}',
                'affix_session_sending_stopped{session="A"}', 'affix_session_sending_stopped{session="B"}')
        self.assertEqual(self.metrics(), dict.fromkeys(keys, "0"))
        self.assertNotIn("STOPPED", self.top())
        for scope, wanted, numbers, line in (
                ("A", (False, [], ["A"]), "0010", "STOPPED by an operator: 1 of 2 sessions"),
                (instance, (False, [instance], ["A", "B"]), "0111", f"STOPPED by an operator: of {instance}, 2 of 2 sessions"),
                ("engine", (True, [], ["A", "B"]), "1011", "STOPPED by an operator: of the whole engine, 2 of 2 sessions")):
            self.assertEqual(monitor.act("kill", arguments=[scope])[1]["status"], "done")
            until(f"kill {scope}", lambda wanted=wanted: self.shown() == wanted)
            self.assertEqual(self.metrics(), dict(zip(keys, numbers)))
            table = self.top()
            self.assertIn("SENDING " + line, table)
            rows = {row.split()[0]: row for row in table.splitlines()}
            self.assertIn(" on, STOPPED ", rows["A"])
            self.assertIn(" off, STOPPED " if "B" in wanted[2] else " disconnected ", rows["B"])
            self.assertEqual(monitor.act("resume", arguments=[scope])[1]["status"], "done")
            until(f"resume {scope}", lambda: self.shown() == nothing)
        self.assertEqual(monitor.act("kill", arguments=["engine"])[1]["status"], "done")
        self.assertEqual(monitor.act("resume", arguments=["B"])[1]["status"], "done")
        until("one that is let go on", lambda: self.shown() == (True, [], ["A"]))
        self.assertIn("of the whole engine, 1 of 2 sessions", self.top())
        for wanted in ("stopped", "LOGGED"):
            rows = subprocess.run([AFFIX, "top", self.path("serve.ini"), "--once", "--interval", "0", "--filter", wanted],
                                  capture_output=True, text=True, timeout=monitor_fixture.TIMEOUT, check=True).stdout
            self.assertIn("\nA ", rows)
            self.assertNotIn("\nB ", rows)


class Connections(monitor_fixture.MonitorTest):
    """With whom a session is connected, who ended that and why, and who disabled it: in the monitor and in `affix top`."""

    def top(self, *options):
        done = subprocess.run([AFFIX, "top", self.path("serve.ini"), "--interval", "0", *options], capture_output=True,
                              text=True, timeout=monitor_fixture.TIMEOUT, check=True)
        return done.stdout

    def row(self, name):
        lines = self.top("--once").splitlines()
        return next(line for line in lines if line.startswith(name + " "))

    def test_peers_ends_and_the_operator_of_a_disabled_session_are_shown(self):
        served = self.serve(self.venue("A", "B"))
        monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}", "--alert-session-down", "0")
        peer = self.peer(served.port, "A")
        shown = until("the peer", lambda: monitor.session("A")["peer"] and monitor.session("A"))
        self.assertRegex(shown["peer"], r"^127\.0\.0\.1:\d+$")
        self.assertEqual((shown["last_end"], shown["disabled_by"]), ("", ""))
        self.assertGreater(shown["counters"]["last_logon"], 0)
        self.assertIn(shown["peer"], self.row("A"))
        self.assertIn("US > A", self.row("A"))
        self.assertEqual(len(self.top("--once", "--filter", shown["peer"]).splitlines()), 4)
        peer.log_out()
        ended = until("its end", lambda: monitor.session("A")["last_end"] and monitor.session("A"))
        self.assertEqual(ended["peer"], "")
        self.assertRegex(ended["last_end"], "^ended by the peer: ")
        self.assertGreaterEqual(ended["counters"]["last_disconnect"], ended["counters"]["last_logon"])
        self.assertIn(ended["last_end"], self.row("A"))
        until("the alert", lambda: any(one["session"] == "A" for one in monitor.get("/api/alerts")["current"]))
        status, answer = monitor.act("disable_session", session="A", arguments=["maintenance"])
        self.assertEqual((status, answer["status"]), (200, "done"), answer)
        disabled = until("disabled", lambda: monitor.session("A")["state"] == "disabled" and monitor.session("A"))
        self.assertRegex(disabled["disabled_by"], r"^by operator at 127\.0\.0\.1:\d+: maintenance$")
        self.assertGreater(disabled["counters"]["disabled_since"], 0)
        self.assertRegex(self.row("A"), r" disabled .*disabled for \d+s, .*maintenance")
        self.assertEqual([one for one in monitor.get("/api/alerts")["current"] if one["session"] == "A"], [])
        reported = json.loads(self.top("--json"))["sessions"]
        self.assertEqual(next(one["disabled_by"] for one in reported if one["name"] == "A"), disabled["disabled_by"])
        self.assertEqual(monitor.act("enable_session", session="A")[1]["status"], "done")
        until("enabled", lambda: monitor.session("A")["disabled_by"] == "" and monitor.session("A")["state"] == "disconnected")


class Facts(monitor_fixture.MonitorTest):
    """A session's effective configuration and when its schedule opens and closes."""

    ADDED = "begin_string=FIX.4.4|sender_comp_id=ME|target_comp_id=LATE|journal_path={}|schedule_windows=08:00-17:00"

    def values(self, facts):
        return {one["key"]: (one["value"], one["said"]) for one in facts["configuration"]}

    def test_are_the_engines_own_and_hold_no_secret(self):
        served = self.serve(self.venue("A", session_more="schedule_windows=MON-SUN 00:00-24:00\nschedule_time_zone=Asia/Tokyo\n"
                                       "logon_username=me\nlogon_password=hunter2hunter2\n"))
        monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}")
        facts = monitor.get("/api/session", session="A")
        self.assertEqual((facts["source"], facts["problem"]), ("engine", ""))
        values = self.values(facts)
        self.assertEqual(values["logon_username"], ("me", True))
        self.assertEqual(values["logon_password"], ("...", True))
        self.assertFalse(values["send_queue_max"][1])
        self.assertNotIn("hunter2", json.dumps(facts))
        schedule = facts["schedule"]
        self.assertEqual((schedule["open"], schedule["always"], schedule["zone"]), (True, False, "Asia/Tokyo"))
        self.assertRegex(schedule["closes"], "T15:00:00")
        self.assertRegex(schedule["closes_local"], " 00:00:00$")
        self.assertEqual(monitor.act("disable_session", session="A")[1]["status"], "done")
        self.assertEqual(self.values(monitor.get("/api/session", session="A"))["enabled"], ("false", True))
        served.stop()
        until("the end", lambda: monitor.get("/api/state")["engine"]["status"] == "ended")
        facts = monitor.get("/api/session", session="A")
        self.assertEqual((facts["source"], facts["problem"]), ("file", "the engine does not run [M110]"))
        self.assertEqual(self.values(facts)["logon_password"], ("...", True))
        self.assertNotIn("hunter2", json.dumps(facts))

    def test_without_a_token_where_one_is_needed_are_the_files(self):
        self.serve(self.venue("A", more="management_local_role=NONE\n"))
        monitor = self.start_monitor("--admin", f"127.0.0.1:{self.admin_port}")
        self.assertEqual(monitor.request("/api/session?session=A")[0], 401)
        status, _, body = monitor.request("/api/session?session=A", Authorization="Bearer " + READ_TOKEN)
        self.assertEqual((status, json.loads(body)["source"]), (200, "engine"))

    def test_of_a_session_that_was_added_are_known(self):
        self.serve(self.venue("A", more="added_sessions_max=4\n"))
        monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}")
        status, answer = monitor.act("add_session", arguments=["LATE", *self.ADDED.format(self.path("journal")).split("|")])
        self.assertEqual((status, answer["status"]), (200, "done"), answer)
        until("the session", lambda: any(one["name"] == "LATE" for one in monitor.get("/api/state")["sessions"]))
        facts = monitor.get("/api/session", session="LATE")
        self.assertEqual(facts["source"], "engine", facts["problem"])
        self.assertEqual(self.values(facts)["schedule_windows"], ("08:00-17:00", True))
        self.assertFalse(facts["schedule"]["always"])
        self.assertGreater(facts["schedule"]["opens_ns"], 0)
        monitor.refused("/api/session", 404, session="NOBODY")


class Handled(monitor_fixture.MonitorTest):
    """Alerts that operators acknowledge and silence."""

    def start(self, *options, **more):
        return self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}", "--alert-session-down", "0",
                                  *options, **more)

    def alert(self, monitor, session):
        return next((one for one in monitor.get("/api/alerts")["current"] if one["session"] == session), None)

    def test_is_shown_survives_the_monitor_and_is_written_down(self):
        users = self.path("users")
        Path(users).write_text("ann OPERATE anns-token-of-sixteen\nbob READ bobs-token-of-sixteen\n", encoding="ascii")
        Path(users).chmod(0o600)
        log = self.path("reported")
        program = self.write("tell", f"#!/bin/sh\necho \"$*\" >> {log}\n")
        Path(program).chmod(0o755)
        served = self.serve(self.venue("A", "B", more=f"management_users_file={users}\naudit_file={self.path('audit')}\n"))
        ann = "anns-token-of-sixteen"
        monitor = self.start()
        alert = until("the alert", lambda: self.alert(monitor, "A"))
        self.assertEqual((alert["acknowledged"], alert["silenced"]), (None, None))
        status, answer = monitor.handle("acknowledge", ann, id=alert["id"], comment="called <them>")
        self.assertEqual((status, answer["status"]), (200, "done"), answer)
        handled = self.alert(monitor, "A")["acknowledged"]
        self.assertEqual((handled["by"], handled["comment"]), ("ann", "called <them>"))
        self.assertEqual(monitor.handle("silence", ann, kind="session_down", session="B*", seconds=3600, comment="lunch")[0], 200)
        silenced = self.alert(monitor, "B")["silenced"]
        self.assertEqual(silenced["until_ns"] - silenced["at_ns"], 3600 * 10**9)
        until("the session's count", lambda: [(one["alerts"], one["alerts_open"]) for one in monitor.get("/api/state")["sessions"]]
              == [(1, 0), (1, 0)])
        _, _, metrics = monitor.request("/metrics")
        self.assertIn('affix_alerts{kind="session_down"} 2', metrics.decode())
        self.assertIn('affix_alerts_open{kind="session_down"} 0', metrics.decode())
        # A program that has them receives changes only, and a second more of both is not a change.
        now = monitor.get("/api/state")["time_ns"]
        later = until("the next look", lambda: (state := monitor.get("/api/state", alerts_changed_since_ns=now))["time_ns"] > now and state)
        self.assertEqual((later["alerts_only_changed"], later["alerts"], later["alerts_gone"]), (True, [], []))
        monitor.process.kill()
        monitor.process.wait()
        monitor = self.start("--alert-command", program)
        self.assertEqual(until("the alert again", lambda: self.alert(monitor, "A"))["acknowledged"]["comment"], "called <them>")
        alerts = monitor.get("/api/alerts")
        self.assertEqual([(one["by"], one["session"], one["kind"]) for one in alerts["silences"]], [("ann", "B*", "session_down")])
        self.assertEqual(self.alert(monitor, "B")["silenced"]["id"], alerts["silences"][0]["id"])
        # It is over, and begins anew.
        now = monitor.get("/api/state")["time_ns"]
        peer = self.peer(served.port, "A")
        until("its end", lambda: self.alert(monitor, "A") is None)
        gone = until("that it is gone", lambda: monitor.get("/api/state", alerts_changed_since_ns=now)["alerts_gone"])
        self.assertEqual(len(gone), 1)
        peer.log_out()
        self.assertIsNone(until("a new alert", lambda: self.alert(monitor, "A"))["acknowledged"])
        until("the program", lambda: Path(log).exists() and "raised session_down critical A" in Path(log).read_text())
        reported = Path(log).read_text()
        self.assertEqual(reported.count("session_down critical A"), 2, "that it was over, and that it began anew: " + reported)
        self.assertNotIn("critical B", reported)
        self.assertEqual(monitor.handle("end_silence", ann, id=alerts["silences"][0]["id"])[0], 200)
        until("the other", lambda: "raised session_down critical B" in Path(log).read_text())
        trail = self.read("audit")
        self.assertRegex(trail, r"A: operator ann at 127\.0\.0\.1: acknowledge session_down of A \(called <them>\): done: ")
        self.assertRegex(trail, r"operator ann at \S+: silence session_down of B\* until \S+Z \(lunch\): done: ")
        self.assertRegex(trail, r"operator ann at \S+: end silence 1, session_down of B\*: done: ")

    def test_needs_the_permission_of_other_actions(self):
        self.serve(self.venue("A"))
        looking = self.start_monitor("--alert-session-down", "0")
        alert = until("the alert", lambda: self.alert(looking, "A"))
        self.assertEqual(looking.handle("acknowledge", id=alert["id"])[0], 403)
        monitor = self.start()
        alert = until("the alert", lambda: self.alert(monitor, "A"))
        body = json.dumps({"act": "acknowledge", "id": alert["id"]})
        good = self.assert_asks_for_more_than_a_post(monitor, "/api/alert", body)
        self.assertIsNone(self.alert(monitor, "A")["acknowledged"])
        self.assertEqual(monitor.request("/api/alert", "POST", body, **good)[0], 200)

    def test_a_file_that_is_cut_or_anothers_is_refused_and_left(self):
        self.serve(self.venue("A"))
        monitor = self.start()
        alert = until("the alert", lambda: self.alert(monitor, "A"))
        self.assertEqual(monitor.handle("acknowledge", id=alert["id"])[0], 200)
        kept = Path(self.path("serve.alerts"))
        command = [MONITOR, self.path("serve.ini"), "--listen", "127.0.0.1:0", "--operate", "--admin",
                   f"127.0.0.1:{self.admin_port}"]
        second = subprocess.run(command, capture_output=True, text=True, timeout=monitor_fixture.TIMEOUT, check=False)
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr, rf"{re.escape(str(kept))}: .* \[M113\]")
        monitor.process.terminate()
        monitor.process.wait()
        whole = kept.read_bytes()
        kept.write_bytes(whole[:len(whole) // 2])
        refused = subprocess.run(command, capture_output=True, text=True, timeout=monitor_fixture.TIMEOUT, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, rf"{re.escape(str(kept))}: .* \[M112\]")
        self.assertEqual(kept.read_bytes(), whole[:len(whole) // 2])


class Several(monitor_fixture.MonitorTest):
    """One monitor for two engines, each with a session A of its own."""

    OTHER_TOKEN = "hands-on-the-other-one"

    def engine_text(self, name, *names, token="operate", more=""):
        text = self.venue(*names, more=more)
        for word in ("counters", "journal"):
            text = text.replace(self.path(word), self.path(f"{name}.{word}"))
        return text.replace(f"file:{self.path('operate')}", f"file:{self.path(token)}")

    def start_engine(self, name, *names, **options):
        served = self.serve(self.engine_text(name, *names, **options), name=f"{name}.ini")
        served.admin = f"127.0.0.1:{self.admin_port}"
        return served

    def start_monitor_of(self, *options, **engines):
        process = subprocess.Popen(
            [MONITOR, *(self.path(f"{name}.ini") for name in engines), "--listen", "127.0.0.1:0", "--operate",
             *(word for name, served in engines.items() for word in ("--admin", f"{name}={served.admin}")), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        line = process.stdout.readline()
        self.assertRegex(line, "^monitor on ", process.stderr.read() if not line else "")
        process.stdout.readline()
        return monitor_fixture.Monitor(process, int(line.rsplit(":", 1)[1]))

    def names(self, state):
        return [(one["engine"], one["name"], one["state"]) for one in state["sessions"]]

    def test_engines_stand_beside_each_other_and_none_hides_another(self):
        one, two = self.start_engine("one", "A", "B"), self.start_engine("two", "A")
        log = self.path("reported")
        program = self.write("tell", f"#!/bin/sh\necho \"$*\" >> {log}\n")
        Path(program).chmod(0o755)
        monitor = self.start_monitor_of("--alert-engine-down", "0", "--alert-session-down", "0", "--alert-command", program,
                                        one=one, two=two)
        peers = {name: self.peer(served.port, "A") for name, served in (("one", one), ("two", two))}
        self.echoed(peers["one"], "ONE-1")
        self.echoed(peers["two"], "TWO-1")
        state = until("both", lambda: (state := monitor.get("/api/state"))["sessions"][0]["state"] == "logged on" and
                      state["sessions"][2]["state"] == "logged on" and state)
        self.assertEqual(self.names(state), [("one", "one:A", "logged on"), ("one", "one:B", "disconnected"),
                                             ("two", "two:A", "logged on")])
        self.assertIsNone(state["engine"])
        self.assertEqual([(one["name"], one["status"], one["sessions_up"], one["sessions"]) for one in state["engines"]],
                         [("one", "up", 1, 2), ("two", "up", 1, 1)])
        # A filter by engine; and what one names.
        self.assertEqual(self.names(monitor.get("/api/state", engine="two")), [("two", "two:A", "logged on")])
        self.assertEqual(monitor.get("/api/state", engine="two")["engine"]["name"], "two")
        self.assertRegex(monitor.refused("/api/state", 404, engine="three"), r"'three' \[M128\]")
        found = monitor.messages(type="D", direction="in")
        self.assertEqual({(one["session"], one["summary"]["ClOrdID"]) for one in found}, {("one:A", "ONE-1"), ("two:A", "TWO-1")})
        self.assertEqual({one["session"] for one in monitor.messages(engine="one", type="D")}, {"one:A"})
        self.assertEqual(monitor.get("/api/message", id=found[0]["id"])["session"], found[0]["session"])
        self.assertEqual(monitor.order(clordid="TWO-1")["sessions"], ["two:A"])
        self.assertEqual(monitor.get("/api/session", session="two:A")["source"], "engine")
        monitor.refused("/api/session", 404, session="A")
        self.assertEqual(monitor.get("/api/history", session="one:A", counter="logons")["session"], "one:A")
        self.assertIn("`engine` must name the engine of the sessions", monitor.refused("/api/history", 400, counter="logons"))
        # Acts go to the right one.
        status, answer = monitor.act("kill", arguments=["engine"])
        self.assertEqual(status, 400)
        self.assertIn("`engine` must name one of the engines", answer["error"])
        self.assertEqual(monitor.act("kill", engine="two", arguments=["engine"])[1]["status"], "done")
        until("the switch", lambda: [one["sending_stopped"] for one in monitor.get("/api/state")["engines"]] == [False, True])
        self.assertEqual(monitor.act("resume", engine="two", arguments=["engine"])[1]["status"], "done")
        self.assertEqual(monitor.act("logout", session="two:A", arguments=["go"])[1]["status"], "done")
        peers["two"].wait("5")
        self.echoed(peers["one"], "ONE-2")
        # Alerts name the engine.
        alert = until("the alert", lambda: next((one for one in monitor.get("/api/alerts")["current"]
                                                 if one["session"] == "one:B"), None))
        self.assertEqual(alert["engine"], "one")
        self.assertEqual(monitor.handle("acknowledge", engine="two", id=alert["id"])[0], 404, "it is no alert of that one")
        self.assertEqual(monitor.handle("acknowledge", id=alert["id"])[0], 400)
        self.assertEqual(monitor.handle("acknowledge", engine="one", id=alert["id"])[0], 200)
        until("the program", lambda: Path(log).exists() and "raised session_down critical B " in Path(log).read_text())
        self.assertRegex(Path(log).read_text(), r"raised session_down critical B .* one\n")
        # One goes: the other is as it was, and what is gone says so, since when.
        two.stop(signal.SIGKILL)
        state = until("it is gone", lambda: (state := monitor.get("/api/state"))["engines"][1]["status"] == "killed" and state)
        self.assertGreater(state["engines"][1]["status_since_ns"], 0)
        self.assertEqual(state["engines"][0]["status"], "up")
        self.assertEqual(self.names(state)[0], ("one", "one:A", "logged on"))
        alert = until("its alert", lambda: next((one for one in monitor.get("/api/alerts")["current"]
                                                 if one["kind"] == "engine_down"), None))
        self.assertEqual((alert["engine"], alert["session"]), ("two", ""))
        since = state["time_ns"]
        self.echoed(peers["one"], "ONE-3")
        until("what has changed", lambda: "one:A" in [one["name"] for one in monitor.get(
            "/api/state", changed_since_ns=since)["sessions"]])
        self.assertEqual(len(monitor.messages(engine="two", type="D", direction="in")), 1, "its journals can be read")
        self.assertEqual(monitor.act("logout", session="two:A")[0], 503)
        status, _, body = monitor.request("/healthz")
        self.assertEqual(status, 200)
        self.assertRegex(body.decode(), r"^ok\none up since \S+Z\ntwo killed since \S+Z\n$")
        metrics = monitor.request("/metrics")[2].decode()
        self.assertIn('affix_up{engine="one"} 1\naffix_up{engine="two"} 0\n', metrics)
        self.assertIn('affix_session_up{engine="two",session="A"} 0\n', metrics)

    def test_one_that_never_was_there_is_shown_as_such(self):
        one = self.start_engine("one", "A")
        self.write("two.ini", self.engine_text("two", "A"))
        monitor = self.start_monitor_of(one=one, two=one)
        state = monitor.get("/api/state")
        self.assertEqual([one["status"] for one in state["engines"]], ["up", "unknown"])
        self.assertIn("counters", state["engines"][1]["problem"])
        self.assertEqual(self.names(state)[-1], ("two", "two:A", "absent"))

    def test_a_token_shows_and_changes_its_own_engines_alone(self):
        Path(self.path("other")).write_text(self.OTHER_TOKEN + "\n", encoding="ascii")
        one = self.start_engine("one", "A", more="management_local_role=NONE\n")
        text = self.engine_text("two", "A", token="other", more="management_local_role=NONE\n")
        text = text.replace(f"management_read_token=file:{self.path('read')}\n", "")
        two = self.serve(text, name="two.ini")
        two.admin = f"127.0.0.1:{self.admin_port}"
        monitor = self.start_monitor_of(one=one, two=two)
        self.assertEqual(monitor.request("/api/state")[0], 401)
        for token, engine in ((READ_TOKEN, "one"), (OPERATE_TOKEN, "one"), (self.OTHER_TOKEN, "two")):
            status, _, body = monitor.request("/api/state", Authorization="Bearer " + token)
            self.assertEqual((status, [one["name"] for one in json.loads(body)["engines"]]), (200, [engine]))
            self.assertEqual({one["engine"] for one in json.loads(body)["sessions"]}, {engine})
            other = "two" if engine == "one" else "one"
            self.assertEqual(monitor.request(f"/api/messages?session={other}:A", Authorization="Bearer " + token)[0], 404)
            self.assertEqual(monitor.request(f"/api/state?engine={other}", Authorization="Bearer " + token)[0], 404)
        self.assertEqual(monitor.request("/healthz")[2], b"ok\n", "a request without a token has no details")
        self.assertEqual(monitor.act("get_uptime", engine="two")[0], 403)
        self.assertEqual(monitor.act("get_uptime", token=self.OTHER_TOKEN, engine="two")[0], 200)
        self.assertEqual(monitor.handle("silence", engine="two", session="*", seconds=60)[0], 403)
        self.assertEqual(monitor.handle("silence", self.OTHER_TOKEN, engine="two", session="*", seconds=60)[0], 200)

    def test_senseless_requests_are_refused_with_a_text(self):
        for name in ("one", "two"):
            self.write(f"{name}.ini", self.engine_text(name, "A"))
        one, two = self.path("one.ini"), self.path("two.ini")
        for options, reason in (([one, one], r"'one'.*\[M127\]$"),
                                ([one, "one=" + two], r"'one'.*\[M127\]$"),
                                ([one, two, "--admin", "127.0.0.1:1"], r"--admin .*'127\.0\.0\.1:1' \[M127\]$"),
                                ([one, two, "--admin", "three=127.0.0.1:1"], r"--admin: .*'three' \[M127\]$"),
                                ([one, two, "--directory", "/", "--directory", "/", "--directory", "/"], r"--directory .* \[M127\]$"),
                                ([one, "--directory", self.path("none")], r"none: .* \[M101\]$"),
                                ([one, "--admin", "nowhere"], r"'nowhere' \[M103\]$"),
                                ([one, "--listen", "0.0.0.0:0"], r"\[M102\]$"),
                                ([one, self.path("none.ini")], r"none\.ini.*\[O101\]$")):
            with self.subTest(options=options):
                listen = () if "--listen" in options else ("--listen", "127.0.0.1:0")
                done = subprocess.run([MONITOR, *options, *listen], capture_output=True, text=True,
                                      timeout=monitor_fixture.TIMEOUT, check=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, "(?m)" + reason)


class Life(monitor_fixture.MonitorTest):
    def test_an_engine_that_is_killed_and_started_again_is_reported(self):
        log = self.path("reported")
        program = self.write("tell", f"#!/bin/sh\necho \"$*\" >> {log}\n")
        Path(program).chmod(0o755)
        config = self.venue("A")
        served = self.serve(config)
        self.peer(served.port, "A").log_out()
        monitor = self.start_monitor("--alert-engine-down", "0", "--alert-session-down", "1", "--alert-command", program)
        until("the session's alert", lambda: any(
            alert["kind"] == "session_down" and alert["session"] == "A"
            for alert in monitor.get("/api/alerts")["current"]))
        served.stop(signal.SIGKILL)
        until("the alert", lambda: [alert["kind"] for alert in monitor.get("/api/alerts")["current"]] == ["engine_down"])
        state = monitor.get("/api/state")
        self.assertEqual(state["engine"]["status"], "killed")
        self.assertEqual(state["sessions"][0]["name"], "A")
        self.assertGreater(len(monitor.messages()), 0, "journals are read without an engine")
        again = self.serve(config)
        until("the new engine", lambda: monitor.get("/api/state")["engine"]["pid"] == again.process.pid)
        until("the end of the alert", lambda: not any(
            alert["kind"] == "engine_down" for alert in monitor.get("/api/alerts")["current"]))
        over = monitor.get("/api/alerts")["recent"]
        self.assertIn("engine_down", [alert["kind"] for alert in over])
        self.assertTrue(all(alert["cleared_ns"] >= alert["since_ns"] for alert in over))
        reported = until("the program", lambda: Path(log).exists() and "cleared engine_down" in Path(log).read_text()
                     and Path(log).read_text())
        self.assertIn("raised session_down critical A disconnected within its schedule", reported)
        self.assertIn("raised engine_down critical  the engine was killed", reported)
        again.stop()
        until("the end", lambda: monitor.get("/api/state")["engine"]["status"] == "ended")

    def test_without_an_engine_and_without_files_it_says_so(self):
        self.write("serve.ini", self.venue("A"))
        monitor = self.start_monitor()
        state = monitor.get("/api/state")
        self.assertEqual(state["engine"]["status"], "unknown")
        self.assertIn("counters", state["engine"]["problem"])
        self.assertEqual([(one["name"], one["state"]) for one in state["sessions"]], [("A", "absent")])
        self.assertEqual(monitor.get("/api/messages")["messages"], [])
        _, _, body = monitor.request("/metrics")
        self.assertIn("affix_up 0", body.decode())
        served = self.serve(self.venue("A"))
        until("the engine", lambda: monitor.get("/api/state")["engine"]["status"] == "up")
        shutil.rmtree(self.path("journal"))
        Path(self.path("counters")).unlink()
        monitor.get("/api/messages")
        self.assertEqual(monitor.get("/api/state")["sessions"][0]["name"], "A")
        served.stop(signal.SIGKILL)

    def test_a_damaged_journal_is_shown_as_such(self):
        served = self.serve(self.venue("A"))
        peer = self.peer(served.port, "A")
        for number in range(20):
            self.echoed(peer, f"D-{number}")
        served.stop()
        segment = next(Path(self.path("journal")).rglob("0000000001.journal"))
        whole = segment.read_bytes()
        content = bytearray(whole)
        at = content.index(b"11=D-9\x01")
        content[at + 3:at + 6] = b"???"
        segment.write_bytes(content)
        monitor = self.start_monitor()
        found, problems = monitor.search(limit=500)
        self.assertRegex(problems[0], "^A: .*bad record")
        self.assertIn("D-8", [one["summary"].get("ClOrdID") for one in found])
        alert = until("the alert", lambda: next((one for one in monitor.get("/api/alerts")["current"]
                                                 if one["kind"] == "journal_damaged"), None))
        self.assertEqual(alert["session"], "A")
        until("the problem", lambda: any("bad record" in one for one in monitor.get("/api/state")["monitor"]["problems"]))
        segment.write_bytes(whole)
        until("the end of the alert", lambda: not any(
            one["kind"] == "journal_damaged" for one in monitor.get("/api/alerts")["current"]))

    def test_secrets_are_shown_nowhere(self):
        served = self.serve(self.venue("A", session_more="secret_tags=5555"))
        peer = self.peer(served.port, "A", log_on=False)
        peer.send("A", [(98, 0), (108, 30), (141, "Y"), (553, "ME"), (554, "hunter2hunter2")])
        peer.wait("A")
        peer.order("S-1", (5555, "hush-hush"))
        peer.wait("D")
        peer.order("S-2", (554, "open sesame"))
        peer.wait("D")
        monitor = self.start_monitor()
        pages = [monitor.request("/api/messages?session_messages=1&events=1")[2], monitor.request("/api/state")[2],
                 monitor.request("/metrics")[2]]
        pages += [monitor.request("/api/message?id=" + one["id"])[2] for one in monitor.messages(events=1)]
        for page in pages:
            for secret in (b"hunter2", b"hush-hush", b"open sesame", READ_TOKEN.encode(), OPERATE_TOKEN.encode()):
                self.assertNotIn(secret, page)
        self.assertEqual(monitor.messages(text="hunter2"), [])
        self.assertEqual(monitor.messages(text="sesame"), [])


class Access(monitor_fixture.MonitorTest):
    def test_nothing_changes_without_permission(self):
        served = self.serve(self.venue("A"))
        peer = self.peer(served.port, "A")
        closed = self.start_monitor()
        self.assertEqual(closed.act("logout", session="A")[0], 403)
        monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}")
        self.assertTrue(monitor.get("/api/state")["monitor"]["operate"])
        body = json.dumps({"command": "logout", "session": "A"})
        good = self.assert_asks_for_more_than_a_post(monitor, "/api/action", body)
        for body in ({"command": "tap", "session": "A"}, {"command": 7}, {"arguments": [[]], "command": "help"},
                     {"command": "help", "extra": 1}):
            self.assertEqual(monitor.request("/api/action", "POST", json.dumps(body), **good)[0], 400, body)
        self.echoed(peer, "STILL-THERE")
        status, answer = monitor.act("set_outgoing_sequence_number", session="A", arguments=[100])
        self.assertEqual((status, answer["status"]), (200, "refused"), answer)
        status, answer = monitor.act("get_session_state", session="A")
        self.assertEqual((status, answer["status"]), (200, "done"))
        self.assertIn({"name": "state", "value": "active"}, answer["rows"])
        status, answer = monitor.act("logout", session="A", arguments=["enough \"for\"\n today"])
        self.assertEqual(status, 200)
        status, answer = monitor.act("logout", session="A", arguments=["enough for today"])
        self.assertEqual((status, answer["status"]), (200, "done"), answer)
        self.assertIn("enough for today", peer.wait("5")[58])
        log = self.read("log")
        self.assertIn("logout", log)
        self.assertNotIn(OPERATE_TOKEN, log)

    def test_a_missing_administration_port_is_reported(self):
        self.write("serve.ini", self.venue("A"))
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{taken.getsockname()[1]}")
            status, answer = monitor.act("sessions")
        self.assertEqual(status, 503)
        self.assertEqual(answer["code"], "M104", answer)
        self.assertRegex(answer["error"], r"127\.0\.0\.1:\d+ ")

    def test_reading_may_need_a_token(self):
        self.write("serve.ini", self.server(self.session("A"), engine=self.engine_group("management_local_role=NONE")))
        monitor = self.start_monitor()
        for path in ("/api/state", "/metrics", "/api/messages"):
            status, headers, _ = monitor.request(path)
            self.assertEqual((status, headers["WWW-Authenticate"]), (401, "Bearer"))
            self.assertEqual(monitor.request(path, Authorization="Bearer " + READ_TOKEN)[0], 200)
            self.assertEqual(monitor.request(path, Authorization="Bearer " + OPERATE_TOKEN)[0], 200)
        for path in ("/", "/healthz"):
            self.assertEqual(monitor.request(path)[0], 200)
        answers = [monitor.request("/api/state", Authorization="Bearer no")[0] for _ in range(30)]
        self.assertIn(429, answers)
        self.assertEqual(monitor.request("/api/state", Authorization="Bearer " + READ_TOKEN)[0], 200)

    def test_other_machines_need_tls_and_a_token(self):
        self.write("serve.ini", self.venue("A"))
        for options, reason in ((["--listen", "0.0.0.0:0"], "--tls-certificate"),
                                (["--operate"], "management_server_port"),
                                (["--tls-certificate", self.path("read"), "--tls-key", self.path("read")], r"/read: .*\[T103\]")):
            self.assertRegex(self.refused(*options), reason)

    def refused(self, *options):
        """Standard error of a monitor that does not start."""
        done = subprocess.run([MONITOR, self.path("serve.ini"), *options], capture_output=True, text=True,
                              timeout=monitor_fixture.TIMEOUT, check=False)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_unusable_certificates_and_a_port_in_use_have_codes(self):
        self.write("serve.ini", self.venue("A"))
        (certificate, key), _ = self.certificate("own")
        (_, other), _ = self.certificate("other")
        for given, code in (((key, key), "T103"), ((certificate, certificate), "T103"), ((certificate, other), "T105")):
            self.assertIn(f"[{code}]", self.refused("--tls-certificate", given[0], "--tls-key", given[1]))
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            self.assertRegex(self.refused("--listen", address), rf"{address}: bind: .*\[O105\]")

    def certificate(self, name):
        """A certificate of its own, and what a client needs to know it."""
        files = (self.path(name + ".pem"), self.path(name + ".key"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", "/CN=monitor", "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0],
                        "-keyout", files[1]], check=True, capture_output=True)
        return files, ssl.create_default_context(cafile=files[0])

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_tls_on_both_sides(self):
        (certificate, key), tls = self.certificate("own")
        served = self.serve(self.venue("A", more=f"management_tls_certificate_file={certificate}\n"
                                       f"management_tls_key_file={key}\n"))
        peer = self.peer(served.port, "A")
        monitor = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}", "--tls-certificate",
                                     certificate, "--tls-key", key, listen="0.0.0.0:0", tls=tls)
        self.assertEqual(monitor.request("/api/state")[0], 401)
        status, _, body = monitor.request("/api/state", Authorization="Bearer " + READ_TOKEN)
        self.assertEqual((status, json.loads(body)["sessions"][0]["name"]), (200, "A"))
        status, answer = monitor.act("logout", session="A", arguments=["over TLS"])
        self.assertEqual((status, answer["status"]), (200, "done"), answer)
        self.assertIn("over TLS", peer.wait("5")[58])
        # Bytes that are no handshake, and one that is not ended, hold nobody up.
        with socket.create_connection(("127.0.0.1", monitor.port)) as plain, \
                socket.create_connection(("127.0.0.1", monitor.port)):
            plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
            self.assertEqual(monitor.request("/healthz")[0], 200)
        # Another certificate than the configuration's is nobody to show a token to.
        (other, other_key), _ = self.certificate("other")
        text = Path(self.path("serve.ini")).read_text(encoding="ascii").replace(certificate, other).replace(key, other_key)
        self.write("other.ini", text)
        stranger = self.start_monitor("--operate", "--admin", f"127.0.0.1:{self.admin_port}", config="other.ini")
        status, answer = stranger.act("sessions")
        self.assertEqual(status, 503)
        self.assertEqual(answer["code"], "M104", answer)
        self.assertIn("certificate", answer["error"])

    def test_hostile_requests_harm_nobody(self):
        served = self.serve(self.venue("A"))
        monitor = self.start_monitor()

        def say(text, end=True):
            with socket.create_connection(("127.0.0.1", monitor.port), timeout=monitor_fixture.TIMEOUT) as connection:
                try:
                    connection.sendall(text)
                    if end:
                        connection.shutdown(socket.SHUT_WR)
                    answer = b""
                    while more := connection.recv(65536):
                        answer += more
                except OSError:  # It was cut off, which is an answer too.
                    return b""
                return answer

        host = f"Host: 127.0.0.1:{monitor.port}\r\n".encode()
        self.assertIn(b" 200 ", say(b"GET /healthz HTTP/1.1\r\n" + host + b"\r\n"))
        for text in (b"", b"\r\n\r\n", b"GET\r\n\r\n", b"\x00\xff" * 5000, b"GET / HTTP/1.1\r\n\r\n",
                     b"GET /%zz HTTP/1.1\r\n" + host + b"\r\n", b"GET /../../etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET /..%2f..%2fetc/passwd HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET / HTTP/1.1\r\n" + host + b"Host: evil.example\r\n\r\n",
                     b"GET /api/state HTTP/1.1\r\n" + host + b"X: y\r\n" * 20000 + b"\r\n",
                     b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n" + host + b"\r\n",
                     b"DELETE /api/state HTTP/1.1\r\n" + host + b"\r\n",
                     b"POST /api/action HTTP/1.1\r\n" + host + b"Content-Length: 99999999999\r\n\r\n{",
                     b"POST /api/action HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n" +
                     b"x" * 200000):
            answer = say(text)
            self.assertNotIn(b" 200 ", answer.split(b"\r\n")[0], text[:80])
            self.assertNotIn(b"root:", answer)
        ranges = b",".join(b"%d-" % number for number in range(1200))
        self.assertLess(len(say(b"GET /api/state HTTP/1.1\r\n" + host + b"Range: bytes=" + ranges + b"\r\n\r\n")), 100000)
        # More than it has threads, silent: they are cut off, and the monitor goes on.
        silent = [socket.create_connection(("127.0.0.1", monitor.port)) for _ in range(20)]
        for connection in silent:
            connection.sendall(b"GET /api/state HTTP/1.1\r\n")
        self.assertEqual(monitor.request("/healthz")[0], 200)
        for connection in silent:
            connection.close()
        for path in ("/api/messages?limit=0", "/api/messages?tag=x", "/api/messages?from=yesterday", "/api/messages?nope=1",
                     "/api/messages?limit=1&limit=2", "/api/message?id=A", "/api/message?id=A/1:x", "/api/order",
                     "/api/history?counter=x", "/api/history", "/api/state?x=1"):
            self.assertEqual(monitor.request(path)[0], 400, path)
        for path in ("/api/message?id=A/1:4097", "/api/message?id=A/9:4096", "/api/message?id=Z/1:4096", "/api/none",
                     "/none", "/api/messages?session=Z"):
            self.assertEqual(monitor.request(path)[0], 404, path)
        self.assertEqual(monitor.request("/api/messages?cursor=1-2")[0], 410)
        self.assertEqual(self.peer(served.port, "A").next_number, 2)
        status = Path(f"/proc/{monitor.process.pid}/status").read_text(encoding="ascii")
        resident = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
        self.assertLess(resident, 300_000, "kilobytes")

    def test_the_page_is_served_and_kept_to_itself(self):
        self.write("serve.ini", self.venue("A"))
        monitor = self.start_monitor()
        for path, kind, name in (("/", "text/html", "index.html"), ("/app.js", "text/javascript", "app.js"),
                                 ("/style.css", "text/css", "style.css"), ("/favicon.ico", "image/svg+xml", "icon.svg")):
            status, headers, body = monitor.request(path)
            self.assertEqual(status, 200)
            self.assertTrue(headers["Content-Type"].startswith(kind))
            self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["X-Frame-Options"], "DENY")
            self.assertEqual(body, (ROOT / "tools/affix_monitor/page" / name).read_bytes())
            self.assertEqual(monitor.request(path, If_None_Match=headers["ETag"])[0], 304)
        _, headers, body = monitor.request("/api/state", Accept_Encoding="gzip")
        self.assertEqual(headers.get("Content-Encoding"), "gzip")
        self.assertIn("engine", json.loads(gzip.decompress(body)))
        self.assertEqual(monitor.request("/api/state", "HEAD")[2], b"")
        own = self.path("page")
        Path(own).mkdir()
        Path(own, "index.html").write_text("mine", encoding="ascii")
        other = self.start_monitor("--page", own)
        self.assertEqual(other.request("/")[2], b"mine")
        self.assertEqual(other.request("/app.js")[0], 404)


if __name__ == "__main__":
    unittest.main()
