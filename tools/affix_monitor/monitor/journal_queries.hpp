// SPDX-License-Identifier: MIT
// Answers requests about journals' contents: takes parameters, runs and stores searches, returns
// JSON.
#pragma once

#include "monitor/request.hpp"
#include "monitor/watched_engine.hpp"

#include <memory>

namespace affix::inline v0::tools::monitor {

/// Any number of threads; one at a time searches, for a fifth of a second at most. A request that
/// would wait for more than two others is refused.
class JournalQueries {
 public:
  explicit JournalQueries(const Fleet& fleet);
  ~JournalQueries();

  /// Messages in the journals of `engines`, which belong to the fleet.
  [[nodiscard]] Answer messages(const Request& request, const ChosenEngines& engines);
  [[nodiscard]] Answer message(const Request& request, const ChosenEngines& engines);
  [[nodiscard]] Answer order(const Request& request, const ChosenEngines& engines);

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace affix::inline v0::tools::monitor
