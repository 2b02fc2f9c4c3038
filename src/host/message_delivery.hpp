// SPDX-License-Identifier: MIT
// A session's messages on their way to the application: called here, or through a relay to its
// thread; and whether the message that it is called for counts as processed. Calls nothing.
#pragma once

#include "affix/journal/record.hpp"

#include <cstdint>
#include <utility>

namespace affix::inline v0::host {

class CallbackRelay;

/// One thread.
class MessageDelivery {
 public:
  // --- The way ---

  /// The relay outlives the session.
  void set_relay(CallbackRelay& relay) noexcept { relay_ = &relay; }

  /// Null: the application is called on this thread.
  [[nodiscard]] CallbackRelay* relay() const noexcept { return relay_; }

  /// The session takes the place of another, with its relay.
  void go_on_from(const MessageDelivery& before) noexcept { relay_ = before.relay_; }

  /// The session's farewell is in the relay. A callback behind it would find the session gone.
  [[nodiscard]] bool farewell_said() const noexcept { return farewell_ != Farewell::NotYet; }

  void on_farewell() noexcept { farewell_ = Farewell::Said; }

  /// The relay's thread has run all callbacks of the session.
  [[nodiscard]] bool relay_drained() const noexcept { return farewell_ == Farewell::Answered; }

  void on_relay_drained() noexcept { farewell_ = Farewell::Answered; }

  // --- The message received last ---

  /// The journal has stored it there.
  void on_stored(journal::Position at) noexcept { received_at_ = at; }

  /// The journal does not have it, so it does not count as received.
  void on_not_stored() noexcept { received_at_ = {}; }

  /// Invalid if it was not stored.
  [[nodiscard]] journal::Position received_at() const noexcept { return received_at_; }

  // --- The message at hand ---

  /// The application is called for a message on this thread.
  void begin_callback() noexcept { at_hand_ = AtHand::Passed; }

  /// The call has returned. True: the message counts as processed.
  [[nodiscard]] bool end_callback() noexcept {
    return std::exchange(at_hand_, AtHand::None) == AtHand::Passed;
  }

  /// The application keeps the message and will finish it later. False: it is not being called for
  /// one.
  [[nodiscard]] bool keep() noexcept {
    if (at_hand_ == AtHand::None) {
      return false;
    }
    at_hand_ = AtHand::Kept;
    return true;
  }

  /// A journal refused messages that were sent meanwhile and may have been its answer.
  void leave_unprocessed() noexcept {
    at_hand_ = at_hand_ == AtHand::Passed ? AtHand::Unanswered : at_hand_;
  }

 private:
  enum class AtHand : std::uint8_t {
    None,
    Passed,
    Kept,        ///< By the application.
    Unanswered,  ///< Its answer may be lost.
  };

  enum class Farewell : std::uint8_t { NotYet, Said, Answered };

  CallbackRelay* relay_ = nullptr;
  Farewell farewell_ = Farewell::NotYet;
  AtHand at_hand_ = AtHand::None;
  journal::Position received_at_;
};

}  // namespace affix::inline v0::host
