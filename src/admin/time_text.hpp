// SPDX-License-Identifier: MIT
// Points in time in answers.
#pragma once

#include "affix/wire/convert.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace affix::inline v0::admin {

/// "20260131-12:00:00.123456789", as FIX writes UTC.
[[nodiscard]] inline std::string time_text(std::int64_t utc_ns) {
  std::array<char, wire::utc_time_room> text;
  const std::size_t size =
      wire::format_utc_time(base::UtcTime{utc_ns}, wire::TimePrecision::Nanos, text.data());
  return {text.data(), size};
}

}  // namespace affix::inline v0::admin
