// SPDX-License-Identifier: MIT
// What operators have stopped from sending, kept over the engine's end.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/engine.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// The latest word about each scope, in the order in which they were said. One thread.
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

  /// An empty path: nothing is kept. A file that is not there is one without words. Damaged: a line
  /// that no word is, with its number; nothing is believed of such a file. Io: it cannot be read.
  [[nodiscard]] static std::expected<KillSwitchFile, base::Error> open(std::string path);

  [[nodiscard]] bool keeps() const noexcept { return !path_.empty(); }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  [[nodiscard]] const std::vector<Word>& words() const noexcept { return words_; }

  /// Remembers it, on the disk when this returns. On an error it is remembered here and comes to
  /// the disk with the next one.
  [[nodiscard]] std::expected<void, base::Error> set(const engine::SendingScope& scope,
                                                     bool stopped);

  /// Has an engine that nobody drives yet begin as the words say: sessions that are there and those
  /// that come.
  void apply_to(engine::Engine& engine) const;

 private:
  explicit KillSwitchFile(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] std::expected<void, base::Error> write() const;

  std::string path_;
  std::vector<Word> words_;
};

}  // namespace affix::inline v0::admin
