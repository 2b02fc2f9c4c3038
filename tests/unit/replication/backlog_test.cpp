// SPDX-License-Identifier: MIT
// The blocks of a stream: frames are whole in them at every place, and so are the fronts that are
// sent.
#include "replication/backlog.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>

namespace affix::replication {
namespace {

/// The frames from `place` to the end, one after the other.
std::string all_from(const Backlog& backlog, std::uint64_t place) {
  std::string all;
  while (place < backlog.end()) {
    const std::string_view piece = backlog.from(place);
    all += piece;
    place += piece.size();
  }
  return all;
}

constexpr std::size_t blocks = 4;

/// Appends a frame of that size with random content.
void append(Backlog& backlog, std::size_t bytes, std::mt19937_64& random) {
  char* const at = backlog.claim(bytes);
  write_pad(at, bytes);
  for (std::size_t byte = frame_header_bytes; byte < bytes; ++byte) {
    at[byte] = static_cast<char>(random());
  }
}

TEST(Backlog, KeepsTheNewestFramesWholeWhereverBlocksEnd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Backlog backlog(blocks * Backlog::block_bytes);
    std::string everything = all_from(backlog, 0);
    for (int count = 0; count < 400; ++count) {
      const std::size_t bytes = 8 * (1 + random() % (frame_bytes_max / 8));
      const std::uint64_t before = backlog.end();
      const bool had_room = backlog.has_room(bytes);
      const std::uint64_t kept = had_room ? backlog.begin() : backlog.discarded_next();
      append(backlog, bytes, random);
      ASSERT_EQ(backlog.end() - before, bytes);
      ASSERT_EQ(backlog.begin(), kept);
      everything += all_from(backlog, before);
      ASSERT_EQ(everything.size(), backlog.end());
      if (random() % 10 == 0) {
        const std::uint64_t forgotten =
            backlog.end() - random() % (backlog.end() - backlog.begin());
        backlog.forget(forgotten);
        ASSERT_LE(backlog.begin(), forgotten);
        ASSERT_LT(forgotten - backlog.begin(), Backlog::block_bytes);
      }
      // From every begin of a frame that is there, the rest is as it was written.
      for (std::uint64_t place = backlog.begin(); place < backlog.end();) {
        const FrameView frame = first_frame(std::string_view(everything).substr(place));
        ASSERT_EQ(frame.state, FrameView::State::Whole);
        ASSERT_EQ(backlog.from(place).substr(0, frame.size), everything.substr(place, frame.size));
        place += frame.size;
      }
      ASSERT_EQ(all_from(backlog, backlog.begin()), everything.substr(backlog.begin()));
    }
  }
}

TEST(Backlog, AStreamThatIsForgottenInTimeStaysInTheSameMemory) {
  std::mt19937_64 random(1);
  Backlog backlog(std::size_t{16} << 20);
  std::set<std::uintptr_t> pages;
  for (int count = 0; count < 10'000; ++count) {
    const std::uint64_t before = backlog.end();
    append(backlog, 8 * (1 + random() % 1000), random);
    pages.insert(reinterpret_cast<std::uintptr_t>(backlog.from(before).data()) / 4096);
    backlog.forget(before);
  }
  EXPECT_LE(pages.size(), 2 * Backlog::block_bytes / 4096 + 1);
}

TEST(Backlog, AFrontHasWholeFramesOnly) {
  std::string frames;
  for (int count = 0; count < 10; ++count) {
    put_place(frames, FrameType::Stored, 1);
  }
  for (std::size_t bytes = 0; bytes <= frames.size() + 20; ++bytes) {
    EXPECT_EQ(whole_frames_within(frames, bytes),
              bytes >= frames.size() ? frames.size() : bytes / 16 * 16);
  }
}

}  // namespace
}  // namespace affix::replication
