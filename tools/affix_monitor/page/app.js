// SPDX-License-Identifier: MIT
// The page's frame: which view the address names, how the engine stands, and the reader's choices.

import { AlertsView } from "./alerts.js";
import { el, set_attribute, set_text } from "./dom.js";
import { span_text, time_text } from "./format.js";
import { age_ms, engines, is_stale, live, now_ns, on_live, open_alerts, several, start_live } from "./live.js";
import { MessagesView } from "./messages.js";
import { OrderView } from "./order.js";
import { choose_next, in_utc, load_preferences, on_preference, theme } from "./preferences.js";
import { SessionView } from "./session.js";
import { SessionsView } from "./sessions.js";
import { WorkersView } from "./workers.js";

const views = {
  sessions: SessionsView, session: SessionView, messages: MessagesView, order: OrderView, alerts: AlertsView, workers: WorkersView,
};
const theme_words = { auto: "Auto", light: "Light", dark: "Dark" };

const main = document.getElementById("main");
let shown = null;  // {view, key}: the view, and the part of the address that it stands for.

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;  // A % that somebody typed: taken as it stands.
  }
}

/// "#/session/DESK?x=1" as {view, name, parameters}. What names no view is the first page.
function parse_address() {
  const [path, text = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, ...rest] = path.split("/");
  return {
    view: view in views && (view !== "session" || rest.length > 0) ? view : "sessions",
    name: rest.length > 0 ? decoded(rest.join("/")) : null,
    parameters: Object.fromEntries(new URLSearchParams(text)),
  };
}

function show_view() {
  if (location.hash === "#main") {
    return;  // The link past the navigation.
  }
  const route = parse_address();
  const key = route.view === "session" ? `session/${route.name}` : route.view;
  if (shown?.key === key) {
    shown.view.route(route);
  } else {
    shown?.view.close();
    main.replaceChildren();
    main.className = `view-${route.view}`;
    window.scrollTo(0, 0);
    shown = { key, view: new views[route.view](main, route) };
  }
  for (const link of document.querySelectorAll("nav a")) {
    const name = link.hash.slice(2);
    set_attribute(link, "aria-current", name === route.view || (name === "sessions" && route.view === "session") ? "page" : null);
  }
  show_title();
}

function show_title() {
  const route = parse_address();
  const alerts = open_alerts().length;
  const what = route.name ?? { sessions: "Sessions", messages: "Messages", order: "Orders", alerts: "Alerts", workers: "Workers" }[route.view];
  document.title = `${alerts > 0 ? `(${alerts}) ` : ""}${what} \u2013 ${live.state?.engine?.name ?? "affix monitor"}`;
}

const engine_words = { up: "running", ended: "ended", killed: "killed", unknown: "not seen" };

/// Warning at the top of the page if its contents may be outdated; null if they are current.
function warning() {
  const { state, failure } = live;
  if (!state) {
    return failure?.message ?? null;
  }
  if (is_stale()) {
    return `${failure?.message ?? "The monitor does not answer."} What you see is ${span_text(age_ms() * 1e6)} old.`;
  }
  const down = state.engines.filter((engine) => engine.status !== "up");
  if (down.length === 0) {
    return null;
  }
  const seen = down.some((engine) => engine.status !== "unknown")
    ? ` What you see${several() ? " of it" : ""} is the last that it counted; journals can be searched all the same.` : "";
  return down.map((engine) => `${several() ? `Engine ${engine.name}` : "The engine"} ${down_text(engine)}`).join(" ") + seen;
}

function down_text(engine) {
  if (engine.status === "unknown") {
    return `is not seen${several() && engine.status_since_ns ? ` for ${span_text(now_ns() - engine.status_since_ns)}` : ""}: ${
      engine.problem || "there are no counters to read"}${several() ? "." : ""}`;
  }
  const since_ns = several() ? engine.status_since_ns : engine.stopped_ns;
  return `${engine.status === "killed" ? "was killed or crashed" : "has ended"}${since_ns ? ` ${span_text(now_ns() - since_ns)} ago` : ""}.`;
}

/// Kill switches of whole engines and groups as a sentence; null if there are none. An engine that
/// ends forgets them.
function halt() {
  return engines().map((engine) => halt_of(engine, live.state.sessions.filter((session) => session.engine === engine.name)))
    .filter(Boolean).join(" ") || null;
}

function halt_of(engine, sessions) {
  if (engine.status !== "up" || (!engine.sending_stopped && engine.instances_stopped === 0)) {
    return null;
  }
  const unnamed = engine.instances_stopped - engine.stopped_instances.length;
  const names = [...engine.stopped_instances, ...(unnamed > 0 ? [`${unnamed} more`] : [])];
  const within = sessions.filter(({ instance, state }) => state !== "absent"
    && (engine.sending_stopped || engine.stopped_instances.includes(instance)));
  const scope = engine.sending_stopped ? (several() ? `engine ${engine.name}` : "the whole engine") : `${names.length > 1 ? "instances" : "instance"} ${names.join(", ")}`;
  return `\u25a0 Sending is stopped for ${scope} (kill switch): ${within.filter((session) => session.sending_stopped).length} of ${
    within.length} sessions there send no application message, and what comes begins so.`;
}

function show_frame() {
  const { state } = live;
  const halted = halt();
  const text = [warning(), halted].filter(Boolean).join(" ");
  const banner = document.getElementById("banner");
  banner.hidden = text === "";
  banner.classList.toggle("halt", halted !== null);
  set_text(banner, text);
  const stale = state !== null && (is_stale() || state.engines.every((engine) => engine.status !== "up"));
  document.body.classList.toggle("stale", stale);
  set_text(document.getElementById("clock"), state ? `${time_text(now_ns(), in_utc(), now_ns())}` : "");
  if (!state) {
    return;
  }
  set_text(document.getElementById("engine-name"), state.engine?.name ?? "affix monitor");
  const place = document.getElementById("engine-state");
  const up = state.engines.filter((engine) => engine.status === "up").length;
  const tone = is_stale() || (up > 0 && up < state.engines.length) ? "warning" : up > 0 ? "good" : "bad";
  if (!place.firstChild) {
    place.append(el("span", { class: "state" }, el("span", { class: "sign", "aria-hidden": "true" }), el("span", {})), el("span", { class: "muted more-room" }));
  }
  set_attribute(place.firstChild, "class", `state ${tone}`);
  set_text(place.firstChild.firstChild, tone === "good" ? "\u25cf" : tone === "warning" ? "\u25d0" : "\u25cb");
  const { engine } = state;
  set_text(place.firstChild.lastChild, is_stale() ? "unknown" : engine ? engine_words[engine.status] ?? engine.status
    : `${up} of ${state.engines.length} engines running`);
  set_text(place.lastChild, engine?.status === "up" ? `${engine.version}, process ${engine.pid}, for ${span_text(now_ns() - engine.started_ns)}` : "");
  const badge = document.getElementById("alert-count");
  const open = open_alerts().length;
  badge.hidden = state.alerts.length === 0;
  badge.classList.toggle("handled", open === 0);
  set_text(badge, String(open));
  badge.title = open === state.alerts.length ? "" : `${state.alerts.length - open} more are acknowledged or silenced`;
  show_title();
}

function show_choices() {
  const zone = document.getElementById("zone");
  set_text(zone, in_utc() ? "UTC" : "Local");
  set_attribute(zone, "aria-label", `Times are ${in_utc() ? "UTC" : "local"}. Change`);
  zone.title = "Times in UTC or local";
  const colours = document.getElementById("theme");
  set_text(colours, theme_words[theme()]);
  set_attribute(colours, "aria-label", `Colours: ${theme_words[theme()].toLowerCase()}. Change`);
  colours.title = "Colours: as the system, light, dark";
}

load_preferences();
show_choices();
document.getElementById("zone").addEventListener("click", () => choose_next("zone"));
document.getElementById("theme").addEventListener("click", () => choose_next("theme"));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
on_preference(() => {
  show_choices();
  show_frame();
  shown?.view.redraw();
});
on_live(() => {
  show_frame();
  shown?.view.update();
});
window.addEventListener("hashchange", show_view);
show_view();
show_frame();
start_live();
setInterval(show_frame, 1000);  // The clock and the age of what is shown, also when no answer comes.
