// SPDX-License-Identifier: MIT
// Keeps a node's memory of its failover groups for the time when its process or its machine has
// failed: the epochs that it has promised, and whether its journals may have lost their ends since.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/os/file_descriptor.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::engine {

/// Of one group.
struct Remembered {
  std::uint64_t promised = 0;  ///< Lower epochs get no acknowledgement of this node; 0: none.
  std::uint64_t held = 0;      ///< The journals had everything of this epoch once; 0: of none.
  std::uint64_t led = 0;       ///< The last epoch in which this node's sessions ran; 0: none.
  journal::BootId boot{};      ///< Of the machine when its journals were last in use.
  bool closed = false;         ///< They were closed in order since, with their ends on the disk.

  friend bool operator==(const Remembered&, const Remembered&) = default;
};

/// One file for each group, `GROUP.promise`, in one directory. The control thread's; blocks on the
/// disk.
class PromiseFiles {
 public:
  /// Opens or creates the directory and takes its lock. Locked: another process has it.
  [[nodiscard]] static std::expected<PromiseFiles, base::Error> open(std::string directory);

  /// The last contents; nothing if there is no file. Damaged: it cannot be understood, and the
  /// node must not guess.
  [[nodiscard]] std::expected<Remembered, base::Error> read(std::string_view group) const;

  /// Replaces it; on the disk when this returns. A kill or a power loss leaves the former or the
  /// new one.
  [[nodiscard]] std::expected<void, base::Error> write(std::string_view group,
                                                       const Remembered& remembered) const;

 private:
  PromiseFiles(std::string directory, os::FileDescriptor lock) noexcept
      : directory_(std::move(directory)), lock_(std::move(lock)) {}

  [[nodiscard]] std::string path_of(std::string_view group) const;

  std::string directory_;
  os::FileDescriptor lock_;
};

/// The text form of the file.
[[nodiscard]] std::string to_text(const Remembered& remembered);

/// Reads any bytes. Damaged (E304): they are no such text.
[[nodiscard]] std::expected<Remembered, base::Error> parse_remembered(std::string_view text);

}  // namespace affix::inline v0::engine
