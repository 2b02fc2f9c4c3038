// SPDX-License-Identifier: MIT
// Takes over from an earlier process: its keeper, and the sockets that it held.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/keeper/keeper.hpp"

#include <memory>
#include <vector>

namespace affix::inline v0::engine {

struct Groundwork;

/// Work that is done before an earlier process has ended, so that its connections wait less: reads
/// the dictionaries of all sessions and measures their journals' disks. Blocks on the disk. Null:
/// a dictionary has a problem, which Engine::open() reports.
[[nodiscard]] std::shared_ptr<Groundwork> lay_groundwork(
    const config::Configuration& configuration);

/// Result of Keeper::take(). Move only; owns everything.
struct Succession {
  std::unique_ptr<keeper::Keeper> keeper{};  ///< Null: Engine::open() opens the one of the
                                             ///< configuration, if that names one.
  std::vector<keeper::Kept> kept{};          ///< What it held for this engine.
  std::shared_ptr<Groundwork> groundwork{};  ///< For the same configuration; null: none was laid.
};

}  // namespace affix::inline v0::engine
