// SPDX-License-Identifier: MIT
// The browser of messages: a form that says what is looked for, what was found, and how far back.

import { el, set_text, when_quiet } from "./dom.js";
import { count_text, time_text } from "./format.js";
import { engines, live, several } from "./live.js";
import { MessagePane } from "./message.js";
import { message_columns } from "./message_text.js";
import { address, Problems } from "./parts.js";
import { in_utc } from "./preferences.js";
import { MessageSearch } from "./search.js";
import { SortedTable } from "./table.js";

const follow_ms = 2000;

/// The fields of the form: name in the address and the interface, label, what to type.
const fields = [
  ["clordid", "ClOrdID", "ALICE-7"],
  ["symbol", "Symbol", "IBM"],
  ["type", "Type", "D,8 or a name"],
  ["tag", "Tag", "54=Buy, 44, 58~limit"],
  ["text", "Text", "anywhere"],
  ["from", "From", "09:30"],
  ["to", "To", "10:00:15.5"],
];
const switches = [
  ["problems", "Problems only"],
  ["session_messages", "Heartbeats"],
  ["events", "Events"],
];

/// Converts a typed time to the interface's form: a time of today, or with its date. Passes other text
/// on unchanged; the monitor's error names the form.
export function time_parameter(text, utc, now = new Date()) {
  const found = /^(?:(\d{4})-(\d\d)-(\d\d)(?:[ T]+|$))?(?:(\d\d?):(\d\d)(?::(\d\d)(\.\d{1,9})?)?)?$/.exec(text.trim());
  if (!found || text.trim() === "") {
    return text.trim();
  }
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = ""] = found;
  const date = year
    ? [year, month - 1, day]
    : utc ? [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()] : [now.getFullYear(), now.getMonth(), now.getDate()];
  const ms = utc ? Date.UTC(...date, hour, minute, second) : new Date(...date, hour, minute, second).getTime();
  return new Date(ms).toISOString().replace(/\.\d+Z$/, `${fraction}Z`);
}

export class MessagesView {
  constructor(root, route) {
    this.parameters = {};
    this.pane = new MessagePane({
      address_of: (id) => address("messages", null, { ...this.parameters, id }),
      close: () => address("messages", null, this.parameters),
    });
    this.table = new SortedTable({
      columns: message_columns((row) => this.pane.address_of(row.id)), key: (row) => row.id,
      link: (row) => this.pane.address_of(row.id), caption: "Messages", table_class: "of-messages", sort: "time",
      row_class: (row) => [row.problem ? "problem" : "", row.id === this.pane.shown ? "chosen" : ""].join(" ").trim(),
    });
    this.progress = el("p", { class: "progress", role: "status" });
    this.stop_button = el("button", { type: "button", on: { click: () => this.search.stop() } }, "Stop");
    this.on_button = el("button", { type: "button", on: { click: () => this.search.go_on() } }, "Search further back");
    this.follow = el("input", { type: "checkbox", on: { change: () => this.set_follow() } });
    this.problems = new Problems();
    this.form = this.make_form();
    root.append(el("h1", { class: "unseen" }, "Messages"), this.form,
      el("div", { class: "bar" }, this.progress, this.stop_button, this.on_button,
        el("label", { class: "switch" }, this.follow, "Follow")),
      this.problems.element,
      el("div", { class: "split" }, this.table.element, this.pane.element));
    this.escape = (event) => {
      if (event.key === "Escape" && !this.pane.element.hidden && !document.querySelector("dialog[open]")) {
        location.hash = this.pane.close_address();
      }
    };
    document.addEventListener("keydown", this.escape);
    this.route(route);
  }

  close() {
    document.removeEventListener("keydown", this.escape);
    clearInterval(this.following);
    this.search?.stop();
    this.pane.close();
    this.table.close();
  }

  make_form() {
    const submit_soon = when_quiet(400, () => this.submit());
    this.inputs = new Map();
    this.session = el("select", { name: "session", on: { change: () => this.submit() } });
    this.direction = el("select", { name: "direction", on: { change: () => this.submit() } },
      el("option", { value: "" }, "both"), el("option", { value: "in" }, "in"), el("option", { value: "out" }, "out"));
    this.engine = el("select", { name: "engine", on: { change: () => this.submit() } });
    this.engine_label = el("label", { hidden: true }, "Engine", this.engine);
    this.inputs.set("engine", this.engine);
    this.inputs.set("session", this.session);
    this.inputs.set("direction", this.direction);
    const texts = fields.map(([name, label, hint]) => {
      const input = el("input", { type: "search", name, placeholder: hint, autocomplete: "off", spellcheck: "false", on: { input: submit_soon } });
      this.inputs.set(name, input);
      return el("label", { class: `field-${name}` }, label, input);
    });
    const boxes = switches.map(([name, label]) => {
      const input = el("input", { type: "checkbox", name, on: { change: () => this.submit() } });
      this.inputs.set(name, input);
      return el("label", { class: "switch" }, input, label);
    });
    return el("form", {
      class: "search panel", role: "search", "aria-label": "Messages",
      on: {
        submit: (event) => {
          event.preventDefault();
          this.submit();
        },
      },
    },
    this.engine_label, el("label", {}, "Session", this.session), el("label", {}, "Way", this.direction), texts,
    el("div", { class: "switches" }, boxes,
      el("button", { type: "button", class: "quiet", on: { click: () => { location.hash = address("messages"); } } }, "Clear")));
  }

  /// The sessions there are, and the chosen one even when it is not among them.
  fill_sessions(chosen) {
    this.fill_engines(this.parameters.engine);
    const within = this.parameters.engine;
    const names = (live.state?.sessions ?? []).filter(({ engine }) => !within || engine === within).map(({ name }) => name);
    if (chosen && !names.includes(chosen)) {
      names.push(chosen);
    }
    const text = names.join("\n");
    if (text !== this.session_names) {
      this.session_names = text;
      this.session.replaceChildren(el("option", { value: "" }, "all"), ...names.sort().map((name) => el("option", { value: name }, name)));
    }
    this.session.value = chosen ?? "";
  }

  /// The engines there are, where there are several; and the chosen one even when it is not among them.
  fill_engines(chosen) {
    const names = several() ? engines().map(({ name }) => name) : [];
    if (chosen && !names.includes(chosen)) {
      names.push(chosen);
    }
    this.engine_label.hidden = names.length === 0;
    const text = names.join("\n");
    if (text !== this.engine_names) {
      this.engine_names = text;
      this.engine.replaceChildren(el("option", { value: "" }, "all"), ...names.map((name) => el("option", { value: name }, name)));
    }
    this.engine.value = chosen ?? "";
  }

  /// Puts the form's values into the address.
  submit() {
    const said = {};
    for (const [name, input] of this.inputs) {
      said[name] = input.type === "checkbox" ? (input.checked ? "1" : "") : input.value.trim();
    }
    const next = address("messages", null, said);
    if (next !== address("messages", null, this.parameters)) {
      location.replace(next);
    }
  }

  /// The address has changed: another search, or another message of the same.
  route({ parameters }) {
    const { id = null, ...said } = parameters;
    const text = JSON.stringify(said);
    if (text !== this.said) {
      this.said = text;
      this.parameters = said;
      this.fill_sessions(said.session);
      for (const [name, input] of this.inputs) {
        if (input.type === "checkbox") {
          input.checked = said[name] === "1";
        } else if (name !== "session" && name !== "engine" && input !== document.activeElement) {
          input.value = said[name] ?? "";
        }
      }
      this.start();
    }
    this.pane.show(id);
    this.table.draw();
  }

  start() {
    this.search?.stop();
    const asked = { ...this.parameters };
    for (const name of ["from", "to"]) {
      asked[name] = asked[name] && time_parameter(asked[name], in_utc());
    }
    const search = new MessageSearch(asked, () => search === this.search && this.show());
    this.search = search;
    this.show();
    search.go_on();
  }

  set_follow() {
    clearInterval(this.following);
    if (this.follow.checked) {
      this.following = setInterval(() => document.hidden || this.search.follow(), follow_ms);
      this.search.follow();
    }
  }

  show() {
    const search = this.search;
    search.messages.forEach((message, i) => { message.order = i; });
    this.table.show(search.messages, search.running ? "Searching\u2026" : search.failure ? "" : "No message was found.");
    this.problems.show(search.problems);
    this.stop_button.hidden = !search.running;
    this.on_button.hidden = search.running || search.complete;
    set_text(this.progress, this.progress_text());
    this.progress.classList.toggle("bad", search.failure !== null);
  }

  progress_text() {
    const search = this.search;
    const found = `${count_text(search.messages.length)} found`;
    if (search.failure) {
      return search.failure.status === 410 ? `${found}. The monitor has forgotten this search: begin it again.` : search.failure.message;
    }
    if (search.complete) {
      return `${found}, everything searched${search.left_out ? "; there were too many to follow them all" : ""}`;
    }
    return search.searched_to_ns
      ? `${found}, searched back to ${time_text(search.searched_to_ns, in_utc())}` : found;
  }

  update() {
    this.fill_sessions(this.parameters.session);
  }

  /// Times are shown in another zone now.
  redraw() {
    this.show();
    this.pane.draw();
  }
}
