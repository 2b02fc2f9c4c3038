// SPDX-License-Identifier: MIT
// Traces one order: finds its messages under all of its names, and measures latencies.
#pragma once

#include "affix/wire/view.hpp"

#include "log/entry.hpp"
#include "log/message_names.hpp"
#include "log/open_requests.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::log {

/// Follows ClOrdID (11), OrigClOrdID (41), SecondaryClOrdID (526), and OrderID (37) of one issuer.
/// The same ClOrdID on several sessions counts as one order that passed through them. Passing all
/// messages in order of time finds those after the known name; passing them again while grew() is
/// true also finds the earlier ones.
class OrderTrace {
 public:
  explicit OrderTrace(const std::string& cl_ord_id);

  /// True if the message belongs to the order; remembers names that it gives the order.
  [[nodiscard]] bool matches(const wire::MessageView& message);

  /// True if a name was added since the last call.
  [[nodiscard]] bool grew() noexcept;

  /// Every known ClOrdID, including the one asked for.
  [[nodiscard]] const std::set<std::string, std::less<>>& names() const noexcept { return names_; }

  /// Every known ClOrdID and OrderID: each message of the order contains one of them.
  [[nodiscard]] std::vector<std::string> needles() const;

  /// Counts a matching message and returns a remark: "+1.234 ms", the time since the previous
  /// message, and for a report also since its request on that session. An engine stores all
  /// messages of one turn with one time: the remark is then "same turn", which is no latency.
  /// `names` is set to the message.
  [[nodiscard]] std::string remark_on(const Entry& entry, const wire::MessageView& message,
                                      const MessageNames& names);

  /// Summary of the order in a few lines.
  [[nodiscard]] std::string summary() const;

 private:
  [[nodiscard]] std::string issued_id(const wire::MessageView& message) const;
  void learn(std::string_view name);

  std::string wanted_;
  std::set<std::string, std::less<>> names_;   // ClOrdIDs.
  std::set<std::string, std::less<>> issued_;  // OrderIDs with their issuer.
  bool grew_ = false;
  std::set<std::string, std::less<>> sessions_;
  OpenRequests requests_;
  std::vector<std::int64_t> answers_;  // Latency of each answer.
  std::size_t in_same_turn_ = 0;       // Answers with the time stamp of their request.
  std::size_t unclear_ = 0;            // Answers with an earlier time stamp than their request.
  std::uint64_t messages_ = 0;
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::string status_;
  std::string status_name_;
  std::string filled_;
  std::string average_;
};

}  // namespace affix::inline v0::tools::log
