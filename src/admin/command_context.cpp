// SPDX-License-Identifier: MIT
// Looks up names, and hands work to other threads.
#include "admin/command_context.hpp"

#include "affix/os/clock.hpp"

#include <algorithm>
#include <iterator>

namespace affix::inline v0::admin {

namespace {

constexpr const char* busy_text =
    "the worker did not take the command in time; it was withdrawn and will not be executed";
constexpr const char* begun_text =
    "the command was begun and has not ended within a second; look again for its result";

Answer answer_of(TaskEnd end, const std::function<Answer()>& done) {
  switch (end) {
    case TaskEnd::Done:
      return done();
    case TaskEnd::Begun:
      return Answer::begun(begun_text);
    case TaskEnd::Withdrawn:
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

CommandContext::CommandContext(engine::Engine& engine, Program& program,
                               engine::CrossThreadSender sender, net::Waker& waker,
                               KillSwitchFile kill_switch)
    : engine_(engine),
      program_(program),
      kill_switch_(std::move(kill_switch)),
      sender_(std::move(sender)),
      book_(waker),
      started_utc_ns_(os::now().utc_ns) {}

void CommandContext::begin_command(std::string caller, base::Now now) {
  caller_ = std::move(caller);
  now_ = now;
  configuration_ = engine_.configuration();
  for (config::SessionSettings& made : engine_.sessions_made()) {
    configuration_.sessions.push_back(std::move(made));
  }
}

bool CommandContext::is_instance(std::string_view name) const {
  return has(configuration_.clients, name) || has(configuration_.servers, name);
}

bool CommandContext::is_session(std::string_view name) const {
  return static_cast<bool>(engine_.session(name));
}

std::string_view CommandContext::instance_of(std::string_view session) const {
  const host::SessionHandle handle = engine_.session(session);
  return handle ? handle.instance() : std::string_view();
}

std::string_view CommandContext::only_session_of(std::string_view instance) const {
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

engine::SendingScope CommandContext::sending_scope(std::string_view word) const {
  if (word == "engine") {
    return {};
  }
  return is_instance(word) ? engine::SendingScope{word, {}}
                           : engine::SendingScope{instance_of(word), word};
}

const config::SessionSettings* CommandContext::settings_of(std::string_view session) const {
  const auto found =
      std::find_if(configuration_.sessions.begin(), configuration_.sessions.end(),
                   [session](const auto& settings) { return settings.name == session; });
  return found == configuration_.sessions.end() ? nullptr : &*found;
}

std::vector<host::SessionHandle> CommandContext::sessions_in(std::string_view scope) const {
  std::vector<host::SessionHandle> found;
  for (const host::SessionHandle session : engine_.sessions()) {
    if (scope == "engine" || session.name() == scope || session.instance() == scope) {
      found.push_back(session);
    }
  }
  return found;
}

void CommandContext::remark(const std::vector<host::SessionHandle>& sessions,
                            const std::string& text) {
  for (std::size_t worker = 0; worker < engine_.worker_count(); ++worker) {
    std::vector<host::SessionHandle> mine;
    std::copy_if(sessions.begin(), sessions.end(), std::back_inserter(mine),
                 [worker](host::SessionHandle session) { return session.worker() == worker; });
    if (mine.empty()) {
      continue;
    }
    WorkerTask* const task = send(mine.front(), [mine, text] {
      for (const host::SessionHandle session : mine) {
        // A journal that refuses reports that itself.
        static_cast<void>(host::SessionControls(session).remark(text));
      }
    });
    if (task != nullptr) {
      task->let_go();
    }
  }
}

WorkerTask* CommandContext::send(host::SessionHandle handle, std::function<void()> work) {
  WorkerTask* const task = book_.begin(std::move(work));
  if (task == nullptr) {
    return nullptr;
  }
  if (sender_.call(handle, &WorkerTask::on_worker, task) != engine::HandOver::Queued) {
    task->cancel();
    return nullptr;
  }
  return task;
}

Outcome CommandContext::post(host::SessionHandle handle, std::function<void()> work,
                             std::function<Answer()> answer) {
  WorkerTask* const task = send(handle, std::move(work));
  if (task == nullptr) {
    return Answer::busy("the queue to the session's worker is full; nothing has happened");
  }
  return Pending{{task}, [answer = std::move(answer)](std::span<const TaskEnd> ends) {
                   return answer_of(ends.front(), answer);
                 }};
}

Outcome CommandContext::ask_disk(std::function<Answer()> work) {
  auto result = std::make_shared<Answer>();
  WorkerTask* const task = book_.begin([result, work = std::move(work)] { *result = work(); });
  if (task == nullptr) {
    return Answer::busy("too much is under way; nothing has happened");
  }
  thread_.give(*task);
  return Pending{{task}, [result](std::span<const TaskEnd> ends) {
                   return answer_of(ends.front(), [&] { return *result; });
                 }};
}

void CommandContext::tidy() {
  std::erase_if(numbers_seen_, [this](const auto& seen) { return !is_session(seen.first); });
}

}  // namespace affix::inline v0::admin
