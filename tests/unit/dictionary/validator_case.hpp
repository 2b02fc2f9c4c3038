// SPDX-License-Identifier: MIT
// A small dictionary with an example of everything, and messages validated with it.
#pragma once

#include "affix/dictionary/load.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "problem_texts.hpp"
#include "support/fix_text.hpp"
#include "support/validation_dictionary.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::dictionary_test {

using dictionary::FaultOrder;
using dictionary::Rule;
using dictionary::RuleAction;
using dictionary::Rules;
using dictionary::Validator;
using dictionary::Violation;

inline dictionary::Dictionary load_good(std::string_view xml) {
  dictionary::Loaded loaded = dictionary::load_text(xml);
  EXPECT_TRUE(loaded) << texts_of(loaded);
  return loaded ? std::move(*loaded.dictionary) : dictionary::Dictionary();
}

using support::body_fields_xml;
using support::body_xml;
using support::frame_fields_xml;
using support::frame_xml;
using support::small_xml;

inline Validator compile_good(const dictionary::Dictionary& dictionary) {
  auto compiled = Validator::compile(dictionary);
  EXPECT_TRUE(compiled) << compiled.error().text();
  return std::move(*compiled);
}

inline const Validator& small() {
  static const Validator validator = compile_good(load_good(small_xml()));
  return validator;
}

/// "35=TYPE|" and the required header.
inline std::string header(std::string_view type = "D") {
  return "35=" + std::string(type) + "|49=A|56=B|34=2|52=20250102-03:04:05.678|";
}

/// A complete message with its index.
class Indexed {
 public:
  explicit Indexed(std::string_view body, std::string_view begin_string = "FIX.4.4")
      : bytes_(support::make_message(body, begin_string)),
        index_(std::make_unique<wire::FieldIndexOf<4096>>()) {
    wire::index_message(bytes_, *index_);
  }

  [[nodiscard]] wire::MessageView view() const { return {bytes_, *index_}; }

 private:
  std::string bytes_;
  std::unique_ptr<wire::FieldIndexOf<4096>> index_;
};

/// "rule tag", "rule" without a tag, "clean". Compares the quick result with the exact one.
inline std::string judge(const Validator& validator, std::string_view body,
                         Rules rules = Rules::all(), FaultOrder order = FaultOrder::Message,
                         std::string_view begin_string = "FIX.4.4") {
  const Indexed message(body, begin_string);
  EXPECT_TRUE(message.view().index().whole()) << body;
  const std::optional<Violation> exact = validator.first_violation(message.view(), rules, order);
  const bool clean = validator.clean(message.view(), rules, order);
  // Remembering shapes changes no result: neither for the remembered message, nor when it is
  // repeated.
  dictionary::Shapes shapes;
  EXPECT_EQ(validator.clean(message.view(), rules, order, shapes), clean) << body;
  EXPECT_EQ(validator.clean(message.view(), rules, order, shapes), clean) << body;
  if (&validator == &small()) {
    // Nor after any shapes remembered by earlier tests.
    static dictionary::Shapes all_shapes;
    EXPECT_EQ(validator.clean(message.view(), rules, order, all_shapes), clean) << body;
  }
  EXPECT_TRUE(!clean || !exact) << "clean, but " << to_text(exact->rule) << ": " << body;
  EXPECT_EQ(validator.validate(message.view(), rules, order), exact);
  if (!exact) {
    // QuickFIX ignores values in groups, so the quick result may require a second check.
    EXPECT_TRUE(clean || order == FaultOrder::Quickfix) << body;
    return "clean";
  }
  EXPECT_EQ(exact->reason, reject_reason(exact->rule));
  EXPECT_EQ(exact->action, rules.action(exact->rule));
  EXPECT_LE(exact->position, message.view().size());
  std::string text = to_text(exact->rule);
  return exact->has_tag ? text + " " + std::to_string(exact->tag) : text;
}

/// The body of an order, and what is said of it.
struct JudgedBody {
  const char* body;  ///< After the header.
  const char* expected;
};

inline void expect_each(const std::vector<JudgedBody>& cases, Rules rules = Rules::all(),
                        FaultOrder order = FaultOrder::Message) {
  for (const JudgedBody& one : cases) {
    EXPECT_EQ(judge(small(), header() + one.body, rules, order), one.expected) << one.body;
  }
}

}  // namespace affix::dictionary_test
