#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pictures of the monitor's page that the documentation shows: make_pictures.py AFFIX DIRECTORY. What is traded is
always the same; only times differ. Needs what the tests of the page need, and pngquant to make the files small."""

import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import browser
from monitored_exchange import MonitoredExchange

TRADERS = ("ALICE", "BOB", "CAROL", "DAVE", "ERIN", "FRANK")
ABSENT = ("GRACE", "HEIDI")
SYMBOLS = ("AAPL", "IBM", "MSFT", "NOKIA.HE")
SECONDS_OF_TRADING = 100  # So that charts have something to show.
ORDERS_A_SECOND = 60


class Flow(threading.Thread):
    """Orders of a few traders until it is stopped: most rest or are filled."""

    def __init__(self, venue):
        super().__init__()
        self.dice = random.Random(8)
        self.traders = {name: venue.trader(name) for name in TRADERS[2:]}
        self.ending = threading.Event()

    def run(self):
        number = 0
        while not self.ending.wait(self.dice.expovariate(ORDERS_A_SECOND)):  # A pace, for the charts' sake.
            number += 1
            name = self.dice.choice(list(self.traders))
            side = self.dice.choice((1, 2))
            price = f"{100 + self.dice.randint(-6, 6) / 4 + (2 if side == 2 else -2):.2f}"
            self.traders[name].limit(f"{name}-{number}", self.dice.choice(SYMBOLS), side, 100 * self.dice.randint(1, 9), price)

    def end(self):
        self.ending.set()
        self.join()


def trade(venue):
    """One order's life to look at, and some that are refused."""
    alice, bob = venue.trader("ALICE"), venue.trader("BOB")
    terms = {"symbol": "TEVA", "price": "17.25"}
    alice.limit("ALICE-A", quantity=500, **terms)
    time.sleep(0.4)
    alice.replace("ALICE-B", "ALICE-A", quantity=700, **terms)
    bob.limit("BOB-A", side=2, quantity=300, **terms)
    time.sleep(0.3)
    bob.limit("BOB-B", side=2, quantity=400, **terms)
    for trader, order in ((bob, ("BOB-C", "GOOG", 1, 200, "171.50")), (bob, ("BOB-D", "IBM", 2, 100, "0")),
                          (alice, ("ALICE-C", "AAPL", 1, 0, "99.75")), (alice, ("ALICE-D", "TSLA", 2, 300, "240.10"))):
        trader.limit(*order)
        time.sleep(0.2)
    bob.cancel("BOB-E", "BOB-0", answer="9")


def shoot(chromium, address, path, ready, size=(1280, 720), scheme="light"):
    chromium.resize(*size)
    chromium.prefer(scheme)
    if address:
        chromium.open(address)
    chromium.until(f"a picture for {path.name}", ready)
    chromium.run("return document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 1500)))")  # Two readings.
    chromium.driver.save_screenshot(str(path))
    subprocess.run(["pngquant", "--force", "--strip", "--speed", "1", "--output", path, "64", path], check=True)
    print(f"{path} {path.stat().st_size} bytes")


def make(affix, directory):
    venue = MonitoredExchange(affix, [*TRADERS, *ABSENT])
    chromium = flow = None
    try:
        venue.start_exchange(*SYMBOLS, "TEVA")
        venue.start_monitor()
        flow = Flow(venue)
        flow.start()
        time.sleep(SECONDS_OF_TRADING)
        trade(venue)
        chromium = browser.Browser()
        at = venue.address + "/#/"
        rejects = f"{at}messages?problems=1"
        shoot(chromium, f"{at}sessions", directory / "monitor-sessions.png", lambda: len(chromium.all(".latest a")) == 5)
        chromium.open(f"{at}session/CAROL")
        chromium.click(".choice button", "5 min")
        shoot(chromium, None, directory / "monitor-session.png",
              lambda: chromium.run("return document.querySelectorAll('.chart path').length") >= 8)
        chromium.open(rejects)
        chromium.click("tr", "TSLA")
        chromium.until("the message", lambda: chromium.all(".pane .fields"))
        shoot(chromium, chromium.driver.current_url, directory / "monitor-rejected.png", lambda: chromium.all(".pane .fields"))
        shoot(chromium, f"{at}order/ALICE-A", directory / "monitor-order.png",
              lambda: "everything searched" in chromium.text(".progress"), size=(1280, 580))
        shoot(chromium, f"{at}messages?type=D,8,G,F,9", directory / "monitor-dark.png", lambda: "100 found" in chromium.text(".progress"),
              scheme="dark")
        shoot(chromium, f"{at}sessions", directory / "monitor-phone.png", lambda: len(chromium.all(".latest a")) == 5, size=(360, 740))
    finally:
        if flow:
            flow.end()
        if chromium:
            chromium.close()
        venue.close()


if __name__ == "__main__":
    lacking = browser.missing() + ([] if shutil.which("pngquant") else ["pngquant"])
    if lacking:
        raise SystemExit(f"not installed: {', '.join(lacking)}")
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    make(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
