// SPDX-License-Identifier: MIT
// Assigns sessions to workers, and workers to cores.
#include "config/worker_plan.hpp"

#include "config/list_text.hpp"
#include "os/cores.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace affix::inline v0::config {

namespace {

constexpr std::int64_t core_max = 4'095;

/// More workers would share the available time.
std::size_t automatic_count(const std::vector<std::int64_t>& cores,
                            const os::ProcessorShare& share) {
  return std::min<std::size_t>({cores.size(), share.cores(), workers_max});
}

bool spins(const InstanceSettings& settings) noexcept {
  return settings.wait_mode == WaitMode::Spin;
}

std::string counted(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

Finding fault(GroupKind kind, const std::string& group, std::string_view key, std::string message) {
  return {.kind = kind, .group = group, .key = key, .message = std::move(message), .code = "E103"};
}

/// Cores of one group's workers, for the workers that no earlier group has pinned.
void take_cores(const InstanceSettings& settings, bool is_server, std::size_t count,
                const std::vector<std::int64_t>& automatic, WorkerPlan& plan,
                std::vector<Finding>& problems) {
  const auto cores = worker_cores(settings.worker_core_ids, automatic);
  if (!cores) {
    problems.push_back(fault(is_server ? GroupKind::Server : GroupKind::Client, settings.name,
                             "worker_core_ids", "key 'worker_core_ids': " + cores.error().message));
    return;
  }
  const auto pin = [&plan](std::size_t worker, std::int64_t core) {
    plan.workers[worker].core = plan.workers[worker].core < 0 ? core : plan.workers[worker].core;
  };
  for (std::size_t worker = 0; worker < std::min(count, cores->size()); ++worker) {
    pin(worker, (*cores)[worker]);
  }
  if (is_server && plan.workers.size() > 1) {
    plan.acceptor_core = std::max(plan.acceptor_core, settings.cpu_core_id);
  } else {
    pin(0, settings.cpu_core_id);
  }
}

}  // namespace

std::size_t sessions_to_come(const Configuration& configuration) noexcept {
  std::int64_t count = configuration.engine.added_sessions_max;
  for (const SessionSettings& made_from : configuration.templates) {
    count += made_from.template_sessions_max;
  }
  return static_cast<std::size_t>(count);
}

std::size_t automatic_worker_count() {
  return automatic_count(os::physical_cores(), os::processor_share());
}

std::size_t worker_count_of(const InstanceSettings& settings, std::size_t automatic) noexcept {
  return settings.worker_thread_count == 0 ? automatic
                                           : static_cast<std::size_t>(settings.worker_thread_count);
}

std::expected<std::vector<std::int64_t>, base::Error> worker_cores(
    const std::string& text, const std::vector<std::int64_t>& automatic) {
  std::string_view rest = text;
  if (base::trimmed(rest) == "AUTO") {
    return automatic;
  }
  std::vector<std::int64_t> cores;
  while (!rest.empty()) {
    const std::string_view piece = take_piece(rest);
    const std::int64_t core = base::parse_number(piece).value_or(-1);
    if (core < 0 || core > core_max) {
      return base::invalid_argument("'" + std::string(piece) +
                                        "' is neither AUTO nor a core from 0 to " +
                                        std::to_string(core_max),
                                    "E103");
    }
    cores.push_back(core);
  }
  return cores;
}

Problems pin_warnings(const WorkerPlan& plan, const ManagementSettings& management) {
  Problems warnings;
  const auto look = [&warnings](const std::string& thread, std::int64_t core) {
    if (!os::can_pin_to(core)) {
      warnings.push_back({base::ErrorCode::Denied,
                          "core " + std::to_string(core) +
                              " is not one that this process may use: " + thread + " is not pinned",
                          {},
                          "E127"});
    }
  };
  for (const WorkerShare& share : plan.workers) {
    look("worker " + std::to_string(share.number), share.core);
  }
  look("the thread that accepts", plan.acceptor_core);
  if (management.management_server_port != 0) {
    look("the administration port's thread", management.management_server_cpu_core_id);
  }
  return warnings;
}

std::string one_core_note(const os::ProcessorShare& share) {
  if (share.cores() > 1) {
    return {};
  }
  return "1 core allowed (" + share.why() +
         "): workers have it, and the threads that prepare journals, flush and write the log run "
         "while they sleep";
}

Problems core_warnings(const WorkerPlan& plan, const Configuration& configuration,
                       const os::ProcessorShare& share) {
  Problems warnings;
  const std::size_t cores = share.cores();
  const std::string allowed = counted(cores, "core", "cores") + " allowed (" + share.why() + ")";
  if (plan.workers.size() > cores) {
    warnings.push_back(
        {base::ErrorCode::Limit,
         counted(plan.workers.size(), "worker", "workers") + " and " + allowed +
             ": they take turns, and messages wait for it; worker_thread_count=0 takes "
             "as many as there is time for",
         {},
         "E130"});
  }
  // Like a worker's wait: one spinning group makes all sessions of the worker spin.
  const bool any_spins = std::any_of(configuration.servers.begin(), configuration.servers.end(),
                                     [](const ServerSettings& one) { return spins(one); }) ||
                         std::any_of(configuration.clients.begin(), configuration.clients.end(),
                                     [](const ClientSettings& one) { return spins(one); });
  if (any_spins && plan.workers.size() >= cores) {
    warnings.push_back(
        {base::ErrorCode::Limit,
         "wait_mode=SPIN leaves no core for the threads that prepare journals, flush and write the "
         "log: " +
             counted(plan.workers.size(), "worker", "workers") + " and " + allowed + "; " +
             (share.quota
                  ? "the quota is used up in each period, and all threads stop until its end"
                  : "they take their time from the workers, some milliseconds at once"),
         {},
         "E131"});
  }
  return warnings;
}

std::expected<WorkerPlan, std::vector<Finding>> plan_workers(const Configuration& configuration) {
  WorkerPlan plan;
  std::vector<Finding> problems;
  const std::vector<std::int64_t> automatic = os::physical_cores();
  plan.processor_share = os::processor_share();
  plan.automatic_workers = automatic_count(automatic, plan.processor_share);
  const auto count_of = [&plan](const InstanceSettings& settings) {
    return worker_count_of(settings, plan.automatic_workers);
  };
  std::vector<std::pair<const InstanceSettings*, bool>> groups;
  for (const ServerSettings& server : configuration.servers) {
    groups.emplace_back(&server, true);
  }
  for (const ClientSettings& client : configuration.clients) {
    groups.emplace_back(&client, false);
  }
  std::size_t workers = 1;
  for (const auto& [settings, is_server] : groups) {
    workers = std::max(workers, count_of(*settings));
  }
  plan.workers.resize(workers);
  plan.accepts_apart = workers > 1 && !configuration.servers.empty();
  for (const auto& [settings, is_server] : groups) {
    take_cores(*settings, is_server, count_of(*settings), automatic, plan, problems);
  }

  // One sequence for all groups: several small groups do not all begin at the first worker.
  std::size_t next = 0;
  for (std::size_t place = 0; place < configuration.sessions.size(); ++place) {
    const SessionSettings& session = configuration.sessions[place];
    const auto group = std::find_if(groups.begin(), groups.end(), [&session](const auto& one) {
      return one.first->name == session.instance;
    });
    // A session without a group is a problem that opening it reports.
    const std::size_t count = group == groups.end() ? 1 : count_of(*group->first);
    std::size_t worker = next % count;
    if (session.worker >= 0) {
      worker = static_cast<std::size_t>(session.worker);
      if (worker >= count) {
        problems.push_back(fault(GroupKind::Session, session.name, "worker",
                                 "worker " + std::to_string(worker) + " is not one of the " +
                                     std::to_string(count) + " of [" + session.instance + "]"));
        continue;
      }
    } else {
      ++next;
    }
    plan.workers[worker].sessions.push_back(place);
  }
  for (std::size_t worker = 0; worker < workers; ++worker) {
    plan.workers[worker].number = worker;
    // The later sessions' groups, and the loads, decide which workers get them.
    plan.workers[worker].capacity =
        plan.workers[worker].sessions.size() + sessions_to_come(configuration);
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return plan;
}

}  // namespace affix::inline v0::config
