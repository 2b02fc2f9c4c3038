# SPDX-License-Identifier: MIT
"""`affix-lab exchange` as the QuickFIX traders' tests need it: started, killed and started again on the same port."""

import affix_programs
import peers

TRADERS = ("BUYER", "SELLER")


class ExchangeTest(peers.InteropTest):
    """Every test ends with the comparison of both sides' records."""

    exchange_arguments = ()
    session_keys = ""

    def setUp(self):
        super().setUp()
        self.config = self.directory / "exchange.cfg"
        self.journal = self.folder("journal")
        self.port = 0
        self.start_exchange()
        self.traders = {}

    def start_exchange(self):
        """The first start lets the kernel choose the port, later ones take the same again."""
        affix_programs.write_exchange_config(self.config, self.journal, TRADERS, self.port, self.session_keys)
        self.exchange, self.port = affix_programs.open_exchange(self, self.config, *self.exchange_arguments)

    def log_on(self, name, heartbeat_seconds=30, port=None):
        trader = peers.open_quickfix_trader(self, port or self.port, self.folder(name), sender=name,
                                            heartbeat_seconds=heartbeat_seconds)
        self.traders[name] = trader
        trader.command("logon")
        trader.wait_event("logon")
        return trader

    def echo(self, trader, text):
        """A TestRequest and its answer: whatever was sent before has arrived."""
        trader.wait_message("in", t35="0", t112=trader.test_request(text))

    def log_out(self, trader):
        trader.command("logout")
        logout = trader.wait_message("in", t35="5")
        trader.wait_event("logout")
        return logout

    def tearDown(self):
        for trader in self.traders.values():
            self.assert_quickfix_refused_nothing(trader)
            self.assert_one_message_per_number(trader.messages("in"))
        self.exchange.kill()
        for name, trader in self.traders.items():
            journal = self.journal / f"{peers.BEGIN_STRING}-EXCHANGE-{name}"
            affix_programs.assert_records_agree(self, trader, "EXCHANGE", journal)
        super().tearDown()
