# SPDX-License-Identifier: MIT
"""Messages of `affix-lab exchange` to a QuickFIX trader, read by tshark's FIX dissector: every message, and no complaint."""

import json
import shutil
import subprocess
import sys
import unittest

import exchange_fixture
import pcap_file
import peers
import relay

FIELDS = ("fix.MsgType", "fix.SenderCompID", "fix.MsgSeqNum", "fix.checksum_good", "fix.checksum_bad", "_ws.malformed",
          "_ws.expert.message")


def dissect(path, port):
    """(fields of every message, complaints) of a capture."""
    command = ["tshark", "-n", "-r", str(path), "-d", f"tcp.port=={port},fix", "-Y", "fix", "-T", "json"]
    for field in FIELDS:
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=peers.DEADLINE_SECONDS)
    if done.returncode != 0:
        raise AssertionError(f"tshark: {done.stderr}")
    messages, complaints = [], []
    for packet in json.loads(done.stdout):
        layers = packet["_source"]["layers"]
        complaints += [f"{name}: {value}" for name in ("_ws.malformed", "_ws.expert.message") for value in layers.get(name, [])]
        complaints += [value for value in layers.get("fix.checksum_bad", []) if value not in ("0", "False")]
        messages += list(zip(layers["fix.SenderCompID"], map(int, layers["fix.MsgSeqNum"])))
    return messages, complaints


class AffixTshark(exchange_fixture.ExchangeTest):
    exchange_arguments = ("--symbol", "MSFT", "--market-data-subscriptions", "2")

    def write_capture(self, said, change=lambda data: data):
        path = self.directory / "said.pcap"
        capture = pcap_file.PcapFile(path, 9876)
        for side, data in said:
            capture.say(side, change(data))
        capture.close()
        return path

    def test_every_message_is_read_without_a_complaint(self):
        line = relay.LossyRelay(self, self.port)
        buyer = self.log_on("BUYER", port=line.port)
        buyer.command("market_data M1 subscribe 5 incremental 012 MSFT")
        buyer.wait_message("delivered", t35="W")
        for number in range(1, 31):
            buyer.command(f"order B{number} MSFT {'buy' if number % 3 else 'sell'} {number} {20 + number % 5}.25 limit")
            buyer.wait_message("delivered", t35="8", t11=f"B{number}")
        buyer.command("cancel C1 B1")
        buyer.wait_message("delivered", t11="C1")
        buyer.command("resend_request 1 0")
        self.echo(buyer, "AFTER")
        self.log_out(buyer)
        said = list(line.passed)
        messages, complaints = dissect(self.write_capture(said), 9876)
        self.assertEqual(complaints, [])
        expected = [peers.FixMessage(data.decode().replace("\x01", "|")) for _, data in said]
        self.assertEqual(sorted(messages), sorted((message.get(49), message.number) for message in expected))
        self.assertGreater(len([sender for sender, _ in messages if sender == "EXCHANGE"]), 60)
        # The same with the checksum's last digit changed, or a check that is never made would pass here too.
        wrong = self.write_capture(said, lambda data: data[:-2] + bytes([48 + (data[-2] - 47) % 10]) + data[-1:])
        _, complaints = dissect(wrong, 9876)
        self.assertGreaterEqual(len(complaints), len(said))


if __name__ == "__main__":
    if not shutil.which("tshark"):
        print("skipped: absent: tshark (apt-get install tshark)")
        sys.exit(peers.EXIT_SKIPPED)
    peers.main({"quickfix_trader": peers.QUICKFIX_TRADER, "affix": peers.AFFIX})
