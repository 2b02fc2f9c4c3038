# SPDX-License-Identifier: MIT
"""fixcore-engine as an acceptor that answers every application message with a copy of its body."""

import asyncio
import os
import sys

from fixcore import application
from fixcore.message.message import Message
from fixcore.session.session_settings import SessionSettings
from fixcore.transport.acceptor import SocketAcceptor

from echo_options import ENGINES_OWN, free_port, parse_options, settings_text

DEFAULT = """SocketAcceptHost=127.0.0.1
UseDataDictionary=Y
DataDictionary={dictionaries}/FIX44.xml
ValidateFieldsOutOfRange=Y
ValidateFieldsHaveValues=Y
ValidateUserDefinedFields=Y
CheckLatency=Y
MaxLatency=120
LogonTimeout=10
LogoutTimeout=5
"""


class Echo(application.Application):
    """Answers in the order of arrival: one task sends everything."""

    def __init__(self):
        self.acceptor = None
        self.answers = asyncio.Queue()

    def from_app(self, message, session_id):
        copy = Message()
        copy.header.set(35, message.msg_type)
        for tag, value in message.body.items():
            if tag not in ENGINES_OWN:
                copy.set_field(tag, value)
        for count_tag, entries in message.groups().items():
            for entry in entries:
                copy.add_group(count_tag, entry)
        self.answers.put_nowait((session_id, copy))

    async def send_answers(self):
        while True:
            session_id, message = await self.answers.get()
            try:
                await self.acceptor.sessions[session_id].send_app(message)
            except RuntimeError:
                pass  # It has logged out meanwhile.


async def main():
    options = parse_options()
    port = free_port()
    settings = SessionSettings.from_string(settings_text(options, DEFAULT.format(dictionaries=options.dictionaries), port))
    echo = Echo()
    echo.acceptor = SocketAcceptor(settings, echo)
    async with echo.acceptor:
        sending = asyncio.create_task(echo.send_answers())
        print(f"listening on 127.0.0.1:{port}", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        sending.cancel()
        # Without Logouts that nobody asked for.
        os._exit(0)


asyncio.run(main())
