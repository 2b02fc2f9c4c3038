// SPDX-License-Identifier: MIT
// What a service tells the one who started it: ready, reloading, stopping, alive. The protocol of
// systemd's sd_notify, which is one datagram to a socket named by the environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

class ServiceNotice {
 public:
  /// Of this process's environment: NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID. Both are taken out
  /// of it, so that programs started from here do not speak for this one. Before there are threads.
  [[nodiscard]] static ServiceNotice from_environment();

  /// For a path, or an abstract name behind `@`; empty: nobody listens. `watchdog_ns` is 0 when
  /// nobody waits for alive().
  ServiceNotice(std::string socket, std::int64_t watchdog_ns)
      : socket_(std::move(socket)), watchdog_ns_(watchdog_ns) {}

  /// How often alive() must be said at least; 0: never.
  [[nodiscard]] std::int64_t watchdog_ns() const noexcept { return watchdog_ns_; }

  /// `status` is a sentence for an operator. Failures are nobody's concern: who does not listen is
  /// not told.
  void ready(std::string_view status) const;

  /// The start goes on, and is to be waited for so much longer from now on.
  void starting(std::int64_t patience_ns, std::string_view status) const;
  void reloading() const;
  void stopping(std::string_view status) const;
  void alive() const;

 private:
  void send(const std::string& text) const;

  std::string socket_;
  std::int64_t watchdog_ns_;
};

}  // namespace affix::inline v0::tools
