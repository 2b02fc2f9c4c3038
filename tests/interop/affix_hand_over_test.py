# SPDX-License-Identifier: MIT
"""A failover group handed over between two nodes of one machine that use one `affix-keep`, under load: the counterparties'
connections go on. Ends of a hand-over that does not succeed are played, too: nobody waits at a connection that no process
serves. AFFIX_ROUNDS hand-overs; silences are printed and not judged, since other load would disturb them."""

import os
import signal
import socket
import statistics
import struct
import sys
import time
from pathlib import Path

import kept_line
import measuring_peer
import peers

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "programs"))
import failover_fixture  # noqa: E402
import fix_peer  # noqa: E402
import program_fixture  # noqa: E402
import serve_fixture  # noqa: E402

serve_fixture.ServeTest.affix = peers.AFFIX

ROUNDS = int(os.environ.get("AFFIX_ROUNDS", "20"))
ORDERS_PER_SECOND = 2_000
NAMES = ("ONE", "TWO", "THREE")
# Of the keeper's protocol.
HELLO = struct.Struct("=IHBBII200s")
MAGIC, VERSION, KIND_HELLO, KIND_REFUSED = 0x4B584641, 1, 1, 9
OTHER = {"A": "B", "B": "A"}


class HandOver(failover_fixture.FailoverTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o700)
        self.keeper = kept_line.Keeper(self, self.folder / "keeper")

    def node(self, node, kept=True, server_keys="", session_keys="", **keys):
        engine = f"log_level=INFO\nkeeper={self.keeper.place}\nkeeper_instance={node}\n" if kept else "log_level=INFO\n"
        text = self.node_text(node, engine=engine, **keys)
        text = text[:text.index("[DESKS_TRADER]")] + server_keys
        for name in NAMES:
            text += (f"[{name}]\ninstance=DESKS_SERVER\nbegin_string={peers.BEGIN_STRING}\nsender_comp_id=US\n"
                     f"target_comp_id={name}\njournal_path={self.path(node + '.journals')}\n{session_keys}\n")
        self.served[node] = self.serve(text, name=node + ".ini")

    def nodes(self, group_keys="", **keys):
        # A standby that other tests hold up is not to leave the set, which would end a hand-over.
        for node in self.NODES:
            self.node(node, group_keys="replication_timeout_milliseconds=5000\n" + group_keys, **keys)
        self.wait_for_pair()
        self.wait_signs()

    def wait_signs(self):
        """Until each node has shown in the keeper that it is there."""
        for node in self.NODES:
            program_fixture.until(f"sign of {node}", lambda node=node: self.is_owned(f"affix/{node}"))

    def is_owned(self, instance):
        """Whether a process is the owner of that instance of the keeper, which then refuses others."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as owner:
            owner.settimeout(program_fixture.TIMEOUT)
            owner.connect(str(self.keeper.place))
            owner.send(HELLO.pack(MAGIC, VERSION, KIND_HELLO, 0, 0, len(instance), instance.encode()))
            return owner.recv(1000)[6] == KIND_REFUSED

    def measured(self, name, rate=ORDERS_PER_SECOND):
        return measuring_peer.MeasuringPeer(self, self.served["A"].port, name, "US", rate)

    def hand_over(self, node):
        """Returns once the other one leads and both are in sync."""
        # On a busy machine a standby leaves the set now and then.
        program_fixture.until("a hand-over", lambda: self.ask(node, "demote", "DESKS", OTHER[node])["status"] == "begun")
        self.wait_for_pair(OTHER[node])
        return OTHER[node]

    def logs(self):
        return "".join(f"--- {node}\n{self.read(node + '.log')}" for node in self.NODES)

    def assert_kept(self, peer, leader):
        peer.finish()
        try:
            peer.judge(self, Path(self.path(leader + ".journals")) / f"{peers.BEGIN_STRING}-US-{peer.sender}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.logs()}") from error

    def back_and_forth(self, rounds, **keys):
        self.nodes(**keys)
        clients = [self.measured(name) for name in NAMES]
        leader, silences = "A", []
        for _ in range(rounds):
            for client in clients:
                client.wait_more()
            at = time.monotonic()
            leader = self.hand_over(leader)
            for client in clients:
                try:
                    client.wait_more(3)
                except AssertionError as error:
                    raise AssertionError(f"{error}\n{self.logs()}") from error
                silences.append(1000 * client.silence(at, time.monotonic()))
        for client in clients:
            self.assert_kept(client, leader)
        orders = sum(client.orders for client in clients)
        gaps = sum(client.received.count(b"\x0135=2\x01") for client in clients)
        tests = sum(client.received.count(b"\x0135=1\x01") for client in clients)
        self.assertEqual(tests, rounds * len(clients), "each connection has gone on each time")
        print(f"{rounds} hand-overs of {len(clients)} sessions, {orders} orders, no disconnect, {gaps} resend requests; silences: "
              f"min {min(silences):.1f} ms, median {statistics.median(silences):.1f} ms, max {max(silences):.1f} ms; "
              f"load {os.getloadavg()[0]:.1f}", flush=True)

    def test_connections_go_on_in_before_send(self):
        self.back_and_forth(ROUNDS)

    def test_connections_go_on_in_before_deliver(self):
        self.back_and_forth(max(3, ROUNDS // 4), group_keys="replication=BEFORE_DELIVER")

    def test_connections_go_on_in_async(self):
        self.back_and_forth(max(3, ROUNDS // 4), group_keys="replication=ASYNC")

    def test_connections_go_on_with_io_uring(self):
        self.back_and_forth(max(3, ROUNDS // 4), server_keys="reactor=IO_URING\n")

    def test_connections_go_on_with_flushes(self):
        self.back_and_forth(max(3, ROUNDS // 4), session_keys="durability=sync\n")

    # --- What ends otherwise ---

    def logged_on(self, node, first=1, reset=False):
        """A counterparty that goes on with its numbers."""
        peer = fix_peer.FixPeer.connect(self.served[node].port, "ONE", "US")
        self.addCleanup(peer.close)
        peer.next_number = first
        peer.send("A", [(98, 0), (108, 30)] + ([(141, "Y")] if reset else []))
        peer.wait("A")
        return peer

    def assert_cut(self, peer, within_seconds):
        """Its connection ends soon. Returns after how many seconds."""
        begun = time.monotonic()
        peer.ended()
        taken = time.monotonic() - begun
        self.assertLess(taken, within_seconds, self.logs())
        return taken

    def test_a_node_without_the_keeper_gets_no_connections(self):
        self.node("A")
        self.node("B", kept=False)
        self.wait_for_pair()
        peer = self.logged_on("A")
        self.echoed(peer, "X1")
        self.hand_over("A")
        self.assert_cut(peer, 5)
        again = self.logged_on("B", peer.next_number)
        self.echoed(again, "X2")

    def test_a_keeper_that_is_gone_cuts(self):
        self.nodes()
        peer = self.logged_on("A")
        self.keeper.kill()
        self.hand_over("A")
        self.assert_cut(peer, 5)
        peer = self.logged_on("B", peer.next_number)
        self.echoed(peer, "X1")
        # When it is back, connections go on again.
        self.keeper.start()
        self.wait_signs()
        self.hand_over("B")
        self.wait_for_line("A", "K302", "another node")
        self.echoed(peer, "X2")

    def test_a_keeper_that_hangs_delays_nobody_for_long(self):
        self.nodes()
        peer = self.logged_on("A")
        self.keeper.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.keeper.process.send_signal, signal.SIGCONT)
        begun = time.monotonic()
        self.hand_over("A")
        self.assertLess(time.monotonic() - begun, 5)
        self.assert_cut(peer, 5)
        self.echoed(self.logged_on("B", peer.next_number), "X1")

    def test_a_node_killed_before_it_takes_them_keeps_nobody_waiting(self):
        self.nodes()
        peer = self.logged_on("A")
        self.echoed(peer, "X1")
        self.served["B"].tell(signal.SIGSTOP)
        self.addCleanup(self.served["B"].tell, signal.SIGCONT)
        # It has acknowledged everything, so that the entry names it; it is killed before it sees that.
        answer = self.ask("A", "demote", "DESKS", "B")
        self.assertEqual(answer["status"], "begun")
        self.wait_for_line("A", "E306")
        self.kill("B")
        taken = self.assert_cut(peer, 3)
        self.wait_for_line("A", "E312")
        print(f"a node was killed before it took the connection: the counterparty saw the end {taken:.2f} s later", flush=True)
        self.wait_for("A", role="primary")
        self.echoed(self.logged_on("A", peer.next_number), "X2")

    def test_the_former_primary_is_killed_in_the_middle(self):
        """Whoever leads then, the counterparty is served or sees the end."""
        self.nodes()
        peer = self.logged_on("A")
        self.echoed(peer, "X1")
        self.ask("A", "demote", "DESKS", "B")
        self.kill("A")
        self.wait_for("B", role="primary")
        try:
            self.echoed(peer, "X2")
        except (OSError, AssertionError):
            self.echoed(self.logged_on("B", reset=True), "X3")

    def test_after_a_hand_over_a_death_is_noticed_at_once(self):
        self.nodes()
        peer = self.logged_on("A")
        self.hand_over("A")
        self.echoed(peer, "X1")
        self.kill("B")
        self.assert_cut(peer, 2)


if __name__ == "__main__":
    peers.main({"affix": peers.AFFIX})
