// SPDX-License-Identifier: MIT
// Random dictionaries, valid random messages, and one fault put into each: valid messages pass, and
// the fault is found and named, whatever is remembered of earlier messages.
#include "affix/dictionary/validator.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "support/fix_text.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace affix::dictionary {

namespace {

/// Valid values of a type, and an invalid one.
struct Look {
  FieldType type;
  std::vector<std::string> good;
  std::string bad;
};

const std::vector<Look>& looks() {
  static const std::vector<Look> all{
      {FieldType::Int, {"0", "-12", "123456789012"}, "1x"},
      {FieldType::SeqNum, {"1", "12345678"}, "-1"},
      {FieldType::Price, {"1.5", "-.25", "12345678.5"}, "1.2.3"},
      {FieldType::Char, {"x", "1"}, "xy"},
      {FieldType::Boolean, {"Y", "N"}, "y"},
      {FieldType::UtcTimestamp, {"20250102-03:04:05", "20250102-03:04:05.123456"}, "20250102"},
      {FieldType::UtcDateOnly, {"20240229"}, "20230229"},
      {FieldType::MonthYear, {"202501", "202501w3"}, "202513"},
      {FieldType::MultipleStringValue, {"A", "A BC"}, "A  B"},
  };
  return all;
}

struct Token {
  std::uint32_t tag = 0;
  std::string value;
  std::string bad;        ///< Empty: every value is valid.
  bool required = false;  ///< Required in the message itself.
  bool counter = false;
  bool outer = false;           ///< Not in a group.
  std::vector<Value> listed{};  ///< Of a counter: its list of values, if it has one.

  [[nodiscard]] bool allows(const std::string& count) const {
    return listed.empty() ||
           std::ranges::any_of(listed, [&](const Value& one) { return one.code == count; });
  }
};

/// Maximum number of entries of a group.
constexpr std::uint32_t entries_max = 12;

/// A dictionary of one message, each field in one place, and messages of it.
class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {
    parts_.version.minor = 4;
    for (const auto& [tag, type] :
         {std::pair(8U, FieldType::String), std::pair(9U, FieldType::Length),
          std::pair(35U, FieldType::String), std::pair(34U, FieldType::SeqNum)}) {
      parts_.header.push_back({MemberKind::Field, true, add_field(tag, type)});
    }
    parts_.trailer.push_back({MemberKind::Field, true, add_field(10, FieldType::String)});
    Message message;
    message.type = "U" + std::to_string(below(1000));
    message.name = "Random";
    message.members = random_members(0, 1 + below(12));
    parts_.messages.push_back(message);
    dictionary_ = std::make_unique<Dictionary>(parts_);
  }

  [[nodiscard]] const Dictionary& dictionary() const { return *dictionary_; }

  [[nodiscard]] std::vector<Token> random_message() {
    std::vector<Token> tokens;
    append(dictionary_->messages().front().members, 0, tokens);
    return tokens;
  }

  [[nodiscard]] std::string text(const std::vector<Token>& tokens) const {
    std::string body = "35=" + dictionary_->messages().front().type + "|34=7|";
    for (const Token& token : tokens) {
      body += std::to_string(token.tag) + "=" + token.value + "|";
    }
    return support::make_message(body);
  }

  std::uint32_t below(std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
  }

 private:
  std::uint32_t add_field(std::uint32_t tag, FieldType type) {
    Field field;
    field.tag = tag;
    field.name = "F" + std::to_string(tag);
    field.type = type;
    parts_.fields.push_back(field);
    return static_cast<std::uint32_t>(parts_.fields.size() - 1);
  }

  std::uint32_t next_tag() {
    // Most tags are in the flat table, some beyond it.
    last_tag_ += 1 + below(7);
    return below(10) == 0 ? last_tag_ + 100'000 : last_tag_;
  }

  std::uint32_t random_field() {
    const Look& look = looks()[below(static_cast<std::uint32_t>(looks().size()))];
    const std::uint32_t index = add_field(next_tag(), look.type);
    Field& field = parts_.fields[index];
    if (below(3) == 0) {
      field.type = FieldType::String;
      for (const char* code : {"A", "BB", "A-LONG-CODE"}) {
        field.values.push_back({code, code});
      }
      field.values.resize(1 + below(3));
    }
    return index;
  }

  /// Gives a counter a list of all the counts except one.
  static void list_counts_but(std::uint32_t left_out, Field& counter) {
    for (std::uint32_t entries = 0; entries <= entries_max; ++entries) {
      if (entries != left_out) {
        const std::string code = std::to_string(entries);
        counter.values.push_back({code, code});
      }
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): three levels.
  std::vector<Member> random_members(int depth, std::uint32_t count) {
    std::vector<Member> members;
    for (std::uint32_t at = 0; at < count; ++at) {
      const bool required = below(3) == 0;
      if (depth < 3 && at != 0 && below(5) == 0) {
        Group group;
        group.counter = add_field(next_tag(), FieldType::NumInGroup);
        if (below(4) == 0) {
          list_counts_but(below(3), parts_.fields[group.counter]);
        }
        group.members = random_members(depth + 1, 1 + below(5));
        group.members.front().required = true;
        parts_.groups.push_back(group);
        members.push_back(
            {MemberKind::Group, required, static_cast<std::uint32_t>(parts_.groups.size() - 1)});
      } else {
        members.push_back({MemberKind::Field, required, random_field()});
      }
    }
    return members;
  }

  Token token_of(const Field& field, bool required, int depth) {
    Token token;
    token.tag = field.tag;
    token.required = required;
    token.outer = depth == 0;
    if (!field.values.empty()) {
      token.value = field.values[below(static_cast<std::uint32_t>(field.values.size()))].code;
      return token;
    }
    for (const Look& look : looks()) {
      if (look.type == field.type) {
        token.value = look.good[below(static_cast<std::uint32_t>(look.good.size()))];
        token.bad = look.bad;
      }
    }
    return token;
  }

  // NOLINTNEXTLINE(misc-no-recursion): three levels.
  void append(std::span<const Member> members, int depth, std::vector<Token>& tokens) {
    for (const Member& member : members) {
      if (!member.required && below(2) == 0) {
        continue;
      }
      if (member.kind == MemberKind::Field) {
        tokens.push_back(token_of(dictionary_->field(member), member.required, depth));
        continue;
      }
      const Group& group = dictionary_->group(member);
      const std::uint32_t entries = below(4) == 0 ? 9 + below(entries_max - 8) : below(3);
      Token counter;
      counter.tag = dictionary_->counter(group).tag;
      counter.value = std::to_string(entries);
      counter.bad = "x";
      counter.required = member.required;
      counter.counter = true;
      counter.listed = dictionary_->counter(group).values;
      counter.outer = depth == 0;
      tokens.push_back(counter);
      for (std::uint32_t entry = 0; entry < entries; ++entry) {
        append(group.members, depth + 1, tokens);
      }
    }
  }

  std::mt19937_64 random_;
  std::uint32_t last_tag_ = 100;
  Parts parts_;
  std::unique_ptr<Dictionary> dictionary_;
};

/// Validates in every available way, and compares the results.
class Judge {
 public:
  explicit Judge(const Validator& validator)
      : validator_(validator), index_(std::make_unique<wire::FieldIndexOf<8192>>()) {}

  std::optional<Violation> operator()(const std::string& bytes) {
    wire::index_message(bytes, *index_);
    const wire::MessageView view(bytes, *index_);
    RC_ASSERT(index_->whole());
    const auto violation = validator_.first_violation(view, Rules::all());
    const bool small = view.size() <= 2048;
    RC_ASSERT(validator_.clean(view, Rules::all()) == (!violation && small));
    for (int turn = 0; turn < 2; ++turn) {
      RC_ASSERT(validator_.clean(view, Rules::all(), FaultOrder::Message, shapes_) ==
                (!violation && small));
    }
    const auto as_quickfix = validator_.first_violation(view, Rules::all(), FaultOrder::Quickfix);
    RC_ASSERT(!as_quickfix || !validator_.clean(view, Rules::all(), FaultOrder::Quickfix));
    return violation;
  }

 private:
  const Validator& validator_;
  Shapes shapes_;
  std::unique_ptr<wire::FieldIndexOf<8192>> index_;
};

void expect(const std::optional<Violation>& violation, Rule rule, std::uint32_t tag) {
  RC_ASSERT(violation.has_value());
  if (violation->rule != rule || violation->tag != tag) {
    RC_FAIL(std::string(to_text(violation->rule)) + " " + std::to_string(violation->tag) +
            " instead of " + to_text(rule) + " " + std::to_string(tag));
  }
}

}  // namespace

TEST(ValidatorProperty, MessagesOfADictionaryPassAndOneFaultIsNamed) {
  const bool holds = rc::check([](std::uint64_t seed) {
    Model model(seed);
    const auto validator = Validator::compile(model.dictionary());
    RC_ASSERT(validator.has_value());
    Judge judge(*validator);
    for (int round = 0; round < 12; ++round) {
      const std::vector<Token> good = model.random_message();
      const auto unlisted = std::ranges::find_if(
          good, [](const Token& token) { return token.counter && !token.allows(token.value); });
      if (unlisted != good.end()) {
        // Its structure is good all the same, and may be remembered.
        expect(judge(model.text(good)), Rule::ValueNotListed, unlisted->tag);
        continue;
      }
      const auto none = judge(model.text(good));
      if (none) {
        RC_FAIL(std::string(to_text(none->rule)) + " " + std::to_string(none->tag) + " in " +
                model.text(good));
      }
      // An unknown tag anywhere, also in groups.
      std::vector<Token> changed = good;
      const auto size = static_cast<std::uint32_t>(good.size());
      Token unknown;
      unknown.tag = 4999;
      unknown.value = "?";
      changed.insert(changed.begin() + model.below(size + 1), unknown);
      expect(judge(model.text(changed)), Rule::UnknownTag, 4999);
      if (good.empty()) {
        continue;
      }
      const std::uint32_t place = model.below(size);
      const Token& picked = good[place];
      changed = good;
      if (!picked.bad.empty()) {
        changed[place].value = picked.bad;
        expect(judge(model.text(changed)), Rule::ValueFormat, picked.tag);
      } else {
        changed[place].value = "not listed";
        expect(judge(model.text(changed)), Rule::ValueNotListed, picked.tag);
      }
      changed[place].value.clear();
      expect(judge(model.text(changed)), Rule::EmptyValue, picked.tag);
      if (picked.counter) {
        const auto fault_of = [&](const std::string& count) {
          return picked.allows(count) ? Rule::GroupCount : Rule::ValueNotListed;
        };
        std::string& count = changed[place].value;
        count = std::to_string(std::stoul(picked.value) + 1);
        expect(judge(model.text(changed)), fault_of(count), picked.tag);
        // Any number of digits, few of which fit an integer. None of them is the right count.
        count.clear();
        for (std::uint32_t digits = 4 + model.below(40); digits != 0; --digits) {
          count += static_cast<char>('1' + model.below(9));
        }
        expect(judge(model.text(changed)), fault_of(count), picked.tag);
      } else if (picked.outer) {
        changed = good;
        changed.push_back(picked);
        expect(judge(model.text(changed)), Rule::RepeatedTag, picked.tag);
        if (picked.required) {
          changed = good;
          changed.erase(changed.begin() + place);
          expect(judge(model.text(changed)), Rule::RequiredMissing, picked.tag);
        }
      }
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace affix::dictionary
