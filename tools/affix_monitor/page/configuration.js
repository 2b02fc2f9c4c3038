// SPDX-License-Identifier: MIT
// A session's schedule and effective configuration, as the engine says them, or else the monitor's
// file.

import { get } from "./api.js";
import { el, set_text } from "./dom.js";
import { span_text } from "./format.js";
import { now_ns } from "./live.js";
import { choice, failure_text } from "./parts.js";

const every_ms = 30_000;
const scopes = [["said", "Set"], ["all", "All keys"]];

/// "2026-02-02 14:30:00 UTC, 09:30:00 in America/New_York, in 3 h 2 min".
function moment_text(schedule, name) {
  const at_ns = schedule[`${name}_ns`];
  if (!at_ns) {
    return "not within a year";
  }
  const utc = schedule[name].replace("T", " ").slice(0, 19);
  const local = schedule[`${name}_local`];
  const there = schedule.zone === "UTC" ? "" : `, ${local.slice(0, 10) === utc.slice(0, 10) ? local.slice(11) : local} in ${schedule.zone}`;
  return `${utc} UTC${there}, in ${span_text(at_ns - now_ns())}`;
}

/// Two panels; read when they are made and every half minute, as long as the page is seen.
export class ConfigurationPanels {
  constructor(session) {
    this.session = session;
    this.scope = "said";
    this.schedule = el("dl", { class: "facts schedule" });
    this.source = el("p", { class: "muted" });
    this.body = el("tbody", {});
    this.failed = el("div", {});
    this.element = el("div", { class: "configuration" },
      el("section", { class: "panel" }, el("h2", {}, "Schedule"), this.schedule),
      el("section", { class: "panel" }, el("h2", {}, "Effective configuration"),
        el("div", { class: "bar" }, choice("Keys shown", scopes, this.scope, (scope) => { this.scope = scope; this.show(); }), this.source),
        this.failed,
        el("div", { class: "overflow" }, el("table", { class: "plain settings-table" }, el("caption", { class: "unseen" }, "Effective configuration"),
          el("thead", {}, el("tr", {}, ["Key", "Value", ""].map((head) => el("th", { scope: "col" }, head)))), this.body))));
    this.read();
  }

  close() {
    clearTimeout(this.timer);
    this.closed = true;
  }

  async read() {
    clearTimeout(this.timer);
    if (!document.hidden) {
      try {
        this.answer = await get("session", { session: this.session });
        this.failed.replaceChildren();
        this.show();
      } catch (failure) {
        this.failed.replaceChildren(failure_text(failure));
      }
    }
    if (!this.closed) {
      this.timer = setTimeout(() => this.read(), every_ms);
    }
  }

  show() {
    if (!this.answer) {
      return;
    }
    const { schedule, configuration, source, problem } = this.answer;
    const facts = schedule.problem ? [["Not known", schedule.problem]]
      : schedule.always ? [["Now", "open: it has no schedule"]]
        : [["Now", schedule.open ? "open" : "closed"],
          ...(schedule.open ? ["closes", "opens"] : ["opens", "closes"])
            .map((name, i) => [`${i === 0 ? "Next" : "Then"}: ${name}`, moment_text(schedule, name)])];
    this.schedule.replaceChildren(...facts.map(([name, value]) => el("div", { class: name === "Now" ? null : "broad" }, el("dt", {}, name), el("dd", {}, value))));
    set_text(this.source, source === "engine" ? "As the engine has it now."
      : source === "file" ? `As the file said when the monitor was started, for the engine cannot be asked: ${problem}.`
        : `Not known: ${problem}.`);
    const shown = configuration.filter(({ said }) => said || this.scope === "all");
    this.body.replaceChildren(...shown.map(({ key, value, said }) => el("tr", {},
      el("th", { scope: "row" }, key), el("td", { class: "value" }, value), el("td", { class: "muted" }, said ? "" : "default"))));
  }

  /// The spans count on between two readings.
  redraw() {
    this.show();
  }
}
