// SPDX-License-Identifier: MIT
// Handles operators' actions on alerts: parses the request, decides, stores and audits.
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

/// The operator, according to the request's token.
struct Actor {
  std::string name;  ///< Empty: the token has no name.
  std::string peer;  ///< The client's address.

  /// "ann", or "operator".
  [[nodiscard]] std::string shown() const;

  /// "operator ann at 127.0.0.1:50123", as in the engine's audit trail.
  [[nodiscard]] std::string audited() const;
};

/// The engine that a request's body names; empty: none, or the body is no action.
[[nodiscard]] std::string engine_of_act(const std::string& body);

/// Any thread. An action takes effect once it is in the file.
class AlertService {
 public:
  /// Passes the file's contents to the observer. `observer` outlives this.
  AlertService(Observer& observer, AlertFile file, AuditTrail trail);

  /// Carries out a request that may change something. Waits for the disk.
  [[nodiscard]] Answer act(const Request& request, const Actor& actor, std::int64_t utc_ns);

  /// Removes expired entries from the file; on an error they are still there.
  [[nodiscard]] std::expected<void, base::Error> tidy();

 private:
  Observer& observer_;
  const AlertFile file_;
  const AuditTrail trail_;
  std::mutex mutex_;  // Makes the file and the book in effect change together.
};

}  // namespace affix::inline v0::tools::monitor
