// SPDX-License-Identifier: MIT
// Messages of one session of a cluster as the world outside has seen them, whichever node said
// them, and the orders of its peer. The rules: a number has one content, one node speaks at a time,
// the next primary has what was said, and every order is answered.
#pragma once

#include "simulation/failover_plan.hpp"
#include "simulation/referee.hpp"
#include "simulation/wire_message.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace affix::simulation {

/// Survives all processes.
class Ledger {
 public:
  Ledger(Referee& referee, const FailoverPlan& plan, std::size_t peer);

  // --- The cluster's output ---

  /// A node is about to send these bytes to the peer: it leads the session's group in `epoch`, or
  /// not at all: 0.
  void speaks(std::size_t node, std::uint64_t epoch, std::uint64_t link, std::string_view bytes);

  /// The kernel of a node has taken these bytes.
  void taken(std::size_t node, std::uint64_t link, std::string_view bytes);

  /// The cluster's application is given the peer's message of this number.
  void delivered(std::uint64_t number) { delivered_.insert(number); }

  /// A node leads in `epoch` from now on, with this journal and this next outgoing number.
  void check_promoted(std::size_t node, std::uint64_t epoch, const std::string& journal,
                      std::uint64_t next);

  /// Messages of the cluster on the wire so far.
  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }

  // --- Orders ---

  [[nodiscard]] std::uint64_t next_order() const noexcept { return next_order_; }

  /// The peer's engine has stored the order, so it must be answered.
  void ordered() { open_.insert(next_order_++); }

  /// The peer's application has the answer.
  void answered(std::uint64_t order);

  /// The cluster's application has the order, and its engine does not take the answer now: if the
  /// process ends before it does, the order is lost by the application.
  void excuse(std::uint64_t order) { open_.erase(order); }

  [[nodiscard]] bool all_answered() const noexcept { return open_.empty(); }

  [[nodiscard]] std::string open_orders() const;

  [[nodiscard]] std::uint64_t answers() const noexcept { return answers_; }

 private:
  struct Said {
    std::uint64_t content = 0;
    std::size_t node = 0;
    std::string type;
  };

  void record(std::size_t node, std::uint64_t link, const WireMessage& message);

  Referee& referee_;
  const FailoverPlan& plan_;
  std::string name_;
  WireStreams streams_;
  std::map<std::uint64_t, Said> said_;  // By number.
  std::uint64_t last_ = 0;              // Highest number of a message said for the first time.
  std::uint64_t messages_ = 0;
  std::uint64_t newest_link_ = 0;       // Of those with a Logon.
  std::set<std::uint64_t> logged_on_;   // Links on which a node has sent a Logon.
  std::set<std::uint64_t> heard_from_;  // Links with bytes of a Logon that was about to be sent.
  std::uint64_t epoch_ = 0;             // The highest that has spoken.
  std::size_t speaker_ = 0;             // In that epoch.
  std::uint64_t next_order_ = 1;
  std::uint64_t answers_ = 0;
  std::set<std::uint64_t> open_;
  std::set<std::uint64_t> delivered_;  // Numbers of the peer.
};

}  // namespace affix::simulation
