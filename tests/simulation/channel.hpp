// SPDX-License-Identifier: MIT
// One direction of the business between two applications: what one sent, what the other was given.
// The rules: everything, in order, once; again only what a crash interrupted, and marked so.
#pragma once

#include "simulation/referee.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace affix::simulation {

/// Survives the processes of both sides, as a ledger of theirs would.
class Channel {
 public:
  Channel(Referee& referee, std::string name) : referee_(referee), name_(std::move(name)) {}

  /// Only gap fills answer resend requests: what a fault destroyed stays lost.
  bool may_lose = false;

  /// The sender's application got its message stored, so it has to arrive.
  [[nodiscard]] std::uint64_t next_id() const noexcept { return next_id_; }

  void sent(std::uint64_t sequence);

  /// The sender's numbers start over: what was not delivered by then never needs to be.
  void reset() noexcept { ++epoch_; }

  /// The receiver's engine refuses the message of that number, as the clocks are apart.
  void refused(std::uint64_t sequence);

  /// The receiver's application gets a message; finish() when it is done with it.
  void begin(std::uint64_t id, bool redelivered);

  void finish() noexcept { unfinished_.reset(); }

  /// After a restart's first turn: what a crash had interrupted has come again.
  void check_redelivered();

  /// After a quiet time: nothing that was sent is missing.
  void check_all_arrived();

  [[nodiscard]] bool all_arrived() const noexcept;

  [[nodiscard]] std::uint64_t delivered() const noexcept { return delivered_; }

 private:
  struct Row {
    std::uint64_t id = 0;
    std::uint64_t epoch = 0;
    std::uint64_t sequence = 0;
    bool refused = false;
  };

  void take(std::uint64_t id);
  [[nodiscard]] bool excused(const Row& row, std::uint64_t epoch) const noexcept;

  Referee& referee_;
  std::string name_;
  std::deque<Row> rows_;  // Sent and not delivered.
  std::uint64_t next_id_ = 1;
  std::uint64_t epoch_ = 0;
  std::uint64_t delivered_ = 0;
  std::optional<std::uint64_t> unfinished_;  // The receiver was in the middle of it.
};

}  // namespace affix::simulation
