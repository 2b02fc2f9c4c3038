// SPDX-License-Identifier: MIT
// The protocol between nodes: frames and what they say. Encodes into the caller's memory, decodes
// in place, trusts nothing. docs/reference/replication-protocol.md describes it. Private to
// replication.
#pragma once

#include "affix/journal/format.hpp"
#include "affix/journal/record.hpp"
#include "affix/replication/node.hpp"
#include "affix/replication/reasons.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::replication {

// A frame, little endian, of a multiple of 8 bytes:
//
//      0  size     bytes of the whole frame, this header included
//      4  type     FrameType
//      6  spare    zero
//      8  payload

inline constexpr std::size_t frame_header_bytes = 8;

/// Smaller than the least receive buffer of a Standby, so that a whole frame is always delivered.
inline constexpr std::size_t frame_bytes_max = std::size_t{60} * 1024;

inline constexpr std::uint64_t hello_magic = 0x5045'5258'4946'4641;  // "AFFIXREP" in memory.
inline constexpr std::uint32_t protocol_version = 1;

/// Bytes of a record that one frame carries at most; a longer one has several RecordPart frames.
inline constexpr std::size_t record_part_bytes_max = frame_bytes_max - 64;

/// The longest record that is shipped: as long as the longest segment.
inline constexpr std::uint32_t shipped_record_bytes_max = std::uint32_t{1} << 30;

/// Positions that one Unprocessed frame carries at most.
inline constexpr std::size_t positions_per_frame = 4096;

enum class FrameType : std::uint16_t {
  // Beginning a connection.
  Hello = 1,
  Accepted = 2,
  Refused = 3,
  // A live connection: control.
  MayFetch = 4,
  Want = 5,
  Resume = 6,
  Begin = 7,
  Stored = 8,
  Beat = 9,
  Goodbye = 10,
  // A live connection: the stream, whose bytes are counted.
  Journal = 16,
  Unprocessed = 17,
  Gone = 18,
  Record = 19,
  RecordPart = 20,
  Segment = 21,
  Mark = 22,
  Reserve = 23,
  Pad = 24,
  // A history connection.
  Ask = 32,
  Answer = 33,
  Fetch = 34,
  Piece = 35,
};

/// One frame at the front of received bytes.
struct FrameView {
  enum class State : std::uint8_t {
    Whole,
    Short,  ///< More bytes are needed.
    Bad,    ///< It cannot be a frame: the connection must end.
  };

  State state = State::Short;
  FrameType type = FrameType::Pad;
  std::size_t size = 0;           ///< Bytes of the whole frame.
  std::string_view payload = {};  ///< Points into the received bytes.
};

[[nodiscard]] FrameView first_frame(std::string_view bytes) noexcept;

enum class Purpose : std::uint32_t { Live = 1, History = 2 };

struct Hello {
  std::uint32_t version = protocol_version;
  Purpose purpose = Purpose::Live;
  std::uint32_t worker = 0;
  std::uint32_t worker_count = 1;
  std::uint64_t epoch = 0;
  std::uint64_t stream = 0;  ///< Distinguishes the streams of Shippers; History: 0.
  std::string_view cluster = {};
  std::string_view from = {};
  std::string_view to = {};
  std::string_view group = {};

  friend bool operator==(const Hello&, const Hello&) = default;
};

struct Accepted {
  std::uint64_t epoch = 0;   ///< The lowest that is not refused.
  std::uint64_t stream = 0;  ///< The stream that the standby has a part of; 0: none.
  std::uint64_t place = 0;   ///< How much of it.

  friend bool operator==(const Accepted&, const Accepted&) = default;
};

struct Refused {
  Refusal reason = Refusal::None;
  std::uint64_t epoch = 0;

  friend bool operator==(const Refused&, const Refused&) = default;
};

struct Begin {
  std::uint64_t place = 0;
  std::uint32_t journals = 0;  ///< Journal frames that follow, before the stream.

  friend bool operator==(const Begin&, const Begin&) = default;
};

struct JournalBegin {
  std::uint32_t tap = 0;
  journal::Position at = {};
  std::uint64_t reserve = 0;
  std::uint32_t unprocessed = 0;  ///< Positions in the Unprocessed frames that follow.
  std::string_view identity = {};

  friend bool operator==(const JournalBegin&, const JournalBegin&) = default;
};

struct Unprocessed {
  std::uint32_t tap = 0;
  std::vector<journal::Position> positions = {};

  friend bool operator==(const Unprocessed&, const Unprocessed&) = default;
};

/// A record, or a part of one.
struct RecordFrame {
  std::uint32_t tap = 0;
  journal::Position at = {};
  std::uint32_t total = 0;   ///< Bytes of the whole record.
  std::uint32_t offset = 0;  ///< Of this part in it.
  std::string_view bytes = {};

  friend bool operator==(const RecordFrame&, const RecordFrame&) = default;
};

struct SegmentFrame {
  std::uint32_t tap = 0;
  journal::format::Header header = {};
};

struct MarkFrame {
  std::uint32_t tap = 0;
  journal::Position at = {};
  journal::format::Mark mark = journal::format::Mark::None;

  friend bool operator==(const MarkFrame&, const MarkFrame&) = default;
};

struct ReserveFrame {
  std::uint32_t tap = 0;
  std::uint64_t reserve = 0;

  friend bool operator==(const ReserveFrame&, const ReserveFrame&) = default;
};

struct HistoryAsk {
  std::uint64_t journal_id = 0;     ///< 0: there is no copy.
  std::uint64_t epoch = 0;          ///< The copy's last one.
  journal::Position epoch_at = {};  ///< Where its record is.
  journal::Position end = {};
  std::string_view identity = {};

  friend bool operator==(const HistoryAsk&, const HistoryAsk&) = default;
};

enum class HistoryAnswerKind : std::uint32_t {
  Keep = 1,     ///< The copy is a part of the journal, from its begin.
  Cut = 2,      ///< It is, up to a position.
  Anew = 3,     ///< It is not: plant a new one.
  NotHere = 4,  ///< There is no such journal.
  Failed = 5,   ///< The journal cannot be read.
};

struct HistoryAnswer {
  HistoryAnswerKind kind = HistoryAnswerKind::NotHere;
  journal::Position at = {};                           ///< Cut.
  std::optional<journal::format::Header> header = {};  ///< Anew.
};

struct Fetch {
  journal::Position at = {};
  std::uint32_t bytes_max = 0;
  std::string_view identity = {};

  friend bool operator==(const Fetch&, const Fetch&) = default;
};

enum class PieceState : std::uint32_t {
  Going = 0,  ///< The answer goes on in the next frame.
  More = 1,   ///< It is complete; there is more at `next`.
  AtEnd = 2,
  Gone = 3,
  Damaged = 4,
  Failed = 5,  ///< There is no such journal any more.
};

/// A part of the answer to a Fetch: the bytes of its parts are one after the other.
struct Piece {
  PieceState state = PieceState::AtEnd;
  journal::Position next = {};
  std::optional<journal::format::Header> header = {};  ///< Before the first bytes of a segment.
  std::string_view bytes = {};
};

// Appending frames to `out`. Names and texts are as long as their limits allow.

void put_hello(std::string& out, const Hello& hello);
void put_accepted(std::string& out, const Accepted& accepted);
void put_refused(std::string& out, const Refused& refused);
/// A frame without a payload: MayFetch, Want, Beat.
void put_plain(std::string& out, FrameType type);
/// A frame with one place: Resume, Stored.
void put_place(std::string& out, FrameType type, std::uint64_t place);
void put_begin(std::string& out, const Begin& begin);
void put_goodbye(std::string& out, Goodbye reason);
void put_journal(std::string& out, const JournalBegin& begin);
void put_unprocessed(std::string& out, std::uint32_t tap, const journal::Position* positions,
                     std::size_t count);
void put_ask(std::string& out, const HistoryAsk& ask);
void put_answer(std::string& out, const HistoryAnswer& answer);
void put_fetch(std::string& out, const Fetch& fetch);
void put_piece(std::string& out, const Piece& piece);

// Frames of the stream, written in place: `at` has room for the function's bytes.

inline constexpr std::size_t record_frame_header_bytes = 24;
inline constexpr std::size_t record_part_header_bytes = 32;
inline constexpr std::size_t gone_frame_bytes = 16;
inline constexpr std::size_t segment_frame_bytes = 16 + sizeof(journal::format::Header);
inline constexpr std::size_t mark_frame_bytes = 24;
inline constexpr std::size_t reserve_frame_bytes = 24;

/// `record` has a multiple of 8 bytes, record_part_bytes_max at most.
void write_record(char* at, std::uint32_t tap, journal::Position position,
                  std::string_view record) noexcept;
void write_record_part(char* at, const RecordFrame& part) noexcept;
void write_gone(char* at, std::uint32_t tap) noexcept;
void write_segment(char* at, std::uint32_t tap, const journal::format::Header& header) noexcept;
void write_mark(char* at, const MarkFrame& mark) noexcept;
void write_reserve(char* at, const ReserveFrame& reserve) noexcept;
/// `bytes` is a multiple of 8; only the header is written.
void write_pad(char* at, std::size_t bytes) noexcept;

// Reading payloads: nullopt if it is not exactly one. Views point into the payload.

[[nodiscard]] std::optional<Hello> read_hello(std::string_view payload) noexcept;
[[nodiscard]] std::optional<Accepted> read_accepted(std::string_view payload) noexcept;
[[nodiscard]] std::optional<Refused> read_refused(std::string_view payload) noexcept;
[[nodiscard]] std::optional<std::uint64_t> read_place(std::string_view payload) noexcept;
[[nodiscard]] std::optional<Begin> read_begin(std::string_view payload) noexcept;
[[nodiscard]] std::optional<Goodbye> read_goodbye(std::string_view payload) noexcept;
[[nodiscard]] std::optional<JournalBegin> read_journal(std::string_view payload) noexcept;
[[nodiscard]] std::optional<Unprocessed> read_unprocessed(std::string_view payload);
[[nodiscard]] std::optional<std::uint32_t> read_gone(std::string_view payload) noexcept;
[[nodiscard]] std::optional<RecordFrame> read_record(std::string_view payload) noexcept;
[[nodiscard]] std::optional<RecordFrame> read_record_part(std::string_view payload) noexcept;
[[nodiscard]] std::optional<SegmentFrame> read_segment(std::string_view payload) noexcept;
[[nodiscard]] std::optional<MarkFrame> read_mark(std::string_view payload) noexcept;
[[nodiscard]] std::optional<ReserveFrame> read_reserve(std::string_view payload) noexcept;
[[nodiscard]] std::optional<HistoryAsk> read_ask(std::string_view payload) noexcept;
[[nodiscard]] std::optional<HistoryAnswer> read_answer(std::string_view payload) noexcept;
[[nodiscard]] std::optional<Fetch> read_fetch(std::string_view payload) noexcept;
[[nodiscard]] std::optional<Piece> read_piece(std::string_view payload) noexcept;

}  // namespace affix::inline v0::replication
