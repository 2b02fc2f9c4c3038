// SPDX-License-Identifier: MIT
// Conditions under which a session refuses the application's messages, and what the application
// waits for after a refusal.
#pragma once

#include <cstdint>

namespace affix::inline v0::host {

enum class SendGuard : std::uint8_t {
  Limit,         ///< There is a limit on sends: each message has to ask for it.
  AdminMessage,  ///< The application adds to an admin message, which has the place in the outbox.
  Stopped,       ///< An operator has stopped its sending.
  OverLimit,     ///< The message that was begun exceeds the limit.
  HandingOver,   ///< Another node is about to lead the session's group.
};

/// One thread. One byte, so that a message tests all conditions at once.
class SendGuards {
 public:
  /// A message needs a closer look.
  [[nodiscard]] bool any() const noexcept { return bits_ != 0; }

  [[nodiscard]] bool has(SendGuard guard) const noexcept { return (bits_ & bit(guard)) != 0; }

  void raise(SendGuard guard) noexcept { bits_ = static_cast<std::uint8_t>(bits_ | bit(guard)); }

  void lower(SendGuard guard) noexcept { bits_ = static_cast<std::uint8_t>(bits_ & ~bit(guard)); }

  /// True if it was raised; it is lowered.
  [[nodiscard]] bool take(SendGuard guard) noexcept {
    const bool raised = has(guard);
    lower(guard);
    return raised;
  }

  /// No message may be begun. With only a limit, one may that does not exceed it.
  [[nodiscard]] bool closed() const noexcept { return (bits_ & ~bit(SendGuard::Limit)) != 0; }

  /// The session takes the place of another: an operator's stop stays.
  void go_on_from(const SendGuards& before) noexcept {
    bits_ = static_cast<std::uint8_t>(bits_ | (before.bits_ & bit(SendGuard::Stopped)));
  }

  // --- After a refusal ---

  /// on_output_room() is due once the outbox has room, or a reset or an operator's stop has ended.
  /// A wait for the limit goes on.
  void await_room() noexcept { wait_ = wait_ == Wait::Nothing ? Wait::Room : wait_; }

  /// It is due once the limit has room, too.
  void await_limit() noexcept { wait_ = Wait::Limit; }

  [[nodiscard]] bool awaits_limit() const noexcept { return wait_ == Wait::Limit; }

  /// The limit has room: the outbox may still have none.
  void on_limit_room() noexcept { wait_ = Wait::Room; }

  [[nodiscard]] bool awaits_room() const noexcept { return wait_ == Wait::Room; }

  /// The application is called, or the connection has ended: it waits for nothing more.
  void end_wait() noexcept { wait_ = Wait::Nothing; }

 private:
  enum class Wait : std::uint8_t { Nothing, Room, Limit };

  [[nodiscard]] static constexpr unsigned bit(SendGuard guard) noexcept {
    return 1U << static_cast<unsigned>(guard);
  }

  std::uint8_t bits_ = 0;
  Wait wait_ = Wait::Nothing;
};

}  // namespace affix::inline v0::host
