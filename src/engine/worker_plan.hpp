// SPDX-License-Identifier: MIT
// Which worker has which session, and which core has which worker: decided once, before anything is
// opened.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/engine/processor_share.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// Most workers of one engine.
inline constexpr std::int64_t workers_max = 256;

/// Most callback threads of one engine.
inline constexpr std::int64_t callback_threads_max = 16;

/// What one worker is to be.
struct WorkerShare {
  std::size_t number = 0;
  std::vector<std::size_t> sessions;  ///< Places in Configuration::sessions, ascending.
  std::int64_t core = -1;             ///< -1: not pinned.
  std::size_t capacity = 0;           ///< Most sessions it may ever have.
};

/// What the whole engine is to be.
struct WorkerPlan {
  std::vector<WorkerShare> workers;   ///< Never empty.
  ProcessorShare processor_share;     ///< What it was made by.
  std::size_t automatic_workers = 1;  ///< What worker_thread_count=0 stands for.

  /// There are listeners, and several workers that connections are handed to: so they have a thread
  /// of their own, pinned to `acceptor_core`.
  bool accepts_apart = false;
  std::int64_t acceptor_core = -1;
};

/// A group's sessions go in turn to its first `worker_thread_count` workers, but for those whose
/// `worker` names one. Fails for a worker that is not there and for cores that cannot be read.
[[nodiscard]] std::expected<WorkerPlan, Problems> plan_workers(const Configuration& configuration);

/// A sentence for each core of the plan, and for the administration port's, that this process may
/// not use: its thread will run where the system puts it.
[[nodiscard]] std::vector<std::string> pin_warnings(const WorkerPlan& plan,
                                                    const ManagementSettings& management);

/// What the log is to say at start where the engine has a single core; empty: it has more.
[[nodiscard]] std::string one_core_note(const ProcessorShare& share);

/// A sentence for each thing that the plan wants more cores for than there are: workers, and those
/// that never sleep.
[[nodiscard]] std::vector<std::string> core_warnings(const WorkerPlan& plan,
                                                     const Configuration& configuration,
                                                     const ProcessorShare& share);

/// How many sessions may come while the engine runs.
[[nodiscard]] std::size_t sessions_to_come(const Configuration& configuration) noexcept;

/// How many workers worker_thread_count=0 stands for: one for each core that there is time for.
/// System calls, reads files.
[[nodiscard]] std::size_t automatic_worker_count();

/// How many workers a group's sessions are spread over, where 0 stands for `automatic`.
[[nodiscard]] std::size_t worker_count_of(const InstanceSettings& settings,
                                          std::size_t automatic) noexcept;

/// `worker_core_ids` read: empty, AUTO as `automatic` says, or numbers with commas between.
[[nodiscard]] std::expected<std::vector<std::int64_t>, std::string> worker_cores(
    const std::string& text, const std::vector<std::int64_t>& automatic);

}  // namespace affix::inline v0::engine
