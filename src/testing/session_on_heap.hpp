// SPDX-License-Identifier: MIT
// A session with all the memory that it needs, on the heap. Private to testing.
#pragma once

#include "affix/session.hpp"

#include "testing/recorded_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace affix::inline v0::testing {

/// One thread. Does not move: the session refers to the rest.
class SessionOnHeap {
 public:
  SessionOnHeap(const session::SessionOptions& options, std::size_t outbox_bytes)
      : options_(options),
        memory_(std::make_unique<session::SessionMemoryOf<>>()),
        outbox_(outbox_bytes),
        actions_(actions_max),
        throttle_times_(options.throttle_limit),
        out_(outbox_, actions_) {
    make_session();
  }

  SessionOnHeap(const SessionOnHeap&) = delete;
  SessionOnHeap& operator=(const SessionOnHeap&) = delete;

  [[nodiscard]] session::Session& session() noexcept { return *session_; }

  [[nodiscard]] const session::SessionState& state() const noexcept { return state_; }

  [[nodiscard]] session::Out& out() noexcept { return out_; }

  /// Makes the session anew, with nothing but these numbers, as a new process does.
  void restart(const RecordedNumbers& numbers) {
    state_ = {};
    numbers.restore(state_);
    out_.clear();
    make_session();
  }

 private:
  static constexpr std::size_t actions_max = 256;

  void make_session() {
    session::SessionMemory memory = memory_->memory();
    memory.throttle_times = throttle_times_;
    session_.emplace(options_, state_, memory);
  }

  const session::SessionOptions options_;
  session::SessionState state_;
  std::unique_ptr<session::SessionMemoryOf<>> memory_;
  std::vector<char> outbox_;
  std::vector<session::Action> actions_;
  std::vector<std::int64_t> throttle_times_;
  session::Out out_;
  std::optional<session::Session> session_;
};

}  // namespace affix::inline v0::testing
