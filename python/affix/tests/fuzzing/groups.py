# SPDX-License-Identifier: MIT
"""Repeating groups: what is written as lists of dicts is read as such, also of messages that were damaged."""

import affix
from fuzzing import material

CODEC = affix.dictionary("FIX.4.4")
# Groups of NewOrderSingle: the first field of each entry is in all of them.
GROUPS = {"NoPartyIDs": ("PartyID", "PartyIDSource", "PartyRole"), "NoPartySubIDs": ("PartySubID", "PartySubIDType"),
          "NoAllocs": ("AllocAccount", "AllocQty"), "NoNestedPartyIDs": ("NestedPartyID", "NestedPartyRole"),
          "NoNestedPartySubIDs": ("NestedPartySubID",), "NoTradingSessions": ("TradingSessionID",)}
WITHIN = {"NoPartyIDs": "NoPartySubIDs", "NoAllocs": "NoNestedPartyIDs", "NoNestedPartyIDs": "NoNestedPartySubIDs"}


def entries(random, counter, least=0):
    result = []
    for _ in range(random.randint(least, 4)):
        first, *others = GROUPS[counter]
        entry = {first: str(random.randint(0, 99))}
        entry |= {name: str(random.randint(0, 9)) for name in others if random.random() < 0.7}
        if counter in WITHIN and random.random() < 0.5:
            entry[WITHIN[counter]] = entries(random, WITHIN[counter], 1)
        result.append(entry)
    return result


def use(fields, depth=0):
    """Every read of a message's or an entry's groups."""
    for name in GROUPS:
        try:
            for entry in fields.group(name):
                entry.items()
                entry.get(448, None)
                assert depth < 8
                use(entry, depth + 1)
        except affix.UnknownNameError:
            pass


def run(random):
    fields = {"ClOrdID": "x"}
    for counter in random.sample(("NoPartyIDs", "NoAllocs", "NoTradingSessions"), random.randint(1, 3)):
        fields[counter] = entries(random, counter)
    fields["Symbol"] = "EUR/USD"
    data = CODEC.encode("NewOrderSingle", fields)
    message = CODEC.parse(data)
    values = message.to_dict()
    assert {name: values[name] for name in fields} == fields
    use(message)
    damaged = bytearray(material.reframed(material.damaged(random, data)) or b"x")
    message = CODEC.parse(damaged, defective=True)
    use(message)
    kept = message.group(453) if message.type == "D" else []
    # The bytes change under the message: entries are void, or read what is there.
    damaged[:] = material.words(random, len(damaged), len(damaged), b"\x01=0123456789")
    if random.random() < 0.5:
        CODEC.parse(data)
    for entry in kept:
        try:
            entry.to_dict()
            use(entry)
        except affix.ExpiredError:
            pass
    message.to_dict()
    message.validate()
