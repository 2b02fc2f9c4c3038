// SPDX-License-Identifier: MIT
// Sessions of failover groups: opened with the journals of the standby when this node comes to lead
// their group, and cut when another node leads it.
#include "config/identity.hpp"
#include "config/session_checks.hpp"
#include "engine/kept_connections.hpp"
#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace affix::inline v0::engine {

std::string_view Registrar::failover_group_of(const config::SessionSettings& settings) const {
  const config::InstanceSettings* const instance = instance_of(settings);
  return instance == nullptr ? std::string_view() : instance->failover_group;
}

std::vector<host::SharedSettings> Registrar::sessions_of_group(std::string_view group) const {
  std::vector<host::SharedSettings> found;
  std::ranges::copy_if(sessions_, std::back_inserter(found),
                       [&](const auto& settings) { return failover_group_of(*settings) == group; });
  return found;
}

std::vector<journal::Options> Registrar::journals_of_group(const std::string& group) {
  const std::lock_guard guard(mutex_);
  std::vector<journal::Options> journals;
  for (const host::SharedSettings& settings : sessions_of_group(group)) {
    Opening opening;
    opening.settings = settings;
    config::Problems problems;
    find_instance(opening, problems);
    if (problems.empty()) {
      journals.push_back(journal_of(opening));
    }
  }
  return journals;
}

void Registrar::refuse_failover(const host::SharedSettings& settings,
                                config::Problems& problems) const {
  if (!failover_group_of(*settings).empty()) {
    problems.push_back(fault(*settings,
                             "belongs to a failover group, whose sessions change by a restart of "
                             "one node after the other",
                             "E303"));
  }
}

Registrar::Led Registrar::lead(const std::string& group, LedJournals journals,
                               const std::shared_ptr<KeptConnections>& passed,
                               const MakeLedGroup& make) {
  const std::lock_guard guard(mutex_);
  Led led;
  host::DictionaryStore store;
  std::vector<std::size_t> loads = loads_;
  std::vector<Opening> openings;
  for (const host::SharedSettings& settings : sessions_of_group(group)) {
    Opening opening;
    opening.settings = settings;
    config::Problems problems;
    find_instance(opening, problems);
    const auto found = journals.find(config::identity_text(*settings));
    if (found == journals.end() || found->second == nullptr) {
      problems.push_back(fault(*settings, "has no journal here that followed its group", "E302"));
    }
    if (problems.empty()) {
      choose_worker(opening, loads, problems);
      open_dictionary(opening, store, problems);
    }
    if (problems.empty() && passed != nullptr) {
      find_left(opening, *passed);
      if (opening.left != nullptr) {
        opening.left->passed = passed;
      }
    }
    if (problems.empty()) {
      open_session(opening, std::move(found->second), problems);
    }
    std::ranges::move(problems, std::back_inserter(led.problems));
    openings.push_back(std::move(opening));
  }
  if (!led.problems.empty()) {
    give_up(openings);
    return led;
  }
  std::set<std::size_t> used;
  std::ranges::transform(openings, std::inserter(used, used.end()), &Opening::worker);
  const std::vector<std::size_t> workers(used.begin(), used.end());
  std::map<std::size_t, std::shared_ptr<host::LedGroup>> parts;
  for (const std::size_t worker : workers) {
    parts.emplace(worker, make(worker, workers));
  }
  ChangeDispatch dispatch(workers_.size());
  for (Opening& opening : openings) {
    const std::size_t worker = opening.worker;
    dispatch_arrival(dispatch, opening);
    dispatch.of_worker(worker).arrivals.back().led = parts.at(worker);
  }
  led.change = send(std::move(dispatch));
  return led;
}

Change Registrar::step_down(const std::string& group) {
  const std::lock_guard guard(mutex_);
  ChangeDispatch dispatch(workers_.size());
  for (const host::SharedSettings& settings : sessions_of_group(group)) {
    if (const host::SessionHandle handle = session(settings->name)) {
      dispatch_departure(dispatch, *settings, {}, 0);
      dispatch.of_worker(handle.worker()).departures.back().parting = Parting::Cut;
    }
  }
  return send(std::move(dispatch));
}

}  // namespace affix::inline v0::engine
