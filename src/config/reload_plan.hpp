// SPDX-License-Identifier: MIT
// Differences between the running and the wanted configuration, and if they can be applied while
// the engine runs.
#pragma once

#include "affix/config/configuration.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// A session whose settings differ, and how the new ones are applied.
struct ChangedSession {
  std::size_t running = 0;  ///< Positions in the two configurations' sessions.
  std::size_t wanted = 0;
  std::vector<std::string_view> keys{};  ///< Keys that differ; `enabled` is not among them.
  bool restart = false;                  ///< Some of them need a new Logon.
  bool switched = false;                 ///< `enabled` differs.
};

/// The steps from one to the other. Positions refer to the two configurations.
struct ReloadPlan {
  std::vector<std::size_t> added;
  std::vector<std::size_t> removed;
  std::vector<ChangedSession> changed;
  std::vector<std::size_t> servers;          ///< In `wanted`: those whose limits differ.
  std::vector<std::string> ended_templates;  ///< Removed or changed templates, by name.
  bool new_templates = false;                ///< Templates are added.
};

/// Returns every obstacle, each with key and group; both configurations are as the file reader
/// returns them. A session of the same group with other CompIDs or BeginString is another session:
/// one is removed, one added.
[[nodiscard]] std::expected<ReloadPlan, Problems> plan_reload(const Configuration& running,
                                                              const Configuration& wanted);

/// True if a peer or a journal would take the two for the same session.
[[nodiscard]] bool same_identity(const SessionSettings& one, const SessionSettings& other) noexcept;

}  // namespace affix::inline v0::config
