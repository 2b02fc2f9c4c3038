# SPDX-License-Identifier: MIT
"""Receivers: what comes out does not depend on how the stream was cut, and views expire."""

import affix
import pytest
from fuzzing import material

CODECS = (None, affix.dictionary("FIX.4.4"))


def pieces(random, stream):
    at = 0
    while at < len(stream):
        size = random.choice((1, 7, 60, 500, 5000))
        yield stream[at:at + size]
        at += size


def run(random):
    stream = b"".join(random.choice((material.message, material.message, material.words,
                                     lambda random: material.damaged(random, material.message(random))))(random)
                      for _ in range(random.randint(1, 12)))
    limit = random.choice((1 << 20, 1 << 20, 300, 1))
    whole = affix.Receiver(message_bytes_max=limit)
    whole.feed(stream)
    wanted = [bytes(message) for message in whole]
    receiver = affix.Receiver(random.choice(CODECS), limit)
    got, views, live = [], [], []
    for piece in pieces(random, stream):
        receiver.feed(random.choice((bytes, bytearray, memoryview))(piece))
        for message in live:
            with pytest.raises(affix.ExpiredError):
                message.items()
        live = list(receiver)
        got += [bytes(message) for message in live]
        views += live
    assert got == wanted
    assert (receiver.garbled, receiver.skipped_bytes, receiver.waiting_bytes) == (
        whole.garbled, whole.skipped_bytes, whole.waiting_bytes)
    del receiver
    for message in views:
        assert message in live or "expired" in repr(message)
    for message in live:
        message.to_dict()
