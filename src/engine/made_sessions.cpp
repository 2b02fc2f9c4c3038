// SPDX-License-Identifier: MIT
// Keeps the sessions made from templates, and counts their names.
#include "engine/made_sessions.hpp"

#include <algorithm>

namespace affix::inline v0::engine {

bool AwaitedSession::join(net::ConnectionId connection) {
  const std::lock_guard guard(mutex_);
  if (!is_there_) {
    connections_.push_back(connection);
  }
  return !is_there_;
}

const MadeSessions::Session* MadeSessions::find(std::string_view name) const {
  const auto found = sessions_.find(name);
  return found == sessions_.end() ? nullptr : &found->second;
}

const MadeSessions::Session* MadeSessions::in(const host::SessionSlot& slot) const {
  const auto found = std::ranges::find_if(
      sessions_, [&slot](const auto& entry) { return entry.second.slot == &slot; });
  return found == sessions_.end() ? nullptr : &found->second;
}

std::string MadeSessions::limit_of(const config::SessionSettings& made_from,
                                   const std::string& name) const {
  const auto most = static_cast<std::size_t>(made_from.template_sessions_max);
  const auto now = std::ranges::count_if(sessions_, [&made_from](const auto& entry) {
    return entry.second.made_from == made_from.name;
  });
  if (static_cast<std::size_t>(now) >= most) {
    return "the template [" + made_from.name + "] has template_sessions_max sessions";
  }
  const auto ever = names_ever_.find(made_from.name);
  if (ever != names_ever_.end() && !ever->second.contains(name) &&
      ever->second.size() >= peers_for_each_session * most) {
    return "the template [" + made_from.name + "] has had sessions of too many peers";
  }
  return {};
}

void MadeSessions::add(Session session) {
  const std::string& name = session.settings->name;
  names_ever_[session.made_from].insert(name);
  sessions_.emplace(name, std::move(session));
}

std::vector<host::SharedSettings> MadeSessions::settings() const {
  std::vector<host::SharedSettings> all;
  for (const auto& [name, session] : sessions_) {
    all.push_back(session.settings);
  }
  return all;
}

std::vector<host::SharedSettings> MadeSessions::settings_of(
    const std::vector<std::string>& templates) const {
  std::vector<host::SharedSettings> all;
  for (const auto& [name, session] : sessions_) {
    if (std::ranges::find(templates, session.made_from) != templates.end()) {
      all.push_back(session.settings);
    }
  }
  return all;
}

}  // namespace affix::inline v0::engine
