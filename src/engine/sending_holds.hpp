// SPDX-License-Identifier: MIT
// What operators have stopped from sending, remembered for sessions that come later: those of a
// change, of a template, or of a name that was here before.
#pragma once

#include "affix/engine/sending_scope.hpp"

#include "engine/counter_file.hpp"

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::engine {

/// The latest word about a scope holds for everything in it. Any thread; nothing that sends looks
/// here, and whoever does waits for a few look-ups at most.
class SendingHolds {
 public:
  /// Where readers see what is stopped as a whole; it outlives the last set(). Before the first.
  void show_in(CounterFile& file) noexcept { file_ = &file; }

  void set(const SendingScope& scope, bool stopped);

  /// What that word is for the engine, an instance, or a session.
  [[nodiscard]] bool is_stopped(const SendingScope& scope) const;

 private:
  void change(const SendingScope& scope, bool stopped);
  void show() const;
  [[nodiscard]] bool of_instance(std::string_view instance) const;

  CounterFile* file_ = nullptr;  // Null: nobody sees it.
  mutable std::mutex mutex_;
  bool engine_ = false;

  // Only what differs from the scope around it, so that nothing stays of what was undone.
  std::map<std::string, bool, std::less<>> instances_;
  std::map<std::pair<std::string, std::string>, bool> sessions_;  // By instance and name.
};

}  // namespace affix::inline v0::engine
