// SPDX-License-Identifier: MIT
#include "affix/wire/convert.hpp"

#include "unit/wire/expect_error.hpp"

#include <ctime>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace affix::wire {
namespace {

using base::CivilDate;
using base::ns_per_second;
using base::UtcTime;

/// Calls `parse` with the text in a block of exactly its size, so that a sanitizer sees a read
/// outside it.
template <typename Parse>
auto exactly(std::string_view text, Parse parse) {
  const auto bytes = std::make_unique<char[]>(text.size());
  text.copy(bytes.get(), text.size());
  return parse(std::string_view(bytes.get(), text.size()));
}

Result<UtcTime> utc(std::string_view text) {
  return exactly(text, parse_utc_time);
}

constexpr std::int64_t at_2025_12_31_18_21_36 = 1'767'205'296 * ns_per_second;

TEST(ConvertUtcTime, ReadsEveryPrecision) {
  EXPECT_EQ(utc("20251231-18:21:36"), (UtcTime{at_2025_12_31_18_21_36, 0}));
  const std::string digits = "457245600789";
  std::int64_t picoseconds = 0;
  for (std::size_t count = 1; count <= 12; ++count) {
    std::string padded = digits.substr(0, count);
    padded.resize(12, '0');
    picoseconds = std::stoll(padded);
    EXPECT_EQ(utc("20251231-18:21:36." + digits.substr(0, count)),
              (UtcTime{at_2025_12_31_18_21_36 + picoseconds / 1'000,
                       static_cast<std::uint16_t>(picoseconds % 1'000)}))
        << count;
  }
}

TEST(ConvertUtcTime, LeapSecondIsTheNextMinutesFirst) {
  EXPECT_EQ(utc("20161231-23:59:60"), utc("20170101-00:00:00"));
  EXPECT_EQ(utc("20161231-23:59:60.5"), utc("20170101-00:00:00.5"));
}

TEST(ConvertUtcTime, RefusesWrongTexts) {
  for (const char* text : {"20251231",
                           "20251231-",
                           "20251231-18:21",
                           "20251231-18:21:3",
                           "20251231-18:21:36.",
                           "20251231-18:21:36.x",
                           "20251231-18:21:36.12x",
                           "20251231-18:21:36.123456789x",
                           "20251231-18:21:36.1234567890123x",
                           "20251231-18:21:36Z",
                           "20251231-18:21:36,123",
                           "20251231 18:21:36",
                           "20251231T18:21:36",
                           "2025123118:21:36.1",
                           "20251231-18.21.36",
                           "2025-12-31-18:21:3",
                           "20251231-1821:36.1",
                           "x0251231-18:21:36",
                           "2025123x-18:21:36",
                           "20251231-x8:21:36",
                           "20251231-18821:36",
                           "20251231-18:21836",
                           "20251231-18:21:3x",
                           "20251231-18:21:36 ",
                           " 20251231-18:21:36"}) {
    expect_error(utc(text), FieldError::Format, text);
  }
  expect_error(utc(""), FieldError::Empty, "");
}

TEST(ConvertUtcTime, RefusesTimesThatDoNotExist) {
  for (const char* text :
       {"20250001-00:00:00", "20251301-00:00:00", "20250100-00:00:00", "20250132-00:00:00",
        "20250431-00:00:00", "20250229-00:00:00", "19000229-00:00:00", "20250101-24:00:00",
        "20250101-00:60:00", "20250101-00:00:61", "20259999-00:00:00", "20250101-99:99:99"}) {
    expect_error(utc(text), FieldError::Format, text);
  }
  EXPECT_TRUE(utc("20240229-00:00:00").has_value());
  EXPECT_TRUE(utc("20000229-00:00:00").has_value());
}

TEST(ConvertUtcTime, EveryWrongByteAtEveryPlaceIsRefused) {
  // With and without the minute known from the stamp before.
  for (const char* before : {"20251121-11:11:00", "20240229-23:59:00"}) {
    for (const std::string right :
         {"20251121-11:11:11", "20251121-11:11:11.1", "20251121-11:11:11.111",
          "20251121-11:11:11.111111", "20251121-11:11:11.111111111",
          "20251121-11:11:11.111111111111"}) {
      for (std::size_t at = 0; at < right.size(); ++at) {
        for (int byte = 0; byte < 256; ++byte) {
          std::string text = right;
          text[at] = static_cast<char>(byte);
          const bool digit_place = right[at] >= '0' && right[at] <= '9';
          const bool digit = byte >= '0' && byte <= '9';
          if (digit != digit_place && text != right) {
            ASSERT_TRUE(utc(before).has_value());
            ASSERT_FALSE(utc(text).has_value()) << text;
          }
        }
      }
    }
  }
}

TEST(ConvertUtcTime, StampsOfOneMinuteAndOfManyReadTheSame) {
  const std::string minutes[] = {"20251231-18:21:", "20251231-18:22:", "20260101-18:21:",
                                 "19691231-23:59:", "20251231-18:21:"};
  const std::string seconds[] = {
      "00", "07", "59", "60", "36.5", "36.457", "36.457812", "36.457812345", "36.457812345678"};
  for (const std::string& minute : minutes) {
    const std::int64_t begin = utc(minute + "00").value().ns;
    for (const std::string& second : seconds) {
      // Another minute in between makes no difference.
      const auto again = utc(minute + second);
      ASSERT_TRUE(utc("20200101-00:00:00").has_value());
      const auto first = utc(minute + second);
      ASSERT_TRUE(first.has_value()) << minute << second;
      EXPECT_EQ(again, first) << minute << second;
      EXPECT_EQ((first->ns - begin) / ns_per_second, std::stoi(second.substr(0, 2)));
      EXPECT_TRUE(utc(minute + "00").has_value());
    }
    for (const char* wrong : {"61", "6a", "a1", "36.", "36,457", "36.4a7", "36.45a", "70.000",
                              "61.000", "36.457812a", "36.45781234a", "/0.000", "36.45/"}) {
      expect_error(utc(minute + wrong), FieldError::Format, wrong);
    }
  }
}

TEST(ConvertUtcTime, BytesOfZeroAreNoTime) {
  for (const std::size_t size : {17U, 21U, 24U}) {
    std::string text(size, '\0');
    text.replace(15, 2, "00");
    if (size > 17) {
      text.replace(17, size - 17, ".000000", size - 17);
    }
    expect_error(utc(text), FieldError::Format, "zeros");
  }
}

TEST(ConvertUtcTime, RangeEndsAreExact) {
  EXPECT_EQ(utc("22620411-23:47:16.854775807"),
            (UtcTime{std::numeric_limits<std::int64_t>::max(), 0}));
  EXPECT_EQ(utc("22620411-23:47:16.854775807999"),
            (UtcTime{std::numeric_limits<std::int64_t>::max(), 999}));
  EXPECT_EQ(utc("16770921-00:12:43.145224192"),
            (UtcTime{std::numeric_limits<std::int64_t>::min(), 0}));
  for (const char* text :
       {"22620411-23:47:16.854775808", "22620412-00:00:00", "99991231-23:59:60",
        "16770921-00:12:43.145224191", "00000101-00:00:00", "20251231-18:21:36.1234567890123"}) {
    expect_error(utc(text), FieldError::Range, text);
  }
}

TEST(ConvertUtcTime, AgreesWithTheCLibraryOnEveryDayOfSixCenturies) {
  char out[utc_time_room];
  for (std::int64_t day = -106'750; day < 106'750; ++day) {
    const std::time_t seconds = day * 86'400 + (day * day) % 86'400;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char expected[32];
    ASSERT_EQ(std::strftime(expected, sizeof expected, "%Y%m%d-%H:%M:%S", &parts), 17U);
    const UtcTime time{seconds * ns_per_second, 0};
    ASSERT_EQ((std::string(out, format_utc_time(time, TimePrecision::Seconds, out))), expected);
    ASSERT_EQ(utc(expected), time) << expected;
  }
}

std::string written(UtcTime time, TimePrecision precision) {
  char out[utc_time_room];
  return {out, format_utc_time(time, precision, out)};
}

TEST(ConvertUtcTime, IsWrittenAtEveryPrecisionAndCutOff) {
  const UtcTime time{at_2025_12_31_18_21_36 + 457'999'999, 999};
  EXPECT_EQ(written(time, TimePrecision::Seconds), "20251231-18:21:36");
  EXPECT_EQ(written(time, TimePrecision::Millis), "20251231-18:21:36.457");
  EXPECT_EQ(written(time, TimePrecision::Micros), "20251231-18:21:36.457999");
  EXPECT_EQ(written(time, TimePrecision::Nanos), "20251231-18:21:36.457999999");
  EXPECT_EQ(written(time, TimePrecision::Picos), "20251231-18:21:36.457999999999");
}

TEST(ConvertUtcTime, TimesBefore1970AreWritten) {
  EXPECT_EQ(written({-1, 1}, TimePrecision::Picos), "19691231-23:59:59.999999999001");
  EXPECT_EQ(written({std::numeric_limits<std::int64_t>::min(), 0}, TimePrecision::Nanos),
            "16770921-00:12:43.145224192");
  EXPECT_EQ(written({std::numeric_limits<std::int64_t>::max(), 0}, TimePrecision::Nanos),
            "22620411-23:47:16.854775807");
}

TEST(ConvertUtcTime, TooManyPicosecondsHaveNoText) {
  EXPECT_EQ(written({0, 1'000}, TimePrecision::Picos), "");
}

TEST(ConvertDate, ReadsDaysThatExist) {
  EXPECT_EQ(exactly("20240229", parse_date), (CivilDate{2024, 2, 29}));
  EXPECT_EQ(exactly("00000101", parse_date), (CivilDate{0, 1, 1}));
  EXPECT_EQ(exactly("99991231", parse_date), (CivilDate{9999, 12, 31}));
  for (const char* text :
       {"20250229", "20251301", "20250100", "2025010", "202501011", "2025-1-1", "yyyymmdd"}) {
    expect_error(exactly(text, parse_date), FieldError::Format, text);
  }
  expect_error(exactly("", parse_date), FieldError::Empty, "");
}

TEST(ConvertDate, IsWritten) {
  char out[date_room];
  EXPECT_EQ((std::string(out, format_date({2024, 2, 29}, out))), "20240229");
  EXPECT_EQ((std::string(out, format_date({7, 1, 2}, out))), "00070102");
  for (const CivilDate date :
       {CivilDate{2025, 2, 29}, CivilDate{2025, 0, 1}, CivilDate{2025, 13, 1},
        CivilDate{2025, 1, 0}, CivilDate{-1, 1, 1}, CivilDate{10'000, 1, 1}}) {
    EXPECT_EQ(format_date(date, out), 0U);
  }
}

TEST(ConvertTimeOfDay, ReadsAndWrites) {
  EXPECT_EQ(exactly("00:00:00", parse_time_of_day), (TimeOfDay{0, 0}));
  EXPECT_EQ(exactly("23:59:60", parse_time_of_day), (TimeOfDay{86'400 * ns_per_second, 0}));
  EXPECT_EQ(exactly("12:34:56.789", parse_time_of_day), (TimeOfDay{45'296'789'000'000, 0}));
  EXPECT_EQ(exactly("12:34:56.000000000001", parse_time_of_day),
            (TimeOfDay{45'296 * ns_per_second, 1}));
  char out[utc_time_room];
  EXPECT_EQ(
      (std::string(out, format_time_of_day({45'296'789'000'000, 7}, TimePrecision::Picos, out))),
      "12:34:56.789000000007");
  EXPECT_EQ((std::string(
                out, format_time_of_day({86'400 * ns_per_second, 0}, TimePrecision::Seconds, out))),
            "23:59:60");
  EXPECT_EQ(format_time_of_day({-1, 0}, TimePrecision::Seconds, out), 0U);
  EXPECT_EQ(format_time_of_day({86'401 * ns_per_second, 0}, TimePrecision::Seconds, out), 0U);
  EXPECT_EQ(format_time_of_day({0, 1'000}, TimePrecision::Seconds, out), 0U);
  for (const char* text : {"24:00:00", "00:60:00", "00:00:61", "12:34", "12:34:56.", "12:34:56x",
                           "12:34:56.x", "1:2:3"}) {
    expect_error(exactly(text, parse_time_of_day), FieldError::Format, text);
  }
  expect_error(exactly("12:34:56.1234567890123", parse_time_of_day), FieldError::Range,
               "13 digits");
  expect_error(exactly("", parse_time_of_day), FieldError::Empty, "");
}

TEST(ConvertZonedTime, ReadsTheStandardsExamples) {
  const std::int64_t utc_0739 = 1'157'096'340 * ns_per_second;  // 2006-09-01T07:39Z
  EXPECT_EQ(exactly("20060901-07:39Z", parse_zoned_time),
            (ZonedTime{{utc_0739, 0}, 0, ZoneForm::Utc}));
  EXPECT_EQ(exactly("20060901-02:39-05", parse_zoned_time),
            (ZonedTime{{utc_0739, 0}, -300, ZoneForm::Offset}));
  EXPECT_EQ(exactly("20060901-15:39+08", parse_zoned_time),
            (ZonedTime{{utc_0739, 0}, 480, ZoneForm::Offset}));
  EXPECT_EQ(exactly("20060901-13:09+05:30", parse_zoned_time),
            (ZonedTime{{utc_0739, 0}, 330, ZoneForm::Offset}));
  EXPECT_EQ(exactly("20060901-13:09:00.123456789012+05:30", parse_zoned_time),
            (ZonedTime{{utc_0739 + 123'456'789, 12}, 330, ZoneForm::Offset}));
  EXPECT_EQ(exactly("20060901-07:39", parse_zoned_time),
            (ZonedTime{{utc_0739, 0}, 0, ZoneForm::None}));
}

TEST(ConvertZonedTime, RefusesWrongZones) {
  for (const char* text :
       {"20060901-07:39z", "20060901-07:39ZZ", "20060901-07:39+", "20060901-07:39+5",
        "20060901-07:39+15", "20060901-07:39+14:01", "20060901-07:39+05:60", "20060901-07:39+05:3",
        "20060901-07:39+0530", "20060901-07:39 +05", "20060901-07:39:", "20060901-07:3",
        "20060901-07:39:61Z", "20060901-07:39:00.Z", "20060901-07:39.5Z", "20060931-07:39Z",
        "20060901-24:39Z", "20060901"}) {
    expect_error(exactly(text, parse_zoned_time), FieldError::Format, text);
  }
  expect_error(exactly("", parse_zoned_time), FieldError::Empty, "");
  expect_error(exactly("99990901-07:39Z", parse_zoned_time), FieldError::Range, "year 9999");
  const std::string too_fine = "20060901-07:39:00.1234567890123";
  for (const char* zone : {"", "Z", "+05", "-05:30"}) {
    expect_error(exactly(too_fine + zone, parse_zoned_time), FieldError::Range, zone);
    expect_error(exactly(too_fine.substr(9) + zone, parse_zoned_time_of_day), FieldError::Range,
                 zone);
  }
  for (const char* no_zone : {"z", "ZZ", "+", "+15", "x", " "}) {
    expect_error(exactly(too_fine + no_zone, parse_zoned_time), FieldError::Format, no_zone);
    expect_error(exactly(too_fine.substr(9) + no_zone, parse_zoned_time_of_day), FieldError::Format,
                 no_zone);
  }
}

TEST(ConvertZonedTime, IsWrittenInItsZone) {
  char out[zoned_time_room];
  const UtcTime time{1'157'096'340 * ns_per_second + 5, 0};
  EXPECT_EQ((std::string(
                out, format_zoned_time({time, 330, ZoneForm::Offset}, TimePrecision::Nanos, out))),
            "20060901-13:09:00.000000005+05:30");
  EXPECT_EQ((std::string(out, format_zoned_time({time, -840, ZoneForm::Offset},
                                                TimePrecision::Seconds, out))),
            "20060831-17:39:00-14:00");
  EXPECT_EQ(
      (std::string(out, format_zoned_time({time, 0, ZoneForm::Utc}, TimePrecision::Seconds, out))),
      "20060901-07:39:00Z");
  EXPECT_EQ(
      (std::string(out, format_zoned_time({time, 0, ZoneForm::None}, TimePrecision::Seconds, out))),
      "20060901-07:39:00");
  EXPECT_EQ(format_zoned_time({time, 841, ZoneForm::Offset}, TimePrecision::Seconds, out), 0U);
  EXPECT_EQ(format_zoned_time({time, 1, ZoneForm::Utc}, TimePrecision::Seconds, out), 0U);
  EXPECT_EQ(format_zoned_time({{0, 1'000}, 0, ZoneForm::Utc}, TimePrecision::Seconds, out), 0U);
}

TEST(ConvertZonedTimeOfDay, ReadsAndWrites) {
  const TimeOfDay local{(7 * 3'600 + 39 * 60) * ns_per_second, 0};
  EXPECT_EQ(exactly("07:39Z", parse_zoned_time_of_day), (ZonedTimeOfDay{local, 0, ZoneForm::Utc}));
  EXPECT_EQ(exactly("07:39-05", parse_zoned_time_of_day),
            (ZonedTimeOfDay{local, -300, ZoneForm::Offset}));
  EXPECT_EQ(exactly("07:39:00.5+05:30", parse_zoned_time_of_day),
            (ZonedTimeOfDay{{local.ns + 500'000'000, 0}, 330, ZoneForm::Offset}));
  EXPECT_EQ(exactly("07:39", parse_zoned_time_of_day), (ZonedTimeOfDay{local, 0, ZoneForm::None}));
  for (const char* text : {"7:39Z", "07:39Zx", "24:00Z", "07:60Z", "07", "0739Z"}) {
    expect_error(exactly(text, parse_zoned_time_of_day), FieldError::Format, text);
  }
  expect_error(exactly("", parse_zoned_time_of_day), FieldError::Empty, "");
  char out[zoned_time_room];
  EXPECT_EQ((std::string(out, format_zoned_time_of_day({local, -330, ZoneForm::Offset},
                                                       TimePrecision::Millis, out))),
            "07:39:00.000-05:30");
  EXPECT_EQ(format_zoned_time_of_day({{-1, 0}, 0, ZoneForm::Utc}, TimePrecision::Millis, out), 0U);
}

TEST(ConvertMonthYear, ReadsAllForms) {
  EXPECT_EQ(exactly("202512", parse_month_year), (MonthYear{2025, 12, 0, 0}));
  EXPECT_EQ(exactly("20251231", parse_month_year), (MonthYear{2025, 12, 31, 0}));
  EXPECT_EQ(exactly("202512w5", parse_month_year), (MonthYear{2025, 12, 0, 5}));
  for (const char* text : {"202500", "202513", "20251232", "20250229", "202512w0", "202512w6",
                           "202512W1", "20251", "2025121", "202512w12", "2025-12", "xxxxxx"}) {
    expect_error(exactly(text, parse_month_year), FieldError::Format, text);
  }
  expect_error(exactly("", parse_month_year), FieldError::Empty, "");
}

TEST(ConvertMonthYear, IsWritten) {
  char out[date_room];
  EXPECT_EQ((std::string(out, format_month_year({2025, 12, 0, 0}, out))), "202512");
  EXPECT_EQ((std::string(out, format_month_year({2025, 12, 31, 0}, out))), "20251231");
  EXPECT_EQ((std::string(out, format_month_year({2025, 12, 0, 5}, out))), "202512w5");
  EXPECT_EQ(format_month_year({2025, 13, 0, 0}, out), 0U);
  EXPECT_EQ(format_month_year({2025, 2, 30, 0}, out), 0U);
  EXPECT_EQ(format_month_year({2025, 2, 0, 6}, out), 0U);
  EXPECT_EQ(format_month_year({2025, 2, 1, 1}, out), 0U);
  EXPECT_EQ(format_month_year({10'000, 2, 1, 0}, out), 0U);
}

}  // namespace
}  // namespace affix::wire
