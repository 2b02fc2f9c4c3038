// SPDX-License-Identifier: MIT
// Capture files in both formats and byte orders, whole, cut and wrong.
#include "log/capture_file.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::log {

namespace {

constexpr std::uint32_t ethernet = 1;
constexpr std::int64_t second_ns = 1'000'000'000;

/// Numbers in this machine's byte order, or in the other.
struct Writer {
  bool swapped = false;

  template <typename Number>
  [[nodiscard]] std::string number(Number value) const {
    value = swapped ? std::byteswap(value) : value;
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }

  [[nodiscard]] std::string word(std::uint32_t value) const { return number(value); }

  [[nodiscard]] std::string half(std::uint16_t value) const { return number(value); }

  [[nodiscard]] std::string header(std::uint32_t magic, std::uint32_t link = ethernet) const {
    return word(magic) + half(2) + half(4) + word(0) + word(0) + word(65'535) + word(link);
  }

  [[nodiscard]] std::string record(std::uint32_t seconds, std::uint32_t fraction,
                                   const std::string& frame) const {
    const auto size = static_cast<std::uint32_t>(frame.size());
    return word(seconds) + word(fraction) + word(size) + word(size) + frame;
  }

  [[nodiscard]] std::string block(std::uint32_t type, std::string body) const {
    body.resize((body.size() + 3) / 4 * 4);
    const std::string size = word(static_cast<std::uint32_t>(body.size() + 12));
    return word(type) + size + body + size;
  }

  [[nodiscard]] std::string section() const {
    return block(0x0A0D0D0A, word(0x1A2B3C4D) + half(1) + half(0) + std::string(8, '\xFF'));
  }

  [[nodiscard]] std::string interface(std::uint16_t link, const std::string& options = {}) const {
    return block(1, half(link) + half(0) + word(65'535) + options);
  }

  [[nodiscard]] std::string option(std::uint16_t code, std::string value) const {
    const std::string head = half(code) + half(static_cast<std::uint16_t>(value.size()));
    value.resize((value.size() + 3) / 4 * 4);
    return head + value;
  }

  [[nodiscard]] std::string packet(std::uint32_t interface, std::uint64_t units,
                                   const std::string& frame) const {
    const auto size = static_cast<std::uint32_t>(frame.size());
    return block(6, word(interface) + word(static_cast<std::uint32_t>(units >> 32)) +
                        word(static_cast<std::uint32_t>(units)) + word(size) + word(size) + frame);
  }
};

constexpr Writer native{};
constexpr Writer foreign{.swapped = true};

struct Read {
  std::vector<std::int64_t> times{};
  std::vector<std::string> frames{};
  std::string problem{};
};

Read read(const std::string& bytes) {
  Read read;
  auto file = CaptureFile::open(ByteWindow::of_bytes(bytes, "capture"), "capture");
  if (!file) {
    read.problem = file.error().sentence();
    return read;
  }
  while (const auto packet = file->next()) {
    read.times.push_back(packet->utc_ns);
    read.frames.emplace_back(packet->link == LinkType::Ethernet ? packet->frame : "another link");
  }
  read.problem = file->problem();
  return read;
}

using Times = std::vector<std::int64_t>;
using Frames = std::vector<std::string>;

}  // namespace

TEST(CaptureFile, TheOlderFormatIsReadInBothByteOrdersAndPrecisions) {
  for (const Writer& writer : {native, foreign}) {
    const Read micro =
        read(writer.header(0xA1B2C3D4) + writer.record(7, 5, "one") + writer.record(8, 0, ""));
    EXPECT_EQ(micro.frames, (Frames{"one", ""}));
    EXPECT_EQ(micro.times, (Times{7 * second_ns + 5'000, 8 * second_ns}));
    EXPECT_EQ(micro.problem, "");
    const Read nano = read(writer.header(0xA1B23C4D) + writer.record(0xFFFFFFFF, 5, "one"));
    EXPECT_EQ(nano.times, Times{0xFFFFFFFF * second_ns + 5});
  }
}

TEST(CaptureFile, BitsBesideTheLinkAreNoPartOfIt) {
  EXPECT_EQ(
      read(native.header(0xA1B2C3D4, 0x54000000 | ethernet) + native.record(1, 1, "one")).frames,
      Frames{"one"});
}

TEST(CaptureFile, ACutFileEndsWithAProblemAfterItsWholePackets) {
  const std::string whole =
      native.header(0xA1B2C3D4) + native.record(1, 0, "one") + native.record(2, 0, "two");
  for (std::size_t cut = 1; cut < 19; ++cut) {
    const Read cut_off = read(whole.substr(0, whole.size() - cut));
    EXPECT_EQ(cut_off.frames, Frames{"one"}) << cut;
    EXPECT_EQ(cut_off.problem, "capture: ends within a packet") << cut;
  }
}

TEST(CaptureFile, ALengthThatNoPacketHasEndsTheFile) {
  const Read wrong = read(native.header(0xA1B2C3D4) + native.word(1) + native.word(0) +
                          native.word(262'145) + native.word(262'145) + std::string(300'000, ' '));
  EXPECT_EQ(wrong.frames, Frames{});
  EXPECT_EQ(wrong.problem, "capture: a packet is longer than 256 KiB");
}

TEST(CaptureFile, BlocksAreReadInBothByteOrders) {
  for (const Writer& writer : {native, foreign}) {
    const Read both = read(writer.section() + writer.block(5, "statistics") +
                           writer.interface(ethernet) + writer.packet(0, 7'000'005, "one") +
                           writer.block(4, "names") + writer.packet(0, 8'000'000, "four"));
    EXPECT_EQ(both.frames, (Frames{"one", "four"}));
    EXPECT_EQ(both.times, (Times{7 * second_ns + 5'000, 8 * second_ns}));
    EXPECT_EQ(both.problem, "");
  }
}

TEST(CaptureFile, ASectionHasItsOwnByteOrderAndInterfaces) {
  const Read both =
      read(native.section() + native.interface(ethernet) + native.packet(0, 1'000'000, "one") +
           foreign.section() + foreign.interface(9'999) + foreign.interface(ethernet) +
           foreign.packet(1, 2'000'000, "two") + foreign.packet(0, 1, "skipped"));
  EXPECT_EQ(both.frames, (Frames{"one", "two", "another link"}));
  EXPECT_EQ(both.problem, "");
}

TEST(CaptureFile, TimeStampsHaveTheResolutionAndOffsetOfTheirInterface) {
  for (const Writer& writer : {native, foreign}) {
    const auto time_of = [&writer](const std::string& options, std::uint64_t units) {
      const Read one = read(writer.section() + writer.interface(ethernet, options) +
                            writer.packet(0, units, "one"));
      return one.times.size() == 1 ? one.times.front() : -1;
    };
    const auto resolution = [&writer](char value) { return writer.option(9, {value}); };
    EXPECT_EQ(time_of(resolution(9), 7'000'000'005), 7 * second_ns + 5);
    EXPECT_EQ(time_of(resolution(0), 7), 7 * second_ns);
    EXPECT_EQ(time_of(resolution(12), 7'000'000'005'999), 7 * second_ns + 5);
    EXPECT_EQ(time_of(resolution('\x81'), 15), 7 * second_ns + second_ns / 2);
    EXPECT_EQ(time_of(resolution('\xBF'), (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62)),
              second_ns + second_ns / 2);
    const std::string offset = writer.option(14, writer.number(std::int64_t{-3}));
    EXPECT_EQ(time_of(offset + resolution(9), 7'000'000'005), 4 * second_ns + 5);
    EXPECT_EQ(time_of(resolution(0), ~std::uint64_t{0}), 9'000'000'000 * second_ns)
        << "later than a time can be";
    EXPECT_EQ(time_of(resolution(20), 1), -1);
    EXPECT_EQ(time_of(resolution('\xC0'), 1), -1);
  }
}

TEST(CaptureFile, OlderAndSimplePacketsAreReadToo) {
  const Read both =
      read(native.section() + native.interface(ethernet) + native.block(3, native.word(3) + "one") +
           native.block(2, native.half(0) + native.half(9) + native.word(0) + native.word(5) +
                               native.word(4) + native.word(9) + "four"));
  EXPECT_EQ(both.frames, (Frames{"one", "four"}));
  EXPECT_EQ(both.times, (Times{0, 5'000}));
}

TEST(CaptureFile, WrongBlocksEndTheFileWithAProblem) {
  const std::string begin = native.section() + native.interface(ethernet);
  for (const auto& [bytes, problem] : std::vector<std::pair<std::string, std::string>>{
           {native.packet(1, 1, "one"), "a packet is described wrongly"},
           {native.block(6, "short"), "a packet is described wrongly"},
           {native.block(6, native.word(0) + std::string(8, '\0') + native.word(5) +
                                native.word(5) + "four"),
            "a packet is described wrongly"},
           {native.word(6) + native.word(8) + native.word(8), "a block has a wrong length"},
           {native.word(6) + native.word(33) + std::string(40, ' '), "a block has a wrong length"},
           {native.word(6) + native.word(0xFFFFFFF0) + std::string(40, ' '),
            "a block has a wrong length"},
           {native.block(0x0A0D0D0A, "nothing of it"), "a section begins wrongly"},
           {native.block(1, "four"), "an interface is described wrongly"},
           {native.packet(0, 1, "one").substr(0, 30), "ends within a packet"}}) {
    const Read wrong = read(begin + bytes + native.packet(0, 1, "after"));
    if (problem != "ends within a packet") {
      EXPECT_EQ(wrong.problem, "capture: " + problem);
      EXPECT_EQ(wrong.frames, Frames{});
    }
    EXPECT_EQ(read(begin + bytes.substr(0, bytes.size() - 1)).frames, Frames{});
  }
  EXPECT_EQ(read(begin + native.packet(0, 1, "one").substr(0, 30)).problem,
            "capture: ends within a packet");
}

TEST(CaptureFile, AFileThatCannotBeOpenedNamesTheReason) {
  EXPECT_EQ(read("").problem, "capture: is not a capture file");
  EXPECT_EQ(read("text").problem, "capture: is not a capture file");
  EXPECT_EQ(read(native.header(0xA1B2C3D4).substr(0, 23)).problem,
            "capture: is not a capture file");
  EXPECT_EQ(read(native.header(0xA1B2C3D4, 147)).problem,
            "capture: captured on a link of type 147");
  EXPECT_EQ(read(native.section()).problem, "capture: has no interface");
  EXPECT_EQ(read(native.section() + foreign.interface(147)).problem,
            "capture: a block has a wrong length");
  EXPECT_EQ(read(foreign.section() + foreign.interface(147)).problem,
            "capture: captured on a link of type 147");
}

TEST(CaptureFile, AnyByteMayBeWrong) {
  const std::string good = foreign.section() +
                           foreign.interface(ethernet, foreign.option(9, {'\x09'})) +
                           foreign.packet(0, 7, "one") + foreign.block(3, foreign.word(3) + "two");
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char value : {'\0', '\x01', '\x7F', '\xFF'}) {
      std::string wrong = good;
      wrong[at] = value;
      static_cast<void>(read(wrong));
    }
  }
}

}  // namespace affix::tools::log
