// SPDX-License-Identifier: MIT
// The faults file of a running program: read at the start, and again when an operator reloads.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/service/admin_port.hpp"

#include "exchange/faults/fault_rules.hpp"

#include <expected>
#include <mutex>
#include <optional>
#include <string>

namespace affix::inline v0::tools::exchange {

/// The rules belong to the engine's thread; another one may replace them.
class FaultSource {
 public:
  explicit FaultSource(std::string path) : path_(std::move(path)) {}

  /// Reads the file; the rules replace the present ones at the next take_new(). Any thread. The
  /// error has every problem, and nothing changes.
  [[nodiscard]] std::expected<void, std::string> read();

  /// Puts rules that were read in force. Engine's thread. False: there are no new ones.
  bool take_new();

  [[nodiscard]] FaultRules& rules() noexcept { return rules_; }

 private:
  std::string path_;
  FaultRules rules_;
  std::mutex mutex_;
  std::optional<FaultRules> read_;
};

/// The administration port's reload: sessions, and the faults if there are any.
class FaultReload final : public service::Reloader {
 public:
  /// All outlive it. `faults` may be null.
  FaultReload(service::Reloader& sessions, FaultSource* faults, engine::Engine& engine)
      : sessions_(sessions), faults_(faults), engine_(engine) {}

  [[nodiscard]] std::expected<engine::Change, config::Problems> reload() override;

 private:
  service::Reloader& sessions_;
  FaultSource* faults_;
  engine::Engine& engine_;
};

}  // namespace affix::inline v0::tools::exchange
