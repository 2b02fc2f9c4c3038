// SPDX-License-Identifier: MIT
// Actions on alerts: acknowledge one, silence some for a time, and undo both.

import { act_on_alerts } from "./api.js";
import { show_dialog } from "./dialogs.js";
import { el } from "./dom.js";
import { engines, read_soon, several } from "./live.js";
import { engine_select } from "./parts.js";

const comment_length_max = 160;
const spans = [[900, "15 minutes"], [3600, "1 hour"], [14_400, "4 hours"], [43_200, "12 hours"], [86_400, "1 day"], [604_800, "7 days"]];
export const kinds = ["engine_down", "session_down", "gap", "rejects", "resend_storm", "sequence_reset", "disk_low", "journal_damaged",
  "failover_alone", "failover_held", "election_silent"];
export const kind_text = (kind) => (kind === "*" ? "every kind" : kind.replaceAll("_", " "));

const comment_field = () => el("input", { name: "comment", maxlength: comment_length_max, autocomplete: "off", autofocus: true });

/// Asks, does it, and is over when it is done; what the monitor refuses is shown in the dialog.
/// `fields` are labels with inputs; `body()` is what is asked for.
function ask(title, explanation, fields, button, body) {
  return show_dialog(title, (done) => {
    const outcome = el("div", { "aria-live": "polite" });
    const submit = el("button", { type: "submit", class: "primary" }, button);
    const perform = async (event) => {
      event.preventDefault();
      submit.disabled = true;
      try {
        const answer = await act_on_alerts(body());
        if (answer !== null) {
          read_soon();
          done(answer);
          return;
        }
      } catch (failure) {
        outcome.replaceChildren(el("p", { class: "answer bad", role: "alert" }, failure.message));
      }
      submit.disabled = false;
    };
    return el("form", { on: { submit: perform } }, el("p", { class: "muted" }, explanation), fields, outcome,
      el("div", { class: "buttons" }, el("button", { type: "button", on: { click: () => done(null) } }, "Cancel"), submit));
  });
}

export function acknowledge(alert) {
  const comment = comment_field();
  return ask(`Acknowledge: ${kind_text(alert.kind)}${alert.session ? `, ${alert.session}` : ""}`,
    "It stays in the list as acknowledged, and is no longer counted as open, until it is over. When it begins anew, it is a new alert.",
    [el("label", {}, "Comment", comment)], "Acknowledge", () => ({ act: "acknowledge", engine: alert.engine, id: alert.id, comment: comment.value.trim() }));
}

export function withdraw(alert) {
  return ask(`Not acknowledged: ${kind_text(alert.kind)}${alert.session ? `, ${alert.session}` : ""}`,
    `${alert.acknowledged.by} acknowledged it. It is counted as open again.`, [], "Withdraw", () => ({ act: "withdraw", engine: alert.engine, id: alert.id }));
}

/// `alert` fills the fields in; null leaves them to be filled, for `engine` where that is chosen.
export function silence(alert, engine = null) {
  const kind = el("select", { name: "kind" }, el("option", { value: "*" }, kind_text("*")),
    kinds.map((one) => el("option", { value: one, selected: one === alert?.kind }, kind_text(one))));
  const which = several() ? engine_select(engines().map(({ name }) => name), alert?.engine ?? engine) : null;
  const session = el("input", { name: "session", value: alert?.subject ?? "*", autocomplete: "off", spellcheck: "false", maxlength: 256,
    "aria-describedby": "session-help" });
  const seconds = el("select", { name: "seconds" }, spans.map(([value, text]) => el("option", { value, selected: value === 3600 }, text)));
  const comment = comment_field();
  return ask("Silence alerts", "They are shown as silenced, are not counted as open, and are not reported to programs, until the time is over.",
    [which && el("label", {}, "Engine", which), el("label", {}, "Kind", kind),
      el("label", {}, "Session, or a disk\u2019s path", session, el("span", { class: "muted", id: "session-help" }, "* stands for any characters, ? for one; empty is the engine itself")),
      el("label", {}, "For", seconds), el("label", {}, "Comment", comment)],
    "Silence", () => ({ act: "silence", engine: which?.value ?? engines()[0]?.name, kind: kind.value, session: session.value.trim(), seconds: Number(seconds.value), comment: comment.value.trim() }));
}

export function end_silence(one) {
  return ask(`End silence ${one.id}`, `${one.by} silenced ${kind_text(one.kind)} of ${one.session || "the engine"}. Its alerts that still hold are counted as open again, and reported.`,
    [], "End it", () => ({ act: "end_silence", engine: one.engine, id: one.id }));
}
