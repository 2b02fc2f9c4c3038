// SPDX-License-Identifier: MIT
// Requests about what journals hold: parameters in, searches run and kept, JSON out.
#pragma once

#include "monitor/request.hpp"
#include "monitor/watched_engine.hpp"

#include <memory>

namespace affix::inline v0::tools::monitor {

/// Any number of threads; one of them searches at a time, for a fifth of a second at most, and
/// those that would wait for more than two are turned away.
class JournalDesk {
 public:
  explicit JournalDesk(const Fleet& fleet);
  ~JournalDesk();

  /// Of the journals of `engines`, which are among the fleet's.
  [[nodiscard]] Answer messages(const Request& request, const ChosenEngines& engines);
  [[nodiscard]] Answer message(const Request& request, const ChosenEngines& engines);
  [[nodiscard]] Answer order(const Request& request, const ChosenEngines& engines);

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace affix::inline v0::tools::monitor
