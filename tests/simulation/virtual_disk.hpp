// SPDX-License-Identifier: MIT
// The disk of a machine in a history: the system's, in the time of the history and without a view
// of what else the machine that simulates it does.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/journal/disk.hpp"
#include "affix/testing/virtual_network.hpp"

#include <cerrno>
#include <cstdint>
#include <string>

namespace affix::simulation {

class VirtualDisk : public journal::Disk {
 public:
  /// With the clocks of `machine`.
  VirtualDisk(const testing::VirtualNetwork& network, testing::NodeId machine) noexcept
      : network_(network), machine_(machine) {}

  [[nodiscard]] base::Now now() noexcept override { return network_.now(machine_); }

  /// Whether it would do depends on what all programs together have not written yet.
  [[nodiscard]] int sync_file_system(int /*file*/, const std::string& /*directory*/,
                                     std::uint64_t /*worth_bytes*/) noexcept override {
    return EOPNOTSUPP;
  }

 private:
  const testing::VirtualNetwork& network_;
  const testing::NodeId machine_;
};

/// Puts all journals on the disk, which outlives the engine.
[[nodiscard]] inline config::Configuration on_disk(journal::Disk& disk,
                                                   config::Configuration configuration) {
  for (config::SessionSettings& session : configuration.sessions) {
    session.journal_disk = &disk;
  }
  return configuration;
}

}  // namespace affix::simulation
