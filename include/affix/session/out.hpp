// SPDX-License-Identifier: MIT
// What a session hands back: encoded bytes to send, and the actions to carry out, in order.
// Both live in the caller's memory and are bounded; a session writes behind what is there.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/session/events.hpp"
#include "affix/session/state.hpp"
#include "affix/wire/msg_type.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// Journal: a message of ours has this number. Its bytes (secrets overwritten in a Logon's) live
/// until the outbox is sent, and are not sent before this is done, unless the caller's store order
/// says so.
struct PersistSent {
  std::uint64_t sequence = 0;
  std::string_view bytes;
  /// The message in the outbox: the same, but for a Logon's secrets. Empty for a message that is
  /// queued: `bytes` then live until the next call of the session.
  std::string_view placed;
  bool has_secret = false;  ///< The caller stores it without its secrets, which a Logon's `bytes`
                            ///< lack already.
};

/// Journal: a message of theirs was taken and `expected_after` is next. Secrets of a Logon are
/// overwritten.
struct PersistReceived {
  std::uint64_t sequence = 0;
  std::uint64_t expected_after = 0;  ///< Or expected_unknown.
  std::string_view bytes;
  bool deliver_follows = false;  ///< A Deliver of it comes next; else it is processed with this.
  bool has_secret = false;       ///< As in PersistSent.
};

/// Journal: a message of theirs came ahead of a gap and is held. Moves no number.
struct PersistHeld {
  std::uint64_t sequence = 0;
  std::string_view bytes;
  bool has_secret = false;  ///< As in PersistSent.
};

/// Journal: the numbers from..to were sent again, gap fills included. Moves no number.
struct PersistResent {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

enum class NumbersMoved : std::uint8_t {
  Reset,       ///< Both start over, or ours do: nothing before this can be resent.
  TheirReset,  ///< Theirs start over in answer to ours; what we sent meanwhile can be resent.
  ByHand,      ///< set_next_outgoing or set_next_expected.
};

/// Journal: numbers moved without a message.
struct PersistEvent {
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;  ///< Or expected_unknown.
  NumbersMoved why = NumbersMoved::Reset;
};

/// Application: a message, in order and once. Session messages come too, marked `admin`, after they
/// took effect. The view lives as long as the bytes and index given to on_message; that of a
/// released message until the next on_ready.
struct Deliver {
  wire::MessageView message;
  std::uint64_t sequence = 0;
  bool admin = false;
  bool possible_duplicate = false;  ///< 43=Y, yet not seen by this side before.
  bool possible_resend = false;  ///< 97=Y: the application knows whether it has seen the content.
  bool released = false;         ///< It was held behind a gap.
};

/// Caller: judge this Logon (credentials, schedule, application) and answer by accept_logon or
/// refuse_logon, now or later. The view lives as in Deliver; secrets are readable in it.
struct LogonRequested {
  wire::MessageView message;
};

/// Journal: read our stored messages from..to, in order and as many at a time as suits, into
/// on_replayed, then call on_replay_end. Numbers without a message are left out. Replaces nothing:
/// there is one replay at a time.
struct Replay {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// Transport: send what is in the outbox, then close. Nothing is accepted until on_disconnected.
struct Disconnect {
  DisconnectReason reason = DisconnectReason::LogoutComplete;
};

/// Log: nothing has to be done.
struct Report {
  Event event = Event::LoggedOn;
  /// MsgType (35) of the message it is about, zeros behind; only the first seven bytes of a longer
  /// one. They lie where alignment leaves room, so that no action is larger for them.
  std::array<char, 7> type{};
  std::uint64_t first = 0;  ///< Numbers as the event says.
  std::uint64_t second = 0;
  std::string_view text;  ///< Static, or living as long as the message that caused it.

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

/// One action: `kind` says which member is meant. Trivially copyable.
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
/// The caller's turn: give inputs to the session; after each, carry out actions with next_action()
/// until there is none (an action's callback may send: its message and PersistSent land behind what
/// is there, and the caller may carry those out at once, from within the callback); at the end of
/// the turn send bytes(), contiguous and whole messages, and say how many with sent(). While the
/// socket takes nothing, bytes() waits, and once ready() is false the session takes no input: that
/// is the back pressure.
class Out {
 public:
  /// Every input may use this much; more is kept free for nobody.
  static constexpr std::size_t step_actions = 16;
  static constexpr std::size_t step_bytes = 16 * 1024;

  /// `outbox` of at least 2 * step_bytes, `actions` of at least 2 * step_actions; both outlive
  /// this.
  Out(std::span<char> outbox, std::span<Action> actions) noexcept
      : outbox_(outbox),
        actions_(actions.data()),
        actions_limit_(actions.data() + actions.size()),
        next_action_(actions_),
        actions_end_(actions_) {
    AFFIX_ASSERT(outbox.size() >= 2 * step_bytes && actions.size() >= 2 * step_actions);
  }

  /// Without memory: never ready, until there is some.
  Out() noexcept = default;

  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;

  // The caller's side.

  /// Whether nothing is in its memory, so that it may have another.
  [[nodiscard]] bool memory_unused() const noexcept { return begin_ == end_ && !has_actions(); }

  /// Works in other memory from now on, or in none; sizes as the constructor's. Only while
  /// memory_unused().
  void use_memory(std::span<char> outbox, std::span<Action> actions) noexcept {
    AFFIX_ASSERT(memory_unused());
    outbox_ = outbox;
    actions_ = actions.data();
    actions_limit_ = actions_ + actions.size();
    clear();
  }

  /// The next action to carry out, or nullptr. It stays in place until the call after the last one.
  [[nodiscard]] const Action* next_action() noexcept {
    if (!has_actions()) {
      next_action_ = actions_end_ = actions_;
      return nullptr;
    }
    return next_action_++;
  }

  [[nodiscard]] bool has_actions() const noexcept { return next_action_ != actions_end_; }

  /// Encoded messages not sent yet.
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {outbox_.data() + begin_, end_ - begin_};
  }

  /// The first `count` of bytes() are with the transport. Only when no action is left: it may move
  /// what remains.
  void sent(std::size_t count) noexcept {
    AFFIX_ASSERT(count <= end_ - begin_ && !has_actions());
    begin_ += count;
    if (begin_ == end_) {
      begin_ = end_ = 0;
    } else if (begin_ >= outbox_.size() / 2) {
      std::memmove(outbox_.data(), outbox_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
  }

  /// Forgets everything: for a new connection.
  void clear() noexcept {
    begin_ = end_ = 0;
    next_action_ = actions_end_ = actions_;
  }

  /// Whether there is room for what one input may produce.
  [[nodiscard]] bool ready() const noexcept {
    return actions_limit_ - actions_end_ >= std::ptrdiff_t{step_actions} &&
           end_ + step_bytes <= outbox_.size();
  }

  /// A moment to go back to.
  class Mark {
   public:
    /// Bytes that waited.
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

  /// Forgets what was placed and added since; nothing was sent or carried out meanwhile.
  void go_back(const Mark& mark) noexcept {
    begin_ = mark.begin_;
    end_ = mark.end_;
    actions_end_ = mark.actions_end_;
  }

  // The session's side.

  /// Where the next message is encoded; valid until place().
  [[nodiscard]] std::span<char> room() const noexcept { return outbox_.subspan(end_); }

  [[nodiscard]] std::size_t action_room() const noexcept {
    return static_cast<std::size_t>(actions_limit_ - actions_end_);
  }

  /// Takes `message`, encoded somewhere in room(), behind what is there. The gap that right-aligned
  /// BodyLength leaves is closed by moving the message down, unless the outbox was empty: the lone
  /// message of a turn is not moved.
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

  /// Made in its place: an action is large enough for a copy to cost more than what it says.
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
  Action* actions_ = nullptr;
  Action* actions_limit_ = nullptr;
  Action* next_action_ = nullptr;
  Action* actions_end_ = nullptr;
};

}  // namespace affix::inline v0::session
