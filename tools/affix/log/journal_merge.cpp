// SPDX-License-Identifier: MIT
// A merge of a few sorted streams; a scan over their fronts is enough.
#include "log/journal_merge.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace affix::inline v0::tools::log {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view segment_ending = ".journal";

}  // namespace

std::expected<std::vector<std::string>, base::Error> find_journals(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "is no directory with journals", path});
  }
  std::set<std::string> found;
  const auto look_at = [&found](const fs::directory_entry& entry) {
    if (entry.path().filename().string().ends_with(segment_ending)) {
      found.insert(entry.path().parent_path().string());
    }
  };
  fs::recursive_directory_iterator walk(path, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    look_at(*walk);
  }
  if (error) {
    return std::unexpected(base::Error{base::ErrorCode::Io, error.message(), path});
  }
  if (found.empty()) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound, "holds no journal", path});
  }
  return std::vector<std::string>(found.begin(), found.end());
}

std::expected<JournalMerge, base::Error> JournalMerge::open(
    const std::vector<std::string>& directories) {
  JournalMerge merge;
  for (const std::string& directory : directories) {
    auto reader = journal::Reader::open(directory);
    if (!reader) {
      return std::unexpected(std::move(reader.error()));
    }
    merge.identities_.emplace_back(reader->identity());
    merge.sources_.push_back({std::move(*reader), std::nullopt});
    merge.sources_.back().front = merge.sources_.back().reader.next();
  }
  return merge;
}

std::optional<MergedRecord> JournalMerge::next() {
  if (const auto taken = std::exchange(taken_, std::nullopt)) {
    sources_[*taken].front = sources_[*taken].reader.next();
  }
  const auto earliest = std::min_element(
      sources_.begin(), sources_.end(), [](const Source& left, const Source& right) {
        return left.front && (!right.front || left.front->utc_ns < right.front->utc_ns);
      });
  if (earliest == sources_.end() || !earliest->front) {
    return std::nullopt;
  }
  taken_ = static_cast<std::size_t>(earliest - sources_.begin());
  return MergedRecord{*earliest->front, *taken_};
}

std::vector<base::Error> JournalMerge::damage() const {
  std::vector<base::Error> all;
  for (const Source& source : sources_) {
    if (source.reader.damage()) {
      all.push_back(*source.reader.damage());
    }
  }
  return all;
}

}  // namespace affix::inline v0::tools::log
