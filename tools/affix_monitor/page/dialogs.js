// SPDX-License-Identifier: MIT
// Questions that stand above the page until they are answered or given up.

import { el } from "./dom.js";

/// Shows a dialog and waits for its end: what `done` was called with, or null. `build(done)` gives
/// its content, in which an element with `autofocus` has the focus first.
export function show_dialog(title, build) {
  return new Promise((resolve) => {
    let answer = null;
    const heading = el("h2", { id: "dialog-title" }, title);
    const dialog = el("dialog", { "aria-labelledby": "dialog-title" }, heading);
    const done = (value) => {
      answer = value;
      dialog.close();
    };
    dialog.append(...[build(done)].flat());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/// A token that somebody typed, or null.
export function ask_token(title, explanation, refused) {
  return show_dialog(title, (done) => {
    const input = el("input", { type: "password", name: "token", autocomplete: "off", spellcheck: "false", required: true,
      autofocus: true, "aria-label": title });
    return el("form", {
      on: {
        submit: (event) => {
          event.preventDefault();
          done(input.value);
        },
      },
    },
    el("p", {}, explanation),
    refused ? el("p", { class: "bad", role: "alert" }, "That token was refused.") : null,
    input,
    el("div", { class: "buttons" },
      el("button", { type: "button", on: { click: () => done(null) } }, "Cancel"),
      el("button", { type: "submit", class: "primary" }, "Go on")));
  });
}
