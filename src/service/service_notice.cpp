// SPDX-License-Identifier: MIT
// Sends each notice as one datagram from a new socket: there are few.
#include "affix/service/service_notice.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
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

void ServiceNotice::reloading() const {
  send("RELOADING=1\nMONOTONIC_USEC=" +
       std::to_string(os::read_clock_ns(CLOCK_MONOTONIC) / base::ns_per_us));
}

void ServiceNotice::stopping(std::string_view status) const {
  send("STOPPING=1\nSTATUS=" + std::string(status));
}

void ServiceNotice::alive() const {
  send("WATCHDOG=1");
}

void ServiceNotice::send(const std::string& text) const {
  sockaddr_un address{};
  if (socket_.size() < 2 || socket_.size() >= sizeof address.sun_path) {
    return;
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_.front() == '@') {
    address.sun_path[0] = '\0';
  }
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    return;
  }
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  // Never waits: a listener that does not read must not delay the sender.
  static_cast<void>(::sendto(descriptor, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                             reinterpret_cast<const sockaddr*>(&address), size));
  ::close(descriptor);
}

}  // namespace affix::inline v0::service
