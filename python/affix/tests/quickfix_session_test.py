# SPDX-License-Identifier: MIT
"""affix.quickfix's sessions: an acceptor and an initiator in this process, over loopback."""

import datetime
import itertools
import logging
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from patience import patience

import affix
import affix.quickfix as fix

SECONDS = patience(20)
_numbers = itertools.count()


def free_port() -> int:
    """QuickFIX's settings want a number; the kernel has just given this one out, and will not soon again."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Recorder(fix.Application):
    """Keeps what it is called with; `on` has functions that a callback calls: on["fromApp"] = function."""

    def __init__(self):
        super().__init__()
        self.events = queue.Queue()
        self.on = {}

    def _note(self, what, message, session):
        copy = None if message is None else fix.Message(message)
        if what in self.on:
            try:
                self.on[what](message, session)
            finally:
                self.events.put((what, copy))
        else:
            self.events.put((what, copy))

    def onCreate(self, session):
        self._note("onCreate", None, session)

    def onLogon(self, session):
        self._note("onLogon", None, session)

    def onLogout(self, session):
        self._note("onLogout", None, session)

    def toAdmin(self, message, session):
        self._note("toAdmin", message, session)

    def toApp(self, message, session):
        self._note("toApp", message, session)

    def fromAdmin(self, message, session):
        self._note("fromAdmin", message, session)

    def fromApp(self, message, session):
        self._note("fromApp", message, session)

    def await_(self, what, kind=None):
        """The message of the next such call; for `kind`, the next of that MsgType."""
        while True:
            name, message = self.events.get(timeout=SECONDS)
            if name == what and (kind is None or message.getHeader().getField(35) == kind):
                return message


class Pair:
    """Both sides, and what they were made of."""

    def __init__(self, directory: Path, begin_string="FIX.4.4", dictionary="FIX44.xml", store=fix.MemoryStoreFactory,
                 log=None, extra="", initiator_class=fix.SocketInitiator, acceptor_class=fix.SocketAcceptor):
        # A failed test's traceback may keep its sessions, and ids have one owner.
        number = next(_numbers)
        self.firm_name, self.venue_name = f"FIRM{number}", f"VENUE{number}"
        self.port = free_port()
        path = Path(affix.__file__).parent / "dictionaries" / dictionary
        file = directory / "pair.cfg"
        file.write_text(
            f"[DEFAULT]\nStartTime=00:00:00\nEndTime=00:00:00\nHeartBtInt=30\nReconnectInterval=1\n"
            f"BeginString={begin_string}\nDataDictionary={path}\nFileStorePath={directory}/store\n"
            f"FileLogPath={directory}/log\nSocketAcceptAddress=127.0.0.1\n{extra}\n"
            f"[SESSION]\nConnectionType=acceptor\nSocketAcceptPort={self.port}\nSenderCompID={self.venue_name}\n"
            f"TargetCompID={self.firm_name}\n"
            f"[SESSION]\nConnectionType=initiator\nSocketConnectHost=127.0.0.1\nSocketConnectPort={self.port}\n"
            f"SenderCompID={self.firm_name}\nTargetCompID={self.venue_name}\n")
        self.settings = fix.SessionSettings(str(file))
        self.firm_id = fix.SessionID(begin_string, self.firm_name, self.venue_name)
        self.venue_id = ~self.firm_id
        self.firm, self.venue = Recorder(), Recorder()
        self.acceptor = acceptor_class(self.venue, self._store(store), self.settings, *self._log(log))
        self.initiator = initiator_class(self.firm, self._store(store), self.settings, *self._log(log))

    def _store(self, store):
        return store(self.settings) if store is fix.FileStoreFactory else store()

    def _log(self, log):
        return () if log is None else (log(self.settings),)

    def __enter__(self):
        self.acceptor.start()
        self.initiator.start()
        return self

    def __exit__(self, *_):
        self.initiator.stop()
        self.acceptor.stop()

    def log_on(self):
        for side in (self.firm, self.venue):
            side.await_("onLogon")
        return self


def order(symbol="EUR/USD", *fields):
    message = fix.Message()
    message.getHeader().setField(fix.MsgType(fix.MsgType_NewOrderSingle))
    for field in (fix.ClOrdID("1"), fix.HandlInst("1"), fix.Symbol(symbol), fix.Side(fix.Side_BUY), fix.OrderQty(100),
                  fix.OrdType(fix.OrdType_MARKET), fix.TransactTime(3), *fields):
        message.setField(field)
    return message


def raises(fault):
    def call(*_):
        raise fault
    return call


def test_callbacks_come_in_order_and_on_one_thread(tmp_path):
    threads, names = set(), []
    pair = Pair(tmp_path)
    for what in ("onLogon", "fromAdmin", "toAdmin", "fromApp", "onLogout"):
        pair.firm.on[what] = lambda message, session, what=what: (names.append(what),
                                                                  threads.add(threading.current_thread()))
    assert pair.firm.events.get(timeout=SECONDS)[0] == "onCreate"
    with pair:
        pair.log_on()
        assert fix.Session.lookupSession(pair.firm_id).isLoggedOn() and pair.initiator.isLoggedOn()
        assert fix.Session.sendToTarget(order(), pair.firm_id)
        pair.venue.await_("fromApp")
    assert names[:3] == ["toAdmin", "fromAdmin", "onLogon"] and names[-1] == "onLogout"
    assert len(threads) == 1 and threading.current_thread() not in threads
    assert pair.initiator.isStopped() and not pair.initiator.isLoggedOn()


def test_a_message_finds_its_session_by_its_header(tmp_path):
    with Pair(tmp_path) as pair:
        pair.log_on()
        message = order()
        message.setSessionID(pair.firm_id)
        assert fix.Session.sendToTarget(message)
        assert fix.Session.sendToTarget(message, pair.firm_name, pair.venue_name)
        assert fix.Session.lookupSession(pair.firm_id).send(message)
        received = [pair.venue.await_("fromApp").getHeader() for _ in range(3)]
        assert [header.getField(34) for header in received] == ["2", "3", "4"]
        assert message.getHeader().getField(34) == "4" and received[0].getField(49) == pair.firm_name
        with pytest.raises(fix.SessionNotFound):
            fix.Session.sendToTarget(message, pair.firm_name, "NOBODY")
        with pytest.raises(fix.SessionNotFound):
            fix.Session.sendToTarget(fix.Message())


def test_to_app_keeps_back_or_changes(tmp_path):
    with Pair(tmp_path) as pair:
        pair.log_on()
        pair.firm.on["toApp"] = raises(fix.DoNotSend())
        assert not fix.Session.sendToTarget(order("KEPT"), pair.firm_id)

        def complete(message, session):
            message.setField(fix.Account("ours"))
            message.getHeader().setField(fix.OnBehalfOfCompID("caf\udce9"))  # A byte that is no UTF-8.

        pair.firm.on["toApp"] = complete
        assert fix.Session.sendToTarget(order("SENT"), pair.firm_id)
        received = pair.venue.await_("fromApp")
        assert (received.getField(55), received.getField(1)) == ("SENT", "ours")
        assert (received.getHeader().getField(34), received.getHeader().getField(115)) == ("2", "caf\udce9")


@pytest.mark.parametrize("fault, kind, fields", [
    (fix.IncorrectTagValue(55), "3", {371: "55", 372: "D", 373: "5", 45: "2"}),
    (fix.IncorrectDataFormat(44, "x"), "3", {371: "44", 373: "6"}),
    (fix.FieldNotFound(99), "j", {372: "D", 380: "5", 58: "Conditionally Required Field Missing (99)"}),
    (fix.UnsupportedMessageType(), "j", {372: "D", 380: "3", 58: "Unsupported Message Type"}),
    (fix.RequiredTagMissing(99), "3", {371: "99", 373: "1"}),
])
def test_what_from_app_raises_rejects_the_message(tmp_path, fault, kind, fields):
    with Pair(tmp_path) as pair:
        pair.log_on()
        pair.venue.on["fromApp"] = raises(fault)
        fix.Session.sendToTarget(order(), pair.firm_id)
        reject = pair.firm.await_("fromAdmin" if kind == "3" else "fromApp", kind)
        assert {tag: reject.getField(tag) for tag in fields} == fields
        # The session goes on.
        pair.venue.on.clear()
        fix.Session.sendToTarget(order("NEXT"), pair.firm_id)
        assert pair.venue.await_("fromApp").getField(55) in ("EUR/USD", "NEXT")


def test_old_versions_reject_by_text(tmp_path):
    with Pair(tmp_path, "FIX.4.1", "FIX41.xml") as pair:
        pair.log_on()
        pair.venue.on["fromApp"] = raises(fix.FieldNotFound(99))
        message = order()
        message.removeField(60)
        fix.Session.sendToTarget(message, pair.firm_id)
        reject = pair.firm.await_("fromAdmin", "3")
        assert "(99)" in reject.getField(58)


def test_another_exception_is_logged_and_the_session_goes_on(tmp_path, caplog):
    with Pair(tmp_path) as pair:
        pair.log_on()
        pair.venue.on["fromApp"] = raises(ValueError("a fault of the program"))
        fix.Session.sendToTarget(order(), pair.firm_id)
        pair.venue.await_("fromApp")
        pair.venue.on.clear()
        fix.Session.sendToTarget(order("NEXT"), pair.firm_id)
        assert pair.venue.await_("fromApp").getField(55) == "NEXT"
    assert "a fault of the program" in caplog.text


def test_to_admin_adds_credentials_and_from_admin_checks_them(tmp_path, caplog):
    pair = Pair(tmp_path)
    passwords = ["wrong", "right"]

    def log_on(message, session):
        if message.getHeader().getField(35) == fix.MsgType_Logon and passwords:
            message.setField(fix.Username("firm"))
            message.setField(fix.Password(passwords.pop(0)))

    def check(message, session):
        if message.getHeader().getField(35) == fix.MsgType_Logon and message.getField(554) != "right":
            raise fix.RejectLogon("who are you")

    pair.firm.on["toAdmin"], pair.venue.on["fromAdmin"] = log_on, check
    with pair:
        # QuickFIX's programs are told that the attempt has ended.
        pair.firm.await_("onLogout")
        assert "Rejected Logon Attempt: who are you" in caplog.text
        pair.log_on()


def test_an_initiator_may_refuse_the_answer(tmp_path):
    pair = Pair(tmp_path)
    refused = []

    def refuse_once(message, session):
        if message.getHeader().getField(35) == fix.MsgType_Logon and not refused:
            refused.append(message)
            raise fix.RejectLogon("not you")

    pair.firm.on["fromAdmin"] = refuse_once
    with pair:
        logout = pair.venue.await_("fromAdmin", "5")
        assert logout.getField(58) == "Rejected Logon Attempt: not you"
        pair.firm.await_("onLogon")


def test_messages_sent_before_the_logon_arrive_after_it(tmp_path):
    pair = Pair(tmp_path)
    assert not fix.Session.sendToTarget(order("EARLY"), pair.firm_id)
    with pair:
        pair.log_on()
        fix.Session.sendToTarget(order("LATER"), pair.firm_id)
        received = [pair.venue.await_("fromApp") for _ in range(2)]
    assert [message.getField(55) for message in received] == ["EARLY", "LATER"]


def test_messages_before_a_logon_that_resets_are_not_kept(tmp_path):
    pair = Pair(tmp_path, extra="ResetOnLogon=Y")
    assert not fix.Session.sendToTarget(order("EARLY"), pair.firm_id)
    with pair:
        pair.log_on()
        fix.Session.sendToTarget(order("LATER"), pair.firm_id)
        assert pair.venue.await_("fromApp").getField(55) == "LATER"


def test_resends_go_through_to_app(tmp_path):
    with Pair(tmp_path) as pair:
        pair.log_on()
        for symbol in ("A", "B", "C"):
            fix.Session.sendToTarget(order(symbol), pair.firm_id)
            pair.venue.await_("fromApp")

        def hold(message, session):
            if message.getHeader().isSetField(43) and message.getField(55) == "B":
                raise fix.DoNotSend()

        pair.firm.on["toApp"] = hold
        # The venue lost them, and asks again with its next message.
        fix.Session.lookupSession(pair.venue_id).setNextTargetMsgSeqNum(2)
        fix.Session.sendToTarget(order("D"), pair.firm_id)
        received = [pair.venue.await_("fromApp") for _ in range(3)]
        assert [message.getField(55) for message in received] == ["A", "C", "D"]


def test_a_session_logs_out_and_on(tmp_path):
    with Pair(tmp_path) as pair:
        pair.log_on()
        session = fix.Session.lookupSession(pair.firm_id)
        assert session.isEnabled() and session.isInitiator()
        session.logout("a pause")
        assert pair.venue.await_("fromAdmin", "5").getField(58) == "a pause"
        pair.firm.await_("onLogout")
        assert not session.isEnabled() and not session.isLoggedOn()
        session.logon()
        pair.log_on()
        session.disconnect()
        pair.firm.await_("onLogout")
        pair.log_on()


def test_numbers_are_set_and_reset(tmp_path):
    with Pair(tmp_path) as pair:
        pair.log_on()
        firm, venue = fix.Session.lookupSession(pair.firm_id), fix.Session.lookupSession(pair.venue_id)
        firm.setNextSenderMsgSeqNum(50)
        venue.setNextTargetMsgSeqNum(50)
        fix.Session.sendToTarget(order(), pair.firm_id)
        assert pair.venue.await_("fromApp").getHeader().getField(34) == "50"
        assert (firm.getExpectedSenderNum(), venue.getExpectedTargetNum()) == (51, 51)
        venue.logout()
        pair.firm.await_("onLogout")
        venue.reset()
        firm.reset()
        venue.logon()
        pair.log_on()
        assert (firm.getExpectedSenderNum(), firm.getExpectedTargetNum()) == (2, 2)


def test_a_reset_of_a_live_session_ends_it_and_begins_at_one(tmp_path):
    with Pair(tmp_path, extra="ResetOnLogon=Y") as pair:
        pair.log_on()
        firm = fix.Session.lookupSession(pair.firm_id)
        fix.Session.sendToTarget(order(), pair.firm_id)
        pair.venue.await_("fromApp")
        firm.reset()
        pair.firm.await_("onLogout")
        pair.log_on()
        fix.Session.sendToTarget(order(), pair.firm_id)
        assert pair.venue.await_("fromApp").getHeader().getField(34) == "2"


def test_a_file_store_keeps_numbers_over_a_restart(tmp_path):
    pair = Pair(tmp_path, store=fix.FileStoreFactory)
    with pair:
        pair.log_on()
        fix.Session.sendToTarget(order(), pair.firm_id)
        pair.venue.await_("fromApp")
    assert list((tmp_path / "store").rglob("*"))
    with pair:
        pair.log_on()
        assert fix.Session.lookupSession(pair.firm_id).getExpectedSenderNum() > 3
        # Processed messages do not come again; failed ones do.
        pair.venue.on["fromApp"] = raises(ValueError("a fault of the program"))
        fix.Session.sendToTarget(order("FAILED"), pair.firm_id)
        assert pair.venue.await_("fromApp").getField(55) == "FAILED"
    pair.venue.on.clear()
    with pair:
        pair.log_on()
        assert pair.venue.await_("fromApp").getField(55) == "FAILED"


def test_file_logs_have_every_message(tmp_path):
    with Pair(tmp_path, log=fix.FileLogFactory) as pair:
        pair.log_on()
        fix.Session.sendToTarget(order(), pair.firm_id)
        pair.venue.await_("fromApp")
    names = (f"{pair.firm_name}-{pair.venue_name}", f"{pair.venue_name}-{pair.firm_name}")
    logs = [(tmp_path / "log" / f"FIX.4.4-{name}.messages.current.log").read_text().splitlines() for name in names]
    firm, venue = [[line.partition(" : ")[2] for line in lines] for lines in logs]
    # Each side has received what the other has sent, byte for byte.
    assert sorted(firm) == sorted(venue)
    assert [fix.Message(text).getHeader().getField(35) for text in firm] == ["A", "A", "D", "5", "5"]
    assert (tmp_path / "log" / f"FIX.4.4-{names[0]}.event.current.log").read_text()


def test_a_program_has_a_log_of_its_own(tmp_path, capfd):
    lines = []

    class Log(fix.Log):
        def onIncoming(self, text):
            lines.append(("in", text))

        def onOutgoing(self, text):
            lines.append(("out", text))

    class Factory(fix.LogFactory):
        def __init__(self, settings):
            super().__init__()

        def create(self, *arguments):
            return Log()

    with Pair(tmp_path, log=Factory) as pair:
        pair.log_on()
    assert {direction for direction, _ in lines} == {"in", "out"}
    with Pair(tmp_path, log=fix.ScreenLogFactory) as pair:
        pair.log_on()
    assert f", {pair.firm_id}, outgoing>" in capfd.readouterr().out


def test_any_thread_sends(tmp_path):
    per_thread, threads = 50, 4
    with Pair(tmp_path) as pair:
        pair.log_on()

        def send():
            for _ in range(per_thread):
                assert fix.Session.sendToTarget(order(), pair.firm_id)

        workers = [threading.Thread(target=send) for _ in range(threads)]
        for worker in workers:
            worker.start()
        numbers = [int(pair.venue.await_("fromApp").getHeader().getField(34)) for _ in range(per_thread * threads)]
        for worker in workers:
            worker.join()
    assert numbers == list(range(2, 2 + per_thread * threads))


class SlowPeer:
    """An acceptor of few words, which answers the Logon and reads on when it is told to."""

    def __init__(self, awaited):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.reads_on = threading.Event()
        self.awaited = awaited
        self.has_all = threading.Event()
        self.numbers = []
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    @property
    def port(self):
        return self.listener.getsockname()[1]

    def serve(self):
        connection, _ = self.listener.accept()
        receiver = affix.Receiver()
        with connection:
            while not self.numbers:
                self.read(connection, receiver)
            connection.sendall(affix.encode("A", {98: 0, 108: 30}, header={
                49: "SLOW", 56: "QUICK", 34: 1, 52: datetime.datetime.now(datetime.timezone.utc)}))
            assert self.reads_on.wait(SECONDS)
            while self.read(connection, receiver):
                pass

    def read(self, connection, receiver):
        data = connection.recv(1 << 16)
        receiver.feed(data)
        self.numbers += [message.integer(34) for message in receiver]
        if len(self.numbers) >= self.awaited:
            self.has_all.set()
        return data


def test_sending_waits_for_a_peer_that_does_not_read(tmp_path, monkeypatch):
    application, messages = Recorder(), 4_000
    peer = SlowPeer(messages + 1)
    settings = fix.SessionSettings()
    keys = fix.Dictionary()
    for key, value in (("ConnectionType", "initiator"), ("SocketConnectHost", "127.0.0.1"), ("HeartBtInt", "30"),
                       ("SocketConnectPort", str(peer.port)), ("NonStopSession", "Y"), ("UseDataDictionary", "N"),
                       ("ReconnectInterval", "1")):
        keys.setString(key, value)
    session = fix.SessionID("FIX.4.4", "QUICK", "SLOW")
    settings.set(session, keys)
    initiator = fix.SocketInitiator(application, fix.MemoryStoreFactory(), settings)
    turn = initiator._turn

    def turn_of_sender():
        if threading.current_thread() is threading.main_thread():
            peer.reads_on.set()  # There is no more room.
        turn()

    monkeypatch.setattr(initiator, "_turn", turn_of_sender)
    initiator.start()
    application.await_("onLogon")
    message = order("X" * 2_000)
    for _ in range(messages):
        assert fix.Session.sendToTarget(message, session)
    assert peer.reads_on.is_set()
    # A stop by force does not wait for a peer to read.
    assert peer.has_all.wait(SECONDS)
    initiator.stop(True)
    peer.thread.join(SECONDS)
    peer.listener.close()
    assert peer.numbers[:messages + 1] == list(range(1, messages + 2))


def test_callbacks_may_send_and_stop(tmp_path):
    pair = Pair(tmp_path)
    pair.venue.on["fromApp"] = lambda message, session: fix.Session.sendToTarget(order("ANSWER"), session)
    pair.firm.on["fromApp"] = lambda message, session: pair.initiator.stop()
    pair.firm.on["onLogon"] = lambda message, session: fix.Session.sendToTarget(order(), session)
    pair.acceptor.start()
    pair.initiator.block()
    assert pair.initiator.isStopped()
    pair.acceptor.stop()


def test_a_session_message_may_cause_another_message(tmp_path):
    pair = Pair(tmp_path)

    def send(message, session):
        if message.getHeader().getField(35) in (fix.MsgType_Logon, fix.MsgType_TestRequest):
            fix.Session.sendToTarget(order(message.getHeader().getField(35)), session)

    pair.firm.on["toAdmin"] = send
    with pair:
        pair.log_on()
        assert pair.venue.await_("fromApp").getField(55) == "A"
        test = fix.Message()
        test.getHeader().setField(fix.MsgType(fix.MsgType_TestRequest))
        test.setField(fix.TestReqID("are you there"))
        assert fix.Session.sendToTarget(test, pair.firm_id)
        assert pair.venue.await_("fromApp").getField(55) == "1"
        assert not fix.Session.sendToTarget(message_of("4"), pair.firm_id)


def message_of(kind):
    message = fix.Message()
    message.getHeader().setField(fix.MsgType(kind))
    return message


def test_a_program_may_end_without_stop(tmp_path):
    program = f"""
import logging, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from quickfix_session_test import Pair
logging.getLogger("affix").setLevel(logging.ERROR)  # A busy machine is warned of.
pair = Pair(Path({str(tmp_path)!r}))
pair.acceptor.start()
pair.initiator.start()
pair.log_on()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, "")


def test_control_c_in_block_logs_out(tmp_path):
    program = f"""
import signal, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from quickfix_session_test import Pair
signal.signal(signal.SIGINT, signal.default_int_handler)  # Whatever the test's own parent has set.
pair = Pair(Path({str(tmp_path)!r}))
pair.acceptor.start()
pair.firm.on["onLogon"] = lambda message, session: print("ready", flush=True)
try:
    pair.initiator.block()
except KeyboardInterrupt:
    print("interrupted", pair.initiator.isStopped(), pair.venue.await_("fromAdmin", "5") is not None)
pair.acceptor.stop()
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=SECONDS)
    finally:
        child.kill()
        child.wait()
    assert (said, child.returncode) == ("interrupted True True\n", 0)


def test_a_program_may_poll(tmp_path):
    pair = Pair(tmp_path)
    pair.acceptor.start()
    while not pair.initiator.isLoggedOn():
        assert pair.initiator.poll()
    pair.initiator.stop()
    assert not pair.initiator.poll() and pair.initiator.isStopped()
    pair.acceptor.stop()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the program openssl makes the certificate")
def test_the_ssl_classes_speak_tls(tmp_path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-keyout", key, "-out", certificate, "-subj", "/CN=venue",
                    "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    extra = (f"ServerCertificateFile={certificate}\nServerCertificateKeyFile={key}\nCertificateVerifyLevel=0\n"
             f"CertificationAuthoritiesFile={certificate}")
    with Pair(tmp_path, extra=extra, initiator_class=fix.SSLSocketInitiator,
              acceptor_class=fix.SSLSocketAcceptor) as pair:
        pair.log_on()
        assert fix.Session.sendToTarget(order(), pair.firm_id)
        pair.venue.await_("fromApp")
        with socket.create_connection(("127.0.0.1", pair.port)) as plain:
            plain.sendall(affix.encode("A", {98: 0, 108: 30}))
            # Its answer is no FIX.
            assert b"8=FIX" not in plain.recv(100)


def test_groups_arrive_as_groups(tmp_path):
    with Pair(tmp_path) as pair:
        pair.log_on()
        message = order()
        party = fix.Group(453, 448)
        for name in ("P", "Q"):
            party.setField(fix.PartyID(name))
            party.setField(fix.PartyIDSource("D"))
            party.setField(fix.PartyRole(1))
            message.addGroup(party)
        fix.Session.sendToTarget(message, pair.firm_id)
        received = pair.venue.await_("fromApp")
        assert received.groupCount(453) == 2 and not received.isSetField(448)
        received.getGroup(2, party)
        assert party.getField(448) == "Q"


def test_what_is_not_carried_over_is_logged_with_its_line(tmp_path, caplog):
    caplog.set_level(logging.INFO, "affix")
    Pair(tmp_path, extra="CheckCompID=N\nNoSuchSetting=1")
    assert "pair.cfg:11: CheckCompID: CompIDs are always checked" in caplog.text
    assert "pair.cfg:12: NoSuchSetting: not a setting" in caplog.text


def test_sessions_have_one_owner(tmp_path):
    pair = Pair(tmp_path)
    with pytest.raises(fix.ConfigError, match="Duplicate Session"):
        fix.SocketInitiator(fix.NullApplication(), fix.MemoryStoreFactory(), pair.settings)
    assert pair.firm_id in fix.Session.getSessions() and fix.Session.doesSessionExist(pair.venue_id)
    assert pair.initiator.has(pair.firm_id) and not pair.initiator.has(pair.venue_id)
