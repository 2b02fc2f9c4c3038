# SPDX-License-Identifier: MIT
"""parse() and every read, of correct and of damaged messages, over every kind of buffer."""

import mmap
import re
import tempfile
from array import array
from decimal import Decimal

import affix
import pytest
from fuzzing import material, model

INTEGER = re.compile(rb"-?[0-9]+")
DECIMAL = re.compile(rb"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
CODECS = (affix.parse.__self__, affix.dictionary("FIX.4.4"), affix.dictionary("FIX.5.0SP2"))


def mapped(data):
    file = tempfile.TemporaryFile()
    file.write(data)
    file.flush()
    return mmap.mmap(file.fileno(), 0)


BUFFERS = (bytes, bytearray, memoryview, lambda data: memoryview(bytearray(b"x" + data + b"y"))[1:-1], mapped,
           lambda data: array("b", data))


def check_reads(message, fields):
    """Each field reads as the first with its tag does."""
    first = {}
    for tag, value in fields:
        first.setdefault(tag, value)
    assert message.items() == [(tag, model.text(value)) for tag, value in fields]
    assert list(message) == message.items() and len(message) == len(fields)
    assert message.values(*first) == tuple(map(model.text, first.values()))
    for tag, value in first.items():
        assert tag in message
        assert message[tag] == message.get(tag) == model.text(value)
        assert message.raw(tag) == value
        is_integer = bool(INTEGER.fullmatch(value)) and -2**63 <= int(value) < 2**63
        check_read(message.integer, tag, is_integer, lambda: int(value))
        check_read(message.decimal, tag, bool(DECIMAL.fullmatch(value)), lambda: Decimal(value.decode()))
        check_read(message.boolean, tag, value in (b"Y", b"N"), lambda: value == b"Y")
        for read in (message.utc_time, message.utc_ns):
            try:
                read(tag)
            except affix.FieldError as refused:
                assert refused.field == tag


def check_read(read, tag, is_possible, wanted):
    if is_possible:
        assert read(tag) == wanted()
        return
    with pytest.raises(affix.FieldError):
        read(tag)


def run(random):
    data = material.message(random)
    if random.random() < 0.6:
        data = material.damaged(random, data)
        if random.random() < 0.5:
            data = material.reframed(data)
    codec = random.choice(CODECS)
    buffer = random.choice(BUFFERS)(data) if data else data
    fields = model.split(data)
    is_modelled = fields is None or not any(tag in model.LENGTHS for tag, _ in fields)
    message = codec.parse(buffer, defective=True)
    assert bytes(message) == data
    if is_modelled and b"\x0195=" not in data:
        assert (message.defect is None) == (fields is not None), (message.defect, data)
        if fields is None:
            with pytest.raises(affix.ParseError):
                codec.parse(buffer)
        else:
            check_reads(message, fields)
    tags = [tag for tag, _ in message.items()]
    message.to_dict(names=random.random() < 0.5)
    for tag in random.sample(tags, min(3, len(tags))):
        for read in (message.get, message.raw, message.integer, message.decimal, message.boolean, message.utc_time):
            try:
                read(tag, None) if tag else message.values()
            except affix.FieldError:
                pass
    if codec is not CODECS[0]:
        message.validate(random.choice(("strict", "tolerant", "quickfix", "all")))
    copy = message.copy()
    message.release()
    assert bytes(copy) == data
    with pytest.raises(affix.ExpiredError):
        bytes(message)
