# SPDX-License-Identifier: MIT
"""Runs the programs of the package's page and of the tutorial, against a venue at a port of the kernel's choice."""

import asyncio
import re
import threading
from pathlib import Path

import pytest
from patience import patience

import affix

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "python" / "affix" / "README.md", ROOT / "docs" / "guide" / "python.md"]
PROGRAM = re.compile(r"^<!-- as in \S+pages_test.py -->\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Venue(threading.Thread):
    """An acceptor in a loop of its own thread, which fills every order."""

    def __init__(self):
        super().__init__()
        self.ready = threading.Event()
        self.port = 0

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        self.loop = asyncio.get_running_loop()
        self.stop = asyncio.Event()
        async with affix.Acceptor(nic_address="127.0.0.1", accept_port=0, begin_string="FIX.4.4", sender_comp_id="VENUE",
                                  target_comp_id="TRADER", durability="memory") as acceptor:
            self.port = acceptor.port
            self.ready.set()
            filling = asyncio.create_task(self.fill(acceptor))
            await self.stop.wait()
            filling.cancel()

    async def fill(self, acceptor):
        async for order in acceptor:
            await order.session.send("8", {37: "V", 11: order[11], 17: "E", 150: "F", 39: "2", 31: order[44],
                                           44: order[44]})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_its_programs_run(page, tmp_path, monkeypatch, capsys):
    if not page.exists():
        pytest.skip("the sources of the package have no such page")
    monkeypatch.chdir(tmp_path)  # Journals go beside the program.
    venue = Venue()
    venue.start()
    assert venue.ready.wait(patience(30))
    names = {"affix": affix, "data": affix.encode("D", {11: "x", 55: "EUR/USD", 44: "1.0825"})}
    try:
        programs = PROGRAM.findall(page.read_text())
        assert len(programs) >= 2
        for program in programs:
            exec(compile(program.replace("9000", str(venue.port)), str(page), "exec"), names)
    finally:
        venue.loop.call_soon_threadsafe(venue.stop.set)
        venue.join(patience(30))
    assert re.search(r"\b(1\.0825|108\.25)\b", capsys.readouterr().out)
