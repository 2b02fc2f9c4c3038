# SPDX-License-Identifier: MIT
"""Random messages, values and damage."""

import datetime
from decimal import Decimal

from fuzzing import model

ALPHABET = b"0123456789abcXYZ =|.-+:\xc3\xa9\xff\x00"
SEEDS = (
    b"35=8\x0149=VENUE\x0156=FIRM\x0134=7\x0152=20251231-18:21:36.457245\x0137=V-1\x0111=order-1\x0117=E-1\x01"
    b"150=F\x01"
    b"39=2\x0155=EUR/USD\x0154=1\x0138=1000\x0144=1.08250\x0132=1000\x0131=1.0825\x01151=0\x0114=1000\x01"
    b"6=1.0825\x01114=Y\x01",
    b"35=D\x0149=FIRM\x0156=VENUE\x0134=2\x0152=20251231-18:21:36\x0111=order-1\x01453=2\x01448=DESK\x01447=D\x01"
    b"452=1\x01"
    b"802=1\x01523=sub\x01803=2\x01448=BANK\x01447=D\x01452=3\x0155=EUR/USD\x0154=1\x0160=20251231-18:21:36\x0138=1000\x01"
    b"40=2\x0144=1.0825\x01",
    b"35=B\x0149=A\x0156=B\x0134=3\x0152=20251231-18:21:36\x01148=news\x0133=1\x0158=line\x0195=3\x0196=a\x01b\x01",
    b"35=0\x0134=1\x01",
)


def words(random, least=1, most=20, alphabet=ALPHABET):
    return bytes(random.choices(alphabet, k=random.randint(least, most)))


def message(random):
    """A correct message."""
    if random.random() < 0.5:
        return model.frame(b"FIX.4.4", random.choice(SEEDS))
    body = b"35=%s\x01" % words(random, 1, 3)
    for _ in range(random.choice((0, 1, 5, 40, 400))):
        tag = random.choice((random.randint(1, 1500), random.randint(1, 99), random.randint(1, 2**31 - 1)))
        value = random.choice((words(random), b"%d" % random.randint(-10**18, 10**18), b"", b"Y", b"1.50",
                               b"20260131-12:00:00"))
        body += b"%d=%s\x01" % (tag, value)
    return model.frame(random.choice((b"FIX.4.2", b"FIX.4.4", b"FIXT.1.1")), body)


def damaged(random, data, most=4):
    """The bytes with a few of them changed, lost, doubled or put elsewhere."""
    result = bytearray(data)
    for _ in range(random.randint(1, most)):
        at = random.randrange(len(result) + 1)
        kind = random.randrange(5)
        if kind == 0 and at < len(result):
            result[at] = random.choice(b"\x01=0123456789-8ax\xff\x00")
        elif kind == 1:
            del result[at:at + random.choice((1, 1, 3, 50))]
        elif kind == 2:
            result[at:at] = result[at:at + random.choice((1, 3, 50))]
        elif kind == 3:
            result[at:at] = words(random, 1, 5)
        else:
            result = result[:at]
    return bytes(result)


def reframed(data):
    """Damaged bytes whose length and checksum are right again, so that what lies between is looked at."""
    parts = data.split(model.SOH, 2)
    if len(parts) < 3:
        return data
    body = parts[2].rpartition(b"10=")[0]
    return model.frame(parts[0].removeprefix(b"8="), body)


def decimal(random):
    digits = random.randint(-10**random.randint(1, 30), 10**random.randint(1, 30))
    return Decimal(digits).scaleb(random.randint(-30, 10))


def value(random):
    """A value that encode() takes; sometimes one that no field holds."""
    zone = datetime.timezone(datetime.timedelta(minutes=random.randint(-600, 600)))
    when = datetime.datetime(random.randint(2, 9998), random.randint(1, 12), random.randint(1, 28),
                             random.randrange(24), random.randrange(60), random.randrange(60),
                             random.randrange(10**6), random.choice((zone, datetime.timezone.utc)))
    return random.choice((
        None, random.randint(-2**63, 2**63 - 1), random.randint(0, 100), True, False, decimal(random), when,
        when.date(), when.time(), words(random), model.text(words(random)), "caf\u00e9 \U0001f600",
        "x" * random.choice((0, 1, 60, 5000)), "a\x01b" if random.random() < 0.1 else "ab",
    ))
