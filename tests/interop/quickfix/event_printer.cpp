// SPDX-License-Identifier: MIT
// Event lines of a QuickFIX peer: one mutex, one flush per line, and an index of the events that a
// script has consumed.
#include "event_printer.hpp"

#include <algorithm>
#include <cstdio>

namespace interop {
namespace {

bool matches(const Event& event, const std::string& kind, const std::vector<std::string>& texts) {
  return event.kind == kind &&
         std::all_of(texts.begin(), texts.end(), [&event](const std::string& text) {
           return event.rest.find(text) != std::string::npos;
         });
}

}  // namespace

void EventPrinter::print(const std::string& kind, const std::string& rest) {
  const Event event{kind, to_line(rest)};
  const std::lock_guard<std::mutex> lock(mutex_);
  std::fprintf(stdout, "%s%s%s\n", event.kind.c_str(), event.rest.empty() ? "" : " ",
               event.rest.c_str());
  // The reader is a pipe, and it cannot await a line that stays in a buffer.
  std::fflush(stdout);
  events_.push_back(event);
  printed_.notify_all();
}

bool EventPrinter::wait_for(const std::string& kind, const std::vector<std::string>& texts,
                            std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::unique_lock<std::mutex> lock(mutex_);
  std::size_t at = next_;
  while (true) {
    for (; at < events_.size(); ++at) {
      if (matches(events_[at], kind, texts)) {
        next_ = at + 1;
        return true;
      }
    }
    if (printed_.wait_until(lock, deadline) == std::cv_status::timeout && at == events_.size()) {
      return false;
    }
  }
}

std::string to_line(const std::string& bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string line;
  line.reserve(bytes.size());
  for (const char byte : bytes) {
    const unsigned value = static_cast<unsigned char>(byte);
    if (byte == '\001') {
      line += '|';
    } else if (value < 0x20 || value == 0x7f) {
      line += "\\x";
      line += digits[value >> 4U];
      line += digits[value & 0xfU];
    } else {
      line += byte;
    }
  }
  return line;
}

}  // namespace interop
