# SPDX-License-Identifier: MIT
"""The affix programs under test: their configuration, their processes, their journals."""

import re
import subprocess
from collections import namedtuple

import peers

Record = namedtuple("Record", "kind message")
RECORD_LINE = re.compile(r"\S+ \S+ \S+ (OUT|IN|HLD) +\d+ (?:unprocessed |queued )*(8=.*)")

# Keys of a `[SESSION]` group beyond names and journal, by FIX version. Our side validates as QuickFIX does.
VERSION_KEYS = {
    "FIX.4.2": f"dictionary={peers.DICTIONARIES}/FIX42.xml\n",
    "FIX.4.4": f"dictionary={peers.DICTIONARIES}/FIX44.xml\n",
    "FIXT.1.1": f"default_app_ver_id=9\ntransport_dictionary={peers.DICTIONARIES}/FIXT11.xml\n"
                f"dictionary={peers.DICTIONARIES}/FIX50SP2.xml\n",
}


def session_group(name, sender, target, journal, keys=""):
    return (f"[{name}]\nbegin_string={peers.BEGIN_STRING}\nsender_comp_id={sender}\ntarget_comp_id={target}\n"
            f"journal_path={journal}\n" + VERSION_KEYS.get(peers.BEGIN_STRING, "") + keys)


def write_exchange_config(path, journal, targets, port=0, keys=""):
    """An acceptor on loopback with one session per target. Port 0: the kernel chooses. `keys` are lines for each session."""
    text = f"[ENGINE]\nlog_level=INFO\n[EXCHANGE]\naccept_port={port}\nnic_address=127.0.0.1\n"
    for target in targets:
        text += session_group(f"SESSION_{target}", "EXCHANGE", target, journal, keys)
    path.write_text(text)


def write_trade_config(path, journal, port, senders, keys=""):
    """An initiator to loopback with one session per sender, reconnecting quickly. `keys` are lines for each session."""
    text = ("[ENGINE]\nlog_level=INFO\n[CLIENT]\nprimary_address=127.0.0.1\n"
            f"primary_port={port}\nreconnect_milliseconds=100\nreconnect_milliseconds_max=500\n")
    for sender in senders:
        text += session_group(f"SESSION_{sender}", sender, "EXCHANGE", journal, keys)
    path.write_text(text)


def open_exchange(test, config, *arguments):
    """`affix-lab exchange`, ending with `test`, and the port it listens on."""
    exchange = test.owned(peers.LineProcess([peers.AFFIX_LAB, "exchange", "--config", str(config), *arguments],
                                            "affix-lab exchange"))
    return exchange, peers.listening_port(exchange)


def open_trade(test, config, *arguments):
    """`affix-lab trade`, ending with `test`."""
    return test.owned(peers.LineProcess([peers.AFFIX_LAB, "trade", "--config", str(config), *map(str, arguments)],
                                        "affix-lab trade"))


def read_journal(directory):
    """Every message that `affix log` shows of a journal directory, in order."""
    done = subprocess.run([peers.AFFIX, "log", "--heartbeats", str(directory)], capture_output=True, text=True, check=False,
                          timeout=peers.DEADLINE_SECONDS)
    if done.returncode != 0:
        raise AssertionError(f"affix log {directory}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    lines = (RECORD_LINE.fullmatch(line) for line in done.stdout.splitlines())
    return [Record(line.group(1), peers.FixMessage(line.group(2))) for line in lines if line]


def assert_records_agree(test, peer, session, journal, all_arrived=True, may_lose=False):
    """The messages that a peer has seen of one session are those of our journal. `all_arrived` is False
    for peers that keep no messages: what the network lost of theirs is lost. `may_lose`: our journal may have lost messages
    whose numbers nothing else has."""
    records = read_journal(journal)
    test.assertTrue(records, f"no messages in {journal}")
    seen, sent = peer.messages("in", session), peer.messages("out", session)
    stored = {record.message.text: record.message.number for record in records if record.kind == "OUT"}
    used = set(stored.values())
    unknown = [message for message in seen if not message.is_possible_duplicate() and message.text not in stored
               and (message.number in used or not may_lose)]
    test.assertEqual(unknown, [], "the peer has seen messages that are not in our journal")
    arrived = {(message.number, tuple(message.content())) for message in seen}
    lost = [record.message for record in records if record.kind == "OUT" and record.message.type not in "0A12345"
            and (record.message.number, tuple(record.message.content())) not in arrived]
    test.assertEqual(lost, [], "our journal has messages that never reached the peer")
    texts = {message.text for message in sent}
    made_up = [record.message for record in records if record.kind != "OUT" and record.message.text not in texts]
    test.assertEqual(made_up, [], "our journal has messages that the peer never sent")
    received = {(record.message.number, tuple(record.message.content())) for record in records if record.kind == "IN"}
    lost = [message for message in sent if message.type not in "0A12345"
            and (message.number, tuple(message.content())) not in received]
    test.assertEqual(lost if all_arrived else [], [], "messages of the peer are not in our journal")
