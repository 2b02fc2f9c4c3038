// SPDX-License-Identifier: MIT
// Passes files in order of their numbers to the journal's own checks.
#include "journal/archive_verification.hpp"

#include "log/journal_source.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>

namespace affix::inline v0::tools::journal {

namespace fs = std::filesystem;

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
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no journal segment", directory, "J216"});
  }
  affix::journal::ArchiveVerification verification(directory);
  for (const auto& [number, path] : files) {
    const auto segment = log::read_segment(path, number, log::Extent::File);
    if (segment) {
      verification.add(number, segment->bytes, segment->file_bytes);
    } else if (segment.error().code == base::ErrorCode::Io ||
               segment.error().code == base::ErrorCode::Denied) {
      return std::unexpected(segment.error());
    } else {
      verification.add_unreadable(number, segment.error().message);
    }
  }
  return verification.finish();
}

}  // namespace affix::inline v0::tools::journal
