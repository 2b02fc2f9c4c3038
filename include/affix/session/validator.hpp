// SPDX-License-Identifier: MIT
// The door through which a dictionary judges messages without the session knowing dictionaries.
// A function pointer and its context; the engine supplies both.
#pragma once

#include "affix/wire/view.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::session {

enum class Verdict : std::uint8_t {
  Pass,
  Warn,            ///< Report, then go on as if passed.
  Reject,          ///< Reject (35=3) with `reason` as 373.
  RejectBusiness,  ///< BusinessMessageReject (35=j) with `reason` as 380.
};

struct Validation {
  Verdict verdict = Verdict::Pass;
  std::uint16_t reason = 0;  ///< 373, or 380 of RejectBusiness.
  std::int64_t tag = 0;      ///< 371, as the message writes it; 0 = none is named.
  bool has_tag = false;      ///< `tag` is named, even when it is 0.
  /// 58; static storage, or living as long as the message. Empty: the reason's own.
  std::string_view text;
};

/// Judges one message, by default one that is next in sequence (see ValidationPlace). Pure: the
/// same answer for the same bytes; no side effects.
using ValidateFunction = Validation (*)(const void* context,
                                        const wire::MessageView& message) noexcept;

struct Validator {
  ValidateFunction function = nullptr;
  const void* context = nullptr;

  [[nodiscard]] explicit operator bool() const noexcept { return function != nullptr; }
};

}  // namespace affix::inline v0::session
