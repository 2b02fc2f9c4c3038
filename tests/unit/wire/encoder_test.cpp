// SPDX-License-Identifier: MIT
#include "affix/wire/encoder.hpp"

#include "affix/wire/view.hpp"

#include "support/fix_text.hpp"
#include "unit/wire/order_time.hpp"

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::wire {
namespace {

using base::UtcTime;
using support::make_message;
using support::with_soh;

using Write = std::function<void(Encoder&)>;

/// The message made by `write`, or the error's text.
std::string encoded(const Write& write, std::size_t buffer_size = 4'096) {
  std::vector<char> buffer(buffer_size);
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "D");
  write(encoder);
  const auto message = encoder.finish();
  return message ? std::string(*message) : to_text(message.error());
}

std::string fields_of(const Write& write) {
  const std::string message = encoded(write);
  const std::size_t begin = message.find(
      "\x01"
      "35=D\x01");
  EXPECT_NE(begin, std::string::npos) << message;
  std::string body = message.substr(begin + 6, message.size() - 7 - (begin + 6));
  for (char& byte : body) {
    byte = byte == '\x01' ? '|' : byte;
  }
  EXPECT_EQ(message, make_message("35=D|" + body));
  return body;
}

void write_seed_order(Encoder& encoder) {
  encoder.begin("FIXT.1.1", "D");
  encoder.integer(34, 2);
  encoder.text(49, "CLIENT1");
  encoder.utc_time(52, order_time, TimePrecision::Nanos);
  encoder.text(56, "EXECUTOR");
  encoder.text(50, "SNDR_SUB");
  encoder.text(57, "SRVR_SUB");
  encoder.text(11, "1");
  encoder.text(55, "NOKIA.HE");
  encoder.character(54, '1');
  encoder.integer(38, 10);
  encoder.decimal(44, {10'000, 0});
  encoder.character(40, '2');
  encoder.character(59, '0');
  encoder.integer(453, 2);
  encoder.text(448, "PARTY1");
  encoder.character(447, 'D');
  encoder.integer(452, 1);
  encoder.text(448, "PARTY2");
  encoder.character(447, 'D');
  encoder.integer(452, 3);
  encoder.utc_time(60, order_time, TimePrecision::Nanos);
}

const std::string seed_order = with_soh(
    "8=FIXT.1.1|9=218|35=D|34=2|49=CLIENT1|52=20251231-18:21:36.457245600|56=EXECUTOR|50=SNDR_SUB|"
    "57=SRVR_SUB|11=1|"
    "55=NOKIA.HE|54=1|38=10|44=10000|40=2|59=0|453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|"
    "60=20251231-18:21:36.457245600|10=221|");

TEST(Encoder, WritesTheSeedsOrderByteForByte) {
  ASSERT_EQ(seed_order.size(), 242U);
  std::array<char, 512> buffer;
  TimeStampCache shared;
  for (TimeStampCache* const cache : {static_cast<TimeStampCache*>(nullptr), &shared}) {
    Encoder encoder(buffer, cache);
    write_seed_order(encoder);
    EXPECT_EQ(encoder.finish(), seed_order);
    EXPECT_EQ(encoder.error(), EncodeError::None);
  }
}

TEST(Encoder, HeaderTemplateSavesTheConstantFields) {
  HeaderTemplate header("FIXT.1.1");
  header.text(49, "CLIENT1");
  header.text(56, "EXECUTOR");
  header.integer(9'000, -5);
  ASSERT_EQ(header.error(), EncodeError::None);
  EXPECT_EQ(header.fields(), with_soh("49=CLIENT1|56=EXECUTOR|9000=-5|"));
  EXPECT_EQ(header.prefix(), with_soh("8=FIXT.1.1|9="));
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  encoder.begin(header, "D");
  encoder.integer(34, 2);
  EXPECT_EQ(encoder.finish(),
            make_message("35=D|49=CLIENT1|56=EXECUTOR|9000=-5|34=2|", "FIXT.1.1"));
}

TEST(Encoder, HeaderTemplateReportsItsFirstError) {
  HeaderTemplate header("FIX.4.4");
  header.text(49, "");
  header.text(56,
              "a\x01"
              "b");
  EXPECT_EQ(header.error(), EncodeError::EmptyValue);
  EXPECT_EQ(header.error_tag(), 49U);
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  encoder.begin(header, "D");
  encoder.integer(34, 2);
  EXPECT_EQ(encoder.finish().error(), EncodeError::EmptyValue);
  EXPECT_EQ(encoder.error_tag(), 49U);
}

TEST(Encoder, HeaderTemplateIsBounded) {
  EXPECT_EQ(HeaderTemplate("").error(), EncodeError::EmptyValue);
  EXPECT_EQ(HeaderTemplate(std::string(25, 'F')).error(), EncodeError::BadValue);
  EXPECT_EQ(HeaderTemplate(std::string(24, 'F')).error(), EncodeError::None);
  EXPECT_EQ(HeaderTemplate("FIX\x01").error(), EncodeError::SohInValue);
  HeaderTemplate header("FIX.4.4");
  header.text(49, std::string(HeaderTemplate::fields_size_max - 4, 'x'));
  EXPECT_EQ(header.error(), EncodeError::None);
  EXPECT_EQ(header.fields().size(), HeaderTemplate::fields_size_max);
  header.text(56, "x");
  EXPECT_EQ(header.error(), EncodeError::Overflow);
  HeaderTemplate soh_in_value("FIX.4.4");
  soh_in_value.text(56,
                    "a\x01"
                    "b");
  EXPECT_EQ(soh_in_value.error(), EncodeError::SohInValue);
}

TEST(Encoder, HeaderTemplatesOfEverySizeAreCopiedWhole) {
  for (std::size_t size = 1; size < HeaderTemplate::fields_size_max - 3; ++size) {
    HeaderTemplate header("FIX.4.4");
    const std::string value(size, 'x');
    header.text(49, value);
    std::vector<char> buffer(1'024);
    Encoder encoder(buffer);
    encoder.begin(header, "0");
    ASSERT_EQ(encoder.finish(), make_message("35=0|49=" + value + "|"));
  }
}

TEST(Encoder, TextsOfEverySizeAreWhole) {
  for (std::size_t size = 1; size < 300; ++size) {
    std::string value;
    for (std::size_t at = 0; at < size; ++at) {
      value += static_cast<char>('A' + at % 26);
    }
    ASSERT_EQ(fields_of([&](Encoder& encoder) { encoder.text(58, value); }), "58=" + value + "|");
  }
}

TEST(Encoder, TagsOfEveryWidth) {
  EXPECT_EQ(fields_of([](Encoder& encoder) {
              encoder.text(1, "a");
              encoder.text(12, "a");
              encoder.text(123, "a");
              encoder.text(1234, "a");
              encoder.text(12'345, "a");
              encoder.text(1'234'567, "a");
              encoder.text(12'345'678, "a");
              encoder.text(2'147'483'647, "a");
              encoder.character(2'147'483'647, 'b');
              encoder.integer(2'147'483'647, std::numeric_limits<std::int64_t>::min());
            }),
            "1=a|12=a|123=a|1234=a|12345=a|1234567=a|12345678=a|2147483647=a|2147483647=b|"
            "2147483647=-9223372036854775808|");
}

TEST(Encoder, WritesEveryType) {
  EXPECT_EQ(fields_of([](Encoder& encoder) {
              encoder.integer(1, std::numeric_limits<std::uint64_t>::max());
              encoder.integer(2, std::int8_t{-1});
              encoder.boolean(3, true);
              encoder.boolean(4, false);
              encoder.decimal(5, {-12'345, -2});
              encoder.decimal(6, {std::numeric_limits<std::int64_t>::min(), -19});
              encoder.decimal(7, {1, 60});
              encoder.date(8, {2024, 2, 29});
              encoder.time_of_day(9, {86'400 * base::ns_per_second, 0}, TimePrecision::Millis);
              encoder.zoned_time(11, {order_time, 330, ZoneForm::Offset}, TimePrecision::Picos);
              encoder.zoned_time_of_day(12, {{0, 0}, 0, ZoneForm::Utc}, TimePrecision::Seconds);
              encoder.month_year(13, {2025, 12, 0, 2});
              encoder.tenor(14, {'M', 3});
              encoder.utc_time(15, order_time, TimePrecision::Seconds);
              encoder.utc_time(16, order_time, TimePrecision::Picos);
            }),
            "1=18446744073709551615|2=-1|3=Y|4=N|5=-123.45|6=-0.9223372036854775808|7=1" +
                std::string(60, '0') +
                "|8=20240229|9=23:59:60.000|11=20251231-23:51:36.457245600000+05:30|12=00:00:00Z|"
                "13=202512w2|14=M3|"
                "15=20251231-18:21:36|16=20251231-18:21:36.457245600000|");
}

TEST(Encoder, BodyLengthIsRightAtEveryNumberOfDigits) {
  for (const std::size_t size :
       {1U,     3U,     4U,     5U,     80U,    88U,    89U,      90U,
        91U,    92U,    900U,   986U,   987U,   988U,   989U,     990U,
        9'980U, 9'986U, 9'987U, 9'988U, 9'989U, 9'990U, 100'000U, 1'000'000U}) {
    const std::string value(size, 'x');
    ASSERT_EQ(encoded([&](Encoder& encoder) { encoder.text(58, value); }, size + 200),
              make_message("35=D|58=" + value + "|"));
  }
}

TEST(Encoder, ShowsWhatIsWrittenSoFar) {
  std::array<char, 256> buffer;
  Encoder encoder(buffer);
  EXPECT_EQ(encoder.written(), "");
  encoder.begin("FIX.4.4", "D");
  encoder.text(11, "one");
  EXPECT_EQ(encoder.written(),
            "35=D\x01"
            "11=one\x01");
  encoder.text(55, "X");
  EXPECT_TRUE(encoder.written().ends_with("55=X\x01"));
  ASSERT_TRUE(encoder.finish());
  EXPECT_EQ(encoder.written(), "");
}

TEST(Encoder, LeavesRoomForTheNextMessage) {
  std::array<char, 512> buffer;
  Encoder first(buffer);
  first.begin("FIX.4.4", "0");
  const auto heartbeat = first.finish();
  ASSERT_TRUE(heartbeat.has_value());
  Encoder second(std::span<char>(buffer).subspan(first.size()));
  second.begin("FIX.4.4", "1");
  second.text(112, "x");
  EXPECT_EQ(second.finish(), make_message("35=1|112=x|"));
  EXPECT_EQ(heartbeat, make_message("35=0|"));
  EXPECT_EQ(heartbeat->data() + heartbeat->size(), buffer.data() + first.size());
}

TEST(Encoder, BeginForgetsAnUnfinishedMessage) {
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "D");
  encoder.text(58, "");
  encoder.begin("FIX.4.2", "0");
  EXPECT_EQ(encoder.finish(), make_message("35=0|", "FIX.4.2"));
}

TEST(Encoder, NeedsBegin) {
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  EXPECT_EQ(encoder.finish().error(), EncodeError::NotBegun);
  Encoder other(buffer);
  other.text(58, "x");
  EXPECT_EQ(other.error(), EncodeError::NotBegun);
  EXPECT_EQ(other.error_tag(), 58U);
  EXPECT_EQ(other.finish().error(), EncodeError::NotBegun);
}

TEST(Encoder, AFinishedMessageTakesNoMoreFields) {
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "0");
  const auto message = encoder.finish();
  encoder.text(58, "late");
  EXPECT_EQ(encoder.error(), EncodeError::NotBegun);
  EXPECT_EQ(encoder.finish().error(), EncodeError::NotBegun);
  EXPECT_EQ(message, make_message("35=0|"));
}

TEST(Encoder, FirstErrorSticksWithItsTag) {
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "D");
  encoder.text(55, "IBM");
  encoder.text(58, "");
  encoder.date(75, {2025, 2, 29});
  encoder.text(11, "x");
  EXPECT_EQ(encoder.finish().error(), EncodeError::EmptyValue);
  EXPECT_EQ(encoder.error_tag(), 58U);
}

TEST(Encoder, AWriterAboveItCanRefuse) {
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "D");
  encoder.refuse(EncodeError::MissingField, 11);
  encoder.refuse(EncodeError::FieldOrder, 54);
  encoder.text(55, "IBM");
  EXPECT_EQ(encoder.finish().error(), EncodeError::MissingField);
  EXPECT_EQ(encoder.error_tag(), 11U);
  EXPECT_STREQ(to_text(EncodeError::MissingField), "a required field is missing");
  encoder.begin("FIX.4.4", "0");
  EXPECT_EQ(encoder.finish(), make_message("35=0|"));
}

TEST(Encoder, RefusesValuesWithoutText) {
  const std::string bad = to_text(EncodeError::BadValue);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.date(75, {2025, 2, 29}); }), bad);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.decimal(44, {1, 61}); }), bad);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.decimal(44, {1, -61}); }), bad);
  EXPECT_EQ(
      encoded([](Encoder& encoder) { encoder.utc_time(60, {0, 1'000}, TimePrecision::Nanos); }),
      bad);
  EXPECT_EQ(
      encoded([](Encoder& encoder) { encoder.time_of_day(60, {-1, 0}, TimePrecision::Nanos); }),
      bad);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.month_year(60, {2025, 0, 0, 0}); }), bad);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.tenor(60, {'Q', 1}); }), bad);
  EXPECT_EQ(encoded([](Encoder& encoder) {
              encoder.zoned_time(60, {{}, 900, ZoneForm::Offset}, TimePrecision::Nanos);
            }),
            bad);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.raw("58=x"); }), bad);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.begin(std::string(25, 'F'), "D"); }), bad);
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.begin("", "D"); }),
            to_text(EncodeError::EmptyValue));
  EXPECT_EQ(encoded([](Encoder& encoder) { encoder.begin("FIX.4.4", ""); }),
            to_text(EncodeError::EmptyValue));
}

TEST(Encoder, RefusesSohInTextAndSaysWhere) {
  std::array<char, 512> buffer;
  for (const std::string& value :
       {std::string("a\x01"
                    "b"),
        std::string("\x01"), std::string("a\x01"), std::string("a\x01=b")}) {
    Encoder encoder(buffer);
    encoder.begin("FIX.4.4", "D");
    encoder.text(55, "IBM");
    encoder.text(58, value);
    encoder.text(11, "x");
    EXPECT_EQ(encoder.finish().error(), EncodeError::SohInValue);
    EXPECT_EQ(encoder.error_tag(), 58U);
  }
  Encoder injected(buffer);
  injected.begin("FIX.4.4", "D");
  injected.text(58,
                "a\x01"
                "54=2");
  EXPECT_EQ(injected.finish().error(), EncodeError::SohInValue);
  EXPECT_EQ(injected.error_tag(), 58U);
  Encoder in_type(buffer);
  in_type.begin("FIX.4.4", "D\x01");
  EXPECT_EQ(in_type.finish().error(), EncodeError::SohInValue);
  EXPECT_EQ(in_type.error_tag(), 35U);
  Encoder in_version(buffer);
  in_version.begin(
      "FIX\x01"
      "4",
      "D");
  EXPECT_EQ(in_version.finish().error(), EncodeError::SohInValue);
  EXPECT_EQ(in_version.error_tag(), 8U);
  Encoder in_character(buffer);
  in_character.begin("FIX.4.4", "D");
  in_character.character(54, '\x01');
  EXPECT_EQ(in_character.finish().error(), EncodeError::SohInValue);
}

TEST(Encoder, FindsSohAtEveryPlaceOfALongText) {
  std::array<char, 512> buffer;
  for (std::size_t size = 1; size <= 130; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      std::string value(size, 'x');
      value[place] = '\x01';
      Encoder encoder(buffer);
      encoder.begin("FIX.4.4", "D");
      encoder.text(58, value);
      ASSERT_EQ(encoder.finish().error(), EncodeError::SohInValue) << size << ", " << place;
    }
  }
}

TEST(Encoder, DataMayHoldSoh) {
  const std::string bytes(
      "a\x01"
      "10=000\x01=\0b",
      13);
  std::array<char, 512> buffer;
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "B");
  encoder.data(95, 96, bytes);
  encoder.text(58, "x");
  const auto message = encoder.finish();
  ASSERT_TRUE(message.has_value());
  FieldIndexOf<32> index;
  index_message(*message, index);
  EXPECT_TRUE(index.clean());
  const MessageView view(*message, index);
  EXPECT_EQ(view.data(96), bytes);
  EXPECT_EQ(view.integer(95), 13);
  EXPECT_EQ(view.text(58), "x");
  EXPECT_EQ(encoded([](Encoder& empty) { empty.data(95, 96, ""); }),
            to_text(EncodeError::EmptyValue));
}

TEST(Encoder, RawFieldsAreCopiedAsTheyAre) {
  EXPECT_EQ(fields_of([](Encoder& encoder) {
              encoder.raw("");
              encoder.raw(
                  "55=IBM\x01"
                  "54=1\x01");
              encoder.raw("58=" + std::string(200, 'x') + "\x01");
            }),
            "55=IBM|54=1|58=" + std::string(200, 'x') + "|");
}

TEST(Encoder, WritesNothingOutsideItsBufferAndFitsWithOverhead) {
  constexpr char guard = '\x5A';
  const auto write_all = [](Encoder& encoder) {
    write_seed_order(encoder);
    encoder.decimal(44, {1, 60});
    encoder.decimal(44, {-99'999'999, -7});
    encoder.zoned_time(60, {order_time, 330, ZoneForm::Offset}, TimePrecision::Picos);
    encoder.raw("55=IBM\x01");
    encoder.data(95, 96,
                 "a\x01"
                 "b");
    encoder.integer(2'147'483'647, std::numeric_limits<std::int64_t>::min());
    encoder.utc_time(2'147'483'647, order_time, TimePrecision::Picos);
  };
  std::vector<char> whole(4'096);
  Encoder reference(whole);
  write_all(reference);
  const std::size_t size = reference.finish()->size();
  TimeStampCache cache;
  for (std::size_t room = 0; room < size + Encoder::overhead + 8; ++room) {
    std::vector<char> area(room + 128, guard);
    Encoder encoder(std::span<char>(area).subspan(64, room), room % 2 == 0 ? &cache : nullptr);
    write_all(encoder);
    const auto message = encoder.finish();
    for (std::size_t at = 0; at < 64; ++at) {
      ASSERT_EQ(area[at], guard) << room;
      ASSERT_EQ(area[64 + room + at], guard) << room;
    }
    if (message) {
      ASSERT_EQ(message->size(), size);
      ASSERT_GE(message->data(), area.data() + 64);
      ASSERT_LE(message->data() + message->size(), area.data() + 64 + room);
    } else {
      ASSERT_EQ(message.error(), EncodeError::Overflow);
      ASSERT_LT(room, size + Encoder::overhead);
    }
  }
}

TEST(Encoder, TemplatesAndRawsRespectTheLimitToo) {
  HeaderTemplate header("FIXT.1.1");
  header.text(49, std::string(300, 'x'));
  for (std::size_t room = 0; room < 600; ++room) {
    std::vector<char> area(room + 128, '\x5A');
    Encoder encoder(std::span<char>(area).subspan(64, room));
    encoder.begin(header, "D");
    encoder.raw("58=" + std::string(100, 'y') + "\x01");
    const auto message = encoder.finish();
    ASSERT_TRUE(message.has_value() || message.error() == EncodeError::Overflow);
    for (std::size_t at = 0; at < 64; ++at) {
      ASSERT_EQ(area[at], '\x5A') << room;
      ASSERT_EQ(area[64 + room + at], '\x5A') << room;
    }
  }
}

TEST(EncodeErrors, HaveTexts) {
  for (const EncodeError error :
       {EncodeError::None, EncodeError::NotBegun, EncodeError::Overflow, EncodeError::EmptyValue,
        EncodeError::SohInValue, EncodeError::BadValue, EncodeError::UnknownSlot}) {
    EXPECT_STRNE(to_text(error), "unknown encode error");
  }
}

}  // namespace
}  // namespace affix::wire
