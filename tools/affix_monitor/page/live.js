// SPDX-License-Identifier: MIT
// The engine's state, asked for once a second, and how old what is shown is.

import { get } from "./api.js";

const interval_ms = 1000;
const hidden_interval_ms = 10_000;  // Nobody looks, but the title tells of alerts.
const stale_after_ms = 4000;
const hidden_stale_after_ms = 30_000;

const listeners = new Set();
let timer = 0;
let running = false;

export const live = {
  state: null,       // The last answer of /api/state.
  received_ms: 0,    // When it came, by this browser's clock.
  failure: null,     // Why the last request failed; null when it did not.
};

/// The engine's time now: the monitor's clock, which need not be this browser's.
export function now_ns() {
  return live.state ? live.state.now_ns + (Date.now() - live.received_ms) * 1e6 : Date.now() * 1e6;
}

export function age_ms() {
  return live.state ? Date.now() - live.received_ms : 0;
}

/// True if the shown state may be outdated, because the monitor refuses or is silent.
export function is_stale() {
  return live.state !== null && age_ms() > (document.hidden ? hidden_stale_after_ms : stale_after_ms);
}

export function session_named(name) {
  return live.state?.sessions.find((session) => session.name === name) ?? null;
}

export const engines = () => live.state?.engines ?? [];

/// True if the monitor watches several engines: then sessions are called ENGINE:NAME.
export const several = () => engines().length > 1;

/// Those that nobody has acknowledged or silenced.
export const open_alerts = () => live.state?.alerts.filter(({ acknowledged, silenced }) => !acknowledged && !silenced) ?? [];

/// Calls `listener` after each reading, failed ones too. Returns what ends that.
export function on_live(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const latency_parts = ["count", "p50", "p90", "p99", "p999", "max"];

/// The names that the answer has once, at each of the values again.
function name_values(session, { counter_names, latency_names }) {
  const named = (names, values) => Object.fromEntries(values.map((value, i) => [names[i], value]));
  session.counters = named(counter_names, session.counters);
  session.latencies = named(latency_names,
    session.latencies.map((values) => named(latency_parts, values ?? latency_parts.map(() => 0))));
}

/// Those before as they are now, without those that are gone; the newest first.
function merged_alerts(before, state) {
  const gone = new Set(state.alerts_gone);
  const now = new Map(before.filter(({ id }) => !gone.has(id)).map((alert) => [alert.id, alert]));
  for (const alert of state.alerts) {
    now.set(alert.id, alert);
  }
  return [...now.values()].sort((one, other) => other.id - one.id);
}

async function read() {
  running = true;
  try {
    // Sessions and alerts that have not changed are not sent again.
    const before = live.state;
    const since = before?.time_ns ?? null;
    const state = await get("state", { names: "once", changed_since_ns: since, alerts_changed_since_ns: since });
    for (const session of state.sessions) {
      name_values(session, state);
    }
    if (state.only_changed) {
      const changed = new Map(state.sessions.map((session) => [session.name, session]));
      state.sessions = before.sessions.map((session) => changed.get(session.name) ?? session);
    }
    if (state.alerts_only_changed) {
      state.alerts = merged_alerts(before.alerts, state);
    }
    live.state = state;
    live.received_ms = Date.now();
    live.failure = null;
  } catch (failure) {
    live.failure = failure;
  }
  for (const listener of [...listeners]) {
    listener();
  }
  running = false;
  timer = setTimeout(read, document.hidden ? hidden_interval_ms : interval_ms);
}

/// Reads now, and from then on.
export function read_soon() {
  if (!running) {
    clearTimeout(timer);
    timer = setTimeout(read, 0);
  }
}

export function start_live() {
  document.addEventListener("visibilitychange", () => document.hidden || read_soon());
  read_soon();
}
