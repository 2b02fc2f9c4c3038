// SPDX-License-Identifier: MIT
// What differs between the configuration that runs and the one that is wanted, and whether that can
// be changed while it runs.
#pragma once

#include "affix/engine/configuration.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// A session whose settings differ, and how it gets the new ones.
struct ChangedSession {
  std::size_t running = 0;  ///< Places in the two configurations' sessions.
  std::size_t wanted = 0;
  std::vector<std::string_view> keys{};  ///< That differ; `enabled` is not among them.
  bool restart = false;                  ///< Some of them want a Logon.
  bool switched = false;                 ///< `enabled` differs.
};

/// The steps from one to the other. Places in the two configurations.
struct ReloadPlan {
  std::vector<std::size_t> added;
  std::vector<std::size_t> removed;
  std::vector<ChangedSession> changed;
  std::vector<std::size_t> servers;          ///< In `wanted`: whose limits differ.
  std::vector<std::string> ended_templates;  ///< Names of those that go or differ.
  bool new_templates = false;                ///< Some come.
};

/// Every reason why it cannot be done, each with the key and the group; both are as the reader of
/// files leaves them. A session of the same group with other CompIDs or BeginString is another
/// session: removed and added.
[[nodiscard]] std::expected<ReloadPlan, Problems> plan_reload(const Configuration& running,
                                                              const Configuration& wanted);

/// Whether the two would be one to a peer, or to the journals.
[[nodiscard]] bool same_identity(const SessionSettings& one, const SessionSettings& other) noexcept;

}  // namespace affix::inline v0::engine
