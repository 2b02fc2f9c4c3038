// SPDX-License-Identifier: MIT
// Events of a QuickFIX peer, as lines on standard output that a test driver can await. A line is
// `KIND REST`; FIX messages have '|' for SOH. Compiled as C++14, like all of this directory.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace interop {

/// One line of output, stored so that a script can wait for it.
struct Event {
  std::string kind;
  std::string rest;
};

/// Prints events in order and stores them. Every function may be called from any thread; a complete
/// line is written and flushed before the call returns.
class EventPrinter {
 public:
  EventPrinter() = default;
  EventPrinter(const EventPrinter&) = delete;
  EventPrinter& operator=(const EventPrinter&) = delete;

  /// Prints `kind rest`. Control characters of `rest` are made printable first.
  void print(const std::string& kind, const std::string& rest = std::string());

  /// Waits until an event of `kind` whose rest contains all of `texts` has been printed after the
  /// one found by the previous successful call; earlier events count, so none is missed. False
  /// after `patience`.
  bool wait_for(const std::string& kind, const std::vector<std::string>& texts,
                std::chrono::milliseconds patience);

 private:
  std::mutex mutex_;
  std::condition_variable printed_;
  std::vector<Event> events_;
  std::size_t next_ = 0;  // The first event that no wait has consumed.
};

/// The bytes of a FIX message, or any text, on one line: SOH as '|', other control characters as
/// \xNN.
std::string to_line(const std::string& bytes);

}  // namespace interop
