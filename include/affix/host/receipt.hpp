// SPDX-License-Identifier: MIT
// The name of one received message in its session's journal, and the time at which messages left by
// an earlier run are redelivered.
#pragma once

#include <compare>
#include <cstdint>

namespace affix::inline v0::host {

/// Names one received record of a session's journal permanently: a MsgSeqNum is used again after a
/// reset. Eight bytes, which may be stored anywhere, also on a disk; ordered as the records are.
/// Valid only for the session whose Delivery contained it.
class Receipt {
 public:
  /// The empty receipt, of no message.
  constexpr Receipt() noexcept = default;

  /// Restores a receipt from value(), of this process or an earlier one.
  constexpr explicit Receipt(std::uint64_t value) noexcept : value_(value) {}

  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return value_ != 0; }

  friend constexpr auto operator<=>(Receipt, Receipt) noexcept = default;

 private:
  std::uint64_t value_ = 0;
};

/// When a session redelivers messages that an earlier run did not finish processing:
/// Application::redelivery() chooses.
enum class Redelivery : std::uint8_t {
  AfterLogon,  ///< After on_logon(), before any new message of the session. If the connection ends
               ///< meanwhile, redelivery continues after the next logon.
  AtStart,     ///< In the worker's first turn, or when the session is added; before new messages.
  WhenAsked,   ///< At SessionHandle::redeliver(). New messages are delivered normally until then.
};

}  // namespace affix::inline v0::host
