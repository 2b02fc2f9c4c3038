# SPDX-License-Identifier: MIT
"""Counterparties for tests of trading programs: a script says what the venue expects, and what it answers.

With pytest the fixture `fix_peer` makes them; it needs no import::

    def test_an_order_is_filled(fix_peer):
        with fix_peer.acceptor(sender_comp_id="VENUE", target_comp_id="TRADER") as venue:
            venue.expect("NewOrderSingle", {"Symbol": "EUR/USD", "Price": Decimal("1.0825")})
            venue.send("ExecutionReport", {"OrderID": "V-1", "ClOrdID": ECHO, "ExecID": "E-1", ...})
            asyncio.run(venue.watch(trade("127.0.0.1", venue.port)))

The fixture `fix_scenarios` plays scenarios of `affix certify` against an engine, by the program affix-lab::

    def test_the_venue_answers_orders(fix_scenarios):
        fix_scenarios.run("orders", address="127.0.0.1:9876", sender_comp_id="TRADER", target_comp_id="VENUE")

Without pytest, `with affix.testing.ScriptedPeers() as fix_peer` does the same.
"""

from affix.testing._matching import ANY, ExpectedFields
from affix.testing._peer import ECHO, Answer, ScriptedPeer, ScriptedPeers
from affix.testing._scenarios import ScenarioResult, ScenarioRun, Scenarios

__all__ = ["ANY", "ECHO", "Answer", "ExpectedFields", "ScenarioResult", "ScenarioRun", "Scenarios",
           "ScriptedPeer", "ScriptedPeers"]
