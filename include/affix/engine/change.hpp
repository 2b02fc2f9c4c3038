// SPDX-License-Identifier: MIT
// What becomes of changes to an engine's sessions while it runs: sessions that are added, removed,
// enabled, disabled or given other settings.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

class ChangeProgress;

/// What is done to a session.
enum class ChangeKind : std::uint8_t {
  Add,      ///< It is there: its initiator connects, its acceptor answers.
  Remove,   ///< It has logged out, its journal is closed, its memory given back.
  Enable,   ///< It may connect or be connected to again.
  Disable,  ///< It has logged out, and stays away until it is enabled.
  Apply,    ///< It has the new values, and its connection has not noticed.
  Restart,  ///< It has logged out, has the new values, and may log on again with its numbers.
};

[[nodiscard]] const char* to_text(ChangeKind kind) noexcept;

/// One session's part of a change.
struct SessionChange {
  std::string session;  ///< Name of its group.
  ChangeKind kind = ChangeKind::Add;
  std::string keys;     ///< Apply and Restart: the keys that differ, commas between.
  bool done = false;    ///< Else it is under way.
  bool forced = false;  ///< Its connection was cut, as its logout was not complete in time.
};

/// A copyable reference to a change that was accepted, and so will happen: its worker carries it
/// out in its next turns. Any thread.
class Change {
 public:
  /// Nothing to do, and done.
  Change() noexcept = default;

  /// For the engine itself.
  explicit Change(std::shared_ptr<ChangeProgress> progress) noexcept
      : progress_(std::move(progress)) {}

  /// All of it has happened.
  [[nodiscard]] bool done() const;

  /// Waits for that, so long at most; says whether it has happened. For threads that drive nothing
  /// of the engine: whoever drives it would wait for himself.
  [[nodiscard]] bool wait(std::int64_t timeout_ns) const;

  /// What is done to each session, and how far it is. Copies.
  [[nodiscard]] std::vector<SessionChange> sessions() const;

 private:
  std::shared_ptr<ChangeProgress> progress_;
};

}  // namespace affix::inline v0::engine
