// SPDX-License-Identifier: MIT
// The descriptor that a loop of the caller's waits for: readable when the reactor has events or a
// time has come.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/reactor.hpp"
#include "affix/os/file_descriptor.hpp"

#include <cstdint>
#include <expected>
#include <utility>

namespace affix::inline v0::net {

/// An epoll with the reactor's descriptor and a timer in it; an epoll is itself readable while one
/// of its descriptors is. One thread.
class LoopDescriptor {
 public:
  /// Nothing is due.
  static constexpr std::int64_t never_ns = INT64_MAX;

  /// Unsupported: the reactor has no descriptor. Io: the system has none left. The reactor outlives
  /// the result.
  [[nodiscard]] static std::expected<LoopDescriptor, base::Error> open(Reactor& reactor);

  [[nodiscard]] int number() const noexcept { return epoll_.number(); }

  /// Makes it readable at `due_ns` of the steady clock at the latest, or at once if that is past;
  /// never_ns: only by the reactor. A time that was set before and has not come remains if it is
  /// the earlier one, which saves a system call for each message and costs a turn without work.
  void set_due(std::int64_t due_ns, std::int64_t now_ns) noexcept;

 private:
  LoopDescriptor(os::FileDescriptor epoll, os::FileDescriptor timer) noexcept
      : epoll_(std::move(epoll)), timer_(std::move(timer)) {}

  os::FileDescriptor epoll_;
  os::FileDescriptor timer_;
  std::int64_t set_ns_ = never_ns;  // Of the timer; in the past: the descriptor is readable.
};

}  // namespace affix::inline v0::net
