// SPDX-License-Identifier: MIT
// One order's life: every message about it, under all its names and over all sessions, in order of
// time, with what each step took.

import { get } from "./api.js";
import { el, set_text } from "./dom.js";
import { count_text, latency_text, record_time_text, time_text } from "./format.js";
import { MessagePane } from "./message.js";
import { reason, subject, title } from "./message_text.js";
import { address, Facts, Problems } from "./parts.js";
import { in_utc } from "./preferences.js";

const lanes_max = 4;  // More sessions than that are named beside each step only.

/// Colour of an OrdStatus: may still trade, has traded, or never will.
const status_tones = { 0: "good", 1: "good", 2: "good", 4: "muted", 5: "good", 8: "bad", C: "muted", 3: "muted" };

export class OrderView {
  constructor(root, route) {
    this.input = el("input", { type: "search", name: "clordid", required: true, placeholder: "ClOrdID", "aria-label": "ClOrdID",
      autocomplete: "off", spellcheck: "false" });
    this.heading = el("h1", {}, "An order\u2019s life");
    this.status = el("span", {});
    this.progress = el("p", { class: "progress", role: "status" });
    this.stop_button = el("button", { type: "button", hidden: true, on: { click: () => this.stop() } }, "Stop");
    this.on_button = el("button", { type: "button", hidden: true, on: { click: () => this.read() } }, "Go on");
    this.facts = new Facts([["Names"], ["Sessions"], ["Filled"], ["Average price"], ["First seen"], ["Lasted"], ["Requests answered"], ["Open"]]);
    this.facts.element.hidden = true;
    this.problems = new Problems();
    this.steps = el("ol", { class: "life" });
    this.list = el("div", { class: "scroller life-scroller", hidden: true }, this.steps);
    this.pane = new MessagePane({ address_of: (id) => this.address_with(id), close: () => this.address_with("") });
    root.append(
      el("header", { class: "title" }, this.heading, this.status,
        el("form", {
          class: "find",
          on: {
            submit: (event) => {
              event.preventDefault();
              location.hash = address("order", this.input.value.trim());
            },
          },
        }, this.input, el("button", { type: "submit" }, "Show"))),
      this.facts.element, el("div", { class: "bar" }, this.progress, this.stop_button, this.on_button), this.problems.element,
      el("div", { class: "split" }, this.list, this.pane.element));
    this.escape = (event) => {
      if (event.key === "Escape" && !this.pane.element.hidden) {
        location.hash = this.pane.close_address();
      }
    };
    document.addEventListener("keydown", this.escape);
    this.route(route);
  }

  close() {
    document.removeEventListener("keydown", this.escape);
    this.stop();
    this.pane.close();
  }

  address_with(id) {
    return address("order", this.name, { ...this.asked, id });
  }

  route({ name, parameters }) {
    const { id = null, near, session } = parameters;
    this.asked = { near, session };
    const text = JSON.stringify([name, session]);
    if (text !== this.said) {
      this.said = text;
      this.name = name;
      this.start();
    }
    this.pane.show(this.name === null ? null : id);
    this.mark();
  }

  start() {
    this.stop();
    this.order = null;
    this.cursor = null;
    this.failure = null;
    this.input.value = this.name ?? "";
    set_text(this.heading, this.name === null ? "An order\u2019s life" : `Order ${this.name}`);
    this.status.replaceChildren();
    this.facts.element.hidden = true;
    this.list.hidden = true;
    this.problems.show([]);
    if (this.name === null) {
      set_text(this.progress, "Any name that the order ever had will do: it is followed over replacements and sessions.");
      this.input.focus();
      this.stop_button.hidden = true;
      this.on_button.hidden = true;
    } else {
      this.read();
    }
  }

  stop() {
    this.stopping?.abort();
  }

  async read() {
    this.stop();
    const stopping = this.stopping = new AbortController();
    this.failure = null;
    this.running = true;
    this.show();
    try {
      do {
        this.order = await get("order", { clordid: this.name, ...this.asked, cursor: this.cursor }, stopping.signal);
        this.cursor = this.order.cursor;
        this.show();
      } while (!this.order.complete && this.cursor !== null && !stopping.signal.aborted);
    } catch (failure) {
      if (!stopping.signal.aborted) {
        this.failure = failure;
        if (failure.status === 410) {
          this.cursor = null;
        }
      }
    }
    if (this.stopping === stopping) {
      this.running = false;
      this.show();
    }
  }

  show() {
    const { order } = this;
    this.stop_button.hidden = !this.running;
    this.on_button.hidden = this.running || Boolean(order?.complete) || this.failure?.status === 404;
    this.progress.classList.toggle("bad", this.failure !== null);
    const steps = order ? `${count_text(order.steps.length)} ${order.steps.length === 1 ? "message" : "messages"}` : "";
    set_text(this.progress, this.failure ? this.failure.message
      : !order ? "Searching the journals\u2026"
      : order.complete ? (order.steps.length > 0 ? `${steps}, everything searched` : "No journal has an order of this name.")
      : order.searched_to_ns ? `${steps}, searched back to ${time_text(order.searched_to_ns, in_utc())}` : `${steps} so far`);
    if (!order) {
      return;
    }
    this.problems.show(order.problems ?? []);
    this.show_facts();
    this.show_steps();
  }

  show_facts() {
    const { order, facts } = this;
    facts.element.hidden = order.steps.length === 0;
    this.status.replaceChildren(...(order.status_name
      ? [el("span", { class: `state ${status_tones[order.status] ?? "warning"}` }, order.status_name.replaceAll("_", " ").toLowerCase())] : []));
    facts.set("Names", order.names.join(", "));
    facts.set("Sessions", order.sessions.join(", "));
    facts.set("Filled", order.cum_qty || "\u2013");
    facts.set("Average price", order.avg_px || "\u2013");
    facts.set("First seen", order.steps.length > 0 ? record_time_text(order.steps[0].time, in_utc()) : "\u2013");
    facts.set("Lasted", order.steps.length > 0 ? latency_text(order.last_ns - order.first_ns) : "\u2013");
    facts.set("Requests answered", count_text(order.requests_answered));
    facts.set("Open", count_text(order.requests_open), order.requests_open > 0 ? "warning" : null);
  }

  show_steps() {
    const { order } = this;
    const lanes = order.sessions.length <= lanes_max ? order.sessions : [];
    this.list.hidden = order.steps.length === 0;
    this.steps.replaceChildren(
      ...(lanes.length > 0 ? [el("li", { class: "lanes", "aria-hidden": "true" }, el("span", {}), el("span", { class: `tracks tracks-${lanes.length}` },
        lanes.map((lane) => el("span", {}, lane))), el("span", {}))] : []),
      ...order.steps.map((step) => this.step(step, lanes)));
    this.mark();
  }

  /// Where the step stands beside the others says which session it was on, and its arrow which way.
  step(step, lanes) {
    const why = reason(step);
    const arrow = step.direction === "out" ? "\u2192 out" : step.direction === "in" ? "\u2190 in" : "\u2022";
    const mark = el("span", { class: `arrow ${step.direction ?? ""}${step.problem ? " bad" : ""}` }, arrow);
    const lane = lanes.indexOf(step.session);
    const element = el("li", { class: step.problem ? "problem" : null },
      el("span", { class: "when" }, el("span", { class: "time", title: step.time }, record_time_text(step.time, in_utc())),
        el("span", { class: "delta" }, step.since_previous_ns ? `+${latency_text(step.since_previous_ns)}` : "")),
      lane >= 0 ? el("span", { class: `tracks tracks-${lanes.length}` }, lanes.map((_, i) => el("span", {}, i === lane ? mark : null)))
        : el("span", { class: "tracks tracks-1" }, mark),
      el("span", { class: "what" },
        el("a", { href: this.address_with(step.id) }, title(step)),
        el("span", { class: "who" }, `${step.session}${step.seq ? ` #${step.seq}` : ""}`),
        step.answered_in_same_turn || (step.answered_in_ns !== null && step.answered_in_ns !== undefined)
          ? el("span", { class: "answered", title: "From its request on this session, by the times in the journal, which are of a turn of the engine" },
            step.answered_in_same_turn ? "answers in the same turn" : `answers after ${latency_text(step.answered_in_ns)}`) : null,
        el("span", { class: "about" },
          [names_of(step), subject(step)].filter(Boolean).join(" \u00b7 ")),
        why ? el("span", { class: "bad" }, `\u2717 ${why}`) : null));
    element.step_id = step.id;
    return element;
  }

  mark() {
    for (const element of this.steps.children) {
      element.classList.toggle("chosen", element.step_id !== undefined && element.step_id === this.pane.shown);
    }
  }

  update() {}

  redraw() {
    this.show();
    this.pane.draw();
  }
}

/// "A-1 => A-2" where a message gives an order a new name, else the name.
function names_of(step) {
  const { ClOrdID: name, OrigClOrdID: before } = step.summary ?? {};
  return before && name && before !== name ? `${before} \u21d2 ${name}` : name ?? before ?? "";
}
