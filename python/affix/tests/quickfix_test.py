# SPDX-License-Identifier: MIT
"""affix.quickfix without a connection: fields, messages, groups, dictionaries, settings."""

import decimal
from pathlib import Path

import pytest

import affix.quickfix as fix
from affix import quickfix42, quickfix44, quickfix50sp2

SOH = "\x01"


def text(*fields: str) -> str:
    return "".join(field + SOH for field in fields)


# --- Fields ---

@pytest.mark.parametrize("field, wanted", [
    (fix.Symbol("EUR/USD"), "EUR/USD"),
    (fix.Price(1.0825), "1.0825"),
    (fix.Price(100), "100"),
    (fix.Price(0.1 + 0.2), "0.3"),
    (fix.Price(1e-9), "0.000000001"),
    (fix.Price(decimal.Decimal("1.08250")), "1.08250"),
    (fix.OrderQty(100), "100"),
    (fix.Side(fix.Side_BUY), "1"),
    (fix.MsgSeqNum(5), "5"),
    (fix.PossDupFlag(True), "Y"),
    (fix.CheckSum(5), "005"),
    (fix.DoubleField(5, 7.5, 3), "7.500"),
    (fix.StringField(58), ""),
    (fix.Price(), ""),
    (fix.TransactTime(fix.UtcTimeStamp(10, 1, 2, 3, 1, 2, 2024)), "20240201-10:01:02"),
    (fix.UtcTimeStampField(60, fix.UtcTimeStamp(10, 1, 2, 3, 1, 2, 2024), 3), "20240201-10:01:02.003"),
    (fix.TradeDate("20240101"), "20240101"),
])
def test_a_value_becomes_the_text_of_a_field(field, wanted):
    assert field.getString() == wanted
    assert str(field) == f"{field.getTag()}={wanted}{SOH}"


def test_a_time_without_a_value_is_now():
    assert len(fix.TransactTime().getString()) == len("20240201-10:01:02")
    assert len(fix.TransactTime(3).getString()) == len("20240201-10:01:02.003")


@pytest.mark.parametrize("name, good, value, bad", [
    ("Price", "1.50", 1.5, "abc"),
    ("MsgSeqNum", "-7", -7, "1.5"),
    ("PossDupFlag", "N", False, "Q"),
    ("Side", "1", "1", "ab"),
    ("CheckSum", "005", 5, "x"),
])
def test_a_text_becomes_a_value_or_raises(name, good, value, bad):
    field = getattr(fix, name)()
    field.setString(good)
    assert field.getValue() == value
    field.setString(bad)
    with pytest.raises(fix.IncorrectDataFormat) as raised:
        field.getValue()
    assert raised.value.field == field.getTag()


def test_a_time_is_read_with_its_fraction():
    field = fix.TransactTime()
    field.setString("20240229-23:59:58.123456789")
    time = field.getValue()
    assert (time.getYear(), time.getMonth(), time.getDay()) == (2024, 2, 29)
    assert (time.getHour(), time.getMinute(), time.getSecond()) == (23, 59, 58)
    assert (time.getMillisecond(), time.getNanosecond()) == (123, 123456789)
    field.setString("20240230-00:00:00")
    with pytest.raises(fix.IncorrectDataFormat):
        field.getValue()


def test_constants_have_the_types_of_their_fields():
    assert (fix.Side_BUY, fix.OrdType_LIMIT, fix.MsgType_NewOrderSingle, fix.ExecType_TRADE) == ("1", "2", "D", "F")
    assert (fix.EncryptMethod_NONE, fix.SessionRejectReason_OTHER, fix.CxlRejReason_TOO_LATE_TO_CANCEL) == (0, 99, 0)
    assert (fix.PossDupFlag_YES, fix.BeginString_FIX42, fix.BeginString_FIXT11) == ("Y", "FIX.4.2", "FIXT.1.1")
    with pytest.raises(AttributeError, match="Side_NEITHER"):
        fix.Side_NEITHER
    with pytest.raises(AttributeError, match="NoSuchField"):
        fix.NoSuchField


# --- Messages ---

def order() -> fix.Message:
    message = fix.Message()
    message.getHeader().setField(fix.BeginString(fix.BeginString_FIX44))
    message.getHeader().setField(fix.MsgType(fix.MsgType_NewOrderSingle))
    message.setField(fix.Symbol("S"))
    message.setField(54, "1")
    message.setField(fix.ClOrdID("a"))
    return message


def test_fields_are_set_read_and_removed():
    message = order()
    assert message.getField(11) == "a"
    symbol = fix.Symbol()
    message.getField(symbol)
    assert symbol.getValue() == "S"
    assert message.isSetField(11) and message.isSetField(fix.Symbol()) and not message.isSetField(44)
    assert message.getFieldIfSet(symbol) and not message.getFieldIfSet(fix.Price())
    message.removeField(11)
    with pytest.raises(fix.FieldNotFound) as raised:
        message.getField(11)
    assert raised.value.field == 11 and str(raised.value) == "Field not found: 11"
    # The header has fields of its own.
    with pytest.raises(fix.FieldNotFound):
        message.getField(35)
    assert message.getHeader().getField(35) == "D" and message.isApp() and not message.isAdmin()


def test_fields_leave_in_the_order_of_their_tags():
    message = order()
    message.getHeader().setField(fix.TargetCompID("T"))
    message.getHeader().setField(fix.SenderCompID("S"))
    whole = message.toString()
    assert whole == text("8=FIX.4.4", "9=30", "35=D", "49=S", "56=T", "11=a", "54=1", "55=S", "10=180")
    assert fix.Message(whole).toString() == whole == str(message)
    assert message.getSessionID() == fix.SessionID("FIX.4.4", "S", "T")


def test_groups_keep_the_order_of_their_fields():
    message = order()
    party = fix.Group(453, 448)
    party.setField(452, "1")
    party.setField(448, "P")
    party.setField(447, "D")
    message.addGroup(party)
    party.setField(448, "Q")
    message.addGroup(party)
    body = text("11=a", "54=1", "55=S", "453=2", "448=P", "447=D", "452=1", "448=Q", "447=D", "452=1")
    assert body in message.toString()
    assert message.groupCount(453) == 2 and message.getField(453) == "2" and message.hasGroup(2, party)
    message.getGroup(1, party)
    assert party.getField(448) == "P"
    with pytest.raises(fix.FieldNotFound):
        message.getGroup(3, party)
    message.removeGroup(1, party)
    assert text("453=1", "448=Q") in message.toString()
    message.removeGroup(party)
    assert not message.hasGroup(party) and not message.isSetField(453)


def test_an_order_of_fields_may_be_given():
    order_of_fields = fix.IntArray(4)
    order_of_fields[0], order_of_fields[1], order_of_fields[2] = 448, 452, 447
    party = fix.Group(453, 448, order_of_fields)
    for tag in (447, 448, 452):
        party.setField(tag, "x")
    assert party.calculateString() == text("448=x", "452=x", "447=x")


def test_a_dictionary_tells_groups_from_fields():
    message = quickfix44.NewOrderSingle(fix.ClOrdID("1"), fix.Symbol("S"))
    party = quickfix44.NewOrderSingle.NoPartyIDs()
    party.setField(fix.PartyID("P"))
    sub = quickfix44.NewOrderSingle.NoPartyIDs.NoPartySubIDs()
    sub.setField(fix.PartySubID("desk"))
    sub.setField(fix.PartySubIDType(1))
    party.addGroup(sub)
    message.addGroup(party)
    party.setField(fix.PartyID("Q"))
    message.addGroup(party)
    whole = message.toString()
    read = fix.Message(whole, fix.DataDictionary(dictionary_path("FIX44.xml")))
    assert read.toString() == whole
    with pytest.raises(fix.FieldNotFound):
        read.getField(448)
    assert read.getField(55) == "S" and read.groupCount(453) == 2
    read.getGroup(2, party)
    party.getGroup(1, sub)
    assert (party.getField(448), sub.getField(523)) == ("Q", "desk")
    # Without one they are fields, as they came.
    assert fix.Message(whole).getField(448) == "P"


@pytest.mark.parametrize("wrong, why", [
    ("8=FIX.4.4", "SOH not found at end of field"),
    (text("35=D"), "Header fields out of order"),
    (text("8=FIX.4.4", "9=5", "35=D"), "CheckSum is missing"),
    (text("8=FIX.4.4", "9=5", "35=D", "x55=S", "10=000"), "Field tag is invalid: x55"),
    (text("8=FIX.4.4", "9=5", "35=D", "55"), "Equal sign not found in field"),
    (text("8=FIX.4.4", "9=6", "35=D", "10=000"), "Expected BodyLength=5, Received BodyLength=6"),
    (text("8=FIX.4.4", "9=5", "35=D", "10=000"), "Expected CheckSum=183, Received CheckSum=0"),
])
def test_a_text_that_is_no_message_is_refused(wrong, why):
    with pytest.raises(fix.InvalidMessage, match=why):
        fix.Message(wrong)


def test_raw_data_may_hold_separators():
    message = order()
    message.setField(fix.RawDataLength(5))
    message.setField(fix.RawData(f"a{SOH}9=b"))
    assert fix.Message(message.toString()).getField(96) == f"a{SOH}9=b"


def test_text_of_other_bytes_comes_back_unchanged():
    message = order()
    message.setField(fix.Text(b"caf\xe9".decode("utf-8", "surrogateescape")))
    whole = message.toString()
    assert fix.Message(whole).toString() == whole


def test_message_classes_know_their_version_and_type():
    assert text("8=FIX.4.2", "9=5", "35=D") in quickfix42.NewOrderSingle().toString()
    header = quickfix50sp2.ExecutionReport().getHeader()
    assert (header.getField(8), header.getField(35), header.getField(1128)) == ("FIXT.1.1", "8", "9")
    assert isinstance(quickfix42.NewOrderSingle(), quickfix42.Message)
    with pytest.raises(AttributeError):
        quickfix42.NoSuchMessage


def test_a_route_is_turned_round():
    message, answer = order(), fix.Message()
    for tag, value in ((49, "A"), (56, "B"), (50, "desk"), (115, "C")):
        message.getHeader().setField(tag, value)
    answer.reverseRoute(message.getHeader())
    assert answer.getHeader().calculateString() == text("8=FIX.4.4", "49=B", "56=A", "128=C")


# --- Dictionaries ---

def dictionary_path(name: str) -> str:
    import affix
    return str(Path(affix.__file__).parent / "dictionaries" / name)


def test_a_dictionary_answers_and_validates():
    dictionary = fix.DataDictionary(dictionary_path("FIX42.xml"))
    assert dictionary.getVersion() == "FIX.4.2"
    assert dictionary.isMsgType("D") and dictionary.isMsgField("D", 11) and dictionary.isRequiredField("D", 11)
    assert dictionary.isField(55) and not dictionary.isField(10_000)
    assert dictionary.isHeaderField(49) and dictionary.isTrailerField(10) and dictionary.isGroup("8", 382)
    assert dictionary.hasFieldValue(54) and dictionary.isFieldValue(54, "1") and not dictionary.isFieldValue(54, "?")
    assert dictionary.isDataField(96)
    heartbeat = fix.Message(header_of("0"), False)
    dictionary.validate(heartbeat)
    for kind, fields, wanted, field in (("D", [], fix.RequiredTagMissing, 11),
                                        ("0", ["112=x", "112=y"], fix.RepeatedTag, 112),
                                        ("0", ["55=S"], fix.TagNotDefinedForMessage, 55),
                                        ("0", ["112="], fix.NoTagValue, 112)):
        with pytest.raises(wanted) as raised:
            dictionary.validate(fix.Message(header_of(kind, *fields), False))
        assert raised.value.field == field
    with pytest.raises(fix.InvalidMessageType):
        dictionary.validate(fix.Message(header_of("??"), False))
    with pytest.raises(fix.ConfigError):
        fix.DataDictionary("no such file")


def header_of(kind: str, *fields: str) -> str:
    return text("8=FIX.4.2", "9=0", f"35={kind}", "34=1", "49=A", "52=20240101-00:00:00", "56=B", *fields, "10=000")


# --- Settings ---

def test_ids_are_texts_and_back():
    session = fix.SessionID("FIX.4.2", "A", "B", "q")
    assert str(session) == session.toString() == "FIX.4.2:A->B:q"
    again = fix.SessionID()
    again.fromString("FIX.4.2:A->B:q")
    assert again == session and hash(again) == hash(session) and again != fix.SessionID("FIX.4.2", "A", "B")
    assert (~session).toString() == "FIX.4.2:B->A:q"
    assert session.getSenderCompID().getValue() == "A" and session.getBeginString().getString() == "FIX.4.2"
    assert fix.SessionID(fix.BeginString("FIXT.1.1"), fix.SenderCompID("A"), fix.TargetCompID("B")).isFIXT()


def test_a_dictionary_of_settings_converts():
    settings = fix.Dictionary()
    settings.setString("ConnectionType", "initiator")
    settings.setInt("HeartBtInt", 30)
    settings.setBool("ResetOnLogon", True)
    settings.setDay("StartDay", 2)
    assert settings.getString("connectiontype", True) == "INITIATOR"
    assert settings.getInt("HEARTBTINT") == 30 and settings.getBool("ResetOnLogon") and settings.getDay("StartDay") == 2
    assert settings.has("HeartBtInt") and settings.size() == 4
    for wrong in (lambda: settings.getString("None"), lambda: settings.getInt("ConnectionType"),
                  lambda: settings.getBool("HeartBtInt"), lambda: settings.getDay("ConnectionType")):
        with pytest.raises(fix.ConfigError):
            wrong()


def test_settings_come_from_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PEER", "B")
    file = tmp_path / "trader.cfg"
    file.write_text("[DEFAULT]\nConnectionType=initiator\nSenderCompID=A\n"
                    "[SESSION]\nBeginString=FIX.4.2\nTargetCompID=$PEER\n"
                    "[SESSION]\nBeginString=FIX.4.4\nTargetCompID=C\nSenderCompID=OTHER\n")
    settings = fix.SessionSettings(str(file), True)
    first, second = fix.SessionID("FIX.4.2", "A", "B"), fix.SessionID("FIX.4.4", "OTHER", "C")
    assert {session.toString() for session in settings.getSessions()} == {str(first), str(second)}
    assert settings.size() == 2 and settings.has(first) and not settings.has(~first)
    assert settings.get(first).getString("ConnectionType") == "initiator" == settings.get().getString("ConnectionType")
    assert settings.get(second).getString("SenderCompID") == "OTHER"
    with pytest.raises(fix.ConfigError):
        settings.get(~first)
    with pytest.raises(fix.ConfigError, match="nowhere.cfg not found"):
        fix.SessionSettings("nowhere.cfg")
    file.write_text("[SESSION]\nBeginString=FIX.4.2\nSenderCompID=A\n")
    with pytest.raises(fix.ConfigError, match=r"trader\.cfg:1: TargetCompID not defined"):
        fix.SessionSettings(str(file))


def test_settings_are_made_by_programs():
    settings, session = fix.SessionSettings(), fix.Dictionary()
    defaults = fix.Dictionary()
    defaults.setString("ConnectionType", "acceptor")
    settings.set(defaults)
    settings.set(fix.SessionID("FIX.4.2", "A", "B"), session)
    assert settings.get(fix.SessionID("FIX.4.2", "A", "B")).getString("TargetCompID") == "B"
    assert not session.has("TargetCompID")
    with pytest.raises(fix.ConfigError, match="Duplicate"):
        settings.set(fix.SessionID("FIX.4.2", "A", "B"), session)


def test_every_problem_of_settings_is_named_with_its_line(tmp_path):
    file = tmp_path / "bad.cfg"
    file.write_text("[DEFAULT]\nConnectionType=initiator\n[SESSION]\nBeginString=FIX.4.2\nSenderCompID=A\n"
                    "TargetCompID=B\nSocketConnectHost=127.0.0.1\nSocketConnectPort=none\nHeartBtInt=x\n"
                    "StartTime=00:00:00\nEndTime=00:00:00\nUseDataDictionary=N\n")
    settings = fix.SessionSettings(str(file))
    with pytest.raises(fix.ConfigError) as raised:
        fix.SocketInitiator(fix.NullApplication(), fix.MemoryStoreFactory(), settings)
    assert "bad.cfg:8: SocketConnectPort=none: not a port" in str(raised.value) and "bad.cfg:9" in str(raised.value)
    with pytest.raises(fix.ConfigError, match="No sessions defined"):
        fix.SocketAcceptor(fix.NullApplication(), fix.MemoryStoreFactory(), settings)
