// SPDX-License-Identifier: MIT
// The monitor without its port: takes requests, returns answers. Contains all decisions about
// answers, and can be tested without a socket.
#pragma once

#include "monitor/access.hpp"
#include "monitor/action.hpp"
#include "monitor/journal_queries.hpp"
#include "monitor/request.hpp"
#include "monitor/state_json.hpp"
#include "monitor/watched_engine.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace affix::inline v0::tools::monitor {

/// Any number of threads. Referenced objects outlive it.
class Monitor {
 public:
  struct Parts {
    MonitorFacts facts{};
    AccessRules rules{};
    std::string page_directory{};  ///< Empty: the built-in files.
  };

  Monitor(const Fleet& fleet, Parts parts);

  /// Answer that refuses the request before its body is read; nullopt: read it.
  [[nodiscard]] std::optional<Answer> refuse_early(const Request& request, std::int64_t steady_ns);

  /// Answers a request admitted by refuse_early(). Searches of journals take up to a fifth of a
  /// second, actions as long as the administration port.
  [[nodiscard]] Answer answer(const Request& request);

 private:
  [[nodiscard]] std::size_t number_of(const WatchedEngine& engine) const noexcept;
  [[nodiscard]] ChosenEngines readable(const Request& request) const;
  [[nodiscard]] std::expected<ChosenEngines, Answer> chosen(const Request& request) const;
  [[nodiscard]] Answer answer_health(const Request& request) const;
  [[nodiscard]] Answer act(const Request& request) const;
  [[nodiscard]] Answer act_on_alerts(const Request& request) const;
  [[nodiscard]] Answer answer_metrics(const Request& request, const EngineStates& states) const;

  const Fleet& fleet_;
  const Parts parts_;
  Access access_;
  JournalQueries journals_;
};

}  // namespace affix::inline v0::tools::monitor
