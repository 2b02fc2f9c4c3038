// SPDX-License-Identifier: MIT
// Walks a directory tree and examines files.
#include "log/open_sources.hpp"

#include "log/byte_window.hpp"
#include "log/journal_source.hpp"
#include "log/pcap_source.hpp"
#include "log/text_source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace affix::inline v0::tools::log {

namespace fs = std::filesystem;

namespace {

using namespace std::string_view_literals;

// pcap in both byte orders with microseconds and nanoseconds, and pcapng.
constexpr std::array<std::string_view, 5> capture_magics{"\xD4\xC3\xB2\xA1"sv, "\xA1\xB2\xC3\xD4"sv,
                                                         "\x4D\x3C\xB2\xA1"sv, "\xA1\xB2\x3C\x4D"sv,
                                                         "\x0A\x0D\x0D\x0A"sv};
constexpr std::string_view journal_magic = "AFFIXJNL";

bool is_capture(std::string_view head) noexcept {
  return std::any_of(capture_magics.begin(), capture_magics.end(),
                     [head](std::string_view magic) { return head.starts_with(magic); });
}

/// Contents of a directory, according to its entries.
struct Contents {
  bool segments = false;
  bool packed_segments = false;
};

std::vector<Found> found_in(const std::map<std::string, Contents>& directories,
                            const std::set<std::string>& files) {
  std::vector<Found> found;
  for (const auto& [directory, contents] : directories) {
    if (contents.packed_segments) {
      found.push_back({Found::Kind::Archive, directory});
    } else if (contents.segments) {
      found.push_back({Found::Kind::Journal, directory});
    }
  }
  if (found.empty()) {
    for (const std::string& file : files) {
      found.push_back({Found::Kind::File, file});
    }
  }
  return found;
}

}  // namespace

std::expected<std::vector<Found>, base::Error> find_sources(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (path != "-" && !fs::exists(status)) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no such file or directory", path, "P126"});
  }
  if (!fs::is_directory(status)) {
    // One segment represents its journal.
    const fs::path file(path);
    if (affix::journal::segment_file_number(file.filename().string()) != 0) {
      const std::string parent = file.parent_path().string();
      return std::vector<Found>{{Found::Kind::Journal, parent.empty() ? "." : parent}};
    }
    return std::vector<Found>{{Found::Kind::File, path}};
  }
  std::map<std::string, Contents> directories;
  std::set<std::string> files;
  fs::recursive_directory_iterator walk(path, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const std::string name = walk->path().filename().string();
    std::error_code ignored;
    if (segment_number_of(name) != 0) {
      Contents& contents = directories[walk->path().parent_path().string()];
      const bool packed = affix::journal::segment_file_number(name) == 0;
      (packed ? contents.packed_segments : contents.segments) = true;
    } else if (walk->is_regular_file(ignored)) {
      files.insert(walk->path().string());
    }
  }
  if (error) {
    return std::unexpected(base::Error{base::ErrorCode::Io, error.message(), path, "P126"});
  }
  std::vector<Found> found = found_in(directories, files);
  if (found.empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "holds no journal and no log", path, "P126"});
  }
  return found;
}

std::expected<std::unique_ptr<Source>, base::Error> open_source(const Found& found,
                                                                const OpenOptions& options,
                                                                const RawFilter& filter) {
  if (found.kind == Found::Kind::Journal) {
    return JournalSource::open(found.path, filter);
  }
  if (found.kind == Found::Kind::Archive) {
    return ArchiveSource::open(found.path, filter);
  }
  auto window = ByteWindow::open(found.path);
  if (!window) {
    return std::unexpected(std::move(window.error()));
  }
  static_cast<void>(window->more());
  if (is_capture(window->view())) {
    return PcapSource::open(found.path, options.own_comp_id, filter);
  }
  if (window->view().starts_with(journal_magic)) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "is a segment of a journal under another name", found.path,
                                       "P126"});
  }
  return std::make_unique<TextSource>(std::move(*window), found.path,
                                      TextOptions{options.own_comp_id, options.follow}, filter);
}

}  // namespace affix::inline v0::tools::log
