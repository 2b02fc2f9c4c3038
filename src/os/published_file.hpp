// SPDX-License-Identifier: MIT
// A file for other processes to map: written under another name until it is complete, and locked as
// long as its writer lives.
#pragma once

#include "affix/base/error.hpp"
#include "affix/os/file_descriptor.hpp"
#include "affix/os/file_mapping.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace affix::inline v0::os {

/// Movable; a moved-from object has no file. Start-up only: system calls, allocates.
class PublishedFile {
 public:
  /// No file.
  PublishedFile() noexcept = default;

  /// Creates a file that appears at `path` with publish(). Locked, with `in_use` as the text:
  /// another process holds the lock of the existing file.
  [[nodiscard]] static std::expected<PublishedFile, base::Error> create(const std::string& path,
                                                                        const char* in_use);

  /// Creates a file without a name in any directory; has no file if the system forbids that.
  /// `label` is the name that the system shows.
  [[nodiscard]] static PublishedFile create_nameless(const char* label);

  PublishedFile(PublishedFile&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        unpublished_(std::exchange(other.unpublished_, {})),
        file_(std::move(other.file_)) {}

  PublishedFile& operator=(PublishedFile&& other) noexcept;

  /// Keeps a published file, and removes an unpublished one.
  ~PublishedFile();

  /// Replaces the file at the path; readers of the former file keep it. Before that, a failed start
  /// leaves the former file unchanged.
  [[nodiscard]] std::expected<void, base::Error> publish();

  /// Appends `bytes` after the first `end` bytes of the file, allocates them on the disk and maps
  /// them; without a file, maps private memory.
  [[nodiscard]] std::expected<FileMapping, base::Error> grow(std::uint64_t end,
                                                             std::size_t bytes) const;

  /// Path for this process; empty: there is no file.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  [[nodiscard]] std::expected<void, base::Error> lock() const;

  std::string path_;
  std::string unpublished_;  // Temporary name until publish(); empty: there is none, or the file
                             // has its final name.
  FileDescriptor file_;
};

}  // namespace affix::inline v0::os
