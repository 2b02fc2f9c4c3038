// SPDX-License-Identifier: MIT
// Reads segments from the newest backwards.
#include "admin/journal_tail.hpp"

#include "affix/journal/segment_scan.hpp"
#include "affix/os/clock.hpp"

#include "admin/time_text.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iterator>
#include <limits>

namespace affix::inline v0::admin {

namespace {

namespace files = std::filesystem;

constexpr std::size_t segments_max = 16;

/// Number of records between two looks at the clock.
constexpr std::size_t records_per_look = 256;

/// Numbers of the segment files, newest first. Some may be prepared and not used yet.
std::vector<std::uint32_t> segments_of(const std::string& directory) {
  std::vector<std::uint32_t> numbers;
  std::error_code error;
  for (files::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (const std::uint32_t number = journal::segment_file_number(at->path().filename().string());
        number != 0) {
      numbers.push_back(number);
    }
  }
  std::sort(numbers.rbegin(), numbers.rend());
  return numbers;
}

}  // namespace

std::expected<bool, base::Error> walk_back(const std::string& directory,
                                           std::int64_t until_steady_ns,
                                           const std::function<void(const journal::Record&)>& visit,
                                           const std::function<bool()>& go_back) {
  auto reader = journal::Reader::open(directory);
  if (!reader) {
    return std::unexpected(reader.error());
  }
  bool first = true;
  for (const std::uint32_t number : segments_of(directory)) {
    if (!first && !go_back()) {
      return true;
    }
    if (!reader->seek({number, 0})) {
      continue;  // Not used yet, or removed meanwhile.
    }
    first = false;
    std::size_t records = 0;
    while (const auto record = reader->next()) {
      if (record->position.segment != number) {
        break;
      }
      visit(*record);
      if (++records % records_per_look == 0 && os::now().steady_ns > until_steady_ns) {
        return false;
      }
    }
  }
  return true;
}

std::expected<std::vector<KeptRecord>, base::Error> read_tail(const std::string& directory,
                                                              std::size_t count) {
  std::vector<std::deque<KeptRecord>> segments(1);
  std::size_t have = 0;  // In the segments read so far.
  const auto walked = walk_back(
      directory, std::numeric_limits<std::int64_t>::max(),
      [&](const journal::Record& record) {
        KeptRecord kept{record, std::string(record.bytes)};
        kept.record.bytes = {};
        segments.back().push_back(std::move(kept));
        if (segments.back().size() > count - have) {
          segments.back().pop_front();
        }
      },
      [&] {
        have += segments.back().size();
        if (have >= count || segments.size() == segments_max) {
          return false;
        }
        segments.emplace_back();
        return true;
      });
  if (!walked) {
    return std::unexpected(walked.error());
  }
  std::vector<KeptRecord> records;
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    std::move(segment->begin(), segment->end(), std::back_inserter(records));
  }
  return records;
}

std::expected<journal::Reader, base::Error> open_at_end(const std::string& directory) {
  auto reader = journal::Reader::open(directory);
  if (!reader) {
    return reader;
  }
  for (const std::uint32_t number : segments_of(directory)) {
    if (reader->seek({number, 0})) {
      break;
    }
  }
  while (reader->next()) {
  }
  return reader;
}

void add_record(Answer& answer, const journal::Record& record, std::string_view bytes) {
  answer.add({time_text(record.utc_ns), kind_text(record),
              static_cast<std::int64_t>(record.sequence),
              static_cast<std::int64_t>(record.number_after),
              record.kind != journal::Kind::Received || record.processed, std::string(bytes)});
}

std::string kind_text(const journal::Record& record) {
  return record.kind == journal::Kind::Event ? journal::to_text(record.event)
                                             : journal::to_text(record.kind);
}

}  // namespace affix::inline v0::admin
