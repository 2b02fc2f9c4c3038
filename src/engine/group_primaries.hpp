// SPDX-License-Identifier: MIT
// Which node leads each failover group, as this node last heard, for those who turn peers away.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::engine {

/// Any thread; its lock is never held for long.
class GroupPrimaries {
 public:
  /// An empty name: no node is known to lead the group.
  void set(const std::string& group, std::string primary) {
    const std::lock_guard guard(mutex_);
    primaries_.insert_or_assign(group, std::move(primary));
  }

  /// "node B leads" or "no node leads at present".
  [[nodiscard]] std::string text_of(const std::string& group) const {
    const std::lock_guard guard(mutex_);
    const auto found = primaries_.find(group);
    return found == primaries_.end() || found->second.empty() ? "no node leads at present"
                                                              : "node " + found->second + " leads";
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> primaries_;
};

}  // namespace affix::inline v0::engine
