// SPDX-License-Identifier: MIT
// Plays one scenario on one stage.
#pragma once

#include "affix/certify/result.hpp"

#include "certify/names.hpp"
#include "certify/scenario.hpp"
#include "certify/stage.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace affix::inline v0::certify {

/// Conditions of one play.
struct Play {
  const Scenario& scenario;
  const Version& version;
  Role role = Role::Acceptor;
  Identity identity;                         ///< Of peer A.
  std::map<std::string, Identity> others{};  ///< Of further peers, where not the scenario's.
  Settings variables{};                      ///< Replace the scenario's defaults.
  Fragments fragments{};
  bool resets_by_logon = false;  ///< The first Logon asks the engine to reset its numbers.
  std::string fresh_prefix = "A";
};

[[nodiscard]] Result play(const Play& play, const VersionNames& names, Stage& stage);

}  // namespace affix::inline v0::certify
