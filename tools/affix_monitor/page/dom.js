// SPDX-License-Identifier: MIT
// Builds elements. Strings only ever become text nodes and attributes, never markup: whatever a
// counterparty writes into a message is shown as the text that it is.

const svg_namespace = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/// An element with attributes (`on` holds listeners by event; null and false leave one out) and
/// children, which are elements or strings.
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/// The same for a drawing.
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(svg_namespace, name), attributes, children);
}

/// Sets an element's text where it differs, so that what did not change costs no layout and stays
/// selected under the reader's pointer.
export function set_text(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/// Sets or, with null, removes an attribute where it differs.
export function set_attribute(element, name, value) {
  if (value === null) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, String(value));
  }
}

/// Calls `action` once the reader has stopped typing, with the arguments of the last call.
export function when_quiet(milliseconds, action) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}
