// SPDX-License-Identifier: MIT
// Passes files in order of their numbers to the journal's own checks.
#include "journal/archive_verification.hpp"

#include "log/journal_source.hpp"

namespace affix::inline v0::tools::journal {

std::expected<affix::journal::Verification, base::Error> verify_archive(
    const std::string& directory) {
  const auto files = log::segments_in(directory);
  if (!files) {
    return std::unexpected(files.error());
  }
  affix::journal::ArchiveVerification verification(directory);
  for (const auto& [number, path] : *files) {
    const auto segment = log::read_segment(path, number, log::Extent::File);
    if (segment) {
      verification.add(number, segment->bytes, segment->file_bytes);
    } else if (segment.error().code == base::ErrorCode::Io ||
               segment.error().code == base::ErrorCode::Exhausted ||
               segment.error().code == base::ErrorCode::Denied) {
      return std::unexpected(segment.error());
    } else {
      verification.add_unreadable(number, segment.error().message);
    }
  }
  return verification.finish();
}

}  // namespace affix::inline v0::tools::journal
