# SPDX-License-Identifier: MIT
"""Sessions over TLS: QuickFIX and OpenSSL's own programs as peers of `affix-lab exchange` and `affix-lab trade`."""

import shutil
import subprocess
import time
import unittest

import affix_programs
import peers

HEADER = "ClOrdID,MsgType,OrigClOrdID,Symbol,Side,OrdType,OrderQty,Price,Delay\n"


class Authority:
    """Certificates made by the openssl command, as folders of ca.pem, own.pem and own.key. RSA: QuickFIX knows no other."""

    def __init__(self, folder, name):
        self.folder = folder
        self.openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={name}",
                     "-keyout", "ca.key", "-out", "ca.pem")

    def openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"openssl {arguments}: {done.stderr}")

    def issue(self, name):
        """A folder with a certificate for 127.0.0.1 whose common name is `name`."""
        own = self.folder / name
        own.mkdir()
        shutil.copy(self.folder / "ca.pem", own / "ca.pem")
        self.openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-addext",
                     "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", f"{name}/own.key", "-out", f"{name}.csr")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                     "-days", "1", "-copy_extensions", "copy", "-out", f"{name}/own.pem")
        return own


def tls_keys(own):
    return f"tls=ON\ntls_ca_file={own}/ca.pem\ntls_certificate_file={own}/own.pem\ntls_key_file={own}/own.key\n"


@unittest.skipUnless(shutil.which("openssl"), "there is no openssl command")
class AffixTls(peers.InteropTest):
    def setUp(self):
        super().setUp()
        self.authority = Authority(self.folder("authority"), "CA")
        self.venue = self.authority.issue("EXCHANGE")
        self.firm = self.authority.issue("TRADER")
        self.journal = self.folder("journal")

    def open_exchange(self):
        config = self.directory / "exchange.cfg"
        config.write_text("[ENGINE]\nlog_level=INFO\n[EXCHANGE]\naccept_port=0\nnic_address=127.0.0.1\n" +
                          tls_keys(self.venue) +
                          affix_programs.session_group("SESSION", "EXCHANGE", "TRADER", self.journal, "tls_peer=cn:TRADER\n"))
        return affix_programs.open_exchange(self, config)

    def open_trade(self, port):
        orders = self.directory / "orders.csv"
        orders.write_text(HEADER + "A1,D,,MSFT,Buy,Limit,10,25.5,0\n")
        config = self.directory / "trade.cfg"
        config.write_text("[ENGINE]\nlog_level=INFO\n[CLIENT]\nprimary_address=127.0.0.1\n"
                          f"primary_port={port}\nreconnect_milliseconds=100\nreconnect_milliseconds_max=500\n" +
                          tls_keys(self.firm) +
                          affix_programs.session_group("SESSION", "TRADER", "EXCHANGE", self.journal, "tls_peer=cn:EXCHANGE\n"))
        return affix_programs.open_trade(self, config, "--orders", orders)

    def open_trader(self, port, own):
        return peers.open_quickfix_trader(self, port, self.folder(f"store-{own.parent.name}"), further=("--tls", str(own)))

    @staticmethod
    def logon():
        """A Logon of TRADER as a person would type it, with | for SOH."""
        body = ("35=A|49=TRADER|56=EXCHANGE|34=1|52=" + time.strftime("%Y%m%d-%H:%M:%S", time.gmtime()) +
                "|98=0|108=30|")
        text = (f"8=FIX.4.4|9={len(body)}|" + body).replace("|", "\x01")
        return text + f"10={sum(text.encode()) % 256:03}\x01"

    def test_a_quickfix_trader_trades(self):
        exchange, port = self.open_exchange()
        trader = self.open_trader(port, self.firm)
        trader.command("logon")
        trader.wait_event("logon")
        exchange.wait_text("speaks TLSv1.*CN=TRADER")
        for number in range(20):
            trader.command(f"order B{number} MSFT buy 100 25.50 limit")
            trader.wait_message("delivered", t35="8", t11=f"B{number}", t39="0")
        trader.command("logout")
        trader.wait_message("in", t35="5")
        trader.wait_event("logout")
        exchange.kill()
        affix_programs.assert_records_agree(self, trader, "EXCHANGE", self.journal / "FIX.4.4-EXCHANGE-TRADER")

    def test_a_quickfix_trader_of_another_authority_is_refused(self):
        exchange, port = self.open_exchange()
        trader = self.open_trader(port, Authority(self.folder("stranger"), "Stranger").issue("TRADER"))
        trader.command("logon")
        exchange.wait_text("TLS: (the peer refused|the peer's certificate .*leads to no CA)")

    def test_trading_with_a_quickfix_exchange(self):
        exchange, port = peers.open_quickfix_exchange(self, self.folder("store"), further=("--tls", str(self.venue)))
        trade = self.open_trade(port)
        trade.wait_text("connected with TLSv1.*CN=EXCHANGE")
        exchange.wait_message("delivered", t35="D", t11="A1")
        exchange.wait_message("out", t35="8", t11="A1")

    def test_openssls_client_logs_on_with_either_version(self):
        exchange, port = self.open_exchange()
        for version in ("-tls1_2", "-tls1_3"):
            client = self.owned(peers.LineProcess(
                ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", version, "-quiet", "-verify_return_error",
                 "-CAfile", f"{self.firm}/ca.pem", "-cert", f"{self.firm}/own.pem", "-key", f"{self.firm}/own.key"],
                "openssl s_client"))
            # The line's end is garbage between messages, which is skipped.
            client.write(self.logon())
            exchange.wait_text("speaks TLSv1" + version[-2:].replace("_", ".") + " .*CN=TRADER")
            client.close()

    def test_openssls_client_without_a_certificate_is_refused(self):
        exchange, port = self.open_exchange()
        client = self.owned(peers.LineProcess(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", f"{self.firm}/ca.pem"], "openssl s_client"))
        exchange.wait_text("TLS: the peer showed no certificate")
        client.wait_text("alert certificate required|certificate required")

    def test_logging_on_to_openssls_server(self):
        server = self.owned(peers.LineProcess(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-Verify", "1", "-verify_return_error",
             "-CAfile", f"{self.venue}/ca.pem", "-cert", f"{self.venue}/own.pem", "-key", f"{self.venue}/own.key"],
            "openssl s_server"))
        port = server.wait_text(r"ACCEPT 127\.0\.0\.1:(\d+)").group(1)
        self.open_trade(port)
        # FIX has no line ends, so what came is shown when the server ends: with our logout time-out, or the session's.
        server.wait_exit()
        self.assertIn("35=A", "".join(server.snapshot()))


if __name__ == "__main__":
    peers.main({"quickfix_trader": peers.QUICKFIX_TRADER, "quickfix_exchange": peers.QUICKFIX_EXCHANGE, "affix": peers.AFFIX})
