#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The applications of `affix serve`: echo, drop copy, router, plug-ins."""

import os
import re
import signal
import sys
import unittest

from serve_fixture import ServeTest

ServeTest.affix = sys.argv.pop(1)
PLUGINS = sys.argv.pop(1)
EXAMPLE = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1].endswith(".so") else None

# Parts that passing on must not change: fields in their order, a group, data with SOH in it.
BODY = "11=ONE|55=IBM|54=1|38=100|40=1|453=2|448=A|452=1|448=B|452=3|1=ACCOUNT|95=3|96=x|y|58=a=b|".replace("|", "\x01")


class Echo(ServeTest):
    def test_an_echo_equals_its_message(self):
        served = self.serve(self.server(self.session("PEER")))
        peer = self.peer(served.port, "PEER")
        peer.send("D", [tuple(BODY[:-1].split("=", 1))])
        while BODY.encode() + b"10=" not in peer.unread:
            self.assertTrue(received := peer.connection.recv(65536), peer.unread)
            peer.unread += received
        peer.unread = b""
        peer.log_out()

    def test_routing_is_turned_round(self):
        served = self.serve(self.server(self.session("PEER")))
        peer = self.peer(served.port, "PEER")
        peer.order("ONE", header=[(115, "TRADER"), (116, "DESK"), (128, "VENUE")])
        echo = peer.wait("D")
        self.assertEqual((echo[128], echo[129], echo[115]), ("TRADER", "DESK", "VENUE"))
        self.assertNotIn(116, echo)
        peer.order("TWO", header=[(97, "Y")])
        self.assertEqual(peer.wait("D")[97], "Y")
        peer.log_out()

    def test_an_initiator_sends_nothing_back(self):
        venue = self.serve(self.server(self.session("PEER"), self.session("BACK")))
        client = f"[ENGINE]\nlog_file={self.path('client.log')}\n[CLIENT]\nprimary_address=127.0.0.1\n" \
                 f"primary_port={venue.port}\nreconnect_milliseconds=50\n" + \
                 self.session("OUT", sender="PEER", target="US")
        manager = self.manager()
        served = self.serve(client, "client.ini", NOTIFY_SOCKET=manager.path)
        manager.wait("READY=1")
        # Two engines with an echo each would keep a message going; what the venue says is only read.
        self.assertEqual(served.stop(), 0)
        self.assertEqual(venue.stop(), 0)


class DropCopy(ServeTest):
    def test_receivers_get_the_messages_of_the_others(self):
        application = "[APPLICATION]\napplication=DROP_COPY\ndrop_copy_to=COPY, SECOND\n"
        served = self.serve(self.server(application, *map(self.session, ("A", "B", "COPY", "SECOND"))))
        peers = {name: self.peer(served.port, name) for name in ("A", "B", "COPY", "SECOND")}
        peers["A"].order("ONE")
        for name in ("COPY", "SECOND"):
            copy = peers[name].wait("D")
            self.assertEqual((copy[11], copy[115], copy[49], copy[56]), ("ONE", "A", "US", name))
        peers["B"].order("TWO", header=[(115, "DESK")])
        self.assertEqual((peers["COPY"].wait("D")[115], peers["SECOND"].wait("D")[11]), ("DESK", "TWO"))
        # Messages of receivers are not copied; a message after them shows that.
        peers["COPY"].order("IGNORED")
        peers["COPY"].send("1", [(112, "DONE")])
        self.assertEqual(peers["COPY"].wait("0")[112], "DONE")
        peers["A"].order("THREE")
        self.assertEqual(peers["SECOND"].wait("D")[11], "THREE")
        for peer in peers.values():
            peer.log_out()
        self.assertEqual(served.stop(), 0)

    def test_sources_can_be_named(self):
        application = "[APPLICATION]\napplication=DROP_COPY\ndrop_copy_from=B\ndrop_copy_to=COPY\n"
        served = self.serve(self.server(application, *map(self.session, ("A", "B", "COPY"))))
        a, b, copy = (self.peer(served.port, name) for name in ("A", "B", "COPY"))
        a.order("ONE")
        a.send("1", [(112, "DONE")])
        a.wait("0")
        b.order("TWO")
        self.assertEqual(copy.wait("D")[11], "TWO")

    def test_a_receiver_that_is_away_gets_copies_later_when_its_session_queues(self):
        application = "[APPLICATION]\napplication=DROP_COPY\ndrop_copy_to=COPY\n"
        served = self.serve(self.server(application, self.session("A"),
                                        self.session("COPY", more="send_while_disconnected=QUEUE")))
        source = self.peer(served.port, "A")
        for number in range(3):
            source.order(f"N{number}")
        source.log_out()
        copy = self.peer(served.port, "COPY", log_on=False)
        copy.send("A", [(98, 0), (108, 30)])
        # They have their numbers already, 1 to 3: what it missed it asks for.
        self.assertEqual(copy.wait("A")[34], "4")
        copy.send("2", [(7, 1), (16, 0)])
        self.assertEqual([copy.wait("D")[11] for _ in range(3)], ["N0", "N1", "N2"])
        copy.log_out()
        self.assertEqual(served.stop(), 0)

    def test_a_copy_that_cannot_be_sent_is_reported(self):
        application = "[APPLICATION]\napplication=DROP_COPY\ndrop_copy_to=COPY\n"
        served = self.serve(self.server(application, self.session("A"), self.session("COPY")))
        source = self.peer(served.port, "A")
        source.order("ONE")
        source.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertRegex(self.read("log"), r"ERROR +P104 A: message 2 is not passed on to COPY: it is not logged on")


class Router(ServeTest):
    ROUTES = "[APPLICATION]\napplication=ROUTER\n" \
             "[ROUTE_IBM]\nroute_from=A,B\nroute_tag=55\nroute_values=IBM, MSFT\nroute_to=NEW_YORK\n" \
             "[ROUTE_B]\nroute_from=B\nroute_to=LONDON\n"

    def served(self, *more):
        names = ("A", "B", "NEW_YORK", "LONDON")
        served = self.serve(self.server(self.ROUTES, *map(self.session, names), *more))
        return served, {name: self.peer(served.port, name) for name in names}

    def test_rules_decide_in_their_order(self):
        served, peers = self.served()
        peers["A"].order("ONE")
        routed = peers["NEW_YORK"].wait("D")
        self.assertEqual((routed[11], routed[115], routed[49], routed[56]), ("ONE", "A", "US", "NEW_YORK"))
        peers["B"].send("D", [(11, "TWO"), (55, "VOD")])
        self.assertEqual(peers["LONDON"].wait("D")[11], "TWO")
        peers["B"].send("D", [(11, "THREE"), (55, "MSFT")])
        self.assertEqual(peers["NEW_YORK"].wait("D")[11], "THREE")
        for peer in peers.values():
            peer.log_out()
        self.assertEqual(served.stop(), 0)

    def test_the_answer_finds_its_way_back(self):
        _, peers = self.served()
        peers["A"].order("ONE")
        order = peers["NEW_YORK"].wait("D")
        peers["NEW_YORK"].send("8", [(37, "X"), (11, order[11])], header=[(128, order[115])])
        report = peers["A"].wait("8")
        self.assertEqual((report[37], report[115]), ("X", "NEW_YORK"))
        self.assertNotIn(128, report)

    def test_a_message_without_a_route_is_rejected_to_its_sender(self):
        _, peers = self.served()
        peers["A"].send("D", [(11, "ONE"), (55, "VOD")])
        reject = peers["A"].wait("j")
        self.assertEqual((reject[45], reject[372], reject[380], reject[58]),
                         ("2", "D", "4", "no route for this message"))
        peers["LONDON"].log_out()
        peers["B"].send("D", [(11, "TWO"), (55, "VOD")])
        self.assertEqual(peers["B"].wait("j")[58], "LONDON cannot be reached")
        # A reject is not rejected: the two would go on for ever.
        peers["A"].send("j", [(45, 1), (372, "D"), (380, 0)])
        peers["A"].send("1", [(112, "DONE")])
        self.assertEqual(peers["A"].wait("0")[112], "DONE")

    def test_between_two_processes(self):
        venue = self.serve(self.server(self.session("HUB", sender="VENUE")))
        text = f"[ENGINE]\nlog_file={self.path('hub.log')}\n[DOOR]\nnic_address=127.0.0.1\naccept_port=0\n" \
               f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={venue.port}\nreconnect_milliseconds=50\n" \
               "[APPLICATION]\napplication=ROUTER\n[ROUTE]\nroute_from=A,B\nroute_to=OUT\n" + \
               self.session("A", sender="HUB", more="instance=DOOR") + \
               self.session("B", sender="HUB", more="instance=DOOR") + \
               self.session("OUT", sender="HUB", target="VENUE", more="instance=CLIENT\nsend_while_disconnected=QUEUE")
        hub = self.serve(text, "hub.ini")
        peers = {name: self.peer(hub.port, name, target="HUB") for name in ("A", "B")}
        for number in range(50):
            for name, peer in peers.items():
                peer.order(f"{name}{number}")
        for name, peer in peers.items():
            self.assertEqual([peer.wait("D")[11] for _ in range(50)], [f"{name}{number}" for number in range(50)])
            peer.log_out()
        self.assertEqual(hub.stop(), 0)
        self.assertEqual(venue.stop(), 0)

    def test_routes_must_name_sessions(self):
        code, error = self.refused(self.server("[APPLICATION]\napplication=ROUTER\n[ROUTE]\nroute_to=NOBODY\n",
                                               self.session("A")))
        self.assertEqual(code, 6)
        self.assertRegex(error, r"refused\.ini:\d+: .*'NOBODY' is not a session group")


class Plugins(ServeTest):
    def application(self, file, settings=""):
        return f"[APPLICATION]\napplication=PLUGIN\nplugin_file={file}\nplugin_settings={settings}\n"

    def plugin(self, name):
        return os.path.join(PLUGINS, f"{name}_plugin.so")

    @unittest.skipIf(EXAMPLE is None, "built without the examples")
    def test_the_example_trades(self):
        served = self.serve(self.server(self.application(EXAMPLE, "500"), self.session("PEER")))
        peer = self.peer(served.port, "PEER")
        peer.order("SMALL")
        report = peer.wait("8")
        self.assertEqual((report[11], report[39], report[151]), ("SMALL", "0", "100"))
        peer.send("D", [(11, "LARGE"), (55, "IBM"), (54, 1), (38, 501), (40, 1)])
        report = peer.wait("8")
        self.assertEqual((report[11], report[39], report[58]), ("LARGE", "8", "quantity is not from 1 to 500"))
        peer.send("F", [(11, "CANCEL")])
        self.assertEqual(peer.wait("j")[372], "F")
        peer.log_out()
        self.assertEqual(served.stop(), 0)
        self.assertRegex(self.read("log"), r"WARNING +- +PEER: order rejected: LARGE")

    @unittest.skipIf(EXAMPLE is None, "built without the examples")
    def test_one_that_makes_no_application_refuses_the_start(self):
        code, error = self.refused(self.server(self.application(EXAMPLE, "many"), self.session("PEER"),
                                               engine=f"pid_file={self.path('pid')}"))
        self.assertEqual(code, 1)
        self.assertRegex(error, rf"{re.escape(EXAMPLE)}: .* \[C406\]")
        self.assertIn("plugin_settings must be the largest quantity", self.read("log"))
        self.assertFalse(os.path.exists(self.path("pid")))

    def test_files_that_are_no_plugins_refuse_the_start(self):
        for file, expected, code in ((self.path("nowhere.so"), 6, "C101"),
                                     (self.write("text.so", "no object"), 1, "C406"),
                                     (self.plugin("foreign"), 1, "C406"),
                                     (self.plugin("other_interface"), 1, "C407"),
                                     (self.plugin("other_layout"), 1, "C407")):
            with self.subTest(file=file):
                status, error = self.refused(self.server(self.application(file), self.session("PEER")))
                self.assertEqual(status, expected)
                self.assertRegex(error, rf"{re.escape(file)}.* \[{code}\]")

    def test_one_that_is_stuck_is_seen_by_the_watchdog(self):
        manager = self.manager()
        served = self.serve(self.server(self.application(self.plugin("stuck"), "who pauses"), self.session("PEER")),
                            NOTIFY_SOCKET=manager.path, WATCHDOG_USEC="1000000")
        manager.wait("WATCHDOG=1")
        self.peer(served.port, "PEER").order("ONE")
        manager.socket.settimeout(1)
        with self.assertRaises(TimeoutError):
            # Those that were on their way, and one whose question was answered before: silence follows.
            for _ in range(10):
                self.assertEqual(manager.next(), "WATCHDOG=1")
        self.assertIn("who pauses", self.read("log"))
        served.tell(signal.SIGKILL)
        self.assertEqual(served.wait(), -signal.SIGKILL)


if __name__ == "__main__":
    unittest.main()
