// SPDX-License-Identifier: MIT
// Everything encoded is decoded to the same values: fields of every type, nested groups, data with
// any bytes. The same for prepared messages with any patches, without allocation.
#include "affix/wire.hpp"

#include "support/allocation_count.hpp"
#include "support/fix_text.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

namespace {

namespace wire = affix::wire;
using affix::base::Decimal;
using affix::base::UtcTime;
using wire::Encoder;
using wire::MessageView;
using wire::Tag;

constexpr std::size_t fields_max = 2'048;

rc::Gen<std::string> text_value(std::size_t size_max) {
  const auto character = rc::gen::weightedOneOf<char>(
      {{20, rc::gen::inRange<char>(' ', 127)},
       {1, rc::gen::just('=')},
       {1,
        rc::gen::map(rc::gen::inRange(2, 256), [](int byte) { return static_cast<char>(byte); })}});
  return rc::gen::mapcat(
      rc::gen::weightedOneOf<std::size_t>({{10, rc::gen::inRange<std::size_t>(1, 20)},
                                           {1, rc::gen::inRange<std::size_t>(1, size_max)}}),
      [character](std::size_t size) { return rc::gen::container<std::string>(size, character); });
}

/// A field, with functions to write and read it.
struct Item {
  enum class Kind : std::uint8_t {
    Text,
    Integer,
    Unsigned,
    Character,
    Boolean,
    Decimal,
    Time,
    Date,
    Data
  };
  Kind kind = Kind::Text;
  std::uint32_t tag = 0;
  std::string text;
  std::int64_t number = 0;
  std::int32_t exponent = 0;
  std::uint16_t picoseconds = 0;
};

/// Tags are positions, so that every field is found: 10000 and up, except data, which needs a known
/// pair.
rc::Gen<Item> item() {
  return rc::gen::exec([] {
    Item result;
    result.kind = *rc::gen::map(rc::gen::inRange(0, 9),
                                [](int kind) { return static_cast<Item::Kind>(kind); });
    result.text =
        result.kind == Item::Kind::Data ? *rc::gen::nonEmpty<std::string>() : *text_value(500);
    result.number = *rc::gen::arbitrary<std::int64_t>() >> *rc::gen::inRange(0, 64);
    result.exponent = *rc::gen::inRange(-wire::decimal_scale_max, wire::decimal_scale_max + 1);
    result.picoseconds = *rc::gen::inRange<std::uint16_t>(0, 1'000);
    return result;
  });
}

affix::base::CivilDate date_of(std::int64_t number) {
  return affix::base::civil_from_days(number % 700'000);
}

void write(Encoder& encoder, const Item& item) {
  const Tag tag = Tag::of(item.tag);
  switch (item.kind) {
    case Item::Kind::Text:
      encoder.text(tag, item.text);
      break;
    case Item::Kind::Integer:
      encoder.integer(tag, item.number);
      break;
    case Item::Kind::Unsigned:
      encoder.integer(tag, static_cast<std::uint64_t>(item.number));
      break;
    case Item::Kind::Character:
      encoder.character(tag, item.text[0]);
      break;
    case Item::Kind::Boolean:
      encoder.boolean(tag, item.number % 2 == 0);
      break;
    case Item::Kind::Decimal:
      encoder.decimal(tag, {item.number, item.exponent});
      break;
    case Item::Kind::Time:
      encoder.utc_time(tag, {item.number, item.picoseconds}, wire::TimePrecision::Picos);
      break;
    case Item::Kind::Date:
      encoder.date(tag, date_of(item.number));
      break;
    case Item::Kind::Data:
      encoder.data(95, 96, item.text);
      break;
  }
}

template <typename Fields>
void check(const Fields& fields, const Item& item) {
  switch (item.kind) {
    case Item::Kind::Text:
      RC_ASSERT((fields.text(item.tag) == item.text));
      break;
    case Item::Kind::Integer:
      RC_ASSERT((fields.integer(item.tag) == item.number));
      break;
    case Item::Kind::Unsigned:
      RC_ASSERT((fields.template integer<std::uint64_t>(item.tag) ==
                 static_cast<std::uint64_t>(item.number)));
      break;
    case Item::Kind::Character:
      RC_ASSERT((fields.character(item.tag) == item.text[0]));
      break;
    case Item::Kind::Boolean:
      RC_ASSERT((fields.boolean(item.tag) == (item.number % 2 == 0)));
      break;
    case Item::Kind::Decimal: {
      const auto read = fields.decimal(item.tag);
      if (item.exponent <= 0) {
        RC_ASSERT(read.has_value());
        RC_ASSERT((read->mantissa == item.number));
        RC_ASSERT((read->exponent == item.exponent));
      } else if (read) {
        RC_ASSERT((*read == (Decimal{item.number, item.exponent})));
      } else {
        RC_ASSERT((read.error() == wire::FieldError::Range));
      }
      break;
    }
    case Item::Kind::Time:
      RC_ASSERT((fields.utc_time(item.tag) == (UtcTime{item.number, item.picoseconds})));
      break;
    case Item::Kind::Date:
      RC_ASSERT((fields.date(item.tag) == date_of(item.number)));
      break;
    case Item::Kind::Data:
      RC_ASSERT((fields.data(96) == item.text));
      break;
  }
}

std::vector<Item> unlike_items(std::vector<Item> items) {
  std::uint32_t tag = 10'000;
  bool data_seen = false;
  for (Item& item : items) {
    item.tag = tag++;
    // One pair per message: lookups find the first.
    if (item.kind == Item::Kind::Data) {
      item.kind = data_seen ? Item::Kind::Integer : Item::Kind::Data;
      data_seen = true;
    }
  }
  return items;
}

RC_GTEST_PROP(RoundTrip, EncodedFieldsAreDecoded, ()) {
  const std::vector<Item> items = unlike_items(*rc::gen::container<std::vector<Item>>(item()));
  std::vector<char> buffer(1'000 + items.size() * 700);
  wire::TimeStampCache cache;
  Encoder encoder(buffer, *rc::gen::arbitrary<bool>() ? &cache : nullptr);
  encoder.begin("FIXT.1.1", "UX");
  for (const Item& item : items) {
    write(encoder, item);
  }
  const auto bytes = encoder.finish();
  RC_ASSERT(bytes.has_value());

  wire::FieldIndexOf<fields_max> index;
  wire::index_message(*bytes, index);
  RC_ASSERT(index.clean());
  const MessageView view(*bytes, index);
  RC_ASSERT((view.type() == wire::MsgType("UX")));
  for (const Item& item : items) {
    check(view, item);
  }
  wire::Framer framer;
  RC_ASSERT((framer.next(*bytes).size == bytes->size()));
}

RC_GTEST_PROP(RoundTrip, ATemplateOnlySavesWork, ()) {
  const std::vector<Item> items = unlike_items(*rc::gen::container<std::vector<Item>>(item()));
  const std::string sender = *text_value(100);
  const std::string target = *text_value(100);
  wire::HeaderTemplate header("FIX.4.4");
  header.text(49, sender);
  header.text(56, target);
  std::vector<char> first(1'000 + items.size() * 700);
  std::vector<char> second(first.size());
  Encoder with(first);
  with.begin(header, "D");
  Encoder without(second);
  without.begin("FIX.4.4", "D");
  without.text(49, sender);
  without.text(56, target);
  for (const Item& item : items) {
    write(with, item);
    write(without, item);
  }
  RC_ASSERT((with.finish() == without.finish()));
}

// A group of parties, each with a group of ids, as in the standard.
constexpr std::uint32_t sub_members[] = {803};
constexpr wire::GroupDescription sub_groups[] = {{802, 523, sub_members, {}}};
constexpr std::uint32_t party_members[] = {447, 452};
constexpr wire::GroupDescription parties{453, 448, party_members, sub_groups};

struct SubParty {
  std::string id;
  std::int64_t type = 0;
  bool has_type = false;
};

struct Party {
  std::string id;
  std::int64_t role = 0;
  bool role_before_group = false;
  std::vector<SubParty> subs;
};

rc::Gen<Party> party() {
  return rc::gen::exec([] {
    Party result;
    result.id = *text_value(40);
    result.role = *rc::gen::inRange<std::int64_t>(0, 100);
    result.role_before_group = *rc::gen::arbitrary<bool>();
    result.subs = *rc::gen::container<std::vector<SubParty>>(
        *rc::gen::inRange<std::size_t>(0, 5), rc::gen::exec([] {
          return SubParty{*text_value(40), *rc::gen::inRange<std::int64_t>(0, 100),
                          *rc::gen::arbitrary<bool>()};
        }));
    return result;
  });
}

void write(Encoder& encoder, const Party& party) {
  encoder.text(448, party.id);
  if (party.role_before_group) {
    encoder.integer(452, party.role);
  }
  if (!party.subs.empty()) {
    encoder.integer(802, party.subs.size());
    for (const SubParty& sub : party.subs) {
      encoder.text(523, sub.id);
      if (sub.has_type) {
        encoder.integer(803, sub.type);
      }
    }
  }
  if (!party.role_before_group) {
    encoder.integer(452, party.role);
  }
}

RC_GTEST_PROP(RoundTrip, NestedGroupsAreDecoded, ()) {
  const auto expected =
      *rc::gen::container<std::vector<Party>>(*rc::gen::inRange<std::size_t>(0, 12), party());
  std::vector<char> buffer(64 * 1'024);
  Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "D");
  encoder.text(11, "before");
  encoder.integer(453, expected.size());
  for (const Party& party : expected) {
    write(encoder, party);
  }
  encoder.text(58, "behind");
  const auto bytes = encoder.finish();
  RC_ASSERT(bytes.has_value());
  wire::FieldIndexOf<fields_max> index;
  wire::index_message(*bytes, index);
  RC_ASSERT(index.clean());
  const wire::GroupView group = MessageView(*bytes, index).group(parties);
  RC_ASSERT((group.fault() == wire::GroupFault::None));
  RC_ASSERT((group.size() == expected.size()));
  std::size_t at = 0;
  for (const wire::GroupEntry entry : group) {
    const Party& party = expected[at++];
    RC_ASSERT((entry.text(448) == party.id));
    RC_ASSERT((entry.integer(452) == party.role));
    RC_ASSERT(!entry.has(523));
    const wire::GroupView subs = entry.group(sub_groups[0]);
    RC_ASSERT((subs.fault() == wire::GroupFault::None));
    RC_ASSERT((subs.size() == party.subs.size()));
    std::size_t sub_at = 0;
    for (const wire::GroupEntry sub : subs) {
      const SubParty& wanted = party.subs[sub_at++];
      RC_ASSERT((sub.text(523) == wanted.id));
      RC_ASSERT((sub.has(803) == wanted.has_type));
    }
  }
}

RC_GTEST_PROP(RoundTrip, APatchedMessageIsTheMessageEncodedAnew, ()) {
  const auto encode = [](const std::string& id, std::int64_t sequence, UtcTime time,
                         wire::TimePrecision precision, Decimal price) {
    std::vector<char> buffer(8'192);
    Encoder encoder(buffer);
    encoder.begin("FIX.4.4", "D");
    encoder.integer(34, sequence);
    encoder.utc_time(52, time, precision);
    encoder.text(11, id);
    encoder.decimal(44, price);
    encoder.utc_time(60, time, precision);
    return std::string(*encoder.finish());
  };
  const std::string original = encode("id", 1, {0, 0}, wire::TimePrecision::Millis, {1, 0});
  wire::FieldIndexOf<64> index;
  wire::index_message(original, index);
  std::vector<char> storage(8'192);
  auto prepared = wire::PreparedMessage::make(storage, MessageView(original, index),
                                              {{34}, {52}, {60}, {11}, {44}});
  RC_ASSERT(prepared.has_value());
  wire::TimeStampCache cache;
  const int rounds = *rc::gen::inRange(1, 10);
  for (int round = 0; round < rounds; ++round) {
    const std::string id = *text_value(1'000);
    const std::int64_t sequence = *rc::gen::arbitrary<std::int64_t>() >> *rc::gen::inRange(0, 64);
    const UtcTime time{*rc::gen::arbitrary<std::int64_t>(),
                       *rc::gen::inRange<std::uint16_t>(0, 1'000)};
    const auto precision = *rc::gen::element(
        wire::TimePrecision::Seconds, wire::TimePrecision::Millis, wire::TimePrecision::Nanos);
    const Decimal price{*rc::gen::arbitrary<std::int64_t>() >> *rc::gen::inRange(0, 64),
                        *rc::gen::inRange(-9, 9)};
    prepared->set_integer(0, sequence);
    prepared->set_utc_time(1, time, precision, cache);
    prepared->set_utc_time(2, time, precision, cache);
    prepared->set_text(3, id);
    prepared->set_decimal(4, price);
    const auto message = prepared->message();
    RC_ASSERT(message.has_value());
    RC_ASSERT((std::string(*message) == encode(id, sequence, time, precision, price)));
  }
}

RC_GTEST_PROP(RoundTrip, ASmallBufferIsRefusedAndNothingBesideItIsTouched, ()) {
  const std::vector<Item> items = unlike_items(*rc::gen::container<std::vector<Item>>(item()));
  const std::size_t room = *rc::gen::inRange<std::size_t>(0, 1'500);
  std::vector<char> area(room + 128, '\x5A');
  Encoder encoder(std::span<char>(area.data() + 64, room));
  encoder.begin("FIX.4.4", "D");
  for (const Item& item : items) {
    write(encoder, item);
  }
  const auto bytes = encoder.finish();
  RC_ASSERT((bytes.has_value() || bytes.error() == wire::EncodeError::Overflow));
  for (std::size_t at = 0; at < 64; ++at) {
    RC_ASSERT((area[at] == '\x5A'));
    RC_ASSERT((area[64 + room + at] == '\x5A'));
  }
}

TEST(RoundTrip, NeitherWayAllocates) {
  std::array<char, 1'024> buffer;
  std::array<char, 1'024> storage;
  wire::TimeStampCache cache;
  wire::FieldIndexOf<64> index;
  const std::uint64_t before = affix::support::allocation_count();
  std::uint64_t read = 0;
  wire::HeaderTemplate header("FIXT.1.1");
  header.text(49, "CLIENT1");
  for (int round = 0; round < 100; ++round) {
    Encoder encoder(buffer, &cache);
    encoder.begin(header, "D");
    encoder.integer(34, round);
    encoder.utc_time(52, {round * 1'000'000'007LL, 0}, wire::TimePrecision::Nanos);
    encoder.text(
        58, "a text that is longer than sixty-four bytes, so that it takes the long way round");
    encoder.decimal(44, {std::numeric_limits<std::int64_t>::min(), -3});
    encoder.data(95, 96,
                 "a\x01"
                 "b");
    encoder.integer(453, 1);
    encoder.text(448, "PARTY");
    const auto bytes = encoder.finish();
    ASSERT_TRUE(bytes.has_value());
    wire::Framer framer;
    wire::index_message(bytes->substr(0, framer.next(*bytes).size), index);
    const MessageView view(*bytes, index);
    const wire::GroupView group = view.group(parties);
    read += view.decimal(44).has_value() + view.utc_time(52).has_value() + view.data(96)->size() +
            group.size() + view.text(58)->size();
    auto prepared = wire::PreparedMessage::make(storage, view, {{34}, {58}});
    ASSERT_TRUE(prepared.has_value());
    prepared->set_integer(0, 123'456);
    prepared->set_text(
        1,
        "another text that is longer than sixty-four bytes, and of another length than the first");
    read += prepared->message()->size();
  }
  EXPECT_EQ(affix::support::allocation_count(), before);
  EXPECT_EQ(before > 0, affix::support::allocations_are_counted) << "the counter does not count";
  EXPECT_GT(read, 0U);
}

}  // namespace
