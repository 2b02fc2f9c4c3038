# SPDX-License-Identifier: MIT
"""Views, buffers and codecs in any order of use, while objects of a program's own classes use them too from within.

Nothing is compared: an operation gives a value or raises one of REFUSALS, and the interpreter lives on.
"""

import datetime
import gc
from decimal import Decimal

import affix
from fuzzing import material

REFUSALS = (affix.AffixError, TypeError, ValueError, BufferError, RecursionError, OverflowError, RuntimeError)
DEPTH_MAX = 4
ACTIONS_MAX = 200
KEPT_MAX = 12


class World:
    def __init__(self, random):
        self.random = random
        self.depth = 0
        self.actions = 0
        self.codecs = [affix.Codec(), affix.dictionary("FIX.4.4")]
        self.receivers = [affix.Receiver(codec) for codec in self.codecs]
        self.buffers = [bytearray(material.message(random)) for _ in range(3)]
        self.messages = [affix.parse(material.message(random), defective=True)]
        self.entries = []

    # Finalizers change the pools at any allocation, and CPython's own copying of a list does not stand that: each step
    # on a pool is one that allocates nothing.

    def keep(self, pool, item):
        at = self.random.randrange(KEPT_MAX)
        pool.append(item)
        return pool.pop(at % len(pool)) if len(pool) > KEPT_MAX else None

    def any(self, pool):
        at = self.random.randrange(KEPT_MAX)
        return pool[at % len(pool)]

    def any_fields(self):
        pool = self.random.choice((self.messages, self.entries))
        return self.any(pool if pool else self.messages)

    def act(self):
        """One operation; called by the main loop, and by whatever an operation calls."""
        if self.depth >= DEPTH_MAX or self.actions >= ACTIONS_MAX:
            return
        self.depth += 1
        self.actions += 1
        try:
            self.random.choice(OPERATIONS)(self)
        except REFUSALS:
            pass
        finally:
            self.depth -= 1


# --- Objects of a program's own classes, which do something where an ordinary one does nothing ---

class Name(str):
    world: World

    def __hash__(self):
        self.world.act()
        return str.__hash__(self)

    def __eq__(self, other):
        self.world.act()
        return str.__eq__(self, other)

    def __repr__(self):
        self.world.act()
        return self.world.random.choice(("'name'", "\udc80", 5))


class Number(int):
    world: World

    def __repr__(self):
        self.world.act()
        if self.world.random.random() < 0.3:
            raise ValueError("no text")
        return "\ud800"

    __index__ = __str__ = __repr__


class Price(Decimal):
    world: World

    def __str__(self):
        self.world.act()
        return self.world.random.choice(("1.5", "1E+3", "NaN", "\udcff", "", "x" * 5000))

    def __format__(self, form):
        self.world.act()
        return self.world.random.choice(("1.5", "E"))


class Zone(datetime.tzinfo):
    def __init__(self, world):
        self.world = world

    def utcoffset(self, when):
        self.world.act()
        return datetime.timedelta(minutes=self.world.random.choice((0, 5, -700)))

    def dst(self, when):
        return None


class When(datetime.datetime):
    def astimezone(self, zone):
        return 5


class Claims:
    """Says by its __class__ that it is something else."""

    def __init__(self, world):
        self.world = world

    @property
    def __class__(self):
        self.world.act()
        return Decimal


class Fields:
    def __init__(self, world, fields):
        self.world = world
        self.fields = fields

    def items(self):
        self.world.act()
        return iter(self.fields.items())


class Doomed:
    """In a cycle, so that the collector ends it, at any allocation."""

    def __init__(self, world):
        self.world = world
        self.me = self

    def __del__(self):
        self.world.act()


class DoomedBuffer(bytearray):
    world: World

    def __del__(self):
        self.world.act()


class Exporter:
    """A buffer of Python's own making, from 3.12 on."""

    def __init__(self, world, data):
        self.world = world
        self.data = data

    def __buffer__(self, flags):
        self.world.act()
        return memoryview(self.data)

    def __release_buffer__(self, view):
        self.world.act()


def of_world(world, item):
    item.world = world
    return item


def odd_field(world):
    return world.random.choice((
        lambda: of_world(world, Name(world.random.choice(("Symbol", "ClOrdID", "NoPartyIDs", "None")))),
        lambda: of_world(world, Number(world.random.choice((11, 44, 52, 453, 99, 0, -1)))),
        lambda: world.random.choice((11, 44, 453, 802, "Symbol", "NoPartyIDs", "\udc80", None, 2**70, b"11", 1.5)),
    ))()


def odd_value(world):
    when = datetime.datetime(2026, 1, 31, 12, 0, 0, 250, Zone(world))
    return world.random.choice((
        lambda: of_world(world, Price(5)), lambda: when,
        lambda: When(2026, 1, 31, tzinfo=datetime.timezone(datetime.timedelta(0, 5))),
        lambda: Claims(world), lambda: of_world(world, Number(7)), lambda: of_world(world, Name("text")),
        lambda: material.value(world.random), lambda: [odd_fields(world) for _ in range(world.random.randint(0, 2))],
        lambda: 1.5,
    ))()


def odd_fields(world):
    fields = {}
    for _ in range(world.random.randint(0, 4)):
        try:
            fields[odd_field(world)] = odd_value(world) if len(fields) < 3 else "x"
        except REFUSALS:
            pass
    return world.random.choice((
        lambda: fields, lambda: list(fields.items()), lambda: Fields(world, fields), lambda: iter(fields.items()),
        lambda: [(11, "a", 3)], lambda: 5,
    ))()


# --- Operations ---

def parse(world):
    data = world.random.choice((
        lambda: world.any(world.buffers), lambda: bytes(world.any(world.buffers)),
        lambda: of_world(world, DoomedBuffer(world.any(world.buffers))),
        lambda: memoryview(world.any(world.buffers)), lambda: Exporter(world, world.any(world.buffers)),
    ))()
    world.keep(world.messages, world.any(world.codecs).parse(data, world.random.random() < 0.9))


def change_buffer(world):
    buffer = world.any(world.buffers)
    world.random.choice((
        lambda: buffer.clear(), lambda: buffer.extend(b"x" * 3000),
        lambda: buffer.__setitem__(slice(None), material.damaged(world.random, buffer)),
        lambda: buffer.__setitem__(slice(0, 40), material.words(world.random, 40, 40)),
        lambda: world.keep(world.buffers, bytearray(material.message(world.random))),
    ))()


def read(world):
    fields = world.any_fields()
    name = world.random.choice(("get", "raw", "integer", "decimal", "boolean", "utc_time", "utc_ns", "scaled", "group"))
    field = odd_field(world)
    if name == "scaled":
        return fields.scaled(field, world.random.randint(-5, 30))
    if name == "group" or world.random.random() < 0.5:
        result = getattr(fields, name)(field)
        if name == "group":
            for entry in result:
                world.keep(world.entries, entry)
        return result
    return getattr(fields, name)(field, None)


def look(world):
    fields = world.any_fields()
    return world.random.choice((
        lambda: fields[odd_field(world)], lambda: odd_field(world) in fields, lambda: fields.items(),
        lambda: fields.to_dict(),
        lambda: fields.values(odd_field(world), odd_field(world), 55), lambda: repr(fields), lambda: str(fields),
        lambda: list(fields), lambda: len(fields),
    ))()


def look_at_message(world):
    message = world.any(world.messages)
    return world.random.choice((
        lambda: message.validate(), lambda: message.type, lambda: message.name, lambda: message.defect,
        lambda: bytes(message), lambda: world.keep(world.messages, message.copy()), lambda: message.release(),
        lambda: message._set_session(world.random.choice((world, Doomed(world), None))), lambda: message.session,
    ))()


def forget(world):
    pool = world.random.choice((world.messages, world.entries))
    at = world.random.randrange(KEPT_MAX)
    return pool.pop(at % len(pool)) if len(pool) > 1 else None


def feed(world):
    receiver = world.any(world.receivers)
    data = world.any(world.buffers)
    receiver.feed(world.random.choice((data, bytes(data), Exporter(world, data), data[:20])))


def receive(world):
    world.keep(world.messages, next(world.any(world.receivers), world.any(world.messages)))


def change_receivers(world):
    receiver = affix.Receiver(world.any(world.codecs))
    receiver.own = world.any_fields()  # A cycle through the receiver's attributes.
    world.receivers[world.random.randrange(len(world.receivers))] = receiver


def encode(world):
    codec = world.any(world.codecs)
    data = codec.encode(world.random.choice(("D", "NewOrderSingle", "", "\udc80", of_world(world, Name("D")))),
                        odd_fields(world), world.random.choice((None, odd_fields(world))))
    world.keep(world.buffers, bytearray(data))


def doom(world):
    for _ in range(world.random.randint(1, 3)):
        Doomed(world)


def collect(world):
    gc.collect(world.random.choice((0, 0, 2)))


def unfinished(world):
    """Objects that __init__() has not made."""
    kind = world.random.choice((affix.Codec, affix.Receiver, affix.Message, affix.GroupEntry, affix.LogEntry))
    item = kind.__new__(kind)
    try:
        world.random.choice((
            lambda: item[11], lambda: 11 in item, lambda: len(item), lambda: list(item), lambda: repr(item),
            lambda: item.parse(b"x"), lambda: affix.Receiver(item), lambda: item.message, lambda: item.__init__(),
            lambda: affix.decode_log("/dev/null", codec=item), lambda: world.any(world.codecs).__init__(),
        ))()
    except AttributeError:
        pass  # Each has some of these.


OPERATIONS = (parse, parse, change_buffer, change_buffer, read, read, read, look, look, look, look_at_message,
              look_at_message, forget, feed, feed, receive, receive, receive, change_receivers, encode, encode, doom,
              collect, unfinished)


def run(random):
    world = World(random)
    threshold = gc.get_threshold()
    gc.freeze()  # The collector has little to look at, and can run in the middle of everything.
    gc.set_threshold(random.choice((1, 5, 50)))
    try:
        while world.actions < ACTIONS_MAX:
            world.act()
    finally:
        gc.set_threshold(*threshold)
        gc.unfreeze()
        # Before Python 3.13 cycles through memoryviews in use stay.
        for pool in (world.messages, world.entries, world.receivers):
            pool.clear()
