// SPDX-License-Identifier: MIT
// Merges many sources by time, to show the order of events across sessions.
#pragma once

#include "log/source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::log {

/// Entries of one source keep their order; one without a time follows its predecessor. Among equal
/// times, the source added first comes first. O(log sources) per entry.
class Merge {
 public:
  void add(std::unique_ptr<Source> source);

  /// The next entry; nullopt when no source has more now. A later call asks every source again. The
  /// entry's views are valid until the next call.
  [[nodiscard]] std::optional<Entry> next();

  [[nodiscard]] std::size_t size() const noexcept { return inputs_.size(); }

  /// Read problems of all sources.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  struct Input {
    std::unique_ptr<Source> source;
    std::optional<Entry> front;
    std::int64_t time_ns = 0;  // Of the next entry, or of the last one that had a time.
  };

  void advance(std::size_t input);
  [[nodiscard]] bool later(std::size_t left, std::size_t right) const noexcept;

  std::vector<Input> inputs_;
  std::vector<std::size_t> waiting_;  // A heap of those with a next entry, the earliest first.
  std::vector<std::size_t> dry_;      // Those that had no entry at the last request.
  std::optional<std::size_t> taken_;  // Source of the last returned entry.
};

}  // namespace affix::inline v0::tools::log
