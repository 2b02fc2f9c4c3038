// SPDX-License-Identifier: MIT
// The texts of sd_notify's protocol, and its variables.
#include "affix/service/service_notice.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"
#include "affix/net/notice_socket.hpp"
#include "affix/os/clock.hpp"

#include <cstdlib>
#include <unistd.h>

namespace affix::inline v0::service {

namespace {

std::string take_variable(const char* name) {
  const char* const value = std::getenv(name);
  std::string text = value == nullptr ? std::string() : std::string(value);
  ::unsetenv(name);
  return text;
}

}  // namespace

ServiceNotice ServiceNotice::from_environment() {
  std::string socket = take_variable("NOTIFY_SOCKET");
  const std::int64_t watchdog_us = base::parse_number(take_variable("WATCHDOG_USEC")).value_or(0);
  const std::string watched = take_variable("WATCHDOG_PID");
  // The variable may be addressed to the process that started this one.
  const bool ours = watched.empty() || base::parse_number(watched) == ::getpid();
  constexpr std::int64_t longest_us = 86'400'000'000;
  const bool waited_for = ours && watchdog_us > 0 && watchdog_us <= longest_us;
  return {std::move(socket), waited_for ? watchdog_us * base::ns_per_us : 0};
}

void ServiceNotice::ready(std::string_view status) const {
  send("READY=1\nSTATUS=" + std::string(status));
}

void ServiceNotice::starting(std::int64_t patience_ns, std::string_view status) const {
  send("EXTEND_TIMEOUT_USEC=" + std::to_string(patience_ns / base::ns_per_us) +
       "\nSTATUS=" + std::string(status));
}

void ServiceNotice::status(std::string_view status) const {
  send("STATUS=" + std::string(status));
}

void ServiceNotice::reloading() const {
  send("RELOADING=1\nMONOTONIC_USEC=" +
       std::to_string(os::read_clock_ns(CLOCK_MONOTONIC) / base::ns_per_us));
}

void ServiceNotice::stopping(std::string_view status) const {
  send("STOPPING=1\nSTATUS=" + std::string(status));
}

void ServiceNotice::main_process(int process) const {
  send("MAINPID=" + std::to_string(process));
}

void ServiceNotice::alive() const {
  send("WATCHDOG=1");
}

void ServiceNotice::send(const std::string& text) const {
  static_cast<void>(net::send_notice(socket_, text));
}

}  // namespace affix::inline v0::service
