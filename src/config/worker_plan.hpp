// SPDX-License-Identifier: MIT
// Assigns sessions to workers and workers to cores: decided once, before anything is
// opened.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/os/processor_share.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::config {

/// Maximum number of workers of one engine.
inline constexpr std::int64_t workers_max = 256;

/// Maximum number of callback threads of one engine.
inline constexpr std::int64_t callback_threads_max = 16;

/// Configuration of one worker.
struct WorkerShare {
  std::size_t number = 0;
  std::vector<std::size_t> sessions;  ///< Positions in Configuration::sessions, ascending.
  std::int64_t core = -1;             ///< -1: not pinned.
  std::size_t capacity = 0;           ///< Maximum number of sessions, later ones included.
};

/// Configuration of all threads of the engine.
struct WorkerPlan {
  std::vector<WorkerShare> workers;    ///< Never empty.
  os::ProcessorShare processor_share;  ///< The processors that it is based on.
  std::size_t automatic_workers = 1;   ///< Value of worker_thread_count=0.

  /// There are listeners, and several workers for their connections: the listeners have their own
  /// thread, pinned to `acceptor_core`.
  bool accepts_apart = false;
  std::int64_t acceptor_core = -1;
};

/// A group's sessions go in turn to its first `worker_thread_count` workers, except those whose
/// `worker` names one. Fails for a worker that does not exist and for unreadable cores.
[[nodiscard]] std::expected<WorkerPlan, std::vector<Finding>> plan_workers(
    const Configuration& configuration);

/// A sentence for each core of the plan or of the administration port that this process may not
/// use: the system will choose where its thread runs.
[[nodiscard]] Problems pin_warnings(const WorkerPlan& plan, const ManagementSettings& management);

/// Log text at start for an engine that has a single core; empty: it has more.
[[nodiscard]] std::string one_core_note(const os::ProcessorShare& share);

/// A sentence for each part of the plan that needs more cores than there are: workers, and threads
/// that never sleep.
[[nodiscard]] Problems core_warnings(const WorkerPlan& plan, const Configuration& configuration,
                                     const os::ProcessorShare& share);

/// Maximum number of sessions added at run time.
[[nodiscard]] std::size_t sessions_to_come(const Configuration& configuration) noexcept;

/// Value of worker_thread_count=0: one worker for each core with free time. System calls, reads
/// files.
[[nodiscard]] std::size_t automatic_worker_count();

/// Number of workers for a group's sessions; 0 means `automatic`.
[[nodiscard]] std::size_t worker_count_of(const InstanceSettings& settings,
                                          std::size_t automatic) noexcept;

/// `worker_core_ids` parsed: empty, AUTO for `automatic`, or numbers separated by commas.
[[nodiscard]] std::expected<std::vector<std::int64_t>, base::Error> worker_cores(
    const std::string& text, const std::vector<std::int64_t>& automatic);

}  // namespace affix::inline v0::config
