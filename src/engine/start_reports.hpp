// SPDX-License-Identifier: MIT
// Reports from before a worker's first turn, which its application gets in that turn.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// One thread at a time.
class StartReports {
 public:
  void add_warnings(config::Problems warnings) {
    std::ranges::move(warnings, std::back_inserter(warnings_));
  }

  /// A note that is no warning; ignores an empty one.
  void add_note(std::string note, base::MessageCode code) {
    if (!note.empty()) {
      notes_.emplace_back(std::move(note), code);
    }
  }

  /// Passes each to `report` once, with its severity, text and code: notes first, in their order.
  template <typename Report>
  void take(const Report& report) {
    for (const auto& [note, code] : std::exchange(notes_, {})) {
      report(host::Event::Severity::Info, note, code);
    }
    for (const base::Error& warning : std::exchange(warnings_, {})) {
      report(host::Event::Severity::Warning, warning.sentence(), warning.message_code);
    }
  }

 private:
  config::Problems warnings_;
  std::vector<std::pair<std::string, base::MessageCode>> notes_;
};

}  // namespace affix::inline v0::engine
