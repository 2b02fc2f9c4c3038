// SPDX-License-Identifier: MIT
// Messages of journals that a request asks for, the newest first: one search, which may take many
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

/// What is asked for, read from a request's parameters.
struct MessageQuery {
  std::string session;  ///< Empty: all.
  log::FilterOptions filter;
  std::string cl_ord_id;
  bool problems_only = false;
  bool events = false;
  std::int64_t from_ns = INT64_MIN;
  std::int64_t to_ns = INT64_MAX;
  std::size_t limit = 100;
  std::string cursor;  ///< Of a search that is to go on; empty: a new one.

  /// The error is a sentence.
  [[nodiscard]] static std::expected<MessageQuery, std::string> of(const Request& request);
};

/// One thread at a time.
class MessageSearch {
 public:
  [[nodiscard]] static std::expected<MessageSearch, std::string> make(
      const MessageQuery& query, const std::vector<JournalPlace>& places);

  /// Up to the query's limit of further messages, or fewer at `deadline_ns` of CLOCK_MONOTONIC.
  [[nodiscard]] nlohmann::ordered_json go_on(MessageLens& lens, std::int64_t deadline_ns);

  [[nodiscard]] bool end() const noexcept { return merge_.end(); }

  [[nodiscard]] std::int64_t searched_to_ns() const noexcept { return merge_.searched_to_ns(); }

  [[nodiscard]] std::vector<std::string> problems() const { return merge_.problems(); }

  void rest() noexcept { merge_.rest(); }

  /// What it takes in memory, in positions of a few bytes.
  [[nodiscard]] std::size_t weight() const noexcept { return merge_.waiting() + refused_.size(); }

 private:
  /// A reject that was seen, waiting for what it rejects.
  struct Refused {
    std::string id;
    std::string reason;
  };

  MessageSearch(const MessageQuery& query, log::Filter filter, JournalMerge merge);

  [[nodiscard]] bool may_match(const journal::Record& record) const;
  [[nodiscard]] bool matches(const SeenRecord& seen) const;
  void remember(const SeenRecord& seen);
  [[nodiscard]] const Refused* find_refusal(const SeenRecord& seen) const;

  MessageQuery query_;
  log::Filter filter_;
  log::RawFilter raw_;
  JournalMerge merge_;
  std::map<std::string, Refused, std::less<>> refused_;  // By session, side and what is named.
};

}  // namespace affix::inline v0::tools::monitor
