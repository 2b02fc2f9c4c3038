// SPDX-License-Identifier: MIT
// The messages that one party sent under each number since its numbers last started over. The rule:
// a number belongs to one message, whatever happens to connections and processes.
#pragma once

#include "simulation/referee.hpp"
#include "simulation/wire_message.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::simulation {

class WireRecord {
 public:
  WireRecord(Referee& referee, const std::string& name)
      : referee_(referee), name_(name), streams_(referee, name) {}

  /// No number is left out on a connection: nothing was queued for a resend.
  bool continuous = false;

  /// The kernel has taken these bytes on one connection, of whichever of the party's processes:
  /// what it takes in all are complete messages, one after the other. Ignores those to others than
  /// `peer`.
  void taken(std::uint64_t link, std::string_view bytes, std::string_view peer);

  /// The party's numbers start over, so a new message may have a lower number than the last.
  void may_restart() noexcept { ++restarts_; }

  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }

 private:
  void record(std::uint64_t link, const WireMessage& message);
  void resent(const WireMessage& message);

  Referee& referee_;
  std::string name_;
  WireStreams streams_;
  std::vector<std::uint64_t> contents_;  // By number; 0: not seen.
  std::uint64_t last_ = 0;               // Highest number of a message sent for the first time.
  std::uint64_t messages_ = 0;
  std::uint64_t newest_link_ = 0;
  std::uint64_t logon_link_ = 0;  // The link of our last Logon.
  std::uint32_t restarts_ =
      0;  // Not seen yet: output of before may be parked while another follows.
};

}  // namespace affix::simulation
