// SPDX-License-Identifier: MIT
// A sortable table of any number of rows, of which only those in sight are elements: two thousand
// sessions cost as much as forty. All rows have the height that the style sheet gives them.

import { el, set_attribute, set_text } from "./dom.js";

const rows_beyond_sight = 8;  // Above and below, so that scrolling a little shows no blank.

function compare(a, b) {
  if (typeof a === "string" || typeof b === "string") {
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/// Columns: `name`, `head`, `title`, `value(row)` to sort by, and either `text(row)` or
/// `fill(cell, row)`, which must leave alone what has not changed. `numeric` ones are right-aligned
/// and sorted from the largest at first; `class` is that of head and cells. `key(row)` names a row;
/// `link(row)` is where a click on it leads, or null; `row_class(row)` its class, or null;
/// `table_class` that of the table.
export class SortedTable {
  constructor({ columns, key, link, row_class, table_class, caption, sort, reverse, on_sort, empty }) {
    this.columns = columns;
    this.key = key;
    this.link = link ?? (() => null);
    this.row_class = row_class ?? (() => null);
    this.on_sort = on_sort ?? (() => {});
    this.empty_text = empty;
    this.rows = [];
    this.elements = new Map();
    this.row_height = 0;
    this.sort = columns.some((column) => column.name === sort) ? sort : columns[0].name;
    this.reverse = Boolean(reverse);

    this.heads = new Map();
    const heads = columns.map((column) => {
      const button = el("button", { type: "button", title: column.title, on: { click: () => this.sort_by(column.name) } },
        column.head);
      const head = el("th", { scope: "col", class: this.class_of(column) }, button);
      this.heads.set(column.name, head);
      return head;
    });
    this.above = this.spacer();
    this.below = this.spacer();
    this.body = el("tbody", { on: { keydown: (event) => this.on_key(event), click: (event) => this.on_click(event) } });
    this.table = el("table", { class: `rows ${table_class ?? ""}`.trim() }, el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, heads)), this.body);
    this.empty = el("p", { class: "empty", hidden: true });
    this.element = el("div", { class: "scroller", tabindex: "-1" }, this.table, this.empty);

    this.draw_soon = () => {
      if (!this.waiting) {
        this.waiting = requestAnimationFrame(() => {
          this.waiting = 0;
          this.draw();
        });
      }
    };
    this.resized = () => {
      this.row_height = 0;
      this.draw_soon();
    };
    this.element.addEventListener("scroll", this.draw_soon, { passive: true });
    window.addEventListener("scroll", this.draw_soon, { passive: true });
    window.addEventListener("resize", this.resized);
    this.mark_sort();
  }

  close() {
    cancelAnimationFrame(this.waiting);
    window.removeEventListener("scroll", this.draw_soon);
    window.removeEventListener("resize", this.resized);
  }

  class_of(column) {
    return [column.numeric ? "number" : "", column.class ?? ""].join(" ").trim() || null;
  }

  spacer() {
    return el("tr", { class: "spacer", "aria-hidden": "true" }, el("td", { colspan: this.columns.length }));
  }

  sort_by(name) {
    if (this.sort === name) {
      this.reverse = !this.reverse;
    } else {
      this.sort = name;
      this.reverse = false;
    }
    this.mark_sort();
    this.order();
    this.draw();
    this.on_sort(this.sort, this.reverse);
  }

  /// True if the column is sorted with its largest first: numbers are unless reversed.
  descending(column) {
    return Boolean(column.numeric) !== this.reverse;
  }

  mark_sort() {
    for (const column of this.columns) {
      const sorted = column.name === this.sort;
      set_attribute(this.heads.get(column.name), "aria-sort",
        sorted ? (this.descending(column) ? "descending" : "ascending") : null);
    }
  }

  order() {
    const column = this.columns.find(({ name }) => name === this.sort);
    const sign = this.descending(column) ? -1 : 1;
    this.rows.sort((a, b) => sign * compare(column.value(a), column.value(b)) || compare(this.key(a), this.key(b)));
  }

  show(rows, empty_text = this.empty_text) {
    this.rows = [...rows];
    set_text(this.empty, empty_text ?? "");
    this.empty.hidden = rows.length > 0;
    set_attribute(this.table, "aria-rowcount", rows.length + 1);
    this.order();
    this.draw();
  }

  /// First and one past the last row to draw, from where the body stands in the window and in the
  /// scroller: whichever of the two scrolls.
  range() {
    if (this.row_height === 0) {
      return [0, Math.min(this.rows.length, 2 * rows_beyond_sight)];
    }
    const box = this.element.getBoundingClientRect();
    const top = Math.max(box.top, 0) - this.body.getBoundingClientRect().top;
    const height = Math.max(0, Math.min(box.bottom, window.innerHeight) - Math.max(box.top, 0));
    const first = Math.floor(top / this.row_height) - rows_beyond_sight;
    const last = Math.ceil((top + height) / this.row_height) + rows_beyond_sight;
    return [Math.min(Math.max(0, first), this.rows.length), Math.min(this.rows.length, Math.max(0, last))];
  }

  draw() {
    const [first, last] = this.range();
    this.above.firstChild.style.height = `${first * this.row_height}px`;
    this.below.firstChild.style.height = `${(this.rows.length - last) * this.row_height}px`;
    const kept = new Map();
    const wanted = [this.above];
    for (let i = first; i < last; i += 1) {
      const row = this.rows[i];
      const key = this.key(row);
      const element = this.elements.get(key) ?? this.make_row();
      this.fill_row(element, row, i);
      kept.set(key, element);
      wanted.push(element);
    }
    wanted.push(this.below);
    this.elements = kept;
    this.place(wanted);
    if (this.row_height === 0 && last > first) {
      this.row_height = wanted[1].getBoundingClientRect().height;
      if (this.row_height > 0) {
        this.draw();
      }
    }
  }

  /// Moves only what is not in its place: an element that is moved loses the focus.
  place(wanted) {
    const keep = new Set(wanted);
    for (const element of [...this.body.children]) {
      if (!keep.has(element)) {
        element.remove();
      }
    }
    const focused = document.activeElement?.closest("tr");
    let at = this.body.firstChild;
    for (const element of wanted) {
      if (element === at) {
        at = at.nextSibling;
      } else if (element === focused && element.parentNode === this.body) {
        // The rows before the focused row are moved after it instead.
        while (at !== element) {
          const next = at.nextSibling;
          this.body.append(at);
          at = next;
        }
        at = element.nextSibling;
      } else {
        this.body.insertBefore(element, at);
      }
    }
  }

  make_row() {
    return el("tr", {}, this.columns.map((column) => el("td", { class: this.class_of(column) })));
  }

  fill_row(element, row, position) {
    set_attribute(element, "aria-rowindex", position + 2);
    element.link = this.link(row);
    const classes = [element.link === null ? "" : "linked", this.row_class(row) ?? ""].join(" ").trim();
    set_attribute(element, "class", classes || null);
    this.columns.forEach((column, i) => {
      const cell = element.children[i];
      if (column.fill) {
        column.fill(cell, row);
      } else {
        set_text(cell, column.text(row));
      }
    });
  }

  on_click(event) {
    const row = event.target.closest("tr");
    if (row?.link && !event.target.closest("a, button") && getSelection().isCollapsed) {
      location.hash = row.link;
    }
  }

  on_key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest("tr");
    if (!step || !row) {
      return;
    }
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    const target = next?.querySelector("a, button");
    if (target) {
      target.focus();
      event.preventDefault();
    }
  }
}
