// SPDX-License-Identifier: MIT
// Numbers, durations and times as text. Times are nanoseconds since 1970 UTC, 0 for never; of
// records, whose every nanosecond counts, the text that the monitor gives.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const nothing = "\u2013";

export function count_text(value) {
  return value === null || value === undefined ? nothing : whole.format(value);
}

/// A rate a second: one decimal where that tells more than it distracts.
export function rate_text(value) {
  if (value === null || value === undefined) {
    return nothing;
  }
  if (value === 0) {
    return "0";
  }
  return value < 10 ? value.toFixed(1) : whole.format(value);
}

function three_digits(value) {
  return value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/// A measured duration with three digits: "850 ns", "14.0 ms", "2.50 s".
export function latency_text(ns) {
  if (ns === null || ns === undefined) {
    return nothing;
  }
  const value = Number(ns);
  if (Math.abs(value) < 1000) {
    return `${value.toFixed(0)} ns`;
  }
  if (Math.abs(value) < 999_500) {
    return `${three_digits(value / 1e3)} \u00b5s`;
  }
  if (Math.abs(value) < 999_500_000) {
    return `${three_digits(value / 1e6)} ms`;
  }
  if (Math.abs(value) < 60e9) {
    return `${three_digits(value / 1e9)} s`;
  }
  return span_text(value);
}

/// How long something has lasted, in two units at most: "12 s", "3 min 20 s", "2 h 5 min", "4 d 1 h".
export function span_text(ns) {
  const seconds = Math.max(0, Math.floor(Number(ns) / 1e9));
  const parts = [
    [Math.floor(seconds / 86400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) {
    return "0 s";
  }
  return parts.slice(first, first + 2).filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`).join(" ");
}

/// The same in its largest unit alone, for columns: "12 s", "3 min", "2 h", "4 d".
export const short_span_text = (ns) => span_text(ns).split(" ").slice(0, 2).join(" ");

export function bytes_text(value) {
  if (value === null || value === undefined) {
    return nothing;
  }
  const units = ["B", "kB", "MB", "GB", "TB"];
  let scaled = Number(value);
  let unit = 0;
  while (scaled >= 1000 && unit + 1 < units.length) {
    scaled /= 1000;
    unit += 1;
  }
  return unit === 0 ? `${scaled} B` : `${three_digits(scaled)} ${units[unit]}`;
}

export function percent_text(share) {
  return share === null || share === undefined ? nothing : `${(share * 100).toFixed(1)} %`;
}

const two = (value) => String(value).padStart(2, "0");

function calendar(date, utc) {
  return utc
    ? `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function clock(date, utc) {
  return utc
    ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
    : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/// A time of day to the second, with the date in front where that is not today.
export function time_text(ns, utc, today_ns = Date.now() * 1e6) {
  if (!ns) {
    return "never";
  }
  const date = new Date(Math.floor(ns / 1e6));
  const day = calendar(date, utc);
  return day === calendar(new Date(today_ns / 1e6), utc) ? clock(date, utc) : `${day} ${clock(date, utc)}`;
}

/// A record's time, "2026-01-31T09:30:00.123456789Z", as a time of day with `digits` of the
/// second's fraction. The rest is cut off, as journals' readers do.
export function record_time_text(time, utc, digits = 6, today_ns = Date.now() * 1e6) {
  const fraction = /\.(\d+)Z$/.exec(time)?.[1] ?? "";
  return `${time_text(Date.parse(time.replace(/\.\d+/, "")) * 1e6, utc, today_ns)}.${fraction.padEnd(9, "0").slice(0, digits)}`;
}

/// "12 s ago"; "now" within a second.
export function ago_text(ns, now_ns) {
  if (!ns) {
    return "never";
  }
  const passed = Number(now_ns) - Number(ns);
  return passed < 1e9 ? "now" : `${short_span_text(passed)} ago`;
}
