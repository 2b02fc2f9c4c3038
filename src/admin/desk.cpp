// SPDX-License-Identifier: MIT
// Looks up names, and hands work to other threads.
#include "admin/desk.hpp"

#include "affix/os/clock.hpp"

#include <algorithm>
#include <iterator>

namespace affix::inline v0::admin {

namespace {

constexpr const char* busy_text =
    "the thread that it is for has not come to it in time; it was withdrawn and will not happen";
constexpr const char* begun_text =
    "it was begun and has not ended within a second; look again for what became of it";

Answer answer_of(ErrandEnd end, const std::function<Answer()>& done) {
  switch (end) {
    case ErrandEnd::Done:
      return done();
    case ErrandEnd::Begun:
      return Answer::begun(begun_text);
    case ErrandEnd::Withdrawn:
      break;
  }
  return Answer::busy(busy_text);
}

template <typename Groups>
bool has(const Groups& groups, std::string_view name) {
  return std::any_of(groups.begin(), groups.end(),
                     [name](const auto& group) { return group.name == name; });
}

}  // namespace

Desk::Desk(engine::Engine& engine, Program& program, engine::Courier courier, net::Waker& waker,
           KillSwitchFile kill_switch)
    : engine_(engine),
      program_(program),
      kill_switch_(std::move(kill_switch)),
      courier_(std::move(courier)),
      book_(waker),
      started_utc_ns_(os::now().utc_ns) {}

void Desk::begin_command(std::string caller, base::Now now) {
  caller_ = std::move(caller);
  now_ = now;
  configuration_ = engine_.configuration();
  for (config::SessionSettings& made : engine_.sessions_made()) {
    configuration_.sessions.push_back(std::move(made));
  }
}

bool Desk::is_instance(std::string_view name) const {
  return has(configuration_.clients, name) || has(configuration_.servers, name);
}

bool Desk::is_session(std::string_view name) const {
  return static_cast<bool>(engine_.session(name));
}

std::string_view Desk::instance_of(std::string_view session) const {
  const host::SessionHandle handle = engine_.session(session);
  return handle ? handle.instance() : std::string_view();
}

std::string_view Desk::only_session_of(std::string_view instance) const {
  std::string_view only;
  for (const host::SessionHandle session : engine_.sessions()) {
    if (session.instance() == instance) {
      if (!only.empty()) {
        return {};
      }
      only = session.name();
    }
  }
  return only;
}

engine::SendingScope Desk::sending_scope(std::string_view word) const {
  if (word == "engine") {
    return {};
  }
  return is_instance(word) ? engine::SendingScope{word, {}}
                           : engine::SendingScope{instance_of(word), word};
}

const config::SessionSettings* Desk::settings_of(std::string_view session) const {
  const auto found =
      std::find_if(configuration_.sessions.begin(), configuration_.sessions.end(),
                   [session](const auto& settings) { return settings.name == session; });
  return found == configuration_.sessions.end() ? nullptr : &*found;
}

std::vector<host::SessionHandle> Desk::sessions_in(std::string_view scope) const {
  std::vector<host::SessionHandle> found;
  for (const host::SessionHandle session : engine_.sessions()) {
    if (scope == "engine" || session.name() == scope || session.instance() == scope) {
      found.push_back(session);
    }
  }
  return found;
}

void Desk::remark(const std::vector<host::SessionHandle>& sessions, const std::string& text) {
  for (std::size_t worker = 0; worker < engine_.worker_count(); ++worker) {
    std::vector<host::SessionHandle> mine;
    std::copy_if(sessions.begin(), sessions.end(), std::back_inserter(mine),
                 [worker](host::SessionHandle session) { return session.worker() == worker; });
    if (mine.empty()) {
      continue;
    }
    Errand* const errand = send(mine.front(), [mine, text] {
      for (const host::SessionHandle session : mine) {
        // A journal that refuses reports that itself.
        static_cast<void>(host::SessionControls(session).remark(text));
      }
    });
    if (errand != nullptr) {
      errand->let_go();
    }
  }
}

Errand* Desk::send(host::SessionHandle handle, std::function<void()> work) {
  Errand* const errand = book_.begin(std::move(work));
  if (errand == nullptr) {
    return nullptr;
  }
  if (courier_.call(handle, &Errand::on_worker, errand) != engine::HandOver::Queued) {
    errand->cancel();
    return nullptr;
  }
  return errand;
}

Outcome Desk::post(host::SessionHandle handle, std::function<void()> work,
                   std::function<Answer()> answer) {
  Errand* const errand = send(handle, std::move(work));
  if (errand == nullptr) {
    return Answer::busy("the queue to the session's worker is full; nothing has happened");
  }
  return Pending{{errand}, [answer = std::move(answer)](std::span<const ErrandEnd> ends) {
                   return answer_of(ends.front(), answer);
                 }};
}

Outcome Desk::ask_disk(std::function<Answer()> work) {
  auto result = std::make_shared<Answer>();
  Errand* const errand = book_.begin([result, work = std::move(work)] { *result = work(); });
  if (errand == nullptr) {
    return Answer::busy("too much is under way; nothing has happened");
  }
  thread_.give(*errand);
  return Pending{{errand}, [result](std::span<const ErrandEnd> ends) {
                   return answer_of(ends.front(), [&] { return *result; });
                 }};
}

void Desk::tidy() {
  std::erase_if(numbers_seen_, [this](const auto& seen) { return !is_session(seen.first); });
}

}  // namespace affix::inline v0::admin
