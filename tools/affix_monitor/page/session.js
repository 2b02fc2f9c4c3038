// SPDX-License-Identifier: MIT
// One session: how it stands, how fast it is and was, all that is counted, and its latest messages.

import { action_buttons } from "./actions.js";
import { get } from "./api.js";
import { ConfigurationPanels } from "./configuration.js";
import { TimeChart } from "./chart.js";
import { el, set_text } from "./dom.js";
import { ago_text, bytes_text, count_text, latency_text, rate_text, span_text, time_text } from "./format.js";
import { live, now_ns, session_named } from "./live.js";
import { message_columns } from "./message_text.js";
import { address, choice, Facts, failure_text, fill_state, link, panel, Problems } from "./parts.js";
import { in_utc } from "./preferences.js";
import { MessageSearch } from "./search.js";
import { SortedTable } from "./table.js";

const latest_shown = 20;
const follow_ms = 2000;
const spans = [[300, "5 min"], [600, "10 min"], [3600, "1 h"], [21600, "6 h"]];

/// Names as they are in /api/state, and what they say to a person.
export const latency_names = [
  ["socket_to_application", "In: socket to application"],
  ["callback", "Application\u2019s callback"],
  ["append", "Journal append"],
  ["application_to_socket", "Out: application to socket"],
  ["round_trip", "Round trip (TestRequest)"],
];
const percentiles = [["p50", "p50"], ["p90", "p90"], ["p99", "p99"], ["p999", "p99.9"], ["max", "largest"]];
const counter_groups = [
  ["Messages", ["messages_received", "messages_sent", "application_received", "application_sent", "messages_resent", "messages_held", "garbled"]],
  ["Bytes", ["bytes_received", "bytes_sent"]],
  ["Trouble", ["rejects_received", "rejects_sent", "gaps", "resend_requests_received", "resend_requests_sent", "disconnections", "logons"]],
  ["Limits and queues", ["receives_throttled", "sends_throttled", "sends_refused", "messages_queued", "queued_high_water", "output_waiting", "output_high_water",
    "journal_memory_refused"]],
];
const in_bytes = new Set(["bytes_received", "bytes_sent", "output_waiting", "output_high_water"]);
const shown_elsewhere = new Set(["state", "state_since", "next_outgoing", "next_expected", "last_received", "last_sent", "sending_stopped",
  "connected_since", "last_logon", "last_disconnect", "disabled_since"]);

const plain = (name) => name.replaceAll("_", " ");

/// An answer of /api/history as points of a chart, or those of several merged by time.
export function history_points(named) {
  const points = new Map();
  for (const [name, answer, values] of named) {
    answer.times_ns.forEach((time_ns, i) => {
      const point = points.get(time_ns) ?? { time_ns };
      point[name] = values[i];
      points.set(time_ns, point);
    });
  }
  return [...points.values()].sort((a, b) => a.time_ns - b.time_ns);
}

/// Charts of a session over a span that the reader chooses.
class SessionCharts {
  constructor(session) {
    this.session = session;
    this.latency = latency_names[0][0];
    this.seconds = 600;
    this.latency_chart = new TimeChart({ title: "Latency", unit: "latency",
      series: [{ name: "p50", label: "p50" }, { name: "p99", label: "p99" }, { name: "p999", label: "p99.9" }, { name: "max", label: "largest" }] });
    this.rate_chart = new TimeChart({ title: "Messages a second", unit: "rate",
      series: [{ name: "received", label: "received" }, { name: "sent", label: "sent" }] });
    this.byte_chart = new TimeChart({ title: "Bytes a second", unit: "byte_rate",
      series: [{ name: "received", label: "received" }, { name: "sent", label: "sent" }] });
    this.which = el("select", {
      "aria-label": "Latency",
      on: { change: () => { this.latency = this.which.value; this.read(); } },
    }, latency_names.map(([name, label]) => el("option", { value: name }, label)));
    this.failed = el("div", {});
    this.element = el("div", { class: "charts" },
      el("div", { class: "bar" }, this.which,
        choice("Time shown", spans, this.seconds, (seconds) => { this.seconds = seconds; this.read(); })),
      this.failed, this.latency_chart.element,
      el("div", { class: "pair" }, this.rate_chart.element, this.byte_chart.element));
    this.read();
  }

  close() {
    clearTimeout(this.timer);
    this.closed = true;
    this.latency_chart.close();
    this.rate_chart.close();
    this.byte_chart.close();
  }

  async read() {
    clearTimeout(this.timer);
    const round = this.round = (this.round ?? 0) + 1;
    const { session, seconds } = this;
    const ask = (what) => get("history", { session, seconds, ...what });
    try {
      if (!document.hidden) {
        const [latency, ...counters] = await Promise.all([ask({ latency: this.latency }),
          ...["messages_received", "messages_sent", "bytes_received", "bytes_sent"].map((counter) => ask({ counter }))]);
        if (this.closed || round !== this.round) {
          return;
        }
        this.failed.replaceChildren();
        this.show(latency, counters);
      }
    } catch (failure) {
      if (this.closed || round !== this.round) {
        return;
      }
      this.failed.replaceChildren(failure_text(failure));
    }
    this.timer = setTimeout(() => this.read(), seconds > 600 ? 10_000 : 2000);
  }

  show(latency, [messages_in, messages_out, bytes_in, bytes_out]) {
    const to_ns = now_ns();
    const from_ns = to_ns - this.seconds * 1e9;
    this.latency_chart.show(history_points(["p50", "p99", "p999", "max"].map((name) => [name, latency, latency[name]])), from_ns, to_ns);
    this.rate_chart.show(history_points([["received", messages_in, messages_in.per_s], ["sent", messages_out, messages_out.per_s]]), from_ns, to_ns);
    this.byte_chart.show(history_points([["received", bytes_in, bytes_in.per_s], ["sent", bytes_out, bytes_out.per_s]]), from_ns, to_ns);
  }

  redraw() {
    this.latency_chart.draw();
    this.rate_chart.draw();
    this.byte_chart.draw();
  }
}

export class SessionView {
  constructor(root, { name }) {
    this.name = name;
    this.state = el("span", {});
    this.since = el("span", { class: "muted" });
    this.missing = el("p", { class: "bad", hidden: true }, "The engine and its configuration know no session of this name.");
    this.stopped = el("p", { class: "halt", role: "status", hidden: true },
      "An operator has stopped this session\u2019s application messages (kill switch). Session messages go on, and what is asked to be resent is gap-filled.");
    this.disabled = el("p", { class: "note", role: "status", hidden: true });
    this.facts = new Facts([
      ["Our CompID"], ["Their CompID"], ["Version"], ["Role"], ["Schedule", "Whether it should be up now"], ["Worker"],
      ["Next out", "MsgSeqNum of our next message"], ["Next in", "MsgSeqNum that the peer\u2019s next message is to have"],
      ["Received"], ["Sent"], ["Last received"], ["Last sent"],
      ["Peer", "Address of the connection"], ["Connected"], ["Last logon"], ["Last disconnect"],
      ["Last end", "Who ended the last connection, and why", "broad"],
    ]);
    this.latencies = el("tbody", {});
    this.counters = new Map();
    this.charts = new SessionCharts(name);
    this.configuration = new ConfigurationPanels(name);
    this.operate = el("section", { class: "panel operate", hidden: true });
    this.problems = new Problems();
    const message = (row) => address("messages", null, { session: name, id: row.id });
    this.table = new SortedTable({ columns: message_columns(message, { with_session: false }), key: (row) => row.id, link: message,
      row_class: (row) => (row.problem ? "problem" : null), caption: "Latest messages", table_class: "of-messages",
      sort: "time", empty: "No message yet." });
    root.append(
      el("header", { class: "title" }, el("h1", {}, name), this.state, this.since,
        el("span", { class: "links" },
          link(address("messages", null, { session: name }), "Messages", { class: "button" }),
          link(address("messages", null, { session: name, problems: "1" }), "Rejects", { class: "button" }))),
      this.missing, this.stopped, this.disabled, el("section", { class: "panel" }, el("h2", { class: "unseen" }, "State"), this.facts.element), this.operate,
      this.charts.element,
      panel("Latencies since the start", el("div", { class: "overflow" }, this.latency_table())),
      this.counter_panel(),
      this.configuration.element,
      el("section", { class: "panel latest-messages" }, el("h2", {}, "Latest messages"), this.problems.element, this.table.element));
    this.search = new MessageSearch({ session: name, session_messages: "1", events: "1" }, () => this.show_messages());
    this.search.go_on(latest_shown);
    this.timer = setInterval(() => document.hidden || this.search.follow(), follow_ms);
    this.update();
  }

  close() {
    clearInterval(this.timer);
    this.search.stop();
    this.charts.close();
    this.configuration.close();
    this.table.close();
  }

  route() {}

  latency_table() {
    return el("table", { class: "plain" }, el("caption", { class: "unseen" }, "Latencies"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Part"), el("th", { scope: "col", class: "number" }, "Measured"),
        percentiles.map(([, label]) => el("th", { scope: "col", class: "number" }, label)))),
      this.latencies);
  }

  counter_panel() {
    this.counter_groups = counter_groups.map(([title, names]) => {
      const facts = new Facts(names.map((name) => [plain(name)]));
      return [names, facts, el("div", { class: "counters" }, el("h3", {}, title), facts.element)];
    });
    this.other_counters = el("div", { class: "counters", hidden: true });
    return panel("Counters", el("div", { class: "counter-groups" }, this.counter_groups.map(([, , element]) => element), this.other_counters));
  }

  update() {
    if (!live.state) {
      return;
    }
    const session = session_named(this.name);
    this.missing.hidden = session !== null;
    if (!session) {
      return;
    }
    fill_state(this.state, session);
    this.stopped.hidden = !session.sending_stopped;
    set_text(this.since, session.state_since_ns ? `for ${span_text(now_ns() - session.state_since_ns)}` : "");
    const { counters = {}, rates } = session;
    const { facts } = this;
    facts.set("Our CompID", session.sender);
    facts.set("Their CompID", session.target);
    facts.set("Version", session.begin_string);
    facts.set("Role", session.role);
    facts.set("Schedule", session.schedule);
    facts.set("Worker", session.worker === undefined || session.worker === null ? "\u2013" : String(session.worker));
    facts.set("Next out", count_text(session.next_outgoing));
    facts.set("Next in", count_text(session.next_expected));
    facts.set("Received", `${count_text(counters.messages_received)} (${rate_text(rates?.received_per_s)}/s)`);
    facts.set("Sent", `${count_text(counters.messages_sent)} (${rate_text(rates?.sent_per_s)}/s)`);
    facts.set("Peer", session.peer || "\u2013");
    facts.set("Last end", session.last_end || "\u2013");
    this.disabled.hidden = !session.disabled_by;
    set_text(this.disabled, session.disabled_by
      ? `Disabled ${session.disabled_by}. Since ${time_text(counters.disabled_since, in_utc())}, ${ago_text(counters.disabled_since, now_ns())}.` : "");
    facts.set("Connected", counters.connected_since
      ? `${time_text(counters.connected_since, in_utc())}, for ${span_text(now_ns() - counters.connected_since)}` : "no");
    for (const [name, which] of [["Last received", "last_received"], ["Last sent", "last_sent"], ["Last logon", "last_logon"],
      ["Last disconnect", "last_disconnect"]]) {
      facts.set(name, counters[which] ? `${time_text(counters[which], in_utc())}, ${ago_text(counters[which], now_ns())}` : "never");
    }
    this.update_latencies(session.latencies ?? {});
    this.update_counters(counters);
    this.update_operate(session);
  }

  update_latencies(latencies) {
    latency_names.forEach(([name, label], i) => {
      if (!this.latencies.children[i]) {
        this.latencies.append(el("tr", {}, el("th", { scope: "row" }, label), el("td", { class: "number" }),
          percentiles.map(() => el("td", { class: "number" }))));
      }
      const cells = this.latencies.children[i].children;
      const latency = latencies[name];
      set_text(cells[1], count_text(latency?.count));
      percentiles.forEach(([which], at) => set_text(cells[2 + at], latency_text(latency?.count > 0 ? latency[which] : null)));
    });
  }

  /// Counters that this page has no place for are shown all the same, under their own names.
  update_counters(counters) {
    const known = new Set(shown_elsewhere);
    const text = (name) => (in_bytes.has(name) && counters[name] >= 1000
      ? `${count_text(counters[name])} (${bytes_text(counters[name])})` : count_text(counters[name]));
    for (const [names, facts] of this.counter_groups) {
      for (const name of names) {
        known.add(name);
        facts.set(plain(name), text(name));
      }
    }
    const others = Object.keys(counters).filter((name) => !known.has(name));
    if (others.length > 0 && this.others?.length !== others.length) {
      this.others = others;
      this.other_facts = new Facts(others.map((name) => [plain(name)]));
      this.other_counters.replaceChildren(el("h3", {}, "More"), this.other_facts.element);
      this.other_counters.hidden = false;
    }
    for (const name of others) {
      this.other_facts.set(plain(name), text(name));
    }
  }

  update_operate(session) {
    const { operate } = live.state.monitor;
    if (operate && this.operate.hidden) {
      this.operate.replaceChildren(el("h2", {}, "Operate"), el("div", { class: "buttons start" }, action_buttons("session", session)));
    }
    this.operate.hidden = !operate;
  }

  show_messages() {
    const messages = this.search.messages.slice(0, latest_shown);
    messages.forEach((message, i) => { message.order = i; });
    this.table.show(messages, this.search.failure ? this.search.failure.message : this.search.running ? "Searching\u2026" : "No message yet.");
    this.problems.show(this.search.problems);
  }

  redraw() {
    this.charts.redraw();
    this.configuration.redraw();
    this.show_messages();
    this.update();
  }
}
