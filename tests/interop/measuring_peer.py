# SPDX-License-Identifier: MIT
"""A FIX counterparty by hand that sends orders at a rate and notes when bytes come: for how long was the other side silent?
It answers what a session must answer, asks for nothing, and keeps every byte, so that all of it is judged afterwards."""

import datetime
import re
import select
import socket
import threading
import time

import affix_programs
import peers

SOH = "\x01"
HEAD = re.compile(rb"8=FIX\.4\.4\x019=(\d+)\x01")
TRAILER_BYTES = len("10=000|")
ANSWER = b"\x0135=D\x01"
SESSION_TYPE = re.compile(rb"\x0135=[1245]\x01")
ORDERS_PER_WRITE = 200
UNSENT_BYTES_MAX = 1 << 20


def now_text():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H:%M:%S.%f")[:-3]


class Ended(AssertionError):
    """The connection has ended, which the peer of a kept one never sees."""


class Numbered:
    """What one side of a session sends: each message has its number, and goes out again when the other side asks."""

    def __init__(self, sender, target):
        self.sender, self.target = sender, target
        self.sent = []  # [number - 1]: (type, fields, time, text)
        self.orders = 0
        self._unsent = bytearray()

    def _text(self, kind, number, fields, time_text, header=""):
        body = f"35={kind}{SOH}49={self.sender}{SOH}56={self.target}{SOH}34={number}{SOH}{header}52={time_text}{SOH}{fields}"
        text = f"8=FIX.4.4{SOH}9={len(body)}{SOH}{body}".encode()
        return text + b"10=%03d\x01" % (sum(text) % 256)

    def _put(self, kind, fields, time_text=None):
        time_text = time_text or now_text()
        text = self._text(kind, len(self.sent) + 1, fields, time_text)
        self.sent.append((kind, fields, time_text, text))
        self._unsent += text

    def _put_orders(self, count):
        time_text = now_text()
        for _ in range(count):
            self.orders += 1
            self._put("D", f"11={self.orders}{SOH}21=1{SOH}55=IBM{SOH}54=1{SOH}60={time_text}{SOH}38=100{SOH}40=1{SOH}",
                      time_text)

    def _send_again(self, first, last):
        gap = None
        for number in range(first, min(last, len(self.sent)) + 1):
            kind, fields, time_text, _ = self.sent[number - 1]
            if kind != "D":
                gap = gap or number
                continue
            self._end_gap(gap, number)
            gap = None
            self._unsent += self._text(kind, number, fields, now_text(), f"43=Y{SOH}122={time_text}{SOH}")
        self._end_gap(gap, min(last, len(self.sent)) + 1)

    def _end_gap(self, gap, until):
        if gap is not None:
            self._unsent += self._text("4", gap, f"123=Y{SOH}36={until}{SOH}", now_text(), f"43=Y{SOH}")


class MeasuringPeer(Numbered):
    """One connection on a thread of its own from begin() until end(). `rate`: orders a second."""

    def __init__(self, test, port, sender, target, rate):
        super().__init__(sender, target)
        self.rate = rate
        self.received = bytearray()
        self.times = []  # Of reads that brought something.
        self.answers = 0
        self.fault = None
        self._ordering = True
        self._judged = 0
        self._has_session_message = False
        self._stopping = False
        self._leaving = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=peers.DEADLINE_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.address = "{}:{}".format(*self._socket.getsockname())
        test.addCleanup(self.end)
        self._put("A", f"98=0{SOH}108=30{SOH}")
        self._socket.sendall(self._unsent)
        self._unsent.clear()
        while b"\x0135=A\x01" not in self.received:
            self._read()
        self._socket.setblocking(False)
        self._thread.start()

    # --- The thread ---

    def _run(self):
        try:
            begun = time.monotonic()
            while not self._leaving and (self._unsent or not self._stopping):
                due = int((time.monotonic() - begun) * self.rate) - self.orders
                if self._ordering and due > 0 and len(self._unsent) < UNSENT_BYTES_MAX:
                    self._put_orders(min(due, ORDERS_PER_WRITE))
                self._write()
                wait = begun + (self.orders + 1) / self.rate - time.monotonic()
                readable, _, _ = select.select([self._socket], [self._socket] if self._unsent else [], [],
                                               min(max(wait, 0.0005), 0.005))
                if readable:
                    self._read()
        except (OSError, Ended) as fault:
            self.fault = fault

    def _write(self):
        if self._unsent:
            try:
                del self._unsent[:self._socket.send(self._unsent)]
            except BlockingIOError:
                pass

    def _read(self):
        chunk = self._socket.recv(1 << 18)
        self.times.append(time.monotonic())
        if not chunk:
            raise Ended(f"{self.sender}: the connection has ended")
        tail = max(len(self.received) - len(ANSWER) + 1, 0)
        self.received += chunk
        self.answers += self.received.count(ANSWER, tail)
        self._has_session_message |= SESSION_TYPE.search(self.received, tail) is not None
        if self._has_session_message:
            self._answer()

    def _answer(self):
        """Reads on to the last whole message; requests are answered."""
        for message in self._whole_messages():
            fields = dict(field.split("=", 1) for field in message.decode().strip(SOH).split(SOH))
            if fields["35"] == "1":
                self._put("0", f"112={fields['112']}{SOH}")
            elif fields["35"] == "2":
                self._send_again(int(fields["7"]), int(fields["16"]) or len(self.sent))
            elif fields["35"] == "5":
                raise Ended(f"{self.sender}: logged out: {fields.get('58')}")
        self._has_session_message = SESSION_TYPE.search(self.received, self._judged) is not None

    def _whole_messages(self):
        while head := HEAD.match(self.received, self._judged):
            end = head.end() + int(head.group(1)) + TRAILER_BYTES
            if end > len(self.received):
                return
            message = bytes(self.received[self._judged:end])
            self._judged = end
            yield message

    # --- The test ---

    def wait_more(self, count=1):
        """Until bytes have come `count` times from now on."""
        wanted = len(self.times) + count
        self._wait(lambda: len(self.times) >= wanted, "bytes")

    def finish(self):
        """No more orders. Returns when each has an answer."""
        self._ordering = False
        self._wait(lambda: self.answers >= self.orders, "an answer to every order")
        self.end()

    def messages(self):
        """Fields of every message received. Raises if the bytes are not one whole message after another."""
        found, at = [], 0
        while head := HEAD.match(self.received, at):
            end = head.end() + int(head.group(1)) + TRAILER_BYTES
            text = bytes(self.received[at:end])
            if text[-TRAILER_BYTES:] != b"10=%03d\x01" % (sum(text[:-TRAILER_BYTES]) % 256):
                break
            found.append(text)
            at = end
        if at != len(self.received):
            raise AssertionError(f"{self.sender}: no message at byte {at} of {len(self.received)}: "
                                 f"{bytes(self.received[max(at - 300, 0):at])} | {bytes(self.received[at:at + 300])}")
        return found

    def judge(self, test, journal):
        """The whole of one connection: nothing is missing, nothing came twice, and `journal` says the same."""
        test.assertIsNone(self.fault)
        received = self.messages()
        fields = [dict(field.split("=", 1) for field in text.decode().strip(SOH).split(SOH)) for text in received]
        test.assertEqual([int(one["34"]) for one in fields], list(range(1, len(fields) + 1)), "numbers of one connection")
        answered = [int(one["11"]) for one in fields if one["35"] == "D"]
        test.assertEqual(answered, list(range(1, self.orders + 1)), "each order is answered once, in order")
        records = affix_programs.read_journal(journal)
        stored = [record.message.text for record in records if record.kind == "OUT"]
        test.assertEqual(stored, [text.decode().replace(SOH, "|") for text in received], "what the journal has sent")
        numbers = [record.message.number for record in records if record.kind == "IN" and record.message.type == "D"]
        test.assertEqual(numbers, [number for number, (kind, _, _, _) in enumerate(self.sent, 1) if kind == "D"],
                         "what the journal has received")

    def _wait(self, condition, what):
        deadline = time.monotonic() + peers.DEADLINE_SECONDS
        while not condition():
            if self.fault is not None:
                raise self.fault
            if time.monotonic() > deadline:
                raise peers.Deadline(f"{self.sender}: no {what}")
            time.sleep(0.002)

    def end(self):
        self._stopping = True
        self._thread.join(peers.DEADLINE_SECONDS)
        self._socket.close()

    def leave(self):
        """The connection ends here, as it is."""
        self._leaving = True
        self.end()

    def silence(self, since, until):
        """The longest time without a byte that overlaps the two times, in seconds."""
        longest = 0.0
        for before, after in zip(self.times, self.times[1:]):
            if after >= since and before <= until:
                longest = max(longest, after - before)
        return longest
