// SPDX-License-Identifier: MIT
// Messages above the framer's limit, followed through skipped bytes: exactly the complete ones are
// found, for any division.
#include "affix/wire/large_message.hpp"

#include "affix/wire/checksum.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace affix::wire {
namespace {

constexpr std::size_t message_limit = 200;

std::string message_of(std::size_t text_size, std::string_view more = {}) {
  const std::string body =
      "35=D\x01"
      "34=7\x01"
      "49=A\x01"
      "56=B\x01"
      "58=" +
      std::string(text_size, 'x') + "\x01" + std::string(more);
  std::string message =
      "8=FIX.4.4\x01"
      "9=" +
      std::to_string(body.size()) + "\x01" + body;
  const std::string sum = std::to_string(1'000 + checksum(message)).substr(1);
  return message + "10=" + sum + "\x01";
}

/// Results of a framer and this class for a stream in these pieces: `L` a large message, `M` one
/// within the limit, `g` garbled.
std::string said(std::string_view stream, const std::vector<std::size_t>& pieces) {
  Framer framer(message_limit);
  LargeMessage large;
  std::string words;
  std::string input;
  std::size_t piece = 0;
  const auto end = [&] { words += large.abandon() ? "g" : ""; };
  while (!stream.empty()) {
    const std::size_t size =
        std::min(pieces.empty() ? stream.size() : pieces[piece++ % pieces.size()], stream.size());
    input += stream.substr(0, size);
    stream.remove_prefix(size);
    for (;;) {
      const Frame frame = framer.next(input);
      if (frame.status == FrameStatus::Partial) {
        break;
      }
      const std::string_view bytes = std::string_view(input).substr(0, frame.size);
      if (frame.status == FrameStatus::Complete) {
        end();
        words += "M";
      } else if (frame.error == FrameError::TooLarge) {
        if (bytes.starts_with("8=FIX")) {
          end();
        }
        switch (large.skip(bytes)) {
          case LargeMessage::Progress::Whole:
            words += "L";
            EXPECT_TRUE(large.head().starts_with("8=FIX.4.4\x01"));
            EXPECT_NE(large.head().find("\x01"
                                        "34=7\x01"),
                      std::string_view::npos);
            EXPECT_EQ(large.head().back(), '\x01');
            break;
          case LargeMessage::Progress::Broken:
            words += "g";
            break;
          default:
            break;
        }
      } else {
        end();
      }
      input.erase(0, frame.size);
    }
  }
  return words;
}

TEST(LargeMessage, IsFoundWhateverTheSplit) {
  const std::string stream =
      message_of(5) + message_of(500) + message_of(6) + message_of(300) + message_of(4'000);
  EXPECT_EQ(said(stream, {}), "MLMLL");
  for (std::size_t size = 1; size < 40; ++size) {
    EXPECT_EQ(said(stream, {size}), "MLMLL") << size;
  }
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::size_t> pieces;
    for (int piece = 0; piece < 16; ++piece) {
      pieces.push_back(1 + random() % (random() % 2 == 0 ? 8 : 900));
    }
    EXPECT_EQ(said(stream, pieces), "MLMLL") << round;
  }
}

TEST(LargeMessage, AWrongSumIsNone) {
  std::string wrong = message_of(500);
  wrong[100] = 'y';
  EXPECT_EQ(said(wrong + message_of(5), {}), "gM");
  EXPECT_EQ(said(wrong + message_of(5), {7}), "gM");
}

TEST(LargeMessage, ABodyLengthThatIsTooLargeHidesNoMessage) {
  std::string wrong = message_of(5);
  wrong.replace(wrong.find("9="), 4, "9=70000");
  EXPECT_EQ(said(wrong + message_of(5) + message_of(6), {}), "gMM");
  EXPECT_EQ(said(wrong + message_of(5) + message_of(6), {3}), "gMM");
  EXPECT_EQ(said(wrong + message_of(500), {}), "gL");
}

TEST(LargeMessage, AMessageInsideItBreaksIt) {
  // As in a data field: the framer continues there, according to the rule for garbled messages.
  EXPECT_EQ(said(message_of(500, message_of(3)) + message_of(5), {}), "gMM");
}

TEST(LargeMessage, OneThatEndsWithTheStreamIsNone) {
  const std::string whole = message_of(500);
  EXPECT_EQ(said(std::string_view(whole).substr(0, 400), {}), "");
}

TEST(LargeMessage, RandomBytesAreNone) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string stream;
    while (stream.size() < 3'000) {
      std::string piece = message_of(random() % 400);
      for (std::size_t change = random() % 3; change != 0; --change) {
        piece[random() % piece.size()] = static_cast<char>(random() % 128);
      }
      stream += piece.substr(0, random() % 4 == 0 ? random() % piece.size() : piece.size());
    }
    const std::string whole = said(stream, {});
    EXPECT_EQ(said(stream, {1 + random() % 50, 1 + random() % 500}), whole) << round;
  }
}

}  // namespace
}  // namespace affix::wire
