// SPDX-License-Identifier: MIT
// What is wrong now, and what was.

import { get } from "./api.js";
import { el, set_text } from "./dom.js";
import { span_text, time_text } from "./format.js";
import { live, now_ns } from "./live.js";
import { address, failure_text, link, panel, severity_mark } from "./parts.js";
import { in_utc } from "./preferences.js";

const every_ms = 5000;

/// Where more is to be seen of what an alert tells.
function more(alert) {
  const { kind, session } = alert;
  if (kind === "rejects") {
    return link(address("messages", null, { session, problems: "1" }), "The rejects");
  }
  if (kind === "gap" || kind === "resend_storm" || kind === "sequence_reset") {
    return link(address("messages", null, { session, events: "1", session_messages: "1" }), "The messages");
  }
  return kind === "disk_low" || kind === "engine_down" || kind === "journal_damaged" ? link(address("workers"), "The engine") : "";
}

function row(alert) {
  const over = alert.cleared_ns > 0;
  return el("tr", { class: over ? null : alert.severity },
    el("td", {}, severity_mark(alert.severity)),
    el("td", { class: "time" }, time_text(alert.since_ns, in_utc())),
    el("td", { class: "number lasting" }, over ? span_text(alert.cleared_ns - alert.since_ns) : ""),
    el("td", {}, alert.session ? link(address("session", alert.session), alert.session) : "engine"),
    el("td", { class: "kind" }, alert.kind.replaceAll("_", " ")),
    el("td", { class: "text" }, alert.text),
    el("td", {}, more(alert)));
}

function table(caption, lasting) {
  const body = el("tbody", {});
  return { body, element: el("div", { class: "overflow" }, el("table", { class: "plain alerts" }, el("caption", { class: "unseen" }, caption),
    el("thead", {}, el("tr", {}, ["Severity", "Since", lasting, "Session", "Kind", "What", ""].map((head, i) =>
      el("th", { scope: "col", class: i === 2 ? "number" : null }, head)))), body)) };
}

export class AlertsView {
  constructor(root) {
    this.current = table("Alerts that hold now", "For");
    this.recent = table("Alerts that are over", "Lasted");
    this.none = el("p", { class: "good quiet-line", hidden: true }, "\u2713 Nothing is wrong that the monitor knows of.");
    this.none_recent = el("p", { class: "muted" }, "None since the monitor started.");
    this.failed = el("div", {});
    root.append(el("h1", { class: "unseen" }, "Alerts"), this.failed, panel("Now", this.none, this.current.element),
      panel("Over", this.none_recent, this.recent.element));
    this.read();
  }

  close() {
    clearTimeout(this.timer);
    this.closed = true;
  }

  route() {}

  async read() {
    clearTimeout(this.timer);
    try {
      const answer = await get("alerts");
      this.failed.replaceChildren();
      this.answer = answer;
      this.show();
    } catch (failure) {
      this.failed.replaceChildren(failure_text(failure));
    }
    if (!this.closed) {
      this.timer = setTimeout(() => this.read(), every_ms);
    }
  }

  /// Alerts that hold are in each reading of the state; one more or less has the list read anew.
  update() {
    const ids = live.state?.alerts.map(({ id }) => id).join();
    if (this.answer && ids !== undefined && ids !== this.answer.current.map(({ id }) => id).join() && ids !== this.asked_for) {
      this.asked_for = ids;
      this.read();
    }
    this.show_ages();
  }

  show() {
    const { current, recent } = this.answer;
    this.none.hidden = current.length > 0;
    this.current.element.hidden = current.length === 0;
    this.none_recent.hidden = recent.length > 0;
    this.recent.element.hidden = recent.length === 0;
    this.current.body.replaceChildren(...current.map(row));
    this.recent.body.replaceChildren(...recent.map(row));
    this.show_ages();
  }

  show_ages() {
    this.answer?.current.forEach((alert, i) => {
      const cell = this.current.body.children[i]?.querySelector(".lasting");
      if (cell) {
        set_text(cell, span_text(now_ns() - alert.since_ns));
      }
    });
  }

  redraw() {
    if (this.answer) {
      this.show();
    }
  }
}
