# SPDX-License-Identifier: MIT
"""encode() writes what the model writes, and parse() reads it."""

import affix
import pytest
from fuzzing import material, model


def fields_of(random, depth=0):
    tags = [tag for tag in random.sample(range(11, 3000), random.choice((0, 1, 5, 30))) if tag not in model.LENGTHS]
    fields = {}
    for tag in tags:
        if depth < 4 and random.random() < 0.1:
            fields[tag] = [fields_of(random, depth + 1) for _ in range(random.randint(0, 3))]
        else:
            fields[tag] = material.value(random)
    form = random.randrange(3)
    return fields if form == 0 else list(fields.items()) if form == 1 else tuple(fields.items())


def run(random):
    fields = fields_of(random)
    type = random.choice(("D", "8", "U1", "\u00e9"))
    wanted = model.encode(b"FIX.4.4", type.encode(), fields)
    given = iter(fields) if isinstance(fields, list) and random.random() < 0.3 else fields
    if wanted is None:
        with pytest.raises(affix.EncodeError):
            affix.encode(type, given)
        return
    data = affix.encode(type, given)
    assert data == wanted
    message = affix.parse(data)
    assert message.items()[3:-1] == [(tag, model.text(value)) for tag, value in model.flat(fields)]
    body = affix.encode.__self__.encode_body(fields)
    assert body == b"".join(b"%d=%s\x01" % field for field in model.flat(fields))
    # Raw data with SOH goes behind its length.
    raw = bytes(random.choices(b"a\x01=", k=random.randint(1, 30))) + b"\x01z"
    assert affix.parse(affix.encode("B", {96: raw})).raw(96) == raw
