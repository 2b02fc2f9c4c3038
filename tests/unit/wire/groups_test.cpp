// SPDX-License-Identifier: MIT
#include "affix/wire/groups.hpp"

#include "support/fix_text.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace affix::wire {
namespace {

// Parties of the standard: NoPartyIDs (453) with NoPartySubIDs (802) within.
constexpr std::uint32_t sub_members[] = {803};
constexpr GroupDescription sub_groups[] = {{802, 523, sub_members, {}}};
constexpr std::uint32_t party_members[] = {447, 452};
constexpr GroupDescription parties{453, 448, party_members, sub_groups};

// Three levels, the innermost repeating a tag of the outermost on purpose.
constexpr std::uint32_t inner_members[] = {5012, 5002};
constexpr GroupDescription inner_groups[] = {{5020, 5021, inner_members, {}}};
constexpr std::uint32_t middle_members[] = {5012};
constexpr GroupDescription middle_groups[] = {{5010, 5011, middle_members, inner_groups}};
constexpr std::uint32_t outer_members[] = {5002, 5003};
constexpr GroupDescription outer{5000, 5001, outer_members, middle_groups};

class Indexed {
 public:
  explicit Indexed(std::string_view body) : bytes_(support::make_message(body)) {
    index_message(bytes_, index_);
  }

  [[nodiscard]] MessageView view() const { return {bytes_, index_}; }

  [[nodiscard]] GroupView group(const GroupDescription& description) const {
    return view().group(description);
  }

 private:
  std::string bytes_;
  FieldIndexOf<4096> index_;
};

TEST(Groups, IterateEntries) {
  const Indexed message("35=D|453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|60=x|");
  const GroupView group = message.group(parties);
  EXPECT_TRUE(group.present());
  EXPECT_EQ(group.declared(), 2U);
  EXPECT_EQ(group.size(), 2U);
  EXPECT_EQ(group.fault(), GroupFault::None);
  std::string seen;
  for (const GroupEntry entry : group) {
    seen += std::string(*entry.find(448)) + "/" + std::to_string(*entry.integer(452)) + " ";
  }
  EXPECT_EQ(seen, "PARTY1/1 PARTY2/3 ");
  EXPECT_EQ(group.entry(1)->text(448), "PARTY2");
  EXPECT_FALSE(group.entry(2).has_value());
  EXPECT_EQ(message.view().tag_at(group.end_position()), 60U);
}

TEST(Groups, AnEntryKnowsOnlyItsOwnFields) {
  const Indexed message("35=D|55=IBM|453=2|448=A|448=B|452=3|60=x|");
  const GroupView group = message.group(parties);
  const GroupEntry first = *group.entry(0);
  EXPECT_EQ(first.find(448), "A");
  EXPECT_FALSE(first.has(452));
  EXPECT_FALSE(first.has(55));
  EXPECT_FALSE(first.has(60));
  EXPECT_EQ(first.integer(452).error(), FieldError::Missing);
  EXPECT_EQ(group.entry(1)->integer(452), 3);
}

TEST(Groups, NestedGroupsAreEntriesOfTheirEntry) {
  const Indexed message(
      "35=D|453=2|448=A|802=2|523=a1|803=1|523=a2|452=1|448=B|452=2|802=1|523=b1|803=9|60=x|");
  const GroupView group = message.group(parties);
  ASSERT_EQ(group.size(), 2U);
  EXPECT_EQ(group.fault(), GroupFault::None);
  const GroupEntry first = *group.entry(0);
  const GroupView first_subs = first.group(sub_groups[0]);
  EXPECT_EQ(first_subs.size(), 2U);
  EXPECT_EQ(first_subs.fault(), GroupFault::None);
  EXPECT_EQ(first_subs.entry(1)->text(523), "a2");
  EXPECT_FALSE(first_subs.entry(1)->has(803));
  EXPECT_EQ(first.integer(452), 1);  // After the nested group.
  EXPECT_EQ(first.find(523), std::nullopt);
  EXPECT_EQ(first.find(802), "2");
  const GroupEntry second = *group.entry(1);
  const GroupView second_subs = second.group(sub_groups[0]);
  EXPECT_EQ(second_subs.entry(0)->integer(803), 9);
}

TEST(Groups, OwnFieldsAreFoundAfterNestedOnesOfTheSameTag) {
  const Indexed message(
      "35=D|5000=1|5001=o|5010=1|5011=m|5020=2|5021=i1|5002=inner|5021=i2|5012=x|5002=own|5003=z|");
  const GroupView group = message.group(outer);
  ASSERT_EQ(group.size(), 1U);
  const GroupEntry entry = *group.entry(0);
  EXPECT_EQ(entry.find(5003), "z");
  EXPECT_EQ(entry.find(5012), std::nullopt);
  const GroupEntry middle = *entry.group(middle_groups[0]).entry(0);
  const GroupView inner = middle.group(inner_groups[0]);
  EXPECT_EQ(inner.size(), 2U);
  EXPECT_EQ(inner.entry(0)->find(5002), "inner");
}

TEST(Groups, AnAbsentGroupIsEmpty) {
  const Indexed message("35=D|55=IBM|448=stray|");
  const GroupView group = message.group(parties);
  EXPECT_FALSE(group.present());
  EXPECT_TRUE(group.empty());
  EXPECT_EQ(group.declared(), 0U);
  EXPECT_EQ(group.fault(), GroupFault::None);
  EXPECT_EQ(group.begin(), group.end());
  EXPECT_EQ(group.end_position(), no_position);
}

TEST(Groups, ZeroEntriesAreNoFault) {
  const Indexed message("35=D|453=0|55=IBM|");
  const GroupView group = message.group(parties);
  EXPECT_TRUE(group.present());
  EXPECT_EQ(group.size(), 0U);
  EXPECT_EQ(group.fault(), GroupFault::None);
  EXPECT_EQ(message.view().tag_at(group.end_position()), 55U);
}

TEST(Groups, CountFaultsAreReported) {
  EXPECT_EQ(Indexed("35=D|453=3|448=A|448=B|").group(parties).fault(), GroupFault::Count);
  EXPECT_EQ(Indexed("35=D|453=1|448=A|448=B|").group(parties).fault(), GroupFault::Count);
  EXPECT_EQ(Indexed("35=D|453=0|448=A|").group(parties).fault(), GroupFault::Count);
  EXPECT_EQ(Indexed("35=D|453=1|55=x|").group(parties).fault(), GroupFault::Count);
  EXPECT_EQ(Indexed("35=D|453=4294967295|448=A|").group(parties).fault(), GroupFault::Count);
  EXPECT_EQ(Indexed("35=D|453=1|448=A|448=B|").group(parties).size(), 2U);
}

TEST(Groups, CounterFaultsAreReported) {
  EXPECT_EQ(Indexed("35=D|453=x|448=A|").group(parties).fault(), GroupFault::Counter);
  EXPECT_EQ(Indexed("35=D|453=-1|448=A|").group(parties).fault(), GroupFault::Counter);
  EXPECT_EQ(Indexed("35=D|453=|448=A|").group(parties).fault(), GroupFault::Counter);
  EXPECT_EQ(Indexed("35=D|453=x|448=A|").group(parties).declared().error(), FieldError::Format);
}

TEST(Groups, AMissingFirstFieldIsReported) {
  EXPECT_EQ(Indexed("35=D|453=1|447=D|448=A|").group(parties).fault(), GroupFault::FirstTag);
  EXPECT_EQ(Indexed("35=D|453=1|802=1|523=x|").group(parties).fault(), GroupFault::FirstTag);
}

TEST(Groups, AForeignFieldEndsTheGroup) {
  const Indexed message("35=D|453=2|448=A|9999=x|448=B|");
  const GroupView group = message.group(parties);
  EXPECT_EQ(group.size(), 1U);
  EXPECT_EQ(group.fault(), GroupFault::Count);
}

// The same parties with the other known tags: SenderCompID to Text in the words, 20001 beyond.
constexpr std::uint64_t known_words[] = {(std::uint64_t{1} << 35) | (std::uint64_t{1} << 55) |
                                         (std::uint64_t{1} << 58) | (std::uint64_t{1} << 60)};
constexpr std::uint32_t known_large[] = {447, 448, 452, 453, 523, 802, 803, 20001};
constexpr KnownTags known{known_words, known_large};
constexpr GroupDescription known_sub_groups[] = {{802, 523, sub_members, {}, &known}};
constexpr GroupDescription known_parties{453, 448, party_members, known_sub_groups, &known};

TEST(Groups, KnownTagsAreFoundInWordsAndBeyond) {
  for (const std::uint32_t tag : {35U, 55U, 58U, 60U, 447U, 20001U}) {
    EXPECT_TRUE(known.contains(tag)) << tag;
  }
  for (const std::uint32_t tag : {0U, 34U, 63U, 64U, 446U, 20000U, 20002U, UINT32_MAX}) {
    EXPECT_FALSE(known.contains(tag)) << tag;
  }
  EXPECT_FALSE(KnownTags().contains(0));
}

TEST(Groups, AnUnknownFieldEndsNoEntry) {
  const Indexed message(
      "35=D|453=2|9990=before|448=A|9991=x|452=1|802=2|9992=y|523=a|9993=z|803=1|523=b|9994=e|447="
      "D|"
      "448=B|9995=f|452=3|9996=g|55=IBM|");
  const GroupView group = message.group(known_parties);
  EXPECT_EQ(group.size(), 2U);
  EXPECT_EQ(group.fault(), GroupFault::None);
  const GroupEntry first = group.entry(0).value();
  EXPECT_EQ(first.integer(452), 1);
  EXPECT_EQ(first.text(447), "D");
  EXPECT_EQ(first.text(9991), "x");
  EXPECT_FALSE(first.has(9990));
  const GroupView subs = first.group(known_sub_groups[0]);
  EXPECT_EQ(subs.size(), 2U);
  EXPECT_EQ(subs.fault(), GroupFault::None);
  EXPECT_EQ(subs.entry(0)->text(803), "1");
  EXPECT_EQ(subs.entry(0)->text(9993), "z");
  EXPECT_EQ(group.entry(1)->integer(452), 3);
  EXPECT_EQ(message.view().tag_at(group.end_position()), 55U);
}

TEST(Groups, AKnownFieldThatIsNotOfTheGroupEndsIt) {
  for (const char* foreign : {"58", "20001"}) {
    const Indexed message("35=D|453=2|448=A|" + std::string(foreign) + "=x|448=B|");
    const GroupView group = message.group(known_parties);
    EXPECT_EQ(group.size(), 1U) << foreign;
    EXPECT_EQ(group.fault(), GroupFault::Count);
  }
  const Indexed late("35=D|453=1|9990=x|452=1|448=A|");
  EXPECT_EQ(late.group(known_parties).fault(), GroupFault::FirstTag);
  const Indexed nothing("35=D|453=1|9990=x|");
  EXPECT_EQ(nothing.group(known_parties).size(), 0U);
  EXPECT_EQ(nothing.group(known_parties).fault(), GroupFault::Count);
}

TEST(Groups, EndOfMessageEndsTheGroup) {
  const Indexed message("35=D|453=1|");
  EXPECT_EQ(message.group(parties).size(), 0U);
  const Indexed last("35=D|453=1|448=A|802=1|");
  EXPECT_EQ(last.group(parties).size(), 1U);
}

TEST(Groups, EntriesIterateAllTheirFields) {
  const Indexed message("35=D|453=1|448=A|802=1|523=a1|452=1|60=x|");
  const GroupView group = message.group(parties);
  const GroupEntry entry = *group.entry(0);
  std::string tags;
  for (const Field& field : entry) {
    tags += std::to_string(field.tag) + " ";
  }
  EXPECT_EQ(tags, "448 802 523 452 ");
  EXPECT_EQ(entry.begin_position(), 4U);
  EXPECT_EQ(entry.end_position(), 8U);
}

TEST(Groups, ADescriptionThatContainsItselfEndsAtTheDepthLimit) {
  // Not a valid description, but possible in a faulty dictionary.
  static GroupDescription self{7000, 7001, {}, {}};
  self.nested = {&self, 1};
  // Deep enough to overflow the stack if every level were a call.
  constexpr int levels = 300'000;
  std::string body = "35=D|";
  for (int level = 0; level < levels; ++level) {
    body += "7000=1|7001=x|";
  }
  const std::string bytes = support::make_message(body);
  const auto index = std::make_unique<FieldIndexOf<2 * levels + 16>>();
  index_message(bytes, *index);
  const GroupView group = MessageView(bytes, *index).group(self);
  EXPECT_EQ(group.size(), 1U);
  EXPECT_EQ(group.end_position(), index->count - 1);
}

TEST(GroupFaults, HaveTexts) {
  for (const GroupFault fault :
       {GroupFault::None, GroupFault::Counter, GroupFault::FirstTag, GroupFault::Count}) {
    EXPECT_STRNE(to_text(fault), "unknown group fault");
  }
}

}  // namespace
}  // namespace affix::wire
