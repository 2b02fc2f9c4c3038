# SPDX-License-Identifier: MIT
"""A FIX counterparty by hand that comes back: it dials every node until one answers its Logon, goes on with its numbers, asks for
what it lacks, and sends orders at a rate while it is logged on. It keeps every message that any node has ever said."""

import select
import socket
import threading
import time
from collections import namedtuple

import measuring_peer
import peers
from measuring_peer import SOH

# A node that is asleep or cut off says nothing: the others are dialed meanwhile.
SILENCE_SECONDS = 0.1
DIAL_SECONDS = 0.25
PAUSE_SECONDS = 0.005
SESSION_TYPES = ("0", "1", "2", "3", "4", "5", "A")

Heard = namedtuple("Heard", "at node number type duplicate sending_time text")


class Connection:
    """To one node, from its dialing to its end."""

    def __init__(self, node, address):
        self.node = node
        self.begun = time.monotonic()
        self.connected = False
        self.unread = b""
        self.unsent = bytearray()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect_ex(address)

    def fileno(self):
        return self.socket.fileno()


class ReturningPeer(measuring_peer.Numbered):
    """Dials `nodes`, (name, (host, port)) of each, on a thread of its own until end()."""

    def __init__(self, test, nodes, sender, target, rate):
        super().__init__(sender, target)
        self.rate = rate
        self.heard = []  # Every message, in the order in which it was read.
        self.answers = []  # (time, node, order) of the first answer to each order.
        self.logons = []  # (time, node) of each Logon that a node has answered.
        self.logouts = []  # Texts.
        self.expected = 1
        self.fault = None
        self._answered = set()
        self._nodes = nodes
        self._ordering = True
        self._stopping = False
        self._paused_until = {name: 0.0 for name, _ in nodes}
        self._line = None  # The connection that is logged on.
        self._last_heard = 0.0
        self._dialing = []
        self._former = []  # Is anything said there later?
        self._asked_up_to = 0
        self._due_from, self._due_base = 0.0, 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        test.addCleanup(self.end)
        self._thread.start()

    # --- The thread ---

    def _run(self):
        try:
            while not self._stopping:
                now = time.monotonic()
                self._dial(now)
                self._order(now)
                self._write_line()
                waiting = [self._line] if self._line else []
                readers = [*waiting, *self._former, *(one for one in self._dialing if one.connected)]
                writers = [one for one in self._dialing if not one.connected] + [one for one in waiting if one.unsent]
                readable, writable, _ = select.select(readers, writers, [], 0.002)
                for one in writable:
                    if not one.connected:
                        self._log_on(one)
                for one in readable:
                    self._read(one)
        except Exception as fault:  # For the test's thread.
            self.fault = fault
            raise

    def _dial(self, now):
        outstanding = len(self._answered) < self.orders
        if self._line and (not outstanding or now - self._last_heard < SILENCE_SECONDS):
            self._end_all(self._dialing)
            return
        for one in [one for one in self._dialing if now - one.begun > DIAL_SECONDS]:
            self._end(one)
        busy = {one.node for one in self._dialing} | ({self._line.node} if self._line else set())
        for name, address in self._nodes:
            if name not in busy and now >= self._paused_until[name]:
                self._dialing.append(Connection(name, address))

    def _log_on(self, one):
        if one not in self._dialing:
            return
        if one.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0:
            self._end(one)
            return
        one.connected = True
        # Each attempt has a number of its own: nobody knows whether a node that is gone had stored it.
        others, self._unsent = self._unsent, one.unsent
        self._put("A", f"98=0{SOH}108=30{SOH}")
        self._unsent = others
        self._send(one)

    def _order(self, now):
        if not self._line or not self._ordering:
            self._due_from = 0.0
            return
        if self._due_from == 0.0:
            # Orders that were due while nobody was there are not made up for.
            self._due_from, self._due_base = now, self.orders
        due = int((now - self._due_from) * self.rate) + 1 - (self.orders - self._due_base)
        if due > 0 and len(self._line.unsent) < measuring_peer.UNSENT_BYTES_MAX:
            self._put_orders(min(due, measuring_peer.ORDERS_PER_WRITE))

    def _write_line(self):
        if self._line:
            self._line.unsent += self._unsent
            self._send(self._line)
        self._unsent.clear()

    def _send(self, one):
        try:
            if one.unsent:
                del one.unsent[:one.socket.send(one.unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._end(one)

    def _read(self, one):
        try:
            chunk = one.socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._end(one)
            return
        one.unread += chunk
        at = 0
        while head := measuring_peer.HEAD.match(one.unread, at):
            end = head.end() + int(head.group(1)) + measuring_peer.TRAILER_BYTES
            if end > len(one.unread):
                break
            self._hear(one, one.unread[at:end])
            at = end
        one.unread = one.unread[at:]

    def _hear(self, one, message):
        text = message.decode()
        fields = dict(field.split("=", 1) for field in text.strip(SOH).split(SOH))
        now, kind, number = time.monotonic(), fields["35"], int(fields["34"])
        duplicate = fields.get("43") == "Y"
        self.heard.append(Heard(now, one.node, number, kind, duplicate, fields["52"], text))
        if one is not self._line and one not in self._dialing:
            return
        if one in self._dialing:
            if kind != "A":
                self.logouts.append((now, one.node, fields.get("58", "")))
                self._end(one)
                return
            self._take(one, now)
        self._last_heard = now
        if kind == "1":
            self._put("0", f"112={fields['112']}{SOH}")
        elif kind == "2":
            self._send_again(int(fields["7"]), int(fields["16"]) or len(self.sent))
        elif kind == "5":
            self.logouts.append((now, one.node, fields.get("58", "")))
            self._end(one)
            return
        self._count(one, now, kind, number, duplicate, fields)

    def _count(self, one, now, kind, number, duplicate, fields):
        if number > self.expected:
            if self._asked_up_to < self.expected:
                self._asked_up_to = number - 1
                self._put("2", f"7={self.expected}{SOH}16=0{SOH}")
            return
        if number < self.expected:
            if not duplicate:
                raise AssertionError(f"{self.sender}: number {number} where {self.expected} is expected, from {one.node}: {fields}")
            return
        self.expected = int(fields["36"]) if kind == "4" else number + 1
        if "11" in fields and kind not in SESSION_TYPES and fields["11"] not in self._answered:
            self._answered.add(fields["11"])
            self.answers.append((now, one.node, fields["11"]))

    def _take(self, one, now):
        """This node leads."""
        if self._line:
            self._former.append(self._line)
        self._dialing.remove(one)
        self._end_all(self._dialing)
        self._line = one
        self._asked_up_to = 0
        self._unsent.clear()
        self.logons.append((now, one.node))

    def _end_all(self, some):
        for one in list(some):
            self._end(one)

    def _end(self, one):
        if one is self._line:
            self._line = None
            self._unsent.clear()
        for some in (self._dialing, self._former):
            if one in some:
                some.remove(one)
        self._paused_until[one.node] = time.monotonic() + PAUSE_SECONDS
        one.socket.close()

    # --- The test ---

    def wait(self, condition, what):
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while not condition():
            if self.fault is not None:
                raise AssertionError(f"{self.sender}: {self.fault}") from self.fault
            if time.monotonic() > deadline:
                raise peers.Deadline(f"{self.sender}: no {what}; {len(self.answers)} of {self.orders} orders have an answer, "
                                     f"logons {self.logons[-5:]}, logouts {self.logouts[-5:]}, expected {self.expected}")
            time.sleep(0.002)

    def wait_answers(self, count):
        """That many more from now on."""
        wanted = len(self.answers) + count
        self.wait(lambda: len(self.answers) >= wanted, "answers")

    def rest(self):
        """No more orders. Returns when each has an answer."""
        self._ordering = False
        self.wait(lambda: len(self.answers) >= self.orders and self._line is not None, "answer to every order")

    def resume(self):
        self._ordering = True

    def begin_rate_anew(self):
        """After a change of `rate`."""
        self._due_from = 0.0

    def first_answer_after(self, at, but_from=None):
        """Its time; None: there was none."""
        return next((time_ for time_, node, _ in list(self.answers) if time_ > at and node != but_from), None)

    def silence(self, since, until):
        """The longest time without an answer that overlaps the two times, in seconds."""
        times = [one for one, _, _ in list(self.answers)]
        return max((after - before for before, after in zip(times, times[1:]) if after >= since and before <= until), default=0.0)

    def end(self):
        self._stopping = True
        self._thread.join(peers.DEADLINE_SECONDS)
        self._end_all([*([self._line] if self._line else []), *self._dialing, *self._former])
