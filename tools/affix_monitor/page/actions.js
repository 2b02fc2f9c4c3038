// SPDX-License-Identifier: MIT
// Actions of an operator, their dialogs, and their effect on the peer.

import { act, forget_operate_token, has_operate_token } from "./api.js";
import { show_dialog } from "./dialogs.js";
import { el } from "./dom.js";
import { engines, read_soon, several } from "./live.js";
import { engine_select } from "./parts.js";

const reason_text = { name: "reason", label: "Reason (the peer sees it)", optional: true };
const inner_reason = { name: "reason", label: "Reason (for log and journal)", optional: true };
const number = { name: "number", label: "Number", type: "number", min: 1, step: 1 };

/// `peer`: what the counterparty will see. `danger`: it interrupts or endangers trading.
/// `force`: the engine refuses a dangerous one at first, explains the consequences, and executes it
/// when it is repeated with `force`; `always_force`: it does so each time.
const session_actions = [
  { command: "connect", label: "Connect", roles: ["initiator"], peer: "A connection and a Logon, at once.", inputs: [] },
  { command: "logout", label: "Log out", danger: true, inputs: [reason_text],
    peer: "A Logout with the reason as its Text (58), and then the end of the connection. A client\u2019s session stays away until it is connected; a server\u2019s peer may come back." },
  { command: "disconnect", label: "Disconnect", danger: true, inputs: [inner_reason],
    peer: "The connection ends without a Logout. It requests the missed messages after its next Logon." },
  { command: "disable_session", label: "Disable", danger: true, inputs: [reason_text],
    peer: "A Logout with the reason as its Text (58). Later Logons are refused until the session is enabled." },
  { command: "enable_session", label: "Enable", peer: "Logons are accepted again, or made again.", inputs: [] },
  { command: "test_session", label: "Send TestRequest", peer: "A TestRequest, which it must answer.", inputs: [] },
  { command: "kill", label: "Kill switch", danger: true, strong: true, scope: true, inputs: [inner_reason],
    peer: "No application message any more, until sending is resumed. Session messages go on. The application is asked first and may cancel open orders. Messages that the peer requests again are gap-filled meanwhile." },
  { command: "resume", label: "Resume sending", scope: true, inputs: [inner_reason], peer: "Application messages again." },
  { command: "set_outgoing_sequence_number", label: "Set next outgoing number", danger: true, force: true, inputs: [number],
    peer: "Our next message has this number. A lower one than it expects ends the session; a higher one is a gap, which it asks for." },
  { command: "set_incoming_sequence_number", label: "Set next expected number", danger: true, force: true, inputs: [number],
    peer: "A higher number than its next: its messages are rejected as too low, and the session ends. A lower one: it receives a ResendRequest." },
  { command: "send_sequence_reset", label: "Send SequenceReset", danger: true, force: true, inputs: [number],
    peer: "A SequenceReset (35=4) to this number. The messages between are lost to it." },
  { command: "reset_session", label: "Reset to 1", danger: true, force: true, inputs: [],
    peer: "A Logon with ResetSeqNumFlag (141=Y), if the session is up. Both sides begin at 1, and nothing from before can be asked for any more." },
];
const engine_actions = [
  { command: "kill", label: "Kill switch: all sessions", danger: true, strong: true, scope: true, inputs: [inner_reason],
    peer: "No session of this engine sends application messages any more, until sending is resumed. The application is asked first and may cancel open orders. Session messages go on." },
  { command: "resume", label: "Resume all", scope: true, inputs: [inner_reason], peer: "Application messages again, on every session that was stopped." },
];

const tones = { done: "good", begun: "warning", busy: "warning", refused: "bad" };
const meanings = { begun: "It was begun and has not ended yet: look again.", busy: "Nothing was done, and nothing will be: it was withdrawn." };

function answer_text(answer) {
  return el("p", { class: `answer ${tones[answer.status] ?? "bad"}`, role: "status" }, el("strong", {}, answer.status),
    answer.text ? `: ${answer.text}` : "", meanings[answer.status] ? ` ${meanings[answer.status]}` : "");
}

/// Asks, executes the action, and shows its result, in one dialog.
function ask(action, target, engine) {
  return show_dialog(`${action.label}${target ? `: ${target}` : ""}`, (done) => {
    const inputs = action.inputs.map((input) => ({
      ...input,
      element: el("input", { name: input.name, type: input.type ?? "text", min: input.min, step: input.step, required: !input.optional,
        maxlength: input.type === "number" ? null : 200, autocomplete: "off" }),
    }));
    const which = several() && target === null ? engine_select(engines().map(({ name }) => name), engine) : null;
    const force = el("input", { type: "checkbox", name: "force", on: { change: () => { submit.disabled = !force.checked; } } });
    const forcing = el("label", { class: "switch force", hidden: true }, force, "I know what the peer will see: do it all the same (force)");
    const outcome = el("div", { "aria-live": "polite" });
    const submit = el("button", { type: "submit", class: action.danger ? "danger" : "primary" }, action.label);
    const cancel = el("button", { type: "button", autofocus: true, on: { click: () => done(null) } }, "Cancel");

    const perform = async (event) => {
      event.preventDefault();
      submit.disabled = true;
      const words = inputs.map(({ element, type }) => (type === "number" ? Number(element.value) : element.value.trim())).filter((word) => word !== "");
      try {
        const answer = await act(action.command, action.scope && target === null ? null : target,
          [...(action.scope && target === null ? ["engine"] : []), ...words, ...(force.checked ? ["force"] : [])], target === null ? which?.value ?? engines()[0]?.name ?? null : null);
        if (answer === null) {
          submit.disabled = false;
          return;
        }
        outcome.replaceChildren(answer_text(answer));
        if (answer.status === "done" || answer.status === "begun") {
          form.querySelectorAll("label").forEach((label) => { label.hidden = true; });
          submit.hidden = true;
          cancel.textContent = "Close";
          cancel.focus();
        } else if (answer.status === "refused" && action.force && !force.checked) {
          forcing.hidden = false;
          force.focus();
        } else {
          submit.disabled = false;
        }
        read_soon();
      } catch (failure) {
        outcome.replaceChildren(el("p", { class: "answer bad", role: "alert" }, failure.message));
        submit.disabled = false;
      }
    };
    const form = el("form", { on: { submit: perform } },
      el("p", { class: "peer" }, el("strong", {}, "The peer will see: "), action.peer),
      which && el("label", {}, "Engine", which),
      inputs.map(({ label, element }) => el("label", {}, label, element)),
      outcome, forcing, el("div", { class: "buttons" }, cancel, submit));
    return form;
  });
}

/// Buttons for what can be done to a session, or with "engine" to all of one engine, which
/// `chosen_engine()` names where there are several. They are made once; the view shows them only where
/// the monitor lets anybody operate.
export function action_buttons(scope, session, chosen_engine = () => null) {
  const actions = scope === "engine" ? engine_actions
    : session_actions.filter(({ roles }) => !roles || roles.includes(session.role));
  const forget = el("button", { type: "button", class: "quiet", hidden: !has_operate_token() }, "Forget the token");
  forget.addEventListener("click", () => {
    forget_operate_token();
    forget.hidden = true;
  });
  return [
    ...actions.map((action) => el("button", {
      type: "button", class: action.strong ? "danger" : null,
      on: {
        click: async () => {
          await ask(action, session?.name ?? null, chosen_engine());
          forget.hidden = !has_operate_token();
        },
      },
    }, action.label)),
    forget,
  ];
}
