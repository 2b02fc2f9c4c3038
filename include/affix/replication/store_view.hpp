// SPDX-License-Identifier: MIT
// A member's view of the election store: which revision of its entry it has seen, the request
// under way, and when to ask again. The Member decides what follows from it.
#pragma once

#include "affix/base/error.hpp"
#include "affix/replication/election_entry.hpp"
#include "affix/replication/election_store.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace affix::inline v0::replication {

/// Pauses after requests that failed, in nanoseconds.
struct StorePauses {
  std::int64_t first_ns = 0;  ///< After the first; doubles with each further one.
  std::int64_t most_ns = 0;   ///< The longest.
};

/// For one thread: no locks, no clock, no I/O. `now_ns` is the steady clock.
class StoreView {
 public:
  /// A request that was asked for.
  struct Pending {
    StoreRequest request;       ///< As the store got it.
    std::int64_t asked_ns = 0;  ///< When.
  };

  /// The content of an answer.
  enum class Heard : std::uint8_t {
    Nothing,  ///< It answers no request of this member.
    NoEntry,  ///< The request failed, or the answer crossed the news of a change and nobody can say
              ///< which is newer.
    Entry,    ///< The store has this entry: adopt it.
  };

  StoreView(std::string group, StorePauses pauses) : group_(std::move(group)), pauses_(pauses) {}

  // --- Requests ---

  /// The request to pass to the store. None is under way.
  [[nodiscard]] StoreRequest ask(RequestKind kind, Entry entry, std::int64_t now_ns);

  /// The request under way; nullopt: none.
  [[nodiscard]] const std::optional<Pending>& pending() const noexcept { return pending_; }

  /// A write is under way.
  [[nodiscard]] bool is_writing() const noexcept {
    return pending_ && pending_->request.kind != RequestKind::Read;
  }

  /// A write whose answer was lost may still take effect.
  [[nodiscard]] bool is_unsettled() const noexcept { return unsettled_.has_value(); }

  // --- Answers ---

  /// News of a change. True: it is newer than what is known, so adopt it.
  [[nodiscard]] bool take_news(const Answer& news, std::int64_t now_ns);

  /// An answer to the request under way, which is returned through `asked`.
  [[nodiscard]] Heard take_answer(const Answer& answer, std::optional<Pending>& asked,
                                  std::int64_t now_ns);

  /// This revision is the one that is known from now on; 0: there is no entry.
  void adopt(std::uint64_t revision, std::int64_t now_ns);

  /// Requests pause, longer each time.
  void back_off(std::int64_t now_ns) noexcept;

  /// The entry must be read before anything is decided.
  void require_read() noexcept { must_read_ = true; }

  // --- What is known ---

  /// The store has said what its entry is, or that it has none.
  [[nodiscard]] bool is_known() const noexcept { return is_known_; }

  /// Of the entry; 0: there is none, or it is not known.
  [[nodiscard]] std::uint64_t revision() const noexcept { return revision_; }

  /// When this revision was first seen.
  [[nodiscard]] std::int64_t observed_ns() const noexcept { return observed_ns_; }

  /// When the store last said anything.
  [[nodiscard]] std::int64_t heard_ns() const noexcept { return heard_ns_; }

  /// require_read(), or an answer that was no entry: read it first.
  [[nodiscard]] bool needs_read() const noexcept { return must_read_; }

  /// The store has answered the last request.
  [[nodiscard]] bool is_there() const noexcept {
    return outcome_ == Outcome::Done || outcome_ == Outcome::Conflict;
  }

  /// Of the last answer; Unreachable before the first.
  [[nodiscard]] Outcome outcome() const noexcept { return outcome_; }

  /// Of the last answer, unless that was Done or Conflict. Valid until the next.
  [[nodiscard]] const base::Error& error() const noexcept { return error_; }

  /// The end of the pause; nullopt: there is none now.
  [[nodiscard]] std::optional<std::int64_t> paused_until_ns(std::int64_t now_ns) const noexcept {
    return back_off_ns_ != 0 && now_ns < retry_at_ns_ ? std::optional(retry_at_ns_) : std::nullopt;
  }

 private:
  std::string group_;
  StorePauses pauses_;
  std::uint64_t revision_ = 0;
  std::int64_t observed_ns_ = 0;
  std::int64_t heard_ns_ = 0;
  bool is_known_ = false;
  bool must_read_ = true;
  bool has_changed_meanwhile_ = false;  // The watch has told of a change since the last request.
  Outcome outcome_ = Outcome::Unreachable;
  base::Error error_;
  std::optional<Pending> pending_;
  // A write with this expected revision may still take effect: until the revision is another one.
  std::optional<std::uint64_t> unsettled_;
  std::int64_t retry_at_ns_ = 0;
  std::int64_t back_off_ns_ = 0;
};

}  // namespace affix::inline v0::replication
