// SPDX-License-Identifier: MIT
#include "affix/wire/prepared.hpp"

#include "support/fix_text.hpp"
#include "unit/wire/order_time.hpp"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::wire {
namespace {

using base::UtcTime;
using support::make_message;

class Prepared {
 public:
  explicit Prepared(std::string_view body, std::initializer_list<SlotName> names,
                    std::size_t storage_size = 1'024)
      : original_(make_message(body)), storage_(storage_size) {
    index_message(original_, index_);
    made_ = PreparedMessage::make(storage_, MessageView(original_, index_), names);
  }

  [[nodiscard]] EncodeError error() const { return made_ ? EncodeError::None : made_.error(); }

  PreparedMessage& operator*() { return *made_; }

  PreparedMessage* operator->() { return &*made_; }

  /// The message, or the error's text.
  std::string text() {
    const auto message = made_->message();
    return message ? std::string(*message) : to_text(message.error());
  }

 private:
  std::string original_;
  FieldIndexOf<64> index_;
  std::vector<char> storage_;
  std::expected<PreparedMessage, EncodeError> made_ = std::unexpected(EncodeError::None);
};

TEST(PreparedMessage, UnpatchedIsTheMessageItself) {
  Prepared prepared("35=D|34=1|55=IBM|", {{34, 0}});
  EXPECT_EQ(prepared.text(), make_message("35=D|34=1|55=IBM|"));
}

TEST(PreparedMessage, PatchesInPlace) {
  Prepared prepared(
      "35=D|34=1|55=IBM|52=20251231-18:21:36.457|11=a|44=1.50|54=1|60=20251231-18:21:36.457|",
      {{34, 0}, {55, 0}, {52, 0}, {11, 0}, {44, 0}, {54, 0}, {60, 0}});
  ASSERT_EQ(prepared.error(), EncodeError::None);
  TimeStampCache cache;
  const UtcTime later{order_time.ns + base::ns_per_second, 0};
  prepared->set_integer(0, 9);
  prepared->set_text(1, "XYZ");
  prepared->set_utc_time(2, later, TimePrecision::Millis, cache);
  prepared->set_text(3, "b");
  prepared->set_decimal(4, {275, -2});
  prepared->set_character(5, '2');
  prepared->set_utc_time(6, later, TimePrecision::Millis, cache);
  EXPECT_EQ(
      prepared.text(),
      make_message(
          "35=D|34=9|55=XYZ|52=20251231-18:21:37.457|11=b|44=2.75|54=2|60=20251231-18:21:37.457|"));
}

TEST(PreparedMessage, AnotherWidthMovesTheRestAndPadsNothing) {
  Prepared prepared("35=D|34=9|11=abc|58=text|55=IBM|", {{34, 0}, {58, 0}, {11, 0}});
  prepared->set_integer(0, 10);
  EXPECT_EQ(prepared.text(), make_message("35=D|34=10|11=abc|58=text|55=IBM|"));
  prepared->set_text(1, "a longer text than before");
  prepared->set_text(2, "x");
  EXPECT_EQ(prepared.text(), make_message("35=D|34=10|11=x|58=a longer text than before|55=IBM|"));
  prepared->set_integer(0, 7);
  prepared->set_text(1, "t");
  EXPECT_EQ(prepared.text(), make_message("35=D|34=7|11=x|58=t|55=IBM|"));
}

TEST(PreparedMessage, BodyLengthMayGainAndLoseDigits) {
  Prepared prepared("35=D|58=t|", {{58, 0}}, 20'000);
  for (const std::size_t size : {1U, 90U, 91U, 92U, 500U, 989U, 990U, 991U, 992U, 9'990U, 9'992U,
                                 12'000U, 992U, 991U, 92U, 91U, 1U}) {
    const std::string value(size, 'y');
    prepared->set_text(0, value);
    ASSERT_EQ(prepared.text(), make_message("35=D|58=" + value + "|"));
  }
}

TEST(PreparedMessage, EveryPairOfWidthsOfTwoSlots) {
  Prepared prepared("35=D|11=a|55=b|58=z|", {{55, 0}, {11, 0}});
  for (std::size_t first = 1; first < 40; ++first) {
    for (std::size_t second = 1; second < 40; ++second) {
      const std::string left(first, 'l');
      const std::string right(second, 'r');
      prepared->set_text(1, left);
      prepared->set_text(0, right);
      ASSERT_EQ(prepared.text(), make_message("35=D|11=" + left + "|55=" + right + "|58=z|"));
    }
  }
}

TEST(PreparedMessage, SlotsMayBeLaterOccurrences) {
  Prepared prepared("35=D|453=2|448=A|448=B|", {{448, 1}, {448, 0}});
  ASSERT_EQ(prepared.error(), EncodeError::None);
  EXPECT_EQ(prepared->slot_of({448, 0}), 1U);
  EXPECT_EQ(prepared->slot_of({448, 1}), 0U);
  EXPECT_EQ(prepared->slot_of({448, 2}), std::nullopt);
  EXPECT_EQ(prepared->slot_count(), 2U);
  prepared->set_text(0, "second");
  prepared->set_text(1, "first");
  EXPECT_EQ(prepared.text(), make_message("35=D|453=2|448=first|448=second|"));
}

TEST(PreparedMessage, RefusedValuesChangeNothingAndAreReported) {
  Prepared prepared("35=D|34=1|11=abc|", {{34, 0}, {11, 0}});
  const auto refused = [&](EncodeError error, std::uint32_t slot) {
    const auto message = prepared->message();
    EXPECT_FALSE(message.has_value());
    EXPECT_EQ(message.error(), error);
    EXPECT_EQ(prepared->error_slot(), slot);
    EXPECT_EQ(prepared.text(), make_message("35=D|34=1|11=abc|"));
  };
  TimeStampCache cache;
  prepared->set_text(1,
                     "a\x01"
                     "c");
  refused(EncodeError::SohInValue, 1);
  prepared->set_text(1, "a text that is long, with SOH \x01 in it");
  refused(EncodeError::SohInValue, 1);
  prepared->set_text(1, "");
  refused(EncodeError::EmptyValue, 1);
  prepared->set_character(1, '\x01');
  refused(EncodeError::SohInValue, 1);
  prepared->set_decimal(0, {1, 61});
  refused(EncodeError::BadValue, 0);
  prepared->set_utc_time(0, {0, 1'000}, TimePrecision::Nanos, cache);
  refused(EncodeError::BadValue, 0);
  prepared->set_text(2, "x");
  refused(EncodeError::UnknownSlot, 2);
  prepared->set_integer(0xFFFF'FFFF, 1);
  refused(EncodeError::UnknownSlot, 0xFFFF'FFFF);
  prepared->set_text(1, std::string(2'000, 'x'));
  refused(EncodeError::Overflow, 1);
  prepared->set_text(1, "");
  prepared->set_text(0, "\x01");
  refused(EncodeError::EmptyValue, 1);
}

TEST(PreparedMessage, RefusesWrongNames) {
  EXPECT_EQ(Prepared("35=D|34=1|", {{55, 0}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=D|34=1|", {{34, 1}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=D|34=1|", {{34, 0}, {34, 0}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=D|34=1|", {{8, 0}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=D|34=1|", {{9, 0}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=D|34=1|", {{10, 0}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=B|95=1|96=x|", {{95, 0}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=B|95=1|96=x|", {{96, 0}}).error(), EncodeError::UnknownSlot);
  EXPECT_EQ(Prepared("35=D|34=1|", {{35, 0}}).error(), EncodeError::None);
}

TEST(PreparedMessage, RefusesMessagesThatAreNotWhole) {
  std::array<char, 512> storage;
  FieldIndexOf<64> index;
  std::string message = make_message("35=D|34=1|");
  message[message.size() - 2] = message[message.size() - 2] == '0' ? '1' : '0';
  index_message(message, index);
  const auto made = PreparedMessage::make(storage, MessageView(message, index), {{34, 0}});
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error(), EncodeError::BadValue);
}

TEST(PreparedMessage, RefusesHalfOfAVenuesOwnPair) {
  DataFields pairs;
  ASSERT_TRUE(pairs.add(5'001, 5'002));
  const std::string message = make_message("35=U|5001=3|5002=x\x01y|");
  FieldIndexOf<64> index;
  index_message(message, index, pairs);
  const MessageView view(message, index);
  std::array<char, 1'024> storage;
  for (const std::uint32_t half : {5'001U, 5'002U}) {
    EXPECT_EQ(PreparedMessage::make(storage, view, {{half, 0}}, pairs).error(),
              EncodeError::UnknownSlot);
  }
}

TEST(PreparedMessage, RefusesTooManySlots) {
  std::string body = "35=D|";
  std::vector<SlotName> names;
  for (std::uint32_t field = 0; field <= PreparedMessage::slots_max; ++field) {
    body += std::to_string(1'000 + field) + "=x|";
    names.push_back({1'000 + field, 0});
  }
  const std::string message = make_message(body);
  FieldIndexOf<64> index;
  index_message(message, index);
  std::array<char, 1'024> storage;
  EXPECT_EQ(PreparedMessage::make(storage, MessageView(message, index), names).error(),
            EncodeError::UnknownSlot);
  names.pop_back();
  EXPECT_TRUE(PreparedMessage::make(storage, MessageView(message, index), names).has_value());
}

TEST(PreparedMessage, WritesNothingOutsideItsStorage) {
  const std::string message = make_message("35=D|34=1|11=abc|");
  FieldIndexOf<64> index;
  index_message(message, index);
  for (std::size_t room = 0; room < message.size() + Encoder::overhead + 64; ++room) {
    std::vector<char> area(room + 128, '\x5A');
    auto made = PreparedMessage::make(std::span<char>(area).subspan(64, room),
                                      MessageView(message, index), {{34, 0}, {11, 0}});
    if (made) {
      EXPECT_EQ(made->message(), message);
      std::string value = "abc";
      std::string last = value;
      while (true) {
        value += 'x';
        made->set_text(1, value);
        const auto patched = made->message();
        if (!patched) {
          ASSERT_EQ(patched.error(), EncodeError::Overflow);
          break;
        }
        ASSERT_EQ(*patched, make_message("35=D|34=1|11=" + value + "|"));
        last = value;
      }
      EXPECT_EQ(made->message(), make_message("35=D|34=1|11=" + last + "|"));
    } else {
      ASSERT_EQ(made.error(), EncodeError::Overflow);
      ASSERT_LT(room, message.size() + Encoder::overhead);
    }
    for (std::size_t at = 0; at < 64; ++at) {
      ASSERT_EQ(area[at], '\x5A');
      ASSERT_EQ(area[64 + room + at], '\x5A');
    }
  }
}

TEST(PreparedMessage, ATimeStampOfAnotherPrecisionOutgrowsItsSlot) {
  Prepared prepared("35=D|60=20251231-18:21:36.457|55=IBM|", {{60, 0}});
  TimeStampCache cache;
  prepared->set_utc_time(0, order_time, TimePrecision::Nanos, cache);
  EXPECT_EQ(prepared.text(), make_message("35=D|60=20251231-18:21:36.457245600|55=IBM|"));
}

TEST(PreparedMessage, MovesKeepTheMessage) {
  Prepared prepared("35=D|34=1|", {{34, 0}});
  PreparedMessage moved = std::move(*prepared);
  moved.set_integer(0, 22);
  EXPECT_EQ(moved.message(), make_message("35=D|34=22|"));
}

}  // namespace
}  // namespace affix::wire
