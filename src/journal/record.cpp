// SPDX-License-Identifier: MIT
// Texts of record kinds and event types.
#include "affix/journal/record.hpp"

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
  }
  return "unknown";
}

}  // namespace affix::inline v0::journal
