// SPDX-License-Identifier: MIT
// Searches journals for a request's messages, newest first: one search, which may take many
// requests.
#pragma once

#include "log/filter.hpp"
#include "monitor/journal_merge.hpp"
#include "monitor/message_lens.hpp"
#include "monitor/request.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Search parameters from a request.
struct MessageQuery {
  std::string session;  ///< Empty: all.
  log::FilterOptions filter;
  std::string cl_ord_id;
  bool problems_only = false;
  bool events = false;
  std::int64_t from_ns = INT64_MIN;
  std::int64_t to_ns = INT64_MAX;
  std::size_t limit = 100;
  std::string cursor;  ///< Of a search to continue; empty: a new one.

  [[nodiscard]] static std::expected<MessageQuery, base::Error> of(const Request& request);
};

/// One thread at a time.
class MessageSearch {
 public:
  [[nodiscard]] static std::expected<MessageSearch, base::Error> make(
      const MessageQuery& query, const std::vector<JournalPlace>& places);

  /// Returns up to the query's limit of further messages, or fewer at `deadline_ns` of
  /// CLOCK_MONOTONIC.
  [[nodiscard]] nlohmann::ordered_json go_on(MessageLens& lens, std::int64_t deadline_ns);

  [[nodiscard]] bool end() const noexcept { return merge_.end(); }

  [[nodiscard]] std::int64_t searched_to_ns() const noexcept { return merge_.searched_to_ns(); }

  [[nodiscard]] std::vector<std::string> problems() const { return merge_.problems(); }

  void rest() noexcept { merge_.rest(); }

  /// Memory used, in positions of a few bytes.
  [[nodiscard]] std::size_t weight() const noexcept { return merge_.waiting() + refused_.size(); }

 private:
  /// A reject that waits for the rejected message.
  struct Refused {
    std::string id;
    std::string reason;
  };

  MessageSearch(const MessageQuery& query, log::Filter filter, JournalMerge merge);

  [[nodiscard]] bool may_match(const affix::journal::Record& record) const;
  [[nodiscard]] bool matches(const SeenRecord& seen) const;
  void remember(const SeenRecord& seen);
  [[nodiscard]] const Refused* find_refusal(const SeenRecord& seen) const;

  MessageQuery query_;
  log::Filter filter_;
  log::RawFilter raw_;
  JournalMerge merge_;
  std::map<std::string, Refused, std::less<>> refused_;  // By session, direction and the key of the
                                                         // rejected message.
};

}  // namespace affix::inline v0::tools::monitor
