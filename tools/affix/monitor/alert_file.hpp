// SPDX-License-Identifier: MIT
// Where an AlertBook outlives its process: a small file, replaced as a whole.
#pragma once

#include "affix/base/error.hpp"

#include "monitor/alert_book.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::monitor {

/// Held by one monitor at a time, by a lock on the file beside it that ends in `.lock`. One thread.
class AlertFile {
 public:
  /// Keeps nothing.
  AlertFile() noexcept = default;

  /// A file that is not there yet is an empty book. Errors: another monitor has it (Locked), it is
  /// no file, larger than 8 MiB or no book (Damaged), it or its directory cannot be used. A file
  /// that is refused is left as it is.
  [[nodiscard]] static std::expected<AlertFile, base::Error> open(std::string path);

  AlertFile(AlertFile&& other) noexcept;
  AlertFile& operator=(AlertFile&& other) noexcept;
  ~AlertFile();

  /// What was in it when it was opened.
  [[nodiscard]] const AlertBook& book() const noexcept { return book_; }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// On the disk when it returns; on an error the file is as it was. Waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> store(const AlertBook& book) const;

 private:
  std::string path_;
  int lock_ = -1;
  AlertBook book_;
};

}  // namespace affix::inline v0::tools::monitor
