// SPDX-License-Identifier: MIT
// The handles of an engine's sessions: their list, and look-ups by name.
#pragma once

#include "affix/host/session_handle.hpp"

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::engine {

/// Any thread. Its lock is never held for long, so a look-up waits for no change of sessions.
class SessionDirectory {
 public:
  /// From here on look-ups find the session, which is the last of the list.
  void enter(const std::string& name, host::SessionHandle handle) {
    const std::lock_guard guard(mutex_);
    handles_.push_back(handle);
    by_name_.insert_or_assign(name, handle);
  }

  /// Removes the session of this name, if there is one.
  void strike(const std::string& name) {
    const std::lock_guard guard(mutex_);
    if (const auto found = by_name_.find(name); found != by_name_.end()) {
      std::erase(handles_, found->second);
      by_name_.erase(found);
    }
  }

  /// Puts the list in the order of these names, which are those of all its sessions; others may be
  /// among them.
  void order(const std::vector<std::string_view>& names) {
    const std::lock_guard guard(mutex_);
    handles_.clear();
    for (const std::string_view name : names) {
      if (const auto found = by_name_.find(std::string(name)); found != by_name_.end()) {
        handles_.push_back(found->second);
      }
    }
  }

  [[nodiscard]] std::vector<host::SessionHandle> all() const {
    const std::lock_guard guard(mutex_);
    return handles_;
  }

  /// Empty: there is no such session.
  [[nodiscard]] host::SessionHandle find(std::string_view name) const {
    const std::lock_guard guard(mutex_);
    const auto found = by_name_.find(std::string(name));
    return found == by_name_.end() ? host::SessionHandle() : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<host::SessionHandle> handles_;
  std::unordered_map<std::string, host::SessionHandle> by_name_;
};

}  // namespace affix::inline v0::engine
