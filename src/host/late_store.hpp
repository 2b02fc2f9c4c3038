// SPDX-License-Identifier: MIT
// Messages of a session that leave before they are stored (store_order after_send), until they are
// stored. Meanwhile the worker's processed marks wait.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/base/fixed_vector.hpp"
#include "affix/session/out.hpp"

#include "host/delayed_marks.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace affix::inline v0::host {

/// One thread. Allocates when it is made and never again.
class LateStore {
 public:
  static constexpr std::size_t messages_max = 64;

  /// Whether the session has such messages.
  enum class Use : std::uint8_t { Never, AfterSend };

  /// `marks` are the worker's and outlive this.
  LateStore(DelayedMarks& marks, Use use)
      : marks_(marks), messages_(use == Use::AfterSend ? std::make_unique<Messages>() : nullptr) {}

  LateStore(const LateStore&) = delete;
  LateStore& operator=(const LateStore&) = delete;

  [[nodiscard]] DelayedMarks& marks() const noexcept { return marks_; }

  [[nodiscard]] bool empty() const noexcept { return messages_ == nullptr || messages_->empty(); }

  /// The maximum for one turn is reached: store() comes before add(). Only with AfterSend.
  [[nodiscard]] bool full() const noexcept { return messages_->full(); }

  /// Where the oldest is in the outbox; null: there is none.
  [[nodiscard]] const char* first_placed() const noexcept {
    return empty() ? nullptr : messages_->begin()->sent.placed.data();
  }

  /// Keeps a message that was placed at `utc_ns`; its bytes stay in the outbox until store(). Only
  /// with AfterSend.
  void add(const session::PersistSent& sent, std::int64_t utc_ns) noexcept {
    AFFIX_DEBUG_ASSERT(!full());
    if (messages_->empty()) {
      marks_.begin_late();
    }
    static_cast<void>(messages_->push_back({sent, utc_ns}));
  }

  /// Stores the messages in order by `append(sent, utc_ns)`, up to the first for which it returns
  /// false. Keeps none, and lets the marks go or, after a false, drops them. Returns the last
  /// result. Only if not empty().
  template <typename Append>
  [[nodiscard]] bool store(Append append) noexcept {
    bool stored = true;
    for (const Message& message : *messages_) {
      stored = append(message.sent, message.utc_ns);
      if (!stored) {
        break;
      }
    }
    messages_->clear();
    marks_.end_late(stored);
    return stored;
  }

 private:
  struct Message {
    session::PersistSent sent;
    std::int64_t utc_ns = 0;
  };

  using Messages = base::FixedVector<Message, messages_max>;

  DelayedMarks& marks_;
  std::unique_ptr<Messages> messages_;  // Null with Never.
};

}  // namespace affix::inline v0::host
