// SPDX-License-Identifier: MIT
// The monitor without its port: requests in, answers out. Everything that decides what a client
// gets is behind this, and needs no socket to be tested.
#pragma once

#include "monitor/access.hpp"
#include "monitor/action.hpp"
#include "monitor/alert_desk.hpp"
#include "monitor/journal_desk.hpp"
#include "monitor/request.hpp"
#include "monitor/snapshot.hpp"
#include "monitor/state_json.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace affix::inline v0::tools::monitor {

/// Any number of threads. What the references name outlives it.
class Monitor {
 public:
  struct Parts {
    MonitorFacts facts{};
    AccessRules rules{};
    std::string page_directory{};  ///< Empty: the files built in.
    AdminPlace admin{};            ///< Where actions and questions go.
  };

  Monitor(const Roster& roster, const Observer& observer, AlertDesk& alert_desk, Parts parts);

  /// Why the request is not even read further; nothing: it is.
  [[nodiscard]] std::optional<Answer> refuse_early(const Request& request, std::int64_t steady_ns);

  /// Of a request that refuse_early() let through. Searches of journals take up to a fifth of a
  /// second, actions as long as the administration port.
  [[nodiscard]] Answer answer(const Request& request);

 private:
  const Roster& roster_;
  const Observer& observer_;
  AlertDesk& alert_desk_;
  const Parts parts_;
  Access access_;
  JournalDesk journals_;
};

}  // namespace affix::inline v0::tools::monitor
