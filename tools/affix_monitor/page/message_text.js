// SPDX-License-Identifier: MIT
// Summary of a message in one line, and the columns of lists of messages.

import { el, set_attribute, set_text } from "./dom.js";
import { record_time_text } from "./format.js";
import { in_utc } from "./preferences.js";
import { address } from "./parts.js";

/// "EXECUTION_TYPE" and "PartiallyFilled" as a person writes them.
function plain(value) {
  return value.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/// "buy 100 IBM @ 101.5, rejected: unknown symbol".
export function subject(message) {
  const summary = message.summary ?? {};
  if (message.kind === "event") {
    return [message.event, message.text].filter(Boolean).join(": ");
  }
  if (message.kind === "resent") {
    return `numbers ${message.seq} to ${message.to} were sent again`;
  }
  const order = [
    summary.Side && plain(summary.Side), summary.OrderQty, summary.Symbol,
    summary.Price && `@ ${summary.Price}`,
  ].filter(Boolean).join(" ");
  const fill = Number(summary.LastQty) > 0 ? `${summary.LastQty} done${summary.LastPx ? ` @ ${summary.LastPx}` : ""}` : "";
  return [order, !message.problem && summary.OrdStatus && plain(summary.OrdStatus), fill, message.problem ? "" : summary.Text]
    .filter(Boolean).join(", ");
}

export const outgoing = (message) => message.direction === "out";

/// Title of a record: the message's name, or the kind of a record without a message.
export function title(message) {
  return message.kind === "event" ? "event" : message.kind === "resent" ? "resent" : message.name || message.type || "message";
}

/// Why a problem is one, for a message that was rejected as for what rejected it.
export function reason(message) {
  if (!message.problem) {
    return "";
  }
  return message.rejected_by ? `was rejected${message.reason ? `: ${message.reason}` : ""}` : message.reason || "a reject";
}

function fill_direction(cell, message) {
  const known = message.direction === "in" || message.direction === "out";
  set_attribute(cell, "class", `direction ${known ? message.direction : ""}`);
  set_text(cell, known ? (outgoing(message) ? "\u2192 out" : "\u2190 in") : "");
}

function fill_subject(cell, message) {
  if (!cell.firstChild) {
    cell.append(el("span", { class: "problem-mark" }), el("span", {}));
  }
  const why = reason(message);
  set_text(cell.firstChild, why ? `\u2717 ${why}` : "");
  cell.firstChild.hidden = !why;
  set_text(cell.lastChild, subject(message));
}

/// Columns of a SortedTable of messages. `to(message)` is the address of its details.
/// Messages that were found later have larger `order`s; those of one moment keep their order so.
export function message_columns(to, { with_session = true } = {}) {
  return [
    {
      name: "time", head: "Time", numeric: true, class: "time", value: (row) => -row.order,
      fill: (cell, row) => {
        if (!cell.firstChild) {
          cell.append(el("a", {}));
        }
        set_attribute(cell.firstChild, "href", to(row));
        set_text(cell.firstChild, record_time_text(row.time, in_utc()));
        cell.title = row.time;
      },
    },
    ...(with_session
      ? [{ name: "session", head: "Session", class: "session", value: (row) => row.session, text: (row) => row.session }] : []),
    { name: "direction", head: "Way", class: "direction", value: (row) => row.direction ?? "", fill: fill_direction },
    {
      name: "seq", head: "Seq", numeric: true, class: "seq", title: "MsgSeqNum (34)", value: (row) => row.seq ?? 0,
      text: (row) => (row.seq ? String(row.seq) : ""),
    },
    { name: "name", head: "Message", class: "name", value: title, text: title },
    {
      name: "clordid", head: "ClOrdID", class: "clordid", value: (row) => row.summary?.ClOrdID ?? "",
      text: (row) => row.summary?.ClOrdID ?? "",
    },
    { name: "subject", head: "About", class: "subject", value: subject, fill: fill_subject },
  ];
}

/// Where the order of a message can be seen; null when it is about none.
export function order_address(message) {
  const name = message.summary?.ClOrdID ?? message.summary?.OrigClOrdID;
  return name ? address("order", name, { near: message.id }) : null;
}
