// SPDX-License-Identifier: MIT
// Texts of record kinds and event types.
#include "affix/journal/record.hpp"

#include <charconv>
#include <system_error>

namespace affix::inline v0::journal {

const char* to_text(Kind kind) noexcept {
  switch (kind) {
    case Kind::Sent:
      return "sent";
    case Kind::Received:
      return "received";
    case Kind::Held:
      return "held";
    case Kind::Resent:
      return "resent";
    case Kind::Event:
      return "event";
  }
  return "unknown";
}

const char* to_text(EventType type) noexcept {
  switch (type) {
    case EventType::None:
      return "none";
    case EventType::NumbersSet:
      return "numbers set";
    case EventType::Reset:
      return "reset";
    case EventType::TradingDay:
      return "trading day";
    case EventType::Remark:
      return "remark";
    case EventType::Epoch:
      return "epoch";
  }
  return "unknown";
}

std::optional<std::uint64_t> epoch_of(const Record& record) noexcept {
  constexpr std::string_view word = "epoch ";
  if (record.kind != Kind::Event || record.event != EventType::Epoch ||
      !record.bytes.starts_with(word)) {
    return std::nullopt;
  }
  std::uint64_t epoch = 0;
  const char* const last = record.bytes.data() + record.bytes.size();
  const std::from_chars_result read =
      std::from_chars(record.bytes.data() + word.size(), last, epoch);
  if (read.ec != std::errc{}) {
    return std::nullopt;
  }
  return epoch;
}

}  // namespace affix::inline v0::journal
