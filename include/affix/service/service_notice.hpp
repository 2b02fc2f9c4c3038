// SPDX-License-Identifier: MIT
// Reports a service's state to the process that started it: ready, reloading, stopping, alive. Uses
// the protocol of systemd's sd_notify: one datagram to a socket named in the environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::service {

/// Any thread.
class ServiceNotice {
 public:
  /// Reads this process's environment: NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID. Removes the
  /// variables, so that programs started from here do not report for this one. Call it before
  /// starting threads.
  [[nodiscard]] static ServiceNotice from_environment();

  /// `socket` is a path, or an abstract name after `@`; empty: no listener. `watchdog_ns` is 0 if
  /// alive() is not expected.
  ServiceNotice(std::string socket, std::int64_t watchdog_ns)
      : socket_(std::move(socket)), watchdog_ns_(watchdog_ns) {}

  /// Where notices go to: for keeper::open_systemd_keeper(), since the variable is removed. Valid
  /// as long as this object.
  [[nodiscard]] const std::string& socket() const noexcept { return socket_; }

  /// Maximum interval between calls of alive(); 0: none are expected.
  [[nodiscard]] std::int64_t watchdog_ns() const noexcept { return watchdog_ns_; }

  /// `status` is a sentence for an operator. Ignores failures to send.
  void ready(std::string_view status) const;

  /// The start is still in progress: asks for `patience_ns` more from now on.
  void starting(std::int64_t patience_ns, std::string_view status) const;

  /// The service goes on; `status` is another sentence.
  void status(std::string_view status) const;

  /// A reload has begun; ready() follows.
  void reloading() const;

  /// The process is about to end.
  void stopping(std::string_view status) const;

  /// The service is another process from now on.
  void main_process(int process) const;

  /// The process works, for the watchdog.
  void alive() const;

 private:
  void send(const std::string& text) const;

  std::string socket_;
  std::int64_t watchdog_ns_;
};

}  // namespace affix::inline v0::service
