// SPDX-License-Identifier: MIT
// Small pieces that several views show in the same way: states, links, severities, facts.

import { el, set_attribute, set_text } from "./dom.js";
import { query } from "./api.js";
import { ago_text } from "./format.js";

/// Each state has a colour, a sign and its word, so that no one of them must be seen alone.
const states = {
  "logged on": ["good", "\u25cf"],
  connected: ["warning", "\u25d0"],
  "logging out": ["warning", "\u25d1"],
  disconnected: ["bad", "\u25cb"],
  disabled: ["muted", "\u25cc"],
  absent: ["muted", "\u00d7"],
};

export const stopped_word = "sending stopped";

/// A session that is down while its schedule is closed is as it should be.
export function state_class(session) {
  const [tone] = states[session.state] ?? ["muted"];
  return tone === "bad" && session.schedule === "closed" ? "muted" : tone;
}

/// Fills `cell` with the session's state, and with a mark when an operator has stopped what it sends.
export function fill_state(cell, session) {
  if (!cell.firstChild) {
    cell.append(el("span", { class: "state" }, el("span", { class: "sign", "aria-hidden": "true" }), el("span", {})), stopped_mark());
  }
  cell.lastChild.hidden = !session.sending_stopped;
  const [sign, word] = cell.firstChild.children;
  set_attribute(cell.firstChild, "class", `state ${state_class(session)}`);
  set_text(sign, states[session.state]?.[1] ?? "?");
  set_text(word, session.state);
}

/// With whom a session is connected; else who disabled it, or who ended its last connection, why and
/// how long ago; without the port from which an operator came. Empty: it never had one.
export function connection_text(session, now_ns) {
  const { peer, disabled_by, last_end, counters = {} } = session;
  if (peer) {
    return peer;
  }
  if (disabled_by) {
    return `disabled ${disabled_by.replace(/ at \S+:\d+(?=:|$)/, "")}, ${ago_text(counters.disabled_since, now_ns)}`;
  }
  return last_end ? `${last_end}, ${ago_text(counters.last_disconnect, now_ns)}` : "";
}

/// A choice among the engines, `chosen` at first.
export function engine_select(names, chosen, attributes = {}) {
  return el("select", { name: "engine", ...attributes }, names.map((name) => el("option", { value: name, selected: name === chosen }, name)));
}

function stopped_mark() {
  return el("span", { class: "stopped", hidden: true, title: "An operator has stopped its application messages (kill switch)" },
    el("span", { class: "sign", "aria-hidden": "true" }, "\u25a0"), el("span", {}, stopped_word));
}

export function severity_mark(severity) {
  const bad = severity === "critical";
  return el("span", { class: `state ${bad ? "bad" : "warning"}` },
    el("span", { class: "sign", "aria-hidden": "true" }, bad ? "\u25b2" : "\u25b3"), el("span", {}, severity));
}

/// Hash addresses: #/view/name?key=value. They can be sent to a colleague.
export function address(view, name = null, parameters = {}) {
  const text = query(parameters);
  return `#/${view}${name === null ? "" : `/${encodeURIComponent(name)}`}${text ? `?${text}` : ""}`;
}

export function link(to, text, attributes = {}) {
  return el("a", { href: to, ...attributes }, text);
}

/// Sets a cell's only child to a link; the element stays, and so does the focus on it.
export function fill_link(cell, to, text, attributes = {}) {
  if (!cell.firstChild) {
    cell.append(el("a", attributes));
  }
  set_attribute(cell.firstChild, "href", to);
  set_text(cell.firstChild, text);
}

/// A list of names and values whose values are updated in place: of each the name, what it means
/// where that needs words, and the class of its place.
export class Facts {
  constructor(names) {
    this.values = new Map();
    this.element = el("dl", { class: "facts" }, names.map(([name, title, place]) => {
      const value = el("dd", {});
      this.values.set(name, value);
      return el("div", { title: title ?? null, class: place ?? null }, el("dt", {}, name), value);
    }));
  }

  set(name, text, tone = null) {
    const value = this.values.get(name);
    set_text(value, text);
    set_attribute(value, "class", tone);
  }
}

export function panel(title, ...content) {
  return el("section", { class: "panel" }, el("h2", {}, title), ...content);
}

/// Text shown in place of contents that could not be read.
export function failure_text(failure) {
  return el("p", { class: "bad", role: "alert" }, failure.message);
}

/// A line that says what is wrong with journals; empty and hidden when nothing is.
export class Problems {
  constructor() {
    this.element = el("ul", { class: "problems", hidden: true });
  }

  show(problems) {
    this.element.hidden = problems.length === 0;
    const text = problems.join("\n");
    if (text !== this.text) {
      this.text = text;
      this.element.replaceChildren(...problems.map((problem) => el("li", {}, problem)));
    }
  }
}

/// Buttons of which one is pressed. `choose(value)` is called with the value of a button.
export function choice(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) => el("button", {
    type: "button", "aria-pressed": value === chosen,
    on: {
      click: () => {
        for (const button of buttons) {
          set_attribute(button, "aria-pressed", button.value === String(value));
        }
        choose(value);
      },
    },
    value,
  }, text));
  for (const button of buttons) {
    set_attribute(button, "aria-pressed", button.value === String(chosen));
  }
  return el("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}
