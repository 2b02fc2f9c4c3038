# SPDX-License-Identifier: MIT
"""Messages of two engines over TCP, written as a capture file of raw IPv4 packets, for tools that read packets."""

import struct

LINK_RAW_IP = 101
SEGMENT_BYTES = 1400
SYN, PUSH, ACK = 0x02, 0x08, 0x10


def checksum(data):
    """The Internet checksum."""
    total = sum(struct.unpack(f"!{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class PcapFile:
    """One connection between client 10.0.0.1:40000 and server 10.0.0.2:`port`, opened when this is."""

    def __init__(self, path, port):
        self._out = open(path, "wb")
        self._ends = (bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
        self._ports = (40000, port)
        self._next = [1000, 5000]
        self._count = 0
        self._out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, LINK_RAW_IP))
        self._packet(0, SYN, b"")
        self._packet(1, SYN | ACK, b"")
        self._packet(0, ACK, b"")

    def say(self, side, data):
        """Bytes of the client (0) or the server (1)."""
        for begin in range(0, len(data), SEGMENT_BYTES):
            self._packet(side, PUSH | ACK, data[begin:begin + SEGMENT_BYTES])

    def close(self):
        self._out.close()

    def _packet(self, side, flags, data):
        other = 1 - side
        acknowledged = self._next[other] if flags & ACK else 0
        tcp = struct.pack("!HHIIBBHHH", self._ports[side], self._ports[other], self._next[side], acknowledged, 5 << 4, flags,
                          65535, 0, 0)
        pseudo = self._ends[side] + self._ends[other] + struct.pack("!BBH", 0, 6, len(tcp) + len(data))
        tcp = tcp[:16] + struct.pack("!H", checksum(pseudo + tcp + data)) + tcp[18:]
        head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp) + len(data), self._count, 0, 64, 6, 0) + self._ends[side] + self._ends[other]
        head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
        packet = head + tcp + data
        self._out.write(struct.pack("<IIII", 1_700_000_000 + self._count // 1000, self._count % 1000 * 1000, len(packet), len(packet)))
        self._out.write(packet)
        self._next[side] += len(data) + (1 if flags & SYN else 0)
        self._count += 1
