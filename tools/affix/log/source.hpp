// SPDX-License-Identifier: MIT
// Interface of a log's sources.
#pragma once

#include "log/entry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::log {

/// One thread at a time. Entries come in the source's own order, which is that of time.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// The next entry; nullopt at the present end. A growing source returns more on later calls.
  [[nodiscard]] virtual std::optional<Entry> next() = 0;

  /// Read problems, a sentence each.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 protected:
  void add_problem(std::string text) { problems_.push_back(std::move(text)); }

 private:
  std::vector<std::string> problems_;
};

}  // namespace affix::inline v0::tools::log
