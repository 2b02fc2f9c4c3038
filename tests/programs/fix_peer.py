# SPDX-License-Identifier: MIT
"""A FIX counterparty by hand for tests of programs: sends the test's messages, and answers nothing by itself."""

import datetime
import socket

SOH = "\x01"
TIMEOUT = 60


class FixPeer:
    """One connection. `wait()` reads messages in order, as lists of (tag, value), until one is of a type."""

    def __init__(self, connection, sender, target, begin_string="FIX.4.4"):
        self.connection = connection
        self.connection.settimeout(TIMEOUT)
        self.sender, self.target, self.begin_string = sender, target, begin_string
        self.next_number = 1
        self.unread = b""

    @classmethod
    def connect(cls, port, sender, target, source=None):
        address = None if source is None else (source, 0)
        return cls(socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT, source_address=address), sender,
                   target)

    def send(self, message_type, fields=(), number=None, header=()):
        if number is None:
            number = self.next_number
            self.next_number += 1
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H:%M:%S.%f")[:-3]
        body = "".join(f"{tag}={value}{SOH}" for tag, value in
                       [(35, message_type), (49, self.sender), (56, self.target), (34, number), (52, now), *header,
                        *fields])
        text = f"8={self.begin_string}{SOH}9={len(body)}{SOH}{body}"
        self.connection.sendall(f"{text}10={sum(text.encode()) % 256:03}{SOH}".encode())

    def log_on(self, heartbeat=30):
        self.send("A", [(98, 0), (108, heartbeat), (141, "Y")])
        return self.wait("A")

    def order(self, name, *more, header=()):
        self.send("D", [(11, name), (55, "IBM"), (54, 1), (38, 100), (40, 1), *more], header=header)

    def next_message(self):
        """None at the end of the connection."""
        while True:
            end = self.unread.find(b"\x0110=")
            end = self.unread.find(b"\x01", end + 4) if end >= 0 else -1
            if end >= 0:
                text, self.unread = self.unread[:end], self.unread[end + 1:]
                return [(int(tag), value) for tag, _, value in
                        (field.partition("=") for field in text.decode().split(SOH))]
            try:
                received = self.connection.recv(65536)
            except ConnectionResetError:
                received = b""
            if not received:
                return None
            self.unread += received

    def wait(self, message_type):
        while True:
            message = self.next_message()
            if message is None:
                raise AssertionError(f"{self.sender}: the connection ended before a message of type {message_type}")
            if dict(message)[35] == message_type:
                return dict(message)

    def ended(self):
        """Reads to the end of the connection: the types that still came."""
        types = []
        while (message := self.next_message()) is not None:
            types.append(dict(message)[35])
        return types

    def log_out(self):
        self.send("5")
        self.wait("5")
        self.close()

    def close(self):
        self.connection.close()
