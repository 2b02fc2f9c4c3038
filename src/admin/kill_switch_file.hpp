// SPDX-License-Identifier: MIT
// Sending that operators have stopped, stored across restarts of the engine.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/engine.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// The latest command for each scope, in order. One thread.
class KillSwitchFile {
 public:
  struct Word {
    std::string instance;  ///< Empty: the engine.
    std::string session;   ///< Empty: all of the instance.
    bool stopped = false;

    [[nodiscard]] engine::SendingScope scope() const noexcept { return {instance, session}; }

    /// "the engine", "instance NAME", "session NAME".
    [[nodiscard]] std::string text() const;
  };

  /// An empty path: nothing is stored. A missing file counts as empty. Damaged: a line is invalid,
  /// with its number; then nothing in the file is used. Io: it cannot be read.
  [[nodiscard]] static std::expected<KillSwitchFile, base::Error> open(std::string path);

  [[nodiscard]] bool keeps() const noexcept { return !path_.empty(); }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  [[nodiscard]] const std::vector<Word>& words() const noexcept { return words_; }

  /// Stores the command; it is on the disk when this returns. After an error it is kept in memory
  /// and written with the next one.
  [[nodiscard]] std::expected<void, base::Error> set(const engine::SendingScope& scope,
                                                     bool stopped);

  /// Applies the commands to an engine that does not run yet: to existing sessions and later
  /// ones.
  void apply_to(engine::Engine& engine) const;

 private:
  explicit KillSwitchFile(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] std::expected<void, base::Error> write() const;

  std::string path_;
  std::vector<Word> words_;
};

}  // namespace affix::inline v0::admin
