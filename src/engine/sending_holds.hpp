// SPDX-License-Identifier: MIT
// Sending that operators have stopped, remembered for sessions that come later: those added by a
// change, made from a template, or reusing an earlier name.
#pragma once

#include "affix/engine/sending_scope.hpp"

#include "counters/counter_file.hpp"

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::engine {

/// The latest command for a scope applies to everything in it. Any thread; no sender reads it, and
/// a caller waits at most for a few look-ups.
class SendingHolds {
 public:
  /// Sets the file that shows what is stopped as a whole; it outlives the last set(). Call first.
  void show_in(counters::CounterFile& file) noexcept { file_ = &file; }

  void set(const SendingScope& scope, bool stopped);

  /// True if sending is stopped for this scope: the engine, an instance, or a session.
  [[nodiscard]] bool is_stopped(const SendingScope& scope) const;

 private:
  void change(const SendingScope& scope, bool stopped);
  void show() const;
  [[nodiscard]] bool of_instance(std::string_view instance) const;

  counters::CounterFile* file_ = nullptr;  // Null: not shown.
  mutable std::mutex mutex_;
  bool engine_ = false;

  // Only entries that differ from the enclosing scope, so that undone commands leave nothing.
  std::map<std::string, bool, std::less<>> instances_;
  std::map<std::pair<std::string, std::string>, bool> sessions_;  // By instance and name.
};

}  // namespace affix::inline v0::engine
