#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The monitor's page as an operator has it: in a real Chromium, of a real `affix-monitor`, beside an exchange that trades.
What it shows is held against `affix log`, which reads the same journals."""

import json
import re
import signal
import sys
import unittest
import urllib.request
from pathlib import Path
from urllib.parse import quote

import browser
from monitored_exchange import MARKUP, OPERATE_TOKEN, READ_TOKEN, ROOT, MonitoredExchange

PAGE = ROOT / "tools/affix_monitor/page"
WIDE = (1360, 800)
PHONE = (360, 740)
VIEWS = ("sessions", "session/DESK", "messages", "order", "order/D-2", "alerts", "workers")
MANY_ORDERS = 120  # With their reports more than one page of found messages.

AFFIX = None  # The program, set by the script.
chromium = None  # One browser for all tests; each starts from an empty page.


def setUpModule():
    global chromium
    chromium = browser.Browser(*WIDE)


def tearDownModule():
    chromium.close()


class PageTest(unittest.TestCase):
    """Each test ends with a look at the console and at what was asked for from whom."""

    venue = None
    allowed_errors = ()  # Patterns of console errors that are part of the test.

    def setUp(self):
        chromium.resize(*WIDE)
        chromium.prefer("light")
        chromium.driver.get(self.venue.address + "/icon.svg")
        chromium.run("localStorage.clear()")
        chromium.errors()
        chromium.requested()

    def tearDown(self):
        errors = [error for error in chromium.errors() if not any(re.search(one, error) for one in self.allowed_errors)]
        self.assertEqual(errors, [])
        foreign = [url for url in chromium.requested() if not url.startswith((self.venue.address + "/", "data:", "about:"))]
        self.assertEqual(foreign, [], "only the monitor itself is asked for anything")
        self.assertFalse(chromium.run("return Boolean(window.hacked)"), "no text of a message was run")

    def open(self, address=""):
        chromium.open(f"{self.venue.address}/{address and '#/' + address}")
        chromium.until("the engine's state", lambda: chromium.text("#engine-state"))

    def rows(self, table="table.rows"):
        """The rows of a table, as texts by the class of their cells."""
        return chromium.run(
            "return [...document.querySelectorAll(arguments[0] + ' tbody tr:not(.spacer)')].map((row) => Object.fromEntries("
            "[...row.cells].map((cell, i) => [cell.className.split(' ').filter((name) => !['number', 'wide', 'wider', 'widest', 'out', 'in'].includes(name))[0]"
            " || row.closest('table').tHead.rows[0].cells[i].innerText.trim(), cell.innerText.trim()])))", table)

    def found(self, count):
        chromium.until(f"{count} messages found",
                       lambda: chromium.text(".progress").startswith(f"{count} found, everything searched"))
        return self.rows()

    def facts(self, panel="dl.facts"):
        return chromium.run("return Object.fromEntries([...document.querySelectorAll(arguments[0] + ' > div')].map((one) => "
                            "[one.querySelector('dt').innerText, one.querySelector('dd').innerText]))", panel)


class Trading(PageTest):
    """An exchange on which two traders have traded, and were refused."""

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, ["DESK", "FLOOD", "IDLE", "LATE", "MAKER", "SPARE"])
        cls.addClassCleanup(cls.venue.close)
        cls.venue.start_exchange("IBM", "MSFT")
        cls.venue.start_monitor("--operate", "--admin", cls.venue.admin, "--alert-session-down", "1")
        desk, maker, flood = (cls.venue.trader(name) for name in ("DESK", "MAKER", "FLOOD"))
        desk.limit("D-1")
        desk.replace("D-2", "D-1")
        maker.limit("M-1", side=2, quantity=60)
        maker.limit("M-2", side=2, quantity=90)
        for _ in range(2):
            desk.wait("8")
        desk.limit("D-3", symbol="NOPE")
        desk.limit("<b>D-4</b>", symbol="MSFT", more=[(58, MARKUP)])
        desk.limit("D-5", symbol=MARKUP)
        desk.cancel("D-6", "D-0", answer="9")
        for number in range(MANY_ORDERS):
            flood.limit(f"F-{number}", symbol="MSFT", price="1.25")
        cls.desk = desk

    def log(self, *options):
        return self.venue.log(*options)

    def said(self, name):
        """Every message of a session, the oldest first."""
        return [entry for entry in self.log("--heartbeats", "--session", name) if entry["kind"] == "message"]

    # --- what is shown is what the journals say ---

    def test_the_table_of_sessions_agrees_with_the_journals(self):
        self.open()
        rows = chromium.until("six sessions", lambda: len(self.rows()) == 6 and {row["session"]: row for row in self.rows()})
        for name in ("DESK", "MAKER", "FLOOD"):
            said = self.said(name)
            nexts = {way: 1 + max(entry["sequence"] for entry in said if entry["direction"] == way) for way in ("in", "out")}
            self.assertEqual((rows[name]["Next in"], rows[name]["Next out"]), (f"{nexts['in']}", f"{nexts['out']}"))
            self.assertIn("logged on", rows[name]["state-cell"])
            self.assertEqual(rows[name]["Role"], "acceptor")
        chromium.until("the idle one is down", lambda: "disconnected" in {row["session"]: row for row in self.rows()}["SPARE"]["state-cell"])
        chromium.until("how many are up", lambda: chromium.text(".tile strong") == "3 / 6")

    def test_a_session_shows_every_counter_and_its_charts(self):
        self.open("session/DESK")
        said = self.said("DESK")
        counters = chromium.until("counters", lambda: self.facts(".counters .facts").get("messages received", "\u2013") != "\u2013"
                                  and self.facts(".counters .facts"))
        self.assertEqual(counters["messages received"], str(sum(entry["direction"] == "in" for entry in said)))
        self.assertEqual(counters["messages sent"], str(sum(entry["direction"] == "out" for entry in said)))
        state = chromium.run("return fetch('/api/state').then((answer) => answer.json())")
        names = next(one["counters"] for one in state["sessions"] if one["name"] == "DESK")
        elsewhere = {"state", "state_since", "next_outgoing", "next_expected", "last_received", "last_sent", "sending_stopped",
                     "connected_since", "last_logon", "last_disconnect", "disabled_since"}
        self.assertEqual(set(counters), {name.replace("_", " ") for name in names if name not in elsewhere})
        rows = chromium.until("latest messages", lambda: self.rows(".latest-messages table"))
        self.assertEqual([row["name"] for row in rows[:5]], [entry["name"] for entry in said[:-6:-1]])

    def test_charts_have_axes_and_show_values_at_the_pointer_and_by_keys(self):
        self.open("session/DESK")
        chromium.until("axes", lambda: len(chromium.texts(".chart .axis text")) > 0)
        chromium.until("lines", lambda: chromium.run(
            "return [...document.querySelectorAll('.pair .chart path')].some((path) => path.getAttribute('d').length > 20)"))
        times = chromium.run("return [...document.querySelectorAll('.pair .chart .times text')].map((one) => one.textContent)")
        self.assertTrue(times and all(re.fullmatch(r"\d\d:\d\d(:\d\d)?", one) for one in times), times)
        values = chromium.run("return [...document.querySelectorAll('.pair .chart')][0].querySelectorAll('.axis:not(.times) text')"
                              "[1].textContent")
        self.assertRegex(values, r"^[\d.,]+/s$")
        chart = chromium.all(".pair .chart")[0]
        chromium.run("arguments[0].focus()", chart)
        chart.send_keys("\ue012")  # The left arrow.
        moment = "document.querySelector('.pair .moment').textContent"
        chromium.until("a time at the cursor", lambda: re.fullmatch(r"\d\d:\d\d:\d\d", chromium.run(f"return {moment}")))
        self.assertEqual(chromium.run("return document.querySelectorAll('.pair .cursor').length"), 1)
        self.assertIn("received", chart.get_attribute("aria-label"))

    def test_workers_and_disks_are_shown(self):
        self.open("workers")
        facts = chromium.until("the process", lambda: self.facts().get("Process", "\u2013") != "\u2013" and self.facts())
        self.assertEqual(facts["Process"], str(self.venue.exchange.pid))
        self.assertEqual(facts["Configuration"], self.venue.config)
        tables = chromium.texts("table.plain")
        self.assertRegex(tables[0], r"\d %")
        self.assertIn(self.venue.directory, tables[-1])

    # --- finding things ---

    def test_why_an_order_was_rejected_is_found_in_three_clicks(self):
        self.open()
        chromium.click(".latest a", "D-3")
        chromium.until("the reason", lambda: "Symbol is not traded here" in chromium.text(".pane .why"))
        chromium.click(".pane .button", "The message it rejects")
        chromium.until("what the order said", lambda: chromium.text(".pane h2") == "NewOrderSingle"
                       and "NOPE" in chromium.text(".pane table.fields"))
        self.assertIn("Symbol is not traded here", chromium.text(".pane .why"))
        chromium.click(".pane .button", "life")
        chromium.until("the order's life", lambda: "D-3" in chromium.text("h1") and len(chromium.all(".life li:not(.lanes)")) == 2)
        self.assertIn("Symbol is not traded here", chromium.text(".life"))

    def test_searches_find_the_same_as_the_log(self):
        for address, options in (
                ("clordid=D-2", ("--where", "11=D-2")),
                ("symbol=MSFT&session=DESK", ("--where", "55=MSFT", "--session", "DESK")),
                ("type=G", ("--type", "G")),
                ("type=OrderCancelReject", ("--type", "9")),
                ("tag=44%3D101.5&direction=in", ("--where", "44=101.5", "--direction", "in")),
                ("tag=39%3DRejected", ("--where", "39=Rejected")),
                ("text=D-3", ("--grep", "D-3"))):
            with self.subTest(address):
                self.open(f"messages?{address}")
                wanted = [entry for entry in self.log(*options) if entry["kind"] == "message"]
                self.assertGreater(len(wanted), 0)
                rows = self.found(len(wanted))
                self.assertEqual([row["name"] for row in rows], [entry["name"] for entry in reversed(wanted)][:len(rows)])

    def test_a_search_is_typed_into_the_form_and_stands_in_the_address(self):
        self.open("messages")
        chromium.type("input[name=clordid]", "D-2")
        chromium.until("the address", lambda: "clordid=D-2" in chromium.driver.current_url)
        wanted = [entry for entry in self.log("--where", "11=D-2")]
        self.found(len(wanted))
        chromium.click("input[name=problems]")
        self.found(0)
        self.assertIn("No message was found", chromium.text(".scroller"))
        chromium.click("button", "Clear")
        chromium.until("all messages", lambda: chromium.text(".progress").startswith("100 found, searched back to"))

    def test_a_search_goes_on_where_it_stopped(self):
        self.open("messages?session=FLOOD")
        chromium.until("a page", lambda: re.match(r"100 found, searched back to \d\d:\d\d:\d\d", chromium.text(".progress")))
        for _ in range(4):
            if "everything" in chromium.text(".progress"):
                break
            before = chromium.text(".progress")
            chromium.click(".bar button", "Search further back")
            chromium.until("more", lambda before=before: chromium.text(".progress") != before and not chromium.seen(".bar button:first-of-type"))
        wanted = [entry for entry in self.log("--session", "FLOOD") if entry["kind"] == "message"]
        self.found(len(wanted))

    def test_a_wrong_search_names_its_fault(self):
        self.allowed_errors = (r"/api/messages\?.* 400 ",)
        self.open("messages?from=yesterday")
        chromium.until("the refusal", lambda: "bad" in chromium.run("return document.querySelector('.progress').className"))
        self.assertNotIn("found", chromium.text(".progress"))

    def test_a_message_has_all_its_fields_and_its_bytes(self):
        self.open("messages?type=8&clordid=D-3")
        chromium.click("td.time a")
        entry = next(one for one in self.log("--where", "11=D-3", "--type", "8"))
        chromium.until("fields", lambda: chromium.all(".pane table.fields td.tag"))
        shown = chromium.run("return [...document.querySelectorAll('.pane table.fields tr:has(td.tag)')].map((row) => [...row.cells].map("
                             "(cell) => cell.textContent))")
        wanted = [[str(one["tag"]), one["name"], one["value"]] for one in entry["fields"]]
        self.assertEqual([row[:3] for row in shown], wanted)
        self.assertIn(["39", "OrdStatus", "8"], [row[:3] for row in shown])
        self.assertEqual(chromium.text(".pane .raw").replace("\n", ""), "".join(f"{one['tag']}={one['value']}|" for one in entry["fields"]))
        chromium.all("body")[0].send_keys("\ue00c")  # Escape.
        chromium.until("the pane to close", lambda: not chromium.seen(".pane"))

    def test_an_order_is_followed_over_replacement_and_fills(self):
        self.open("order/D-1")
        steps = chromium.until("all steps", lambda: "everything searched" in chromium.text(".progress")
                               and chromium.texts(".life li:not(.lanes)"))
        wanted = self.log("--order", "D-1")
        self.assertEqual(len(steps), len([entry for entry in wanted if entry["kind"] == "message"]))
        facts = self.facts()
        self.assertEqual(set(facts["Names"].split(", ")), {"D-1", "D-2"})
        self.assertEqual((facts["Filled"], facts["Average price"]), ("150", "101.50"))
        self.assertIn("filled", chromium.text(".title .state"))
        self.assertIn("D-1 \u21d2 D-2", "\n".join(steps))
        self.assertRegex("\n".join(steps), r"answers (after [\d.]+ [n\u00b5m]?s|in the same turn)")

    def test_a_new_message_comes_by_itself_when_followed(self):
        self.open("messages?session=DESK&clordid=D-7")
        self.found(0)
        chromium.click(".bar input[type=checkbox]")
        self.desk.limit("D-7", symbol="IBM", price="1.5")
        rows = chromium.until("the order and its report", lambda: len(self.rows()) == 2 and self.rows())
        self.assertEqual([row["name"] for row in rows], ["ExecutionReport", "NewOrderSingle"])

    # --- nothing in a message is more than text ---

    def test_markup_in_messages_is_text(self):
        self.allowed_errors = (r"/api/\w+\?session=%3Cscript.* 404 ",)  # Of the session that nobody has.
        for address in ("", "messages?text=hacked", "messages?problems=1", f"order/{quote('<b>D-4</b>', safe='')}", f"session/{quote(MARKUP, safe='')}",
                        f"messages?symbol={quote(MARKUP, safe='')}"):
            with self.subTest(address):
                self.open(address)
                chromium.until("text that looks like markup", lambda: re.search(r"<(script|img|b)\b", chromium.text("main"))
                               or MARKUP in chromium.run("return document.querySelector('input[name=symbol]')?.value ?? ''"))
                self.assertEqual(chromium.run("return document.querySelectorAll('main script, main img, main b').length"), 0)
                self.assertFalse(chromium.run("return Boolean(window.hacked)"))

    def test_markup_in_text_is_shown_letter_by_letter(self):
        self.open(f"messages?clordid={quote('<b>D-4</b>', safe='')}&type=D")
        self.found(1)
        chromium.click("td.time a")
        chromium.until("the fields", lambda: MARKUP in chromium.run(
            "return [...document.querySelectorAll('.pane td.value')].map((one) => one.textContent)"))

    # --- getting about ---

    def test_filter_and_sort_of_sessions(self):
        self.open()
        chromium.until("six sessions", lambda: len(self.rows()) == 6)
        chromium.type("input[aria-label='Filter sessions']", "mak")
        chromium.until("one session", lambda: [row["session"].split("\n")[0] for row in self.rows()] == ["MAKER"])
        self.open("sessions?sort=next_in")
        names = chromium.until("sorted", lambda: len(self.rows()) == 6 and [row["session"].split("\n")[0] for row in self.rows()])
        self.assertEqual(names[0], "FLOOD")
        chromium.click("th button", "Next in")
        chromium.until("the other way round", lambda: self.rows()[-1]["session"].split("\n")[0] == "FLOOD")
        self.assertIn("reverse=1", chromium.driver.current_url)

    def test_the_keyboard_reaches_everything(self):
        self.open()
        chromium.until("sessions", lambda: len(self.rows()) == 6)
        reached = []
        for _ in range(60):
            chromium.driver.switch_to.active_element.send_keys("\ue004")  # Tab.
            reached.append(chromium.run("return document.activeElement.innerText || document.activeElement.getAttribute('aria-label') || ''"))
            if reached[-1] == "DESK":
                break
        self.assertEqual(reached[0], "To the content")
        for wanted in ("Messages", "UTC", "Filter sessions", "State", "DESK"):
            self.assertTrue(any(wanted in one for one in reached), f"{wanted} in {reached}")
        chromium.driver.switch_to.active_element.send_keys("\ue015")  # Down.
        self.assertEqual(chromium.run("return document.activeElement.innerText"), "FLOOD")
        chromium.driver.switch_to.active_element.send_keys("\ue007")  # Enter.
        chromium.until("the session", lambda: chromium.text("h1") == "FLOOD")

    def test_no_view_scrolls_sideways_on_a_phone(self):
        chromium.resize(*PHONE)
        for view in (*VIEWS, "messages?problems=1"):
            with self.subTest(view):
                self.open(view)
                chromium.until("content", lambda: chromium.text("main"))
                wide = chromium.run("return [document.documentElement.scrollWidth, Math.min(document.documentElement.clientWidth, 360)]")
                self.assertLessEqual(wide[0], wide[1])
        self.open("messages?clordid=D-3&type=8")
        chromium.click("td.name")
        chromium.until("the message over the list", lambda: chromium.run("return document.querySelector('.pane').clientWidth") >= 300)
        wide = chromium.run("return [document.documentElement.scrollWidth, Math.min(document.documentElement.clientWidth, 360)]")
        self.assertLessEqual(wide[0], wide[1])

    def test_colours_follow_the_system_and_the_switch(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        self.open()
        light = chromium.run(ground)
        chromium.prefer("dark")
        dark = chromium.run(ground)
        self.assertNotEqual(light, dark)
        for wanted, colour in (("Light", light), ("Dark", dark), ("Auto", dark)):
            chromium.click("#theme")
            self.assertEqual(chromium.text("#theme"), wanted)
            self.assertEqual(chromium.run(ground), colour)
        chromium.click("#theme")
        self.open()
        self.assertEqual(chromium.text("#theme"), "Light", "the choice is kept")

    def test_text_has_enough_contrast_in_both_sets_of_colours(self):
        grounds = ("ground", "surface", "raised", "hover", "chosen", "good-ground", "warning-ground", "bad-ground")
        pairs = [("text", one) for one in grounds] + [("muted", one) for one in grounds[:5]] + \
            [(tone, one) for tone in ("accent", "good", "warning", "bad") for one in grounds[:4]] + \
            [("bad", "bad-ground"), ("accent", "bad-ground"), ("muted", "bad-ground"), ("accent", "chosen"), ("bad", "chosen"),
             ("warning", "warning-ground"), ("on-accent", "accent"), ("surface", "bad")]
        self.open()
        for scheme in ("light", "dark"):
            chromium.prefer(scheme)
            values = chromium.run("const probe = document.body.appendChild(document.createElement('i'));"
                                  "const found = arguments[0].map((name) => {"
                                  "  probe.style.color = `var(--${name})`; return [name, getComputedStyle(probe).color]; });"
                                  "probe.remove(); return Object.fromEntries(found)",
                                  sorted({name for pair in pairs for name in pair}))
            for over, under in pairs:
                ratio = contrast(values[over], values[under])
                self.assertGreaterEqual(ratio, 4.5, f"{scheme}: {over} on {under}")

    def test_times_are_utc_or_local(self):
        chromium.command("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
        self.addCleanup(chromium.command, "Emulation.setTimezoneOverride", timezoneId="UTC")
        self.open("messages?clordid=D-3&type=D")
        self.found(1)
        entry = self.log("--where", "11=D-3", "--type", "D")[0]
        clock = re.search(r"(\d\d):(\d\d:\d\d\.\d{6})", entry["time"])
        self.assertIn(f"{clock[1]}:{clock[2]}", self.rows()[0]["time"])
        chromium.click("#zone")
        self.assertEqual(chromium.text("#zone"), "Local")
        chromium.until("local time", lambda: f"{(int(clock[1]) + 9) % 24:02}:{clock[2]}" in self.rows()[0]["time"])

    # --- operating ---

    def act(self, session, label, number=None):
        self.open(f"session/{session}")
        chromium.click(".operate button", label)
        if number is not None:
            chromium.type("dialog input[name=number]", str(number))

    def test_an_action_needs_its_token_and_force_where_it_is_dangerous(self):
        self.allowed_errors = (r"/api/action .* 401 ",)
        self.act("IDLE", "Set next outgoing number", 50)
        self.assertIn("The peer will see", chromium.text("dialog"))
        chromium.click("dialog button[type=submit]")
        chromium.type("input[name=token]", "a guess")
        chromium.click("button", "Go on")
        chromium.until("the refusal of the token", lambda: "was refused" in chromium.text("dialog:last-of-type"))
        chromium.type("input[name=token]", OPERATE_TOKEN)
        chromium.click("button", "Go on")
        chromium.until("the answer", lambda: "done: 1 -> 50" in chromium.text("dialog"))
        kept = chromium.run("return JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])")
        self.assertNotIn(OPERATE_TOKEN, kept)
        chromium.click("dialog button", "Close")
        chromium.until("the new number", lambda: self.facts()["Next out"] == "50")
        chromium.click(".operate button", "Set next outgoing number")  # The token is known now.
        chromium.type("dialog input[name=number]", "10")
        chromium.click("dialog button[type=submit]")
        chromium.until("the explanation", lambda: "refused" in chromium.text("dialog .answer"))
        self.assertFalse(chromium.run("return document.querySelector('dialog button[type=submit]:enabled') !== null"))
        chromium.click("dialog input[name=force]")
        chromium.click("dialog button[type=submit]")
        chromium.until("the answer", lambda: "done: 50 -> 10" in chromium.text("dialog"))
        chromium.click("dialog button", "Close")
        chromium.click("button", "Forget the token")
        chromium.click(".operate button", "Send TestRequest")
        chromium.click("dialog button[type=submit]")
        chromium.until("the token is asked for again", lambda: chromium.all("input[name=token]"))

    def test_an_action_that_is_given_up_does_nothing(self):
        self.act("MAKER", "Disconnect")
        chromium.click("dialog button", "Cancel")
        chromium.until("no dialog", lambda: not chromium.all("dialog"))
        self.act("MAKER", "Disconnect")
        chromium.click("dialog button[type=submit]")
        chromium.until("a question for the token", lambda: chromium.all("input[name=token]"))
        chromium.click("dialog:last-of-type button", "Cancel")
        chromium.until("one dialog", lambda: len(chromium.all("dialog")) == 1)
        chromium.click("dialog button", "Cancel")
        self.assertIn("logged on", chromium.text(".title"))

    def test_the_peer_the_last_end_and_the_disabling_operator_of_a_session_are_shown(self):
        self.open()
        rows = chromium.until("six sessions", lambda: len(self.rows()) == 6 and {row["session"]: row for row in self.rows()})
        self.assertRegex(rows["DESK"]["connection"], r"^127\.0\.0\.1:\d+$")
        self.assertEqual(rows["SPARE"]["connection"], "", "nobody ever came")
        peer = self.venue.trader("SPARE")
        chromium.until("its peer", lambda: re.match(r"127\.", {row["session"]: row for row in self.rows()}["SPARE"]["connection"]))
        peer.log_out()
        peer.close()
        connection = chromium.until("its end", lambda: next((row["connection"] for row in self.rows() if row["session"] == "SPARE"
                                                            and "ended by the peer" in row["connection"]), None))
        self.assertRegex(connection, r"(now|ago)$")
        self.venue.command("disable_session", "SPARE", "maintenance at noon")
        self.addCleanup(self.venue.command, "enable_session", "SPARE")
        row = chromium.until("disabled", lambda: next((row for row in self.rows() if row["session"] == "SPARE"
                                                      and "disabled" in row["state-cell"]), None))
        self.assertRegex(row["connection"], "^disabled .*maintenance at noon, ")
        chromium.type(".bar input[type=search]", "at noon")
        chromium.until("the filter", lambda: [row["session"] for row in self.rows()] == ["SPARE"])
        self.open("session/SPARE")
        chromium.until("who disabled it", lambda: "maintenance at noon. Since " in chromium.text("p.note"))
        self.assertIn("disabled", chromium.text(".title"))
        facts = self.facts()
        self.assertIn("ended by the peer", facts["Last end"])
        self.assertEqual((facts["Peer"], facts["Connected"]), ("\u2013", "no"))
        self.assertNotEqual(facts["Last disconnect"], "never")

    def test_the_effective_configuration_and_the_schedule_are_seen(self):
        self.open("session/MAKER")
        rows = chromium.until("settings", lambda: self.rows(".settings-table"))
        values = {row["Key"]: row["value"] for row in rows}
        self.assertEqual((values["target_comp_id"], values["begin_string"]), ("MAKER", "FIX.4.4"))
        self.assertIn("As the engine has it", chromium.text(".configuration .bar"))
        self.assertEqual(self.facts("dl.schedule"), {"Now": "open: it has no schedule"})
        self.assertNotIn("send_queue_max", values)
        chromium.click(".configuration .choice button", "All keys")
        values = chromium.until("all keys", lambda: {row["Key"]: row["value"] for row in self.rows(".settings-table")}
                                if len(self.rows(".settings-table")) > len(rows) else None)
        self.assertIn("send_queue_max", values)

    # --- alerts ---

    def test_an_alert_appears_and_clears(self):
        self.open("alerts")
        chromium.until("LATE is down", lambda: any(row["Session"] == "LATE" for row in self.rows("section:nth-of-type(1) table.alerts")))
        row = next(row for row in self.rows("section:nth-of-type(1) table.alerts") if row["Session"] == "LATE")
        self.assertEqual(row["kind"], "session down")
        self.assertTrue(chromium.seen("#alert-count"))
        self.assertRegex(chromium.driver.title, r"^\(\d+\) Alerts")
        late = self.venue.trader("LATE")
        chromium.until("it is over", lambda: any(row["Session"] == "LATE" for row in self.rows("section:nth-of-type(3) table.alerts")))
        self.assertFalse(any(row["Session"] == "LATE" and row["kind"] == "session down"
                             for row in self.rows("section:nth-of-type(1) table.alerts")))
        # The page is sent only what changed, and its count is that of all that hold.
        def open_ones():
            with urllib.request.urlopen(f"{self.venue.address}/api/state?count=0") as answer:
                return str(json.load(answer)["engine"]["alerts_open"])
        chromium.until("the count without it", lambda: chromium.text("#alert-count") == open_ones())
        late.close()
        chromium.until("LATE is down again", lambda: any(row["Session"] == "LATE" for row in self.rows("section:nth-of-type(1) table.alerts")))
        chromium.until("the count with it", lambda: chromium.text("#alert-count") == open_ones())


class Handled(PageTest):
    """Alerts that an operator acknowledges and silences, with keys alone."""

    TAB, ENTER, ESCAPE = "\ue004", "\ue007", "\ue00c"

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, ["DESK", "MAKER", "SPARE"])
        cls.addClassCleanup(cls.venue.close)
        cls.venue.start_exchange("IBM")
        cls.venue.start_monitor("--operate", "--admin", cls.venue.admin, "--alert-session-down", "0")

    def alert(self, session):
        return next((row for row in self.rows("section:nth-of-type(1) table.alerts") if row["Session"] == session), None)

    def answer_token(self):
        if chromium.until("the token or the end", lambda: chromium.all("input[name=token]") or not chromium.all("dialog")) is True:
            return
        chromium.driver.switch_to.active_element.send_keys(OPERATE_TOKEN + self.ENTER)

    def test_an_alert_is_acknowledged_and_silenced_with_the_keyboard(self):
        self.open("alerts")
        chromium.until("three alerts", lambda: len(self.rows("section:nth-of-type(1) table.alerts")) == 3)
        self.assertEqual(chromium.text("#alert-count"), "3")
        for _ in range(60):
            chromium.driver.switch_to.active_element.send_keys(self.TAB)
            if chromium.run("const one = document.activeElement; return one.innerText === 'Acknowledge' && one.closest('tr').innerText.includes('DESK')"):
                break
        key = chromium.run("return document.activeElement.dataset.key")
        self.assertTrue(key, "the button is reached with Tab")
        chromium.driver.switch_to.active_element.send_keys(self.ENTER)
        chromium.until("the question", lambda: "Acknowledge: session down, DESK" in chromium.text("dialog"))
        self.assertEqual(chromium.run("return document.activeElement.name"), "comment", "one can type at once")
        chromium.driver.switch_to.active_element.send_keys(MARKUP + self.ENTER)
        self.answer_token()
        row = chromium.until("the mark", lambda: (row := self.alert("DESK")) and "acknowledged by operator" in row["text"] and row)
        self.assertIn(MARKUP, row["text"], "what is typed is text")
        self.assertIn("Withdraw", row["doing"])
        self.assertIn("2 open, 1 acknowledged or silenced", chromium.text("main"))
        chromium.until("the count in the frame", lambda: chromium.text("#alert-count") == "2")
        self.assertRegex(chromium.driver.title, r"^\(2\) Alerts")
        chromium.click("button", "Silence\u2026")
        session = chromium.type("dialog input[name=session]", "MAK*")
        chromium.run("document.querySelector('dialog select[name=kind]').value = 'session_down'")
        chromium.type("dialog input[name=comment]", "they are at lunch")
        session.send_keys(self.ENTER)
        chromium.until("the silence", lambda: any(row["session"] == "MAK*" and "lunch" in row["text"]
                                                  for row in self.rows("table.silences")))
        chromium.until("its mark", lambda: "silenced by operator until" in self.alert("MAKER")["text"])
        self.assertNotIn("Silence", self.alert("MAKER")["doing"].replace("Acknowledge", ""))
        chromium.until("one is open", lambda: chromium.text("#alert-count") == "1")
        # The focus stays where it is while the lists are read anew.
        end = next(one for one in chromium.all("table.silences button") if one.text == "End")
        chromium.run("arguments[0].focus()", end)
        peer = self.venue.trader("SPARE")
        chromium.until("one is over", lambda: self.alert("SPARE") is None)
        self.assertEqual(chromium.run("return document.activeElement.innerText"), "End")
        peer.close()
        chromium.driver.switch_to.active_element.send_keys(self.ENTER)
        chromium.click("dialog button[type=submit]")
        chromium.until("nothing is silenced", lambda: not self.rows("table.silences") and "Nothing is silenced" in chromium.text("main"))
        # In the table of sessions: open ones are a problem, the others are not.
        self.open()
        rows = chromium.until("sessions", lambda: (rows := {row["session"]: row for row in self.rows()}) and rows.get("MAKER", {}).get("alerts") == "\u25b2 1" and rows)
        self.assertEqual(rows["DESK"]["alerts"], "\u2713 1")
        self.assertEqual(chromium.run("return [...document.querySelectorAll('tr.problem td.session a')].map((one) => one.innerText)").count("DESK"), 0)
        # On a phone, and in the dark.
        chromium.resize(*PHONE)
        self.open("alerts")
        chromium.until("the list", lambda: self.alert("DESK"))
        wide = chromium.run("return [document.documentElement.scrollWidth, Math.min(document.documentElement.clientWidth, 360)]")
        self.assertLessEqual(wide[0], wide[1])

    def test_a_refusal_of_the_monitor_is_shown_in_the_dialog(self):
        self.allowed_errors = (r"/api/alert .* 404 ",)
        self.open("alerts")
        chromium.until("alerts", lambda: self.alert("MAKER"))
        row = next(one for one in chromium.all("section:nth-of-type(1) table.alerts tbody tr") if "MAKER" in one.text)
        next(one for one in row.find_elements("css selector", "button") if one.text == "Acknowledge").click()
        maker = self.venue.trader("MAKER")  # It is over while somebody thinks of a comment.
        self.addCleanup(maker.close)
        chromium.until("its end", lambda: self.alert("MAKER") is None)
        chromium.click("dialog button[type=submit]")
        self.answer_token()
        chromium.until("the refusal", lambda: "the alert is over" in chromium.text("dialog .answer"))
        chromium.driver.switch_to.active_element.send_keys(self.ESCAPE)
        chromium.until("no dialog", lambda: not chromium.all("dialog"))


class SeveralEngines(PageTest):
    """Two exchanges, each with a session DESK of its own, on one page."""

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, ["DESK", "SPARE"], name="one")
        cls.addClassCleanup(cls.venue.close)
        cls.other = MonitoredExchange(AFFIX, ["DESK"], name="two")
        cls.addClassCleanup(cls.other.close)
        for exchange in (cls.venue, cls.other):
            exchange.start_exchange("IBM")
            exchange.trader("DESK").limit(f"{exchange is cls.venue}")
        cls.venue.start_monitor(cls.other.config, "--operate", "--admin", f"one={cls.venue.admin}", "--admin", f"two={cls.other.admin}",
                                "--alert-session-down", "0", "--alert-engine-down", "0")

    def sessions(self):
        return [row["session"].split("\n")[0] for row in self.rows()]

    def test_all_are_on_one_page_and_one_that_goes_hides_no_other(self):
        self.open()
        chromium.until("all sessions", lambda: self.sessions() == ["one:DESK", "one:SPARE", "two:DESK"])
        self.assertIn("2 of 2 engines running", chromium.text("#engine-state"))
        engines = [re.sub(r"\s+", " ", text) for text in chromium.texts(".engine")]
        self.assertRegex(engines[0], r"All engines 2 of 2 running 2 / 3 on")
        self.assertRegex(engines[1], r"^one \u25cf running, .* 1 / 2 on \u25b2 1$")
        self.assertRegex(engines[2], r"^two \u25cf running, .* 1 / 1 on$")
        chromium.until("an engine to choose", lambda: chromium.all(".engine")[2].send_keys("\ue007") or True)  # With the keyboard.
        chromium.until("its sessions", lambda: self.sessions() == ["two:DESK"])
        self.assertIn("engine=two", chromium.driver.current_url)
        chromium.until("how many are up", lambda: chromium.text(".tile strong") == "1 / 1")
        chromium.click(".engine-actions button", "Kill switch")
        self.assertEqual(chromium.run("return document.querySelector('dialog select[name=engine]').value"), "two")
        chromium.click("dialog button", "Cancel")
        chromium.click(".engine", "All engines")
        chromium.until("all again", lambda: len(self.sessions()) == 3)
        chromium.click("td.session a", "two:DESK")
        chromium.until("the session", lambda: chromium.text("h1") == "two:DESK" and self.facts().get("Their CompID") == "DESK")
        chromium.click(".operate button", "Kill switch")
        chromium.click("dialog button[type=submit]")
        chromium.type("input[name=token]", OPERATE_TOKEN)
        chromium.click("button", "Go on")
        chromium.until("it is done", lambda: chromium.text("dialog .answer").startswith("done"))
        chromium.click("dialog button", "Close")
        chromium.until("of that one", lambda: chromium.seen(".title .stopped"))
        self.other.command("resume", "DESK")
        self.open("alerts")
        chromium.until("an alert of one", lambda: any(row["Session"] == "one:SPARE" for row in self.rows("section:nth-of-type(1) table.alerts")))
        chromium.click(".choice button", "two")
        chromium.until("none of the other", lambda: "Nothing is wrong" in chromium.text("main"))
        self.open("messages?type=D")
        chromium.until("both orders", lambda: {row["session"] for row in self.rows()} == {"one:DESK", "two:DESK"})
        chromium.run("const one = document.querySelector('select[name=engine]'); one.value = 'one'; one.dispatchEvent(new Event('change'))")
        chromium.until("of one", lambda: {row["session"] for row in self.rows()} == {"one:DESK"} and "engine=one" in chromium.driver.current_url)
        self.open("workers")
        chromium.until("both engines", lambda: len(self.rows("section:nth-of-type(1) table.plain")) == 2)
        # One goes.
        self.other.end(self.other.exchange, signal.SIGKILL)
        self.open()
        chromium.until("it is gone", lambda: "Engine two was killed or crashed" in chromium.text("#banner"))
        chromium.until("its state", lambda: "killed, " in chromium.texts(".engine")[2])
        self.assertIn("1 of 2 engines running", chromium.text("#engine-state"))
        self.assertFalse(chromium.run("return document.body.classList.contains('stale')"))
        faded = chromium.run("return [...document.querySelectorAll('tr.of-down td.session a')].map((one) => one.innerText)")
        self.assertEqual(faded, ["two:DESK"])
        rows = {row["session"]: row for row in self.rows()}
        self.assertIn("logged on", rows["one:DESK"]["state-cell"])
        self.open("alerts")
        chromium.until("the engine's alert", lambda: any(row["kind"] == "engine down" and row["Session"] == "two"
                                                         for row in self.rows("section:nth-of-type(1) table.alerts")))
        chromium.resize(*PHONE)
        for view in ("sessions", "alerts", "workers", "messages"):
            self.open(view)
            chromium.until("content", lambda: chromium.text("main"))
            wide = chromium.run("return [document.documentElement.scrollWidth, Math.min(document.documentElement.clientWidth, 360)]")
            self.assertLessEqual(wide[0], wide[1], view)


class Stopped(PageTest):
    """An operator throws the kill switch, of a session, the engine and an instance, and turns it back."""

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, ["DESK", "MAKER", "SPARE"])
        cls.addClassCleanup(cls.venue.close)
        cls.venue.start_exchange("IBM")
        cls.venue.start_monitor("--operate", "--admin", cls.venue.admin)
        for name in ("DESK", "MAKER"):
            cls.venue.trader(name)

    def switch(self, button, title, submit):
        """Throws the switch or turns it back, from the view at hand."""
        chromium.click(button, title)
        chromium.click("dialog button[type=submit]", submit)
        if chromium.until("an answer or a question", lambda: chromium.all("dialog .answer, input[name=token]")
                          )[0].get_attribute("name") == "token":
            chromium.type("input[name=token]", OPERATE_TOKEN)
            chromium.click("button", "Go on")
        chromium.until("it is done", lambda: chromium.text("dialog .answer").startswith("done"))
        chromium.click("dialog button", "Close")
        chromium.until("no dialog", lambda: not chromium.all("dialog"))

    def states(self):
        return {row["session"]: row["state-cell"] for row in self.rows()}

    def test_the_kill_switch_is_seen_at_a_glance(self):
        self.addCleanup(self.venue.command, "resume", "engine")
        self.open("session/MAKER")
        self.assertFalse(chromium.seen(".title .stopped"))
        self.switch(".operate button", "Kill switch", "Kill switch")
        chromium.until("the session's own mark", lambda: chromium.text(".title .stopped").endswith("sending stopped"))
        self.assertIn("has stopped this session\u2019s application messages", chromium.text("p.halt:not(.banner)"))
        self.assertFalse(chromium.seen("#banner"), "one session is not the engine")
        self.open()
        chromium.until("the table", lambda: "sending stopped" in self.states().get("MAKER", ""))
        self.assertEqual([name for name, text in self.states().items() if "stopped" in text], ["MAKER"])
        chromium.type(".bar input[type=search]", "sending stopped")
        chromium.until("the filter", lambda: list(self.states()) == ["MAKER"])
        # A word and a sign, and not a colour alone.
        self.assertRegex(chromium.text("td .stopped"), r"^\u25a0\s*sending stopped$")
        colours = "const style = getComputedStyle(document.querySelector(arguments[0])); return [style.color, style.backgroundColor]"
        self.assertGreaterEqual(contrast(*chromium.run(colours, "td .stopped")), 4.5)
        chromium.resize(*PHONE)
        chromium.until("the word below the name", lambda: "sending stopped" in self.rows()[0]["session"])
        chromium.resize(*WIDE)
        self.open()
        self.switch(".engine-actions button", "Kill switch", "Kill switch")
        chromium.until("the banner", lambda: "Sending is stopped for the whole engine (kill switch): 3 of 3 sessions" in
                       chromium.text("#banner"))
        self.assertTrue(all("sending stopped" in text for text in self.states().values()))
        self.open("messages")
        chromium.until("the banner in every view", lambda: "Sending is stopped" in chromium.text("#banner"))
        self.open("session/DESK")
        self.switch(".operate button", "Resume", "Resume")
        chromium.until("one that may send", lambda: "2 of 3 sessions" in chromium.text("#banner"))
        self.assertFalse(chromium.seen(".title .stopped"))
        self.venue.command("resume", "engine")
        chromium.until("no banner", lambda: not chromium.seen("#banner"))
        self.venue.command("kill", "VENUE")
        chromium.until("the instance", lambda: "stopped for instance VENUE (kill switch): 3 of 3" in chromium.text("#banner"))
        for scheme in ("light", "dark"):
            chromium.prefer(scheme)
            self.assertGreaterEqual(contrast(*chromium.run(colours, "#banner")), 4.5, scheme)
        self.venue.command("resume", "VENUE")
        chromium.until("no banner again", lambda: not chromium.seen("#banner"))
        self.open()
        chromium.until("no mark", lambda: not any("stopped" in text for text in self.states().values()) and self.states())


class Ends(PageTest):
    """The engine goes, comes back, and the monitor goes too."""

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, ["DESK"])
        cls.addClassCleanup(cls.venue.close)
        cls.venue.start_exchange()
        cls.venue.start_monitor("--alert-engine-down", "1")

    def test_a_killed_engine_and_a_silent_monitor_are_said(self):
        self.allowed_errors = (r"/api/.*ERR_CONNECTION_REFUSED", r"/api/.*ERR_CONNECTION_RESET", r"/api/.*ERR_EMPTY_RESPONSE")
        self.venue.trader("DESK").limit("E-1")
        self.open()
        chromium.until("the engine runs", lambda: "running" in chromium.text("#engine-state"))
        self.assertFalse(chromium.seen("#banner"))
        self.venue.end(self.venue.exchange, signal.SIGKILL)
        chromium.until("it was killed", lambda: "killed or crashed" in chromium.text("#banner"))
        self.assertIn("killed", chromium.text("#engine-state"))
        self.assertTrue(chromium.run("return document.body.classList.contains('stale')"))
        chromium.run("location.hash = '#/messages?clordid=E-1'")
        self.found(2)  # Journals can be read all the same.
        self.venue.start_exchange()
        chromium.until("it runs again", lambda: "running" in chromium.text("#engine-state") and not chromium.seen("#banner"))
        self.venue.monitor.send_signal(signal.SIGSTOP)
        chromium.until("the monitor is silent", lambda: re.search(r"The monitor does not answer.* What you see is \d+ s old", chromium.text("#banner")))
        self.venue.monitor.send_signal(signal.SIGCONT)
        chromium.until("it speaks again", lambda: not chromium.seen("#banner"))
        self.venue.end(self.venue.monitor, signal.SIGKILL)
        chromium.until("the age of what is shown", lambda: re.search(r"The monitor does not answer.* What you see is \d+ s old", chromium.text("#banner")))
        self.venue.start_monitor(port=self.venue.address.rsplit(":", 1)[1])
        chromium.until("it answers again", lambda: not chromium.seen("#banner") and "running" in chromium.text("#engine-state"))


class Looking(PageTest):
    """A monitor without --operate."""

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, ["DESK"])
        cls.addClassCleanup(cls.venue.close)
        cls.venue.start_exchange()
        cls.venue.start_monitor()

    def test_without_operate_there_are_no_actions(self):
        self.open("session/DESK")
        chromium.until("the session", lambda: self.facts().get("Role") == "acceptor")
        self.assertEqual([text for text in chromium.texts(".operate button, .engine-actions button") if text], [])
        self.allowed_errors = (r"/api/action .* 403 ",)
        status = chromium.run("return fetch('/api/action', {method: 'POST', headers: {'content-type': 'application/json', authorization: 'Bearer "
                              + OPERATE_TOKEN + "'}, body: JSON.stringify({command: 'logout', session: 'DESK', arguments: []})}).then((answer) => answer.status)")
        self.assertEqual(status, 403)


class Guarded(PageTest):
    """A monitor that shows nothing to who has no token."""

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, ["DESK"], engine="management_local_role=NONE")
        cls.addClassCleanup(cls.venue.close)
        cls.venue.start_exchange()
        cls.venue.start_monitor()

    def test_the_page_asks_for_the_read_token(self):
        self.allowed_errors = (r"/api/\S+ .* 401 ",)
        chromium.open(self.venue.address + "/#/session/DESK")
        chromium.type("input[name=token]", "a guess")
        chromium.click("dialog button", "Go on")
        chromium.until("the refusal", lambda: "was refused" in chromium.text("dialog"))
        self.assertEqual(len(chromium.all("dialog")), 1, "one question for all that was refused")
        chromium.type("input[name=token]", READ_TOKEN)
        chromium.click("dialog button", "Go on")
        chromium.until("the session", lambda: self.facts().get("Role") == "acceptor")
        kept = chromium.run("return JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])")
        self.assertNotIn(READ_TOKEN, kept)


class Crowd(PageTest):
    """Two thousand sessions, of an engine that does not even run."""

    count = 2000

    @classmethod
    def setUpClass(cls):
        cls.venue = MonitoredExchange(AFFIX, [f"S{number:04}" for number in range(cls.count)])
        cls.addClassCleanup(cls.venue.close)
        cls.venue.write_config()
        cls.venue.start_monitor()

    def test_only_rows_in_sight_are_drawn(self):
        self.open()
        chromium.until("all of them", lambda: "2,000 sessions" in chromium.text(".bar"))
        self.assertLess(len(self.rows()), 60)
        self.assertIn("The engine is not seen", chromium.text("#banner"))
        chromium.run("const scroller = document.querySelector('.scroller'); scroller.scrollTop = scroller.scrollHeight")
        chromium.until("the last", lambda: any(row["session"].startswith("S1999") for row in self.rows()))
        self.assertLess(len(self.rows()), 60)
        chromium.type("input[aria-label='Filter sessions']", "s0042")
        chromium.until("one", lambda: [row["session"].split("\n")[0] for row in self.rows()] == ["S0042"])
        self.assertEqual(self.rows()[0]["state-cell"].split()[-1], "absent")


class Sources(unittest.TestCase):
    """Rules for the page's files."""

    def test_data_never_becomes_markup_and_nothing_comes_from_elsewhere(self):
        for path in sorted(PAGE.iterdir()):
            text = path.read_text(encoding="utf-8")
            with self.subTest(path.name):
                self.assertNotRegex(text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc")
                self.assertEqual(set(re.findall(r"https?://[^\s\"']+", text)) - {"http://www.w3.org/2000/svg"}, set())
                if path.suffix == ".html":
                    self.assertNotRegex(text, r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)")
                for name in re.findall(r"^import .*? from \"(.*?)\"", text, re.MULTILINE):
                    self.assertTrue(name.startswith("./") and (PAGE / name).is_file(), name)


def contrast(one, other):
    """The ratio of the Web Content Accessibility Guidelines for two colours as rgb(r, g, b)."""
    def luminance(colour):
        parts = [int(part) / 255 for part in re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour).groups()]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


if __name__ == "__main__":
    lacking = browser.missing()
    if lacking:
        print(f"skipped: not installed: {', '.join(lacking)}")
        sys.exit(77)
    AFFIX = Path(sys.argv.pop(1)).resolve()
    unittest.main()
