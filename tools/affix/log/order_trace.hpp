// SPDX-License-Identifier: MIT
// One order's life: which messages belong to it, whatever names it got, and what took how long.
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
/// The same ClOrdID on several sessions is taken for one order that went through them. Showing it
/// all messages in order of time finds what comes after the name that is known; showing them again
/// while grew() says so finds what came before, too.
class OrderTrace {
 public:
  explicit OrderTrace(const std::string& cl_ord_id);

  /// Whether the message is about the order; names it gives the order are remembered.
  [[nodiscard]] bool matches(const wire::MessageView& message);

  /// Whether a name was learnt since this was last asked.
  [[nodiscard]] bool grew() noexcept;

  /// Every ClOrdID known, the one that was asked for among them.
  [[nodiscard]] const std::set<std::string, std::less<>>& names() const noexcept { return names_; }

  /// Every ClOrdID and OrderID known: what is in each message of the order.
  [[nodiscard]] std::vector<std::string> needles() const;

  /// Takes a message that matches into the account and tells what it adds: "+1.234 ms", the time
  /// since the message before it, and for a report the time since its request on that session. What
  /// an engine stores in one turn has one time: that is "same turn" and no latency.
  /// `names` has been turned to the message.
  [[nodiscard]] std::string remark_on(const Entry& entry, const wire::MessageView& message,
                                      const MessageNames& names);

  /// The order in a few lines.
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
  std::vector<std::int64_t> answers_;  // How long each request took.
  std::size_t in_same_turn_ = 0;       // Answered with the time stamp of their request.
  std::uint64_t messages_ = 0;
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::string status_;
  std::string status_name_;
  std::string filled_;
  std::string average_;
};

}  // namespace affix::inline v0::tools::log
