// SPDX-License-Identifier: MIT
// Preferences of this browser's reader: colours, and times in UTC or local. Kept in the browser's
// storage where that is allowed, else for as long as the page is open. No token is ever kept there.

const choices = { theme: ["auto", "light", "dark"], zone: ["utc", "local"] };
const chosen = { theme: "auto", zone: "utc" };
const listeners = new Set();

function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;  // A browser that keeps nothing for this page.
  }
}

function apply() {
  if (chosen.theme === "auto") {
    document.documentElement.removeAttribute("data-theme");
  } else {
    document.documentElement.setAttribute("data-theme", chosen.theme);
  }
}

export function load_preferences() {
  for (const [name, values] of Object.entries(choices)) {
    const kept = storage()?.getItem(`affix.${name}`);
    if (values.includes(kept)) {
      chosen[name] = kept;
    }
  }
  apply();
}

export const theme = () => chosen.theme;
export const in_utc = () => chosen.zone === "utc";

/// Takes the next choice of `name` and tells who listens.
export function choose_next(name) {
  const values = choices[name];
  chosen[name] = values[(values.indexOf(chosen[name]) + 1) % values.length];
  try {
    storage()?.setItem(`affix.${name}`, chosen[name]);
  } catch {
    // Full or forbidden: the choice holds until the page is closed.
  }
  apply();
  for (const listener of listeners) {
    listener();
  }
}

/// Returns what ends the listening.
export function on_preference(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
