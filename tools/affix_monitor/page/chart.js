// SPDX-License-Identifier: MIT
// A chart of values over time, drawn as SVG: axes with units, one line a series, and a cursor that
// follows the pointer or the arrow keys and shows what was measured at that moment.

import { el, set_text, svg } from "./dom.js";
import { bytes_text, count_text, latency_text, nothing, rate_text, time_text } from "./format.js";
import { in_utc } from "./preferences.js";

const height = 200;
const margin = { left: 58, right: 12, top: 10, bottom: 24 };
const ticks_wanted = 4;
const joined_share = 0.05;  // Of the axis: values that are further apart are not joined.
const second_ns = 1e9;
const time_steps_s = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600];

const texts = {
  latency: latency_text,
  rate: (value) => `${rate_text(value)}/s`,
  byte_rate: (value) => (value === null || value === undefined ? nothing : `${bytes_text(Math.round(value))}/s`),
  count: count_text,
  bytes: bytes_text,
};

/// Steps of 1, 2 and 5 times a power of ten, `wanted` at most between 0 and `top`.
function linear_ticks(top, wanted) {
  const rough = top / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const ticks = [];
  for (let i = 0; i * step <= top * 1.0001; i += 1) {
    ticks.push(i * step);
  }
  return ticks;
}

function logarithmic_ticks(bottom, top) {
  const decades = Math.log10(top / bottom);
  const factors = decades <= 2.2 ? [1, 2, 5] : decades <= 3 ? [1, 3] : [1];
  const ticks = [];
  for (let power = Math.floor(Math.log10(bottom)); power <= Math.ceil(Math.log10(top)); power += 1) {
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (value >= bottom * 0.999 && value <= top * 1.001) {
        ticks.push(value);
      }
    }
  }
  return ticks;
}

/// `series`: [{name, label}], drawn in the colours of the classes series-1, series-2 and so on.
/// `unit`: latency (a logarithmic axis, for a p50 and a maximum are far apart), rate, byte_rate,
/// count or bytes.
export class TimeChart {
  constructor({ title, series, unit }) {
    this.title = title;
    this.series = series;
    this.text = texts[unit];
    this.logarithmic = unit === "latency";
    this.points = [];
    this.cursor = null;
    this.width = 0;
    this.drawing = svg("svg", {
      class: "chart", height, tabindex: "0", role: "img",
      on: {
        pointermove: (event) => this.point_at(event),
        pointerleave: () => this.set_cursor(null),
        keydown: (event) => this.on_key(event),
        blur: () => this.set_cursor(null),
      },
    });
    this.moment = el("span", { class: "moment" });
    this.values = new Map(series.map(({ name }) => [name, el("dd", {}, nothing)]));
    this.legend = el("dl", { class: "legend" }, series.map(({ name, label }, i) =>
      el("div", {}, el("dt", { class: `series-${i + 1}` }, label), this.values.get(name))));
    this.element = el("figure", { class: "panel chart-panel" },
      el("figcaption", {}, el("h3", {}, title), this.moment), this.legend, this.drawing);
    this.observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry.contentRect.width);
      if (width !== this.width) {
        this.width = width;
        this.draw();
      }
    });
    this.observer.observe(this.drawing.parentNode);
  }

  close() {
    this.observer.disconnect();
  }

  /// Points in order of time: {time_ns, <series' name>: value or null}. `from_ns` to `to_ns` is
  /// what the axis spans, measured or not.
  show(points, from_ns, to_ns) {
    this.points = points;
    this.from_ns = from_ns;
    this.to_ns = to_ns;
    this.draw();
  }

  x(time_ns) {
    const share = (time_ns - this.from_ns) / (this.to_ns - this.from_ns);
    return margin.left + share * (this.width - margin.left - margin.right);
  }

  y(value) {
    const share = this.logarithmic
      ? Math.log(Math.max(value, this.bottom) / this.bottom) / Math.log(this.top / this.bottom)
      : value / this.top;
    return height - margin.bottom - share * (height - margin.top - margin.bottom);
  }

  /// The axis' ends, so that all values are between them.
  set_scale() {
    const values = this.points.flatMap((point) => this.series.map(({ name }) => point[name]))
      .filter((value) => value !== null && value !== undefined);
    const largest = Math.max(...values, 0);
    if (this.logarithmic) {
      const positive = values.filter((value) => value > 0);
      this.bottom = positive.length > 0 ? 0.8 * Math.min(...positive) : 1000;
      this.top = Math.max(1.25 * largest, 4 * this.bottom);
    } else {
      const ticks = linear_ticks(Math.max(largest, 1), ticks_wanted);
      this.bottom = 0;
      this.top = ticks.at(-1) >= largest ? ticks.at(-1) : ticks.at(-1) + ticks[1];
    }
  }

  draw() {
    if (this.width <= margin.left + margin.right || this.to_ns === undefined) {
      return;
    }
    this.set_scale();
    this.drawing.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    this.drawing.setAttribute("width", this.width);
    const parts = [this.value_axis(), this.time_axis(), ...this.series.map((one, i) => this.line(one.name, i))];
    this.marks = svg("g", {});
    this.drawing.replaceChildren(...parts, this.marks);
    if (!this.points.some((point) => this.series.some(({ name }) => point[name] !== null && point[name] !== undefined))) {
      this.drawing.append(svg("text", { x: this.width / 2, y: height / 2, class: "no-values", "text-anchor": "middle" },
        "Nothing measured in this time"));
    }
    this.show_cursor();
  }

  value_axis() {
    const ticks = this.logarithmic ? logarithmic_ticks(this.bottom, this.top) : linear_ticks(this.top, ticks_wanted + 1);
    return svg("g", { class: "axis" }, ticks.map((value) => {
      const y = Math.round(this.y(value)) + 0.5;
      return [
        svg("line", { x1: margin.left, x2: this.width - margin.right, y1: y, y2: y }),
        svg("text", { x: margin.left - 8, y: y + 4, "text-anchor": "end" }, this.tick_text(value)),
      ];
    }));
  }

  /// Without the zeros that a measurement's three digits may end with.
  tick_text(value) {
    return value === 0 ? "0" : this.text(value).replace(/(\.\d*?)0+(?=[^\d])/u, "$1").replace(/\.(?=[^\d])/u, "");
  }

  time_axis() {
    const span_s = (this.to_ns - this.from_ns) / second_ns;
    const most = Math.max(2, Math.floor((this.width - margin.left) / 84));
    const step_ns = second_ns * (time_steps_s.find((step) => span_s / step <= most) ?? 43200);
    const offset_ns = in_utc() ? 0 : -new Date(this.to_ns / 1e6).getTimezoneOffset() * 60 * second_ns;
    const ticks = [];
    for (let at = Math.ceil((this.from_ns + offset_ns) / step_ns) * step_ns - offset_ns; at <= this.to_ns; at += step_ns) {
      ticks.push(at);
    }
    const digits = step_ns < 60 * second_ns ? 8 : 5;
    return svg("g", { class: "axis times" }, ticks.map((at) => {
      const x = Math.round(this.x(at)) + 0.5;
      return [
        svg("line", { x1: x, x2: x, y1: height - margin.bottom, y2: height - margin.bottom + 4 }),
        svg("text", { x: Math.min(x, this.width - 26), y: height - 6, "text-anchor": "middle" },
          time_text(at, in_utc(), at).slice(0, digits)),
      ];
    }));
  }

  /// One path; where nothing was measured for long the line is broken, and a lone value is a dot. A
  /// latency is measured of one message in 64, so on a quiet session not in every interval.
  line(name, i) {
    const measured = this.points.filter((point) => point[name] !== null && point[name] !== undefined && point.time_ns >= this.from_ns);
    const longest_gap_ns = (this.to_ns - this.from_ns) * joined_share;
    const joined = (at) => at > 0 && at < measured.length && measured[at].time_ns - measured[at - 1].time_ns <= longest_gap_ns;
    let path = "";
    const alone = [];
    measured.forEach((point, at) => {
      const x = this.x(point.time_ns).toFixed(1);
      const y = this.y(point[name]).toFixed(1);
      path += `${joined(at) ? "L" : "M"}${x} ${y}`;
      if (!joined(at) && !joined(at + 1)) {
        alone.push(svg("circle", { cx: x, cy: y, r: 1.5 }));
      }
    });
    return svg("g", { class: `series-${i + 1}` }, svg("path", { d: path }), alone);
  }

  point_at(event) {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left - margin.left) / (this.width - margin.left - margin.right);
    const time_ns = this.from_ns + share * (this.to_ns - this.from_ns);
    let nearest = null;
    this.points.forEach((point, i) => {
      if (nearest === null || Math.abs(point.time_ns - time_ns) < Math.abs(this.points[nearest].time_ns - time_ns)) {
        nearest = i;
      }
    });
    this.set_cursor(nearest);
  }

  on_key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && this.points.length > 0) {
      const from = this.cursor ?? (step > 0 ? -1 : this.points.length);
      this.set_cursor(Math.min(this.points.length - 1, Math.max(0, from + step)));
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.set_cursor(null);
    }
  }

  set_cursor(index) {
    this.cursor = index;
    this.show_cursor();
  }

  show_cursor() {
    const chosen = this.cursor === null ? null : this.points[this.cursor];
    const point = chosen ?? this.points.findLast((one) => this.series.some(({ name }) => one[name] !== null && one[name] !== undefined));
    set_text(this.moment, !point ? "" : chosen ? time_text(point.time_ns, in_utc()) : `last, ${time_text(point.time_ns, in_utc())}`);
    for (const { name } of this.series) {
      set_text(this.values.get(name), point ? this.text(point[name]) : nothing);
    }
    this.drawing.setAttribute("aria-label", `${this.title}. ` + this.series.map(({ name, label }) =>
      `${label} ${this.values.get(name).textContent}`).join(", ") + ". Arrow keys read earlier values.");
    if (!this.marks) {
      return;
    }
    const marks = [];
    if (chosen && chosen.time_ns >= this.from_ns) {
      const x = this.x(chosen.time_ns);
      marks.push(svg("line", { class: "cursor", x1: x, x2: x, y1: margin.top, y2: height - margin.bottom }));
      this.series.forEach(({ name }, i) => {
        if (chosen[name] !== null && chosen[name] !== undefined) {
          marks.push(svg("circle", { class: `mark series-${i + 1}`, cx: x, cy: this.y(chosen[name]), r: 3.5 }));
        }
      });
    }
    this.marks.replaceChildren(...marks);
  }
}
