// SPDX-License-Identifier: MIT
// Which messages belong to one order: those with its ClOrdID, or with a name that a replace or
// cancel gave it.
#pragma once

#include "affix/wire/view.hpp"

#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// Follows one order through its ClOrdID (11) and OrigClOrdID (41). Messages are to be shown to it
/// in order of time. ClOrdIDs of different sessions that are the same text are taken for the same
/// order.
class OrderFilter {
 public:
  explicit OrderFilter(std::string cl_ord_id) { names_.insert(std::move(cl_ord_id)); }

  /// Whether the message is about the order; a name it gives the order is remembered.
  [[nodiscard]] bool matches(const wire::MessageView& message) {
    const auto name = message.find(11);
    const auto former = message.find(41);
    const bool known = (name && knows(*name)) || (former && knows(*former));
    if (known && name) {
      names_.emplace(*name);
    }
    return known;
  }

 private:
  [[nodiscard]] bool knows(std::string_view name) const { return names_.contains(name); }

  std::set<std::string, std::less<>> names_;
};

}  // namespace affix::inline v0::tools::log
