# SPDX-License-Identifier: MIT
"""The scripted counterparty: what passes, and what a difference reads like."""

import asyncio
import re
import subprocess
import sys
import textwrap
import threading
from decimal import Decimal

import pytest
from patience import patience

import affix
from affix.testing import ANY, ECHO, ScriptedPeers

ORDER = {"ClOrdID": "order-1", "Symbol": "EUR/USD", "Side": "1", "OrderQty": 100, "OrdType": "2",
         "Price": Decimal("1.0825"), "NoPartyIDs": [{"PartyID": "DESK", "PartyRole": 1}, {"PartyID": "FIRM"}]}
FIX44 = affix.dictionary("FIX.4.4")
PATIENCE = patience(60)


async def trade(port, orders=(ORDER,), reports=1):
    """A program on a loop: sends orders, and returns the reports."""
    async with affix.Initiator(primary_address="127.0.0.1", primary_port=port, begin_string="FIX.4.4",
                               sender_comp_id="TRADER", target_comp_id="VENUE", durability="memory",
                               codec=FIX44) as session:
        await session.logon()
        for order in orders:
            await session.send("NewOrderSingle", order)
        seen = []
        while len(seen) < reports:
            seen.append(await anext(session))
        return seen


def run(venue, program):
    return asyncio.run(asyncio.wait_for(venue.watch(program), PATIENCE))


def acceptor(fix_peer, **keywords):
    return fix_peer.acceptor(sender_comp_id="VENUE", target_comp_id="TRADER", **keywords)


def failure(fix_peer, script, program):
    """The text of the script's failure."""
    with pytest.raises(AssertionError) as failed:
        with acceptor(fix_peer) as venue:
            script(venue)
            run(venue, program(venue.port))
    return str(failed.value).splitlines()


def test_what_is_expected_is_answered(fix_peer):
    with acceptor(fix_peer) as venue:
        venue.expect("NewOrderSingle", {
            "ClOrdID": re.compile(r"order-\d"), "Price": Decimal("1.08250"), "OrderQty": 100, "Side": ANY,
            "Account": None, "Symbol": lambda text: text.endswith("USD"), 40: "2",
            "NoPartyIDs": [{"PartyID": "DESK", "PartyRole": 1}, {"PartyID": "FIRM", "PartyRole": None}]})
        venue.send("ExecutionReport", {"OrderID": "V-1", "ClOrdID": ECHO, "LastQty": lambda order: order["OrderQty"]})
        venue.send("8", lambda order: {"OrderID": "V-2", "ClOrdID": order["ClOrdID"]})
        first, second = run(venue, trade(venue.port, reports=2))
        venue.verify()
        assert venue.received[0]["Symbol"] == "EUR/USD"
    assert (first["OrderID"], first["ClOrdID"], first["LastQty"]) == ("V-1", "order-1", "100")
    assert second["OrderID"] == "V-2"


def test_fields_that_differ_are_named(fix_peer):
    lines = failure(fix_peer, lambda venue: venue.expect("NewOrderSingle", {
        "ClOrdID": "order-1", "Price": Decimal("1.0830"), "OrderQty": 200, "TimeInForce": "0", "Symbol": None,
        "Side": "2",
        "NoPartyIDs": [{"PartyID": "OTHER"}, {"PartyID": "FIRM", "PartyRole": 3}]}), trade)
    assert lines[0] == "step 1, expect NewOrderSingle: NewOrderSingle (D) is not as expected"
    assert [line.strip() for line in lines[1:-1]] == [
        "Price (44): expected 1.0830, got 1.0825",
        "OrderQty (38): expected 200, got '100'",
        "TimeInForce (59): expected '0', got no such field",
        "Symbol (55): expected no such field, got 'EUR/USD'",
        "Side (54): expected '2', got '1'",
        "NoPartyIDs (453) entry 1, PartyID (448): expected 'OTHER', got 'DESK'",
        "NoPartyIDs (453) entry 2, PartyRole (452): expected 3, got no such field",
    ]
    assert "11=order-1" in lines[-1]


def test_the_number_of_entries(fix_peer):
    lines = failure(fix_peer, lambda venue: venue.expect("D", {"NoPartyIDs": [{"PartyID": "DESK"}]}), trade)
    assert lines[1].strip() == "NoPartyIDs (453): expected 1 entries, got 2"


def test_another_message_than_expected(fix_peer):
    lines = failure(fix_peer, lambda venue: venue.expect("OrderCancelRequest"), trade)
    assert lines[0] == "step 1, expect OrderCancelRequest: expected OrderCancelRequest (F), got NewOrderSingle (D)"


def test_a_message_that_does_not_come(fix_peer):
    def script(venue):
        venue.expect("D").expect("NewOrderSingle", timeout=0.2)

    lines = failure(fix_peer, script, trade)
    assert lines[0] == "step 2, expect NewOrderSingle: expected NewOrderSingle (D), and nothing came within 0.2 s"


def test_a_message_too_many(fix_peer):
    def script(venue):
        venue.expect("D").send("8", {"OrderID": "V"})

    lines = failure(fix_peer, script, lambda port: trade(port, orders=(ORDER, ORDER)))
    assert lines[0] == "after the last step: nothing more was expected, got NewOrderSingle (D)"


def test_a_name_that_there_is_not_is_found_at_once(fix_peer):
    with acceptor(fix_peer) as venue:
        with pytest.raises(affix.UnknownNameError):
            venue.expect("NewOrder")
        with pytest.raises(affix.UnknownNameError):
            venue.expect("NewOrderSingle", {"Prise": 1})


def test_an_answer_that_cannot_be_sent(fix_peer):
    lines = failure(fix_peer, lambda venue: venue.send("8", {"OrderID": ECHO}), trade)
    assert lines[0] == "step 1, send 8: field OrderID needs a message, and none was expected before"


def test_a_program_that_fails_first(fix_peer):
    async def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        with acceptor(fix_peer) as venue:
            venue.expect("NewOrderSingle")
            run(venue, fail())


def test_the_script_is_why_a_plain_program_fails(fix_peer):
    """Not what the program raises because of it."""
    with pytest.raises(AssertionError, match="got NewOrderSingle"):
        with acceptor(fix_peer) as venue:
            venue.expect("OrderCancelRequest")
            with pytest.raises(AssertionError):
                run(venue, trade(venue.port))
            raise TimeoutError


def test_a_client_of_an_acceptor(fix_peer):
    """The other side, and a program with threads: the peer is in one of its own."""
    def fill(order):
        order.session.send("8", {"OrderID": "V", "ClOrdID": order["ClOrdID"], "Price": order["Price"]})

    with affix.ThreadedAcceptor(nic_address="127.0.0.1", accept_port=0, begin_string="FIX.4.4", sender_comp_id="VENUE",
                                target_comp_id="TRADER", durability="memory", codec=FIX44, on_message=fill) as program:
        with fix_peer.initiator(program.port, sender_comp_id="TRADER", target_comp_id="VENUE") as client:
            client.send("NewOrderSingle", ORDER)
            client.expect("ExecutionReport", {"ClOrdID": "order-1", "Price": Decimal("1.0825")})
            client.logout("done").expect_logout()


def test_a_peer_that_is_left_open_is_verified():
    with pytest.raises(AssertionError, match="nothing came"):
        with ScriptedPeers() as peers:
            acceptor(peers, timeout=0.2).expect("D")
    assert not [thread for thread in threading.enumerate() if thread.name == "affix.testing"]


def test_keys_that_are_wrong(fix_peer):
    with pytest.raises(affix.ConfigurationError):
        acceptor(fix_peer, heartbeat_interval_seconds=-5)


def test_it_needs_no_pytest():
    program = textwrap.dedent("""
        import sys
        sys.modules["pytest"] = None
        import affix.testing
        with affix.testing.ScriptedPeers() as peers:
            peers.acceptor(sender_comp_id="A", target_comp_id="B").close()
    """)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)
