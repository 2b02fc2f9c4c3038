// SPDX-License-Identifier: MIT
// Interface by which a dictionary validates messages without the session depending on it. A
// function pointer and its context; the engine supplies both.
#pragma once

#include "affix/wire/view.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::session {

enum class Verdict : std::uint8_t {
  Pass,
  Warn,            ///< Reports, then continues as for Pass.
  Reject,          ///< Sends Reject (35=3) with `reason` as SessionRejectReason (373).
  RejectBusiness,  ///< Sends BusinessMessageReject (35=j) with `reason` as 380.
};

struct Validation {
  Verdict verdict = Verdict::Pass;
  std::uint16_t reason = 0;  ///< SessionRejectReason or BusinessRejectReason.
  std::int64_t tag = 0;      ///< RefTagID (371), as in the message; 0: none.
  bool has_tag = false;      ///< True if `tag` is valid, even when it is 0.
  /// Text (58); static, or valid as long as the message. Empty: the reason's standard text.
  std::string_view text;
};

/// Validates one message, by default when it is next in sequence (see ValidationPlace). Must be
/// deterministic and free of side effects.
using ValidateFunction = Validation (*)(const void* context,
                                        const wire::MessageView& message) noexcept;

struct Validator {
  ValidateFunction function = nullptr;
  const void* context = nullptr;

  [[nodiscard]] explicit operator bool() const noexcept { return function != nullptr; }
};

}  // namespace affix::inline v0::session
