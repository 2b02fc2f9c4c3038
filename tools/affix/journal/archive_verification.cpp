// SPDX-License-Identifier: MIT
// Files by their number, the layer's own checks on their bytes.
#include "journal/archive_verification.hpp"

#include "log/byte_window.hpp"
#include "log/journal_source.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>

namespace affix::inline v0::tools::journal {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t segment_bytes_max = std::size_t{4} << 30;

}  // namespace

std::expected<affix::journal::Verification, base::Error> verify_archive(
    const std::string& directory) {
  std::map<std::uint32_t, std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::uint32_t number = log::segment_number_of(entry->path().filename().string());
    if (number != 0) {
      files.emplace(number, entry->path().string());
    }
  }
  if (error) {
    return std::unexpected(base::make_system_error("readdir", error.value(), directory));
  }
  if (files.empty()) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound, "no journal segment", directory});
  }
  affix::journal::ArchiveVerification verification(directory);
  for (const auto& [number, path] : files) {
    const auto bytes = log::read_unpacked(path, segment_bytes_max);
    if (!bytes && bytes.error().code != base::ErrorCode::Damaged &&
        bytes.error().code != base::ErrorCode::Limit) {
      return std::unexpected(bytes.error());
    }
    if (bytes) {
      verification.add(number, *bytes);
    } else {
      verification.add_unreadable(number, bytes.error().text());
    }
  }
  return verification.finish();
}

}  // namespace affix::inline v0::tools::journal
