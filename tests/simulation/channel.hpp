// SPDX-License-Identifier: MIT
// One direction of the applications' messages: those sent and those delivered. The rules: all of
// them, in order, once; repeated only after a crash, and marked as redelivered.
#pragma once

#include "simulation/referee.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace affix::simulation {

/// Survives the processes of both sides.
class Channel {
 public:
  Channel(Referee& referee, std::string name) : referee_(referee), name_(std::move(name)) {}

  /// Resend requests are only answered with gap fills: messages lost by a fault stay lost.
  bool may_lose = false;

  /// The sender's engine has stored its application's message, so it must arrive.
  [[nodiscard]] std::uint64_t next_id() const noexcept { return next_id_; }

  /// `queued`: it was stored only, and leaves by a resend.
  void sent(std::uint64_t sequence, bool queued = false);

  /// The sender's numbers start over: messages not delivered by then need not be delivered.
  void reset() noexcept;

  /// The sender's engine resends, or reports that queued messages are lost.
  void account_for_queued() noexcept;

  /// Call when the sender's engine reports a reset to the number `next`: it has accounted for the
  /// queued messages from there on.
  void check_queued(std::uint64_t next);

  /// The receiver's engine refuses the message with that number, as the clocks differ.
  void refused(std::uint64_t sequence);

  /// The receiver's application gets a message; call finish() when it has processed it.
  void begin(std::uint64_t id, bool redelivered);

  void finish() noexcept { unfinished_.reset(); }

  /// Call after a restart's first turn: messages interrupted by a crash have been redelivered.
  void check_redelivered();

  /// Call after a quiet time: no sent message is missing.
  void check_all_arrived();

  [[nodiscard]] bool all_arrived() const noexcept;

  [[nodiscard]] std::uint64_t delivered() const noexcept { return delivered_; }

 private:
  struct Row {
    std::uint64_t id = 0;
    std::uint64_t epoch = 0;
    std::uint64_t sequence = 0;
    bool refused = false;
    bool queued = false;  // And neither resent nor reported as lost.
  };

  void take(std::uint64_t id);
  [[nodiscard]] bool excused(const Row& row, std::uint64_t epoch) const noexcept;

  Referee& referee_;
  std::string name_;
  std::deque<Row> rows_;  // Sent and not delivered.
  std::uint64_t next_id_ = 1;
  std::uint64_t epoch_ = 0;
  std::uint64_t delivered_ = 0;
  std::optional<std::uint64_t> unfinished_;  // The receiver was processing it.
};

}  // namespace affix::simulation
