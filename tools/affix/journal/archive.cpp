// SPDX-License-Identifier: MIT
// Chooses segments first, then moves them one by one, oldest first: an interruption leaves no hole.
#include "journal/archive.hpp"

#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/segment_scan.hpp"

#include "journal/packing.hpp"
#include "log/byte_window.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace affix::inline v0::tools::journal {

namespace fs = std::filesystem;
namespace layer = affix::journal;

namespace {

constexpr std::size_t segment_bytes_max = std::size_t{4} << 30;

/// A segment in use, with the facts needed for choosing.
struct Segment {
  std::uint32_t number = 0;
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t created_utc_ns = 0;
  std::uint32_t unprocessed_segment = 0;
  std::uint32_t days_begun = 0;  ///< Number of trading days that begin in it.
};

std::expected<std::string, base::Error> read_head(const std::string& path) {
  std::string head(affix::journal::format::records_offset, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (file.bad() || !file.is_open()) {
    return std::unexpected(base::Error{base::ErrorCode::Io, "cannot be read", path, "J223"});
  }
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

std::expected<std::vector<Segment>, base::Error> list(const std::string& directory,
                                                      bool count_days) {
  std::vector<Segment> segments;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::uint32_t number = layer::segment_file_number(entry->path().filename().string());
    if (number != 0) {
      segments.push_back({number, entry->path().string(), 0, 0, 0, 0});
    }
  }
  if (error) {
    return std::unexpected(base::make_system_error("readdir", error.value(), directory));
  }
  std::sort(segments.begin(), segments.end(),
            [](const Segment& left, const Segment& right) { return left.number < right.number; });
  std::vector<Segment> in_use;
  for (Segment& segment : segments) {
    // Headers show everything except where days begin.
    auto bytes =
        count_days ? log::read_unpacked(segment.path, segment_bytes_max) : read_head(segment.path);
    if (!bytes) {
      return std::unexpected(std::move(bytes.error()));
    }
    auto scan = layer::SegmentScan::open(*bytes, segment.number, segment.path);
    if (!scan && scan.error().code == base::ErrorCode::NotFound) {
      break;  // Prepared, and so are all later ones.
    }
    if (!scan) {
      return std::unexpected(std::move(scan.error()));
    }
    segment.bytes = scan->header().segment_bytes;
    segment.created_utc_ns = scan->header().created_utc_ns;
    segment.unprocessed_segment = scan->header().unprocessed.segment;
    while (const auto record = count_days ? scan->next() : std::nullopt) {
      const bool begins =
          record->kind == layer::Kind::Event && (record->event == layer::EventType::TradingDay ||
                                                 record->event == layer::EventType::Reset);
      segment.days_begun += begins ? 1U : 0U;
    }
    in_use.push_back(std::move(segment));
  }
  return in_use;
}

/// Number of oldest segments that may be moved at most.
std::size_t movable(const std::vector<Segment>& segments) {
  if (segments.size() < 3) {
    return 0;
  }
  const std::uint32_t unprocessed = segments.back().unprocessed_segment;
  const std::size_t closed = segments.size() - 2;
  if (unprocessed == 0) {
    return closed;
  }
  const auto first_needed =
      std::find_if(segments.begin(), segments.end(),
                   [unprocessed](const Segment& segment) { return segment.number >= unprocessed; });
  return std::min(closed, static_cast<std::size_t>(first_needed - segments.begin()));
}

std::size_t chosen(const std::vector<Segment>& segments, const ArchiveOptions& options) {
  const std::size_t limit = movable(segments);
  std::size_t count = 0;
  if (options.closed_before_utc_ns) {
    // A segment was left when the next one was begun.
    while (count < limit && segments[count + 1].created_utc_ns < *options.closed_before_utc_ns) {
      ++count;
    }
  }
  if (options.keep_bytes) {
    std::uint64_t kept = 0;
    std::size_t first = segments.size();
    while (first > 0 && kept + segments[first - 1].bytes <= *options.keep_bytes) {
      kept += segments[--first].bytes;
    }
    count = std::max(count, std::min(limit, first));
  }
  if (options.keep_trading_days) {
    // The current day counts as one; the segment in which a kept day begins stays.
    std::uint32_t days = 0;
    std::size_t first = segments.size();
    while (first > 0 && days < *options.keep_trading_days) {
      days += segments[--first].days_begun;
    }
    count = std::max(count, days < *options.keep_trading_days ? 0 : std::min(limit, first));
  }
  return count;
}

std::string archive_path(const ArchiveOptions& options, const Segment& segment) {
  return (fs::path(options.archive) / fs::path(segment.path).filename()).string() +
         std::string(ending_of(options.packing));
}

std::expected<void, base::Error> check_whole(std::string_view bytes, const Segment& segment) {
  auto scan = layer::SegmentScan::open(bytes, segment.number, segment.path);
  if (!scan) {
    return std::unexpected(std::move(scan.error()));
  }
  while (scan->next()) {
  }
  if (scan->stop() == layer::ScanStop::Bad || scan->find_record_behind()) {
    return std::unexpected(
        base::Error{base::ErrorCode::Damaged,
                    "bad record at byte " + std::to_string(scan->offset()) + "; it is not archived",
                    segment.path, "J223"});
  }
  return {};
}

std::expected<ArchivedSegment, base::Error> move(const Segment& segment,
                                                 const ArchiveOptions& options) {
  ArchivedSegment moved{segment.number, segment.bytes, 0, archive_path(options, segment)};
  if (options.dry_run) {
    return moved;
  }
  const auto bytes = log::read_unpacked(segment.path, segment_bytes_max);
  if (!bytes) {
    return std::unexpected(bytes.error());
  }
  if (auto whole = check_whole(*bytes, segment); !whole) {
    return std::unexpected(std::move(whole.error()));
  }
  std::error_code error;
  if (fs::exists(moved.path, error)) {
    // An earlier run may have ended between copying and removal.
    const auto there = log::read_unpacked(moved.path, segment_bytes_max);
    if (!there || *there != *bytes) {
      return std::unexpected(base::Error{base::ErrorCode::AlreadyExists,
                                         "another segment of that number is there", moved.path,
                                         "J223"});
    }
  } else if (auto packed = write_packed(moved.path, *bytes, options.packing); !packed) {
    return std::unexpected(std::move(packed.error()));
  }
  const auto back = log::read_unpacked(moved.path, segment_bytes_max);
  if (!back || *back != *bytes) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "does not read back as it was written", moved.path, "J223"});
  }
  moved.packed_bytes = fs::file_size(moved.path, error);
  fs::remove(segment.path, error);
  if (error) {
    return std::unexpected(base::make_system_error("unlink", error.value(), segment.path));
  }
  return moved;
}

}  // namespace

std::expected<std::vector<ArchivedSegment>, base::Error> archive(const ArchiveOptions& options) {
  const auto segments = list(options.source, options.keep_trading_days.has_value());
  if (!segments) {
    return std::unexpected(segments.error());
  }
  const std::size_t count = chosen(*segments, options);
  if (count != 0 && !options.dry_run) {
    const int error_number = layer::make_directories(layer::system_disk(), options.archive);
    if (error_number != 0) {
      return std::unexpected(base::make_system_error("mkdir", error_number, options.archive));
    }
  }
  std::vector<ArchivedSegment> moved;
  for (std::size_t at = 0; at < count; ++at) {
    auto one = move((*segments)[at], options);
    if (!one) {
      return std::unexpected(std::move(one.error()));
    }
    moved.push_back(std::move(*one));
  }
  return moved;
}

}  // namespace affix::inline v0::tools::journal
