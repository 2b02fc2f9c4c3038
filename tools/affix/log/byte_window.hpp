// SPDX-License-Identifier: MIT
// Reads a file front to back, unpacking gzip and zstd: a window that is consumed at its front and
// extended at its end.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// Reads in pieces of at most 1 MiB. One thread at a time.
class ByteWindow {
 public:
  class Reader;

  /// `path` "-" is standard input. NotFound, Io, Denied.
  [[nodiscard]] static std::expected<ByteWindow, base::Error> open(const std::string& path);

  /// Does the same for bytes in memory; `where` is for problems.
  [[nodiscard]] static ByteWindow of_bytes(std::string_view bytes, const std::string& where);

  ByteWindow(ByteWindow&& other) noexcept;
  ByteWindow& operator=(ByteWindow&& other) noexcept;
  ~ByteWindow();

  /// Available bytes that are not consumed. Valid until more() or the end of this object.
  [[nodiscard]] std::string_view view() const noexcept { return view_; }

  void consume(std::size_t bytes) noexcept { view_.remove_prefix(bytes); }

  /// Extends the window at its end. False if there is no more now; a growing file has more later,
  /// and a replaced file begins again.
  [[nodiscard]] bool more();

  /// Problem in unpacking or reading; empty if none. The window ends there.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  ByteWindow(std::unique_ptr<Reader> reader, std::string path) noexcept;

  std::unique_ptr<Reader> reader_;
  std::string path_;
  std::string_view view_;
  std::string problem_;
};

/// All bytes of a file, unpacked; at most `limit`. Errors: as ByteWindow::open(), Damaged when
/// unpacking fails, Limit.
[[nodiscard]] std::expected<std::string, base::Error> read_unpacked(const std::string& path,
                                                                    std::size_t limit);

}  // namespace affix::inline v0::tools::log
