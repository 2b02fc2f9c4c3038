// SPDX-License-Identifier: MIT
// Finds an order's messages in journals, with the trace of `affix log --order`: one search, which
// may take many requests.
#pragma once

#include "log/order_trace.hpp"
#include "monitor/journal_merge.hpp"
#include "monitor/message_lens.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// One thread at a time.
class OrderSearch {
 public:
  static constexpr std::size_t steps_max = 2'000;

  /// `near_ns`: a time at which the order existed; nullopt: unknown.
  OrderSearch(std::string cl_ord_id, std::vector<JournalPlace> places,
              std::optional<std::int64_t> near_ns);

  /// Searches until `deadline_ns` of CLOCK_MONOTONIC, and returns everything found so far.
  /// Formatting takes additional time: a few milliseconds for an order with many messages.
  [[nodiscard]] nlohmann::ordered_json go_on(MessageLens& lens, std::int64_t deadline_ns);

  [[nodiscard]] bool end() const noexcept { return complete_; }

  void rest() noexcept { merge_.rest(); }

  [[nodiscard]] std::size_t weight() const noexcept { return merge_.waiting() + found_.size(); }

 private:
  struct Found {
    std::int64_t utc_ns = 0;
    std::string session;
    affix::journal::Position position;
  };

  void begin_pass();
  void take(const SeenRecord& seen, affix::journal::Position position);
  [[nodiscard]] nlohmann::ordered_json report(MessageLens& lens) const;

  std::string cl_ord_id_;
  std::vector<JournalPlace> places_;
  std::optional<std::int64_t> near_ns_;
  bool wide_ = false;   // The day around near_ns_ is searched, no longer the minutes.
  bool begun_ = false;  // The order's first request was found; nothing of it is older.
  std::int64_t from_ns_ = INT64_MIN;
  std::int64_t to_ns_ = INT64_MAX;
  log::OrderTrace trace_;
  JournalMerge merge_;
  std::vector<std::string> needles_;
  std::vector<Found> found_;
  int passes_ = 0;
  bool complete_ = false;
};

}  // namespace affix::inline v0::tools::monitor
