// SPDX-License-Identifier: MIT
// The ring of a stream: frames are whole in it at every place, and so are the fronts that are sent.
#include "replication/backlog.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
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

TEST(Backlog, KeepsTheNewestFramesWholeWhereverTheRingEnds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Backlog backlog(4096);
    std::string everything = all_from(backlog, 0);
    for (int count = 0; count < 2000; ++count) {
      const std::size_t bytes = 8 * (1 + random() % 60);
      const std::uint64_t before = backlog.end();
      const std::size_t needed = backlog.needed(bytes);
      char* const at = backlog.claim(bytes);
      write_pad(at, bytes);
      for (std::size_t byte = frame_header_bytes; byte < bytes; ++byte) {
        at[byte] = static_cast<char>(random());
      }
      ASSERT_EQ(backlog.end() - before, needed);
      everything += all_from(backlog, before);
      ASSERT_EQ(everything.size(), backlog.end());
    }
    ASSERT_EQ(backlog.end() - backlog.begin(), 4096U);
    // From every begin of a frame that is there, the rest is as it was written.
    std::uint64_t place = 0;
    while (place < everything.size()) {
      const FrameView frame = first_frame(std::string_view(everything).substr(place));
      ASSERT_EQ(frame.state, FrameView::State::Whole);
      if (place >= backlog.begin()) {
        ASSERT_EQ(all_from(backlog, place), everything.substr(place));
      }
      place += frame.size;
    }
  }
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
