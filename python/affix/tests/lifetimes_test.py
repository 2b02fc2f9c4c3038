# SPDX-License-Identifier: MIT
"""Views that outlive what they view raise; nothing leaks; a program's own code within a call harms nothing.

The random search for the same is in fuzzing/world.py.
"""

import datetime
import gc
import subprocess
import sys
import textwrap
import threading
import tracemalloc
import weakref
from decimal import Decimal

import pytest
from patience import patience

import affix
from fuzzing import run_round
from fuzzing.loopback import Pair

MESSAGE = affix.encode("D", {49: "FIRM", 56: "VENUE", 34: 2, 11: "order-1", 453: [{448: "DESK", 447: "D"}], 44: "1.5"})
FIX44 = affix.dictionary("FIX.4.4")
PATIENCE = patience(60)


@pytest.fixture
def eager_collector():
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    yield
    gc.set_threshold(*threshold)


class TestProgramsCodeWithin:
    def test_a_field_that_ends_the_view_when_it_is_shown(self):
        buffer = bytearray(MESSAGE)

        class Tag(int):
            def __repr__(self):
                message.release()
                buffer.clear()
                buffer.extend(b"z" * 100_000)
                return "tag"

        message = affix.parse(buffer)
        with pytest.raises(affix.FieldError, match="tag is no integer: 'order-1'"):
            message.integer(Tag(11))

    @pytest.mark.parametrize("read", [lambda fields, tag: fields.integer(tag), lambda fields, tag: fields[tag],
                                      lambda fields, tag: fields.get(tag), lambda fields, tag: fields.group(tag)])
    @pytest.mark.parametrize("number", [11, 99])
    @pytest.mark.parametrize("codec", [affix.parse.__self__, FIX44])
    def test_a_field_that_cannot_be_shown(self, read, number, codec):
        class Tag(int):
            def __repr__(self):
                raise ZeroDivisionError

        message = codec.parse(MESSAGE)
        try:
            read(message, Tag(number))
        except (ZeroDivisionError, affix.UnknownNameError):
            pass
        else:
            assert number == 11

    def test_a_name_that_cannot_be_shown(self):
        class Name(str):
            def __repr__(self):
                raise ZeroDivisionError

        message = FIX44.parse(MESSAGE)
        for use in (lambda: message[Name("None")], lambda: Name("None") in message, lambda: FIX44.tag(Name("None")),
                    lambda: message.values(Name("None")), lambda: FIX44.encode("D", {Name("None"): 1})):
            with pytest.raises(ZeroDivisionError):
                use()

    def test_texts_with_surrogates(self):
        class Tag(int):
            def __repr__(self):
                return "\udc80"

        message = affix.parse(MESSAGE)
        with pytest.raises(affix.MissingFieldError, match=r"\\udc80"):
            message[Tag(99)]
        with pytest.raises(affix.UnknownNameError, match="udc80"):
            FIX44.tag("\udc80")
        assert "\udcff" in repr(affix.parse(affix.encode("D", {58: b"\xff"})))

    def test_a_datetime_that_becomes_something_else(self):
        class When(datetime.datetime):
            def astimezone(self, zone):
                return 5

        zone = datetime.timezone(datetime.timedelta(hours=1))
        with pytest.raises(TypeError):
            affix.encode("D", {60: When(2026, 1, 1, tzinfo=zone)})

    def test_a_buffer_that_uses_its_message_at_the_end(self):
        used = []

        class Buffer(bytearray):
            def __del__(self):
                used.append(pytest.raises(affix.ExpiredError, message.items))
                message.release()

        message = affix.parse(Buffer(MESSAGE))
        message.release()
        assert len(used) == 1

    def test_a_finalizer_that_feeds_the_receiver(self, eager_collector):
        receiver = affix.Receiver()

        class Doomed:
            def __init__(self):
                self.me = self

            def __del__(self):
                receiver.feed(b"8=" + b"x" * 10_000)

        for _ in range(300):
            receiver.feed(MESSAGE * 3)
            Doomed()
            for message in receiver:
                try:
                    assert message[11] == "order-1"
                except affix.ExpiredError:
                    pass

    def test_fields_that_an_iterator_gives_once(self):
        fields = [(tag, "x" * 50) for tag in range(1000, 1400)]
        assert affix.encode("D", iter(fields)) == affix.encode("D", fields)
        assert affix.encode("D", [(11, "a")], iter(fields)) == affix.encode("D", [(11, "a")], fields)
        with pytest.raises(TypeError, match="entry"):
            affix.encode("D", {453: [iter([(448, "a")])]})

    def test_a_group_that_grows_while_it_is_written(self):
        entries = []

        class Price(Decimal):
            def __str__(self):
                entries.append({448: "late"})
                return "7"

        entries += [{448: "a", 44: Price(7)}]
        with pytest.raises(RuntimeError):
            affix.encode("D", {453: entries})


class TestUnfinishedObjects:
    @pytest.mark.parametrize("kind", [affix.Message, affix.GroupEntry])
    def test_only_parse_makes_views(self, kind):
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            kind.__new__(kind)

        class Own(kind):
            pass

        with pytest.raises(TypeError):
            Own.__new__(Own)

    def test_a_codec_whose_constructor_did_not_run(self):
        class Forgetful(affix.Dictionary):
            def __init__(self):
                pass

        for use in (affix.Receiver, lambda codec: affix.decode_log("/dev/null", codec=codec)):
            with pytest.raises(TypeError):
                use(Forgetful())


class TestCycles:
    def collected(self, make):
        reference = weakref.ref(make())
        gc.collect()
        return reference() is None

    def test_through_the_attributes_of_a_receiver(self):
        class Connection(affix.Receiver):
            pass

        def make(keep):
            connection = Connection(FIX44)
            connection.feed(MESSAGE)
            message = next(connection)
            keep(connection, message)
            return message.session

        class Mark:
            pass

        def with_message(connection, message):
            message._set_session(Mark())
            connection.last = message

        def with_entry(connection, message):
            message._set_session(Mark())
            connection.last = message.group(453)[0]

        assert self.collected(lambda: make(with_message))
        assert self.collected(lambda: make(with_entry))

    def test_through_the_attributes_of_a_dictionary(self, tmp_path):
        path = tmp_path / "venue.log"
        path.write_bytes(MESSAGE.replace(b"\x01", b"|") + b"\n")

        class Own(affix.Dictionary):
            pass

        def make():
            from affix._codec import _path_of
            codec = Own(_path_of("FIX.4.0"))
            codec.receiver = affix.Receiver(codec)
            codec.reader = affix.decode_log(path, codec=codec)
            codec.entry = next(affix.decode_log(path, codec=codec))
            codec.message = codec.entry.message
            return codec

        assert self.collected(make)

    def test_through_the_attributes_of_a_buffer(self):
        class Buffer(bytearray):
            pass

        def make(source):
            buffer = Buffer(MESSAGE)
            buffer.view = affix.parse(source(buffer))
            return buffer

        assert self.collected(lambda: make(lambda buffer: buffer))
        self.collected(lambda: make(memoryview))  # In use, and left alone.

    def test_of_a_session_and_its_messages(self):
        class Session:
            pass

        def make():
            session = Session()
            session.last = affix.parse(MESSAGE)
            session.last._set_session(session)
            return session

        assert self.collected(make)


class TestSessions:
    def test_messages_outlive_their_engine(self):
        with Pair() as pair:
            pair.log_on()
            for number in range(3):
                assert pair.send("D", {11: str(number)})[0] == 0
            pair.until(lambda: sum(type(item) is affix.Message for item in pair.received) == 3)
        messages = [item for item in pair.received if type(item) is affix.Message]
        del pair
        gc.collect()
        seen = []
        thread = threading.Thread(target=lambda: seen.extend(message[11] for message in messages))
        thread.start()
        thread.join(PATIENCE)
        assert seen == ["0", "1", "2"]
        assert messages[0].copy()[11] == "0"

    def test_finalizers_run_between_turns(self, eager_collector):
        """A program's code that runs within a turn could give commands where the engine takes none."""
        begun = []

        class Doomed:
            def __init__(self):
                self.me = self

            def __del__(self):
                begun.append(is_in_turn)

        is_in_turn = False
        with Pair() as pair:
            pair.log_on()
            for number in range(10):
                pair.send("D", {11: str(number)})
                Doomed()
                is_in_turn = True
                brought = pair.venue.turn()
                is_in_turn = False
                del brought
                gc.collect()
        assert begun and True not in begun


@pytest.mark.parametrize("subject", ["parsing", "encoding", "groups", "streams", "world", "dictionaries"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_random_use_leaves_nothing(subject):
    def work():
        for seed in range(4):
            run_round(subject, seed)
        gc.collect()
        sys._clear_type_cache()  # It keeps names of attributes.
        return sys.getrefcount(FIX44), len(gc.get_objects()), tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        work()
        before = work()
        for _ in range(3):
            after = work()
    finally:
        tracemalloc.stop()
    assert after[0] == before[0]
    assert after[1] - before[1] < 20
    assert after[2] - before[2] < 10_000


SHUTDOWN = {
    "views at the end of the module": """
        buffer = bytearray(DATA)
        message = affix.parse(buffer)
        entries = affix.dictionary("FIX.4.4").parse(DATA).group(453)
        receiver = affix.Receiver()
        receiver.feed(DATA)
        view = next(receiver)
    """,
    "finalizers that use views": """
        class Last:
            def __init__(self):
                self.receiver = affix.Receiver(affix.dictionary("FIX.4.4"))
                self.receiver.feed(DATA)
                self.view = next(self.receiver)
                self.entry = self.view.group(453)[0]
                self.me = self
            def __del__(self):
                self.entry.items(), self.view.to_dict(), self.view.copy(), self.view.validate()
                self.receiver.feed(b"")
                try:
                    self.entry[448]
                except Exception:
                    pass
                affix.encode("D", {11: "x"}) if affix else None
        import builtins, sys
        builtins.last = Last()
        sys.last = Last()
        affix.last = Last()
    """,
    "a view used at exit": """
        import atexit
        view = affix.parse(memoryview(DATA))
        atexit.register(lambda: (view.items(), view.release()))
    """,
    "a thread that reads views to the end": """
        import threading
        codec = affix.dictionary("FIX.4.4")
        started = threading.Event()
        def read():
            while True:
                codec.parse(DATA).to_dict()
                started.set()
        threading.Thread(target=read, daemon=True).start()
        started.wait(30)
    """,
    "an engine that nobody closed": """
        from fuzzing.loopback import Pair
        pair = Pair()
        pair.log_on()
        pair.send("D", {11: "x"})
        pair.turns(20)
    """,
    "an engine on a loop that has ended": """
        import asyncio
        async def main():
            acceptor = affix.Acceptor(nic_address="127.0.0.1", accept_port=0, begin_string="FIX.4.4",
                                      sender_comp_id="A", target_comp_id="B", durability="memory")
            await acceptor.__aenter__()
            return acceptor
        acceptor = asyncio.run(main())
    """,
    "a log that is read half": """
        import tempfile, os
        path = os.path.join(tempfile.mkdtemp(), "a.log")
        with open(path, "wb") as file:
            file.write((DATA.replace(b"\\x01", b"|") + b"\\n") * 5)
        reader = affix.decode_log(path)
        entry = next(reader)
        os.unlink(path)
    """,
}


@pytest.mark.parametrize("program", SHUTDOWN.values(), ids=SHUTDOWN)
def test_the_end_of_the_interpreter(program):
    text = f"import affix\nDATA = {MESSAGE!r}\n" + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=PATIENCE,
                          cwd=__file__.rpartition("/")[0])
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "Error" not in done.stderr or "ImportError" in done.stderr, done.stderr
