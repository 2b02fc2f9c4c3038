// SPDX-License-Identifier: MIT
// Requests about what journals hold: parameters in, searches run and kept, JSON out.
#pragma once

#include "monitor/request.hpp"
#include "monitor/snapshot.hpp"

#include <memory>

namespace affix::inline v0::tools::monitor {

/// Any number of threads; one of them searches at a time, for a fifth of a second at most, and
/// those that would wait for more than two are turned away.
class JournalDesk {
 public:
  JournalDesk(const Roster& roster, const Observer& observer);
  ~JournalDesk();

  [[nodiscard]] Answer messages(const Request& request);
  [[nodiscard]] Answer message(const Request& request);
  [[nodiscard]] Answer order(const Request& request);

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace affix::inline v0::tools::monitor
