# SPDX-License-Identifier: MIT
"""A TCP relay that writes what passes as a capture file, as a packet sniffer between two engines does."""

import socket
import struct
import threading
import time

LINK_RAW_IP = 101
SYN, FIN, PUSH, ACK = 0x02, 0x01, 0x08, 0x10
# The packet's bytes and headers have to fit in the 16 bits of IP's length.
RECEIVE_BYTES = 16384


class CapturingRelay:
    """Listens on a loopback port, and connects every caller to `target_port`. One thread a direction."""

    def __init__(self, path, target_port):
        self._target_port = target_port
        self._lock = threading.Lock()
        self._out = open(path, "wb")
        # Magic of nanoseconds, version, no zone, whole packets.
        self._out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, LINK_RAW_IP))
        self._sockets = []
        self._threads = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._start(self._accept)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self._lock:
            sockets = [self._listener, *self._sockets]
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # Already closed by its peer.
        for thread in self._threads:
            thread.join()
        for each in sockets:
            each.close()
        self._out.close()

    def _start(self, function, *arguments):
        thread = threading.Thread(target=function, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                caller, address = self._listener.accept()
                target = socket.create_connection(("127.0.0.1", self._target_port))
            except OSError:
                return  # The relay, or the target, is closed.
            with self._lock:
                self._sockets += [caller, target]
            connection = Connection(address[1], self._target_port)
            for side, source, sink in ((0, caller, target), (1, target, caller)):
                self._write(connection.packet(side, SYN if side == 0 else SYN | ACK))
                self._start(self._forward, connection, side, source, sink)

    def _forward(self, connection, side, source, sink):
        try:
            while data := source.recv(RECEIVE_BYTES):
                with self._lock:
                    self._write(connection.packet(side, PUSH | ACK, data))
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # One of the two has gone.

    def _write(self, packet):
        now = time.time_ns()
        self._out.write(struct.pack("<IIII", now // 10**9, now % 10**9, len(packet), len(packet)) + packet)


class Connection:
    """Numbers of one connection's bytes."""

    def __init__(self, caller_port, target_port):
        self._ports = (caller_port, target_port)
        self._next = [1000, 5000]

    def packet(self, side, flags, data=b""):
        """An IPv4 packet of the caller (0) or the target (1); checksums are left out, as where a card computes them."""
        home = bytes([127, 0, 0, 1])
        tcp = struct.pack("!HHIIBBHHH", self._ports[side], self._ports[1 - side], self._next[side], self._next[1 - side], 5 << 4,
                          flags, 65535, 0, 0)
        self._next[side] += len(data) + (1 if flags & (SYN | FIN) else 0)
        return struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp) + len(data), 0, 0, 64, 6, 0) + home + home + tcp + data
