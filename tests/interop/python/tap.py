# SPDX-License-Identifier: MIT
"""A way through for the connections of an engine, on the engine's own loop, that shows every message as it was on the line."""

import asyncio
import contextlib
from collections.abc import Callable

import affix

Show = Callable[[str, affix.Message], None]


class Tap:
    """Listens on a loopback port and connects every caller to `target`. `show` has "in" or "out", as the engine sees it."""

    def __init__(self, show: Show, engine_calls: bool) -> None:
        self.target = 0
        self._show = show
        self._caller_sends = "out" if engine_calls else "in"
        self._target_sends = "in" if engine_calls else "out"

    async def listen(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            target_reader, target_writer = await asyncio.open_connection("127.0.0.1", self.target)
            ways = [asyncio.ensure_future(way) for way in (
                self._forward(self._caller_sends, reader, target_writer),
                self._forward(self._target_sends, target_reader, writer))]
            # One side has gone, and so shall the other, when it has what was sent before.
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for each in (writer, target_writer):
                each.close()
            await asyncio.gather(*ways, return_exceptions=True)
        writer.close()

    async def _forward(self, direction: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        receiver = affix.Receiver()
        while data := await reader.read(65536):
            receiver.feed(data)
            for message in receiver:
                self._show(direction, message)
            writer.write(data)
            await writer.drain()
