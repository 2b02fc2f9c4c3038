#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`affix serve` as an operator runs it: starting and being refused, signals, the service manager, files."""

import fcntl
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

import fix_peer
import serve_fixture
from serve_fixture import TIMEOUT, ServeTest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from held_port import held_port  # noqa: E402

ServeTest.affix = sys.argv.pop(1)


class Starting(ServeTest):
    def test_messages_come_back_and_the_end_is_in_order(self):
        served = self.serve(self.server(self.session("PEER")))
        peer = self.peer(served.port, "PEER")
        self.echoed(peer, "ONE")
        self.echoed(peer, "TWO")
        served.tell(signal.SIGTERM)
        peer.wait("5")
        peer.send("5")
        self.assertEqual(served.wait(), 0)
        self.assertRegex(self.read("log"), r"(?s) P103 SIGTERM.* P103 ")

    def test_a_wrong_file_gets_one_report_and_nothing_is_started(self):
        text = self.server(self.session("PEER", more="heartbeat_interval_seconds=often\ncolour=red"),
                           engine=f"pid_file={self.path('pid')}\nshutdown_timeout_seconds=0")
        code, error = self.refused(text)
        self.assertEqual(code, 6)
        for word in ("shutdown_timeout_seconds", "heartbeat_interval_seconds", "colour"):
            self.assertRegex(error, rf"refused\.ini:\d+: .*{word}")
        self.assertEqual(os.listdir(self.directory), ["refused.ini"])

    def test_a_broken_dictionary_is_a_wrong_file_and_in_the_same_report(self):
        dictionary = self.write("broken.xml", "<fix>\n<header></fix>\n")
        for more in ("", "colour=red"):
            code, error = self.refused(self.server(self.session("PEER", more=f"dictionary={dictionary}\n{more}")))
            self.assertEqual(code, 6)
            self.assertRegex(error, r"(?m)^\S*broken\.xml:\d+: ")
            self.assertEqual("colour" in error, more != "")
        self.assertEqual(sorted(os.listdir(self.directory)), ["broken.xml", "refused.ini"])

    def test_a_missing_core_is_reported(self):
        served = self.serve(self.server(self.session("PEER"), more="cpu_core_id=4000",
                                        engine="management_server_port=-1\nmanagement_server_cpu_core_id=4001"))
        peer = self.peer(served.port, "PEER")
        self.echoed(peer, "ONE")  # Its worker has begun, and logged it.
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertRegex(self.read("log"),
                         "WARNING E127 core 4000 is not one that this process may use: worker 0 is not pinned")
        self.assertRegex(self.read("log"), "WARNING E127 core 4001 is not one that this process may use: the administration "
                                           "port's thread is not pinned")

    def test_one_core_is_reported_and_defaults_work_there(self):
        core = min(os.sched_getaffinity(0))
        served = self.serve(self.server(self.session("PEER")), cores={core})
        peer = self.peer(served.port, "PEER")
        for order in range(200):
            self.echoed(peer, f"ORDER{order}")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertRegex(self.read("log"), r"INFO +E129 1 core allowed \(1 processor")
        self.assertRegex(self.read("log"), r"INFO +E133 journals on the disk of \S+: a new page costs [0-9.]+ us when zeros "
                                           r"are written and [0-9.]+ us by a page fault; ")
        self.assertNotIn("WARNING", self.read("log"))

    def test_the_limit_on_open_files_is_in_the_log(self):
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        resource.setrlimit(resource.RLIMIT_NOFILE, (500, before[1]))
        served = self.serve(self.server(self.session("PEER")))
        self.assertEqual(served.stop(), 0)
        found = re.search(r"INFO +E128 500 files and connections may be open \(ulimit -n, LimitNOFILE\), and (\d+) are",
                          self.read("log"))
        self.assertIsNotNone(found, self.read("log"))
        self.assertIn(int(found[1]), range(5, 100))

    def test_more_work_than_one_core_can_do_is_reported(self):
        core = min(os.sched_getaffinity(0))
        served = self.serve(self.server(self.session("PEER"), more="wait_mode=SPIN\nworker_thread_count=2"), cores={core})
        peer = self.peer(served.port, "PEER")
        self.echoed(peer, "ONE")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertIn("WARNING E130 2 workers and 1 core ", self.read("log"))
        self.assertIn("WARNING E131 wait_mode=SPIN ", self.read("log"))

    def test_a_file_that_is_not_there(self):
        process = self.popen(self.path("nowhere.ini"))
        _, error = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 6)
        self.assertIn("nowhere.ini", error)

    def test_a_port_in_use_refuses_the_start(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            text = self.server(self.session("PEER"), engine=f"pid_file={self.path('pid')}") \
                .replace("accept_port=0", f"accept_port={taken.getsockname()[1]}")
            code, error = self.refused(text)
        self.assertEqual(code, 1)
        self.assertIn("VENUE", error)
        self.assertFalse(os.path.exists(self.path("pid")))

    def test_applications_that_send_across_threads_are_refused(self):
        code, error = self.refused(self.server(self.session("PEER", more="callback_thread=0")))
        self.assertEqual(code, 6)
        self.assertRegex(error, r"callback_thread=0 .* ECHO \[C401\]")
        routes = "[APPLICATION]\napplication=ROUTER\n[ROUTE]\nroute_to=PEER\n"
        code, error = self.refused(self.server(self.session("PEER"), routes, more="worker_thread_count=2"))
        self.assertEqual(code, 6)
        self.assertRegex(error, r"worker_thread_count=2 .* ROUTER \[C401\]")

    def test_an_echo_has_several_workers(self):
        served = self.serve(self.server(self.session("A"), self.session("B"), more="worker_thread_count=2"))
        peers = [self.peer(served.port, name) for name in ("A", "B")]
        for number in range(20):
            for peer in peers:
                self.echoed(peer, f"N{number}")
        for peer in peers:
            peer.log_out()
        self.assertEqual(served.stop(), 0)


class Threads(ServeTest):
    """Threads that messages wait for go first where threads share a processor, and each new thread needs a class."""

    # Scheduling class, and how much nicer than the process.
    MESSAGES = (os.SCHED_OTHER, 0)
    WOKEN_BEHIND = (os.SCHED_BATCH, 0)
    BEHIND = (os.SCHED_BATCH, 5)
    EXPECTED = {"affix": MESSAGES, "affix-worker": MESSAGES, "affix-accept": MESSAGES, "affix-flush": WOKEN_BEHIND,
                "affix-journal": BEHIND, "affix-names": BEHIND, "affix-log": BEHIND, "affix-admin": BEHIND,
                "affix-tasks": BEHIND, "affix-control": BEHIND, "affix-reload": BEHIND}
    OF_A_NODE = {"affix-failover": MESSAGES, "affix-standby": MESSAGES, "affix-election": MESSAGES, "affix-watch": MESSAGES,
                 "affix-roles": MESSAGES, "affix-copies": BEHIND}

    @staticmethod
    def threads(process):
        found = {}
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/comm", encoding="ascii") as file:
                name = file.read().strip()
            found[name] = (os.sched_getscheduler(int(thread)),
                           os.getpriority(os.PRIO_PROCESS, int(thread)) - os.getpriority(os.PRIO_PROCESS, process))
        return found

    def look(self, process, expected):
        """Threads name themselves, and take their place, a moment after they were started."""
        end = time.monotonic() + TIMEOUT
        while (found := self.threads(process)) != expected and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(found, expected)

    def test_those_of_messages_go_first(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            client = f"[CLIENT]\nprimary_address=localhost\nprimary_port={listener.getsockname()[1]}\n" + \
                self.session("OUT", sender="FIRM", target="VENUE", more="instance=CLIENT\nlogon_timeout_seconds=3600")
            served = self.serve(self.server(self.session("PEER", more="instance=VENUE\ndurability=group"),
                                            engine="management_server_port=-1", more="worker_thread_count=2") + client)
            self.look(served.process.pid, self.EXPECTED)
            self.assertEqual(served.stop(), 0)

    def test_those_that_a_failover_waits_for_go_first(self):
        with held_port() as one, held_port() as two:
            node = (f"node=A\nnode_addresses=A@127.0.0.1:{one}, B@127.0.0.1:{two}\nelection=file:{self.path('election')}\n"
                    f"failover_directory={self.path('failover')}")
            group = "[DESKS]\nreplication_nodes=A,B\n"
            served = self.serve(self.server(self.session("PEER"), group, engine=node, more="failover_group=DESKS"))
            here = {name: place for name, place in self.EXPECTED.items()
                    if name not in ("affix-worker", "affix-accept", "affix-names", "affix-admin", "affix-tasks")}
            self.look(served.process.pid, here | self.OF_A_NODE)
            self.assertEqual(served.stop(), 0)

    def test_a_flush_that_a_session_waits_for_is_not_after_others(self):
        served = self.serve(self.server(self.session("PEER", more="durability=sync")))
        here = {name: place for name, place in self.EXPECTED.items()
                if name not in ("affix-worker", "affix-accept", "affix-names", "affix-admin", "affix-tasks")}
        self.look(served.process.pid, here | {"affix-flush": self.MESSAGES})
        self.assertEqual(served.stop(), 0)

    def test_a_process_that_is_nice_itself_has_helpers_that_are_nicer(self):
        served = self.serve(self.server(self.session("PEER")), nicer_by=7)
        here = {name: place for name, place in self.EXPECTED.items()
                if name not in ("affix-worker", "affix-accept", "affix-names", "affix-admin", "affix-tasks")}
        self.look(served.process.pid, here)
        self.assertEqual(os.getpriority(os.PRIO_PROCESS, served.process.pid), os.getpriority(os.PRIO_PROCESS, 0) + 7)
        self.assertEqual(served.stop(), 0)


class PidFile(ServeTest):
    def test_it_holds_the_number_and_keeps_a_second_process_out(self):
        served = self.serve(self.server(self.session("PEER"), engine=f"pid_file={self.path('pid')}"))
        self.assertEqual(self.read("pid"), f"{served.process.pid}\n")
        code, error = self.refused(self.server(self.session("OTHER"), engine=f"pid_file={self.path('pid')}"))
        self.assertEqual(code, 1)
        self.assertRegex(error, rf"process {served.process.pid} .* \[E110\]")
        self.assertEqual(self.read("pid"), f"{served.process.pid}\n")
        self.assertEqual(served.stop(), 0)
        self.assertFalse(os.path.exists(self.path("pid")))

    def test_one_that_a_killed_process_left_is_taken_over(self):
        text = self.server(self.session("PEER"), engine=f"pid_file={self.path('pid')}")
        killed = self.serve(text)
        killed.stop(signal.SIGKILL)
        self.assertEqual(self.read("pid"), f"{killed.process.pid}\n")
        served = self.serve(text)
        self.assertEqual(self.read("pid"), f"{served.process.pid}\n")
        with open(self.path("pid"), encoding="ascii") as file:
            self.assertRaises(BlockingIOError, fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.assertEqual(served.stop(), 0)


class Signals(ServeTest):
    def stopped_within_its_bound(self, number):
        served = self.serve(self.server(self.session("MUTE", more="logout_timeout_seconds=3600"),
                                        engine="shutdown_timeout_seconds=1"))
        mute = self.peer(served.port, "MUTE")
        served.tell(number)
        mute.wait("5")
        # It never answers; the bound ends it.
        self.assertEqual(served.wait(), 3)
        self.assertEqual(mute.ended(), [])
        self.assertRegex(self.read("log"), r"ERROR +E210 shutdown_timeout_seconds ")

    def test_sigterm_ends_within_the_bound_a_peer_that_does_not_answer(self):
        self.stopped_within_its_bound(signal.SIGTERM)

    def test_sigint_ends_within_the_bound_a_peer_that_does_not_answer(self):
        self.stopped_within_its_bound(signal.SIGINT)

    def test_sigint_logs_out_in_order(self):
        served = self.serve(self.server(self.session("PEER")))
        peer = self.peer(served.port, "PEER")
        served.tell(signal.SIGINT)
        peer.wait("5")
        peer.send("5")
        self.assertEqual(served.wait(), 0)

    def client(self, port):
        return f"[ENGINE]\nlog_file={self.path('log')}\nshutdown_timeout_seconds=1\n[CLIENT]\n" \
               f"primary_address=127.0.0.1\nprimary_port={port}\nnic_address=127.0.0.3\n" \
               "reconnect_milliseconds=3600000\nreconnect_milliseconds_max=3600000\n" + \
               self.session("OUT", sender="FIRM", target="VENUE", more="logon_timeout_seconds=3600")

    def test_clients_log_out_too_or_are_cut_off(self):
        for answers, code in ((True, 0), (False, 3)):
            with self.subTest(answers=answers), socket.create_server(("127.0.0.1", 0)) as listener:
                listener.settimeout(TIMEOUT)
                served = self.serve(self.client(listener.getsockname()[1]))
                connection, (host, _) = listener.accept()
                venue = fix_peer.FixPeer(connection, "VENUE", "FIRM")
                self.addCleanup(venue.close)
                self.assertEqual(host, "127.0.0.3")
                venue.next_number = int(venue.wait("A")[34])
                venue.send("A", [(98, 0), (108, 30)])
                venue.send("1", [(112, "UP")])
                self.assertEqual(venue.wait("0")[112], "UP")
                served.tell(signal.SIGTERM)
                venue.wait("5")
                if answers:
                    venue.send("5")
                    self.assertEqual(venue.ended(), [])
                    venue.close()
                self.assertEqual(served.wait(), code)
                shutil.rmtree(self.path("journal"))

    def test_a_client_that_seeks_its_venue_ends_at_once(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            served = self.serve(self.client(port))
            listener.settimeout(TIMEOUT)
            connection, _ = listener.accept()
            # It has connected, and nobody answers its Logon.
            connection.settimeout(TIMEOUT)
            self.assertIn(b"35=A", connection.recv(4096))
            served.tell(signal.SIGTERM)
            self.assertEqual(connection.recv(4096), b"")
            connection.close()
            self.assertEqual(served.wait(), 0)
        # Nobody listens, and its next attempt is an hour away.
        self.assertEqual(self.serve(self.client(port)).stop(), 0)

    def test_a_second_signal_ends_at_once(self):
        served = self.serve(self.server(self.session("MUTE", more="logout_timeout_seconds=3600"),
                                        engine="shutdown_timeout_seconds=3600"))
        mute = self.peer(served.port, "MUTE")
        served.tell(signal.SIGTERM)
        mute.wait("5")
        self.assertEqual(served.stop(), -signal.SIGTERM)

    def test_sighup_can_be_ignored(self):
        served = self.serve(self.server(self.session("PEER"), engine="ignore_sighup=true"))
        served.tell(signal.SIGHUP)
        peer = self.peer(served.port, "PEER")
        self.echoed(peer, "STILL")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertNotIn("SIGHUP", self.read("log"))

    def test_the_log_is_opened_anew(self):
        manager = self.manager()
        served = self.serve(self.server(self.session("PEER")), NOTIFY_SOCKET=manager.path)
        manager.wait("READY=1")
        os.rename(self.path("log"), self.path("log.1"))
        served.tell(signal.SIGHUP)
        manager.wait("READY=1")
        peer = self.peer(served.port, "PEER")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertNotIn("SIGTERM", self.read("log.1"))
        self.assertIn("PEER", self.read("log"))
        self.assertIn("SIGTERM", self.read("log"))


class ServiceManager(ServeTest):
    def test_the_service_manager_is_notified_of_ready_reloading_and_stopping(self):
        manager = self.manager()
        served = self.serve(self.server(self.session("PEER")), NOTIFY_SOCKET=manager.path)
        self.assertTrue(manager.next().startswith("READY=1\nSTATUS="))
        served.tell(signal.SIGHUP)
        self.assertRegex(manager.next(), r"^RELOADING=1\nMONOTONIC_USEC=[1-9]\d*$")
        self.assertTrue(manager.next().startswith("READY=1\n"))
        self.assertEqual(served.stop(), 0)
        self.assertTrue(manager.next().startswith("STOPPING=1\nSTATUS="))

    def test_a_name_in_the_abstract_space(self):
        manager = serve_fixture.Manager(f"\0affix-serve-test-{os.getpid()}")
        self.addCleanup(manager.close)
        served = self.serve(self.server(self.session("PEER")), NOTIFY_SOCKET=f"@{manager.path[1:]}")
        manager.wait("READY=1")
        self.assertEqual(served.stop(), 0)

    def test_the_watchdog_hears_of_workers_that_live(self):
        manager = self.manager()
        served = self.serve(self.server(self.session("A"), self.session("B"), more="worker_thread_count=2"),
                            NOTIFY_SOCKET=manager.path, WATCHDOG_USEC="200000")
        manager.wait("READY=1")
        for _ in range(5):
            self.assertEqual(manager.next(), "WATCHDOG=1")
        self.assertEqual(served.stop(), 0)

    def test_a_watchdog_that_is_another_process_s_is_left_alone(self):
        manager = self.manager()
        served = self.serve(self.server(self.session("PEER")), NOTIFY_SOCKET=manager.path, WATCHDOG_USEC="1000",
                            WATCHDOG_PID="1")
        manager.wait("READY=1")
        peer = self.peer(served.port, "PEER")
        self.echoed(peer, "ALIVE")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertTrue(manager.next().startswith("STOPPING=1"))


class Unit(ServeTest):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here to judge it")
    def test_systemd_has_nothing_to_say_against_it(self):
        source = Path(__file__).resolve().parents[2] / "packaging/systemd/affix@.service.in"
        unit = source.read_text(encoding="ascii").replace("@AFFIX_PROGRAM@", os.path.abspath(self.affix))
        path = self.write("affix@venue.service", unit)
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True, timeout=TIMEOUT,
                              check=False, env=os.environ | {"SYSTEMD_LOG_LEVEL": "info"})
        # It looks at units of the machine too, which are none of ours.
        self.assertEqual([line for line in (done.stdout + done.stderr).splitlines() if "affix" in line], [])


class Interface(unittest.TestCase):
    """The class between the engine and a plug-in follows the engine's interface by itself."""

    # Of Application, by plugin_abi. A callback more is another interface: a plug-in built before it has no place for it.
    CALLBACKS = {1: 18, 2: 19, 3: 20}

    def test_every_callback_is_passed_on_and_the_interface_s_number_grows(self):
        root = Path(__file__).resolve().parents[2]
        declared = re.findall(r"virtual [\w:]+ (\w+)\(", (root / "include/affix/host/application.hpp").read_text())
        between = (root / "src/service/supervised_application.hpp").read_text()
        self.assertEqual(declared, re.findall(r"  [\w:]+ (\w+)\([^;{}]*\) noexcept override", between))
        plugin = (root / "include/affix/engine/plugin.hpp").read_text()
        abi = int(re.search(r"plugin_abi = (\d+);", plugin).group(1))
        self.assertEqual(len(declared), self.CALLBACKS.get(abi))


if __name__ == "__main__":
    unittest.main()
