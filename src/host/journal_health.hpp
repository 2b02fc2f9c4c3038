// SPDX-License-Identifier: MIT
// Whether a session's journal takes records, from its first refusal until it takes them again.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/journal/journal.hpp"

#include <cstdint>
#include <utility>

namespace affix::inline v0::host {

/// One thread. A refused record ends the connection, and no new one is made until the journal could
/// be prepared: a message that the journal does not have must not be sent or counted as received.
class JournalHealth {
 public:
  enum class Link : std::uint8_t { Connected, Down };

  /// The journal refused a record.
  void on_refusal(journal::AppendResult result, Link link) noexcept {
    state_ = link == Link::Connected ? State::Failed : State::Refuses;
    why_ = result == journal::AppendResult::NoSpace
               ? base::CodedText{"the journal has no room", "S302"}
               : base::CodedText{journal::to_text(result), journal::code_of(result)};
    unreported_ = true;
  }

  /// It refused one in this connection: nothing more is stored before the connection has ended.
  [[nodiscard]] bool failed() const noexcept { return state_ == State::Failed; }

  /// No connection should be made.
  [[nodiscard]] bool refuses() const noexcept { return state_ == State::Refuses; }

  /// The connection has ended. True: the journal failed in it, and decides the numbers from here
  /// on.
  [[nodiscard]] bool take_failure() noexcept {
    if (!failed()) {
      return false;
    }
    state_ = State::Refuses;
    return true;
  }

  /// The journal was prepared: it takes records again.
  void on_prepared() noexcept { state_ = State::Stores; }

  /// Reason of the last refusal while the journal refuses, else empty. Static text.
  [[nodiscard]] base::CodedText refusal() const noexcept {
    return refuses() ? why_ : base::CodedText();
  }

  /// True, once, after a refusal: the operator has to know.
  [[nodiscard]] bool take_unreported() noexcept { return std::exchange(unreported_, false); }

 private:
  enum class State : std::uint8_t {
    Stores,
    Failed,   ///< In the present connection.
    Refuses,  ///< Until it could be prepared.
  };

  State state_ = State::Stores;
  bool unreported_ = false;
  base::CodedText why_;
};

}  // namespace affix::inline v0::host
