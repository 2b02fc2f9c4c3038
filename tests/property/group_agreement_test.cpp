// SPDX-License-Identifier: MIT
// wire and the validator find the same groups in any message: random dictionaries, valid messages,
// added unknown fields, and shuffled fields.
#include "affix/dictionary/validator.hpp"
#include "affix/dictionary/walk.hpp"
#include "affix/wire/groups.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "support/fix_text.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>
#include <rapidcheck.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace affix::dictionary {

namespace {

constexpr std::uint32_t depth_max = 3;

/// A dictionary of one message with only text fields and groups, and its messages.
class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {
    parts_.version.minor = 4;
    for (const std::uint32_t tag : {8U, 9U, 35U}) {
      parts_.header.push_back({MemberKind::Field, true, add_field(tag)});
    }
    parts_.trailer.push_back({MemberKind::Field, true, add_field(10)});
    parts_.messages.push_back({"D", "Order", MessageCategory::App, random_members(0)});
    dictionary_ = std::make_unique<Dictionary>(parts_);
    for (const Field& field : dictionary_->fields()) {
      known_.push_back(field.tag);
    }
    known_tags_.large = known_;
    describe(dictionary_->messages().front().members, groups_);
  }

  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  [[nodiscard]] const Dictionary& dictionary() const { return *dictionary_; }

  [[nodiscard]] std::span<const wire::GroupDescription> groups() const { return groups_; }

  /// Tags and values of a valid message, without header and trailer.
  [[nodiscard]] std::vector<std::string> random_message() {
    std::vector<std::string> fields;
    append(dictionary_->messages().front().members, fields);
    return fields;
  }

  std::uint32_t below(std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
  }

 private:
  std::uint32_t add_field(std::uint32_t tag) {
    Field field;
    field.tag = tag;
    field.name = "F" + std::to_string(tag);
    parts_.fields.push_back(field);
    return static_cast<std::uint32_t>(parts_.fields.size() - 1);
  }

  std::uint32_t add_field() { return add_field(last_tag_ += 1 + below(3)); }

  // NOLINTNEXTLINE(misc-no-recursion): three levels.
  std::vector<Member> random_members(std::uint32_t depth) {
    std::vector<Member> members;
    const std::uint32_t count = 1 + below(5);
    for (std::uint32_t at = 0; at < count; ++at) {
      // An entry may begin with a nested group's counter; usually it does not.
      const bool is_group = depth < depth_max && below(at == 0 ? 12 : 2) == 0;
      if (!is_group) {
        members.push_back({MemberKind::Field, at == 0, add_field()});
        continue;
      }
      Group group;
      group.counter = add_field();
      parts_.fields[group.counter].type = FieldType::NumInGroup;
      group.members = random_members(depth + 1);
      parts_.groups.push_back(group);
      members.push_back(
          {MemberKind::Group, at == 0, static_cast<std::uint32_t>(parts_.groups.size() - 1)});
    }
    return members;
  }

  // NOLINTNEXTLINE(misc-no-recursion): three levels.
  void describe(std::span<const Member> members, std::vector<wire::GroupDescription>& into) {
    for (const Member& member : members) {
      if (member.kind != MemberKind::Group) {
        continue;
      }
      const Group& group = dictionary_->group(member);
      std::vector<std::uint32_t>& tags = tags_.emplace_back();
      for (const Member& own : group.members) {
        if (own.kind == MemberKind::Field) {
          tags.push_back(dictionary_->tag(own));
        }
      }
      std::vector<wire::GroupDescription>& nested = nested_.emplace_back();
      describe(group.members, nested);
      into.push_back({dictionary_->counter(group).tag, dictionary_->delimiter(group).tag, tags,
                      nested, &known_tags_});
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): three levels.
  void append(std::span<const Member> members, std::vector<std::string>& fields) {
    for (const Member& member : members) {
      if (!member.required && below(3) == 0) {
        continue;
      }
      const std::string tag = std::to_string(dictionary_->tag(member));
      if (member.kind == MemberKind::Field) {
        fields.push_back(tag + "=v");
        continue;
      }
      const std::uint32_t entries = below(4);
      fields.push_back(tag + "=" + std::to_string(entries));
      for (std::uint32_t entry = 0; entry < entries; ++entry) {
        append(dictionary_->group(member).members, fields);
      }
    }
  }

  std::mt19937_64 random_;
  std::uint32_t last_tag_ = 100;
  Parts parts_;
  std::unique_ptr<Dictionary> dictionary_;
  std::vector<std::uint32_t> known_;
  wire::KnownTags known_tags_;
  std::vector<wire::GroupDescription> groups_;
  std::deque<std::vector<std::uint32_t>> tags_;
  std::deque<std::vector<wire::GroupDescription>> nested_;
};

std::string text_of(const std::vector<std::string>& fields) {
  std::string body = "35=D|";
  for (const std::string& field : fields) {
    body += field + "|";
  }
  return support::make_message(body);
}

/// The description whose counter is `tag`, or null.
const wire::GroupDescription* find(std::span<const wire::GroupDescription> groups,
                                   std::uint32_t tag) {
  const auto found = std::ranges::find(groups, tag, &wire::GroupDescription::counter_tag);
  return found != groups.end() ? &*found : nullptr;
}

/// Positions of counters of faulty groups according to wire: every occurrence, in a range of fields
/// of the message or of one entry.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the description.
void collect_faults(const wire::MessageView& view, std::span<const wire::GroupDescription> groups,
                    std::uint32_t begin, std::uint32_t end, std::vector<std::uint32_t>& faults) {
  for (std::uint32_t at = begin; at < end;) {
    const wire::GroupDescription* description = find(groups, view.tag_at(at));
    if (description == nullptr) {
      ++at;
      continue;
    }
    const wire::GroupView group(view, *description, at, end);
    if (group.fault() != wire::GroupFault::None) {
      faults.push_back(at);
    }
    for (const wire::GroupEntry entry : group) {
      collect_faults(view, description->nested, entry.begin_position(), entry.end_position(),
                     faults);
    }
    at = group.end_position();
  }
}

/// Only rules about counting entries.
Rules counting_rules() {
  Rules rules = Rules::none();
  rules.set(Rule::GroupCount, RuleAction::Reject);
  rules.set(Rule::GroupStart, RuleAction::Reject);
  return rules;
}

/// Checks that both agree whether, and where first, a group contradicts its counter.
void hold_to_each_other(const Model& model, const Validator& validator,
                        const std::vector<std::string>& fields) {
  const std::string bytes = text_of(fields);
  const auto index = std::make_unique<wire::FieldIndexOf<4096>>();
  wire::index_message(bytes, *index);
  const wire::MessageView view(bytes, *index);
  RC_ASSERT(index->whole());
  std::vector<std::uint32_t> faults;
  collect_faults(view, model.groups(), 0, view.size(), faults);
  const std::optional<Violation> violation = validator.first_violation(view, counting_rules());
  if (violation.has_value() != !faults.empty()) {
    RC_FAIL("the validator " + std::string(violation ? "finds" : "does not find") +
            " a faulty group in " + bytes);
  }
  if (violation) {
    RC_ASSERT(violation->position == *std::ranges::min_element(faults));
  }
}

}  // namespace

TEST(GroupAgreement, UnknownFieldsEndNothingForEither) {
  const bool holds = rc::check([](std::uint64_t seed) {
    Model model(seed);
    const auto validator = Validator::compile(model.dictionary());
    RC_ASSERT(validator.has_value());
    for (int round = 0; round < 10; ++round) {
      std::vector<std::string> fields = model.random_message();
      const std::uint32_t strangers = model.below(6);
      for (std::uint32_t number = 0; number < strangers; ++number) {
        const auto place = model.below(static_cast<std::uint32_t>(fields.size()) + 1);
        fields.insert(fields.begin() + place, std::to_string(20'000 + number) + "=?");
      }
      const std::string bytes = text_of(fields);
      const auto index = std::make_unique<wire::FieldIndexOf<4096>>();
      wire::index_message(bytes, *index);
      const wire::MessageView view(bytes, *index);
      RC_ASSERT(validator->clean(view, Rules::tolerant()));
      std::vector<std::uint32_t> faults;
      collect_faults(view, model.groups(), 0, view.size(), faults);
      if (!faults.empty()) {
        RC_FAIL("a group lost something in " + bytes);
      }
    }
  });
  EXPECT_TRUE(holds);
}

TEST(GroupAgreement, MixedEntriesAreMixedForBoth) {
  const bool holds = rc::check([](std::uint64_t seed) {
    Model model(seed);
    const auto validator = Validator::compile(model.dictionary());
    RC_ASSERT(validator.has_value());
    for (int round = 0; round < 10; ++round) {
      std::vector<std::string> fields = model.random_message();
      if (fields.empty()) {
        continue;
      }
      const auto size = static_cast<std::uint32_t>(fields.size());
      for (std::uint32_t change = model.below(4); change != 0; --change) {
        const std::uint32_t from = model.below(size);
        switch (model.below(4)) {
          case 0:
            std::swap(fields[from], fields[model.below(size)]);
            break;
          case 1:
            fields[from] = fields[model.below(size)];
            break;
          case 2:
            fields[from] = "20000=?";
            break;
          default:
            fields[from].replace(fields[from].find('=') + 1, std::string::npos,
                                 std::to_string(model.below(4)));
            break;
        }
      }
      hold_to_each_other(model, *validator, fields);
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace affix::dictionary
