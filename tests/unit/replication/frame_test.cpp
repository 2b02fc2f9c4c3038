// SPDX-License-Identifier: MIT
// Frames: what is written is read again, and nothing else is read.
#include "replication/frame.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace affix::replication {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  std::uint64_t any() { return random_() >> (random_() % 64); }

  std::uint32_t any32() { return static_cast<std::uint32_t>(any()); }

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  std::string text(std::size_t bytes_max) {
    std::string text(below(bytes_max + 1), '\0');
    for (char& byte : text) {
      byte = static_cast<char>(random_());
    }
    return text;
  }

  journal::Position position() { return {any32() | 1U, any32()}; }

  journal::format::Header header() {
    journal::format::Header header;
    const std::string bytes = bytes_of(sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
    return header;
  }

  std::string bytes_of(std::size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(random_());
    }
    return bytes;
  }

 private:
  std::mt19937_64 random_;
};

/// The payload of the only frame in `bytes`; checks that no shorter front is a frame.
std::string_view payload_of(std::string_view bytes, FrameType type) {
  for (std::size_t size = 0; size < bytes.size(); size += size < 32 ? 1 : 97) {
    EXPECT_EQ(first_frame(bytes.substr(0, size)).state, FrameView::State::Short);
  }
  const FrameView frame = first_frame(bytes);
  EXPECT_EQ(frame.state, FrameView::State::Whole);
  EXPECT_EQ(frame.size, bytes.size());
  EXPECT_EQ(frame.size % 8, 0U);
  EXPECT_EQ(frame.type, type);
  return frame.payload;
}

bool same(const journal::format::Header& one, const journal::format::Header& other) {
  return std::memcmp(&one, &other, sizeof one) == 0;
}

TEST(Frame, EveryKindIsReadAsItWasWritten) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    std::string out;

    const std::string names[] = {dice.text(name_bytes_max), dice.text(name_bytes_max),
                                 dice.text(name_bytes_max), dice.text(name_bytes_max)};
    const Hello hello{.version = dice.any32(),
                      .purpose = dice.below(2) == 0 ? Purpose::Live : Purpose::History,
                      .worker = dice.any32(),
                      .worker_count = dice.any32(),
                      .epoch = dice.any(),
                      .stream = dice.any(),
                      .cluster = names[0],
                      .from = names[1],
                      .to = names[2],
                      .group = names[3]};
    put_hello(out, hello);
    EXPECT_EQ(read_hello(payload_of(out, FrameType::Hello)), hello);

    out.clear();
    const Accepted accepted{dice.any(), dice.any(), dice.any()};
    put_accepted(out, accepted);
    EXPECT_EQ(read_accepted(payload_of(out, FrameType::Accepted)), accepted);

    out.clear();
    const Refused refused{static_cast<Refusal>(1 + dice.below(8)), dice.any()};
    put_refused(out, refused);
    EXPECT_EQ(read_refused(payload_of(out, FrameType::Refused)), refused);

    out.clear();
    const std::uint64_t place = dice.any();
    put_place(out, FrameType::Stored, place);
    EXPECT_EQ(read_place(payload_of(out, FrameType::Stored)), place);

    out.clear();
    const Begin begin{dice.any(), dice.any32()};
    put_begin(out, begin);
    EXPECT_EQ(read_begin(payload_of(out, FrameType::Begin)), begin);

    out.clear();
    const auto goodbye = static_cast<Goodbye>(1 + dice.below(8));
    put_goodbye(out, goodbye);
    EXPECT_EQ(read_goodbye(payload_of(out, FrameType::Goodbye)), goodbye);

    out.clear();
    const std::string identity = dice.text(journal::format::identity_bytes_max);
    const JournalBegin journal{dice.any32(), dice.position(), dice.any(), dice.any32(), identity};
    put_journal(out, journal);
    EXPECT_EQ(read_journal(payload_of(out, FrameType::Journal)), journal);

    out.clear();
    Unprocessed unprocessed{dice.any32(), {}};
    for (std::uint64_t count = dice.below(dice.below(10) == 0 ? positions_per_frame + 1 : 5);
         count > 0; --count) {
      unprocessed.positions.push_back(dice.position());
    }
    put_unprocessed(out, unprocessed.tap, unprocessed.positions.data(),
                    unprocessed.positions.size());
    EXPECT_EQ(read_unprocessed(payload_of(out, FrameType::Unprocessed)), unprocessed);

    const std::string record =
        dice.bytes_of(8 * dice.below(dice.below(10) == 0 ? record_part_bytes_max / 8 + 1 : 50));
    const RecordFrame whole{.tap = dice.any32(),
                            .at = dice.position(),
                            .total = static_cast<std::uint32_t>(record.size()),
                            .bytes = record};
    out.assign(record_frame_header_bytes + record.size(), '\xAA');
    write_record(out.data(), whole.tap, whole.at, record);
    EXPECT_EQ(read_record(payload_of(out, FrameType::Record)), whole);

    if (!record.empty()) {
      RecordFrame part = whole;
      part.offset = static_cast<std::uint32_t>(dice.below(100'000));
      part.total += part.offset + static_cast<std::uint32_t>(dice.below(100'000));
      out.assign(record_part_header_bytes + record.size(), '\xAA');
      write_record_part(out.data(), part);
      EXPECT_EQ(read_record_part(payload_of(out, FrameType::RecordPart)), part);
    }

    out.assign(gone_frame_bytes, '\xAA');
    const std::uint32_t tap = dice.any32();
    write_gone(out.data(), tap);
    EXPECT_EQ(read_gone(payload_of(out, FrameType::Gone)), tap);

    out.assign(segment_frame_bytes, '\xAA');
    const journal::format::Header header = dice.header();
    write_segment(out.data(), tap, header);
    const auto segment = read_segment(payload_of(out, FrameType::Segment));
    ASSERT_TRUE(segment);
    EXPECT_EQ(segment->tap, tap);
    EXPECT_TRUE(same(segment->header, header));

    out.assign(mark_frame_bytes, '\xAA');
    const MarkFrame mark{dice.any32(), dice.position(),
                         static_cast<journal::format::Mark>(dice.below(4))};
    write_mark(out.data(), mark);
    EXPECT_EQ(read_mark(payload_of(out, FrameType::Mark)), mark);

    out.assign(reserve_frame_bytes, '\xAA');
    const ReserveFrame reserve{dice.any32(), dice.any()};
    write_reserve(out.data(), reserve);
    EXPECT_EQ(read_reserve(payload_of(out, FrameType::Reserve)), reserve);

    out.clear();
    const HistoryAsk ask{dice.any(), dice.any(), dice.position(), dice.position(), identity};
    put_ask(out, ask);
    EXPECT_EQ(read_ask(payload_of(out, FrameType::Ask)), ask);

    out.clear();
    HistoryAnswer answer{.kind = static_cast<HistoryAnswerKind>(1 + dice.below(5)),
                         .at = dice.position()};
    if (answer.kind == HistoryAnswerKind::Anew) {
      answer.header = header;
    }
    put_answer(out, answer);
    const auto read_answer_again = read_answer(payload_of(out, FrameType::Answer));
    ASSERT_TRUE(read_answer_again);
    EXPECT_EQ(read_answer_again->kind, answer.kind);
    EXPECT_EQ(read_answer_again->at, answer.at);
    ASSERT_EQ(read_answer_again->header.has_value(), answer.header.has_value());
    EXPECT_TRUE(!answer.header || same(*read_answer_again->header, header));

    out.clear();
    const Fetch fetch{dice.position(), dice.any32(), identity};
    put_fetch(out, fetch);
    EXPECT_EQ(read_fetch(payload_of(out, FrameType::Fetch)), fetch);

    out.clear();
    Piece piece{
        .state = static_cast<PieceState>(dice.below(6)),
        .next = dice.position(),
        .bytes = std::string_view(record).substr(0, std::min<std::size_t>(record.size(), 4096))};
    if (dice.below(2) == 0) {
      piece.header = header;
    }
    put_piece(out, piece);
    const auto read_piece_again = read_piece(payload_of(out, FrameType::Piece));
    ASSERT_TRUE(read_piece_again);
    EXPECT_EQ(read_piece_again->state, piece.state);
    EXPECT_EQ(read_piece_again->next, piece.next);
    EXPECT_EQ(read_piece_again->bytes, piece.bytes);
    ASSERT_EQ(read_piece_again->header.has_value(), piece.header.has_value());
    EXPECT_TRUE(!piece.header || same(*read_piece_again->header, header));
  }
}

TEST(Frame, ALengthThatNoFrameHasIsBad) {
  std::string frame;
  put_plain(frame, FrameType::Beat);
  for (std::uint64_t size = 0; size < 3 * frame_bytes_max; size += size < 64 ? 1 : 131) {
    const auto length = static_cast<std::uint32_t>(size);
    std::memcpy(frame.data(), &length, sizeof length);
    const bool good = size >= frame_header_bytes && size <= frame_bytes_max && size % 8 == 0;
    const FrameView::State state = first_frame(frame).state;
    EXPECT_EQ(state == FrameView::State::Bad, !good) << size;
    EXPECT_EQ(state == FrameView::State::Whole, size == frame.size()) << size;
  }
  const std::uint32_t huge = UINT32_MAX;
  std::memcpy(frame.data(), &huge, sizeof huge);
  EXPECT_EQ(first_frame(frame).state, FrameView::State::Bad);
}

TEST(Frame, APayloadOfAnotherLengthIsNotRead) {
  std::string hello;
  put_hello(hello, {.cluster = "c", .from = "a", .to = "b", .group = "g"});
  std::string journal;
  put_journal(journal, {.tap = 1, .at = {1, 4096}, .identity = "FIX.4.4:A->B"});
  std::string positions;
  const journal::Position two[] = {{1, 4096}, {1, 4200}};
  put_unprocessed(positions, 1, two, 2);
  std::string ask;
  put_ask(ask, {.identity = "FIX.4.4:A->B"});
  std::string answer;
  put_answer(answer, {.kind = HistoryAnswerKind::Anew, .header = journal::format::Header{}});
  std::string piece;
  put_piece(piece, {.header = journal::format::Header{}});
  std::string mark(mark_frame_bytes, '\0');
  write_mark(mark.data(), {1, {1, 4096}, journal::format::Mark::Final});
  std::string segment(segment_frame_bytes, '\0');
  write_segment(segment.data(), 1, {});
  std::string record(record_frame_header_bytes + 48, '\0');
  write_record(record.data(), 1, {1, 4096}, std::string(48, 'x'));

  const auto payload = [](const std::string& frame) {
    return std::string_view(frame).substr(frame_header_bytes);
  };
  const auto fails_shorter = [&](const std::string& frame, auto read) {
    EXPECT_TRUE(read(payload(frame)));
    for (std::size_t size = 0; size + 8 <= payload(frame).size(); ++size) {
      EXPECT_FALSE(read(payload(frame).substr(0, size))) << size;
    }
    const std::string longer = std::string(payload(frame)) + std::string(8, '\0');
    EXPECT_FALSE(read(std::string_view(longer)));
  };
  fails_shorter(hello, [](std::string_view bytes) { return read_hello(bytes).has_value(); });
  fails_shorter(journal, [](std::string_view bytes) { return read_journal(bytes).has_value(); });
  fails_shorter(positions,
                [](std::string_view bytes) { return read_unprocessed(bytes).has_value(); });
  fails_shorter(ask, [](std::string_view bytes) { return read_ask(bytes).has_value(); });
  fails_shorter(answer, [](std::string_view bytes) { return read_answer(bytes).has_value(); });
  fails_shorter(mark, [](std::string_view bytes) { return read_mark(bytes).has_value(); });
  fails_shorter(segment, [](std::string_view bytes) { return read_segment(bytes).has_value(); });
  fails_shorter(record, [](std::string_view bytes) { return read_record(bytes).has_value(); });
  EXPECT_FALSE(read_piece(payload(piece).substr(0, 100)));
}

TEST(Frame, ValuesThatHaveNoMeaningAreNotRead) {
  const auto with_first_number = [](std::string payload, std::uint32_t number, std::size_t at = 0) {
    std::memcpy(payload.data() + at, &number, sizeof number);
    return payload;
  };
  EXPECT_FALSE(read_goodbye(with_first_number(std::string(8, '\0'), 0)));
  EXPECT_FALSE(read_goodbye(with_first_number(std::string(8, '\0'), 9)));
  EXPECT_FALSE(read_refused(with_first_number(std::string(16, '\0'), 0)));
  EXPECT_FALSE(read_refused(with_first_number(std::string(16, '\0'), 9)));
  EXPECT_FALSE(read_answer(with_first_number(std::string(16, '\0'), 6)));
  // A cut without a position, and a new begin without a header.
  EXPECT_FALSE(read_answer(with_first_number(std::string(16, '\0'), 2)));
  EXPECT_FALSE(read_answer(with_first_number(std::string(16, '\0'), 3)));
  EXPECT_FALSE(read_mark(with_first_number(std::string(16, '\0'), 4, 4)));
  EXPECT_FALSE(read_piece(with_first_number(std::string(16, '\0'), 6)));
  std::string hello;
  put_hello(hello, {.cluster = "c", .from = "a", .to = "b", .group = "g"});
  hello[frame_header_bytes] ^= 1;
  EXPECT_FALSE(read_hello(std::string_view(hello).substr(frame_header_bytes)));
}

}  // namespace
}  // namespace affix::replication
