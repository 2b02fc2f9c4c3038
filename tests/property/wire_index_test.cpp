// SPDX-License-Identifier: MIT
// Every kernel gives the result of a slow reference for every message, valid or malformed.
#include "support/fix_text.hpp"
#include "support/kernel_comparison.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

namespace {

using affix::support::KernelComparison;
using affix::support::make_message;
using affix::support::trailer_of;
using affix::wire::DataFields;

constexpr std::size_t message_bytes_max = 16384;
constexpr std::uint32_t capacity = 512;

/// A field that may be sent, with values from empty to longer than a block, some with `=`.
rc::Gen<std::string> good_field() {
  const auto tag = rc::gen::weightedOneOf<std::uint32_t>(
      {{10, rc::gen::inRange<std::uint32_t>(11, 89)},
       {5, rc::gen::inRange<std::uint32_t>(100, 1200)},
       {3, rc::gen::inRange<std::uint32_t>(5000, 100000)},
       {1, rc::gen::inRange<std::uint32_t>(100000, 2147483647)}});
  const auto size =
      rc::gen::weightedOneOf<std::size_t>({{20, rc::gen::inRange<std::size_t>(0, 12)},
                                           {5, rc::gen::inRange<std::size_t>(12, 64)},
                                           {1, rc::gen::inRange<std::size_t>(64, 700)}});
  const auto character = rc::gen::weightedOneOf<char>(
      {{20, rc::gen::inRange<char>(' ', '\x7e')},
       {1, rc::gen::just('=')},
       {1,
        rc::gen::map(rc::gen::inRange(2, 256), [](int byte) { return static_cast<char>(byte); })}});
  const auto value = rc::gen::mapcat(size, [character](std::size_t length) {
    return rc::gen::container<std::string>(length, character);
  });
  return rc::gen::apply(
      [](std::uint32_t number, const std::string& text) {
        return std::to_string(number) + "=" + text + "\x01";
      },
      tag, value);
}

rc::Gen<std::string> data_field() {
  const auto pair = rc::gen::elementOf(std::vector<std::pair<int, int>>{
      {95, 96}, {354, 355}, {93, 89}, {1525, 1527}, {41482, 41483}, {43109, 42684}});
  const auto content = rc::gen::container<std::string>(
      rc::gen::weightedOneOf<char>({{3, rc::gen::element('\x01', '=', '1', '0')},
                                    {3, rc::gen::map(rc::gen::inRange(0, 256), [](int byte) {
                                       return static_cast<char>(byte);
                                     })}}));
  const auto error = rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, -1}, {1, 1000000}});
  return rc::gen::apply(
      [](std::pair<int, int> tags, const std::string& bytes, int off) {
        return std::to_string(tags.first) + "=" +
               std::to_string(static_cast<int>(bytes.size()) + off) + "\x01" +
               std::to_string(tags.second) + "=" + bytes + "\x01";
      },
      pair, content, error);
}

rc::Gen<std::string> faulty_field() {
  return rc::gen::element<std::string>("=x\x01", "x\x01", "\x01", "0=x\x01", "00=1\x01", "-5=x\x01",
                                       "5a=\x01", "a5=\x01", "12345a=\x01", "2147483648=1\x01",
                                       "00000=\x01", "=\x01", "==\x01", "00055=x\x01", "0055=x\x01",
                                       "1 2=3\x01", "-=1\x01");
}

std::string joined(const std::vector<std::string>& fields) {
  std::string result = "35=8\x01";
  for (const std::string& field : fields) {
    result += field;
  }
  return result.substr(0, message_bytes_max - 100);
}

RC_GTEST_PROP(WireIndexProperty, KernelsAgreeOnGoodMessages, ()) {
  KernelComparison comparison(message_bytes_max);
  const auto fields = *rc::gen::container<std::vector<std::string>>(good_field());
  std::string body = joined(fields);
  if (body.back() != '\x01') {
    body += '\x01';
  }
  const std::string message =
      make_message(body, *rc::gen::element<std::string>("FIX.4.2", "FIXT.1.1", "FIX.4.4", "X"));
  const std::string differences = comparison.differences(message, capacity, DataFields::standard());
  RC_ASSERT(differences == std::string());
}

RC_GTEST_PROP(WireIndexProperty, KernelsAgreeOnDataFields, ()) {
  KernelComparison comparison(message_bytes_max);
  const auto fields = *rc::gen::container<std::vector<std::string>>(
      rc::gen::weightedOneOf<std::string>({{3, good_field()}, {1, data_field()}}));
  std::string body = joined(fields);
  if (body.back() != '\x01') {
    body += '\x01';
  }
  const std::string differences =
      comparison.differences(make_message(body), capacity, DataFields::standard());
  RC_ASSERT(differences == std::string());
}

RC_GTEST_PROP(WireIndexProperty, KernelsAgreeOnFaults, ()) {
  KernelComparison comparison(message_bytes_max);
  const auto fields = *rc::gen::container<std::vector<std::string>>(
      rc::gen::weightedOneOf<std::string>({{12, good_field()}, {1, faulty_field()}}));
  const std::string differences =
      comparison.differences(make_message(joined(fields)), capacity, DataFields::standard());
  RC_ASSERT(differences == std::string());
}

RC_GTEST_PROP(WireIndexProperty, KernelsAgreeOnDamagedMessages, ()) {
  KernelComparison comparison(message_bytes_max);
  const auto fields = *rc::gen::container<std::vector<std::string>>(good_field());
  std::string message = make_message(joined(fields));
  const auto damages = *rc::gen::inRange(1, 4);
  for (int damage = 0; damage < damages && !message.empty(); ++damage) {
    const auto at = *rc::gen::inRange<std::size_t>(0, message.size());
    const char byte = *rc::gen::element('\x01', '=', '0', '1', '9', '-', 'a', '\x80', '\0');
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        message[at] = byte;
        break;
      case 1:
        message.insert(at, 1, byte);
        break;
      case 2:
        message.erase(at, 1 + *rc::gen::inRange<std::size_t>(0, 8));
        break;
      default:
        message.resize(at);
        break;
    }
  }
  // Half of them get a correct checksum for the rest, so that only the damage itself matters.
  if (*rc::gen::arbitrary<bool>() && message.size() > 7) {
    message.resize(message.size() - 7);
    message += trailer_of(message);
  }
  const std::string differences = comparison.differences(message, capacity, DataFields::standard());
  RC_ASSERT(differences == std::string());
}

RC_GTEST_PROP(WireIndexProperty, KernelsAgreeOnSoupOfMeaningfulBytes, ()) {
  KernelComparison comparison(message_bytes_max);
  const auto soup =
      *rc::gen::container<std::string>(rc::gen::element('\x01', '=', '1', '0', '8', '9', '5', 'x'));
  std::string message = soup;
  if (*rc::gen::arbitrary<bool>()) {
    message = make_message(soup);
  }
  const std::string differences = comparison.differences(
      message, *rc::gen::inRange<std::uint32_t>(0, 200), DataFields::standard());
  RC_ASSERT(differences == std::string());
}

/// Sizes and positions where blocks, chunks and groups of the kernels begin and end.
TEST(WireIndexSweep, KernelsAgreeAtEveryMessageSize) {
  KernelComparison comparison(message_bytes_max);
  for (std::size_t size = 0; size < 1200; ++size) {
    const std::string one_long = make_message(
        "35=8\x01"
        "58=" +
        std::string(size, 'x') + "\x01");
    ASSERT_EQ(comparison.differences(one_long, capacity, DataFields::standard()), "") << size;
    std::string many = "35=8\x01";
    while (many.size() < size) {
      many += "44=1.5\x01";
    }
    many += "58=" + std::string(size % 13, 'y') + "\x01";
    ASSERT_EQ(comparison.differences(make_message(many), capacity, DataFields::standard()), "")
        << size;
  }
}

TEST(WireIndexSweep, KernelsAgreeAtEveryFieldCountAndCapacity) {
  KernelComparison comparison(message_bytes_max);
  for (std::size_t fields = 0; fields < 160; ++fields) {
    std::string body = "35=8\x01";
    for (std::size_t field = 0; field < fields; ++field) {
      body += field % 3 == 0 ? "1=\x01" : "22=a\x01";
    }
    const std::string message = make_message(body);
    for (const std::uint32_t room :
         {0U, 1U, 2U, 3U, 7U, 16U, 31U, 32U, 33U, 63U, 64U, 65U, 100U, 163U, 164U, 400U}) {
      ASSERT_EQ(comparison.differences(message, room, DataFields::standard()), "")
          << fields << " in " << room;
    }
  }
}

TEST(WireIndexSweep, KernelsAgreeOnEveryByteInEveryPlace) {
  KernelComparison comparison(message_bytes_max);
  const std::string good = make_message(
      "35=8\x01"
      "34=12\x01"
      "49=A\x01"
      "56=B\x01"
      "1128=9\x01"
      "55=MSFT\x01"
      "5001=x\x01"
      "10001=y\x01"
      "44=1.25\x01");
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string message = good;
      message[at] = static_cast<char>(byte);
      ASSERT_EQ(comparison.differences(message, capacity, DataFields::standard()), "")
          << at << " " << byte;
      if (at + 7 < good.size()) {
        message.resize(message.size() - 7);
        message += trailer_of(message);
        ASSERT_EQ(comparison.differences(message, capacity, DataFields::standard()), "")
            << at << " " << byte << " summed";
      }
    }
  }
}

TEST(WireIndexSweep, KernelsAgreeOnFaultsAtEveryOffset) {
  KernelComparison comparison(message_bytes_max);
  for (const char* fault :
       {"=x", "x", "", "0=x", "0000=x", "-5=x", "5a=x", "12x45=x", "99999999999=x", "00055=x",
        "==", "1234567=ok", "20010=ok", "1000000=ok",
        "12345=ok\x01"
        "0=x",
        "20010=ok\x01"
        "5a=x"}) {
    for (std::size_t offset = 0; offset < 330; ++offset) {
      const std::string message = make_message(
          "35=8\x01"
          "58=" +
          std::string(offset, 'v') + "\x01" + std::string(fault) +
          "\x01"
          "59=" +
          std::string(offset % 70, 'w') + "\x01");
      ASSERT_EQ(comparison.differences(message, capacity, DataFields::standard()), "")
          << fault << " at " << offset;
    }
  }
}

/// Lengths that end at every byte of the rest, including its last one and the one after it.
TEST(WireIndexSweep, KernelsAgreeOnEveryDataLength) {
  KernelComparison comparison(message_bytes_max);
  for (const std::size_t before : {0U, 30U, 200U, 400U}) {
    for (std::size_t length = 0; length < 60; ++length) {
      const std::string message =
          make_message("35=8|58=" + std::string(before, 'v') + "|95=" + std::to_string(length) +
                       "|96=ab|c=d||1=2|59=0|");
      ASSERT_EQ(comparison.differences(message, capacity, DataFields::standard()), "")
          << length << " behind " << before;
    }
  }
}

TEST(WireIndexSweep, KernelsAgreeOnTrailersAndLengths) {
  KernelComparison comparison(message_bytes_max);
  const std::string good = make_message(
      "35=8\x01"
      "34=12\x01"
      "49=SENDER\x01"
      "56=TARGET\x01");
  const std::string head = good.substr(0, good.size() - 7);
  for (int sum = 0; sum < 1000; ++sum) {
    char trailer[8];
    std::snprintf(trailer, sizeof trailer, "10=%03d\x01", sum);
    ASSERT_EQ(
        comparison.differences(head + std::string(trailer, 7), capacity, DataFields::standard()),
        "")
        << sum;
  }
  for (const char* length : {"0",
                             "1",
                             "5",
                             "35",
                             "035",
                             "0035",
                             "00035",
                             "000035",
                             "0000035",
                             "00000035",
                             "000000000035",
                             "36",
                             "34",
                             "9999",
                             "10000035",
                             "4294967331",
                             "3:",
                             ":5",
                             "3 ",
                             "",
                             "x",
                             "-35",
                             "99999999999999999999"}) {
    std::string message = std::string(
                              "8=FIX.4.4\x01"
                              "9=") +
                          length +
                          "\x01"
                          "35=8\x01"
                          "34=12\x01"
                          "49=SENDER\x01"
                          "56=TARGET\x01";
    message += trailer_of(message);
    ASSERT_EQ(comparison.differences(message, capacity, DataFields::standard()), "") << length;
  }
}

}  // namespace
