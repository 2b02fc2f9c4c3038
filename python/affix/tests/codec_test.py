# SPDX-License-Identifier: MIT
"""Parsing, typed reads, encoding, groups, raw data and validation."""

import datetime
import gc
import mmap
import random
import sys
from decimal import Decimal

import pytest

import affix


def fix(text: str) -> bytes:
    """A whole message of a text with | between its fields, without 9 and 10."""
    begin, body = text.replace("|", "\x01").split("\x01", 1)
    raw = f"{begin}\x019={len(body.encode())}\x01{body}".encode()
    return raw + b"10=%03d\x01" % (sum(raw) % 256)


REPORT = fix("8=FIX.4.4|35=8|49=VENUE|56=FIRM|34=7|52=20251231-18:21:36.457245|37=V-1|11=order-1|17=E-1|150=F|39=2|"
             "55=EUR/USD|54=1|38=1000|44=1.08250|32=1000|31=1.0825|151=0|14=1000|6=1.0825|114=Y|")
PARTIES = fix("8=FIX.4.4|35=D|49=FIRM|56=VENUE|34=2|52=20251231-18:21:36|11=order-1|"
              "453=2|448=DESK|447=D|452=1|802=1|523=sub|803=2|448=BANK|447=D|452=3|"
              "55=EUR/USD|54=1|60=20251231-18:21:36|38=1000|40=2|44=1.0825|")


class TestReading:
    def test_fields_by_tag(self):
        message = affix.parse(REPORT)
        assert message.type == "8"
        assert message[11] == "order-1"
        assert message.get(55) == "EUR/USD"
        assert message.raw(55) == b"EUR/USD"
        assert message.integer(38) == 1000
        assert message.boolean(114) is True
        assert 39 in message and 99 not in message
        assert message.values(11, 99, 55) == ("order-1", None, "EUR/USD")
        assert len(message) == 23
        assert bytes(message) == REPORT
        assert message.items()[0] == (8, "FIX.4.4")
        assert [tag for tag, _ in message][-1] == 10
        assert str(message).startswith("8=FIX.4.4|9=")

    def test_prices_are_exact(self):
        message = affix.parse(REPORT)
        assert str(message.decimal(44)) == "1.08250"
        assert message.scaled(44, 5) == 108_250
        assert message.scaled(44, 9) == 1_082_500_000
        with pytest.raises(affix.FieldError):
            message.scaled(44, 2)
        long = affix.parse(fix("8=FIX.4.4|35=8|44=123456789012345678901234567890.5|"))
        assert long.decimal(44) == Decimal("123456789012345678901234567890.5")
        with pytest.raises(affix.FieldError):
            long.scaled(44, 1)

    def test_times(self):
        message = affix.parse(REPORT)
        assert message.utc_time(52) == datetime.datetime(2025, 12, 31, 18, 21, 36, 457_245, datetime.timezone.utc)
        assert message.utc_ns(52) == 1_767_205_296_457_245_000
        with pytest.raises(affix.FieldError):
            message.utc_time(11)

    def test_a_missing_field_is_not_zero(self):
        message = affix.parse(REPORT)
        with pytest.raises(affix.MissingFieldError) as missing:
            message.decimal(99)
        assert missing.value.field == 99
        assert isinstance(missing.value, KeyError)
        with pytest.raises(KeyError):
            message[99]
        assert message.decimal(99, None) is None
        assert message.integer(99, -1) == -1
        assert message.get(99, "") == ""

    @pytest.mark.parametrize("read", ["integer", "decimal", "boolean", "utc_time", "utc_ns"])
    def test_another_text_is_an_error_and_says_so(self, read):
        message = affix.parse(REPORT)
        with pytest.raises(affix.FieldError, match="order-1"):
            getattr(message, read)(11)
        with pytest.raises(affix.FieldError):
            getattr(message, read)(11, None)  # A default is for a missing field.

    @pytest.mark.parametrize("tag", [0, -1, 2**31, 2**70, 1.5, None, b"11"])
    def test_what_is_no_tag(self, tag):
        message = affix.parse(REPORT)
        with pytest.raises((ValueError, TypeError)):
            message[tag]
        with pytest.raises((ValueError, TypeError)):
            tag in message

    @pytest.mark.parametrize("damage", [
        lambda data: data[:-1],
        lambda data: data.replace(b"order-1", b"order-2"),
        lambda data: data.replace(b"9=", b"9=1"),
        lambda data: data + b"x",
        lambda data: b"",
        lambda data: b"8=FIX.4.4\x01",
    ])
    def test_garbled_bytes_are_refused_with_a_reason(self, damage):
        with pytest.raises(affix.ParseError) as refused:
            affix.parse(damage(REPORT))
        assert "at byte" in str(refused.value)
        message = affix.parse(damage(REPORT), defective=True)
        assert message.defect is not None
        message.items()

    def test_bytes_that_are_no_utf8_come_back_unchanged(self):
        data = affix.encode("D", {58: b"caf\xe9"})
        text = affix.parse(data)[58]
        assert affix.encode("D", {58: text}) == data

    def test_a_message_with_thousands_of_fields(self):
        fields = [(tag, str(tag)) for tag in range(5000, 15000)]
        message = affix.parse(affix.encode("U", fields))
        assert len(message) == 10_004
        assert message[14_999] == "14999"
        small = affix.parse(REPORT)
        assert small[11] == "order-1" and message[5000] == "5000"

    def test_two_messages_read_in_turns(self):
        other = affix.parse(PARTIES)
        message = affix.parse(REPORT)
        for _ in range(3):
            assert message[37] == "V-1"
            assert other[40] == "2" and 37 not in other


class TestBuffers:
    def test_a_view_keeps_its_bytes(self):
        message = affix.parse(bytes(bytearray(REPORT)))
        gc.collect()
        assert message[11] == "order-1"

    def test_a_bytearray_cannot_shrink_under_its_view(self):
        buffer = bytearray(REPORT)
        message = affix.parse(buffer)
        with pytest.raises(BufferError):
            buffer.clear()
        message.release()
        buffer.clear()
        with pytest.raises(affix.ExpiredError):
            message[11]

    def test_a_buffer_that_is_overwritten_never_crashes(self):
        buffer = bytearray(PARTIES)
        codec = affix.dictionary("FIX.4.4")
        message = codec.parse(buffer)
        entries = message.group("NoPartyIDs")
        codec.parse(REPORT)  # The index is another message's now.
        buffer[:] = b"x" * len(buffer)
        with pytest.raises(affix.ExpiredError):
            entries[0].get(448, None)
        assert message.get(11, None) is None
        assert message.to_dict() is not None

    def test_a_memory_map(self, tmp_path):
        path = tmp_path / "log"
        path.write_bytes(REPORT)
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            message = affix.parse(mapped)
            assert message[55] == "EUR/USD"
            with pytest.raises(BufferError):
                mapped.close()
            message.release()

    def test_a_file_of_gigabytes_is_no_message(self, tmp_path):
        with (tmp_path / "log").open("w+b") as file:
            file.truncate(2**31 + 5)
            with mmap.mmap(file.fileno(), 0) as mapped:
                for defective in (False, True):
                    with pytest.raises(affix.ParseError):
                        affix.parse(mapped, defective)

    @pytest.mark.parametrize("use", [
        lambda message: message[11],
        lambda message: message.values(11),
        lambda message: message.items(),
        lambda message: message.copy(),
        lambda message: bytes(message),
        lambda message: message.type,
        lambda message: 11 in message,
        lambda message: len(message),
        lambda message: str(message),
        lambda message: message.defect,
        lambda message: message.to_dict(),
    ])
    def test_every_use_of_an_expired_view_raises(self, use):
        receiver = affix.Receiver()
        receiver.feed(REPORT)
        message = next(receiver)
        kept = message.copy()
        receiver.feed(REPORT)
        with pytest.raises(affix.ExpiredError):
            use(message)
        assert "expired" in repr(message)
        assert kept[11] == "order-1"

    def test_entries_expire_with_their_message(self):
        receiver = affix.Receiver(affix.dictionary("FIX.4.4"))
        receiver.feed(PARTIES)
        entry = next(receiver).group(453)[0]
        assert entry[448] == "DESK"
        receiver.feed(b"")
        with pytest.raises(affix.ExpiredError):
            entry[448]

    def test_a_stream_in_any_pieces(self):
        random.seed(1)
        stream = b"noise" + REPORT + PARTIES + REPORT.replace(b"order-1", b"order-3") + REPORT
        for _ in range(50):
            receiver = affix.Receiver()
            ids = []
            at = 0
            while at < len(stream):
                size = random.randint(1, 120)
                receiver.feed(memoryview(stream)[at:at + size])
                ids += [message[37] if message.type == "8" else message[11] for message in receiver]
                at += size
            assert ids == ["V-1", "order-1", "V-1"]
            assert receiver.garbled == 1
            assert receiver.skipped_bytes == 5
            assert receiver.waiting_bytes == 0


class TestEncoding:
    def test_values_of_every_kind(self):
        zone = datetime.timezone(datetime.timedelta(hours=2))
        data = affix.encode("D", {
            11: "order-1", 38: 100, 44: Decimal("1.0825"), 114: True, 58: None, 96: b"plain",
            60: datetime.datetime(2025, 12, 31, 20, 21, 36, 5, zone), 64: datetime.date(2026, 1, 2),
            273: datetime.time(1, 2, 3), 99: Decimal("1E+3"), 110: Decimal("-0.5"), 31: Decimal("0E-8"),
        })
        assert b"\x0135=D\x0111=order-1\x0138=100\x0144=1.0825\x01114=Y\x0196=plain\x01" in data
        assert b"\x0160=20251231-18:21:36.000005\x0164=20260102\x01273=01:02:03.000000\x0199=1000\x01" in data
        assert b"\x01110=-0.5\x0131=0.00000000\x01" in data
        assert affix.parse(data).decimal(99) == 1000

    @pytest.mark.parametrize("value", [1.5, object(), {1: 2}, Decimal("NaN"), Decimal("Infinity"), 2**64,
                                       datetime.datetime(2025, 12, 31), 1j])
    def test_values_that_fix_has_not(self, value):
        with pytest.raises((TypeError, ValueError)):
            affix.encode("D", {44: value})

    @pytest.mark.parametrize(("fields", "tag"), [({58: "a\x01b"}, 58), ({58: ""}, 58), ({58: b""}, 58)])
    def test_what_no_field_holds(self, fields, tag):
        with pytest.raises(affix.EncodeError) as refused:
            affix.encode("D", fields)
        assert refused.value.tag == tag

    @pytest.mark.parametrize("fields", [[1], [(1, 2, 3)], 5, "ab", {"Symbol": "x"}, {0: "x"}, {None: "x"}])
    def test_what_is_no_fields(self, fields):
        with pytest.raises((TypeError, ValueError, affix.UnknownNameError)):
            affix.encode("D", fields)

    def test_the_header_goes_before(self):
        data = affix.encode("D", {11: "x"}, {49: "A", 56: "B", 34: 5}, "FIX.4.2")
        assert data.startswith(b"8=FIX.4.2\x019=")
        assert b"35=D\x0149=A\x0156=B\x0134=5\x0111=x\x01" in data
        affix.parse(data)

    def test_groups_within_groups(self):
        fields = {11: "x", 453: [{448: "DESK", 447: "D", 802: [{523: "a", 803: 1}, {523: "b", 803: 2}]}, {448: "BANK"}]}
        data = affix.encode("D", fields)
        assert b"453=2\x01448=DESK\x01447=D\x01802=2\x01523=a\x01803=1\x01523=b\x01803=2\x01448=BANK\x01" in data
        loop = []
        loop.append({453: loop})
        with pytest.raises(RecursionError):
            affix.encode("D", {453: loop})

    def test_raw_data_has_its_length(self):
        data = affix.encode("B", {148: "news", 96: b"a\x01b"})
        assert b"\x0195=3\x0196=a\x01b\x01" in data
        assert affix.parse(data).raw(96) == b"a\x01b"

    def test_a_large_message(self):
        text = "x" * 300_000
        assert affix.parse(affix.encode("B", {58: text}))[58] == text

    def test_a_value_that_encodes_another_message_meanwhile(self):
        class Odd(Decimal):
            def __str__(self):
                affix.encode("D", {58: "y" * 100_000})
                affix.parse(REPORT)
                return "7"

        message = affix.parse(affix.encode("D", {11: "a", 44: Odd(1), 58: "z"}))
        assert message.values(11, 44, 58) == ("a", "7", "z")

    def test_a_dict_that_changes_while_it_is_written(self):
        fields = {}

        class Odd(Decimal):
            def __str__(self):
                fields.clear()
                fields.update({tag: "x" for tag in range(1000, 1500)})
                return "7"

        fields.update({11: "a", 44: Odd(1), 58: "z"})
        affix.encode("D", fields)

    def test_what_is_encoded_is_parsed(self):
        random.seed(2)
        for _ in range(300):
            fields = {random.randint(100, 9000): "".join(random.choices("abc\u00e9=|^ 0.", k=random.randint(1, 40)))
                      for _ in range(random.randint(1, 80))}
            for tag in (10, 35, 8, 9, 212, 348, 350, 352, 354, 356, 358, 360, 362, 364, 445, 618, 621, 1184, 1277, 1280,
                        1282, 1397, 1401, 1403, 1468, 1527, 1578, 1664, 1678, 1697, 1733, 1871, 2072, 2074, 2111, 2112,
                        2179, 2351, 2481, 2493, 2521, 2635, 2637):
                fields.pop(tag, None)  # Raw data's lengths are numbers.
            message = affix.parse(affix.encode("U", fields), defective=True)
            for tag, value in fields.items():
                assert message[tag] == value


class TestDictionaries:
    @pytest.mark.parametrize("version", affix.standard_dictionaries())
    def test_every_version(self, version):
        codec = affix.dictionary(version)
        assert codec.tag("Symbol" if version != "FIXT.1.1" else "SenderCompID") in (55, 49)
        assert codec.message_name("A") == "Logon"
        assert affix.dictionary(version) is codec

    def test_names(self):
        codec = affix.dictionary("FIX.4.4")
        message = codec.parse(PARTIES)
        assert message.name == "NewOrderSingle"
        assert message["ClOrdID"] == "order-1"
        assert message.decimal("Price") == Decimal("1.0825")
        assert "Symbol" in message
        with pytest.raises(affix.UnknownNameError, match="Smybol"):
            message["Smybol"]
        with pytest.raises(affix.UnknownNameError):
            affix.parse(PARTIES)["Symbol"]

    def test_groups(self):
        message = affix.dictionary("FIX.4.4").parse(PARTIES)
        desk, bank = message.group("NoPartyIDs")
        assert desk["PartyID"] == "DESK" and bank.integer(452) == 3
        assert [sub["PartySubID"] for sub in desk.group("NoPartySubIDs")] == ["sub"]
        assert bank.group("NoPartySubIDs") == []
        assert 523 not in desk  # It is the inner group's.
        assert message.group("NoAllocs") == []
        with pytest.raises(affix.UnknownNameError):
            message.group("NoMDEntries")
        with pytest.raises(affix.UnknownNameError):
            affix.parse(PARTIES).group(453)

    def test_to_dict(self):
        codec = affix.dictionary("FIX.4.4")
        values = codec.parse(PARTIES).to_dict()
        assert values["Symbol"] == "EUR/USD"
        assert values["NoPartyIDs"][0] == {"PartyID": "DESK", "PartyIDSource": "D", "PartyRole": "1",
                                           "NoPartySubIDs": [{"PartySubID": "sub", "PartySubIDType": "2"}]}
        body = {tag: value for tag, value in codec.parse(PARTIES).to_dict(names=False).items()
                if tag not in (8, 9, 35, 10)}
        assert codec.encode("NewOrderSingle", body) == PARTIES

    def test_validation_says_why(self):
        codec = affix.dictionary("FIX.4.4")
        assert codec.parse(PARTIES).validate() is None
        header = {49: "A", 56: "B", 34: 1, 52: datetime.datetime.now(datetime.timezone.utc)}
        violation = codec.parse(codec.encode("D", {"ClOrdID": "x"}, header)).validate()
        assert violation is not None
        assert (violation.rule, violation.action, violation.reason) == ("required_missing", "REJECT", 1)
        assert "Side" in str(violation) or "(" in str(violation)
        with pytest.raises(ValueError):
            codec.parse(PARTIES).validate("some")
        with pytest.raises(affix.UnknownNameError):
            affix.parse(PARTIES).validate()

    def test_a_transport_and_an_application(self):
        codec = affix.dictionary("FIX.5.0SP2")
        assert codec.begin_string == "FIXT.1.1"
        assert codec.tag("SenderCompID") == 49
        assert codec.message_name("A") == "Logon" and codec.message_name("D") == "NewOrderSingle"

    def test_a_venues_own_file(self, tmp_path):
        path = tmp_path / "venue.xml"
        path.write_text("""<fix major="4" minor="4" type="FIX" servicepack="0">
          <header><field name="BeginString" required="Y"/><field name="BodyLength" required="Y"/>
            <field name="MsgType" required="Y"/></header>
          <trailer><field name="CheckSum" required="Y"/></trailer>
          <messages><message name="OddLotOrder" msgtype="U1" msgcat="app"><field name="LotSize" required="Y"/>
            <field name="BlobLength" required="N"/><field name="Blob" required="N"/></message></messages>
          <components/>
          <fields><field number="8" name="BeginString" type="STRING"/><field number="9" name="BodyLength" type="LENGTH"/>
            <field number="35" name="MsgType" type="STRING"/><field number="10" name="CheckSum" type="STRING"/>
            <field number="20001" name="LotSize" type="QTY"/><field number="20002" name="BlobLength" type="LENGTH"/>
            <field number="20003" name="Blob" type="DATA"/></fields></fix>""")
        codec = affix.dictionary_of_file(path)
        data = codec.encode("OddLotOrder", {"LotSize": Decimal("0.5"), "Blob": b"\x01\x01"})
        assert b"35=U1\x0120001=0.5\x0120002=2\x0120003=\x01\x01\x01" in data
        assert codec.parse(data).raw("Blob") == b"\x01\x01"
        path.write_text("<fix")
        with pytest.raises(affix.DictionaryError):
            affix.dictionary_of_file(path)
        with pytest.raises(affix.DictionaryError):
            affix.dictionary_of_file(tmp_path / "none.xml")
        with pytest.raises(affix.DictionaryError):
            affix.dictionary("FIX.9.9")

    def test_objects_of_another_type_do_not_crash(self):
        with pytest.raises(TypeError):
            affix.Codec.parse(5, REPORT)
        with pytest.raises(TypeError):
            affix.Receiver(5)
        with pytest.raises(TypeError):
            affix.parse(5)
        with pytest.raises(TypeError):
            affix.LogReader(5, "x")


def test_hostile_bytes_never_crash():
    random.seed(3)
    codec = affix.dictionary("FIX.4.4")
    for _ in range(3000):
        data = bytearray(random.choice((REPORT, PARTIES)))
        for _ in range(random.randint(1, 6)):
            data[random.randrange(len(data))] = random.choice(b"\x01=0123456789|\xff8")
        message = codec.parse(bytes(data), defective=True)
        message.to_dict()
        message.validate()
        message.values(11, 44, 453)
        for read in (message.integer, message.decimal, message.utc_ns, message.boolean):
            try:
                read(random.choice((34, 44, 52, 38)))
            except affix.AffixError:
                pass


def test_reference_counts_stay_flat():
    codec = affix.dictionary("FIX.4.4")
    data = bytes(PARTIES)

    def work():
        message = codec.parse(data)
        message.values(11, 44)
        message.decimal(44)
        message.utc_time(60)
        message.to_dict()
        [entry.group(802) for entry in message.group(453)]
        message.copy()
        codec.encode("D", {"ClOrdID": "x", 44: Decimal("1.5"), 453: [{448: "a"}]})
        try:
            message[9999]
        except KeyError:
            pass
        message.validate()

    for _ in range(50):
        work()
    gc.collect()
    before = (sys.getrefcount(data), sys.getrefcount(codec), sys.getrefcount(Decimal), len(gc.get_objects()))
    for _ in range(500):
        work()
    gc.collect()
    after = (sys.getrefcount(data), sys.getrefcount(codec), sys.getrefcount(Decimal), len(gc.get_objects()))
    assert before[:3] == after[:3]
    assert abs(after[3] - before[3]) < 20
