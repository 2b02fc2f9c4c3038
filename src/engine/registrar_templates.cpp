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

// --- The listeners ---

LogonGate* Registrar::gate() const noexcept {
  return acceptor_ != nullptr ? &acceptor_->gate() : workers_.front()->gate();
}

void Registrar::post_to_gate(GateChange change) const {
  gate()->post(std::move(change));
  (acceptor_ != nullptr ? acceptor_->waker() : workers_.front()->waker()).wake();
}

std::vector<LogonTemplate> Registrar::templates_of(const std::string& server) const {
  std::vector<LogonTemplate> templates;
  for (const config::SessionSettings& one : running_.templates) {
    if (one.instance == server) {
      templates.push_back(logon_template_for(one));
    }
  }
  return templates;
}

void Registrar::post_templates() {
  const std::lock_guard guard(mutex_);
  for (const config::ServerSettings& server : running_.servers) {
    if (auto templates = templates_of(server.name); !templates.empty()) {
      GateChange change{.server = server.name};
      change.templates = std::move(templates);
      post_to_gate(std::move(change));
    }
    GateChange change{.server = server.name, .primaries = primaries_};
    for (const host::SharedSettings& settings : sessions_) {
      if (settings->instance == server.name && !server.failover_group.empty()) {
        change.failover.push_back({settings, server.failover_group});
      }
    }
    if (!change.failover.empty()) {
      post_to_gate(std::move(change));
    }
  }
}

// --- Checks ---

/// A fault that every session of a template would have is the operator's, and is reported now.
void Registrar::check_templates(const std::vector<config::SessionSettings>& templates,
                                host::DictionaryStore& store, config::Problems& problems) {
  std::vector<host::SessionDictionary> kept;
  for (const config::SessionSettings& one : templates) {
    if (const auto right = config::check_template(one); !right) {
      problems.push_back(fault(one, right.error().message, right.error().message_code));
      continue;
    }
    if (!is_server(one.instance)) {
      problems.push_back(fault(one, "is a template, and its group is not a server", "C229"));
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
    open_dictionary(opening, store, own);
    kept.push_back(std::move(opening.dictionary));
    std::ranges::move(own, std::back_inserter(problems));
  }
  dictionaries_.keep_for_templates(std::move(kept));
}

void Registrar::check_made_names(const std::vector<host::SharedSettings>& sessions,
                                 config::Problems& problems) const {
  for (const host::SharedSettings& session : sessions) {
    if (made_.find(session->name) != nullptr) {
      problems.push_back(
          fault(*session, "shares its name with a session made from a template", "C224"));
    }
  }
}

// --- Making ---

bool Registrar::answer_session_requests() {
  LogonGate* const door = gate();
  if (door == nullptr || !door->requests().any()) {
    return false;
  }
  const std::lock_guard guard(mutex_);
  for (const SessionRequest& request : door->requests().take()) {
    grant(request);
  }
  return true;
}

void Registrar::grant(const SessionRequest& request) {
  const auto made_from =
      std::find_if(running_.templates.begin(), running_.templates.end(),
                   [&](const config::SessionSettings& one) {
                     return one.name == request.made_from && one.instance == request.server;
                   });
  std::string refusal = "its template is gone";
  if (made_from != running_.templates.end()) {
    auto settings = std::make_shared<const config::SessionSettings>(
        config::settings_for(*made_from, request.ids));
    if (const MadeSessions::Session* const known = made_.find(settings->name)) {
      if (known->awaited->join(request.connection)) {
        return;  // Its worker sends the answer.
      }
      refusal.clear();
    } else {
      refusal = make_session(request, *made_from, std::move(settings));
      if (refusal.empty()) {
        return;  // Its worker sends the answer.
      }
    }
  }
  GateChange change{.server = request.server};
  change.answers.push_back({request.connection, std::move(refusal), "N211"});
  post_to_gate(std::move(change));
}

/// Reason why none is made; empty: it is on its way to its worker, which resumes the connection.
std::string Registrar::make_session(const SessionRequest& request,
                                    const config::SessionSettings& made_from,
                                    host::SharedSettings shared) {
  const config::SessionSettings& settings = *shared;
  if (session(settings.name)) {
    return "another session is called " + settings.name;
  }
  if (std::string limit = made_.limit_of(made_from, settings.name); !limit.empty()) {
    return limit;
  }
  config::Problems problems;
  std::vector<Opening> openings = open_all({shared}, problems);
  if (!problems.empty()) {
    return "no session can be made for it: " + problems.front().text();
  }
  Opening& opening = openings.front();
  auto awaited = std::make_shared<AwaitedSession>(request.connection);
  publish([&] { made_.add({shared, made_from.name, opening.slot, awaited}); });
  auto change = std::make_unique<WorkerChange>();
  const std::size_t worker = opening.worker;
  const LogonTarget target = logon_target_for(opening.session->handle(), settings);
  Arrival arrival = arrival_of(opening);
  arrival.of_template = true;
  arrival.retire_ns = settings.template_retire_seconds * base::ns_per_second;
  // After the session's arrival: the worker must find the session when the gate hands over.
  arrival.then = [this, awaited, target, server = request.server] {
    awaited->arrive([&](const std::vector<net::ConnectionId>& connections) {
      GateChange answer{.server = server};
      answer.admitted.push_back(target);
      for (const net::ConnectionId connection : connections) {
        answer.answers.push_back({connection, {}});
      }
      post_to_gate(std::move(answer));
    });
  };
  change->arrivals.push_back(std::move(arrival));
  workers_[worker]->post(std::move(change));
  return {};
}

// --- Going ---

/// Its worker has given it back. Does nothing if it was removed by name: that has done all of this.
void Registrar::forget_made(const host::SessionSlot& slot) {
  const MadeSessions::Session* const found = made_.in(slot);
  if (found == nullptr) {
    return;
  }
  const host::SharedSettings settings = found->settings;
  GateChange change{.server = settings->instance};
  change.withdrawn.push_back(session(settings->name));
  directory_.strike(settings->name);
  publish([&] { made_.erase(settings->name); });
  post_to_gate(std::move(change));
}

void Registrar::end_templates(ChangeDispatch& dispatch, const std::vector<std::string>& names) {
  for (const host::SharedSettings& settings : made_.settings_of(names)) {
    dispatch_departure(dispatch, *settings, "the session's settings change",
                       10 * base::ns_per_second);
    publish([&] { made_.erase(settings->name); });
  }
}

}  // namespace affix::inline v0::engine
