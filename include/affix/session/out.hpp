// SPDX-License-Identifier: MIT
// Output of a session: encoded bytes to send, and actions to carry out in order. Both are in the
// caller's bounded memory; a session appends to them.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/session/events.hpp"
#include "affix/session/state.hpp"
#include "affix/wire/msg_type.hpp"
#include "affix/wire/view.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// Journal: store a message of ours with this number. `bytes` (with masked secrets for a Logon) are
/// valid until the outbox is sent. Store them before sending, unless the caller's store order
/// differs.
struct PersistSent {
  std::uint64_t sequence = 0;
  std::string_view bytes;
  /// The message in the outbox: equal to `bytes` except a Logon's secrets. Empty for a queued
  /// message, whose `bytes` are valid until the next call of the session.
  std::string_view placed;
  bool has_secret = false;  ///< The caller must store it without its secrets; a Logon's `bytes` are
                            ///< already masked.
};

/// Journal: store a received message; the expected number becomes `expected_after`. Secrets of a
/// Logon are masked.
struct PersistReceived {
  std::uint64_t sequence = 0;
  std::uint64_t expected_after = 0;  ///< Or expected_unknown.
  std::string_view bytes;
  bool deliver_follows = false;  ///< A Deliver of it follows; else storing it completes it.
  bool has_secret = false;       ///< As in PersistSent.
};

/// Journal: store a message held ahead of a gap. Changes no number.
struct PersistHeld {
  std::uint64_t sequence = 0;
  std::string_view bytes;
  bool has_secret = false;  ///< As in PersistSent.
};

/// Journal: note that from..to were resent, gap fills included. Changes no number.
struct PersistResent {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t unsent = 0;  ///< Queued messages that are still not sent.
};

enum class NumbersMoved : std::uint8_t {
  Reset,       ///< Both restart, or ours do: nothing before this can be resent.
  TheirReset,  ///< Theirs restart in answer to ours; messages sent since ours can be resent.
  ByHand,      ///< set_next_outgoing or set_next_expected.
  Skipped,     ///< SequenceReset-Reset of ours: the peer requests nothing before it.
};

/// Journal: store numbers that changed without a message.
struct PersistEvent {
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;  ///< Or expected_unknown.
  NumbersMoved why = NumbersMoved::Reset;
};

/// Application: process a message, in order and once. Session messages are included, with `admin`
/// set, after they took effect. The view is valid as long as the bytes and index given to
/// on_message; for a released message, until the next on_ready.
struct Deliver {
  wire::MessageView message;
  std::uint64_t sequence = 0;
  bool admin = false;
  bool possible_duplicate = false;  ///< 43=Y, but not received before.
  bool possible_resend = false;     ///< 97=Y: the application must detect known content.
  bool released = false;            ///< It was held ahead of a gap.
};

/// Caller: judge this Logon (credentials, schedule, application), then call accept_logon or
/// refuse_logon, now or later. The view is valid as for Deliver; it contains secrets.
struct LogonRequested {
  wire::MessageView message;
};

/// Journal: read our stored messages from..to in order, pass them to on_replayed in batches of any
/// size, then call on_replay_end. Skip numbers without a message. Only one replay is in progress at
/// a time.
struct Replay {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// Transport: send the outbox, then close. No input is accepted until on_disconnected.
struct Disconnect {
  DisconnectReason reason = DisconnectReason::LogoutComplete;
};

/// Log: informs only.
struct Report {
  Event event = Event::LoggedOn;
  /// MsgType (35) of the related message, zero-padded; the first seven bytes of a longer one.
  /// Placed where alignment leaves a hole, so that actions do not grow.
  std::array<char, 7> type{};
  std::uint64_t first = 0;  ///< Numbers as defined by the event.
  std::uint64_t second = 0;
  std::string_view text;  ///< Static, or valid as long as the message that caused it.

  Report() noexcept = default;

  Report(Event what, std::uint64_t first_number = 0, std::uint64_t second_number = 0,
         std::string_view words = {}, wire::MsgType about = {}) noexcept
      : event(what), first(first_number), second(second_number), text(words) {
    const std::uint64_t word = about.word();
    for (std::size_t at = 0; at < type.size(); ++at) {
      type[at] = static_cast<char>(word >> (8 * at) & 0xFF);
    }
  }
};

enum class ActionKind : std::uint8_t {
  PersistSent,
  PersistReceived,
  PersistHeld,
  PersistResent,
  PersistEvent,
  Deliver,
  LogonRequested,
  Replay,
  Disconnect,
  Report,
};

/// One action: `kind` selects the union member. Trivially copyable.
struct Action {
  ActionKind kind;

  union {
    PersistSent persist_sent;
    PersistReceived persist_received;
    PersistHeld persist_held;
    PersistResent persist_resent;
    PersistEvent persist_event;
    Deliver deliver;
    LogonRequested logon_requested;
    Replay replay;
    Disconnect disconnect;
    Report report;
  };

  Action() noexcept : kind(ActionKind::Report), report() {}

  Action(const PersistSent& value) noexcept
      : kind(ActionKind::PersistSent), persist_sent(value) {}  // NOLINT

  Action(const PersistReceived& value) noexcept
      : kind(ActionKind::PersistReceived), persist_received(value) {}  // NOLINT

  Action(const PersistHeld& value) noexcept
      : kind(ActionKind::PersistHeld), persist_held(value) {}  // NOLINT

  Action(const PersistResent& value) noexcept
      : kind(ActionKind::PersistResent), persist_resent(value) {}  // NOLINT

  Action(const PersistEvent& value) noexcept
      : kind(ActionKind::PersistEvent), persist_event(value) {}  // NOLINT

  Action(const Deliver& value) noexcept : kind(ActionKind::Deliver), deliver(value) {}  // NOLINT

  Action(const LogonRequested& value) noexcept
      : kind(ActionKind::LogonRequested), logon_requested(value) {}  // NOLINT

  Action(const Replay& value) noexcept : kind(ActionKind::Replay), replay(value) {}  // NOLINT

  Action(const Disconnect& value) noexcept
      : kind(ActionKind::Disconnect), disconnect(value) {}  // NOLINT

  Action(const Report& value) noexcept : kind(ActionKind::Report), report(value) {}  // NOLINT
};

/// The outbox and the action list of one connection.
///
/// The caller's turn: pass inputs to the session; after each, carry out actions from next_action()
/// until it returns nullptr. A callback may send: its message and PersistSent are appended, and the
/// caller may carry them out immediately, within the callback. At the end of the turn send bytes(),
/// which are contiguous whole messages, and report the number sent with sent(). While the socket
/// accepts nothing, bytes() wait, and once ready() is false the session accepts no input: this is
/// the back pressure.
class Out {
 public:
  /// Maximum output of one input; ready() requires this much free space.
  static constexpr std::size_t step_actions = 16;
  static constexpr std::size_t step_bytes = 16 * 1024;

  /// `outbox` has at least 2 * step_bytes, `actions` at least 2 * step_actions; both must outlive
  /// this.
  Out(std::span<char> outbox, std::span<Action> actions) noexcept
      : outbox_(outbox),
        actions_(actions.data()),
        actions_limit_(actions.data() + actions.size()),
        next_action_(actions_),
        actions_end_(actions_) {
    AFFIX_ASSERT(outbox.size() >= 2 * step_bytes && actions.size() >= 2 * step_actions);
  }

  /// Without memory: ready() is false until use_memory().
  Out() noexcept = default;

  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;

  // The caller's side.

  /// True if the memory is unused and can be replaced.
  [[nodiscard]] bool memory_unused() const noexcept { return begin_ == end_ && !has_actions(); }

  /// Uses other memory from now on, or none; sizes as for the constructor. Only while
  /// memory_unused().
  void use_memory(std::span<char> outbox, std::span<Action> actions) noexcept {
    AFFIX_ASSERT(memory_unused());
    outbox_ = outbox;
    actions_ = actions.data();
    actions_limit_ = actions_ + actions.size();
    clear();
  }

  /// Returns the next action, or nullptr. It stays valid until the call that returns nullptr.
  [[nodiscard]] const Action* next_action() noexcept {
    if (!has_actions()) {
      next_action_ = actions_end_ = actions_;
      return nullptr;
    }
    return next_action_++;
  }

  [[nodiscard]] bool has_actions() const noexcept { return next_action_ != actions_end_; }

  /// Encoded messages not yet sent.
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {outbox_.data() + begin_, end_ - begin_};
  }

  /// Removes the first `count` of bytes(), which the transport has accepted. Only without pending
  /// actions: it may move the rest.
  void sent(std::size_t count) noexcept {
    AFFIX_ASSERT(count <= end_ - begin_ && !has_actions());
    begin_ += count;
    if (begin_ == end_) {
      begin_ = end_ = unstored_end_ = 0;
    } else if (begin_ >= outbox_.size() / 2) {
      std::memmove(outbox_.data(), outbox_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      unstored_end_ -= std::min(unstored_end_, begin_);
      begin_ = 0;
    }
  }

  /// Discards everything, for a new connection.
  void clear() noexcept {
    begin_ = end_ = unstored_end_ = 0;
    next_action_ = actions_end_ = actions_;
  }

  /// Number of bytes() up to the end of the last message that no PersistSent stores: a resent one
  /// or a gap fill. 0: there is none. Later bytes() are those of stored messages, in their order.
  [[nodiscard]] std::size_t unstored_bytes() const noexcept {
    return unstored_end_ > begin_ ? unstored_end_ - begin_ : 0;
  }

  /// True if there is space for the output of one input.
  [[nodiscard]] bool ready() const noexcept {
    return actions_limit_ - actions_end_ >= std::ptrdiff_t{step_actions} &&
           end_ + step_bytes <= outbox_.size();
  }

  /// A state of the output to return to.
  class Mark {
   public:
    /// Bytes not sent at that time.
    [[nodiscard]] std::size_t waiting() const noexcept { return end_ - begin_; }

   private:
    friend class Out;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    Action* actions_end_ = nullptr;
  };

  [[nodiscard]] Mark mark() const noexcept {
    Mark mark;
    mark.begin_ = begin_;
    mark.end_ = end_;
    mark.actions_end_ = actions_end_;
    return mark;
  }

  /// Discards output since `mark`; nothing was sent or carried out in between.
  void go_back(const Mark& mark) noexcept {
    begin_ = mark.begin_;
    end_ = mark.end_;
    unstored_end_ = std::min(unstored_end_, end_);
    actions_end_ = mark.actions_end_;
  }

  // The session's side.

  /// Memory for encoding the next message; valid until place().
  [[nodiscard]] std::span<char> room() const noexcept { return outbox_.subspan(end_); }

  [[nodiscard]] std::size_t action_room() const noexcept {
    return static_cast<std::size_t>(actions_limit_ - actions_end_);
  }

  /// Appends `message`, which was encoded within room(). Moves it down over the gap that the
  /// right-aligned BodyLength leaves, unless the outbox was empty: the only message of a turn is
  /// not moved.
  std::string_view place(std::string_view message) noexcept {
    const auto offset = static_cast<std::size_t>(message.data() - outbox_.data());
    if (begin_ == end_) {
      begin_ = offset;
      end_ = offset + message.size();
      return message;
    }
    char* const target = outbox_.data() + end_;
    std::memmove(target, message.data(), message.size());
    end_ += message.size();
    return {target, message.size()};
  }

  /// The same for a message that is not stored.
  void place_unstored(std::string_view message) noexcept {
    static_cast<void>(place(message));
    unstored_end_ = end_;
  }

  /// Constructs the action in place, because copying one costs more than its contents.
  template <typename Value>
    requires std::constructible_from<Action, const Value&>
  void add(const Value& value) noexcept {
    AFFIX_ASSERT(actions_end_ != actions_limit_);
    std::construct_at(actions_end_++, value);
  }

 private:
  std::span<char> outbox_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t unstored_end_ = 0;  // Within outbox_; at most end_.
  Action* actions_ = nullptr;
  Action* actions_limit_ = nullptr;
  Action* next_action_ = nullptr;
  Action* actions_end_ = nullptr;
};

}  // namespace affix::inline v0::session
