// SPDX-License-Identifier: MIT
// The name of one received message in its session's journal, and when messages that an earlier run
// left come again.
#pragma once

#include <compare>
#include <cstdint>

namespace affix::inline v0::engine {

/// Names one received record of a session's journal, for ever: MsgSeqNum alone names another one
/// after a reset. Eight bytes, to be kept anywhere, on a disk too; ordered as the records are. What
/// it names belongs to the session that Delivery came from and to no other.
class Receipt {
 public:
  /// Of no message.
  constexpr Receipt() noexcept = default;

  /// From value(), of this process or of an earlier one.
  constexpr explicit Receipt(std::uint64_t value) noexcept : value_(value) {}

  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return value_ != 0; }

  friend constexpr auto operator<=>(Receipt, Receipt) noexcept = default;

 private:
  std::uint64_t value_ = 0;
};

/// When a session's messages come again that an earlier run was handed and had not dealt with:
/// Application::redelivery() chooses.
enum class Redelivery : std::uint8_t {
  AfterLogon,  ///< Behind on_logon(), before anything new of the session. A connection that ends
               ///< meanwhile interrupts it until the next logon.
  AtStart,     ///< In the worker's first turn, or when the session is added; before anything new.
  WhenAsked,   ///< At SessionHandle::redeliver(). Until then new messages come as they do.
};

}  // namespace affix::inline v0::engine
