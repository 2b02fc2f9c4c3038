// SPDX-License-Identifier: MIT
// The engine itself: its process, its workers, the disks it writes to, and what the monitor could
// not read.

import { el, set_attribute, set_text } from "./dom.js";
import { bytes_text, count_text, latency_text, percent_text, rate_text, span_text, time_text } from "./format.js";
import { live, now_ns, several } from "./live.js";
import { Facts, panel, Problems } from "./parts.js";
import { in_utc } from "./preferences.js";

const roles = ["standby", "primary", "handing over"];
const low_disk_share = 0.1;  // Coloured from here on; when it becomes an alert is the monitor's to say.

/// Rows of a table whose cells are functions of what a row is about. Rows are kept and updated.
class Rows {
  constructor(caption, columns) {
    this.columns = columns;
    this.body = el("tbody", {});
    this.element = el("div", { class: "overflow" }, el("table", { class: "plain" }, el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, columns.map(({ head, numeric, title }) => el("th", { scope: "col", class: numeric ? "number" : null, title }, head)))),
      this.body));
  }

  show(rows) {
    while (this.body.children.length > rows.length) {
      this.body.lastChild.remove();
    }
    rows.forEach((row, i) => {
      if (!this.body.children[i]) {
        this.body.append(el("tr", {}, this.columns.map(({ numeric }) => el("td", { class: numeric ? "number" : null }))));
      }
      this.columns.forEach(({ text, fill }, at) => {
        const cell = this.body.children[i].children[at];
        if (fill) {
          fill(cell, row);
        } else {
          set_text(cell, text(row));
        }
      });
    });
  }
}

/// A share of one as a bar with its number.
function fill_meter(cell, share, tone) {
  if (!cell.firstChild) {
    cell.append(el("span", { class: "meter" }, el("span", { class: "meter-text" }), el("meter", { min: 0, max: 1 })));
  }
  const [text, meter] = cell.firstChild.children;
  set_text(text, percent_text(share));
  set_attribute(meter, "value", share ?? 0);
  set_attribute(meter, "class", tone);
  set_attribute(meter, "aria-label", percent_text(share));
}

/** The longest wait of a worker by one of its measures, and its cause. */
const wait = (measure) => (row) => {
  const [cause, found] = Object.entries(row.waits ?? {}).reduce(
    (most, one) => (one[1][measure] > (most[1]?.[measure] ?? 0) ? one : most), []);
  return found ? `${latency_text(found[measure])} ${cause.replaceAll("_", " ")}` : "\u2013";
};

const latency = (name, which) => (row) => {
  const found = row.latencies?.[name];
  return found?.count > 0 ? found[which] : null;
};

export class WorkersView {
  constructor(root) {
    this.engines = new Rows("Engines", [
      { head: "Engine", text: (row) => row.name },
      { head: "State", text: (row) => `${row.status}${row.status_since_ns ? `, since ${time_text(row.status_since_ns, in_utc())}` : ""}` },
      { head: "Process", numeric: true, text: (row) => (row.pid ? String(row.pid) : "\u2013") },
      { head: "Version", text: (row) => row.version || "\u2013" },
      { head: "Logged on", numeric: true, text: (row) => `${count_text(row.sessions_up)} / ${count_text(row.sessions)}` },
      { head: "Configuration", text: (row) => row.configuration },
      { head: "Counters", text: (row) => row.counters_file },
    ]);
    this.facts = new Facts([["Engine"], ["Process"], ["Version"], ["Running for"], ["Started"], ["Configuration"], ["Counters"], ["Monitor"]]);
    this.workers = new Rows("Workers", [
      { head: "Worker", text: (row) => (several() ? `${row.engine} ${row.number}` : String(row.number)) },
      { head: "Duty", title: "Share of the last second that was not spent waiting", fill: (cell, row) => fill_meter(cell, row.duty, row.duty > 0.9 ? "bad" : "good") },
      { head: "Sessions", numeric: true, text: (row) => count_text(row.counters?.sessions) },
      { head: "Messages/s", numeric: true, text: (row) => rate_text(row.messages_per_s) },
      { head: "Turns/s", numeric: true, text: (row) => rate_text(row.turns_per_s) },
      { head: "Turn p50", numeric: true, title: "Busy turns", text: (row) => latency_text(latency("turn", "p50")(row)) },
      { head: "p99", numeric: true, text: (row) => latency_text(latency("turn", "p99")(row)) },
      { head: "Longest turn", numeric: true, text: (row) => latency_text(row.counters?.longest_turn) },
      { head: "Held up", title: "Longest wait for anything but a message, and its cause", text: wait("longest") },
      { head: "Lately", title: "The same of the last ten to twenty seconds", text: wait("recent") },
      { head: "Batch p50", numeric: true, title: "Messages of a turn that brought any", text: (row) => count_text(latency("batch", "p50")(row)) },
      { head: "p99", numeric: true, text: (row) => count_text(latency("batch", "p99")(row)) },
      { head: "Turns", numeric: true, text: (row) => count_text(row.counters?.turns) },
      { head: "Messages", numeric: true, text: (row) => count_text(row.counters?.messages) },
    ]);
    this.groups = new Rows("Failover groups", [
      { head: "Group", text: (row) => (several() ? `${row.engine} ${row.name}` : row.name) },
      { head: "Node", text: (row) => row.node },
      { head: "Role", fill: (cell, row) => {
        set_text(cell, `${roles[row.role] ?? "?"}${row.alone ? ", alone" : ""}${row.output_held ? ", output held" : ""}`);
        set_attribute(cell, "class", row.alone || row.output_held ? "bad" : null);
      } },
      { head: "Primary", text: (row) => row.primary || "\u2013" },
      { head: "Epoch", numeric: true, text: (row) => count_text(row.epoch) },
      { head: "In sync", text: (row) => row.in_sync || "\u2013" },
      { head: "Standbys", title: "How far each is behind, as the primary sees it", text: (row) => row.standbys.map((standby) =>
        `${standby.name} ${standby.connected ? `${bytes_text(standby.lag_bytes)}, ${latency_text(standby.lag_time)}${standby.late ? ", late" : ""}` : "not connected"}`).join("; ") || "\u2013" },
      { head: "Take-overs", numeric: true, text: (row) => count_text(row.promotions) },
      { head: "Last took", numeric: true, title: "From the sight that the primary was gone until the sessions were open here",
        text: (row) => (row.last_take_over ? latency_text(row.last_take_over) : "\u2013") },
      { head: "Election store", text: (row) => (row.store_silent ? "does not answer" : "answers") },
    ]);
    this.disks = new Rows("Disks", [
      { head: "Used by", text: (row) => (several() ? `${row.engine}, ${row.used ?? ""}` : row.used ?? "") },
      { head: "Path", text: (row) => row.path },
      { head: "Free", numeric: true, text: (row) => bytes_text(row.free_bytes) },
      { head: "Of", numeric: true, text: (row) => bytes_text(row.total_bytes) },
      { head: "Taken", fill: (cell, row) => {
        const taken = row.total_bytes > 0 ? 1 - row.free_bytes / row.total_bytes : null;
        fill_meter(cell, taken, taken > 1 - low_disk_share ? "bad" : "good");
      } },
    ]);
    this.engine_panel = panel("Engine", this.facts.element);
    this.group_panel = panel("Failover groups", this.groups.element);
    this.problems = new Problems();
    this.problem_panel = panel("What the monitor could not read", this.problems.element);
    root.append(el("h1", { class: "unseen" }, "Engine and workers"), this.engine_panel, panel("Workers", this.workers.element),
      this.group_panel, panel("Disks", this.disks.element), this.problem_panel);
    this.update();
  }

  close() {}

  route() {}

  update() {
    const { state } = live;
    if (!state) {
      return;
    }
    const { monitor } = state;
    this.facts.element.hidden = several();
    if (several()) {
      if (!this.engines.element.parentNode) {
        this.engine_panel.append(this.engines.element);
      }
      this.engines.show(state.engines);
    }
    this.show_engine(state.engines[0], monitor);
    this.workers.show(state.workers);
    this.groups.show(state.failover ?? []);
    this.group_panel.hidden = !state.failover?.length;
    this.disks.show(state.disks);
    this.problems.show([...state.engines.map(({ name, problem }) => problem && (several() ? `${name}: ${problem}` : problem)), ...monitor.problems].filter(Boolean));
    this.problem_panel.hidden = this.problems.element.hidden;
  }

  show_engine(engine, monitor) {
    const up = engine.status === "up";
    this.facts.set("Engine", `${engine.name}, ${engine.status}`, up ? "good" : "bad");
    this.facts.set("Process", engine.pid ? String(engine.pid) : "\u2013");
    this.facts.set("Version", engine.version || "\u2013");
    this.facts.set("Running for", up ? span_text(now_ns() - engine.started_ns) : "\u2013");
    this.facts.set("Started", engine.started_ns ? time_text(engine.started_ns, in_utc()) : "\u2013");
    this.facts.set("Configuration", engine.configuration);
    this.facts.set("Counters", engine.counters_file);
    this.facts.set("Monitor", `${monitor.version}, since ${time_text(monitor.started_ns, in_utc())}, ${monitor.operate ? "may operate" : "only looks"}`);
  }

  redraw() {
    this.update();
  }
}
