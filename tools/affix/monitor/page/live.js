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

/// Whether what is shown may no longer hold, because the monitor refuses or is silent.
export function is_stale() {
  return live.state !== null && age_ms() > (document.hidden ? hidden_stale_after_ms : stale_after_ms);
}

export function session_named(name) {
  return live.state?.sessions.find((session) => session.name === name) ?? null;
}

export const engines = () => live.state?.engines ?? [];

/// Whether the monitor watches more than one: then sessions are called ENGINE:NAME.
export const several = () => engines().length > 1;

/// Those that nobody has acknowledged or silenced.
export const open_alerts = () => live.state?.alerts.filter(({ acknowledged, silenced }) => !acknowledged && !silenced) ?? [];

/// Calls `listener` after each reading, failed ones too. Returns what ends that.
export function on_live(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function read() {
  running = true;
  try {
    // Sessions that have not changed are not sent again.
    const before = live.state;
    const state = await get("state", before ? { changed_since_ns: before.time_ns } : {});
    if (state.only_changed) {
      const changed = new Map(state.sessions.map((session) => [session.name, session]));
      state.sessions = before.sessions.map((session) => changed.get(session.name) ?? session);
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
