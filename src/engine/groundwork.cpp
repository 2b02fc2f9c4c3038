// SPDX-License-Identifier: MIT
// Reads and measures in the order of the sessions; keeps nothing of what failed.
#include "engine/groundwork.hpp"

#include "affix/engine/succession.hpp"

#include <memory>

namespace affix::inline v0::engine {

std::shared_ptr<Groundwork> lay_groundwork(const config::Configuration& configuration) {
  auto laid = std::make_shared<Groundwork>();
  for (const auto* sessions : {&configuration.sessions, &configuration.templates}) {
    for (const config::SessionSettings& session : *sessions) {
      if (!laid->dictionaries.open(session)) {
        return nullptr;  // Engine::open() reads them again, and reports what is wrong.
      }
      if (session.durability == journal::Durability::Process) {
        static_cast<void>(laid->pages.for_directory(session.journal_path));
      }
    }
  }
  return laid;
}

}  // namespace affix::inline v0::engine
