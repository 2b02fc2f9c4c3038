// SPDX-License-Identifier: MIT
// Sessions made from templates: checks templates first, makes a session when a gate asks for it,
// and forgets it when its worker has given it back.
#include "config/instance_options.hpp"
#include "config/session_checks.hpp"
#include "config/session_template.hpp"
#include "engine/acceptor.hpp"
#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Limit of all peers that a template may ever serve, as a multiple of its limit of sessions at
/// one time: names leave something in memory and on the disk, and unknown peers can invent
/// them.
constexpr std::size_t peers_for_each_session = 16;

}  // namespace

// --- The listeners ---

LogonGate* Registrar::gate() const noexcept {
  return acceptor_ != nullptr ? &acceptor_->gate() : workers_.front()->gate();
}

void Registrar::post_to_gate(LogonGate::Change change) const {
  gate()->post(std::move(change));
  (acceptor_ != nullptr ? acceptor_->waker() : workers_.front()->waker()).wake();
}

std::vector<LogonGate::Template> Registrar::templates_of(const std::string& server) const {
  std::vector<LogonGate::Template> templates;
  for (const config::SessionSettings& one : running_.templates) {
    if (one.instance == server) {
      templates.push_back(LogonGate::template_for(one));
    }
  }
  return templates;
}

void Registrar::post_templates() {
  const std::lock_guard guard(mutex_);
  for (const config::ServerSettings& server : running_.servers) {
    if (auto templates = templates_of(server.name); !templates.empty()) {
      LogonGate::Change change{.server = server.name};
      change.templates = std::move(templates);
      post_to_gate(std::move(change));
    }
  }
}

// --- Checks ---

/// A fault that every session of a template would have is the operator's, and is reported now.
void Registrar::check_templates(const std::vector<config::SessionSettings>& templates,
                                config::Problems& problems) {
  host::DictionaryStore store;
  store_ = &store;
  kept_dictionaries_.clear();
  for (const config::SessionSettings& one : templates) {
    if (const std::string text = config::template_fault(one); !text.empty()) {
      problems.push_back(fault(one, text, "C229"));
      continue;
    }
    if (!is_server(one.instance)) {
      problems.push_back(fault(one, "is a template, and its group is no server", "C229"));
      continue;
    }
    Opening opening;
    opening.settings = std::make_shared<const config::SessionSettings>(one);
    find_instance(opening, problems);
    std::vector<std::size_t> loads(workers_.size(), 0);
    config::Problems own;
    choose_worker(opening, loads, own);
    check_limits(opening, own);
    std::ranges::move(config::check_session(one, session::Role::Acceptor), std::back_inserter(own));
    open_dictionary(opening, own);
    kept_dictionaries_.push_back(std::move(opening.dictionary));
    std::ranges::move(own, std::back_inserter(problems));
  }
  store_ = nullptr;
}

void Registrar::check_made_names(const std::vector<host::SharedSettings>& sessions,
                                 config::Problems& problems) const {
  for (const host::SharedSettings& session : sessions) {
    if (made_.contains(session->name)) {
      problems.push_back(
          fault(*session, "shares its name with a session made from a template", "C224"));
    }
  }
}

// --- Making ---

bool Registrar::tend_wishes() {
  LogonGate* const door = gate();
  if (door == nullptr || !door->has_wishes()) {
    return false;
  }
  const std::lock_guard guard(mutex_);
  for (const LogonGate::Wish& wish : door->take_wishes()) {
    grant(wish);
  }
  return true;
}

void Registrar::grant(const LogonGate::Wish& wish) {
  const auto made_from =
      std::find_if(running_.templates.begin(), running_.templates.end(),
                   [&](const config::SessionSettings& one) {
                     return one.name == wish.made_from && one.instance == wish.server;
                   });
  std::string refusal = "its template is gone";
  if (made_from != running_.templates.end()) {
    auto settings =
        std::make_shared<const config::SessionSettings>(config::settings_for(*made_from, wish.ids));
    if (const auto known = made_.find(settings->name); known != made_.end()) {
      Awaited& awaited = *known->second.awaited;
      const std::lock_guard guard(awaited.mutex);
      if (!awaited.is_there) {
        awaited.connections.push_back(wish.connection);
        return;
      }
      refusal.clear();
    } else {
      refusal = make_session(wish, *made_from, std::move(settings));
      if (refusal.empty()) {
        return;  // Its worker sends the answer.
      }
    }
  }
  LogonGate::Change change{.server = wish.server};
  change.answers.push_back({wish.connection, std::move(refusal), "N211"});
  post_to_gate(std::move(change));
}

/// Reason why no more may be made; empty: they may.
std::string Registrar::limit_of(const config::SessionSettings& made_from,
                                const std::string& name) const {
  const auto most = static_cast<std::size_t>(made_from.template_sessions_max);
  const auto now = std::count_if(made_.begin(), made_.end(), [&](const auto& entry) {
    return entry.second.made_from == made_from.name;
  });
  if (static_cast<std::size_t>(now) >= most) {
    return "the template [" + made_from.name + "] has template_sessions_max sessions";
  }
  const auto ever = made_ever_.find(made_from.name);
  if (ever != made_ever_.end() && !ever->second.contains(name) &&
      ever->second.size() >= peers_for_each_session * most) {
    return "the template [" + made_from.name + "] has had sessions of too many peers";
  }
  return {};
}

/// Reason why none is made; empty: it is on its way to its worker, which resumes the connection.
std::string Registrar::make_session(const LogonGate::Wish& wish,
                                    const config::SessionSettings& made_from,
                                    host::SharedSettings shared) {
  const config::SessionSettings& settings = *shared;
  if (session(settings.name)) {
    return "another session is called " + settings.name;
  }
  if (std::string limit = limit_of(made_from, settings.name); !limit.empty()) {
    return limit;
  }
  config::Problems problems;
  std::vector<Opening> openings = open_all({shared}, problems);
  if (!problems.empty()) {
    return "no session can be made for it: " + problems.front().text();
  }
  Opening& opening = openings.front();
  auto awaited = std::make_shared<Awaited>();
  awaited->connections.push_back(wish.connection);
  made_ever_[made_from.name].insert(settings.name);
  publish([&] {
    made_.emplace(settings.name, MadeSession{shared, made_from.name, opening.seat, awaited});
  });
  auto change = std::make_unique<WorkerChange>();
  const std::size_t worker = opening.worker;
  const LogonGate::Target target = LogonGate::target_for(opening.session->handle(), settings);
  Arrival arrival = arrival_of(opening);
  arrival.of_template = true;
  arrival.retire_ns = settings.template_retire_seconds * base::ns_per_second;
  // After the session's arrival: the worker must find the session when the gate hands over.
  arrival.then = [this, awaited, target, server = wish.server] {
    LogonGate::Change answer{.server = server};
    answer.admitted.push_back(target);
    const std::lock_guard guard(awaited->mutex);
    awaited->is_there = true;
    for (const net::ConnectionId connection : awaited->connections) {
      answer.answers.push_back({connection, {}});
    }
    post_to_gate(std::move(answer));
  };
  change->arrivals.push_back(std::move(arrival));
  workers_[worker]->post(std::move(change));
  return {};
}

// --- Going ---

/// Its worker has given it back. Does nothing if it was removed by name: that has done all of this.
void Registrar::forget_made(const host::SessionSeat& seat) {
  const auto found = std::find_if(made_.begin(), made_.end(),
                                  [&](const auto& entry) { return entry.second.seat == &seat; });
  if (found == made_.end()) {
    return;
  }
  LogonGate::Change change{.server = found->second.settings->instance};
  change.withdrawn.push_back(session(found->first));
  strike(found->first);
  publish([&] { made_.erase(found); });
  post_to_gate(std::move(change));
}

void Registrar::end_templates(Dispatch& dispatch, const std::vector<std::string>& names) {
  for (auto made = made_.begin(); made != made_.end();) {
    if (std::find(names.begin(), names.end(), made->second.made_from) == names.end()) {
      ++made;
      continue;
    }
    dispatch_departure(dispatch, *made->second.settings, "the session's settings change",
                       10 * base::ns_per_second);
    publish([&] { made = made_.erase(made); });
  }
}

}  // namespace affix::inline v0::engine
