// SPDX-License-Identifier: MIT
// States between two appends, in the order in which an append stores.
#include "journal/segment_end.hpp"

#include "affix/base/crc32c.hpp"

#include "journal/segment.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace affix::inline v0::journal {

namespace {

std::uint32_t word_at(const char* at) noexcept {
  std::uint32_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

constexpr std::size_t crc_offset = offsetof(format::RecordHeader, crc);
constexpr std::size_t covered_offset = offsetof(format::RecordHeader, kind);

struct Bytes {
  const char* base;
  std::size_t size;
  std::uint32_t number;
  bool marked;
};

// True if the bytes at `end` are those that a writer leaves after a record that ends there.
bool ends_at(const Bytes& bytes, std::size_t end, std::size_t used_end) noexcept {
  if (!bytes.marked) {
    return used_end <= end;
  }
  if (end + format::end_mark_bytes > bytes.size) {
    return false;
  }
  return word_at(bytes.base + end) == 0 &&
         word_at(bytes.base + end + crc_offset) ==
             format::end_mark(bytes.number, static_cast<std::uint32_t>(end)) &&
         used_end <= end + format::end_mark_bytes;
}

// Length that makes the CRC of the record at `offset` right, if the record is the last.
std::optional<std::uint32_t> uncommitted_length(const Bytes& bytes, std::size_t offset,
                                                std::size_t used_end) noexcept {
  const char* const at = bytes.base + offset;
  const std::size_t room = bytes.size - offset;
  if (room < format::record_bytes(0)) {
    return std::nullopt;
  }
  const std::uint32_t wanted = word_at(at + crc_offset);
  const auto kind = static_cast<std::uint8_t>(at[offsetof(format::RecordHeader, kind)]);
  const auto event = static_cast<std::uint8_t>(at[offsetof(format::RecordHeader, event)]);
  if (kind < static_cast<std::uint8_t>(Kind::Sent) ||
      kind > static_cast<std::uint8_t>(Kind::Event) ||
      event > static_cast<std::uint8_t>(EventType::Epoch)) {
    return std::nullopt;
  }
  std::size_t length = format::record_header_bytes;
  std::uint32_t crc =
      base::crc32c({at + covered_offset, length - covered_offset},
                   format::record_seed(bytes.number, static_cast<std::uint32_t>(offset)));
  // A message may end with zeros, as its mark and padding do: searches a little past the used part.
  const std::size_t longest = std::min(room - 1, used_end - offset + format::end_mark_bytes);
  for (;; ++length) {
    const std::size_t taken = format::record_bytes(length - format::record_header_bytes);
    if (crc == wanted && taken <= room && ends_at(bytes, offset + taken, used_end)) {
      return static_cast<std::uint32_t>(length);
    }
    if (length >= longest) {
      return std::nullopt;
    }
    crc = base::crc32c({at + length, 1}, crc);
  }
}

}  // namespace

SegmentEnd judge_segment_end(const char* base, std::size_t size, std::uint32_t number,
                             std::size_t offset, bool marked) noexcept {
  SegmentEnd end;
  end.used_end = used_end(base, std::min(offset, size), size);
  if (offset + format::end_mark_bytes > size) {
    return end;
  }
  const Bytes bytes{base, size, number, marked};
  const char* const at = base + offset;
  const std::uint32_t word = word_at(at + crc_offset);
  const std::uint32_t mark = format::end_mark(number, static_cast<std::uint32_t>(offset));
  if (word_at(at) != 0) {
    end.kind = EndKind::Bad;
  } else if (word == mark) {
    end.kind =
        end.used_end <= offset + format::end_mark_bytes ? EndKind::Clean : EndKind::Unfinished;
  } else if (const auto length =
                 word == 0 ? std::nullopt : uncommitted_length(bytes, offset, end.used_end)) {
    end.kind = EndKind::Uncommitted;
    end.length = *length;
  } else if (word != 0) {
    end.kind = EndKind::Bad;
  } else if (marked) {
    end.kind = EndKind::Unmarked;
  } else {
    end.kind = end.used_end <= offset ? EndKind::Clean : EndKind::Unfinished;
  }
  return end;
}

}  // namespace affix::inline v0::journal
