// SPDX-License-Identifier: MIT
// Writes bytes where a writer would have stored them.
#include "journal/mended_segment.hpp"

#include "affix/base/crc32c.hpp"
#include "affix/journal/record.hpp"
#include "affix/os/read_file.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

using Result = std::expected<void, base::Error>;

constexpr int kept_files_max = 1'000;

}  // namespace

MendedSegment::MendedSegment(std::uint32_t segment_number, std::string segment_path)
    : number(segment_number), path(std::move(segment_path)) {
  report.number = number;
}

Result MendedSegment::read() {
  auto content = os::read_file(path, SIZE_MAX);
  gone = !content && content.error().code == base::ErrorCode::NotFound;
  if (!content && !gone) {
    return std::unexpected(content.error());
  }
  bytes = gone ? std::string() : std::move(*content);
  return {};
}

void MendedSegment::lose(std::string text, base::MessageCode code) {
  report.losses.push_back(std::move(text) + base::Error::suffix_of(code));
  changed = true;
}

void MendedSegment::put_header(format::Header header) {
  bytes.resize(std::max<std::size_t>(bytes.size(), header.segment_bytes), '\0');
  header.segment_bytes = bytes.size();
  header.magic = format::magic;
  header.byte_order = format::byte_order_mark;
  header.version = format::version;
  header.records_offset = format::records_offset;
  header.segment_number = number;
  header.crc = header_crc(header);
  std::memcpy(bytes.data(), &header, sizeof(header));
  changed = true;
}

void MendedSegment::put_event(std::uint32_t offset, std::uint32_t size, std::uint64_t next_outgoing,
                              std::uint64_t next_expected, std::uint32_t unsent,
                              std::int64_t utc_ns, std::string text) {
  char* const at = bytes.data() + offset;
  text.resize(size - format::record_header_bytes - 1, ' ');
  format::RecordHeader header{};
  header.length = static_cast<std::uint32_t>(format::record_header_bytes + text.size());
  header.kind = static_cast<std::uint8_t>(Kind::Event);
  header.event = static_cast<std::uint8_t>(EventType::NumbersSet);
  header.unsent = unsent;
  header.utc_ns = utc_ns;
  header.sequence = next_outgoing;
  header.number_after = next_expected;
  std::memset(at, 0, size);
  std::memcpy(at, &header, sizeof(header));
  std::memcpy(at + sizeof(header), text.data(), text.size());
  at[header.length] = 1;
  constexpr std::size_t covered = offsetof(format::RecordHeader, kind);
  header.crc =
      base::crc32c({at + covered, header.length - covered}, format::record_seed(number, offset));
  std::memcpy(at, &header, sizeof(header));
  changed = true;
}

void MendedSegment::put_state(format::State state) {
  const auto before = newest_state(bytes.data());
  state.generation = before ? before->generation + 1 : 1;
  state.flags = 0;
  state.crc = state_crc(state);
  std::memcpy(bytes.data() + format::state_offset[state.generation % 2], &state, sizeof(state));
  changed = true;
}

void MendedSegment::end_at(std::uint32_t end) {
  std::memset(bytes.data() + end, 0, bytes.size() - end);
  if (end + format::end_mark_bytes <= bytes.size()) {
    const std::uint32_t mark = format::end_mark(number, end);
    std::memcpy(bytes.data() + end + offsetof(format::RecordHeader, crc), &mark, sizeof(mark));
  }
  if (left_of(bytes.data(), number)) {
    const format::Left left{end, format::left_check(number, end)};
    std::memcpy(bytes.data() + format::left_offset, &left, sizeof(left));
  }
  changed = true;
}

void MendedSegment::clear_left() {
  std::memset(bytes.data() + format::left_offset, 0, sizeof(format::Left));
  changed = true;
}

void MendedSegment::forget_index_entries(std::uint32_t from, std::uint32_t to) {
  format::SparseIndex index;
  char* const at = bytes.data() + format::index_offset;
  std::memcpy(&index, at, sizeof(index));
  format::IndexEntry* const begin = index.entries;
  format::IndexEntry* const end =
      begin + std::min<std::size_t>(index.count, format::SparseIndex::capacity);
  const auto* const kept = std::remove_if(begin, end, [from, to](const format::IndexEntry& entry) {
    return entry.offset >= from && entry.offset < to;
  });
  index.count = static_cast<std::uint32_t>(kept - begin);
  std::memcpy(at, &index, sizeof(index));
}

Result MendedSegment::write() {
  const std::string fresh = path + ".repaired";
  if (Result written = write_file(fresh, bytes); !written) {
    unlink(fresh.c_str());
    return written;
  }
  // The old file gets a second name before the new one takes its first: a segment of that name
  // exists at every moment.
  std::string kept = path + ".damaged";
  for (int again = 2; !gone && link(path.c_str(), kept.c_str()) != 0; ++again) {
    if (errno != EEXIST || again > kept_files_max) {
      return std::unexpected(base::make_system_error("link", errno, kept));
    }
    kept = path + ".damaged-" + std::to_string(again);
  }
  if (rename(fresh.c_str(), path.c_str()) != 0) {
    return std::unexpected(base::make_system_error("rename", errno, path));
  }
  report.kept_as = gone ? std::string() : std::move(kept);
  return {};
}

}  // namespace affix::inline v0::journal
