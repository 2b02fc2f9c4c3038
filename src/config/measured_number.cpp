// SPDX-License-Identifier: MIT
// Units of bytes and of time, and conversion between them.
#include "config/measured_number.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <system_error>

namespace affix::inline v0::config {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t size;  ///< In bytes, or in nanoseconds.
};

constexpr std::array byte_units{
    Unit{"B", 1},
    Unit{"kB", 1'000},
    Unit{"KB", 1'000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"TB", 1'000'000'000'000},
    Unit{"KiB", std::int64_t{1} << 10},
    Unit{"MiB", std::int64_t{1} << 20},
    Unit{"GiB", std::int64_t{1} << 30},
    Unit{"TiB", std::int64_t{1} << 40},
};

constexpr std::array time_units{
    Unit{"us", base::ns_per_us},
    Unit{"ms", base::ns_per_ms},
    Unit{"s", base::ns_per_second},
    Unit{"m", 60 * base::ns_per_second},
    Unit{"h", 3'600 * base::ns_per_second},
    Unit{"d", 86'400 * base::ns_per_second},
};

/// Size of one unit of the measure, in bytes or nanoseconds.
std::int64_t size_of(Measure measure) noexcept {
  switch (measure) {
    case Measure::Microseconds:
      return base::ns_per_us;
    case Measure::Milliseconds:
      return base::ns_per_ms;
    case Measure::Seconds:
      return base::ns_per_second;
    case Measure::Hours:
      return 3'600 * base::ns_per_second;
    case Measure::Days:
      return 86'400 * base::ns_per_second;
    case Measure::Count:
    case Measure::Bytes:
      break;
  }
  return 1;
}

std::span<const Unit> unit_table(Measure measure) noexcept {
  if (measure == Measure::Count) {
    return {};
  }
  return measure == Measure::Bytes ? std::span<const Unit>(byte_units)
                                   : std::span<const Unit>(time_units);
}

}  // namespace

std::string_view plural_of(Measure measure) noexcept {
  switch (measure) {
    case Measure::Count:
      return "";
    case Measure::Bytes:
      return "bytes";
    case Measure::Microseconds:
      return "microseconds";
    case Measure::Milliseconds:
      return "milliseconds";
    case Measure::Seconds:
      return "seconds";
    case Measure::Hours:
      return "hours";
    case Measure::Days:
      return "days";
  }
  return "";
}

std::string_view units_of(Measure measure) noexcept {
  if (measure == Measure::Count) {
    return {};
  }
  return measure == Measure::Bytes ? "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB" : "us, ms, s, m, h, d";
}

std::expected<std::int64_t, NumberFault> read_number(std::string_view text,
                                                     Measure measure) noexcept {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) {
    return std::unexpected(NumberFault::NotANumber);
  }
  const std::string_view name =
      base::trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (name.empty()) {
    return value;
  }
  const std::span<const Unit> units = unit_table(measure);
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [name](const Unit& candidate) { return candidate.name == name; });
  if (unit == units.end()) {
    return std::unexpected(NumberFault::NotANumber);
  }
  std::int64_t size = 0;
  if (__builtin_mul_overflow(value, unit->size, &size)) {
    return std::unexpected(NumberFault::NotANumber);
  }
  if (size % size_of(measure) != 0) {
    return std::unexpected(NumberFault::NotWhole);
  }
  return size / size_of(measure);
}

}  // namespace affix::inline v0::config
