// SPDX-License-Identifier: MIT
// Layout of a journal segment file, version 1, for the writer, the readers and the tests;
// docs/reference/journal-format.md describes it in words. Numbers are in the byte order of the
// writer, which the header names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal::format {

// A segment file:
//
//      0  Header       identity of the file and the checkpoint; written once, magic last
//    512  State        one of two slots, overwritten alternately, never by an append
//   1024  State        the other
//   1536  Left         stored when the writer has continued in the next segment
//   2048  SparseIndex  positions of some sent records; a hint, checked when used
//   4096  records      consecutive, each at a multiple of 8; after the last the end mark,
//                      then zero bytes

inline constexpr std::uint64_t magic =
    0x4C4E4A5849464641;  // "AFFIXJNL" in little endian byte order.
inline constexpr std::uint32_t byte_order_mark = 0x01020304;
inline constexpr std::uint16_t version = 1;

inline constexpr std::size_t state_offset[2] = {512, 1024};
inline constexpr std::size_t left_offset = 1536;  ///< Offset of Left.
inline constexpr std::size_t index_offset = 2048;
inline constexpr std::size_t records_offset = 4096;
inline constexpr std::size_t alignment = 8;
inline constexpr std::size_t identity_bytes_max = 380;

/// Header::flags: the journal keeps numbers without messages.
inline constexpr std::uint32_t flag_numbers_only = 1;

/// Header::flags: an end mark follows the records, and Left is set when the writer leaves the
/// segment. Segments of earlier builds have neither; they end at the first uncommitted record.
inline constexpr std::uint32_t flag_marked = 2;

struct Header {
  std::uint64_t
      magic;  ///< Zero until the segment is begun; stored last, so it commits everything before it.
  std::uint32_t byte_order;
  std::uint16_t version;
  std::uint16_t reserved0;
  std::uint32_t records_offset;
  std::uint32_t crc;  ///< CRC32C of bytes 8 to 511 with this field zero.
  std::uint64_t segment_bytes;
  std::uint32_t segment_number;  ///< Equal to the number in the file's name.
  std::uint32_t flags;
  std::int64_t created_utc_ns;
  std::uint64_t next_outgoing;  ///< Both numbers at the begin of the segment.
  std::uint64_t next_expected;
  std::uint64_t barrier;      ///< Position of the last event that limits resends: none reaches back
                              ///< past it; 0: none.
  std::uint64_t unprocessed;  ///< Position of the oldest unprocessed received record, 0 for none.
  std::uint32_t
      previous_end;  ///< Offset of the end of the records in the previous segment; 0 in the first.
  std::uint32_t unsent;        ///< RecordHeader::unsent at the begin of the segment.
  std::uint64_t journal_id;    ///< Random, equal in all segments of one journal.
  std::uint64_t last_queued;   ///< Number of the last of those messages; 0: there are none.
  std::uint64_t epoch;         ///< Greatest epoch of the records before the segment; 0: none.
  std::uint64_t epoch_record;  ///< Position of its record, 0 for none.
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
static_assert(offsetof(Header, unsent) == 84);
static_assert(offsetof(Header, journal_id) == 88);
static_assert(offsetof(Header, last_queued) == 96);
static_assert(offsetof(Header, epoch) == 104);
static_assert(offsetof(Header, epoch_record) == 112);
static_assert(offsetof(Header, identity_bytes) == 124);
static_assert(offsetof(Header, identity) == 128);
static_assert(sizeof(Header) == 512);

inline constexpr std::size_t header_bytes = sizeof(Header);

/// State that changes without an append. The newer of two slots is valid (the greater generation
/// with a correct CRC); a crash during a write leaves the other slot. Each slot is in a separate
/// disk sector.
struct State {
  std::uint64_t generation;
  std::uint8_t boot_id[16];      ///< Boot id of the machine when the writer opened the journal.
  std::uint64_t durable_offset;  ///< Records before it in this segment are on the disk, and so is
                                 ///< everything sent before they were marked as Mark::Ordered.
  std::uint64_t reserved_outgoing;  ///< Outgoing numbers from here on have not been used.
  std::uint32_t clean;              ///< 1: closed, and nothing appended since.
  std::uint32_t end_offset;         ///< End of the records, if clean.
  std::uint32_t flags;
  std::uint32_t crc;  ///< CRC32C of the bytes before it.
};

/// State::flags: every record was on the disk before the peer could see it, so records missing
/// after a power loss or kill were never visible.
inline constexpr std::uint32_t state_flag_synced = 1;

/// State::flags: records were lost, and the event that moves the outgoing number to the reserve is
/// still to be appended.
inline constexpr std::uint32_t state_flag_numbers_lost = 2;

static_assert(offsetof(State, boot_id) == 8);
static_assert(offsetof(State, durable_offset) == 24);
static_assert(offsetof(State, reserved_outgoing) == 32);
static_assert(offsetof(State, clean) == 40);
static_assert(offsetof(State, end_offset) == 44);
static_assert(offsetof(State, flags) == 48);
static_assert(offsetof(State, crc) == 52);
static_assert(sizeof(State) == 56);

/// End of the records in a segment that has a successor; zero until then. Written by one store of
/// eight bytes, hence atomic.
struct Left {
  std::uint32_t end;    ///< Offset after the last record.
  std::uint32_t check;  ///< left_check() of `end`.
};

static_assert(sizeof(Left) == 8);

/// One sent record per 1/254 of the segment, about; ascending in both fields.
struct IndexEntry {
  std::uint32_t sequence_delta;  ///< Its sequence number minus SparseIndex::base_sequence.
  std::uint32_t offset;
};

struct SparseIndex {
  static constexpr std::size_t capacity = 254;

  std::uint64_t base_sequence;
  std::uint32_t count;   ///< Entries in use; set to zero by a barrier.
  std::uint32_t stride;  ///< Minimum bytes between entries.
  IndexEntry entries[capacity];
};

static_assert(sizeof(SparseIndex) == records_offset - index_offset);

/// Processed mark of a received record.
enum class Mark : std::uint8_t {
  None,     ///< The application has not processed it.
  Final,    ///< Processed, or not meant for the application.
  Ordered,  ///< Processed. After a power loss it is valid only before State::durable_offset, and in
            ///< segments that are completely on the disk.
  Late,     ///< Processed. Invalid after a power loss.
};

/// A record: this header, `length - 40` bytes of message, then one byte, the processed mark, which
/// no CRC covers. The next record begins at the next multiple of 8 after the mark.
struct RecordHeader {
  std::uint32_t length;  ///< Bytes of header and message. Stored last: not zero means committed.
  std::uint32_t crc;     ///< CRC32C of bytes 8 to length - 1, seeded with record_seed().
  std::uint8_t kind;
  std::uint8_t event;
  std::uint16_t flags;
  /// Number of messages that were queued while the session was not active, and that no resend has
  /// reached. In a sent record not 0 only if its message was queued, which it includes; in a resent
  /// record and an event, the number after it; otherwise 0.
  std::uint32_t unsent;
  std::int64_t utc_ns;
  std::uint64_t sequence;
  std::uint64_t number_after;
};

static_assert(offsetof(RecordHeader, crc) == 4);
static_assert(offsetof(RecordHeader, kind) == 8);
static_assert(offsetof(RecordHeader, event) == 9);
static_assert(offsetof(RecordHeader, flags) == 10);
static_assert(offsetof(RecordHeader, unsent) == 12);
static_assert(offsetof(RecordHeader, utc_ns) == 16);
static_assert(offsetof(RecordHeader, sequence) == 24);
static_assert(offsetof(RecordHeader, number_after) == 32);
static_assert(sizeof(RecordHeader) == 40);

inline constexpr std::size_t record_header_bytes = sizeof(RecordHeader);

/// RecordHeader::flags: the message is omitted, only its numbers are stored.
inline constexpr std::uint16_t record_message_omitted = 1;

/// Size of a record with `message_bytes` of message, including mark and padding.
[[nodiscard]] constexpr std::size_t record_bytes(std::size_t message_bytes) noexcept {
  return (record_header_bytes + message_bytes + 1 + (alignment - 1)) & ~(alignment - 1);
}

/// Seed of a record's CRC, so that a record is valid only in its own place.
[[nodiscard]] constexpr std::uint32_t record_seed(std::uint32_t segment_number,
                                                  std::uint32_t offset) noexcept {
  return segment_number * 0x9E3779B1U + offset;
}

/// After the last record: a length of zero, and, in place of the next record's CRC, this word,
/// which is never zero. It is stored with the record before it, so zeros are not an end.
inline constexpr std::size_t end_mark_bytes = 8;

/// The end mark after a record that ends at `offset`.
[[nodiscard]] constexpr std::uint32_t end_mark(std::uint32_t segment_number,
                                               std::uint32_t offset) noexcept {
  return (record_seed(segment_number, offset) ^ 0x5A0F3CE1U) | 1U;
}

/// The value of Left::check for records that end at `end`; it differs between segments.
[[nodiscard]] constexpr std::uint32_t left_check(std::uint32_t segment_number,
                                                 std::uint32_t end) noexcept {
  return (record_seed(segment_number, end) ^ 0xC3961B47U) | 1U;
}

}  // namespace affix::inline v0::journal::format
