// SPDX-License-Identifier: MIT
// One message with all its fields, beside the list that it was chosen from.

import { get } from "./api.js";
import { el } from "./dom.js";
import { record_time_text } from "./format.js";
import { in_utc } from "./preferences.js";
import { address, failure_text, link } from "./parts.js";
import { order_address, outgoing, reason, title } from "./message_text.js";

const parts = { header: "Header", body: "Body", trailer: "Trailer" };
const soh = "\u0001";

function field_row(field) {
  const indent = Math.min(field.depth ?? 0, 6);
  return el("tr", { class: `depth-${indent}` },
    el("td", { class: "number tag" }, String(field.tag)),
    el("th", { scope: "row" }, field.name || "unknown field", field.entry ? el("span", { class: "entry" }, `#${field.entry}`) : null),
    el("td", { class: "value" }, field.value),
    el("td", { class: "meaning" }, field.meaning ?? ""));
}

function fields_table(fields) {
  const rows = [];
  let part = null;
  for (const field of fields) {
    if (field.part !== part) {
      part = field.part;
      rows.push(el("tr", { class: "part" }, el("th", { colspan: 4, scope: "rowgroup" }, parts[part] ?? part)));
    }
    rows.push(field_row(field));
  }
  return el("table", { class: "fields" }, el("caption", { class: "unseen" }, "Fields"),
    el("thead", {}, el("tr", {}, ["Tag", "Field", "Value", "Meaning"].map((head, i) =>
      el("th", { scope: "col", class: i === 0 ? "number" : null }, head)))),
    el("tbody", {}, rows));
}

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed: select and copy";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

function copy_button(label, text) {
  const button = el("button", { type: "button", on: { click: () => copy(text, button) } }, label);
  return button;
}

function raw(message) {
  const bytes = message.fields.map(({ tag, value }) => `${tag}=${value}${soh}`).join("");
  return el("section", {},
    el("h3", {}, "Raw"),
    el("pre", { class: "raw", tabindex: "0", "aria-label": "The message as it is, | for SOH" }, message.raw),
    el("div", { class: "buttons start" }, copy_button("Copy with |", message.raw), copy_button("Copy with SOH", bytes)));
}

/// The pane. `address_of(id)` is where another message is shown, `close` where none is.
export class MessagePane {
  constructor({ address_of, close }) {
    this.address_of = address_of;
    this.close_address = close;
    this.element = el("aside", { class: "pane", "aria-label": "Message", hidden: true });
    this.shown = null;
    this.message = null;
  }

  close() {
    this.stopping?.abort();
  }

  async show(id) {
    if (id === this.shown) {
      return;
    }
    this.shown = id;
    this.stopping?.abort();
    this.element.hidden = id === null;
    if (id === null) {
      this.element.replaceChildren();
      return;
    }
    this.stopping = new AbortController();
    this.element.replaceChildren(this.head("Message"), el("p", { class: "muted" }, "Reading\u2026"));
    try {
      this.message = await get("message", { id }, this.stopping.signal);
      this.draw();
    } catch (failure) {
      if (!this.stopping.signal.aborted) {
        this.element.replaceChildren(this.head("Message"), failure_text(failure));
      }
    }
  }

  head(text) {
    return el("header", {}, el("h2", {}, text),
      link(this.close_address(), "\u00d7", { class: "close", "aria-label": "Close", title: "Close" }));
  }

  /// Draws again what is shown, after the zone of times was changed.
  draw() {
    const message = this.message;
    if (!message || message.id !== this.shown) {
      return;
    }
    const why = reason(message);
    const order = order_address(message);
    const others = [
      message.rejects && link(this.address_of(message.rejects), "The message it rejects", { class: "button" }),
      message.rejected_by && link(this.address_of(message.rejected_by), "What rejected it", { class: "button" }),
      order && link(order, "The order\u2019s life", { class: "button" }),
      message.previous && link(this.address_of(message.previous), "Message before", { class: "button" }),
    ].filter(Boolean);
    this.element.replaceChildren(...[
      this.head(title(message)),
      why ? el("p", { class: "why bad" }, el("strong", {}, message.rejected_by ? "Rejected" : "Reject"),
        message.reason ? ` \u2013 ${message.reason}` : "") : null,
      el("p", { class: "muted" },
        `${outgoing(message) ? "Sent" : "Received"}${message.kind === "held" ? " ahead of a gap" : ""} at `,
        el("span", { class: "time", title: message.time }, record_time_text(message.time, in_utc(), 9)),
        in_utc() ? " UTC" : " local", " on ", link(address("session", message.session), message.session),
        message.seq ? `, number ${message.seq}` : "",
        message.processed === false ? ". The application has not had it." : ""),
      others.length > 0 ? el("div", { class: "buttons start" }, others) : null,
      message.fields?.length > 0 ? fields_table(message.fields) : el("p", { class: "muted" }, message.text ?? "Nothing more is known of it."),
      message.fields?.length > 0 ? raw(message) : null,
    ].filter(Boolean));
    this.element.scrollTop = 0;
  }
}
