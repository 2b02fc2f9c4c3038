// SPDX-License-Identifier: MIT
// The outbox and the action list.

#include "affix/session/out.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::session {

namespace {

struct Storage {
  std::vector<char> bytes = std::vector<char>(2 * Out::step_bytes);
  std::vector<Action> actions = std::vector<Action>(2 * Out::step_actions);
  Out out{bytes, actions};

  /// Encodes `text` after a gap, like the encoder.
  std::string_view put(std::string_view text, std::size_t gap) {
    const std::span<char> room = out.room();
    std::memcpy(room.data() + gap, text.data(), text.size());
    return out.place({room.data() + gap, text.size()});
  }
};

}  // namespace

TEST(Out, MessagesAreContiguousAndTheFirstIsNotMoved) {
  Storage storage;
  const std::string_view first = storage.put("first", 7);
  EXPECT_EQ(first.data(), storage.bytes.data() + 7);
  EXPECT_EQ(storage.put("second", 5), "second");
  EXPECT_EQ(storage.out.bytes(), "firstsecond");
  storage.out.sent(3);
  EXPECT_EQ(storage.out.bytes(), "stsecond");
  storage.put("third", 9);
  EXPECT_EQ(storage.out.bytes(), "stsecondthird");
  storage.out.sent(13);
  EXPECT_TRUE(storage.out.bytes().empty());
  EXPECT_EQ(storage.out.room().size(), storage.bytes.size());
}

TEST(Out, RoomIsWonBackWhenMuchIsSent) {
  Storage storage;
  const std::string large(Out::step_bytes + 100, 'x');
  storage.put(large, 0);
  EXPECT_FALSE(storage.out.ready());
  storage.out.sent(large.size() - 5);
  EXPECT_EQ(storage.out.bytes(), "xxxxx");
  EXPECT_TRUE(storage.out.ready());
}

TEST(Out, KnowsHowFarMessagesGoThatNoRecordHas) {
  Storage storage;
  const auto put_unstored = [&](std::string_view text) {
    const std::span<char> room = storage.out.room();
    std::memcpy(room.data(), text.data(), text.size());
    storage.out.place_unstored({room.data(), text.size()});
  };
  storage.put("stored", 3);
  EXPECT_EQ(storage.out.unstored_bytes(), 0U);
  put_unstored("resent");
  EXPECT_EQ(storage.out.unstored_bytes(), 12U);
  storage.put("stored", 3);
  EXPECT_EQ(storage.out.unstored_bytes(), 12U);
  const Out::Mark mark = storage.out.mark();
  put_unstored("again");
  EXPECT_EQ(storage.out.unstored_bytes(), storage.out.bytes().size());
  storage.out.go_back(mark);
  EXPECT_EQ(storage.out.unstored_bytes(), storage.out.bytes().size());  // No less than 12.
  storage.out.sent(storage.out.bytes().size());
  EXPECT_EQ(storage.out.unstored_bytes(), 0U);
  // Output that is moved to the front of the memory.
  const std::string large(Out::step_bytes + 100, 'x');
  storage.put(large, 0);
  put_unstored("resent");
  storage.put("stored", 0);
  storage.out.sent(large.size() + 1);
  EXPECT_EQ(storage.out.bytes(), "esentstored");
  EXPECT_EQ(storage.out.unstored_bytes(), 5U);
  storage.out.clear();
  EXPECT_EQ(storage.out.unstored_bytes(), 0U);
}

TEST(Out, ActionsComeInOrderAlsoThoseAddedMeanwhile) {
  Storage storage;
  storage.out.add(Report{Event::LoggedOn, 1, 0, {}});
  storage.out.add(Report{Event::LoggedOn, 2, 0, {}});
  std::vector<std::uint64_t> seen;
  while (const Action* action = storage.out.next_action()) {
    ASSERT_EQ(action->kind, ActionKind::Report);
    seen.push_back(action->report.first);
    if (action->report.first == 1) {
      storage.out.add(Report{Event::LoggedOn, 3, 0, {}});
    }
  }
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_FALSE(storage.out.has_actions());
}

TEST(Out, FullActionListIsNotReady) {
  Storage storage;
  while (storage.out.ready()) {
    storage.out.add(Report{});
  }
  EXPECT_GE(storage.out.action_room(), Out::step_actions - 1);
  while (storage.out.next_action() != nullptr) {
  }
  EXPECT_TRUE(storage.out.ready());
}

}  // namespace affix::session
