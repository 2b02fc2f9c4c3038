// SPDX-License-Identifier: MIT
#include "affix/wire/framer.hpp"

#include "support/fix_text.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::wire {
namespace {

using support::make_message;
using support::with_soh;

/// Pieces of one stream; adjacent skips with one error are merged.
struct Cut {
  std::vector<std::string> messages;
  std::vector<std::pair<FrameError, std::string>> skipped;
  std::string rest;

  friend bool operator==(const Cut&, const Cut&) = default;
};

/// Passes `stream` in pieces of `piece` bytes; checks every result for progress.
Cut cut(std::string_view stream, std::size_t piece,
        std::size_t limit = Framer::message_bytes_default) {
  Framer framer(limit);
  Cut result;
  std::string buffer;
  bool skipping = false;
  while (true) {
    while (true) {
      const Frame frame = framer.next(buffer);
      if (frame.status == FrameStatus::Partial) {
        EXPECT_EQ(frame.size, 0U);
        EXPECT_TRUE(frame.needed == 0 || frame.needed > buffer.size());
        break;
      }
      EXPECT_GT(frame.size, 0U);
      EXPECT_LE(frame.size, buffer.size());
      const std::string bytes = buffer.substr(0, frame.size);
      buffer.erase(0, frame.size);
      if (frame.status == FrameStatus::Complete) {
        EXPECT_EQ(frame.error, FrameError::None);
        result.messages.push_back(bytes);
        skipping = false;
      } else if (skipping && result.skipped.back().first == frame.error) {
        result.skipped.back().second += bytes;
      } else {
        result.skipped.emplace_back(frame.error, bytes);
        skipping = true;
      }
    }
    if (stream.empty()) {
      break;
    }
    buffer += stream.substr(0, piece);
    stream.remove_prefix(std::min(piece, stream.size()));
  }
  result.rest = buffer;
  return result;
}

/// The whole stream at once and in every small piece size must give the same result.
Cut cut_every_way(std::string_view stream, std::size_t limit = Framer::message_bytes_default) {
  const Cut whole = cut(stream, stream.size() + 1, limit);
  for (std::size_t piece = 1; piece <= 40; ++piece) {
    EXPECT_EQ(cut(stream, piece, limit), whole) << "in pieces of " << piece;
  }
  return whole;
}

const std::string heartbeat = make_message("35=0|34=2|49=A|52=20240101-00:00:00|56=B|");

TEST(Framer, TakesAWholeMessage) {
  const Cut result = cut_every_way(heartbeat);
  EXPECT_EQ(result.messages, std::vector{heartbeat});
  EXPECT_TRUE(result.skipped.empty());
  EXPECT_EQ(result.rest, "");
}

TEST(Framer, TakesEveryBeginStringAndLengthOfDigits) {
  for (const char* begin_string :
       {"FIX.4.0", "FIX.4.2", "FIXT.1.1", "FIX.5.0SP2", "F", "", "FIXT.1.12"}) {
    for (const std::size_t padding : {0U, 1U, 80U, 900U, 9000U, 99000U}) {
      const std::string message =
          make_message("35=0|58=" + std::string(padding, 'x') + "|", begin_string);
      EXPECT_EQ(cut(message + message, 4096).messages, (std::vector{message, message}))
          << begin_string << padding;
    }
  }
}

TEST(Framer, TakesSeveralMessagesFromOneRead) {
  const std::string other = make_message("35=D|11=1|", "FIXT.1.1");
  const Cut result = cut_every_way(heartbeat + other + heartbeat);
  EXPECT_EQ(result.messages, (std::vector{heartbeat, other, heartbeat}));
}

TEST(Framer, WaitsForTheRestAndSaysHowMuch) {
  Framer framer;
  for (std::size_t size = 0; size < heartbeat.size(); ++size) {
    const Frame frame = framer.next(std::string_view(heartbeat).substr(0, size));
    EXPECT_EQ(frame.status, FrameStatus::Partial);
    EXPECT_GT(frame.needed, size);
    EXPECT_LE(frame.needed, heartbeat.size());
  }
  EXPECT_EQ(framer.next(heartbeat).size, heartbeat.size());
}

TEST(Framer, SkipsGarbageBeforeAndBetween) {
  const Cut result = cut_every_way("hello 8 =" + heartbeat + "\r\n8\x01" + heartbeat + "8");
  EXPECT_EQ(result.messages, (std::vector{heartbeat, heartbeat}));
  ASSERT_EQ(result.skipped.size(), 2U);
  EXPECT_EQ(result.skipped[0],
            (std::pair<FrameError, std::string>(FrameError::Garbage, "hello 8 =")));
  EXPECT_EQ(result.skipped[1],
            (std::pair<FrameError, std::string>(FrameError::Garbage, "\r\n8\x01")));
  EXPECT_EQ(result.rest, "8");
}

TEST(Framer, TakesTheWholeMessageWhenBodyLengthIsTooSmall) {
  const std::string message = with_soh("8=FIX.4.2|9=5|35=0|34=2|49=A|56=B|10=123|");
  EXPECT_EQ(cut_every_way(message + heartbeat).messages, (std::vector{message, heartbeat}));
  const std::string zero = with_soh("8=FIX.4.2|9=0|10=123|");
  EXPECT_EQ(cut_every_way(zero + heartbeat).messages, (std::vector{zero, heartbeat}));
}

TEST(Framer, SwallowsTheNextMessageWhenBodyLengthIsTooLarge) {
  const std::string message = with_soh("8=FIX.4.2|9=20|35=0|34=2|10=123|");
  EXPECT_EQ(cut_every_way(message + heartbeat).messages, std::vector{message + heartbeat});
}

TEST(Framer, EndsAtTheChecksumFieldWhateverItsLength) {
  for (const char* trailer : {"10=|", "10=1|", "10=12|", "10=1234|", "10=abc|", "10=1=2|",
                              "10=123456789012345678901234567890|"}) {
    const std::string message = with_soh(std::string("8=FIX.4.2|9=10|35=0|34=2||") + trailer);
    const std::string exact = with_soh(std::string("8=FIX.4.2|9=10|35=0|34=2|") + trailer);
    EXPECT_EQ(cut_every_way(exact + heartbeat).messages, (std::vector{exact, heartbeat}))
        << trailer;
    EXPECT_EQ(cut_every_way(message + heartbeat).messages, (std::vector{message, heartbeat}))
        << trailer;
  }
}

TEST(Framer, ReadsLeadingZerosOfBodyLength) {
  for (const char* length : {"05", "00000005", "000000000005", "00000000000000000005"}) {
    const std::string message = with_soh(std::string("8=FIX.4.2|9=") + length + "|35=0|10=123|");
    EXPECT_EQ(cut_every_way(message + heartbeat).messages, (std::vector{message, heartbeat}))
        << length;
  }
}

TEST(Framer, GivesUpABodyLengthThatIsNoNumber) {
  for (const char* length : {"", "-5", "+5", " 5", "5 ", "5x", "x", "0x5", "5:", "1;23",
                             "000000000000000000005", "5=5"}) {
    const std::string bad = with_soh(std::string("8=FIX.4.2|9=") + length + "|35=0|10=123|");
    const Cut result = cut_every_way(bad + heartbeat);
    EXPECT_EQ(result.messages, std::vector{heartbeat}) << length;
    ASSERT_EQ(result.skipped.size(), 1U) << length;
    EXPECT_EQ(result.skipped[0],
              (std::pair<FrameError, std::string>(FrameError::BodyLengthValue, bad)))
        << length;
  }
}

TEST(Framer, FindsABodyLengthThatIsNotInItsPlace) {
  // Misplaced fields make the message garbled, which the framer does not decide.
  for (const char* text :
       {"8=FIX.4.2|35=0|9=0|10=123|", "8=FIX.4.2|35=0|34=2|9=0|10=123|", "8=||9=5|35=0|10=123|"}) {
    const std::string message = with_soh(text);
    EXPECT_EQ(cut_every_way(message + heartbeat).messages, (std::vector{message, heartbeat}))
        << text;
  }
}

TEST(Framer, TakesTheNextMessagesBodyLengthWhenThereIsNone) {
  for (const char* text : {"8=FIX.4.2|35=0|10=123|", "8=FIX.4.2|9:5|10=1|", "8=FIX.4.2||"}) {
    const std::string bad = with_soh(text);
    const Cut result = cut_every_way(bad + heartbeat + heartbeat);
    EXPECT_EQ(result.messages, (std::vector{bad + heartbeat, heartbeat})) << text;
    EXPECT_TRUE(result.skipped.empty()) << text;
  }
}

TEST(Framer, GivesUpWhenNoBodyLengthComesWithinTheLimit) {
  constexpr std::size_t limit = 200;
  const std::string bad = "8=FIX.4.2" + std::string(limit, 'x');
  const Cut result = cut_every_way(bad + heartbeat, limit);
  EXPECT_EQ(result.messages, std::vector{heartbeat});
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(result.skipped[0], (std::pair<FrameError, std::string>(FrameError::NoBodyLength, bad)));
  // One byte below the limit the message may still be complete.
  Framer framer(limit);
  EXPECT_EQ(framer.next(bad.substr(0, limit - 1)).status, FrameStatus::Partial);
  EXPECT_EQ(framer.next(bad.substr(0, limit)).status, FrameStatus::Skip);
}

TEST(Framer, GivesUpAtOnceAboveTheLimit) {
  for (const char* length : {"4294967301", "18446744073709551621", "99999999999999999999",
                             "1000000000", "1048576", "2000"}) {
    const std::string bad = with_soh(std::string("8=FIX.4.2|9=") + length + "|35=0|10=123|");
    const Cut result = cut_every_way(bad + heartbeat, 1000);
    EXPECT_EQ(result.messages, std::vector{heartbeat}) << length;
    ASSERT_EQ(result.skipped.size(), 1U) << length;
    EXPECT_EQ(result.skipped[0], (std::pair<FrameError, std::string>(FrameError::TooLarge, bad)))
        << length;
  }
}

TEST(Framer, TakesAMessageOfExactlyTheLimit) {
  EXPECT_EQ(cut_every_way(heartbeat, heartbeat.size()).messages, std::vector{heartbeat});
  const Cut result = cut_every_way(heartbeat, heartbeat.size() - 1);
  EXPECT_TRUE(result.messages.empty());
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(result.skipped[0],
            (std::pair<FrameError, std::string>(FrameError::TooLarge, heartbeat)));
}

TEST(Framer, SearchesTheTrailerUpToTheLimitOnly) {
  const std::string endless = with_soh("8=FIX.4.2|9=5|35=0|") + std::string(300, 'x');
  Cut result = cut_every_way(endless + heartbeat, 200);
  EXPECT_EQ(result.messages, std::vector{heartbeat});
  EXPECT_EQ(result.skipped[0], (std::pair<FrameError, std::string>(FrameError::TooLarge, endless)));
  const std::string unclosed = with_soh("8=FIX.4.2|9=5|35=0|10=") + std::string(300, '1');
  result = cut_every_way(unclosed + heartbeat, 200);
  EXPECT_EQ(result.messages, std::vector{heartbeat});
  EXPECT_EQ(result.skipped[0],
            (std::pair<FrameError, std::string>(FrameError::TooLarge, unclosed)));
}

TEST(Framer, GoesOnAtTheNextFixBeginStringOnly) {
  const std::string bad = with_soh("8=FIX.4.2|9=x|58=8=8=F8=FI8=fix|8=OTHER|9=5|35=0|10=000|");
  const Cut result = cut_every_way(bad + heartbeat + "8=F");
  EXPECT_EQ(result.messages, std::vector{heartbeat});
  EXPECT_EQ(result.skipped[0].second, bad);
  EXPECT_EQ(result.rest, "8=F");
}

TEST(Framer, ResetForgetsSkippedBytes) {
  Framer framer;
  EXPECT_EQ(framer.next(with_soh("8=FIX.4.2|9=x|")).status, FrameStatus::Skip);
  framer.reset();
  const std::string other = make_message("35=0|", "OTHER");
  EXPECT_EQ(framer.next(other).status, FrameStatus::Complete);
}

TEST(Framer, NeverReadsOutsideItsInput) {
  // Exact heap blocks: the address sanitizer detects a read of one byte too many.
  const std::string stream = "x" + heartbeat + with_soh("8=FIX.4.2|9=5|35=0|34=1|10=000|");
  for (std::size_t begin = 0; begin < stream.size(); ++begin) {
    for (std::size_t size = 0; begin + size <= stream.size(); ++size) {
      const std::vector<char> exact(stream.begin() + static_cast<std::ptrdiff_t>(begin),
                                    stream.begin() + static_cast<std::ptrdiff_t>(begin + size));
      Framer framer;
      static_cast<void>(framer.next(std::string_view(exact.data(), exact.size())));
    }
  }
}

/// A rate would be hard to judge; a quadratic search of these streams takes minutes.
TEST(Framer, StaysLinearOnHostileStreams) {
  constexpr std::size_t size = std::size_t{1} << 20;
  const auto repeated = [](std::string_view unit) {
    std::string stream;
    while (stream.size() < 2 * size) {
      stream += unit;
    }
    return stream;
  };
  const std::string tail(size, 'y');
  const std::vector<std::string> streams{
      repeated(with_soh("8=FIX.4.2|9=5|")),
      repeated(with_soh("8=FIX.4.2|9=5|35=0|")).substr(0, size) + with_soh("|10=") + tail,
      repeated("8=FIX"),
      repeated(with_soh("8=FIX.4.2|9=1000000|")),
      repeated(with_soh("8=FIX.4.2|9=700000|8=FIX.4.2|9=5|35=0|10=000|")).substr(0, size / 2) +
          tail + tail,
  };
  for (const std::string& stream : streams) {
    const auto begin = std::chrono::steady_clock::now();
    Framer framer;
    std::string_view rest = stream;
    std::size_t calls = 0;
    while (true) {
      const Frame frame = framer.next(rest);
      ++calls;
      if (frame.status == FrameStatus::Partial) {
        break;
      }
      rest.remove_prefix(frame.size);
    }
    EXPECT_LE(calls, stream.size());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  }
}

TEST(Framer, StaysLinearWhenBytesComeOneByOne) {
  const std::string stream =
      with_soh("8=FIX.4.2|9=5|35=0|") + std::string(200000, 'x') + with_soh("|10=000|");
  Framer framer;
  for (std::size_t size = 1; size < stream.size(); ++size) {
    ASSERT_EQ(framer.next(std::string_view(stream).substr(0, size)).status, FrameStatus::Partial);
  }
  EXPECT_EQ(framer.next(stream).size, stream.size());
}

}  // namespace
}  // namespace affix::wire
