// SPDX-License-Identifier: MIT
// Progress of changes to an engine's sessions at run time: sessions that are added, removed,
// enabled, disabled or reconfigured.
#pragma once

#include "affix/config/configuration.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

class ChangeProgress;

/// The action that a change applies to a session; each comment gives the final state.
enum class ChangeKind : std::uint8_t {
  Add,      ///< It exists: its initiator connects, its acceptor answers.
  Remove,   ///< It is logged out, its journal is closed, its memory is free.
  Enable,   ///< It may connect or accept a connection again.
  Disable,  ///< It is logged out, and neither connects nor accepts until it is enabled.
  Apply,    ///< The new values are in force; its connection was not interrupted.
  Restart,  ///< It logged out, has the new values, and may log on again with its numbers.
};

[[nodiscard]] const char* to_text(ChangeKind kind) noexcept;

/// One session's part of a change.
struct SessionChange {
  std::string session;  ///< Name of its group.
  ChangeKind kind = ChangeKind::Add;
  std::string keys;     ///< Apply and Restart: the keys that differ, comma-separated.
  bool done = false;    ///< False: in progress.
  bool forced = false;  ///< Its connection was cut because the logout did not complete in time.
};

/// A copyable reference to an accepted change, which is certain to happen: the worker applies it in
/// its next turns. Thread-safe.
class Change {
 public:
  /// An empty change, already done.
  Change() noexcept = default;

  /// For the engine itself.
  explicit Change(std::shared_ptr<ChangeProgress> progress) noexcept
      : progress_(std::move(progress)) {}

  /// All parts have been applied.
  [[nodiscard]] bool done() const;

  /// Blocks until done() or for `timeout_ns`; returns done(). Never call it on a thread that drives
  /// the engine: it would wait for itself.
  [[nodiscard]] bool wait(std::int64_t timeout_ns) const;

  /// Action and progress for each session. Returns copies.
  [[nodiscard]] std::vector<SessionChange> sessions() const;

  /// Warnings that a start with the added sessions would log: keys without effect, and doubts
  /// about their dictionaries. One sentence each; only for Engine::add_sessions().
  [[nodiscard]] config::Problems warnings() const;

 private:
  std::shared_ptr<ChangeProgress> progress_;
};

}  // namespace affix::inline v0::engine
