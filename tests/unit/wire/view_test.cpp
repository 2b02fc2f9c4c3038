// SPDX-License-Identifier: MIT
#include "affix/wire/view.hpp"

#include "support/fix_text.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace affix::wire {
namespace {

using support::make_message;

/// A message with its index; the view is over both.
class Indexed {
 public:
  explicit Indexed(std::string bytes) : bytes_(std::move(bytes)) { index_message(bytes_, index_); }

  [[nodiscard]] MessageView view() const { return {bytes_, index_}; }

  FieldIndex& index() { return index_; }

 private:
  std::string bytes_;
  FieldIndexOf<512> index_;
};

TEST(MessageView, ReadsFieldsByPosition) {
  const Indexed message(make_message("35=D|34=2|55=IBM|"));
  const MessageView view = message.view();
  ASSERT_EQ(view.size(), 6U);
  EXPECT_FALSE(view.empty());
  EXPECT_EQ(view.field(4).tag, 55U);
  EXPECT_EQ(view.field(4).value, "IBM");
  EXPECT_EQ(view.field(4).position, 4U);
  EXPECT_EQ(view.tag_at(0), 8U);
  EXPECT_EQ(view.value_at(0), "FIX.4.4");
}

TEST(MessageView, IteratesInOrder) {
  const Indexed message(make_message("35=D|34=2|55=IBM|"));
  std::string seen;
  const MessageView view = message.view();
  for (const Field& field : view) {
    seen += std::to_string(field.tag) + "@" + std::to_string(field.position) + " ";
  }
  EXPECT_EQ(seen, "8@0 9@1 35@2 34@3 55@4 10@5 ");
}

TEST(MessageView, ValuesAreNotCopied) {
  const Indexed message(make_message("35=D|55=IBM|"));
  const MessageView view = message.view();
  const std::string_view value = *view.find(55);
  EXPECT_GE(value.data(), view.bytes().data());
  EXPECT_LE(value.data() + value.size(), view.bytes().data() + view.bytes().size());
}

TEST(MessageView, FindsTheFirstOccurrence) {
  const Indexed message(make_message("35=D|448=A|448=B|448=C|"));
  const MessageView view = message.view();
  EXPECT_EQ(view.find(448), "A");
  EXPECT_EQ(view.nth(448, 0), "A");
  EXPECT_EQ(view.nth(448, 1), "B");
  EXPECT_EQ(view.nth(448, 2), "C");
  EXPECT_EQ(view.nth(448, 3), std::nullopt);
  EXPECT_EQ(view.position_of(448), 3U);
  EXPECT_EQ(view.position_of(448, 4), 4U);
  EXPECT_EQ(view.position_of(448, 6), no_position);
  EXPECT_EQ(view.find(449), std::nullopt);
  EXPECT_TRUE(view.has(448));
  EXPECT_FALSE(view.has(44));
}

TEST(MessageView, FindsATagAtEveryPositionOfEverySize) {
  std::string body = "35=D|";
  for (std::uint32_t fields = 1; fields <= 70; ++fields) {
    body += std::to_string(1'000 + fields) + "=" + std::to_string(fields) + "|";
    const Indexed message(make_message(body));
    for (std::uint32_t field = 1; field <= fields; ++field) {
      ASSERT_EQ(message.view().find(1'000 + field), std::to_string(field)) << fields;
      ASSERT_EQ(message.view().position_of(1'000 + field), field + 2);
    }
    ASSERT_EQ(message.view().find(1'000 + fields + 1), std::nullopt);
    ASSERT_EQ(message.view().find(10)->size(), 3U);
  }
}

TEST(MessageView, EntriesOfAnEarlierMessageAreNotFound) {
  FieldIndexOf<64> index;
  const std::string shorter = make_message("35=0|");
  index_message(shorter, index);
  // Contents that an earlier message or a kernel's whole stores leave after the last field.
  const std::uint32_t left_behind[] = {55, 38, 256};
  for (std::uint32_t at = 0; at < 40; ++at) {
    index.tag_storage[index.count + at] = left_behind[at % 3];
    index.begin_storage[index.count + at] = 0;
    index.end_storage[index.count + at] = 1;
  }
  const MessageView view(shorter, index);
  for (const std::uint32_t tag : left_behind) {
    EXPECT_EQ(view.find(tag), std::nullopt);
    EXPECT_EQ(view.position_of(tag), no_position);
    EXPECT_FALSE(view.has(tag));
  }
}

TEST(MessageView, LooksUpInTheIndexAsItIsNow) {
  FieldIndexOf<64> index;
  std::string bytes = make_message("35=D|55=A|54=1|38=7|");
  const MessageView view(bytes, index);
  index_message(bytes, index);
  EXPECT_EQ(view.find(55), "A");
  EXPECT_EQ(view.position_of(54), 4U);
  // Of the same length and number of fields, but different.
  const auto receive = [&](const std::string& message) {
    ASSERT_EQ(message.size(), bytes.size());
    std::copy(message.begin(), message.end(), bytes.begin());
    index_message(bytes, index);
  };
  receive(make_message("35=D|54=A|38=1|55=7|"));
  EXPECT_EQ(view.find(55), "7");
  EXPECT_EQ(view.position_of(54), 3U);
  EXPECT_EQ(view.find(38), "1");
  receive(make_message("35=D|54=A|55=1|55=7|"));
  EXPECT_EQ(view.find(55), "1");
  EXPECT_FALSE(view.has(38));
}

/// As many kinds of messages as an index learns without lookups.
void learn_first_kinds(FieldIndex& index) {
  std::string body = "35=0|";
  for (std::uint32_t kind = 0; kind < FieldIndex::message_kinds; ++kind) {
    body += "112=x|";
    index_message(make_message(body), index);
    EXPECT_EQ(index.place_tags, index.tags) << kind;
  }
}

TEST(MessageView, PlacesOfMoreKindsAreLearntFromOneOfManyMessages) {
  FieldIndexOf<64> index;
  learn_first_kinds(index);
  const std::string message = make_message("35=D|11=A|55=IBM|54=1|");
  const MessageView view(message, index);
  for (std::uint32_t unknown = 1; unknown < FieldIndex::unknown_max; ++unknown) {
    index_message(message, index);
    ASSERT_EQ(index.place_tags, no_tags) << unknown;
    EXPECT_EQ(view.find(55), "IBM");
  }
  index_message(message, index);
  EXPECT_EQ(index.place_tags, index.tags);
  EXPECT_EQ(view.find(55), "IBM");
  // Then counting restarts.
  const std::string other = make_message("35=D|11=A|54=1|55=IBM|");
  index_message(other, index);
  EXPECT_EQ(index.place_tags, no_tags);
  EXPECT_EQ(MessageView(other, index).find(54), "1");
  index_message(message, index);
  EXPECT_EQ(index.place_tags, index.tags);
}

TEST(MessageView, PlacesOfALongerMessageAreForgotten) {
  FieldIndexOf<64> index;
  std::string body = "35=D|";
  for (std::uint32_t field = 0; field < FieldIndex::message_kinds; ++field) {
    body += "58=x|";
  }
  index_message(make_message(body + "11=A|55=IBM|"), index);
  const std::uint32_t behind = index.count - 2;
  const std::string message = make_message("35=D|55=IBM|54=1|");
  const MessageView view(message, index);
  index_message(message, index);
  ASSERT_LT(index.count, behind);
  // As left by another message: a tag at its earlier place, and one with a unique mark.
  index.tag_storage[behind] = 11;
  index.tag_storage[index.count] = 64;
  index.tag_storage[index.count + 1] = 256;
  EXPECT_EQ(index.place_tags, index.tags);
  EXPECT_FALSE(view.has(11));
  EXPECT_FALSE(view.has(64));
  EXPECT_FALSE(view.has(256));
  EXPECT_EQ(view.find(55), "IBM");
}

/// All used bytes of an index and of its arrays.
std::string bytes_of(const FieldIndexOf<64>& index) {
  std::string bytes(reinterpret_cast<const char*>(static_cast<const FieldIndex*>(&index)),
                    sizeof(FieldIndex));
  const auto add = [&](const auto& storage, std::size_t count) {
    bytes.append(reinterpret_cast<const char*>(storage.data()), count * sizeof(storage[0]));
  };
  add(index.tag_storage, index.count);
  add(index.begin_storage, index.count);
  add(index.end_storage, index.count);
  add(index.mark_storage, index.count + FieldIndex::mark_step);
  return bytes;
}

TEST(MessageView, ThreadsMayReadOneIndexWhichThatDoesNotChange) {
  FieldIndexOf<64> index;
  learn_first_kinds(index);
  const std::string message = make_message("35=D|11=A|55=IBM|54=1|38=100|44=10|119=x|");
  index_message(message, index);
  EXPECT_EQ(index.place_tags, no_tags);
  const std::string before = bytes_of(index);
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&] {
      const MessageView view(message, std::as_const(index));
      for (int round = 0; round < 100; ++round) {
        right += view.find(55) == "IBM" && view.find(119) == "x" && !view.has(999) &&
                         view.integer(38) == 100 && view.size() == index.count
                     ? 1
                     : 0;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 200);
  EXPECT_EQ(bytes_of(index), before);
}

TEST(MessageView, TagsWithTheSameLowByteAreDistinguished) {
  // 55 + 256 and 55 + 1024 come before 55; 256 and 512 have the low byte of no tag at all.
  std::string body = "35=D|311=a|1079=b|512=c|";
  for (std::uint32_t fields = 1; fields <= 40; ++fields) {
    body += "567=" + std::to_string(fields) + "|";
    const Indexed message(make_message(body + "55=x|256=y|"));
    const MessageView view = message.view();
    ASSERT_EQ(view.find(55), "x") << fields;
    ASSERT_EQ(view.find(311), "a");
    ASSERT_EQ(view.find(1'079), "b");
    ASSERT_EQ(view.find(512), "c");
    ASSERT_EQ(view.find(256), "y");
    ASSERT_EQ(view.find(567), "1");
    ASSERT_EQ(view.nth(567, fields - 1), std::to_string(fields));
    ASSERT_EQ(view.nth(567, fields), std::nullopt);
    ASSERT_EQ(view.find(823), std::nullopt);  // 567 + 256
    ASSERT_EQ(view.find(768), std::nullopt);
  }
}

TEST(MessageView, AnEmptyIndexHasNoFields) {
  FieldIndexOf<16> index;
  const MessageView view("", index);
  EXPECT_TRUE(view.empty());
  EXPECT_EQ(view.find(8), std::nullopt);
  EXPECT_EQ(view.find(256), std::nullopt);
  EXPECT_EQ(view.begin(), view.end());
  EXPECT_TRUE(view.type().empty());
}

TEST(MessageView, TypeIsTheThirdFieldOnly) {
  EXPECT_EQ(Indexed(make_message("35=AE|34=2|")).view().type(), MsgType("AE"));
  EXPECT_EQ(Indexed(make_message("35=UserDefined7|34=2|")).view().type(), MsgType("UserDefined7"));
  EXPECT_TRUE(Indexed(make_message("34=2|35=D|")).view().type().empty());
  EXPECT_TRUE(Indexed("8=FIX.4.4\x01").view().type().empty());
}

TEST(MessageView, TagsUpToTheLargestAreFound) {
  const Indexed message(make_message("35=D|2147483647=x|20000=y|"));
  EXPECT_EQ(message.view().find(2'147'483'647), "x");
  EXPECT_EQ(message.view().find(20'000), "y");
}

}  // namespace
}  // namespace affix::wire
