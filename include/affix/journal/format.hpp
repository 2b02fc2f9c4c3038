// SPDX-License-Identifier: MIT
// The bytes of a journal segment file, version 1. Written here once for the writer, the readers and
// the tests; docs/reference/journal-format.md says the same in words. All numbers are in the
// writer's byte order, which the header names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal::format {

// A segment file:
//
//      0  Header       what the file is and the checkpoint; written once, magic last
//    512  State        one of two slots, written in turn by whoever does not append
//   1024  State        the other
//   1536  Left         stored when the writer has gone on in the next segment
//   2048  SparseIndex  where some of the sent records are; a hint, checked when used
//   4096  records      one after another, each at a multiple of 8; behind the last the end mark,
//                      then zero bytes

inline constexpr std::uint64_t magic =
    0x4C4E4A5849464641;  // "AFFIXJNL" in little endian byte order.
inline constexpr std::uint32_t byte_order_mark = 0x01020304;
inline constexpr std::uint16_t version = 1;

inline constexpr std::size_t state_offset[2] = {512, 1024};
inline constexpr std::size_t left_offset = 1536;  ///< Of Left.
inline constexpr std::size_t index_offset = 2048;
inline constexpr std::size_t records_offset = 4096;
inline constexpr std::size_t alignment = 8;
inline constexpr std::size_t identity_bytes_max = 380;

/// Header::flags: the journal keeps numbers, not messages.
inline constexpr std::uint32_t flag_numbers_only = 1;

/// Header::flags: the end of the records is marked, and the segment says when it was left. Segments
/// of earlier builds have neither, and where they end is where nothing is committed.
inline constexpr std::uint32_t flag_marked = 2;

struct Header {
  std::uint64_t
      magic;  ///< Zero until the segment is begun; stored last, so it commits all before it.
  std::uint32_t byte_order;
  std::uint16_t version;
  std::uint16_t reserved0;
  std::uint32_t records_offset;
  std::uint32_t crc;  ///< CRC32C of bytes 8 to 511 with this field zero.
  std::uint64_t segment_bytes;
  std::uint32_t segment_number;  ///< The file's name says the same.
  std::uint32_t flags;
  std::int64_t created_utc_ns;
  std::uint64_t next_outgoing;  ///< Both numbers as they were when the segment was begun.
  std::uint64_t next_expected;
  std::uint64_t
      barrier;  ///< Position of the last event that no resend reaches back past, 0 for none.
  std::uint64_t unprocessed;  ///< Position of the oldest unprocessed received record, 0 for none.
  std::uint32_t
      previous_end;  ///< Where the records of the segment before this end; 0 in the first.
  std::uint32_t reserved1;
  std::uint64_t journal_id;  ///< Random, the same in all segments of one journal.
  std::uint64_t reserved2[3];
  std::uint32_t reserved3;
  std::uint32_t identity_bytes;
  char identity[identity_bytes_max];
  std::uint32_t reserved4;
};

static_assert(offsetof(Header, byte_order) == 8);
static_assert(offsetof(Header, version) == 12);
static_assert(offsetof(Header, records_offset) == 16);
static_assert(offsetof(Header, crc) == 20);
static_assert(offsetof(Header, segment_bytes) == 24);
static_assert(offsetof(Header, segment_number) == 32);
static_assert(offsetof(Header, flags) == 36);
static_assert(offsetof(Header, created_utc_ns) == 40);
static_assert(offsetof(Header, next_outgoing) == 48);
static_assert(offsetof(Header, next_expected) == 56);
static_assert(offsetof(Header, barrier) == 64);
static_assert(offsetof(Header, unprocessed) == 72);
static_assert(offsetof(Header, previous_end) == 80);
static_assert(offsetof(Header, journal_id) == 88);
static_assert(offsetof(Header, identity_bytes) == 124);
static_assert(offsetof(Header, identity) == 128);
static_assert(sizeof(Header) == 512);

inline constexpr std::size_t header_bytes = sizeof(Header);

/// What changes without an append: the newer of two slots counts (the greater generation with a
/// right CRC), and a slot being overwritten when the process dies leaves the other. Each lies in a
/// disk sector of its own.
struct State {
  std::uint64_t generation;
  std::uint8_t boot_id[16];  ///< The boot of the machine in which the writer opened the journal.
  std::uint64_t durable_offset;  ///< Records of this segment before it are known to be on the disk,
                                 ///< and what was sent before those were marked as Mark::Ordered.
  std::uint64_t reserved_outgoing;  ///< No outgoing number at or above it has been used.
  std::uint32_t clean;              ///< 1: closed, nothing was appended after.
  std::uint32_t end_offset;         ///< Where the records end, when clean.
  std::uint32_t flags;
  std::uint32_t crc;  ///< CRC32C of the bytes before it.
};

/// State::flags: nobody was told of a record before it was on the disk, so a record that is missing
/// after a power loss, or a kill, was seen by nobody.
inline constexpr std::uint32_t state_flag_synced = 1;

/// State::flags: records were lost, and the event that moves the outgoing number to the reserve is
/// not appended yet.
inline constexpr std::uint32_t state_flag_numbers_lost = 2;

static_assert(offsetof(State, boot_id) == 8);
static_assert(offsetof(State, durable_offset) == 24);
static_assert(offsetof(State, reserved_outgoing) == 32);
static_assert(offsetof(State, clean) == 40);
static_assert(offsetof(State, end_offset) == 44);
static_assert(offsetof(State, flags) == 48);
static_assert(offsetof(State, crc) == 52);
static_assert(sizeof(State) == 56);

/// Where the records of a segment end that another one follows; zero until it has been begun. One
/// store of eight bytes, so it is there or not.
struct Left {
  std::uint32_t end;    ///< The offset behind the last record.
  std::uint32_t check;  ///< left_check() of it.
};

static_assert(sizeof(Left) == 8);

/// One sent record in about every 1/254 of the segment, ascending both ways.
struct IndexEntry {
  std::uint32_t sequence_delta;  ///< Its sequence number less SparseIndex::base_sequence.
  std::uint32_t offset;
};

struct SparseIndex {
  static constexpr std::size_t capacity = 254;

  std::uint64_t base_sequence;
  std::uint32_t count;   ///< Entries in use; back to zero at a barrier.
  std::uint32_t stride;  ///< Bytes between entries, at least.
  IndexEntry entries[capacity];
};

static_assert(sizeof(SparseIndex) == records_offset - index_offset);

/// What the processed mark of a received record says.
enum class Mark : std::uint8_t {
  None,     ///< The application has not dealt with it.
  Final,    ///< It has, or was never to be handed the message.
  Ordered,  ///< It has. After a power loss this counts before State::durable_offset only, and in
            ///< segments that are on the disk as a whole.
  Late,     ///< It has. After a power loss this does not count.
};

/// A record: this header, `length - 40` bytes of message, then one byte, the processed mark, which
/// no CRC covers. The next record begins at the next multiple of 8 behind the mark.
struct RecordHeader {
  std::uint32_t length;  ///< Bytes of header and message. Stored last: not zero means committed.
  std::uint32_t crc;     ///< CRC32C of bytes 8 to length - 1, continued from record_seed().
  std::uint8_t kind;
  std::uint8_t event;
  std::uint16_t flags;
  std::uint32_t reserved;
  std::int64_t utc_ns;
  std::uint64_t sequence;
  std::uint64_t number_after;
};

static_assert(offsetof(RecordHeader, crc) == 4);
static_assert(offsetof(RecordHeader, kind) == 8);
static_assert(offsetof(RecordHeader, event) == 9);
static_assert(offsetof(RecordHeader, flags) == 10);
static_assert(offsetof(RecordHeader, utc_ns) == 16);
static_assert(offsetof(RecordHeader, sequence) == 24);
static_assert(offsetof(RecordHeader, number_after) == 32);
static_assert(sizeof(RecordHeader) == 40);

inline constexpr std::size_t record_header_bytes = sizeof(RecordHeader);

/// RecordHeader::flags: the message was left out, only its numbers are kept.
inline constexpr std::uint16_t record_message_omitted = 1;

/// Bytes that a record with `message_bytes` of message takes up, mark and padding included.
[[nodiscard]] constexpr std::size_t record_bytes(std::size_t message_bytes) noexcept {
  return (record_header_bytes + message_bytes + 1 + (alignment - 1)) & ~(alignment - 1);
}

/// What a record's CRC continues from, so that a record is right in its own place only.
[[nodiscard]] constexpr std::uint32_t record_seed(std::uint32_t segment_number,
                                                  std::uint32_t offset) noexcept {
  return segment_number * 0x9E3779B1U + offset;
}

/// Behind the last record: a length of zero, and where the CRC of the next record will be, this
/// word, which is never zero. It is stored with the record before it, so zeros there are no end.
inline constexpr std::size_t end_mark_bytes = 8;

/// That word, behind a record which ends at `offset`.
[[nodiscard]] constexpr std::uint32_t end_mark(std::uint32_t segment_number,
                                               std::uint32_t offset) noexcept {
  return (record_seed(segment_number, offset) ^ 0x5A0F3CE1U) | 1U;
}

/// What Left::check is for records that end at `end`: another segment's does not pass for it.
[[nodiscard]] constexpr std::uint32_t left_check(std::uint32_t segment_number,
                                                 std::uint32_t end) noexcept {
  return (record_seed(segment_number, end) ^ 0xC3961B47U) | 1U;
}

}  // namespace affix::inline v0::journal::format
