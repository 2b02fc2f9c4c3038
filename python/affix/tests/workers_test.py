# SPDX-License-Identifier: MIT
"""Engines with threads: both sides in one process, each with C++ workers, over loopback."""

import asyncio
import contextlib
import gc
import os
import queue
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import weakref
from decimal import Decimal

import pytest
from patience import patience

import affix

PATIENCE = patience(60)
ORDER = {11: "order-1", 55: "EUR/USD", 54: "1", 38: 100, 40: "2", 44: Decimal("1.0825")}
NAMES = ("ALICE", "BOB", "CAROL", "DAVE")


def venue(on_message, **keywords):
    settings = {"nic_address": "127.0.0.1", "accept_port": 0, "begin_string": "FIX.4.4", "sender_comp_id": "VENUE",
                "target_comp_id": "FIRM", "durability": "memory"}
    return affix.ThreadedAcceptor(on_message=on_message, **{**settings, **keywords})


def firm(port, on_message, **keywords):
    settings = {"primary_address": "127.0.0.1", "primary_port": port, "reconnect_milliseconds": 20,
                "begin_string": "FIX.4.4", "sender_comp_id": "FIRM", "target_comp_id": "VENUE", "durability": "memory"}
    return affix.ThreadedInitiator(on_message=on_message, **{**settings, **keywords})


def fill(order):
    order.session.send("8", {37: "V", 11: order[11], 17: "E", 150: "F", 39: "2", 31: order.decimal(44)})


def ignore(message):
    pass


def sessions(kind, names, **keys):
    """The text of a configuration with a session for each name, seen from the venue or from the firms."""
    lines = "".join(f"{key}={value}\n" for key, value in keys.items())
    return "".join(f"[{name}]\nbegin_string=FIX.4.4\nsender_comp_id={'VENUE' if kind == 'server' else name}\n"
                   f"target_comp_id={name if kind == 'server' else 'VENUE'}\ndurability=memory\n{lines}"
                   for name in names)


def two_workers(kind, names, group, **keys):
    return f"[GROUP]\ntype={kind}\nworker_thread_count=2\n{group}\n" + sessions(kind, names, **keys)


def take(messages, count):
    """That many of a queue, in bounded time."""
    return [messages.get(timeout=PATIENCE) for _ in range(count)]


# --- Trading ---

def test_an_order_and_its_fill():
    reports = queue.Queue()
    ended = []
    with venue(fill) as acceptor:
        with firm(acceptor.port, lambda report: reports.put((report[11], report.decimal(31), report.session)),
                  on_logout=lambda session, reason: ended.append(session)) as session:
            session.logon()
            assert session.logged_on and acceptor["SESSION"].logged_on
            assert session.send("D", ORDER) == 2
            assert reports.get(timeout=PATIENCE) == ("order-1", Decimal("1.0825"), session)
            session.logout("done")
            assert not session.logged_on
            with pytest.raises(affix.SendError) as refused:
                session.send("D", ORDER)
            assert refused.value.status == affix.SendStatus.NOT_LOGGED_ON
            session.connect()
            session.logon()
            assert session.send("D", ORDER) > 2
        assert ended == [session, session]
        with pytest.raises(affix.ClosedError):
            session.send("D", ORDER)


def test_several_workers_and_their_sessions():
    """Every session is called on its worker's thread, and keeps its order."""
    threads = {}
    reports = {name: queue.Queue() for name in NAMES}

    def take_report(report):
        threads.setdefault(report.session.worker, set()).add(threading.get_ident())
        reports[report.session.name].put(int(report[11]))

    acceptor = affix.ThreadedEngine(text=two_workers("server", NAMES, "nic_address=127.0.0.1\naccept_port=0"),
                                    on_message=fill)
    with acceptor:
        initiator = affix.ThreadedEngine(text=two_workers(
            "client", NAMES, f"primary_address=127.0.0.1\nprimary_port={acceptor.port}\nreconnect_milliseconds=20"),
            on_message=take_report)
        with initiator:
            for session in initiator.sessions.values():
                session.logon()
            futures = [initiator[name].post("D", {**ORDER, 11: str(number)}) for number in range(500) for name in NAMES]
            assert [each.result(PATIENCE) for each in futures] == [2 + number for number in range(500) for _ in NAMES]
            for name in NAMES:
                assert take(reports[name], 500) == list(range(500))
    assert sorted(threads) == [0, 1]
    assert all(len(idents) == 1 for idents in threads.values())
    assert threads[0] != threads[1] and threading.get_ident() not in threads[0] | threads[1]


def test_callbacks_on_threads_of_their_own():
    """A worker does not wait for them, and they hand over what they send."""
    reports = queue.Queue()
    refusals = queue.Queue()

    def answer(order):
        try:
            fill(order)
        except affix.WrongThreadError as refused:
            refusals.put(refused)
        order.session.post("8", {37: "V", 11: order[11], 17: "E", 150: "F", 39: "2", 31: order[44]})

    text = ("[GROUP]\ntype=server\nnic_address=127.0.0.1\naccept_port=0\n" +
            sessions("server", NAMES[:2], callback_thread=0))
    with affix.ThreadedEngine(text=text, on_message=answer) as acceptor:
        with firm(acceptor.port, lambda report: reports.put(report[11]), sender_comp_id="BOB") as session:
            session.logon()
            for number in range(20):
                session.post("D", {**ORDER, 11: str(number)})
            assert take(reports, 20) == [str(number) for number in range(20)]
    assert "post()" in str(refusals.get(timeout=PATIENCE))


def test_a_worker_goes_on_while_a_callback_thread_stands():
    inside, go_on = threading.Event(), threading.Event()
    reports = queue.Queue()

    def stand_or_fill(order):
        if order.session.name == "BOB":
            inside.set()
            assert go_on.wait(PATIENCE)
            return
        fill(order)

    text = ("[GROUP]\ntype=server\nnic_address=127.0.0.1\naccept_port=0\n" + sessions("server", ["ALICE"]) +
            sessions("server", ["BOB"], callback_thread=0))
    with affix.ThreadedEngine(text=text, on_message=stand_or_fill) as acceptor:
        assert acceptor["ALICE"].worker == acceptor["BOB"].worker
        with (firm(acceptor.port, ignore, sender_comp_id="BOB") as bob,
              firm(acceptor.port, lambda report: reports.put(report[11]), sender_comp_id="ALICE") as alice):
            bob.logon()
            alice.logon()
            bob.send("D", ORDER)
            assert inside.wait(PATIENCE)
            alice.send("D", ORDER)
            assert reports.get(timeout=PATIENCE) == "order-1"
            go_on.set()


def test_threads_send_together():
    reports = queue.Queue()
    with venue(fill) as acceptor, firm(acceptor.port, lambda report: reports.put(report[11])) as session:
        session.logon()
        numbers = queue.Queue()

        def send(name):
            for number in range(100):
                numbers.put(session.send("D", {**ORDER, 11: f"{name}-{number}"}))

        threads = [threading.Thread(target=send, args=(name,)) for name in NAMES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(take(numbers, 400)) == list(range(2, 402))
        seen = take(reports, 400)
        for name in NAMES:
            assert [each for each in seen if each.startswith(name)] == [f"{name}-{number}" for number in range(100)]


def test_a_loop_awaits_what_it_posts():
    async def trade(session):
        return await asyncio.wrap_future(session.post("D", ORDER))

    with venue(fill) as acceptor, firm(acceptor.port, ignore) as session:
        session.logon()
        assert asyncio.run(trade(session)) == 2


def test_an_acceptor_with_threads_and_a_client_on_a_loop():
    async def trade(port):
        async with affix.Initiator(primary_address="127.0.0.1", primary_port=port, reconnect_milliseconds=20,
                                   begin_string="FIX.4.4", sender_comp_id="FIRM", target_comp_id="VENUE",
                                   durability="memory") as session:
            await session.logon()
            await session.send("D", ORDER)
            async for report in session:
                return report[11]

    with venue(fill) as acceptor:
        assert asyncio.run(asyncio.wait_for(trade(acceptor.port), PATIENCE)) == "order-1"


# --- Messages ---

def test_a_message_expires_with_its_callback():
    kept = queue.Queue()

    def keep(report):
        kept.put((report, report.copy()))

    with venue(fill) as acceptor, firm(acceptor.port, keep) as session:
        session.logon()
        for number in range(3):
            session.send("D", {**ORDER, 11: str(number)})
        for number, (view, copy) in enumerate(take(kept, 3)):
            with pytest.raises(affix.ExpiredError):
                view[11]
            assert copy[11] == str(number)
    assert copy[11] == "2"
    with pytest.raises(affix.ExpiredError):
        view[11]


def test_names_of_a_dictionary():
    orders = queue.Queue()
    fix44 = affix.dictionary("FIX.4.4")
    with venue(lambda order: orders.put((order.name, [party["PartyID"] for party in order.group("NoPartyIDs")])),
               codec=fix44) as acceptor, firm(acceptor.port, ignore, codec=fix44) as session:
        session.logon()
        session.send("NewOrderSingle", {"ClOrdID": "x", "NoPartyIDs": [{"PartyID": "DESK"}], "Symbol": "EUR/USD"})
        assert orders.get(timeout=PATIENCE) == ("NewOrderSingle", ["DESK"])


def test_messages_that_were_not_finished_come_again(tmp_path):
    keep = {"durability": "process", "sequence_reserve": 0}
    seen = queue.Queue()

    def fail_at_second(report):
        seen.put((report[37], report.redelivered))
        if report[37] == "1":
            raise ZeroDivisionError

    with venue(ignore, **keep, journal_path=str(tmp_path / "venue")) as acceptor:
        peer = acceptor["SESSION"]
        with firm(acceptor.port, fail_at_second, **keep, journal_path=str(tmp_path / "firm")) as session:
            session.logon()
            assert session.journal_directory.startswith(str(tmp_path))
            for number in range(3):
                peer.send("8", {37: str(number)})
            assert take(seen, 3) == [("0", False), ("1", False), ("2", False)]
        kept = queue.Queue()
        with firm(acceptor.port, lambda report: kept.put((report[37], report.redelivered, report.copy())),
                  finish_messages=False, **keep, journal_path=str(tmp_path / "firm")) as session:
            session.logon()
            number, redelivered, report = kept.get(timeout=PATIENCE)
            assert (number, redelivered) == ("1", True)
            session.finish(report)
        with firm(acceptor.port, lambda report: seen.put((report[37], report.redelivered)), **keep,
                  journal_path=str(tmp_path / "firm")) as session:
            session.logon()
            peer.send("8", {37: "after"})
            assert seen.get(timeout=PATIENCE) == ("after", False)


# --- What a worker must not do, and failures ---

def test_a_callback_that_raises_is_logged_and_the_session_goes_on(caplog):
    reports = queue.Queue()

    def fail(report):
        reports.put(report[11])
        raise RuntimeError("mine")

    with venue(fill) as acceptor, firm(acceptor.port, fail, on_logon=lambda session: 1 / 0) as session:
        session.logon()
        for number in range(2):
            session.send("D", {**ORDER, 11: str(number)})
        assert take(reports, 2) == ["0", "1"]
        assert session.logged_on
    assert "mine" in caplog.text and "division by zero" in caplog.text


def test_a_callback_that_raises_ends_its_session_by_choice():
    ended = threading.Event()

    def fail(report):
        raise RuntimeError("mine")

    with venue(fill) as acceptor:
        with firm(acceptor.port, fail, on_error="logout", on_logout=lambda session, reason: ended.set()) as session:
            session.logon()
            session.send("D", ORDER)
            assert ended.wait(PATIENCE)
            assert not session.logged_on
            session.connect()
            session.logon()


def test_the_same_choice_on_a_loop():
    async def trade():
        ended = asyncio.Event()

        def fail(report):
            raise RuntimeError("mine")

        with venue(fill) as acceptor:
            async with affix.Initiator(primary_address="127.0.0.1", primary_port=acceptor.port, begin_string="FIX.4.4",
                                       sender_comp_id="FIRM", target_comp_id="VENUE", durability="memory",
                                       on_message=fail, on_error="logout",
                                       on_logout=lambda session, reason: ended.set()) as session:
                await session.logon()
                await session.send("D", ORDER)
                await ended.wait()
                assert not session.logged_on

    asyncio.run(asyncio.wait_for(trade(), PATIENCE))
    for engine in (affix.Engine, affix.ThreadedEngine):
        with pytest.raises(affix.ConfigurationError, match="on_error"):
            engine(text="", on_message=ignore, on_error="stop")


def test_callbacks_must_not_wait():
    failures = queue.Queue()

    def try_all(report):
        session = report.session
        for wait in (session.logon, session.engine.close, session.engine.wait):
            try:
                wait()
            except affix.WrongThreadError as refused:
                failures.put(refused)
        session.engine.stop()

    with venue(fill) as acceptor, firm(acceptor.port, try_all) as session:
        session.logon()
        with pytest.raises(affix.WrongThreadError):
            session.flush()
        with pytest.raises(affix.WrongThreadError):
            session.next_sender_seq
        session.send("D", ORDER)
        take(failures, 3)
        assert session.engine.wait(PATIENCE)


def test_numbers_and_flush_in_a_callback():
    numbers = queue.Queue()

    def look(report):
        report.session.send("D", ORDER)
        report.session.flush()
        numbers.put((report.session.next_sender_seq, report.session.next_target_seq))

    with venue(fill) as acceptor, firm(acceptor.port, look) as session:
        session.logon()
        session.send("D", ORDER)
        assert numbers.get(timeout=PATIENCE) == (4, 3)


def test_a_callback_sends_on_a_session_of_another_worker():
    """It must not wait, since that worker may wait for this one; it posts."""
    reports = queue.Queue()

    def relay(message):
        other = message.session.engine[NAMES[(NAMES.index(message.session.name) + 1) % len(NAMES)]]
        if other.worker != message.session.worker:
            with pytest.raises(affix.WrongThreadError):
                other.send("D", ORDER)
        other.post("8", {37: message[11], 58: message.session.name})

    acceptor = affix.ThreadedEngine(text=two_workers("server", NAMES, "nic_address=127.0.0.1\naccept_port=0"),
                                    on_message=relay)
    with acceptor:
        initiator = affix.ThreadedEngine(text=two_workers(
            "client", NAMES, f"primary_address=127.0.0.1\nprimary_port={acceptor.port}\nreconnect_milliseconds=20"),
            on_message=lambda report: reports.put((report.session.name, report[58])))
        with initiator:
            for session in initiator.sessions.values():
                session.logon()
            assert len({session.worker for session in acceptor.sessions.values()}) == 2
            for name in NAMES:
                initiator[name].send("D", ORDER)
            assert sorted(take(reports, 4)) == sorted((NAMES[(number + 1) % 4], name)
                                                      for number, name in enumerate(NAMES))


def test_refusals():
    with venue(fill) as acceptor, firm(acceptor.port, ignore) as session:
        session.logon()
        with pytest.raises(affix.SendError) as refused:
            session.send("A", {108: 30})
        assert refused.value.status == affix.SendStatus.TYPE_REFUSED
        with pytest.raises(affix.SendError) as refused:
            session.post("D", {58: "x" * 100_000})
        assert refused.value.status == affix.SendStatus.TOO_LARGE
        with pytest.raises(affix.EncodeError):
            session.send("D", {58: "a\x01b"})
        assert session.send("D", ORDER) == 2  # None of them took a number.
    with pytest.raises(affix.ConfigurationError):
        affix.ThreadedEngine(begin_string="FIX.4.4", on_message=ignore)


def test_a_queue_that_is_full_is_waited_for():
    """More than it holds, while the worker stands in a callback."""
    inside, go_on = threading.Event(), threading.Event()
    orders = queue.Queue()

    def stand(report):
        inside.set()
        assert go_on.wait(PATIENCE)

    # The output of all of them may wait in the session: how fast the venue reads is not the subject.
    with (venue(lambda order: orders.put(order[37])) as acceptor,
          firm(acceptor.port, stand, tx_encode_buffer_capacity=4 << 20) as session):
        session.logon()
        acceptor["SESSION"].send("8", {37: "stand"})
        assert inside.wait(PATIENCE)
        total = 4_000
        posted = []

        def send():
            for number in range(total):
                posted.append(session.post("8", {37: str(number), 58: "x" * 500}))

        sender = threading.Thread(target=send)
        sender.start()
        while session.engine._waits_for_results == 0:
            sender.join(0.001)
            assert sender.is_alive()
        go_on.set()
        sender.join()
        assert [future.exception(PATIENCE) for future in posted] == [None] * total
        assert take(orders, total) == [str(number) for number in range(total)]


def test_a_slow_callback_holds_its_peer_back():
    go_on = threading.Event()
    reports = queue.Queue()
    numbers = queue.Queue()

    def stand(report):
        assert go_on.wait(PATIENCE)
        reports.put(int(report[37]))

    with venue(ignore) as acceptor, firm(acceptor.port, stand) as session:
        session.logon()
        peer = acceptor["SESSION"]
        refused, sent = None, 0
        while refused is None:
            assert sent < 20_000  # Eighty megabytes do not fit between them.
            refused = peer.post("8", {37: sent, 58: "x" * 4_000}).exception(PATIENCE)
            sent += refused is None
        assert refused.status == affix.SendStatus.BACKLOGGED
        waiting = threading.Thread(target=lambda: numbers.put(peer.send("8", {37: sent})), daemon=True)
        waiting.start()
        go_on.set()
        assert numbers.get(timeout=PATIENCE) == 2 + sent
        assert take(reports, sent + 1) == list(range(sent + 1))


def test_send_waits_for_the_limit_on_its_rate():
    reports = queue.Queue()
    with venue(fill) as acceptor, firm(acceptor.port, lambda report: reports.put(report[11]), send_throttle_limit=5,
                                       send_throttle_window_in_milliseconds=50,
                                       send_throttle_action="REFUSE") as session:
        session.logon()

        def send():
            for number in range(17):
                session.send("D", {**ORDER, 11: str(number)})

        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        assert take(reports, 17) == [str(number) for number in range(17)]
        futures = [session.post("D", ORDER) for _ in range(17)]
        refused = [future.exception(PATIENCE) for future in futures]
        assert any(each is not None and each.status == affix.SendStatus.THROTTLED for each in refused)


def test_orders_of_a_peer_that_is_lost_are_to_be_cancelled():
    lost = queue.Queue()
    with venue(ignore, cancel_on_disconnect="BOTH", on_cancel_orders=lost.put) as acceptor:
        with firm(acceptor.port, ignore) as session:
            session.logon()
        assert lost.get(timeout=PATIENCE) is acceptor["SESSION"]


def test_nobody_listens():
    with venue(ignore) as acceptor:
        port = acceptor.port
    with firm(port, ignore) as session:
        with pytest.raises(affix.LogonError, match="SESSION has not logged on"):
            session.logon(0.2)


# --- Ends ---

def test_nothing_is_kept_after_the_end():
    class Program:
        def take(self, message):
            pass

    program = Program()
    with venue(program.take) as acceptor, firm(acceptor.port, program.take) as session:
        session.logon()
        session.send("D", ORDER)
        gone = [weakref.ref(each) for each in (program, acceptor, session, session.engine)]
    del program, acceptor, session
    gc.collect()
    assert [each() for each in gone] == [None] * 4


def test_what_was_posted_in_vain_is_told():
    """Whatever happens at the end, in events that are reported after the workers have ended too."""
    posted = []

    def post(severity, name, text, code):
        if name:
            posted.append(initiator[name].post("D", ORDER))

    with venue(ignore) as acceptor:
        initiator = firm(acceptor.port, ignore, on_event=post)
        with initiator as session:
            session.logon()
    assert len(posted) > 2
    assert all(future.done() for future in posted)
    assert isinstance(posted[-1].exception(), (affix.ClosedError, affix.SendError))
    with pytest.raises(affix.ClosedError):
        session.post("D", ORDER)


PROGRAM = """
import os, signal, sys, affix
signal.signal(signal.SIGINT, signal.default_int_handler)  # It is ignored if the tests run in the background of a shell.
keys = dict(begin_string="FIX.4.4", durability="memory")
acceptor = affix.ThreadedAcceptor(nic_address="127.0.0.1", accept_port=0, sender_comp_id="V", target_comp_id="F",
                                  on_message=lambda message: None,
                                  on_logout=lambda session, reason: print("logged out", flush=True), **keys)
acceptor.start()
initiator = affix.ThreadedInitiator(primary_address="127.0.0.1", primary_port=acceptor.port, sender_comp_id="F",
                                    target_comp_id="V", on_message=lambda message: None, **keys)
initiator.start()
session = initiator["SESSION"]
session.logon()
print("ready", flush=True)
"""


def run_program(text):
    return subprocess.Popen([sys.executable, "-c", PROGRAM + textwrap.dedent(text)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def output_of(process):
    try:
        return process.communicate(timeout=PATIENCE)
    finally:
        process.kill()


def test_control_c_logs_out():
    process = run_program("""
        try:
            initiator.wait()
        finally:
            initiator.close()
    """)
    assert process.stdout.readline() == "ready\n"
    os.kill(process.pid, signal.SIGINT)
    output, errors = output_of(process)
    assert "logged out" in output
    assert "KeyboardInterrupt" in errors and process.returncode != 0


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise SystemExit(3)", "1 / 0"])
def test_a_program_that_ends_without_close(end):
    process = run_program(end)
    output, errors = output_of(process)
    assert output == "ready\nlogged out\n"
    assert process.returncode == {"": 0, "1 / 0": 1}.get(end, 3), errors


def test_a_program_that_ends_while_its_callbacks_run():
    """Workers that want the GIL while the interpreter ends."""
    process = run_program("""
        def flood(message):
            try:
                message.session.send("D", {11: message[11]})
            except affix.SendError:
                pass  # It logs out.
        initiator.close()
        acceptor.close()
        acceptor = affix.ThreadedAcceptor(nic_address="127.0.0.1", accept_port=0, sender_comp_id="V",
                                          target_comp_id="F", on_message=flood, **keys)
        acceptor.start()
        initiator = affix.ThreadedInitiator(primary_address="127.0.0.1", primary_port=acceptor.port, sender_comp_id="F",
                                            target_comp_id="V", on_message=flood, **keys)
        initiator.start()
        session = initiator["SESSION"]
        session.logon()
        for number in range(100):
            session.post("D", {11: str(number)})
    """)
    output, errors = output_of(process)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


def test_the_child_of_a_fork_has_no_engine():
    process = run_program("""
        child = os.fork()
        if child == 0:
            try:
                session.send("D", {11: "x"})
            except affix.ClosedError:
                sys.exit(7)
            sys.exit(8)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert session.send("D", {11: "x"}) == 2
    """)
    output, errors = output_of(process)
    assert process.returncode == 0, errors
    assert output == "ready\nlogged out\n"


# --- Failover ---

def free_ports(count):
    """Nodes name each other's ports before they listen. The kernel does not give these out again soon."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def node_text(name, addresses, directory):
    return f"""
[ENGINE]
type=engine
node={name}
node_addresses={addresses}
election=file:{directory}/election
failover_directory={directory}/{name}
[DESKS]
type=failover
replication_nodes=ONE,TWO
[VENUE]
type=server
nic_address=127.0.0.1
accept_port=0
failover_group=DESKS
[SESSION]
begin_string=FIX.4.4
sender_comp_id=VENUE
target_comp_id=FIRM
journal_path={directory}/{name}/journal
"""


def test_a_standby_goes_on_where_the_primary_ended(tmp_path):
    notices = queue.Queue()
    reports = queue.Queue()
    (tmp_path / "election").mkdir()
    addresses = ",".join(f"{name}@127.0.0.1:{port}" for name, port in zip(("ONE", "TWO"), free_ports(2)))
    nodes = {}
    for name in ("ONE", "TWO"):
        (tmp_path / name).mkdir()
        nodes[name] = affix.ThreadedEngine(text=node_text(name, addresses, tmp_path), on_message=fill,
                                           on_failover=lambda notice, name=name: notices.put((name, notice)))

    def await_notice(wanted):
        while True:
            name, notice = notices.get(timeout=PATIENCE)
            if notice.kind == wanted:
                assert notice.group == "DESKS"
                return name, notice.epoch

    with contextlib.ExitStack() as stack:
        for node in nodes.values():
            stack.enter_context(node)
        primary, epoch = await_notice(affix.FailoverKind.LEADING)
        await_notice(affix.FailoverKind.NOT_ALONE)
        standby = "TWO" if primary == "ONE" else "ONE"
        assert list(nodes[primary].sessions) == ["SESSION"] and not nodes[standby].sessions
        keep = {"durability": "process", "sequence_reserve": 0, "journal_path": str(tmp_path / "firm")}
        with firm(nodes[primary].port, lambda report: reports.put(report[11]), **keep) as session:
            session.logon()
            session.send("D", {**ORDER, 11: "before"})
            assert reports.get(timeout=PATIENCE) == "before"
        nodes[primary].close()
        assert await_notice(affix.FailoverKind.LEADING) == (standby, epoch + 1)
        with firm(nodes[standby].port, lambda report: reports.put(report[11]), **keep) as session:
            session.logon()
            session.send("D", {**ORDER, 11: "after"})
            assert reports.get(timeout=PATIENCE) == "after"
