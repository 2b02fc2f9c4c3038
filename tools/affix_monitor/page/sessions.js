// SPDX-License-Identifier: MIT
// The first page: how things stand, what went wrong last, and every session in a table.

import { action_buttons } from "./actions.js";
import { el, set_attribute, set_text, when_quiet } from "./dom.js";
import { bytes_text, count_text, latency_text, rate_text, record_time_text, short_span_text } from "./format.js";
import { engines, live, now_ns, open_alerts, several } from "./live.js";
import { address, connection_text, fill_link, fill_state, link, panel, stopped_word } from "./parts.js";
import { in_utc } from "./preferences.js";
import { reason, subject, title } from "./message_text.js";
import { MessageSearch } from "./search.js";
import { SortedTable } from "./table.js";

const problems_shown = 5;
const problems_wanted = 2 * problems_shown;  // A reject and what it rejects are shown as one.
const problems_every_ms = 3000;

const p = (name, which) => (row) => {
  const latency = row.latencies?.[name];
  return latency?.count > 0 ? latency[which] : -1;
};
const latency_column = (name, which, head, what) => ({
  name: `${name}_${which}`, head, numeric: true, class: which === "p50" ? "wide widest" : "wide", title: what, value: p(name, which),
  text: (row) => {
    const value = p(name, which)(row);
    return latency_text(value < 0 ? null : value);
  },
});
const counter = (row, name) => row.counters?.[name] ?? 0;
const last_activity = (row) => Math.max(counter(row, "last_received"), counter(row, "last_sent"));
/// Bytes that the peer has not taken yet, and messages that wait for a logon.
const waiting = (row) => [counter(row, "output_waiting"), counter(row, "messages_queued")];
const rejects = (row) => counter(row, "rejects_received") + counter(row, "rejects_sent");

function fill_name(cell, row) {
  if (!cell.firstChild) {
    cell.append(el("a", {}), el("span", { class: "below narrow" }));
  }
  set_attribute(cell.firstChild, "href", address("session", row.name));
  set_text(cell.firstChild, row.name);
  set_text(cell.lastChild, [row.sending_stopped && stopped_word, row.state, row.target].filter(Boolean).join(", "));
}

function fill_alerts(cell, row) {
  if (row.alerts > 0) {
    const open = row.alerts_open > 0;
    fill_link(cell, address("alerts"), open ? `\u25b2 ${row.alerts_open}` : `\u2713 ${row.alerts}`);
    set_attribute(cell.firstChild, "class", open ? "bad" : "muted");
    set_attribute(cell.firstChild, "title", open ? "Alerts that are open" : "Alerts that are acknowledged or silenced");
  } else if (cell.firstChild) {
    cell.replaceChildren();
  }
}

function fill_connection(cell, row) {
  const text = connection_text(row, now_ns());
  set_text(cell, text);
  set_attribute(cell, "title", row.peer ? null : text);
}

function fill_rejects(cell, row) {
  if (rejects(row) > 0) {
    fill_link(cell, address("messages", null, { session: row.name, problems: "1" }), count_text(rejects(row)),
      { title: "Look at what was rejected" });
  } else if (cell.firstChild) {
    cell.replaceChildren();
  }
}

const columns = [
  { name: "state", head: "State", class: "state-cell", value: (row) => row.state, fill: fill_state },
  { name: "session", head: "Session", class: "session", value: (row) => row.name, fill: fill_name },
  { name: "alerts", head: "Alerts", class: "alerts", numeric: true, value: (row) => row.alerts_open * 1e6 + row.alerts, fill: fill_alerts },
  { name: "since", head: "For", class: "wide", numeric: true, title: "How long it has been so", value: (row) => -row.state_since_ns,
    text: (row) => (row.state_since_ns ? short_span_text(now_ns() - row.state_since_ns) : "") },
  { name: "role", head: "Role", class: "wide wider", value: (row) => row.role, text: (row) => row.role },
  { name: "ids", head: "Our \u2192 their ID", class: "wide ids", value: (row) => `${row.sender} ${row.target}`,
    text: (row) => `${row.sender} \u2192 ${row.target}` },
  { name: "connection", head: "Connection", class: "wide connection",
    title: "The peer\u2019s address; else who disabled the session, or who ended its last connection, and why",
    value: (row) => connection_text(row, now_ns()), fill: fill_connection },
  { name: "version", head: "Version", class: "wide widest", value: (row) => row.begin_string, text: (row) => row.begin_string },
  { name: "in", head: "In/s", numeric: true, title: "Messages received a second", value: (row) => row.rates?.received_per_s ?? 0,
    text: (row) => rate_text(row.rates?.received_per_s ?? null) },
  { name: "out", head: "Out/s", numeric: true, title: "Messages sent a second", value: (row) => row.rates?.sent_per_s ?? 0,
    text: (row) => rate_text(row.rates?.sent_per_s ?? null) },
  { name: "next_in", head: "Next in", class: "wide", numeric: true, title: "Number that the peer\u2019s next message is to have",
    value: (row) => row.next_expected ?? 0, text: (row) => count_text(row.next_expected) },
  { name: "next_out", head: "Next out", class: "wide", numeric: true, title: "Number that our next message will have",
    value: (row) => row.next_outgoing ?? 0, text: (row) => count_text(row.next_outgoing) },
  { name: "last", head: "Last", class: "wide", numeric: true, title: "How long ago the last message of either side was", value: last_activity,
    text: (row) => (last_activity(row) ? short_span_text(now_ns() - last_activity(row)) : "never") },
  latency_column("socket_to_application", "p50", "App p50", "From the read that brought a message to the application\u2019s callback, since the start"),
  latency_column("socket_to_application", "p99", "App p99", "From the read that brought a message to the application\u2019s callback, since the start"),
  latency_column("application_to_socket", "p50", "Out p50", "From a message\u2019s commit to its being with the transport, since the start"),
  latency_column("application_to_socket", "p99", "Out p99", "From a message\u2019s commit to its being with the transport, since the start"),
  { name: "waiting", head: "Queue", class: "wide", numeric: true, title: "Bytes that the peer has not taken, and messages that wait for a logon",
    value: (row) => waiting(row)[0] + waiting(row)[1],
    text: (row) => {
      const [bytes, messages] = waiting(row);
      return [bytes > 0 ? bytes_text(bytes) : "", messages > 0 ? `${count_text(messages)} msg` : ""].filter(Boolean).join(" + ") || "0";
    } },
  { name: "rejects", head: "Rejects", class: "wide", numeric: true, title: "Reject messages (35=3) of both sides since the start", value: rejects,
    fill: fill_rejects },
];

/// Text that the filter searches; the name includes the engine's if there are several.
const searched = (row) => [row.name, row.instance, row.state, row.sending_stopped ? stopped_word : "", row.role, row.sender, row.target, row.begin_string,
  row.peer, row.disabled_by, row.last_end].join(" ").toLowerCase();

/// A number with its name, which leads somewhere.
function tile(label, to) {
  const value = el("strong", {}, "\u2013");
  return { value, element: el("a", { class: "tile", href: to }, el("span", {}, label), value) };
}

/// The latest rejects of all sessions with their reasons, each a link to the refused order.
class LatestProblems {
  constructor() {
    this.list = el("ol", { class: "latest" });
    this.element = panel("Latest rejects", this.list,
      el("p", { class: "more" }, link(address("messages", null, { problems: "1" }), "All of them")));
    this.element.classList.add("latest-panel");
    this.search = new MessageSearch({ problems: "1" }, () => this.show());
    this.search.go_on(problems_wanted);
    this.timer = setInterval(() => document.hidden || this.search.follow(), problems_every_ms);
  }

  close() {
    clearInterval(this.timer);
    this.search.stop();
  }

  show() {
    const rejects_only = this.search.messages.filter((message) => !message.rejected_by).slice(0, problems_shown);
    const text = `${in_utc()} ${this.search.running} ${this.search.failure?.message} ${rejects_only.map(({ id }) => id)}`;
    if (text === this.text) {
      return;
    }
    this.text = text;
    if (rejects_only.length === 0) {
      this.list.replaceChildren(el("li", { class: "muted" },
        this.search.failure ? this.search.failure.message : this.search.running ? "Searching\u2026" : "Nothing was rejected."));
      return;
    }
    this.list.replaceChildren(...rejects_only.map((message) => el("li", {},
      el("a", { href: address("messages", null, { problems: "1", id: message.id }) },
        el("span", { class: "time" }, record_time_text(message.time, in_utc(), 3)),
        el("span", { class: "who" }, message.session),
        el("span", { class: "what" }, [title(message), message.summary?.ClOrdID, subject(message)].filter(Boolean).join(" \u00b7 ")),
        el("span", { class: "bad" }, `\u2717 ${reason(message)}`)))));
  }

  redraw() {
    this.show();
  }
}

const engine_signs = { up: ["good", "\u25cf", "running"], ended: ["bad", "\u25cb", "ended"], killed: ["bad", "\u25cb", "killed"], unknown: ["bad", "\u25cb", "not seen"] };

/// The engines side by side, each with how it stands; a click shows its sessions alone. Empty where
/// there is one.
class EngineChoice {
  constructor(choose) {
    this.choose = choose;
    this.buttons = new Map();
    this.element = el("div", { class: "engines", role: "group", "aria-label": "Engines" });
  }

  button(name) {
    if (!this.buttons.has(name)) {
      const parts = ["name", "state", "muted", "bad"].map((part) => el("span", { class: part }));
      const button = el("button", { type: "button", class: "engine", on: { click: () => this.choose(name) } }, parts);
      this.buttons.set(name, { button, parts });
      this.element.append(button);
    }
    return this.buttons.get(name);
  }

  show(chosen) {
    if (!several()) {
      return;
    }
    const fill = (key, name, tone, state, counted, alerts) => {
      const { button, parts } = this.button(key);
      set_attribute(button, "aria-pressed", key === chosen);
      set_attribute(parts[1], "class", `state ${tone}`);
      [name, state, counted, alerts].forEach((text, i) => set_text(parts[i], text));
    };
    const all = engines();
    const sum = (member) => all.reduce((total, engine) => total + engine[member], 0);
    const open_text = (count) => (count > 0 ? `\u25b2 ${count_text(count)}` : "");
    fill("", "All engines", "muted", `${all.filter(({ status }) => status === "up").length} of ${all.length} running`,
      `${count_text(sum("sessions_up"))} / ${count_text(sum("sessions"))} on`, open_text(sum("alerts_open")));
    for (const engine of all) {
      const [tone, sign, word] = engine_signs[engine.status] ?? ["bad", "?", engine.status];
      fill(engine.name, engine.name, tone, `${sign} ${word}${engine.status_since_ns ? `, ${short_span_text(now_ns() - engine.status_since_ns)}` : ""}`,
        `${count_text(engine.sessions_up)} / ${count_text(engine.sessions)} on`, open_text(engine.alerts_open));
    }
  }
}

export class SessionsView {
  constructor(root, route) {
    this.filter_text = route.parameters.filter ?? "";
    this.engine = route.parameters.engine ?? "";
    this.engines = new EngineChoice((name) => { this.engine = name; this.keep(); this.update(); });
    this.table = new SortedTable({
      columns, key: (row) => row.name, link: (row) => address("session", row.name), caption: "Sessions",
      sort: route.parameters.sort ?? "session", reverse: route.parameters.reverse === "1", on_sort: () => this.keep(),
      row_class: (row) => [row.alerts_open > 0 || row.sending_stopped ? "problem" : "", this.down?.has(row.engine) ? "of-down" : ""].join(" ").trim() || null,
    });
    this.input = el("input", {
      type: "search", placeholder: "Filter: name, CompID, state\u2026", "aria-label": "Filter sessions", autocomplete: "off", spellcheck: "false",
      value: this.filter_text,
      on: { input: when_quiet(80, () => { this.filter_text = this.input.value; this.keep(); this.update(); }) },
    });
    this.shown = el("span", { class: "muted", role: "status" });
    this.up = tile("Logged on", address("sessions"));
    this.received = tile("In/s", address("sessions", null, { sort: "in" }));
    this.sent = tile("Out/s", address("sessions", null, { sort: "out" }));
    this.alerts = tile("Alerts", address("alerts"));
    this.latest = new LatestProblems();
    this.actions = el("div", { class: "engine-actions", hidden: true }, action_buttons("engine", null, () => this.engine || null));
    root.append(el("h1", { class: "unseen" }, "Sessions"), this.engines.element,
      el("div", { class: "overview" }, el("div", { class: "tiles" }, [this.up, this.received, this.sent, this.alerts].map(({ element }) => element)),
        this.latest.element),
      el("div", { class: "bar" }, this.input, this.shown, this.actions), this.table.element);
    this.update();
  }

  close() {
    this.latest.close();
    this.table.close();
  }

  /// Puts what was chosen into the address without a step in the browser's history.
  keep() {
    const { sort, reverse } = this.table;
    history.replaceState(null, "", address("sessions", null, {
      engine: this.engine, filter: this.filter_text, sort: sort === "session" ? "" : sort, reverse: reverse ? "1" : "",
    }));
  }

  route({ parameters }) {
    this.filter_text = parameters.filter ?? "";
    this.engine = parameters.engine ?? "";
    this.input.value = this.filter_text;
    const sort = parameters.sort ?? "session";
    if (columns.some(({ name }) => name === sort)) {
      this.table.sort = sort;
      this.table.reverse = parameters.reverse === "1";
      this.table.mark_sort();
    }
    this.update();
  }

  update() {
    const { state } = live;
    if (!state) {
      this.table.show([], live.failure ? "" : "Reading\u2026");
      return;
    }
    const wanted = this.filter_text.trim().toLowerCase();
    const down = new Set(several() ? state.engines.filter(({ status }) => status !== "up").map(({ name }) => name) : []);
    this.down = down;
    this.engines.show(this.engine);
    const sessions = this.engine ? state.sessions.filter((row) => row.engine === this.engine) : state.sessions;
    const rows = wanted ? sessions.filter((row) => searched(row).includes(wanted)) : sessions;
    this.table.show(rows, sessions.length > 0 ? "No session fits the filter." : "There are no sessions.");
    set_text(this.shown, wanted ? `${count_text(rows.length)} of ${count_text(sessions.length)}` : `${count_text(rows.length)} sessions`);
    const on = sessions.filter((row) => row.state === "logged on" && !down.has(row.engine)).length;
    set_text(this.up.value, `${count_text(on)} / ${count_text(sessions.length)}`);
    const sum = (name) => sessions.reduce((total, row) => total + (row.rates?.[name] ?? 0), 0);
    set_text(this.received.value, rate_text(sum("received_per_s")));
    set_text(this.sent.value, rate_text(sum("sent_per_s")));
    const of_engine = ({ engine }) => !this.engine || engine === this.engine;
    const open = open_alerts().filter(of_engine).length;
    const all = state.alerts.filter(of_engine).length;
    set_text(this.alerts.value, open === all ? count_text(open) : `${count_text(open)} / ${count_text(all)}`);
    set_attribute(this.alerts.value, "class", open > 0 ? "bad" : null);
    set_attribute(this.alerts.element, "title", open === all ? null : "Open, of all that hold: the others are acknowledged or silenced");
    this.actions.hidden = !state.monitor.operate;
  }

  redraw() {
    this.latest.redraw();
    this.update();
  }
}
