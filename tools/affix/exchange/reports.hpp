// SPDX-License-Identifier: MIT
// The exchange's answers as FIX fields, in the words of the member's FIX version.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/encoder.hpp"

#include "exchange/book/events.hpp"

#include <string_view>

namespace affix::inline v0::tools::exchange {

/// What of a report depends on who gets it and when.
struct ReportStyle {
  FixVocabulary vocabulary = FixVocabulary::Fix44;
  std::string_view id_prefix;  ///< Before OrderID, ExecID and TrdMatchID numbers: this run of the
                               ///< exchange.
  base::UtcTime now;
};

/// The vocabulary of a BeginString.
[[nodiscard]] FixVocabulary vocabulary_of(std::string_view begin_string) noexcept;

/// Body of an ExecutionReport (35=8).
void write_execution(wire::Encoder& message, const ExecutionReport& report,
                     const ReportStyle& style) noexcept;

/// Body of an OrderCancelReject (35=9).
void write_cancel_reject(wire::Encoder& message, const CancelReject& reject,
                         const ReportStyle& style) noexcept;

}  // namespace affix::inline v0::tools::exchange
