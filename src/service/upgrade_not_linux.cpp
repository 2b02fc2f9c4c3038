// SPDX-License-Identifier: MIT
// Without a keeper of connections, no process can continue another's.
#include "service/upgrade.hpp"

namespace affix::inline v0::service {

std::expected<void, base::Error> Upgrade::upgrade(const std::string& /*program*/) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "connections outlive a process on Linux only",
                                     "[ENGINE] keeper", "K309"});
}

void Upgrade::take(const siginfo_t& /*signal*/) {
  const auto begun = upgrade({});
  log_.write(host::Event::Severity::Error, {}, "SIGUSR2: " + begun.error().sentence(),
             begun.error().message_code);
}

void Upgrade::tend() {}

void Upgrade::end() noexcept {}

}  // namespace affix::inline v0::service
