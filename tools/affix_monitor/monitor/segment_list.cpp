// SPDX-License-Identifier: MIT
// Reads pages directly: mappings would keep files of many segments open.
#include "monitor/segment_list.hpp"

#include "affix/journal/format.hpp"
#include "affix/journal/segment_scan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace affix::inline v0::tools::monitor {

namespace format = affix::journal::format;

namespace {

using Page = std::array<std::byte, format::records_offset>;

/// Nullopt if it cannot be read completely, or is not a segment in use.
std::optional<Page> read_page(const std::string& path) {
  std::optional<Page> page(std::in_place);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  const ssize_t got = ::pread(file, page->data(), page->size(), 0);
  ::close(file);
  std::uint64_t magic = 0;
  std::memcpy(&magic, page->data(), sizeof(magic));
  if (got != static_cast<ssize_t>(page->size()) || magic != format::magic) {
    page.reset();
  }
  return page;
}

}  // namespace

std::vector<SegmentFile> list_segment_files(const std::string& directory) {
  std::vector<SegmentFile> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::uint32_t number =
        affix::journal::segment_file_number(entry->path().filename().string());
    if (number == 0) {
      continue;
    }
    if (const auto page = read_page(entry->path().string())) {
      format::Header header;
      std::memcpy(&header, page->data(), sizeof(header));
      files.push_back({number, header.created_utc_ns});
    }
  }
  std::ranges::sort(files, {}, &SegmentFile::number);
  return files;
}

std::vector<std::uint32_t> read_landmarks(const std::string& directory, std::uint32_t number) {
  std::vector<std::uint32_t> offsets{static_cast<std::uint32_t>(format::records_offset)};
  const auto page = read_page(affix::journal::segment_file_path(directory, number));
  if (!page) {
    return offsets;
  }
  format::SparseIndex index;
  std::memcpy(&index, page->data() + format::index_offset, sizeof(index));
  for (std::size_t at = 0; at < std::min<std::size_t>(index.count, format::SparseIndex::capacity);
       ++at) {
    const std::uint32_t offset = index.entries[at].offset;
    if (offset > offsets.back() && offset % format::alignment == 0) {
      offsets.push_back(offset);
    }
  }
  return offsets;
}

}  // namespace affix::inline v0::tools::monitor
