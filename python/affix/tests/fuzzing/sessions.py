# SPDX-License-Identifier: MIT
"""Commands of two engines in any order, between turns and after the end, with messages that are kept."""

import gc

import affix
from fuzzing import material
from fuzzing.loopback import CODEC, Pair


class Holder:
    """A program's own object for a session; the engine refers to it, and messages do too."""

    def __init__(self):
        self.messages = []


def body(random):
    try:
        return CODEC.encode_body({11: "x", random.randint(1, 999): material.value(random)})
    except affix.EncodeError:
        return material.words(random)


def commands(random, engine, name):
    return (
        lambda: engine.send(name, random.choice(("D", "8", "0", "A", "", "U\x01")), body(random)),
        lambda: engine.finish_message(name, random.choice((0, 1, 2, 2**63))),
        lambda: engine.flush(name),
        lambda: engine.logout(name, "enough"),
        lambda: engine.connect(name),
        lambda: engine.reset(name),
        lambda: engine.test_peer(name),
        lambda: engine.disconnect(name),
        lambda: engine.set_next_sender_seq(name, random.choice((0, 1, 7, 2**63))),
        lambda: engine.set_next_target_seq(name, random.choice((0, 1, 7, 2**63))),
        lambda: engine.state(name),
        lambda: engine.state("nobody"),
        lambda: engine.attach(name, Holder()),
        lambda: engine.finish("end"),
        lambda: (engine.all_down, engine.session_names, engine.addresses, engine.descriptor()),
        lambda: engine.wake(),
        lambda: gc.collect(0),
        lambda: engine.close() if random.random() < 0.1 else None,
    )


def run(random):
    with Pair() as pair:
        for engine, name in ((pair.venue, "ALICE"), (pair.firm, "BOB")):
            holder = Holder()
            engine.attach(name, holder)
        pair.log_on()
        for _ in range(random.randint(1, 60)):
            engine, name = random.choice(((pair.venue, "ALICE"), (pair.firm, "BOB")))
            try:
                if random.random() < 0.5:
                    random.choice(commands(random, engine, name))()
                else:
                    pair.turn()
            except affix.ClosedError:
                pass
        received = pair.received
    for item in received:
        if type(item) is affix.Message:
            item.to_dict()
            if isinstance(item.session, Holder):
                item.session.messages.append(item)  # A cycle, which only the collector finds.
        else:
            assert isinstance(item, tuple) and isinstance(item[0], str)
