// SPDX-License-Identifier: MIT
// What commands are carried out with: the engine, the program around it, and the ways to the
// threads where things are done. The port's thread.
#pragma once

#include "affix/admin/answer.hpp"
#include "affix/admin/command.hpp"
#include "affix/admin/program.hpp"
#include "affix/engine/engine.hpp"
#include "affix/engine/session_controls.hpp"
#include "affix/journal/reader.hpp"

#include "admin/errand.hpp"
#include "admin/kill_switch_file.hpp"

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

/// How an errand ended, for whoever waited for it.
enum class ErrandEnd : std::uint8_t {
  Done,
  Withdrawn,  ///< It has not happened and will not.
  Begun,      ///< It is under way, and nobody waits any longer.
};

/// An answer that other threads have a part in.
struct Pending {
  std::vector<Errand*> errands;

  /// Makes the answer of what the errands have left; as many ends as errands.
  std::function<Answer(std::span<const ErrandEnd>)> finish;
};

/// A connection that wishes to see a session's records from now on. `reader` is there when
/// `pending` has ended as done.
struct TapWish {
  std::string session;
  engine::SessionHandle handle;
  Pending pending;
  std::shared_ptr<std::optional<journal::Reader>> reader;
};

using Outcome = std::variant<Answer, Pending, TapWish>;

class Desk final : public GroupNames {
 public:
  Desk(engine::Engine& engine, Program& program, engine::Courier courier, net::Waker& waker,
       KillSwitchFile kill_switch);

  [[nodiscard]] engine::Engine& engine() const noexcept { return engine_; }

  [[nodiscard]] Program& program() const noexcept { return program_; }

  [[nodiscard]] KillSwitchFile& kill_switch() noexcept { return kill_switch_; }

  [[nodiscard]] std::int64_t started_utc_ns() const noexcept { return started_utc_ns_; }

  /// The engine's configuration as it is now, with the sessions that templates have made; copied
  /// once a command.
  [[nodiscard]] const engine::Configuration& configuration() const noexcept {
    return configuration_;
  }

  /// Before each command: who gives it, and what there is.
  void begin_command(std::string caller, base::Now now);

  /// "operator 127.0.0.1:50123", for journals and logs.
  [[nodiscard]] const std::string& caller() const noexcept { return caller_; }

  [[nodiscard]] base::Now now() const noexcept { return now_; }

  [[nodiscard]] bool is_instance(std::string_view name) const override;
  [[nodiscard]] bool is_session(std::string_view name) const override;
  [[nodiscard]] std::string_view instance_of(std::string_view session) const override;
  [[nodiscard]] std::string_view only_session_of(std::string_view instance) const override;

  /// The sessions of `engine`, of an instance, or the one of that name.
  [[nodiscard]] std::vector<engine::SessionHandle> sessions_in(std::string_view scope) const;

  /// The same as the engine calls it.
  [[nodiscard]] engine::SendingScope sending_scope(std::string_view scope) const;

  /// Null: the session has come since the command began.
  [[nodiscard]] const engine::SessionSettings* settings_of(std::string_view session) const;

  /// Writes `text` into the journals of `sessions`, each on its worker, and waits for none.
  void remark(const std::vector<engine::SessionHandle>& sessions, const std::string& text);

  /// Has the session's worker fill a `Result` in, and makes the answer of it.
  template <typename Result>
  [[nodiscard]] Outcome ask_session(std::string_view session,
                                    std::function<void(engine::SessionHandle, Result&)> work,
                                    std::function<Answer(const Result&)> answer) {
    const engine::SessionHandle handle = engine_.session(session);
    if (!handle) {
      return Answer::refused("there is no session " + std::string(session));
    }
    auto result = std::make_shared<Result>();
    return post(
        handle, [handle, result, work = std::move(work)] { work(handle, *result); },
        [result, answer = std::move(answer)] { return answer(*result); });
  }

  /// Has every worker fill in the results of its sessions among `sessions`; `seen` says which were
  /// in time. One errand a worker.
  template <typename Result>
  [[nodiscard]] Outcome ask_sessions(
      std::vector<engine::SessionHandle> sessions,
      std::function<void(engine::SessionHandle, Result&)> work,
      std::function<Answer(std::span<const engine::SessionHandle>, std::span<const Result>,
                           std::span<const ErrandEnd>)>
          answer);

  /// Has the other thread do something that may wait for the disk.
  [[nodiscard]] Outcome ask_disk(std::function<Answer()> work);

  /// What `sessions` saw of the numbers last, for rates.
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

  /// Forgets what no longer has a session.
  void tidy();

 private:
  [[nodiscard]] Outcome post(engine::SessionHandle handle, std::function<void()> work,
                             std::function<Answer()> answer);

  /// Null: it could not be handed over, and nothing will happen.
  [[nodiscard]] Errand* send(engine::SessionHandle handle, std::function<void()> work);

  engine::Engine& engine_;
  Program& program_;
  KillSwitchFile kill_switch_;
  engine::Courier courier_;
  ErrandBook book_;
  ErrandThread thread_;
  engine::Configuration configuration_;
  std::string caller_;
  base::Now now_;
  std::int64_t started_utc_ns_ = 0;
  std::map<std::string, NumbersSeen> numbers_seen_;
};

template <typename Result>
Outcome Desk::ask_sessions(
    std::vector<engine::SessionHandle> sessions,
    std::function<void(engine::SessionHandle, Result&)> work,
    std::function<Answer(std::span<const engine::SessionHandle>, std::span<const Result>,
                         std::span<const ErrandEnd>)>
        answer) {
  struct Shared {
    std::vector<engine::SessionHandle> sessions;
    std::vector<Result> results;
    std::vector<std::size_t> errand_of;  // By session; past the errands: none could be sent.
    std::function<void(engine::SessionHandle, Result&)> work;
  };

  auto shared = std::make_shared<Shared>();
  shared->results.resize(sessions.size());
  shared->errand_of.resize(sessions.size(), SIZE_MAX);
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
    Errand* const errand = send(shared->sessions[mine.front()], [shared, mine] {
      for (const std::size_t at : mine) {
        shared->work(shared->sessions[at], shared->results[at]);
      }
    });
    if (errand != nullptr) {
      for (const std::size_t at : mine) {
        shared->errand_of[at] = pending.errands.size();
      }
      pending.errands.push_back(errand);
    }
  }
  pending.finish = [shared, answer = std::move(answer)](std::span<const ErrandEnd> ends) {
    std::vector<ErrandEnd> by_session;
    for (const std::size_t errand : shared->errand_of) {
      by_session.push_back(errand < ends.size() ? ends[errand] : ErrandEnd::Withdrawn);
    }
    // What is not done may be being written at this moment.
    std::vector<Result> results(by_session.size());
    for (std::size_t at = 0; at < by_session.size(); ++at) {
      if (by_session[at] == ErrandEnd::Done) {
        results[at] = shared->results[at];
      }
    }
    return answer(shared->sessions, results, by_session);
  };
  return pending;
}

}  // namespace affix::inline v0::admin
