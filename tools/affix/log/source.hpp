// SPDX-License-Identifier: MIT
// Whatever a log is read from.
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

  /// The next entry, or nothing at the end of what is there now; a source that grows gives more
  /// when it is asked again.
  [[nodiscard]] virtual std::optional<Entry> next() = 0;

  /// What could not be read, a sentence each.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 protected:
  void add_problem(std::string text) { problems_.push_back(std::move(text)); }

 private:
  std::vector<std::string> problems_;
};

}  // namespace affix::inline v0::tools::log
