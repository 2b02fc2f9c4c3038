# SPDX-License-Identifier: MIT
"""Counterparties of a failover group under test: what they trade, when they got answers, and whether their records agree with the
nodes' journals."""

import threading
import time
from collections import Counter

import affix_programs
import finding_relay
import machines
import peers
import returning_peer
from failover_cluster import GROUP

PORT = 9876
# Small segments, so that a round begins several.
SEGMENT_BYTES = 1 << 18
# Session messages do not stand in the way of one content for each number: a heartbeat may become a gap fill.
ADMINISTRATIVE = ("0", "1", "2", "3", "4", "5", "A")


def door(machine):
    return f"[DOOR]\ntype=server\nnic_address={machine.address}\naccept_port={PORT}\nfailover_group={GROUP}\n"


def places(nodes):
    return [(node.machine.address, PORT) for node in nodes]


class Measured:
    """Counterparties by hand that note everything, and an echo."""

    NAMES = ("PEER1", "PEER2")
    ORDERS_PER_SECOND = 200
    name = "measured"

    def __init__(self, test, scope, _folder, durability):
        self._test, self._scope, self._keys = test, scope, (
            f"instance=DOOR\ndurability={durability}\nmax_serialised_file_size={SEGMENT_BYTES}\n")
        self.peers = []

    def groups(self, machine):
        return "[APPLICATION]\napplication=ECHO\n" + door(machine) + "".join(
            affix_programs.session_group(name, "US", name, machine.disk / "journals", self._keys) for name in self.NAMES)

    def begin(self, nodes):
        addresses = [(node.name, place) for node, place in zip(nodes, places(nodes))]
        self.peers = [returning_peer.ReturningPeer(self._scope, addresses, name, "US", self.ORDERS_PER_SECOND)
                      for name in self.NAMES]

    def press(self, factor):
        """Orders come so many times as often."""
        for peer in self.peers:
            peer.rate = factor * self.ORDERS_PER_SECOND
            peer.begin_rate_anew()

    def resume(self):
        for peer in self.peers:
            peer.resume()
            peer.wait_answers(20)

    def next_answer(self, at, but_from=None):
        """The slowest one's, in seconds after `at`."""
        for peer in self.peers:
            peer.wait(lambda peer=peer: peer.first_answer_after(at, but_from) is not None, f"answer but from {but_from}")
        return max(peer.first_answer_after(at, but_from) for peer in self.peers) - at

    def silence(self, since):
        """The longest one until now, when everybody has an answer again, in seconds."""
        self.next_answer(time.monotonic())
        return max(peer.silence(since, time.monotonic()) for peer in self.peers)

    def rest(self):
        for peer in self.peers:
            peer.wait_answers(5)
            peer.rest()

    def judge(self, primary):
        for peer in self.peers:
            self._test.assertIsNone(peer.fault)
            self._test.assertEqual(len(peer.answers), peer.orders, "every order is answered")
            self._assert_in_journal(peer, primary)
            self._assert_one_content_per_number(peer)
            self._assert_one_node_at_a_time(peer)
            self._test.assertEqual(peer.logouts, [], "a node refused a Logon")

    def end(self, _primary):
        return sum(peer.orders for peer in self.peers)

    def keep(self, place):
        for peer in self.peers:
            (place / f"{peer.sender}.heard").write_text("".join(
                f"{one.at:.6f} {one.node} {one.text.replace(returning_peer.SOH, '|')}\n" for one in list(peer.heard)))

    def _assert_in_journal(self, peer, primary):
        heard, answers = list(peer.heard), list(peer.answers)  # More comes while the journal is read.
        records = affix_programs.read_journal(primary.machine.disk / "journals" / f"{peers.BEGIN_STRING}-US-{peer.sender}")
        stored = {record.message.text for record in records if record.kind == "OUT"}
        unknown = [one for one in heard if not one.duplicate and one.text.replace(returning_peer.SOH, "|") not in stored]
        self._test.assertEqual(unknown[:5], [], f"{peer.sender} has seen messages that the journal of {primary.name} lacks")
        received = {record.message.get(11) for record in records if record.kind == "IN" and record.message.type == "D"}
        unknown = [order for _, _, order in answers if order not in received]
        self._test.assertEqual(unknown[:5], [], f"orders were answered that the journal of {primary.name} lacks")
        times = Counter(record.message.get(11) for record in records if record.kind == "OUT" and record.message.type == "D")
        self._test.assertEqual([one for one, count in times.items() if count > 1][:5], [], "orders were answered twice")

    def _assert_one_content_per_number(self, peer):
        contents = {}
        for one in peer.heard:
            if one.type not in ADMINISTRATIVE:
                content = peers.FixMessage(one.text.replace(returning_peer.SOH, "|")).content()
                self._test.assertEqual(contents.setdefault(one.number, content), content, f"number {one.number} twice")
        live = Counter(one.number for one in peer.heard if not one.duplicate and one.type != "4")
        self._test.assertEqual([number for number, count in live.items() if count > 1][:5], [], "numbers were used twice")

    def _assert_one_node_at_a_time(self, peer):
        """By the time at which each message was made: nobody speaks after the next one has begun."""
        said = sorted((one for one in peer.heard if not one.duplicate), key=lambda one: (one.number, one.at))
        for before, after in zip(said, said[1:]):
            if before.node != after.node:
                self._test.assertLessEqual(before.sending_time, after.sending_time, f"{before} and {after}")
                self._test.assertEqual(after.type, "A", f"{after.node} begins without a Logon: {before}, {after}")


class Routed:
    """A trader and an exchange, both of another process, between which the group routes: it accepts from one and connects to the
    other. A relay leads the trader to the node that answers, and another one the nodes to the exchange."""

    ORDERS_PER_SECOND = 100
    # Of a machine that is gone a counterparty learns by nothing else.
    HEARTBEAT_SECONDS = 1

    def __init__(self, test, scope, folder, durability):
        self._test, self._scope, self._folder = test, scope, folder
        self._keys = (f"durability={durability}\nmax_serialised_file_size={SEGMENT_BYTES}\n"
                      "send_while_disconnected=QUEUE\n")
        self.exchange, port = self.open_exchange()
        self._to_exchange = finding_relay.FindingRelay(scope, [("127.0.0.1", port)], machines.HOST_ADDRESS)
        self._to_nodes = self.trader = None

    def groups(self, machine):
        journals = machine.disk / "journals"
        return (f"[APPLICATION]\napplication=ROUTER\n[ROUTE_IN]\nroute_from=TRADER\nroute_to=EXCHANGE\n"
                f"[ROUTE_OUT]\nroute_from=EXCHANGE\nroute_to=TRADER\n{door(machine)}"
                f"[CLIENT]\ntype=client\nprimary_address={machines.HOST_ADDRESS}\nprimary_port={self._to_exchange.port}\n"
                f"reconnect_milliseconds=50\nreconnect_milliseconds_max=200\nfailover_group={GROUP}\n"
                + affix_programs.session_group("TRADER", "EXCHANGE", "TRADER", journals, self._keys + "instance=DOOR\n")
                + affix_programs.session_group("EXCHANGE", "HUB", "EXCHANGE", journals, self._keys + "instance=CLIENT\n"))

    def begin(self, nodes):
        self._to_nodes = finding_relay.FindingRelay(self._scope, places(nodes))
        self.trader = self.open_trader(self._to_nodes.port)

    def press(self, factor):
        pass

    def resume(self):
        self.next_answer(time.monotonic())

    def next_answer(self, at, _but_from=None):
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while (answer := self._to_nodes.answer_after(at)) is None:
            if time.monotonic() > deadline:
                raise peers.Deadline(f"no answer; {self.trader.name}: {self.trader.snapshot()[-10:]}")
            time.sleep(0.005)
        return answer - at

    def silence(self, since):
        self.next_answer(time.monotonic())
        return self._to_nodes.silence(since, time.monotonic())

    def rest(self):
        """They are never quiet before the end."""

    def judge(self, _primary):
        pass

    def keep(self, place):
        for process in filter(None, (self.trader, self.exchange)):
            (place / f"{process.name.replace(' ', '-')}.output").write_text("\n".join(process.snapshot()))


class RoutedQuickfix(Routed):
    """Between two processes of QuickFIX."""

    name = "quickfix"

    def __init__(self, *arguments):
        self._names = []
        self._ending = threading.Event()
        super().__init__(*arguments)

    def open_exchange(self):
        (self._folder / "exchange").mkdir()
        return peers.open_quickfix_exchange(self._test, self._folder / "exchange", targets=("HUB",))

    def open_trader(self, port):
        (self._folder / "trader").mkdir()
        trader = peers.open_quickfix_trader(self._test, port, self._folder / "trader",
                                            heartbeat_seconds=self.HEARTBEAT_SECONDS)
        trader.command("logon")
        trader.wait_event("logon")
        self._load = threading.Thread(target=self._order, args=(trader,), daemon=True)
        self._scope.addCleanup(self._ending.set)
        self._load.start()
        return trader

    def _order(self, trader):
        while not self._ending.wait(1 / self.ORDERS_PER_SECOND):
            self._names.append(f"N{len(self._names)}")
            trader.write(f"order {self._names[-1]} MSFT buy 10 1 limit")

    def end(self, primary):
        self._ending.set()
        self._load.join()
        wanted = Counter(self._names)

        def delivered(peer, kind, tag):
            return Counter(message.get(tag) for message in peer.messages("delivered") if message.type == kind)

        def counts():
            sent = Counter({message.get(17): 1 for message in self.exchange.messages("out") if message.type == "8"})
            return delivered(self.exchange, "D", 11), sent, delivered(self.trader, "8", 17)

        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while True:
            orders, sent, reports = counts()
            if (orders == wanted and reports == sent) or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        self._test.assertEqual((wanted - orders, sent - reports), (Counter(), Counter()), "messages are missing")
        self._test.assertEqual((orders - wanted, reports - sent), (Counter(), Counter()), "messages came twice")
        for peer in (self.trader, self.exchange):
            peer.close()  # Nothing more is seen while the journals are read.
        for peer, session, journal in ((self.trader, "EXCHANGE", "EXCHANGE-TRADER"), (self.exchange, "HUB", "HUB-EXCHANGE")):
            received = peer.messages("in")
            self._test.assert_one_message_per_number(received)
            self._test.assert_resends_are_true(received)
            affix_programs.assert_records_agree(self._test, peer, session,
                                                primary.machine.disk / "journals" / f"{peers.BEGIN_STRING}-{journal}")
            peer.lines.clear()
        return len(self._names)


class RoutedAffix(Routed):
    """Between `affix-lab trade` and `affix-lab exchange`."""

    name = "affix"

    def open_exchange(self):
        config = self._folder / "exchange.cfg"
        affix_programs.write_exchange_config(config, self._folder / "exchange", ["HUB"])
        return affix_programs.open_exchange(self._test, config)

    def open_trader(self, port):
        config = self._folder / "trade.cfg"
        affix_programs.write_trade_config(config, self._folder / "trade", port, ["TRADER"],
                                          f"heartbeat_interval_seconds={self.HEARTBEAT_SECONDS}\n")
        trade = affix_programs.open_trade(self._test, config, "--rate", self.ORDERS_PER_SECOND, "--duration", 3600, "--seed", 7)
        trade.wait_text("S101 .*logged on")
        return trade

    def end(self, primary):
        self.trader.interrupt()
        # It does not wait for what it has just sent.
        self._test.assertIn(self.trader.wait_exit(), (0, 1), self.trader.snapshot()[-20:])
        sides = {}
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while True:
            for name, folder, journal in (("trade", "trade", "EXCHANGE-TRADER"), ("exchange", "exchange", "HUB-EXCHANGE")):
                own = next(path for path in (self._folder / folder).iterdir() if path.name.startswith("FIX"))
                sides[name] = (affix_programs.read_journal(own), affix_programs.read_journal(
                    primary.machine.disk / "journals" / f"{peers.BEGIN_STRING}-{journal}"))
            differences = {name: self._differences(*both) for name, both in sides.items()}
            orders = self._once_each(sides["trade"][0], "OUT", 11)
            arrived = self._once_each(sides["exchange"][0], "IN", 11)
            if (not any(differences.values()) and arrived == orders) or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        self._test.assertEqual(differences["exchange"], [], "the exchange's records and the journal differ")
        self._test.assertEqual(differences["trade"], [], "the trader's records and the journal differ")
        self._test.assertEqual(arrived ^ orders, set(), "orders of one side that the other one lacks")
        for process in (self.trader, self.exchange):
            process.close()
        return len(orders)

    def _differences(self, own, other):
        """What one side has sent of the application's messages, and the other has not received."""
        def contents(records, kind):
            return Counter((record.message.number, tuple(record.message.content())) for record in records
                           if record.kind == kind and record.message.type not in ADMINISTRATIVE)

        # What the group has sent since the trader left waits for its return.
        sent, received = contents(own, "OUT"), contents(other, "IN")
        heard, said = contents(own, "IN"), contents(other, "OUT")
        return [*(sent - received), *(received - sent), *(heard - said)][:5]

    def _once_each(self, records, kind, tag):
        """The values of `tag`, none of which is there twice."""
        found = Counter(record.message.get(tag) for record in records
                        if record.kind == kind and record.message.get(tag) and record.message.type not in ADMINISTRATIVE)
        self._test.assertEqual([value for value, count in found.items() if count > 1][:5], [], "came twice")
        return set(found)
