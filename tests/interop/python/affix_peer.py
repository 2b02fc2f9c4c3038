# SPDX-License-Identifier: MIT
"""A peer of the interoperability tests made of the Python package: an initiator that sends orders, an acceptor that fills
them. Commands come from standard input, events go to standard output, as of the peers of other engines.

    python affix_peer.py initiator --sender TRADER --target EXCHANGE --port 9000 --directory DIR --dictionaries DIR
    python affix_peer.py acceptor --sender EXCHANGE --target TRADER --directory DIR --dictionaries DIR
"""

import argparse
import asyncio
import os
import sys
from typing import Any

import affix
from exchange_orders import FILL_MODES, ExchangeOrders
from order_requests import OrderRequests
from tap import Tap

DICTIONARIES = {
    "FIX.4.2": "dictionary={0}/FIX42.xml\n",
    "FIX.4.4": "dictionary={0}/FIX44.xml\n",
    "FIXT.1.1": "default_app_ver_id=9\ntransport_dictionary={0}/FIXT11.xml\ndictionary={0}/FIX50SP2.xml\n",
}


def show(kind: str, *rest: object) -> None:
    print(kind, *rest, flush=True)


class Peer:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.is_initiator = options.role == "initiator"
        self.tap = Tap(self.show_line, engine_calls=self.is_initiator)
        self.engine: affix.Engine | None = None
        self.target: str = options.target[0]
        self.requests = OrderRequests()
        self.orders = {target: ExchangeOrders(options.begin_string) for target in options.target}
        self.asked: asyncio.Queue[str] = asyncio.Queue()
        self.journalled = 0

    @property
    def session(self) -> affix.Session:
        if self.engine is None:
            raise ValueError("no session before the first logon")
        return self.engine[self.target]

    def configuration(self, port: int) -> str:
        options = self.options
        if self.is_initiator:
            group = (f"type=client\nprimary_address=127.0.0.1\nprimary_port={port}\nreconnect_milliseconds=200\n"
                     "reconnect_milliseconds_max=1000\n")
        else:
            group = "type=server\nnic_address=127.0.0.1\naccept_port=0\n"
        keys = (f"begin_string={options.begin_string}\nsender_comp_id={options.sender}\njournal_path={options.directory}\n"
                f"heartbeat_interval_seconds={options.heartbeat_seconds}\n"
                + DICTIONARIES[options.begin_string].format(options.dictionaries)
                + ("logon_reset_sequence_numbers=true\n" if options.reset_on_logon == "Y" else "send_while_disconnected=QUEUE\n"))
        if options.tls:
            group += "tls=ON\ntls_ca_file={0}/ca.pem\ntls_certificate_file={0}/own.pem\ntls_key_file={0}/own.key\n".format(
                options.tls)
            keys += f"tls_peer=cn:{options.target[0]}\n"
        return f"[GROUP]\n{group}" + "".join(f"[{target}]\ntarget_comp_id={target}\n{keys}" for target in options.target)

    async def open(self, port: int = 0) -> None:
        self.engine = affix.Engine(text=self.configuration(port), on_message=self.deliver, on_event=self.show_event,
                                   on_logon=lambda session: self.show_event_of("logon", session),
                                   on_logout=lambda session, reason: self.show_event_of("logout", session))
        await self.engine.__aenter__()

    async def listen(self, target: int) -> int:
        """A port that leads to `target`: through the tap, which can read what is not encrypted."""
        self.tap.target = target
        return target if self.options.tls else await self.tap.listen()

    # --- Events ---

    def show_line(self, direction: str, message: affix.Message) -> None:
        show(direction, message[49 if direction == "in" else 56], message)
        if direction == "out" and message.type == "1":
            self.asked.put_nowait(message[112])

    def show_journal(self) -> None:
        """What the line would show, if nobody could read it."""
        if self.options.tls:
            entries = [entry for entry in affix.decode_log(self.options.directory) if entry.message is not None]
            for entry in entries[self.journalled:]:
                assert entry.direction is not None and entry.message is not None
                self.show_line(entry.direction, entry.message)
            self.journalled = len(entries)

    def show_event_of(self, kind: str, session: affix.Session, *rest: object) -> None:
        self.show_journal()
        show(kind, session.name, *rest)

    def show_event(self, severity: str, session: str, text: str, code: str) -> None:
        show("event", session or "-", text)

    def deliver(self, message: affix.Message) -> None:
        session = message.session
        self.show_event_of("delivered", session, message)
        if not self.is_initiator:
            for type, fields in self.orders[session.name].answer(message):
                session.send_nowait(type, fields)

    # --- Commands ---

    async def run(self, words: list[str]) -> None:
        match words:
            case ["logon"] if self.engine is None:
                await self.open(await self.listen(self.options.port))
            case ["logon"]:
                self.session.connect()
            case ["logout"]:
                await self.session.logout()
            case ["drop"]:
                self.session.disconnect()
                await self.session.logout()
            case ["set_next_sender_seq", number]:
                self.session.set_next_sender_seq(int(number))
            case ["set_next_target_seq", number]:
                self.session.set_next_target_seq(int(number))
            case ["numbers"]:
                show("numbers", self.target,
                     f"sender={self.session.next_sender_seq} target={self.session.next_target_seq}")
            case ["test_request", _]:
                # The session chooses the text, and the test is told which.
                self.asked = asyncio.Queue()
                self.session.test_peer()
                show("test_request", await self.asked.get())
            case ["resend_request", begin, _]:
                # Asks for received messages again once the peer's answer is ahead of the expected number.
                self.session.set_next_target_seq(int(begin))
                self.session.test_peer()
            case ["send", text]:
                (_, type), *fields = (field.split("=", 1) for field in text.rstrip("|").split("|"))
                self.session.send_nowait(type, [(int(tag), value) for tag, value in fields])
            case ["session", target]:
                self.target = target
            case ["fill", mode] if mode in FILL_MODES:
                self.orders[self.target].fill_mode = mode
                show("fill", mode)
            case ["execute", name, quantity]:
                self.session.send_nowait(*self.orders[self.target].execute(name, int(quantity)))
            case _:
                request = self.requests.make(words)
                if request is None:
                    raise ValueError("unknown command")
                self.session.send_nowait(*request)


async def lines() -> Any:
    """Standard input, as it comes."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line.decode().strip()


async def serve(options: argparse.Namespace) -> None:
    peer = Peer(options)
    if peer.is_initiator:
        show("ready")
    else:
        await peer.open()
        assert peer.engine is not None
        show("listening", f"on 127.0.0.1:{await peer.listen(peer.engine.port)}")
    async for line in lines():
        if line == "quit":
            break
        try:
            await peer.run(line.split())
        except Exception as fault:
            show("error", f"{line}: {fault!r}")
    show("done")
    sys.stdout.flush()
    # As the other peers: a test that ends has no use for a Logout.
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("role", choices=("initiator", "acceptor"))
    parser.add_argument("--begin_string", choices=tuple(DICTIONARIES), default="FIX.4.4")
    parser.add_argument("--sender", required=True)
    parser.add_argument("--target", action="append", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--directory", required=True)
    parser.add_argument("--dictionaries", required=True)
    parser.add_argument("--heartbeat_seconds", type=int, default=30)
    parser.add_argument("--tls", help="a directory with ca.pem, own.pem and own.key")
    parser.add_argument("--reset_on_logon", choices=("Y", "N"), default="N")
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
