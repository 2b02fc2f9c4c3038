// SPDX-License-Identifier: MIT
// What operators do about alerts: asked for by a request, decided, kept, written down.
#pragma once

#include "monitor/alert_file.hpp"
#include "monitor/audit_trail.hpp"
#include "monitor/request.hpp"
#include "monitor/snapshot.hpp"

#include <cstdint>
#include <expected>
#include <mutex>
#include <string>

namespace affix::inline v0::tools::monitor {

/// Who does it, as the token says that came with the request.
struct Actor {
  std::string name;  ///< Empty: the token names nobody.
  std::string peer;  ///< The client's address.

  /// "ann", or "operator".
  [[nodiscard]] std::string shown() const;

  /// "operator ann at 127.0.0.1:50123", as the engine's audit trail has it.
  [[nodiscard]] std::string audited() const;
};

/// The engine that a request's body names; empty: none, or it is no act.
[[nodiscard]] std::string engine_of_act(const std::string& body);

/// Any thread. What is done holds when it is in the file, and not before.
class AlertDesk {
 public:
  /// Gives the observer what the file holds. `observer` outlives this.
  AlertDesk(Observer& observer, AlertFile file, AuditTrail trail);

  /// Of a request that may change something. Waits for the disk.
  [[nodiscard]] Answer act(const Request& request, const Actor& actor, std::int64_t utc_ns);

  /// Takes what is over out of the file; the error says why it is still there.
  [[nodiscard]] std::expected<void, base::Error> tidy();

 private:
  Observer& observer_;
  const AlertFile file_;
  const AuditTrail trail_;
  std::mutex mutex_;  // One at a time: what is stored is what holds.
};

}  // namespace affix::inline v0::tools::monitor
