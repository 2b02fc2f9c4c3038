// SPDX-License-Identifier: MIT
// Encoding and decoding of frames. Numbers are little endian on the wire; headers and records of
// journals are in the byte order of their writer, which the header names.
#include "replication/frame.hpp"

#include "affix/base/assert.hpp"

#include <bit>
#include <cstring>

namespace affix::inline v0::replication {

namespace {

constexpr std::size_t padded(std::size_t bytes) noexcept {
  return (bytes + 7) & ~std::size_t{7};
}

template <typename T>
T in_wire_order(T value) noexcept {
  return std::endian::native == std::endian::little ? value : std::byteswap(value);
}

/// Writes numbers one after the other.
class FieldWriter {
 public:
  explicit FieldWriter(char* at) noexcept : at_(at) {}

  FieldWriter& u16(std::uint16_t value) noexcept { return number(value); }

  FieldWriter& u32(std::uint32_t value) noexcept { return number(value); }

  FieldWriter& u64(std::uint64_t value) noexcept { return number(value); }

  FieldWriter& position(journal::Position value) noexcept {
    return u32(value.segment).u32(value.offset);
  }

  FieldWriter& header(std::size_t frame_bytes, FrameType type) noexcept {
    return u32(static_cast<std::uint32_t>(frame_bytes))
        .u16(static_cast<std::uint16_t>(type))
        .u16(0);
  }

  FieldWriter& raw(const void* bytes, std::size_t size) noexcept {
    if (size != 0) {
      std::memcpy(at_, bytes, size);
    }
    at_ += size;
    return *this;
  }

  FieldWriter& raw(std::string_view bytes) noexcept { return raw(bytes.data(), bytes.size()); }

 private:
  template <typename T>
  FieldWriter& number(T value) noexcept {
    const T wire = in_wire_order(value);
    std::memcpy(at_, &wire, sizeof wire);
    at_ += sizeof wire;
    return *this;
  }

  char* at_;
};

/// Reads numbers one after the other; after the end everything is zero, and ended() is false.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) noexcept : rest_(bytes) {}

  std::uint32_t u32() noexcept { return number<std::uint32_t>(); }

  std::uint64_t u64() noexcept { return number<std::uint64_t>(); }

  journal::Position position() noexcept {
    const std::uint32_t segment = u32();
    return {segment, u32()};
  }

  std::string_view raw(std::size_t size) noexcept {
    if (size > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest() noexcept { return raw(rest_.size()); }

  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }

  [[nodiscard]] bool failed() const noexcept { return failed_; }

  /// True if everything was read, but for padding to a multiple of 8.
  [[nodiscard]] bool ended() const noexcept {
    return !failed_ && rest_.size() < 8 && rest_.find_first_not_of('\0') == std::string_view::npos;
  }

 private:
  template <typename T>
  T number() noexcept {
    T wire{};
    const std::string_view bytes = raw(sizeof wire);
    if (!bytes.empty()) {
      std::memcpy(&wire, bytes.data(), sizeof wire);
    }
    return in_wire_order(wire);
  }

  std::string_view rest_;
  bool failed_ = false;
};

/// Appends a frame of `payload` bytes and padding, and returns the writer of its payload.
FieldWriter append_frame(std::string& out, FrameType type, std::size_t payload) {
  const std::size_t bytes = frame_header_bytes + padded(payload);
  AFFIX_ASSERT(bytes <= frame_bytes_max);
  const std::size_t begin = out.size();
  out.resize(begin + bytes);
  FieldWriter writer(out.data() + begin);
  writer.header(bytes, type);
  return writer;
}

std::optional<journal::format::Header> header_of(std::string_view bytes) noexcept {
  if (bytes.size() != sizeof(journal::format::Header)) {
    return std::nullopt;
  }
  journal::format::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

constexpr std::size_t identity_max = journal::format::identity_bytes_max;

}  // namespace

FrameView first_frame(std::string_view bytes) noexcept {
  FrameView frame;
  if (bytes.size() < frame_header_bytes) {
    return frame;
  }
  std::uint32_t size = 0;
  std::uint16_t type = 0;
  std::uint16_t spare = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  std::memcpy(&type, bytes.data() + 4, sizeof type);
  std::memcpy(&spare, bytes.data() + 6, sizeof spare);
  size = in_wire_order(size);
  if (size < frame_header_bytes || size > frame_bytes_max || size % 8 != 0 || spare != 0) {
    frame.state = FrameView::State::Bad;
    return frame;
  }
  if (bytes.size() < size) {
    return frame;
  }
  frame.state = FrameView::State::Whole;
  frame.type = static_cast<FrameType>(in_wire_order(type));
  frame.size = size;
  frame.payload = bytes.substr(frame_header_bytes, size - frame_header_bytes);
  return frame;
}

// --- Beginning ---

void put_hello(std::string& out, const Hello& hello) {
  const std::string_view names[] = {hello.cluster, hello.from, hello.to, hello.group};
  std::size_t names_bytes = 0;
  for (const std::string_view name : names) {
    AFFIX_ASSERT(name.size() <= name_bytes_max);
    names_bytes += name.size();
  }
  FieldWriter writer = append_frame(out, FrameType::Hello, 56 + names_bytes);
  writer.u64(hello_magic)
      .u32(hello.version)
      .u32(static_cast<std::uint32_t>(hello.purpose))
      .u32(hello.worker)
      .u32(hello.worker_count)
      .u64(hello.epoch)
      .u64(hello.stream);
  for (const std::string_view name : names) {
    writer.u32(static_cast<std::uint32_t>(name.size()));
  }
  for (const std::string_view name : names) {
    writer.raw(name);
  }
}

std::optional<Hello> read_hello(std::string_view payload) noexcept {
  FieldReader reader(payload);
  Hello hello;
  const std::uint64_t magic = reader.u64();
  hello.version = reader.u32();
  hello.purpose = static_cast<Purpose>(reader.u32());
  hello.worker = reader.u32();
  hello.worker_count = reader.u32();
  hello.epoch = reader.u64();
  hello.stream = reader.u64();
  std::uint32_t sizes[4];
  for (std::uint32_t& size : sizes) {
    size = reader.u32();
    if (size > name_bytes_max) {
      return std::nullopt;
    }
  }
  std::string_view* const names[] = {&hello.cluster, &hello.from, &hello.to, &hello.group};
  for (std::size_t at = 0; at < 4; ++at) {
    *names[at] = reader.raw(sizes[at]);
  }
  const bool known = hello.purpose == Purpose::Live || hello.purpose == Purpose::History;
  if (!reader.ended() || magic != hello_magic || !known) {
    return std::nullopt;
  }
  return hello;
}

void put_accepted(std::string& out, const Accepted& accepted) {
  append_frame(out, FrameType::Accepted, 24)
      .u64(accepted.epoch)
      .u64(accepted.stream)
      .u64(accepted.place);
}

std::optional<Accepted> read_accepted(std::string_view payload) noexcept {
  FieldReader reader(payload);
  Accepted accepted;
  accepted.epoch = reader.u64();
  accepted.stream = reader.u64();
  accepted.place = reader.u64();
  return reader.ended() ? std::optional(accepted) : std::nullopt;
}

void put_refused(std::string& out, const Refused& refused) {
  append_frame(out, FrameType::Refused, 16)
      .u32(static_cast<std::uint32_t>(refused.reason))
      .u32(0)
      .u64(refused.epoch);
}

std::optional<Refused> read_refused(std::string_view payload) noexcept {
  FieldReader reader(payload);
  const std::uint32_t reason = reader.u32();
  static_cast<void>(reader.u32());
  const std::uint64_t epoch = reader.u64();
  if (!reader.ended() || reason == 0 || reason > static_cast<std::uint32_t>(Refusal::NotNow)) {
    return std::nullopt;
  }
  return Refused{static_cast<Refusal>(reason), epoch};
}

// --- Control of a live connection ---

void put_plain(std::string& out, FrameType type) {
  static_cast<void>(append_frame(out, type, 0));
}

void put_place(std::string& out, FrameType type, std::uint64_t place) {
  append_frame(out, type, 8).u64(place);
}

std::optional<std::uint64_t> read_place(std::string_view payload) noexcept {
  FieldReader reader(payload);
  const std::uint64_t place = reader.u64();
  return reader.ended() ? std::optional(place) : std::nullopt;
}

void put_begin(std::string& out, const Begin& begin) {
  append_frame(out, FrameType::Begin, 16).u64(begin.place).u32(begin.journals).u32(0);
}

std::optional<Begin> read_begin(std::string_view payload) noexcept {
  FieldReader reader(payload);
  Begin begin;
  begin.place = reader.u64();
  begin.journals = reader.u32();
  static_cast<void>(reader.u32());
  return reader.ended() ? std::optional(begin) : std::nullopt;
}

void put_goodbye(std::string& out, Goodbye reason) {
  append_frame(out, FrameType::Goodbye, 8).u32(static_cast<std::uint32_t>(reason)).u32(0);
}

std::optional<Goodbye> read_goodbye(std::string_view payload) noexcept {
  FieldReader reader(payload);
  const std::uint32_t reason = reader.u32();
  static_cast<void>(reader.u32());
  if (!reader.ended() || reason == 0 || reason > static_cast<std::uint32_t>(Goodbye::Diverged)) {
    return std::nullopt;
  }
  return static_cast<Goodbye>(reason);
}

// --- The stream ---

void put_journal(std::string& out, const JournalBegin& begin) {
  AFFIX_ASSERT(begin.identity.size() <= identity_max);
  append_frame(out, FrameType::Journal, 32 + begin.identity.size())
      .u32(begin.tap)
      .position(begin.at)
      .u32(begin.unprocessed)
      .u64(begin.reserve)
      .u32(static_cast<std::uint32_t>(begin.identity.size()))
      .u32(0)
      .raw(begin.identity);
}

std::optional<JournalBegin> read_journal(std::string_view payload) noexcept {
  FieldReader reader(payload);
  JournalBegin begin;
  begin.tap = reader.u32();
  begin.at = reader.position();
  begin.unprocessed = reader.u32();
  begin.reserve = reader.u64();
  const std::uint32_t identity_bytes = reader.u32();
  static_cast<void>(reader.u32());
  if (identity_bytes > identity_max) {
    return std::nullopt;
  }
  begin.identity = reader.raw(identity_bytes);
  return reader.ended() && begin.at.valid() ? std::optional(begin) : std::nullopt;
}

void put_unprocessed(std::string& out, std::uint32_t tap, const journal::Position* positions,
                     std::size_t count) {
  FieldWriter writer = append_frame(out, FrameType::Unprocessed, 8 + 8 * count);
  writer.u32(tap).u32(static_cast<std::uint32_t>(count));
  for (std::size_t at = 0; at < count; ++at) {
    writer.position(positions[at]);
  }
}

std::optional<Unprocessed> read_unprocessed(std::string_view payload) {
  FieldReader reader(payload);
  Unprocessed unprocessed;
  unprocessed.tap = reader.u32();
  const std::uint32_t count = reader.u32();
  if (reader.failed() || count > positions_per_frame || reader.left() != std::size_t{8} * count) {
    return std::nullopt;
  }
  unprocessed.positions.resize(count);
  for (journal::Position& position : unprocessed.positions) {
    position = reader.position();
  }
  return unprocessed;
}

void write_gone(char* at, std::uint32_t tap) noexcept {
  FieldWriter(at).header(gone_frame_bytes, FrameType::Gone).u32(tap).u32(0);
}

std::optional<std::uint32_t> read_gone(std::string_view payload) noexcept {
  FieldReader reader(payload);
  const std::uint32_t tap = reader.u32();
  static_cast<void>(reader.u32());
  return reader.ended() ? std::optional(tap) : std::nullopt;
}

void write_record(char* at, std::uint32_t tap, journal::Position position,
                  std::string_view record) noexcept {
  FieldWriter(at)
      .header(record_frame_header_bytes + record.size(), FrameType::Record)
      .u32(tap)
      .position(position)
      .u32(static_cast<std::uint32_t>(record.size()))
      .raw(record);
}

std::optional<RecordFrame> read_record(std::string_view payload) noexcept {
  FieldReader reader(payload);
  RecordFrame record;
  record.tap = reader.u32();
  record.at = reader.position();
  record.total = reader.u32();
  if (reader.failed()) {
    return std::nullopt;
  }
  record.bytes = reader.rest();
  return record.bytes.size() == record.total ? std::optional(record) : std::nullopt;
}

void write_record_part(char* at, const RecordFrame& part) noexcept {
  FieldWriter(at)
      .header(record_part_header_bytes + part.bytes.size(), FrameType::RecordPart)
      .u32(part.tap)
      .position(part.at)
      .u32(part.total)
      .u32(part.offset)
      .u32(0)
      .raw(part.bytes);
}

std::optional<RecordFrame> read_record_part(std::string_view payload) noexcept {
  FieldReader reader(payload);
  RecordFrame part;
  part.tap = reader.u32();
  part.at = reader.position();
  part.total = reader.u32();
  part.offset = reader.u32();
  static_cast<void>(reader.u32());
  if (reader.failed()) {
    return std::nullopt;
  }
  part.bytes = reader.rest();
  const bool fits = part.total <= shipped_record_bytes_max && part.offset <= part.total &&
                    !part.bytes.empty() && part.bytes.size() <= part.total - part.offset;
  return fits ? std::optional(part) : std::nullopt;
}

void write_segment(char* at, std::uint32_t tap, const journal::format::Header& header) noexcept {
  FieldWriter(at)
      .header(segment_frame_bytes, FrameType::Segment)
      .u32(tap)
      .u32(0)
      .raw(&header, sizeof header);
}

std::optional<SegmentFrame> read_segment(std::string_view payload) noexcept {
  FieldReader reader(payload);
  SegmentFrame segment;
  segment.tap = reader.u32();
  static_cast<void>(reader.u32());
  const auto header = header_of(reader.rest());
  if (!header) {
    return std::nullopt;
  }
  segment.header = *header;
  return segment;
}

void write_mark(char* at, const MarkFrame& mark) noexcept {
  FieldWriter(at)
      .header(mark_frame_bytes, FrameType::Mark)
      .u32(mark.tap)
      .u32(static_cast<std::uint32_t>(mark.mark))
      .position(mark.at);
}

std::optional<MarkFrame> read_mark(std::string_view payload) noexcept {
  FieldReader reader(payload);
  MarkFrame mark;
  mark.tap = reader.u32();
  const std::uint32_t value = reader.u32();
  mark.at = reader.position();
  if (!reader.ended() || value > static_cast<std::uint32_t>(journal::format::Mark::Late)) {
    return std::nullopt;
  }
  mark.mark = static_cast<journal::format::Mark>(value);
  return mark;
}

void write_reserve(char* at, const ReserveFrame& reserve) noexcept {
  FieldWriter(at)
      .header(reserve_frame_bytes, FrameType::Reserve)
      .u32(reserve.tap)
      .u32(0)
      .u64(reserve.reserve);
}

std::optional<ReserveFrame> read_reserve(std::string_view payload) noexcept {
  FieldReader reader(payload);
  ReserveFrame reserve;
  reserve.tap = reader.u32();
  static_cast<void>(reader.u32());
  reserve.reserve = reader.u64();
  return reader.ended() ? std::optional(reserve) : std::nullopt;
}

void write_pad(char* at, std::size_t bytes) noexcept {
  FieldWriter(at).header(bytes, FrameType::Pad);
}

// --- History ---

void put_ask(std::string& out, const HistoryAsk& ask) {
  AFFIX_ASSERT(ask.identity.size() <= identity_max);
  append_frame(out, FrameType::Ask, 40 + ask.identity.size())
      .u64(ask.journal_id)
      .u64(ask.epoch)
      .position(ask.epoch_at)
      .position(ask.end)
      .u32(static_cast<std::uint32_t>(ask.identity.size()))
      .u32(0)
      .raw(ask.identity);
}

std::optional<HistoryAsk> read_ask(std::string_view payload) noexcept {
  FieldReader reader(payload);
  HistoryAsk ask;
  ask.journal_id = reader.u64();
  ask.epoch = reader.u64();
  ask.epoch_at = reader.position();
  ask.end = reader.position();
  const std::uint32_t identity_bytes = reader.u32();
  static_cast<void>(reader.u32());
  if (identity_bytes > identity_max) {
    return std::nullopt;
  }
  ask.identity = reader.raw(identity_bytes);
  return reader.ended() ? std::optional(ask) : std::nullopt;
}

void put_answer(std::string& out, const HistoryAnswer& answer) {
  FieldWriter writer = append_frame(out, FrameType::Answer,
                                    16 + (answer.header ? sizeof(journal::format::Header) : 0));
  writer.u32(static_cast<std::uint32_t>(answer.kind)).u32(0).position(answer.at);
  if (answer.header) {
    writer.raw(&*answer.header, sizeof *answer.header);
  }
}

std::optional<HistoryAnswer> read_answer(std::string_view payload) noexcept {
  FieldReader reader(payload);
  HistoryAnswer answer;
  const std::uint32_t kind = reader.u32();
  static_cast<void>(reader.u32());
  answer.at = reader.position();
  if (reader.failed() || kind == 0 ||
      kind > static_cast<std::uint32_t>(HistoryAnswerKind::Failed)) {
    return std::nullopt;
  }
  answer.kind = static_cast<HistoryAnswerKind>(kind);
  if (reader.left() != 0) {
    answer.header = header_of(reader.rest());
    if (!answer.header) {
      return std::nullopt;
    }
  }
  const bool complete = (answer.kind == HistoryAnswerKind::Anew) == answer.header.has_value() &&
                        (answer.kind != HistoryAnswerKind::Cut || answer.at.valid());
  return complete ? std::optional(answer) : std::nullopt;
}

void put_fetch(std::string& out, const Fetch& fetch) {
  AFFIX_ASSERT(fetch.identity.size() <= identity_max);
  append_frame(out, FrameType::Fetch, 16 + fetch.identity.size())
      .position(fetch.at)
      .u32(fetch.bytes_max)
      .u32(static_cast<std::uint32_t>(fetch.identity.size()))
      .raw(fetch.identity);
}

std::optional<Fetch> read_fetch(std::string_view payload) noexcept {
  FieldReader reader(payload);
  Fetch fetch;
  fetch.at = reader.position();
  fetch.bytes_max = reader.u32();
  const std::uint32_t identity_bytes = reader.u32();
  if (identity_bytes > identity_max) {
    return std::nullopt;
  }
  fetch.identity = reader.raw(identity_bytes);
  return reader.ended() ? std::optional(fetch) : std::nullopt;
}

void put_piece(std::string& out, const Piece& piece) {
  AFFIX_ASSERT(piece.bytes.size() % 8 == 0);
  FieldWriter writer =
      append_frame(out, FrameType::Piece,
                   16 + (piece.header ? sizeof(journal::format::Header) : 0) + piece.bytes.size());
  writer.u32(static_cast<std::uint32_t>(piece.state))
      .u32(piece.header ? 1 : 0)
      .position(piece.next);
  if (piece.header) {
    writer.raw(&*piece.header, sizeof *piece.header);
  }
  writer.raw(piece.bytes);
}

std::optional<Piece> read_piece(std::string_view payload) noexcept {
  FieldReader reader(payload);
  Piece piece;
  const std::uint32_t state = reader.u32();
  const std::uint32_t headers = reader.u32();
  piece.next = reader.position();
  if (state > static_cast<std::uint32_t>(PieceState::Failed) || headers > 1) {
    return std::nullopt;
  }
  piece.state = static_cast<PieceState>(state);
  if (headers == 1) {
    piece.header = header_of(reader.raw(sizeof(journal::format::Header)));
  }
  if (reader.failed()) {
    return std::nullopt;
  }
  piece.bytes = reader.rest();
  return piece;
}

}  // namespace affix::inline v0::replication
