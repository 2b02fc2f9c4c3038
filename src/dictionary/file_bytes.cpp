// SPDX-License-Identifier: MIT
// Reads in pieces, since the size of what a path names may be unknown.
#include "dictionary/file_bytes.hpp"

#include "affix/base/error.hpp"

#include <cerrno>
#include <fstream>
#include <ios>

namespace affix::inline v0::dictionary {

std::expected<std::string, Problem> read_file_bytes(const std::string& path,
                                                    std::size_t bytes_max) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  constexpr std::size_t piece = 1U << 16;
  while (file && bytes.size() <= bytes_max) {
    const std::size_t before = bytes.size();
    bytes.resize(before + piece);
    file.read(bytes.data() + before, static_cast<std::streamsize>(piece));
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && (!file || bytes.size() <= bytes_max)) {
    const base::Error unread = base::make_system_error("read", errno, {});
    return std::unexpected(Problem{Severity::Error, 0, {}, unread.message, unread.message_code});
  }
  return bytes;
}

}  // namespace affix::inline v0::dictionary
