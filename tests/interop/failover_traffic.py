# SPDX-License-Identifier: MIT
"""Counterparties of one of the failover groups under test: what they trade, when they got answers, and whether their records agree
with the nodes' journals.

`may_lose` (ASYNC): what a standby had not acknowledged at a failover may be gone. What counterparties have heard shortly before may
then be missing from the journals, and what it answered comes once more under another number; no number has two contents even
then, and nothing that was sent stays without an answer."""

import threading
import time
from collections import Counter

import affix_programs
import finding_relay
import machines
import peers
import returning_peer

FIRST_PORT = 9870
# Small segments, so that a round begins several.
SEGMENT_BYTES = 1 << 18
# Session messages do not stand in the way of one content for each number: a heartbeat may become a gap fill.
ADMINISTRATIVE = ("0", "1", "2", "3", "4", "5", "A")


# Records of a standby that is in sync are acknowledged sooner than this.
UNACKNOWLEDGED_SECONDS = 0.5


class Traffic:
    """The `number`-th of an episode. Ends with `scope`."""

    def __init__(self, test, scope, group, number, may_lose):
        self.group, self.may_lose = group, may_lose
        self._test, self._scope, self._number = test, scope, number
        self._losses = []

    def failed_over(self, since, until):
        """Between these times the group may have changed its primary."""
        self._losses.append((since - UNACKNOWLEDGED_SECONDS, until))

    def _is_excused(self, at):
        return self.may_lose and any(since <= at <= until for since, until in self._losses)

    def _door(self, node):
        return (f"[DOOR{self._number}]\ntype=server\nnic_address={node.machine.address}\naccept_port={FIRST_PORT + self._number}\n"
                f"failover_group={self.group.name}\n")

    def _places(self, nodes):
        return [(node.machine.address, FIRST_PORT + self._number) for node in nodes]

    def _session(self, node, name, sender, target, instance, keys):
        return affix_programs.session_group(name, sender, target, node.journals(self.group),
                                            f"instance={instance}{self._number}\n{keys}")

    def _journal(self, node, sender, target):
        return node.journals(self.group) / f"{peers.BEGIN_STRING}-{sender}-{target}"


class Measured(Traffic):
    """Two counterparties by hand that note everything, and an echo."""

    ORDERS_PER_SECOND = 150
    APPLICATION = "application=ECHO"
    name = "measured"

    def __init__(self, test, scope, _folder, group, number, may_lose, durability):
        super().__init__(test, scope, group, number, may_lose)
        self._keys = f"durability={durability}\nmax_serialised_file_size={SEGMENT_BYTES}\n"
        self._names = [f"PEER{number}{letter}" for letter in "XY"]
        self.peers = []

    def sections(self, node):
        return self._door(node) + "".join(self._session(node, name, "US", name, "DOOR", self._keys) for name in self._names)

    def begin(self, nodes):
        addresses = [(node.name, place) for node, place in zip(nodes, self._places(nodes))]
        self.peers = [returning_peer.ReturningPeer(self._scope, addresses, name, "US", self.ORDERS_PER_SECOND)
                      for name in self._names]

    def press(self, factor):
        """Orders come so many times as often."""
        for peer in self.peers:
            peer.rate = factor * self.ORDERS_PER_SECOND
            peer.begin_rate_anew()

    def resume(self):
        for peer in self.peers:
            peer.resume()
            peer.wait_answers(10)

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
        records = affix_programs.read_journal(self._journal(primary, "US", peer.sender))
        stored = {record.message.text: record.message.number for record in records if record.kind == "OUT"}
        unknown = [one for one in heard if not one.duplicate and one.text.replace(returning_peer.SOH, "|") not in stored]
        self._test.assertEqual([one for one in unknown if not self._is_excused(one.at)][:5], [],
                               f"{peer.sender} has seen messages that the journal of {primary.name} lacks")
        used = set(stored.values())
        self._test.assertEqual([one for one in unknown if one.number in used][:5], [], "numbers of what was lost are used again")
        received = {record.message.get(11) for record in records if record.kind == "IN" and record.message.type == "D"}
        unknown = [order for at, _, order in answers if order not in received and not self._is_excused(at)]
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


class Routed(Traffic):
    """A trader and an exchange, both of another process, between which the group routes: it accepts from one and connects to the
    other. A relay leads the trader to the node that answers, and another one the nodes to the exchange."""

    ORDERS_PER_SECOND = 60
    APPLICATION = "application=ROUTER"
    # Of a machine that is gone a counterparty learns by nothing else.
    HEARTBEAT_SECONDS = 1

    def __init__(self, test, scope, folder, group, number, may_lose, durability):
        super().__init__(test, scope, group, number, may_lose)
        self._folder = folder / f"counterparties-{number}"
        self._folder.mkdir()
        self._keys = (f"durability={durability}\nmax_serialised_file_size={SEGMENT_BYTES}\n"
                      "send_while_disconnected=QUEUE\n")
        self._name_in, self._name_out = f"TRADER{number}", f"HUB{number}"
        self.exchange, port = self.open_exchange()
        self._to_exchange = finding_relay.FindingRelay(scope, [("127.0.0.1", port)], machines.HOST_ADDRESS)
        self._to_nodes = self.trader = None

    def sections(self, node):
        at, trader = self._number, self._name_in
        return (f"[ROUTE_IN{at}]\nroute_from={trader}\nroute_to=EXCHANGE{at}\n"
                f"[ROUTE_OUT{at}]\nroute_from=EXCHANGE{at}\nroute_to={trader}\n{self._door(node)}"
                f"[CLIENT{at}]\ntype=client\nprimary_address={machines.HOST_ADDRESS}\nprimary_port={self._to_exchange.port}\n"
                f"reconnect_milliseconds=50\nreconnect_milliseconds_max=200\nfailover_group={self.group.name}\n"
                + self._session(node, trader, "EXCHANGE", trader, "DOOR", self._keys)
                + self._session(node, f"EXCHANGE{at}", self._name_out, "EXCHANGE", "CLIENT", self._keys))

    def begin(self, nodes):
        self._addresses = dict(zip((node.name for node in nodes), self._places(nodes)))
        self._to_nodes = finding_relay.FindingRelay(self._scope, self._places(nodes))
        self.trader = self.open_trader(self._to_nodes.port)

    def press(self, factor):
        pass

    def resume(self):
        self.next_answer(time.monotonic())

    def next_answer(self, at, but_from=None):
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        but_from = self._addresses.get(but_from)
        while (answer := self._to_nodes.answer_after(at, but_from)) is None:
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
            (place / f"{process.name.replace(' ', '-')}-{self._number}.output").write_text("\n".join(process.snapshot()))


class RoutedQuickfix(Routed):
    """Between two processes of QuickFIX."""

    name = "quickfix"

    def __init__(self, *arguments):
        self._names = []
        self._ending = threading.Event()
        super().__init__(*arguments)

    def open_exchange(self):
        (self._folder / "exchange").mkdir()
        return peers.open_quickfix_exchange(self._test, self._folder / "exchange", targets=(self._name_out,))

    def open_trader(self, port):
        (self._folder / "trader").mkdir()
        trader = peers.open_quickfix_trader(self._test, port, self._folder / "trader", sender=self._name_in,
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
            reports = delivered(self.trader, "8", 17)  # First, as more are sent meanwhile.
            sent = Counter({message.get(17): 1 for message in self.exchange.messages("out") if message.type == "8"})
            return delivered(self.exchange, "D", 11), sent, reports

        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        before, now = None, counts()
        while (before != now or now[0].keys() != wanted.keys() or now[1].keys() != now[2].keys()) and time.monotonic() < deadline:
            time.sleep(0.3)
            before, now = now, counts()
        orders, sent, reports = now
        self._test.assertEqual((wanted - orders, sent - reports), (Counter(), Counter()), "messages are missing")
        if not self.may_lose:
            self._test.assertEqual((orders - wanted, reports - sent), (Counter(), Counter()), "messages came twice")
        for peer in (self.trader, self.exchange):
            peer.close()  # Nothing more is seen while the journals are read.
        for peer, session, names in ((self.trader, "EXCHANGE", ("EXCHANGE", self._name_in)),
                                     (self.exchange, self._name_out, (self._name_out, "EXCHANGE"))):
            received = peer.messages("in")
            self._test.assert_one_message_per_number(received)
            self._test.assert_resends_are_true(received)
            affix_programs.assert_records_agree(self._test, peer, session, self._journal(primary, *names), may_lose=self.may_lose)
            peer.lines.clear()
        return len(self._names)


class RoutedAffix(Routed):
    """Between `affix-lab trade` and `affix-lab exchange`."""

    name = "affix"

    def open_exchange(self):
        config = self._folder / "exchange.cfg"
        affix_programs.write_exchange_config(config, self._folder / "exchange", [self._name_out])
        return affix_programs.open_exchange(self._test, config)

    def open_trader(self, port):
        config = self._folder / "trade.cfg"
        affix_programs.write_trade_config(config, self._folder / "trade", port, [self._name_in],
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
            for name, names in (("trade", ("EXCHANGE", self._name_in)), ("exchange", (self._name_out, "EXCHANGE"))):
                own = next(path for path in (self._folder / name).iterdir() if path.name.startswith("FIX"))
                sides[name] = (affix_programs.read_journal(own), affix_programs.read_journal(self._journal(primary, *names)))
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

        # Messages that the group has sent since the trader left wait for its return.
        sent, received = contents(own, "OUT"), contents(other, "IN")
        heard, said = contents(own, "IN"), contents(other, "OUT")
        unknown = heard - said
        if self.may_lose:
            used = {number for number, _ in said}
            unknown = [one for one in unknown if one[0] in used]
        return [*(sent - received), *(received - sent), *unknown][:5]

    def _once_each(self, records, kind, tag):
        """The values of `tag`, none of which is there twice."""
        found = Counter(record.message.get(tag) for record in records
                        if record.kind == kind and record.message.get(tag) and record.message.type not in ADMINISTRATIVE)
        if not self.may_lose:
            self._test.assertEqual([value for value, count in found.items() if count > 1][:5], [], "came twice")
        return set(found)
