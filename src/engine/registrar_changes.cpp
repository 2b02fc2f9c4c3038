// SPDX-License-Identifier: MIT
// Changes of sessions at run time: checks and opens first, then sends to workers and listeners, and
// cleans up afterwards.
#include "config/configuration_checks.hpp"
#include "config/descriptor_needs.hpp"
#include "config/instance_options.hpp"
#include "config/session_checks.hpp"
#include "engine/acceptor.hpp"
#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Maximum time for the logout of a session that is removed or restarted.
constexpr std::int64_t reload_timeout_ns = 10 * base::ns_per_second;

std::unexpected<config::Problems> no_session(std::string_view name) {
  return std::unexpected(config::Problems{{base::ErrorCode::NotFound, "there is no such session",
                                           "[" + std::string(name) + "]", "E207"}});
}

std::string list_of(const std::vector<std::string_view>& keys) {
  std::string list;
  for (const std::string_view key : keys) {
    list += list.empty() ? "" : ",";
    list += key;
  }
  return list;
}

auto by_name(std::vector<host::SharedSettings>& sessions, std::string_view name) {
  return std::find_if(
      sessions.begin(), sessions.end(),
      [name](const host::SharedSettings& session) { return session->name == name; });
}

}  // namespace

// --- Sending ---

Change Registrar::send(ChangeDispatch dispatch, config::Problems warnings) {
  if (dispatch.empty()) {
    return {};
  }
  auto progress = dispatch.begin(std::move(warnings));
  dispatch.send(
      [this](std::size_t worker, std::unique_ptr<WorkerChange> change) {
        workers_[worker]->post(std::move(change));
      },
      [this](GateChange change) { post_to_gate(std::move(change)); });
  return Change(std::move(progress));
}

// --- Parts of a change ---

/// From here on look-ups find the session.
Arrival Registrar::arrival_of(Opening& opening) {
  ++loads_[opening.worker];
  workers_[opening.worker]->journals().enter(*opening.session->roster_entry());
  directory_.enter(opening.settings->name, opening.session->handle());
  return {.session = std::move(opening.session),
          .buffers = std::move(opening.buffers),
          .client = std::move(opening.client),
          .holds = &holds_,
          .left = std::move(opening.left)};
}

void Registrar::dispatch_arrival(ChangeDispatch& dispatch, Opening& opening) {
  const config::SessionSettings& settings = *opening.settings;
  const host::SessionHandle handle = opening.session->handle();
  if (opening.client == nullptr) {
    dispatch.of_gate(settings.instance).admitted.push_back(logon_target_for(handle, settings));
  }
  Arrival arrival = arrival_of(opening);
  arrival.item = dispatch.note({settings.name, ChangeKind::Add, {}});
  dispatch.of_worker(opening.worker).arrivals.push_back(std::move(arrival));
}

void Registrar::dispatch_departure(ChangeDispatch& dispatch,
                                   const config::SessionSettings& settings, std::string_view text,
                                   std::int64_t timeout_ns) {
  const host::SessionHandle handle = session(settings.name);
  directory_.strike(settings.name);
  if (!handle.is_initiator()) {
    dispatch.of_gate(settings.instance).withdrawn.push_back(handle);
  }
  dispatch.of_worker(handle.worker())
      .departures.push_back({.session = handle,
                             .text = std::string(text),
                             .timeout_ns = timeout_ns,
                             .item = dispatch.note({settings.name, ChangeKind::Remove, {}})});
}

void Registrar::dispatch_change(ChangeDispatch& dispatch, const config::ChangedSession& changed,
                                const host::SharedSettings& shared, Opening* successor) {
  const config::SessionSettings& settings = *shared;
  const host::SessionHandle handle = session(settings.name);
  WorkerChange& worker = dispatch.of_worker(handle.worker());
  if (changed.switched) {
    const ChangeKind kind = settings.enabled ? ChangeKind::Enable : ChangeKind::Disable;
    worker.switches.push_back({.session = handle,
                               .enabled = settings.enabled,
                               .by = "its configuration",
                               .item = dispatch.note({settings.name, kind, {}})});
  }
  if (changed.keys.empty()) {
    return;
  }
  if (!handle.is_initiator()) {
    dispatch.of_gate(settings.instance).admitted.push_back(logon_target_for(handle, settings));
  }
  if (successor == nullptr) {
    worker.adjustments.push_back(
        {handle, shared, dispatch.note({settings.name, ChangeKind::Apply, list_of(changed.keys)})});
    return;
  }
  worker.departures.push_back(
      {.session = handle,
       .text = "the session's settings change",
       .timeout_ns = reload_timeout_ns,
       .successor = std::move(successor->session),
       .buffers = std::move(successor->buffers),
       .item = dispatch.note({settings.name, ChangeKind::Restart, list_of(changed.keys)})});
}

// --- Changes ---

std::expected<Change, config::Problems> Registrar::add(
    std::vector<config::SessionSettings> sessions) {
  const std::lock_guard guard(mutex_);
  for (config::SessionSettings& session : sessions) {
    const auto instances = config::instances_of(running_);
    if (session.instance.empty() && instances.size() == 1) {
      session.instance = instances.front()->name;
    }
  }
  config::Problems problems;
  std::vector<host::SharedSettings> added;
  for (config::SessionSettings& session : sessions) {
    added.push_back(std::make_shared<const config::SessionSettings>(std::move(session)));
  }
  std::vector<host::SharedSettings> all = sessions_;
  all.insert(all.end(), added.begin(), added.end());
  check_identities(all, problems);
  check_made_names(added, problems);
  for (const host::SharedSettings& session : added) {
    refuse_failover(session, problems);
    if (session->acceptor_template) {
      problems.push_back({base::ErrorCode::InvalidArgument,
                          "is a template, and those come by a reload only",
                          "[" + session->name + "]", "E201"});
    }
  }
  warnings_.clear();  // Those of earlier changes.
  std::vector<Opening> openings = open_all(added, problems);
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  ChangeDispatch dispatch(workers_.size());
  config::Problems warnings = std::exchange(warnings_, {});
  std::ranges::move(idle_keys_of(added), std::back_inserter(warnings));
  for (Opening& opening : openings) {
    dispatch_arrival(dispatch, opening);
  }
  publish([&] { sessions_ = std::move(all); });
  return send(std::move(dispatch), std::move(warnings));
}

/// Warnings of keys without effect.
config::Problems Registrar::idle_keys_of(const std::vector<host::SharedSettings>& sessions) const {
  config::Findings findings;
  for (const host::SharedSettings& session : sessions) {
    config::check_session_group(*session, role_of(*session), findings);
  }
  return config::warnings_of(findings.take(), {});
}

std::expected<Change, config::Problems> Registrar::remove(std::string_view name,
                                                          std::string_view text,
                                                          std::int64_t timeout_ns) {
  const std::lock_guard guard(mutex_);
  const auto found = by_name(sessions_, name);
  if (found != sessions_.end()) {
    config::Problems problems;
    refuse_failover(*found, problems);
    if (!problems.empty()) {
      return std::unexpected(std::move(problems));
    }
  }
  ChangeDispatch dispatch(workers_.size());
  if (const MadeSessions::Session* const made = made_.find(name)) {
    const host::SharedSettings settings = made->settings;
    dispatch_departure(dispatch, *settings, text, timeout_ns);
    publish([&] { made_.erase(settings->name); });
    return send(std::move(dispatch));
  }
  if (found == sessions_.end()) {
    return no_session(name);
  }
  dispatch_departure(dispatch, **found, text, timeout_ns);
  publish([&] { sessions_.erase(found); });
  return send(std::move(dispatch));
}

std::expected<Change, config::Problems> Registrar::set_enabled(std::string_view name, bool enabled,
                                                               std::string_view why,
                                                               std::string_view by) {
  const std::lock_guard guard(mutex_);
  const host::SessionHandle handle = session(name);
  if (!handle) {
    return no_session(name);
  }
  ChangeDispatch dispatch(workers_.size());
  dispatch.of_worker(handle.worker())
      .switches.push_back(
          {.session = handle,
           .enabled = enabled,
           .why = std::string(why),
           .by = std::string(by),
           .item = dispatch.note(
               {std::string(name), enabled ? ChangeKind::Enable : ChangeKind::Disable, {}})});
  return send(std::move(dispatch));
}

std::expected<Change, config::Problems> Registrar::reload(const config::Configuration& wanted) {
  const std::lock_guard guard(mutex_);
  auto plan = config::plan_reload(compose(), wanted);
  std::vector<host::SharedSettings> sessions = share(wanted.sessions);
  config::Problems problems = plan ? config::Problems() : std::move(plan.error());
  check_identities(sessions, problems);
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  for (const config::ChangedSession& changed : plan->changed) {
    const config::SessionSettings& settings = wanted.sessions[changed.wanted];
    if (!changed.restart) {  // A successor is checked when it is opened.
      std::ranges::move(check_changed(settings), std::back_inserter(problems));
    }
  }
  std::vector<host::SharedSettings> added;
  for (const std::size_t place : plan->added) {
    added.push_back(sessions[place]);
    refuse_failover(sessions[place], problems);
  }
  for (const std::size_t place : plan->removed) {
    refuse_failover(sessions_[place], problems);
  }
  for (const config::ChangedSession& changed : plan->changed) {
    refuse_failover(sessions[changed.wanted], problems);
  }
  check_made_names(added, problems);
  host::DictionaryStore store;
  check_templates(wanted.templates, store, problems);
  std::vector<Opening> successors = open_successors(*plan, sessions, problems);
  std::vector<Opening> openings;
  if (problems.empty()) {
    openings = open_all(added, problems);
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  ChangeDispatch dispatch(workers_.size());
  for (const std::size_t place : plan->removed) {
    dispatch_departure(dispatch, *sessions_[place], "the session is removed", reload_timeout_ns);
  }
  auto successor = successors.begin();
  for (const config::ChangedSession& changed : plan->changed) {
    Opening* const own = changed.restart ? &*successor++ : nullptr;
    dispatch_change(dispatch, changed, sessions[changed.wanted], own);
  }
  for (Opening& opening : openings) {
    dispatch_arrival(dispatch, opening);
  }
  for (const std::size_t place : plan->servers) {
    dispatch.of_gate(wanted.servers[place].name).settings =
        config::with_connection_limit(wanted, wanted.servers[place]);
  }
  end_templates(dispatch, plan->ended_templates);
  publish([&] {
    running_ = wanted;
    running_.sessions =
        std::vector<config::SessionSettings>();  // Frees its memory, which {} would keep.
    sessions_ = std::move(sessions);
  });
  for (const config::ServerSettings& server : running_.servers) {
    // Only if templates differ, so that a reload of the same file does nothing.
    if (!plan->ended_templates.empty() || plan->new_templates) {
      dispatch.of_gate(server.name).templates = templates_of(server.name);
    }
  }
  return send(std::move(dispatch));
}

/// Faults in values that are to apply at once.
config::Problems Registrar::check_changed(const config::SessionSettings& settings) const {
  return config::check_session(settings, role_of(settings));
}

session::Role Registrar::role_of(const config::SessionSettings& settings) const {
  return is_server(settings.instance) ? session::Role::Acceptor : session::Role::Initiator;
}

/// Opens sessions without a journal, in the order of the plan's restarts.
std::vector<Registrar::Opening> Registrar::open_successors(
    const config::ReloadPlan& plan, const std::vector<host::SharedSettings>& wanted,
    config::Problems& problems) {
  host::DictionaryStore store;
  std::vector<Opening> successors;
  for (const config::ChangedSession& changed : plan.changed) {
    if (!changed.restart) {
      continue;
    }
    Opening& opening = successors.emplace_back();
    opening.settings = wanted[changed.wanted];
    const host::SessionHandle handle = session(opening.settings->name);
    opening.worker = handle.worker();
    find_instance(opening, problems);
    check_limits(opening, problems);
    check_ring(opening, *sessions_[changed.running], problems);
    open_dictionary(opening, store, problems);
    if (!problems.empty()) {
      continue;
    }
    auto buffers = reserve_buffers(opening);
    if (!buffers) {
      problems.push_back(std::move(buffers.error()));
      continue;
    }
    opening.buffers = std::move(*buffers);
    opening.slot = &handle.slot();
    auto made =
        host::HostedSession::open_successor(make_of(opening), std::move(opening.dictionary));
    if (made) {
      opening.session = std::move(*made);
    } else {
      problems.push_back(std::move(made.error()));
    }
    opening.slot = nullptr;  // The slot is the running session's until it leaves.
  }
  return successors;
}

// --- After changes ---

bool Registrar::tend() {
  bool did = answer_session_requests();
  for (Worker* worker : workers_) {
    if (!worker->has_news()) {
      continue;
    }
    WorkerNews news = worker->take_news();
    did = true;
    const std::lock_guard guard(mutex_);
    for (ReleasedSession& released : news.released) {
      dispose(*worker, released);
    }
    dictionaries_.drop_unused();
  }
  return did;
}

void Registrar::dispose(Worker& worker, ReleasedSession& released) {
  host::SessionSlot& slot = released.session->slot();
  if (host::RosterEntry* const entry = released.session->roster_entry()) {
    worker.journals().leave(*entry);
  }
  released.session.reset();
  if (released.for_good) {
    forget_made(slot);
    slots_.give_back(slot);
    --loads_[worker.number()];
  }
  released.item.complete(released.forced);
  for (const ChangeItem& item : released.further_items) {
    item.complete(released.forced);
  }
}

}  // namespace affix::inline v0::engine
