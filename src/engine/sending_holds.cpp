// SPDX-License-Identifier: MIT
// Scopes nested in scopes.
#include "engine/sending_holds.hpp"

#include <vector>

namespace affix::inline v0::engine {

void SendingHolds::set(const SendingScope& scope, bool stopped) {
  // Shown under the lock too: readers of the file and callers here see the same last command.
  const std::lock_guard guard(mutex_);
  change(scope, stopped);
  show();
}

void SendingHolds::change(const SendingScope& scope, bool stopped) {
  if (scope.instance.empty()) {
    engine_ = stopped;
    instances_.clear();
    sessions_.clear();
    return;
  }
  if (scope.session.empty()) {
    std::erase_if(sessions_, [&](const auto& one) { return one.first.first == scope.instance; });
    if (stopped == engine_) {
      if (const auto found = instances_.find(scope.instance); found != instances_.end()) {
        instances_.erase(found);
      }
    } else {
      instances_.insert_or_assign(std::string(scope.instance), stopped);
    }
    return;
  }
  std::pair<std::string, std::string> session(scope.instance, scope.session);
  if (stopped == of_instance(scope.instance)) {
    sessions_.erase(session);
  } else {
    sessions_.insert_or_assign(std::move(session), stopped);
  }
}

void SendingHolds::show() const {
  if (file_ == nullptr) {
    return;
  }
  std::vector<std::string_view> stopped;
  for (const auto& [instance, is] : instances_) {
    if (is) {
      stopped.push_back(instance);
    }
  }
  file_->show_stops(engine_, stopped);
}

bool SendingHolds::is_stopped(const SendingScope& scope) const {
  const std::lock_guard guard(mutex_);
  if (!scope.session.empty() && !sessions_.empty()) {
    const auto found = sessions_.find({std::string(scope.instance), std::string(scope.session)});
    if (found != sessions_.end()) {
      return found->second;
    }
  }
  return of_instance(scope.instance);
}

bool SendingHolds::of_instance(std::string_view instance) const {
  const auto found = instances_.find(instance);
  return found == instances_.end() ? engine_ : found->second;
}

}  // namespace affix::inline v0::engine
