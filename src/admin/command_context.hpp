// SPDX-License-Identifier: MIT
// Context of commands: the engine, its program, and the means to reach the threads that do the
// work. The port's thread.
#pragma once

#include "affix/admin/answer.hpp"
#include "affix/admin/command.hpp"
#include "affix/admin/program.hpp"
#include "affix/engine/engine.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/journal/reader.hpp"

#include "admin/kill_switch_file.hpp"
#include "admin/worker_task.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace affix::inline v0::admin {

/// Outcome of a task for its waiting command.
enum class TaskEnd : std::uint8_t {
  Done,
  Withdrawn,  ///< It was not done and never will be.
  Begun,      ///< It is being done, but the command no longer waits.
};

/// An answer that needs other threads.
struct Pending {
  std::vector<WorkerTask*> tasks;

  /// Makes the answer from the tasks' results; as many ends as tasks.
  std::function<Answer(std::span<const TaskEnd>)> finish;
};

/// A connection that asks to see a session's records from now on. `reader` exists when `pending`
/// has ended as done.
struct TapRequest {
  std::string session;
  host::SessionHandle handle;
  Pending pending;
  std::shared_ptr<std::optional<journal::Reader>> reader;
};

/// A command about the connection itself, which the port carries out.
enum class ConnectionStep : std::uint8_t { Authenticate, ShowRole, Close };

using Outcome = std::variant<Answer, Pending, TapRequest, ConnectionStep>;

class CommandContext final : public GroupNames {
 public:
  CommandContext(engine::Engine& engine, Program& program, engine::CrossThreadSender sender,
                 net::Waker& waker, KillSwitchFile kill_switch);

  [[nodiscard]] engine::Engine& engine() const noexcept { return engine_; }

  [[nodiscard]] Program& program() const noexcept { return program_; }

  [[nodiscard]] KillSwitchFile& kill_switch() noexcept { return kill_switch_; }

  [[nodiscard]] std::int64_t started_utc_ns() const noexcept { return started_utc_ns_; }

  /// The engine's present configuration, with the sessions made from templates; copied once per
  /// command.
  [[nodiscard]] const config::Configuration& configuration() const noexcept {
    return configuration_;
  }

  /// Call before each command: sets its caller, and reads the list of sessions.
  void begin_command(std::string caller, base::Now now);

  /// "operator 127.0.0.1:50123", for journals and logs.
  [[nodiscard]] const std::string& caller() const noexcept { return caller_; }

  [[nodiscard]] base::Now now() const noexcept { return now_; }

  [[nodiscard]] bool is_instance(std::string_view name) const override;
  [[nodiscard]] bool is_session(std::string_view name) const override;
  [[nodiscard]] std::string_view instance_of(std::string_view session) const override;
  [[nodiscard]] std::string_view only_session_of(std::string_view instance) const override;

  /// The sessions of `engine`, of an instance, or the session of that name.
  [[nodiscard]] std::vector<host::SessionHandle> sessions_in(std::string_view scope) const;

  /// The same as the engine's type.
  [[nodiscard]] engine::SendingScope sending_scope(std::string_view scope) const;

  /// Null: the session was added after the command began.
  [[nodiscard]] const config::SessionSettings* settings_of(std::string_view session) const;

  /// Writes `text` into the journals of `sessions`, each on its worker, without waiting.
  void remark(const std::vector<host::SessionHandle>& sessions, const std::string& text);

  /// Lets the session's worker fill in a `Result`, and makes the answer from it.
  template <typename Result>
  [[nodiscard]] Outcome ask_session(std::string_view session,
                                    std::function<void(host::SessionHandle, Result&)> work,
                                    std::function<Answer(const Result&)> answer) {
    const host::SessionHandle handle = engine_.session(session);
    if (!handle) {
      return Answer::refused("there is no session " + std::string(session));
    }
    auto result = std::make_shared<Result>();
    return post(
        handle, [handle, result, work = std::move(work)] { work(handle, *result); },
        [result, answer = std::move(answer)] { return answer(*result); });
  }

  /// Lets every worker fill in the results of its sessions among `sessions`; `seen` records which
  /// were in time. One task per worker.
  template <typename Result>
  [[nodiscard]] Outcome ask_sessions(
      std::vector<host::SessionHandle> sessions,
      std::function<void(host::SessionHandle, Result&)> work,
      std::function<Answer(std::span<const host::SessionHandle>, std::span<const Result>,
                           std::span<const TaskEnd>)>
          answer);

  /// Lets the other thread do work that may wait for the disk.
  [[nodiscard]] Outcome ask_disk(std::function<Answer()> work);

  /// Last numbers that `sessions` saw, for rates.
  struct NumbersSeen {
    std::int64_t steady_ns = 0;
    std::uint64_t next_outgoing = 0;
    std::uint64_t next_expected = 0;
    double out_rate = 0;
    double in_rate = 0;
  };

  [[nodiscard]] NumbersSeen& numbers_seen(const std::string& session) {
    return numbers_seen_[session];
  }

  /// Drops state of sessions that no longer exist.
  void tidy();

 private:
  [[nodiscard]] Outcome post(host::SessionHandle handle, std::function<void()> work,
                             std::function<Answer()> answer);

  /// Null: it could not be handed over, and will not be done.
  [[nodiscard]] WorkerTask* send(host::SessionHandle handle, std::function<void()> work);

  engine::Engine& engine_;
  Program& program_;
  KillSwitchFile kill_switch_;
  engine::CrossThreadSender sender_;
  TaskBook book_;
  TaskThread thread_;
  config::Configuration configuration_;
  std::string caller_;
  base::Now now_;
  std::int64_t started_utc_ns_ = 0;
  std::map<std::string, NumbersSeen> numbers_seen_;
};

template <typename Result>
Outcome CommandContext::ask_sessions(
    std::vector<host::SessionHandle> sessions,
    std::function<void(host::SessionHandle, Result&)> work,
    std::function<Answer(std::span<const host::SessionHandle>, std::span<const Result>,
                         std::span<const TaskEnd>)>
        answer) {
  struct Shared {
    std::vector<host::SessionHandle> sessions;
    std::vector<Result> results;
    std::vector<std::size_t> task_of;  // By session; beyond the tasks: none could be sent.
    std::function<void(host::SessionHandle, Result&)> work;
  };

  auto shared = std::make_shared<Shared>();
  shared->results.resize(sessions.size());
  shared->task_of.resize(sessions.size(), SIZE_MAX);
  shared->sessions = std::move(sessions);
  shared->work = std::move(work);
  Pending pending;
  for (std::size_t worker = 0; worker < engine_.worker_count(); ++worker) {
    std::vector<std::size_t> mine;
    for (std::size_t at = 0; at < shared->sessions.size(); ++at) {
      if (shared->sessions[at].worker() == worker) {
        mine.push_back(at);
      }
    }
    if (mine.empty()) {
      continue;
    }
    WorkerTask* const task = send(shared->sessions[mine.front()], [shared, mine] {
      for (const std::size_t at : mine) {
        shared->work(shared->sessions[at], shared->results[at]);
      }
    });
    if (task != nullptr) {
      for (const std::size_t at : mine) {
        shared->task_of[at] = pending.tasks.size();
      }
      pending.tasks.push_back(task);
    }
  }
  pending.finish = [shared, answer = std::move(answer)](std::span<const TaskEnd> ends) {
    std::vector<TaskEnd> by_session;
    for (const std::size_t task : shared->task_of) {
      by_session.push_back(task < ends.size() ? ends[task] : TaskEnd::Withdrawn);
    }
    // Results that are not done may be being written at this moment.
    std::vector<Result> results(by_session.size());
    for (std::size_t at = 0; at < by_session.size(); ++at) {
      if (by_session[at] == TaskEnd::Done) {
        results[at] = shared->results[at];
      }
    }
    return answer(shared->sessions, results, by_session);
  };
  return pending;
}

}  // namespace affix::inline v0::admin
