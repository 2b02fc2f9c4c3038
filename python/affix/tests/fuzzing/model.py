# SPDX-License-Identifier: MIT
"""Messages read and written in the simplest way, to compare with."""

import datetime
import re
from decimal import Decimal

SOH = b"\x01"
TAG = re.compile(rb"[0-9]+")
# Fields that say how long the next one is: their rules are not modelled.
LENGTHS = frozenset((90, 93, 95, 212, 348, 350, 352, 354, 356, 358, 360, 362, 364, 445, 618, 621, 1184, 1277, 1280,
                     1282, 1397, 1401, 1403, 1468, 1527, 1578, 1664, 1678, 1697, 1733, 1871, 2072, 2074, 2111, 2112,
                     2179, 2351, 2481, 2493, 2521, 2635, 2637))


def text(value):
    return value.decode("utf-8", "surrogateescape")


def split(data):
    """[(tag, value)] of a correct message; None for any other."""
    if not data.endswith(SOH):
        return None
    fields = []
    for field in data[:-1].split(SOH):
        tag, equals, value = field.partition(b"=")
        if not equals or not TAG.fullmatch(tag) or not 0 < int(tag) < 2**31:
            return None
        fields.append((int(tag), value))
    if [tag for tag, _ in fields[:3]] != [8, 9, 35] or len(fields) < 4 or fields[-1][0] != 10:
        return None
    begin = data.index(SOH, data.index(SOH) + 1) + 1
    end = data.rindex(SOH, 0, len(data) - 1) + 1
    length, checksum = fields[1][1], fields[-1][1]
    if not re.fullmatch(rb"[0-9]+", length) or int(length) != end - begin:
        return None
    if not re.fullmatch(rb"[0-9]{3}", checksum) or int(checksum) != sum(data[:end]) % 256:
        return None
    return fields


def frame(begin_string, body):
    """A whole message of the fields from 35 on."""
    data = b"8=%s\x019=%d\x01%s" % (begin_string, len(body), body)
    return data + b"10=%03d\x01" % (sum(data) % 256)


def value_text(value):
    """The text that encode() writes for a value of a type that it takes."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b"Y" if value else b"N"
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y%m%d-%H:%M:%S.%f").rjust(24, "0").encode()
    if isinstance(value, datetime.date):
        return value.strftime("%Y%m%d").rjust(8, "0").encode()
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S.%f").encode()
    if isinstance(value, Decimal):
        return (format(value, "f") if "E" in str(value) else str(value)).encode()
    return str(value).encode("utf-8", "surrogateescape")


def flat(fields):
    """[(tag, bytes)] as encode() writes them; None if it must refuse. An empty text, or one with SOH, is no value."""
    result = []
    for tag, value in fields.items() if isinstance(fields, dict) else fields:
        if value is None:
            continue
        if isinstance(value, (list, tuple)):
            result.append((tag, b"%d" % len(value)))
            for entry in value:
                inner = flat(entry)
                if inner is None:
                    return None
                result += inner
            continue
        written = value_text(value)
        if not written or SOH in written:
            return None
        result.append((tag, written))
    return result


def encode(begin_string, type, fields):
    written = flat(fields)
    if written is None:
        return None
    body = b"35=%s\x01" % type + b"".join(b"%d=%s\x01" % field for field in written)
    return frame(begin_string, body)
