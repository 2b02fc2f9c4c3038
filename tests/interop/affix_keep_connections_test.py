# SPDX-License-Identifier: MIT
"""`affix serve` killed with SIGKILL at random moments under load, again and again, while another process waits in line: the
connections go on, and no counterparty sees a disconnect. AFFIX_ROUNDS kills over all (`./dev torture --keep-connections`
asks for more), AFFIX_SEED for the same ones again. Silences are printed and not judged, since other load would disturb them."""

import os
import random
import re
import statistics
import threading
import time
from collections import Counter

import affix_programs
import kept_line
import measuring_peer
import peers

ROUNDS = int(os.environ.get("AFFIX_ROUNDS", "20"))
SEED = int(os.environ.get("AFFIX_SEED") or random.SystemRandom().getrandbits(32))

# Journals and records of their own for so many kills, so that no comparison is of a day's messages.
EPISODE_ROUNDS = 25
ORDERS_PER_SECOND = 400
MEASURED_ORDERS_PER_SECOND = 10_000

# Shares of the rounds, and who the counterparties on both sides of the killed process are.
SHARES = {"measured": 4, "quickfix": 4, "affix": 4, "quickfixj": 2, "philadelphia": 2}

# Engines that keep no messages, and fill gaps in what was lost.
FORGETFUL = ("philadelphia",)

ECHO = "[APPLICATION]\napplication=ECHO\n[VENUE]\nnic_address=127.0.0.1\naccept_port=0\n"


def rounds_of(what):
    return max(1, ROUNDS * SHARES[what] // sum(SHARES.values()))


def episodes(what):
    """(random choices, number of the first round, rounds) of each; a failure names them."""
    for first in range(0, rounds_of(what), EPISODE_ROUNDS):
        yield random.Random(f"{SEED} {what} {first}"), first, min(EPISODE_ROUNDS, rounds_of(what) - first)


def linger(choice):
    """The kill is to come at any moment, and not only when a message has just arrived."""
    time.sleep(choice.random() * choice.choice((0, 0.002, 0.02, 0.1)))


def milliseconds(seconds):
    """min, median, p99 and max as text."""
    ordered = sorted(1000 * one for one in seconds)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return (f"{len(ordered)} silences: min {ordered[0]:.1f} ms, median {statistics.median(ordered):.1f} ms, "
            f"p99 {p99:.1f} ms, max {ordered[-1]:.1f} ms")


class Load:
    """Orders of a trader's commands at a rate, on a thread of its own."""

    def __init__(self, trader):
        self.names = []
        self._trader = trader
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        begun = time.monotonic()
        while not self._ending.wait(0.005):
            due = int((time.monotonic() - begun) * ORDERS_PER_SECOND) - len(self.names)
            batch = [f"N{len(self.names) + number}" for number in range(due)]
            if batch:
                self._trader.write("\n".join(f"order {name} MSFT buy 10 1 limit" for name in batch))
                self.names += batch

    def end(self):
        self._ending.set()
        self._thread.join()


class KeepConnections(peers.InteropTest):
    def setUp(self):
        super().setUp()
        self.directory.chmod(0o700)
        print(f"AFFIX_SEED={SEED} AFFIX_ROUNDS={ROUNDS}", flush=True)
        self.adopted = 0
        self.refused = Counter()

    def folder(self, name):
        path = super().folder(name)
        path.chmod(0o700)
        return path

    def killed_between(self, engine, run):
        """One episode after another with counterparties of `engine`."""
        before, peers.ENGINE = peers.ENGINE, engine
        self.addCleanup(setattr, peers, "ENGINE", before)
        kills = orders = 0
        for choice, first, rounds in episodes(engine):
            with self.subTest(seed=SEED, first_round=first):
                orders += run(choice, self.folder(f"{engine}-{first}"), rounds)
                kills += rounds
        self.tell(f"{engine} on both sides: {kills} kills, {orders} orders")

    def tell(self, what):
        refused = "".join(f"; {count} closed: {why}" for why, count in self.refused.items())
        print(f"{what}, {self.adopted} connections are logged to have gone on{refused}", flush=True)

    def killed_between_java(self, engine):
        if not os.path.isdir(os.path.join(peers.JVM, "classes")):
            self.skipTest("engines for Java are fetched by ./dev interop")
        self.killed_between(engine, self.kill_between_engines)

    def test_killed_between_two_of_quickfix(self):
        self.killed_between("quickfix", self.kill_between_engines)

    def test_killed_between_two_of_quickfixj(self):
        self.killed_between_java("quickfixj")

    def test_killed_between_two_of_philadelphia(self):
        self.killed_between_java("philadelphia")

    def test_killed_between_two_of_affix(self):
        self.killed_between("affix", self.kill_between_affix)

    def test_killed_at_a_high_rate(self):
        silences = []
        for choice, first, rounds in episodes("measured"):
            with self.subTest(seed=SEED, first_round=first):
                silences += self.kill_beside_a_measuring_peer(choice, self.folder(f"measured-{first}"), rounds)
        self.tell(f"killed at {MEASURED_ORDERS_PER_SECOND} orders a second, {milliseconds(silences)}")

    def test_upgraded_at_a_high_rate(self):
        silences = self.upgrade_beside_a_measuring_peer(self.folder("upgraded"), max(5, min(100, ROUNDS // 10)))
        self.tell(f"upgraded at {MEASURED_ORDERS_PER_SECOND} orders a second, {milliseconds(silences)}")

    # --- Between a trader and an exchange: it accepts from one and connects to the other ---

    def router(self, choice, folder, port):
        """A process with a session on each side, which passes on what it gets."""
        reactor = choice.choice(("EPOLL", "IO_URING"))
        durability = choice.choice(("process", "process", "group", "sync"))
        keys = f"durability={durability}\n"
        if peers.ENGINE in FORGETFUL:
            keys += "resend_request_end=GAP\n"  # More than is missing would be lost, too.
        groups = (f"[APPLICATION]\napplication=ROUTER\n[ROUTE_IN]\nroute_from=TRADER\nroute_to=EXCHANGE\n"
                  f"[ROUTE_OUT]\nroute_from=EXCHANGE\nroute_to=TRADER\n"
                  f"[DOOR]\nnic_address=127.0.0.1\naccept_port=0\nreactor={reactor}\n"
                  f"[CLIENT]\nprimary_address=127.0.0.1\nprimary_port={port}\nreactor={reactor}\n"
                  + affix_programs.session_group("TRADER", "EXCHANGE", "TRADER", folder / "journal", keys + "instance=DOOR\n")
                  + affix_programs.session_group("EXCHANGE", "HUB", "EXCHANGE", folder / "journal", keys + "instance=CLIENT\n"))
        print(f"  {reactor}, durability={durability}", flush=True)
        return kept_line.Line(self, folder, groups)

    def kill_again_and_again(self, choice, line, rounds, wait_traffic):
        for _ in range(rounds):
            line.stand_by()
            wait_traffic()
            linger(choice)
            line.kill()
            line.serving.wait_serving()
        wait_traffic()

    def assert_kept(self, line, sessions, kills):
        """Every connection that went on is the same one. Those that were closed had a known reason. Returns how many ends
        each session's counterparty may have seen."""
        adoptions = line.adoptions()
        refusals = line.refusals()
        unknown = [why for why in refusals if why not in kept_line.KNOWN_REFUSALS]
        self.assertEqual(unknown, [], line.log())
        # A process that was killed at once has not written its last lines.
        self.assertLessEqual(len(adoptions) + len(refusals), sessions * kills, line.log())
        # Their gap fills lack 43=Y, so that the second answer to what both processes have asked for ends the session.
        theirs = len(re.findall(r" S130 .*35=4", line.log())) if peers.ENGINE in FORGETFUL else 0
        if theirs:
            print(f"  {theirs} ended by a gap fill of {peers.ENGINE} without 43=Y", flush=True)
        if not refusals and not theirs:
            self.assertEqual(len(set(adoptions)), sessions, "another connection")
        self.adopted += len(adoptions)
        self.refused.update(refusals)
        return len(refusals) + theirs

    def kill_between_engines(self, choice, folder, rounds):
        exchange, port = peers.open_quickfix_exchange(self, self.folder(folder / "exchange"), targets=("HUB",))
        line = self.router(choice, folder, port)
        exchange.wait_event("logon")
        trader = peers.open_quickfix_trader(self, line.ports()[0], self.folder(folder / "trader"))
        trader.command("logon")
        trader.wait_event("logon")
        load = Load(trader)

        def wait_traffic():
            trader.skip()
            trader.wait_message("delivered", t35="8")

        self.kill_again_and_again(choice, line, rounds, wait_traffic)
        load.end()
        self.await_answers(trader, exchange, load.names)
        may_end = self.assert_kept(line, 2, rounds)
        line.close()
        for peer, session, journal in ((trader, "EXCHANGE", "EXCHANGE-TRADER"), (exchange, "HUB", "HUB-EXCHANGE")):
            self.assert_quickfix_refused_nothing(peer)
            received = peer.messages("in")
            self.assert_one_message_per_number(received)
            self.assert_resends_are_true(received)
            affix_programs.assert_records_agree(self, peer, session, folder / "journal" / f"{peers.BEGIN_STRING}-{journal}",
                                                all_arrived=peers.ENGINE not in FORGETFUL)
            ends = sum(text.startswith("logon ") for text in peer.snapshot()) - 1
            self.assertLessEqual(ends, may_end, f"{peer.name} has seen a disconnect\n{line.log()}")
        for peer in (trader, exchange):
            peer.close()
            peer.lines.clear()
        return len(load.names)

    def await_answers(self, trader, exchange, names):
        """Each order has come once, and each report about it once. Of an engine that keeps no messages, those are lost that
        the killed process had read and not stored."""
        def delivered(peer, kind):
            return Counter(message.get(11) if kind == "D" else message.get(17)
                           for message in peer.messages("delivered") if message.type == kind)

        before = None
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while True:
            orders, reports = delivered(exchange, "D"), delivered(trader, "8")
            sent = Counter({message.get(17): 1 for message in exchange.messages("out") if message.type == "8"})
            lost = sum((Counter(names) - orders).values()) + sum((sent - reports).values())
            if (lost == 0 or (peers.ENGINE in FORGETFUL and lost == before)) or time.monotonic() > deadline:
                break
            before = lost
            time.sleep(0.5)
        self.assertEqual(orders - Counter(names), Counter())
        self.assertEqual(reports - sent, Counter())
        if peers.ENGINE not in FORGETFUL:
            self.assertEqual((Counter(names) - orders, sent - reports), (Counter(), Counter()))
        elif lost:
            print(f"  {lost} messages were read and not stored, and {peers.ENGINE} keeps none to send again", flush=True)

    def kill_between_affix(self, choice, folder, rounds):
        config = folder / "exchange.cfg"
        affix_programs.write_exchange_config(config, folder / "exchange", ["HUB"])
        exchange, port = affix_programs.open_exchange(self, config)
        line = self.router(choice, folder, port)
        config = folder / "trade.cfg"
        affix_programs.write_trade_config(config, folder / "trade", line.ports()[0], ["TRADER"])
        trade = affix_programs.open_trade(self, config, "--rate", ORDERS_PER_SECOND, "--duration", 3600, "--seed",
                                          choice.randrange(1, 1 << 30))
        exchange.wait_text("S101 .*logged on")
        trade.wait_text("S101 .*logged on")
        journal = folder / "journal" / f"{peers.BEGIN_STRING}-EXCHANGE-TRADER"
        self.kill_again_and_again(choice, line, rounds, lambda: time.sleep(0.02))
        trade.interrupt()
        # It does not wait for what it has just sent.
        self.assertIn(trade.wait_exit(), (0, 1), trade.snapshot()[-20:])
        may_end = self.assert_kept(line, 2, rounds)
        line.stop()
        exchange.interrupt()
        exchange.wait_exit()
        sides = {}
        for process, records in ((trade, folder / "trade"), (exchange, folder / "exchange")):
            ends = sum(" S206 " in text for text in process.snapshot()) - 1
            self.assertLessEqual(ends, may_end, f"{process.name} has seen a disconnect\n{line.log()}")
            own = affix_programs.read_journal(next(path for path in records.iterdir() if path.name.startswith("FIX")))
            name = "EXCHANGE-TRADER" if process is trade else "HUB-EXCHANGE"
            journal = affix_programs.read_journal(folder / "journal" / f"{peers.BEGIN_STRING}-{name}")
            self.assert_journals_agree(own, journal)
            sides[process] = own
        orders = self.once_each(sides[trade], "OUT", 11)
        self.assertEqual(self.once_each(sides[exchange], "IN", 11), orders)
        reports = self.once_each(sides[trade], "IN", 17)
        self.assertEqual(reports - self.once_each(sides[exchange], "OUT", 17), set())
        answered = {record.message.get(11) for record in sides[trade] if record.kind == "IN" and record.message.type in "89"}
        left = len(orders - answered)
        print(f"  {left} of {len(orders)} had no answer when it ended", flush=True)
        return len(orders)

    def once_each(self, records, kind, tag):
        """The values of `tag` in messages of the application, none of which is there twice."""
        found = Counter(record.message.get(tag) for record in records
                        if record.kind == kind and record.message.get(tag) and record.message.type not in "0A12345")
        self.assertEqual([value for value, count in found.items() if count > 1], [])
        return set(found)

    def assert_journals_agree(self, own, other):
        """Of two sides of a session."""
        def contents(records, kinds):
            return Counter((record.message.number, tuple(record.message.content())) for record in records
                           if record.kind in kinds and record.message.type not in "0A12345")

        for one, another in ((own, other), (other, own)):
            self.assertEqual(contents(one, ("OUT",)), contents(another, ("IN",)))

    # --- Beside a counterparty that measures ---

    def measured_line(self, folder, keys=""):
        groups = ECHO + affix_programs.session_group("PEER", "US", "PEER", folder / "journal", keys)
        line = kept_line.Line(self, folder, groups)
        return line, measuring_peer.MeasuringPeer(self, line.ports()[0], "PEER", "US", MEASURED_ORDERS_PER_SECOND)

    def silences(self, line, peer, begun, folder):
        """After the last one of `begun`, in seconds; everything is judged."""
        peer.finish()
        line.close()
        peer.judge(self, folder / "journal" / f"{peers.BEGIN_STRING}-US-PEER")
        self.assert_kept(line, 1, len(begun))
        self.assertEqual({address for _, address in line.adoptions()}, {peer.address})
        return [peer.silence(since, min(since + 1, until)) for since, until in zip(begun, [*begun[1:], begun[-1] + 1])]

    def kill_beside_a_measuring_peer(self, choice, folder, rounds):
        line, peer = self.measured_line(folder)
        begun = []
        for _ in range(rounds):
            line.stand_by()
            peer.wait_more(20)
            linger(choice)
            begun.append(line.kill())
            line.serving.wait_serving()
            peer.wait_more(20)
        return self.silences(line, peer, begun, folder)

    def upgrade_beside_a_measuring_peer(self, folder, rounds):
        line, peer = self.measured_line(folder)
        begun = []
        for _ in range(rounds):
            peer.wait_more(20)
            begun.append(time.monotonic())
            before = line.upgrade()
            line.serving.wait_serving()
            self.assertEqual(before.process.wait(peers.DEADLINE_SECONDS), 0, line.log())
            peer.wait_more(20)
        return self.silences(line, peer, begun, folder)


if __name__ == "__main__":
    peers.main({"quickfix_trader": peers.QUICKFIX_TRADER, "quickfix_exchange": peers.QUICKFIX_EXCHANGE,
                "affix": peers.AFFIX})
