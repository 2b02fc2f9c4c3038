// SPDX-License-Identifier: MIT
// Alerts that hold now, the operators' actions on them, and past alerts.

import { acknowledge, end_silence, kind_text, silence, withdraw } from "./alert_actions.js";
import { get } from "./api.js";
import { el, set_text } from "./dom.js";
import { span_text, time_text } from "./format.js";
import { engines, live, now_ns, several } from "./live.js";
import { address, choice, failure_text, link, panel, severity_mark } from "./parts.js";
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
  return ["disk_low", "engine_down", "journal_damaged", "failover_alone", "failover_held", "election_silent"].includes(kind) ? link(address("workers"), "The engine") : "";
}

/// Operators' actions on an alert, with their times; empty if there are none.
function mark_text(alert) {
  const { acknowledged, silenced } = alert;
  const why = (mark) => (mark.comment ? `: ${mark.comment}` : "");
  return [
    acknowledged && `\u2713 acknowledged by ${acknowledged.by}, ${time_text(acknowledged.at_ns, in_utc(), now_ns())}${why(acknowledged)}`,
    silenced && `\u25cc silenced by ${silenced.by} until ${time_text(silenced.until_ns, in_utc(), now_ns())}${why(silenced)}`,
  ].filter(Boolean);
}

function button(key, text, action) {
  return el("button", { type: "button", class: "small", "data-key": key, on: { click: action } }, text);
}

class Table {
  constructor(caption, heads, table_class = "alerts") {
    this.body = el("tbody", {});
    this.element = el("div", { class: "overflow" }, el("table", { class: `plain ${table_class}` }, el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col", class: ["For", "Lasted", "Left"].includes(head) ? "number" : null }, head)))), this.body));
  }

  /// Makes the rows anew where `text`, which stands for all that they show, has changed; a button
  /// that has the focus keeps it.
  show(text, rows) {
    if (text === this.text) {
      return;
    }
    this.text = text;
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.body.replaceChildren(...rows());
    if (focused !== undefined) {
      [...this.body.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
    }
  }
}

export class AlertsView {
  constructor(root) {
    this.current = new Table("Alerts that hold now", ["Severity", "Since", "For", "Session", "Kind", "What", ""]);
    this.silences = new Table("Silences", ["Kind", "Session", "By", "Until", "Left", "Comment", ""], "silences");
    this.recent = new Table("Alerts that are over", ["Severity", "Since", "Lasted", "Session", "Kind", "What", ""]);
    this.none = el("p", { class: "good quiet-line", hidden: true }, "\u2713 Nothing is wrong that the monitor knows of.");
    this.none_silent = el("p", { class: "muted" }, "Nothing is silenced.");
    this.none_recent = el("p", { class: "muted" }, "None since the monitor started.");
    this.engine = "";
    this.which = el("div", {});
    this.counted = el("p", { class: "muted", role: "status" });
    this.new_silence = el("button", { type: "button", hidden: true, on: { click: () => this.after(silence(null, this.engine || null)) } }, "Silence\u2026");
    this.failed = el("div", {});
    root.append(el("h1", { class: "unseen" }, "Alerts"), this.failed,
      panel("Now", el("div", { class: "bar" }, this.which, this.counted), this.none, this.current.element),
      panel("Silences", this.none_silent, this.silences.element, el("div", { class: "bar" }, this.new_silence)),
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

  /// Reads anew when a dialog has done something.
  async after(dialog) {
    if (await dialog !== null && !this.closed) {
      await this.read();
    }
  }

  /// Alerts that hold are in each reading of the state; one more or less, or another mark on one, has
  /// the list read anew.
  update() {
    const seen = (alerts) => JSON.stringify(alerts.map(({ id, acknowledged, silenced }) => [id, acknowledged, silenced]));
    const now = live.state && seen(live.state.alerts);
    if (this.answer && now && now !== seen(this.answer.current) && now !== this.asked_for) {
      this.asked_for = now;
      this.read();
    }
    if (this.answer && (this.operate !== Boolean(live.state?.monitor.operate) || (several() && !this.which.firstChild))) {
      this.show();
    }
    this.show_ages();
  }

  /// Buttons for one engine's alerts alone, where there are several.
  show_engines() {
    if (several() && !this.which.firstChild) {
      this.which.append(choice("Engine", [["", "All engines"], ...engines().map(({ name }) => [name, name])], this.engine, (name) => {
        this.engine = name;
        this.show();
      }));
    }
  }

  row(alert, actions) {
    const over = alert.cleared_ns > 0;
    const marks = mark_text(alert);
    return el("tr", { class: over ? null : marks.length > 0 ? "handled" : alert.severity },
      el("td", {}, severity_mark(alert.severity)),
      el("td", { class: "time" }, time_text(alert.since_ns, in_utc())),
      el("td", { class: "number lasting" }, over ? span_text(alert.cleared_ns - alert.since_ns) : ""),
      el("td", {}, alert.session ? link(address("session", alert.session), alert.session) : several() ? alert.engine : "engine"),
      el("td", { class: "kind" }, kind_text(alert.kind)),
      el("td", { class: "text" }, alert.text, marks.map((text) => el("span", { class: "mark" }, text))),
      el("td", { class: "doing" }, more(alert), actions));
  }

  actions_of(alert) {
    if (!live.state?.monitor.operate) {
      return [];
    }
    const key = (what) => `${what} ${alert.id}`;
    return [
      alert.acknowledged ? button(key("withdraw"), "Withdraw", () => this.after(withdraw(alert)))
        : button(key("acknowledge"), "Acknowledge", () => this.after(acknowledge(alert))),
      alert.silenced ? null : button(key("silence"), "Silence", () => this.after(silence(alert))),
    ];
  }

  silence_row(one) {
    return el("tr", {}, el("td", { class: "kind" }, kind_text(one.kind)), el("td", { class: "session" }, several() ? `${one.engine}:${one.session}` : one.session || "engine"), el("td", {}, one.by),
      el("td", { class: "time" }, time_text(one.until_ns, in_utc(), now_ns())), el("td", { class: "number left" }), el("td", { class: "text" }, one.comment),
      el("td", { class: "doing" }, live.state?.monitor.operate ? button(`end ${one.engine} ${one.id}`, "End", () => this.after(end_silence(one))) : null));
  }

  show() {
    this.show_engines();
    const of_engine = ({ engine }) => !this.engine || engine === this.engine;
    const [current, recent, silences] = ["current", "recent", "silences"].map((name) => this.answer[name].filter(of_engine));
    this.shown = { current, silences };
    const operate = Boolean(live.state?.monitor.operate);
    this.operate = operate;
    const look = `${in_utc()} ${operate} ${several()} `;
    const open = current.filter((alert) => !alert.acknowledged && !alert.silenced).length;
    set_text(this.counted, current.length === open ? "" : `${open} open, ${current.length - open} acknowledged or silenced`);
    this.none.hidden = current.length > 0;
    this.current.element.hidden = current.length === 0;
    this.none_silent.hidden = silences.length > 0;
    this.silences.element.hidden = silences.length === 0;
    this.new_silence.hidden = !operate;
    this.none_recent.hidden = recent.length > 0;
    this.recent.element.hidden = recent.length === 0;
    this.current.show(look + JSON.stringify(current), () => current.map((alert) => this.row(alert, this.actions_of(alert))));
    this.silences.show(look + JSON.stringify(silences), () => silences.map((one) => this.silence_row(one)));
    this.recent.show(look + JSON.stringify(recent), () => recent.map((alert) => this.row(alert, [])));
    this.show_ages();
  }

  show_ages() {
    const ages = (table, rows, cell, text) => rows?.forEach((row, i) => {
      const place = table.body.children[i]?.querySelector(cell);
      if (place) {
        set_text(place, text(row));
      }
    });
    ages(this.current, this.shown?.current, ".lasting", (alert) => span_text(now_ns() - alert.since_ns));
    ages(this.silences, this.shown?.silences, ".left", (one) => span_text(one.until_ns - now_ns()));
  }

  redraw() {
    if (this.answer) {
      this.show();
    }
  }
}
