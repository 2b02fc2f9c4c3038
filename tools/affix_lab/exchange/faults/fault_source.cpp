// SPDX-License-Identifier: MIT
// Passes rules from the thread that read them to the engine's.
#include "exchange/faults/fault_source.hpp"

#include <utility>

namespace affix::inline v0::tools::exchange {

std::expected<void, std::string> FaultSource::read() {
  auto rules = FaultRules::read(path_);
  if (!rules) {
    return std::unexpected(std::move(rules.error()));
  }
  const std::lock_guard lock(mutex_);
  read_ = std::move(*rules);
  return {};
}

bool FaultSource::take_new() {
  const std::lock_guard lock(mutex_);
  if (!read_) {
    return false;
  }
  rules_ = std::move(*read_);
  read_.reset();
  return true;
}

std::expected<engine::Change, config::Problems> FaultReload::reload() {
  if (faults_ != nullptr) {
    if (auto read = faults_->read(); !read) {
      return std::unexpected(config::Problems{
          base::Error{base::ErrorCode::InvalidArgument, std::move(read.error()), {}, "P136"}});
    }
    engine_.wake();
  }
  return sessions_.reload();
}

}  // namespace affix::inline v0::tools::exchange
