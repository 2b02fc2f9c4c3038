// SPDX-License-Identifier: MIT
// Stores an AlertBook across processes in a small file, replaced as a whole.
#pragma once

#include "affix/base/error.hpp"
#include "affix/os/file_descriptor.hpp"

#include "monitor/alert_book.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::monitor {

/// Used by one monitor at a time, ensured by a lock on the file with the additional ending `.lock`.
/// One thread.
class AlertFile {
 public:
  /// Stores nothing.
  AlertFile() noexcept = default;

  /// A missing file is an empty book. Errors: another monitor has it (Locked), it is not a file,
  /// larger than 8 MiB or not a book (Damaged), it or its directory is not usable. A refused file
  /// is left unchanged.
  [[nodiscard]] static std::expected<AlertFile, base::Error> open(std::string path);

  /// Contents when it was opened.
  [[nodiscard]] const AlertBook& book() const noexcept { return book_; }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// On the disk when it returns; on an error the file is unchanged. Waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> store(const AlertBook& book) const;

 private:
  std::string path_;
  os::FileDescriptor lock_;
  AlertBook book_;
};

}  // namespace affix::inline v0::tools::monitor
