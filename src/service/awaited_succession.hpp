// SPDX-License-Identifier: MIT
// A process that is to succeed another one: waits in line at the keeper until that has ended.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/engine/succession.hpp"
#include "affix/service/service_notice.hpp"
#include "affix/service/start.hpp"

#include "service/other_process.hpp"

#include <expected>

namespace affix::inline v0::service {

/// State that the previous process left, and that process's id.
struct AwaitedSuccession {
  engine::Succession succession{};
  OtherProcess predecessor{};  ///< None: there was none, or nobody knows it.
};

/// Waits for as long as another process is the keeper's owner, and returns what it left; with
/// Start::TakeOver it asks that process to hand over. Without a keeper: Unsupported. Call it before
/// signals are blocked: SIGTERM ends the wait, and the process.
[[nodiscard]] std::expected<AwaitedSuccession, base::Error> await_succession(
    const config::EngineSettings& settings, Start start, const ServiceNotice& notice);

}  // namespace affix::inline v0::service
