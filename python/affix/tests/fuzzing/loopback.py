# SPDX-License-Identifier: MIT
"""Two engines that a test turns by hand, with a session between them over loopback."""

import select

import affix
from affix import _affix

ACCEPTOR = ("[VENUE]\ntype=server\nnic_address=127.0.0.1\naccept_port=0\n"
            "[ALICE]\nbegin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id=FIRM\n")
INITIATOR = ("[FIRM]\ntype=client\nprimary_address=127.0.0.1\nprimary_port={port}\nreconnect_milliseconds=20\n"
             "[BOB]\nbegin_string=FIX.4.4\nsender_comp_id=FIRM\ntarget_comp_id=VENUE\n")
CODEC = affix.Codec()
PATIENCE_TURNS = 2_000


class Pair:
    """`venue` has the session ALICE, `firm` the session BOB. `received` has what turns brought."""

    def __init__(self, keys="durability=memory\n"):
        self.venue = self.opened(ACCEPTOR + keys)
        self.firm = self.opened(INITIATOR.format(port=self.venue.addresses[0][1]) + keys)
        self.received = []

    @staticmethod
    def opened(text):
        engine = _affix.Engine(_affix.Configuration.parse(text), {}, CODEC, True)
        engine.descriptor()
        for name in engine.session_names:
            engine.attach(name, name)
        return engine

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.venue.close()
        self.firm.close()

    def turn(self):
        for engine in (self.venue, self.firm):
            self.received += engine.turn() or []

    def turns(self, count):
        for _ in range(count):
            self.turn()

    def until(self, is_reached):
        descriptors = [self.venue.descriptor(), self.firm.descriptor()]
        for _ in range(PATIENCE_TURNS):
            self.turn()
            if is_reached():
                return
            select.select(descriptors, [], [], 0.02)
        raise AssertionError("the two engines do not come to it")

    def log_on(self):
        self.until(lambda: self.venue.state("ALICE")["logged_on"] and self.firm.state("BOB")["logged_on"])

    def send(self, type, fields):
        return self.firm.send("BOB", type, CODEC.encode_body(fields))
