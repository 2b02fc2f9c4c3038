// SPDX-License-Identifier: MIT
// Small files that unpack to gigabytes: read in pieces, or only as far as they have contents.
#include "affix/journal/segment_scan.hpp"

#include "journal/archive_verification.hpp"
#include "log_case.hpp"
#include "support/whole_file.hpp"

#include <cstring>
#include <sys/resource.h>
#include <zstd.h>

namespace affix::tools::log {
namespace {

constexpr std::size_t frame_bytes = std::size_t{32} << 20;
constexpr std::size_t frames = 64;  // Two gigabytes.

/// During its lifetime, limits this process to this much additional memory.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) {
    std::ifstream status("/proc/self/statm");
    std::size_t pages = 0;
    status >> pages;
    EXPECT_EQ(::getrlimit(RLIMIT_AS, &before_), 0);
    const rlimit limit{pages * 4096 + bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
  }

  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  ~MemoryLimit() { EXPECT_EQ(::setrlimit(RLIMIT_AS, &before_), 0); }

 private:
  rlimit before_{};
};

std::string packed(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1);
  EXPECT_EQ(ZSTD_isError(size), 0U);
  out.resize(size);
  return out;
}

std::string repeated(const std::string& frame) {
  std::string all;
  for (std::size_t number = 0; number < frames; ++number) {
    all += frame;
  }
  return all;
}

using LogBomb = LogCase;

TEST_F(LogBomb, ACaptureIsReadInPieces) {
  // Packets of 64 KiB each without contents.
  const auto word = [](std::uint32_t value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  };
  const std::string head =
      word(0xA1B2C3D4) + word(0x00040002) + word(0) + word(0) + word(262'144) + word(1);
  constexpr std::uint32_t packet_bytes = 65'520;
  const std::string packet =
      word(1) + word(0) + word(packet_bytes) + word(packet_bytes) + std::string(packet_bytes, '\0');
  std::string block;
  while (block.size() < frame_bytes) {
    block += packet;
  }
  const std::string file = write("capture.pcap.zst", packed(head) + repeated(packed(block)));
  block = {};
  const MemoryLimit limit(std::size_t{256} << 20);
  EXPECT_EQ(shown({.paths = {file}}, 1), "") << "no message is in it, which is told";
}

/// An archive in which a segment, and another one that was never begun, are followed by zeros.
class SegmentBomb : public LogCase {
 protected:
  void SetUp() override {
    auto options = journal_options("US->THEM");
    {
      auto journal = affix::journal::Journal::open(options);
      ASSERT_TRUE(journal) << journal.error().text();
      ASSERT_EQ((*journal)->append_sent(1, 1'000'000'000, support::make_message("35=0|34=1|")),
                affix::journal::AppendResult::Appended);
      ASSERT_TRUE((*journal)->close());
    }
    std::filesystem::create_directory(path("archive"));
    const std::string zeros = packed(std::string(frame_bytes, '\0'));
    bool any = false;
    for (const auto& entry : std::filesystem::directory_iterator(options.directory)) {
      const std::string name = entry.path().filename().string();
      if (affix::journal::segment_file_number(name) != 1) {
        continue;
      }
      any = true;
      const std::string bytes = support::read_file(entry.path());
      write("archive/" + name + ".zst", packed(bytes) + repeated(zeros));
      std::string other = name;
      other[other.find('1')] = '2';
      write("archive/" + other + ".zst", repeated(zeros));
    }
    ASSERT_TRUE(any);
  }
};

TEST_F(SegmentBomb, IsUnpackedAsFarAsItsRecordsGo) {
  LogOptions show{.paths = {path("archive")}};
  show.filter.heartbeats = true;
  const MemoryLimit limit(std::size_t{256} << 20);
  const std::string text = shown(show);
  EXPECT_NE(text.find("35=0"), std::string::npos) << text;
}

TEST_F(SegmentBomb, IsDamageToAVerification) {
  const MemoryLimit limit(std::size_t{256} << 20);
  const auto found = tools::journal::verify_archive(path("archive"));
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_EQ(found->findings.size(), 2U);
  EXPECT_NE(found->findings.front().text.find(" 65536 bytes "), std::string::npos);
  EXPECT_TRUE(found->damaged());
}

}  // namespace
}  // namespace affix::tools::log
