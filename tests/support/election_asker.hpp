// SPDX-License-Identifier: MIT
// Asks an election store whose threads answer, and waits for what comes.
#pragma once

#include "affix/base/time.hpp"
#include "affix/net/waker.hpp"
#include "affix/os/clock.hpp"
#include "affix/replication/election_store.hpp"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>

namespace affix::support {

class ElectionAsker {
 public:
  explicit ElectionAsker(replication::ElectionStore& store) : store_(store) {
    EXPECT_TRUE(waker_.open().has_value());
    store_.wake_with(&waker_);
  }

  ElectionAsker(const ElectionAsker&) = delete;
  ElectionAsker& operator=(const ElectionAsker&) = delete;

  ~ElectionAsker() { store_.wake_with(nullptr); }

  /// The answer; changes that come before are kept for change().
  replication::Answer ask(replication::StoreRequest request) {
    const replication::AnswerKind kind = replication::answer_to(request.kind);
    store_.ask(std::move(request));
    while (true) {
      replication::Answer answer = next();
      if (answer.kind == kind) {
        return answer;
      }
      EXPECT_EQ(answer.kind, replication::AnswerKind::Changed);
      changes_.push_back(std::move(answer));
    }
  }

  replication::Answer read() {
    return ask({.group = "g", .kind = replication::RequestKind::Read, .entry = {}});
  }

  replication::Answer write(replication::Entry entry, std::uint64_t expected_revision) {
    return ask({.group = "g",
                .kind = replication::RequestKind::Promote,
                .entry = std::move(entry),
                .expected_revision = expected_revision});
  }

  /// The next news of the watch.
  replication::Answer change() {
    if (changes_.empty()) {
      return next();
    }
    replication::Answer change = std::move(changes_.front());
    changes_.pop_front();
    return change;
  }

 private:
  replication::Answer next() {
    // Longer than any bound of a store: then the test fails.
    const std::int64_t end_ns = os::now().steady_ns + 60 * base::ns_per_second;
    while (os::now().steady_ns < end_ns) {
      if (auto answer = store_.take()) {
        return std::move(*answer);
      }
      waker_.block(base::ns_per_second);
    }
    ADD_FAILURE() << "the store does not answer";
    return {};
  }

  replication::ElectionStore& store_;
  net::Waker waker_;
  std::deque<replication::Answer> changes_;
};

/// An entry of epoch `epoch`, led by "a" alone.
inline replication::Entry election_entry(std::uint64_t epoch, std::uint64_t renewals = 0) {
  return {.epoch = epoch, .primary = "a", .in_sync = {"a"}, .renewals = renewals};
}

}  // namespace affix::support
