// SPDX-License-Identifier: MIT
// Validators made from files: shared between sessions, refused with every problem, and without an
// allocation per message.
#include "host/session_dictionary.hpp"

#include "affix/wire/index.hpp"

#include "support/allocation_count.hpp"
#include "support/fix_text.hpp"
#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"
#include "support/validation_dictionary.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>

namespace affix::host {
namespace {

class SessionDictionaryTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = directory_.path(name);
    std::ofstream(path) << text;
    return path;
  }

  static config::SessionSettings settings(const std::string& dictionary) {
    config::SessionSettings settings;
    settings.name = "S";
    settings.begin_string = "FIX.4.4";
    settings.dictionary = dictionary;
    return settings;
  }

  support::TemporaryDirectory directory_;
};

session::Validation judge(const SessionDictionary& dictionary, const std::string& body) {
  const std::string bytes =
      support::make_message("35=D|49=A|56=B|34=2|52=20250102-03:04:05|" + body);
  wire::FieldIndexOf<64> index;
  wire::index_message(bytes, index);
  const session::Validator validator = dictionary.validator();
  return validator.function(validator.context, {bytes, index});
}

TEST_F(SessionDictionaryTest, WithoutOneNothingIsAsked) {
  DictionaryStore store;
  const auto none = store.open(settings(""));
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->validator());
  EXPECT_EQ(&none->data_fields(), &wire::DataFields::standard());
}

TEST_F(SessionDictionaryTest, ReturnsTheSessionsReaction) {
  DictionaryStore store;
  const auto opened = store.open(settings(file("a.xml", support::small_xml())));
  ASSERT_TRUE(opened) << config::text_of(config::problems_of(opened.error()));
  EXPECT_EQ(judge(*opened, "11=X|54=1|38=10|").verdict, session::Verdict::Pass);
  const session::Validation missing = judge(*opened, "11=X|54=1|");
  EXPECT_EQ(missing.verdict, session::Verdict::Reject);
  EXPECT_EQ(missing.reason, 1);
  EXPECT_EQ(missing.tag, 38u);
  EXPECT_TRUE(missing.has_tag);
  EXPECT_EQ(judge(*opened, "11=X|54=1|38=10|9999=1|").verdict, session::Verdict::Warn);
}

TEST_F(SessionDictionaryTest, SessionsShareAFileAndNotTheirRules) {
  const std::string path = file("a.xml", support::small_xml());
  DictionaryStore store;
  const auto strict = store.open(settings(path));
  ASSERT_TRUE(strict);
  // The file was read once, so replacing it does not affect the second session.
  std::ofstream(path) << "gone";
  config::SessionSettings tolerant_settings = settings(path);
  tolerant_settings.validation_preset = config::ValidationPreset::Tolerant;
  const auto tolerant = store.open(tolerant_settings);
  ASSERT_TRUE(tolerant) << config::text_of(config::problems_of(tolerant.error()));
  EXPECT_EQ(judge(*strict, "11=X|54=1|38=10|777=1|").verdict, session::Verdict::Reject);
  EXPECT_EQ(judge(*tolerant, "11=X|54=1|38=10|777=1|").verdict, session::Verdict::Pass);
}

TEST_F(SessionDictionaryTest, NamesOutliveTheModel) {
  std::optional<SessionDictionary> opened;
  {
    DictionaryStore store;
    auto made = store.open(settings(file("a.xml", support::small_xml())));
    ASSERT_TRUE(made) << config::text_of(config::problems_of(made.error()));
    opened.emplace(std::move(*made));
  }
  EXPECT_TRUE(opened->has_names());
  EXPECT_EQ(opened->field_name(38), "Qty");
  EXPECT_EQ(opened->field_name(39999), "");
  EXPECT_EQ(opened->message_name("ZZZZ"), "");
  EXPECT_FALSE(opened->message_name("D").empty());
  EXPECT_FALSE(SessionDictionary().has_names());
  EXPECT_EQ(SessionDictionary().field_name(38), "");
}

TEST_F(SessionDictionaryTest, WarningsOfAFileAreKeptOnceWithTheirLines) {
  std::string xml = support::small_xml();
  xml.insert(xml.rfind("</fields>"), "<field number='9500' name='Odd' type='STRANGE'/>");
  const std::string path = file("odd.xml", xml);
  DictionaryStore store;
  ASSERT_TRUE(store.open(settings(path)));
  ASSERT_TRUE(store.open(settings(path)));
  const config::Problems warnings = store.take_warnings();
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_TRUE(support::has_message(warnings.front().text(), "D112",
                                   {"dictionary " + path + ":", "STRANGE"}));
  EXPECT_TRUE(support::has_message(warnings[1].text(), "D124",
                                   {"dictionary " + path + ": ", "1, 2, 3, 4, 5, A"}));
  EXPECT_TRUE(support::has_message(warnings[2].text(), "D124",
                                   {"dictionary " + path + ": ", "OrigSendingTime (122)"}));
  EXPECT_TRUE(store.take_warnings().empty());
}

TEST_F(SessionDictionaryTest, ManyWarningsEndInTheirNumber) {
  std::string xml = support::small_xml();
  std::string odd;
  for (std::size_t number = 0; number < DictionaryStore::warnings_max + 7; ++number) {
    odd += "<field number='" + std::to_string(9500 + number) + "' name='Odd" +
           std::to_string(number) + "' type='STRANGE'/>";
  }
  const std::string path = file("odd.xml", xml.insert(xml.rfind("</fields>"), odd));
  DictionaryStore store;
  ASSERT_TRUE(store.open(settings(path)));
  const config::Problems warnings = store.take_warnings();
  ASSERT_GT(warnings.size(), DictionaryStore::warnings_max);
  EXPECT_TRUE(
      support::has_message(warnings[DictionaryStore::warnings_max].text(), "D122", {" 7 "}));
}

TEST_F(SessionDictionaryTest, ABrokenFileIsReportedOnceInFull) {
  const std::string path = file("broken.xml", "<fix type='FIX' major='4' minor='4'>\n<nothing>");
  DictionaryStore store;
  const auto first = store.open(settings(path));
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().front().where.find(path), 0u)
      << config::text_of(config::problems_of(first.error()));
  const auto second = store.open(settings(path));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().size(), 1u);
  EXPECT_EQ(second.error().front().code, base::MessageCode("D122"));
}

TEST_F(SessionDictionaryTest, NothingIsAllocatedPerMessage) {
  DictionaryStore store;
  const auto opened = store.open(settings(file("a.xml", support::small_xml())));
  ASSERT_TRUE(opened);
  const std::string good =
      support::make_message("35=D|49=A|56=B|34=2|52=20250102-03:04:05|11=X|54=1|38=10|");
  const std::string bad =
      support::make_message("35=D|49=A|56=B|34=2|52=20250102-03:04:05|11=X|54=9|38=10|");
  wire::FieldIndexOf<64> index;
  const session::Validator validator = opened->validator();
  int passed = 0;
  const std::uint64_t before = support::allocation_count();
  for (int turn = 0; turn < 10; ++turn) {
    for (const std::string* bytes : {&good, &bad}) {
      wire::index_message(*bytes, index, opened->data_fields());
      passed += static_cast<int>(validator.function(validator.context, {*bytes, index}).verdict ==
                                 session::Verdict::Pass);
    }
  }
  const std::uint64_t after = support::allocation_count();
  EXPECT_EQ(after, before);
  EXPECT_EQ(passed, 10);
}

}  // namespace
}  // namespace affix::host
