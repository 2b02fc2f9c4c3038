# SPDX-License-Identifier: MIT
"""The program of the package's page trades with the project's own exchange, where that is built."""

import asyncio
import os
import queue
import re
import shutil
import subprocess
import threading
from decimal import Decimal
from pathlib import Path

import pytest
from pages_test import PAGES, PROGRAM
from patience import patience

import affix

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = patience(60)


def runs_here(program):
    """A tree may hold builds for other processors too."""
    try:
        return subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def exchange_program():
    """$AFFIX_LAB, one of this tree's builds, or an installed one."""
    named = os.environ.get("AFFIX_LAB")
    if named:
        return named
    built = sorted(ROOT.glob("build/*/bin/affix-lab"), key=lambda path: path.stat().st_mtime, reverse=True)
    return next((str(program) for program in built if runs_here(program)), shutil.which("affix-lab"))


def listening_port(process):
    """From the exchange's log, which goes on being read."""
    ports = queue.Queue()

    def read():
        for line in process.stdout:
            match = re.search(r"127\.0\.0\.1:(\d+)", line)
            if match:
                ports.put(match[1])

    threading.Thread(target=read, daemon=True).start()
    return ports.get(timeout=PATIENCE)


CONFIGURATION = """[EXCHANGE]
accept_port=0
nic_address=127.0.0.1
""" + "".join(f"[{name}]\nbegin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id={name}\ndurability=memory\n"
              for name in ("TRADER", "SELLER"))


async def sell_to(program, port):
    """Offers what the program buys, and returns the report of the trade."""
    async with affix.Initiator(primary_address="127.0.0.1", primary_port=port, begin_string="FIX.4.4",
                               sender_comp_id="SELLER", target_comp_id="VENUE", durability="memory") as session:
        await session.logon()
        await session.send("D", {11: "offer", 55: "ACME", 54: "2", 38: 100, 40: "2", 44: "108.25"})
        running = None
        async for report in session:
            if running is None:
                assert report[39] == "0"
                running = asyncio.ensure_future(asyncio.to_thread(program))  # It has a loop of its own.
            elif report[39] == "2":
                await running
                return report.copy()


def test_the_first_program_trades_with_the_exchange(tmp_path, monkeypatch, capsys):
    exchange_path = exchange_program()
    if exchange_path is None:
        pytest.skip("affix-lab is not built; AFFIX_LAB may name it")
    page = PAGES[0]
    if not page.exists():
        pytest.skip("the sources of the package have no such page")
    (tmp_path / "exchange.cfg").write_text(CONFIGURATION)
    exchange = subprocess.Popen([exchange_path, "exchange", "--config", "exchange.cfg"], cwd=tmp_path,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        port = listening_port(exchange)
        monkeypatch.chdir(tmp_path)  # The journal goes beside the program.
        program = compile(PROGRAM.findall(page.read_text())[0].replace("9000", port), str(page), "exec")
        report = asyncio.run(asyncio.wait_for(sell_to(lambda: exec(program, {}), int(port)), PATIENCE))
    finally:
        exchange.kill()
        exchange.wait()
    assert (report[11], report.decimal(32), report.decimal(31)) == ("offer", 100, Decimal("108.25"))
    assert capsys.readouterr().out == "order-1 0 108.25\n"
