// SPDX-License-Identifier: MIT
// Files that are no dictionary, no XML, or malicious: refused within limits, with the reason.
#include "affix/dictionary/load.hpp"

#include "problem_texts.hpp"
#include "support/has_message.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using namespace affix::dictionary;
using affix::dictionary_test::texts_of;

using Values = std::initializer_list<std::string_view>;

void expect_refused(std::string_view text, affix::base::MessageCode code, Values values = {},
                    const LoadLimits& limits = {}) {
  const Loaded loaded = load_text(text, limits);
  EXPECT_FALSE(loaded) << code.text();
  std::string report;
  for (const Problem& problem : loaded.problems) {
    report += to_text(problem, "x.xml") + "\n";
  }
  EXPECT_TRUE(affix::support::has_message(report, code, values));
}

// A 5.0 file of one message whose members are `members`.
std::string file_of_one_message(std::string_view members, std::string_view components,
                                std::string_view fields) {
  return "<fix major=\"5\" minor=\"0\"><messages><message name=\"M\" msgtype=\"M\" "
         "msgcat=\"app\">" +
         std::string(members) + "</message></messages><components>" + std::string(components) +
         "</components><fields><field number=\"1\" name=\"A\" type=\"INT\"/>" +
         std::string(fields) + "</fields></fix>";
}

std::string component_of(const std::string& name, const std::string& first,
                         const std::string& second) {
  return "<component name=\"" + name + "\"><component name=\"" + first +
         "\" required=\"N\"/><component name=\"" + second + "\" required=\"N\"/></component>";
}

TEST(HostileDictionary, MalformedXmlIsReportedWithItsPlace) {
  expect_refused("", "D103");
  expect_refused("  \n ", "D103");
  expect_refused("8=FIX.4.4", "D103");
  expect_refused("<fix>\n<fields>\n</fix>", "D103", {"x.xml:3: error: "});
  expect_refused("<fix>\n<fields>\n</fix>", "D103", {"<fields>", "line 2"});
  expect_refused("<fix>\n<a/><b>\n<c></c>", "D103", {"<b>", "line 2"});
  expect_refused("<fix major=4></fix>", "D103");
  expect_refused("<fix", "D103");
  expect_refused("<fix><!-- never closed", "D103");
  expect_refused("<fix/>\n<fix/>", "D103", {"x.xml:2: error: a second element"});
  expect_refused("<?xml version=\"1.0\"?><html/>", "D106", {"'html'"});
}

TEST(HostileDictionary, DeclarationsAreRefusedUnread) {
  expect_refused(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE fix [<!ENTITY a \"aaaa\"><!ENTITY b "
      "\"&a;&a;&a;\">]><fix>&b;</fix>",
      "D104", {"x.xml:2: error: "});
  expect_refused("<!DOCTYPE fix SYSTEM \"file:///etc/passwd\"><fix/>", "D104");
  expect_refused("<fix><!ENTITY x \"y\"></fix>", "D104");
}

TEST(HostileDictionary, EncodingsAreUtf8OrLatin1) {
  expect_refused(std::string_view("\xFF\xFE<\0f\0", 6), "D105", {"UTF-16"});
  expect_refused(std::string_view("<fix>\n\0</fix>", 13), "D105",
                 {"x.xml:2: error: ", "(byte value 0)"});
  expect_refused("<fix a=\"\x01\"/>", "D105", {"(byte value 1)"});
  const std::string file =
      file_of_one_message("", "", "<field number=\"2\" name=\"\xFC\" type=\"INT\"/>");
  const Loaded guessed = load_text(file);
  ASSERT_TRUE(guessed);
  EXPECT_EQ(texts_of(guessed), "x.xml: warning: the text is not UTF-8; it is read as ISO-8859-1\n");
  EXPECT_NE(guessed.dictionary->find_field("\xC3\xBC"), nullptr);
  const Loaded declared = load_text("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + file);
  ASSERT_TRUE(declared);
  EXPECT_EQ(texts_of(declared), "");
  EXPECT_EQ(*declared.dictionary, *guessed.dictionary);
  const Loaded marked = load_text("\xEF\xBB\xBF" + file_of_one_message("", "", ""));
  EXPECT_TRUE(marked) << texts_of(marked);
  // Overlong, surrogate, beyond Unicode and truncated sequences are invalid UTF-8.
  for (const char* bytes :
       {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xF0\x80\x80\x80"}) {
    const Loaded loaded = load_text(file_of_one_message(
        "", "", "<field number=\"2\" name=\"" + std::string(bytes) + "\" type=\"INT\"/>"));
    EXPECT_NE(texts_of(loaded).find("not UTF-8"), std::string::npos);
  }
}

TEST(HostileDictionary, EachLimitIsNamedWhenItIsMet) {
  LoadLimits limits;
  limits.bytes_max = 100;
  expect_refused(std::string(101, ' '), "D102", {" 100 ", "(bytes_max)"}, limits);
  limits = {};
  limits.depth_max = 5;
  expect_refused("<a><b><c><d><e>\n<f/></e></d></c></b></a>", "D102",
                 {"x.xml:2: error: ", " 5 ", "(depth_max)"}, limits);
  limits = {};
  limits.elements_max = 3;
  expect_refused("<a><!-- --><b/>\n<c/></a>", "D102", {"x.xml:2: error: ", " 3 ", "(elements_max)"},
                 limits);
  limits = {};
  limits.attributes_max = 2;
  expect_refused("<a b='1' c='2'>\n<d e=\"3\"/></a>", "D102",
                 {"x.xml:2: error: ", " 2 ", "(attributes_max)"}, limits);
  limits = {};
  limits.name_bytes_max = 10;
  const std::string longer(11, 'x');
  expect_refused(
      file_of_one_message("", "", "<field number=\"2\" name=\"" + longer + "\" type=\"INT\"/>"),
      "D114", {" 10 ", "(name_bytes_max)"}, limits);
  expect_refused(
      file_of_one_message("", "", "<field number=\"2\" name=\"B\" type=\"" + longer + "\"/>"),
      "D114", {" 10 ", "(name_bytes_max)"}, limits);
  expect_refused(file_of_one_message("", "",
                                     "<field number=\"2\" name=\"B\" type=\"INT\"><value enum=\"" +
                                         longer + "\" description=\"C\"/></field>"),
                 "D113", {" 10 ", "(name_bytes_max)"}, limits);
  expect_refused(file_of_one_message("", "<component name=\"" + longer + "\"/>", ""), "D114",
                 {" 10 ", "(name_bytes_max)"}, limits);
  limits = {};
  limits.value_name_bytes_max = 10;
  expect_refused(
      file_of_one_message(
          "", "",
          "<field number=\"2\" name=\"B\" type=\"INT\"><value enum=\"1\" description=\"" + longer +
              "\"/></field>"),
      "D113", {" 10 ", "(value_name_bytes_max)"}, limits);
  limits = {};
  limits.problems_max = 2;
  const Loaded loaded =
      load_text(file_of_one_message(
                    "<field name=\"X\" required=\"N\"/><field name=\"Y\" required=\"N\"/><field "
                    "name=\"Z\" required=\"N\"/><field name=\"W\" required=\"N\"/>",
                    "", ""),
                limits);
  EXPECT_FALSE(loaded);
  ASSERT_EQ(loaded.problems.size(), 3U);
  EXPECT_EQ(loaded.problems.back().text, "and 2 more problems (problems_max)");
  EXPECT_EQ(loaded.problems.back().code, affix::base::MessageCode("D122"));
}

TEST(HostileDictionary, ProblemsShowNothingATerminalObeysAndNoEndlessNames) {
  const std::string longest(5000, 'x');
  for (const std::string& name : {std::string("&#27;[2J&#10;x"), longest}) {
    const Loaded loaded = load_text(file_of_one_message(
        "<field name=\"" + name + "\" required=\"N\"/>", "<component name=\"" + name + "\"/>",
        "<field number=\"x\" name=\"" + name + "\" type=\"INT\"/>"));
    EXPECT_FALSE(loaded);
    EXPECT_GE(loaded.problems.size(), 3U);
    for (const Problem& problem : loaded.problems) {
      const std::string text = to_text(problem, "x.xml");
      EXPECT_EQ(text.find_first_of("\x1B\n"), std::string::npos) << text;
      EXPECT_LT(text.size(), 300U) << text;
    }
  }
}

TEST(HostileDictionary, ComponentsThatNestExponentiallyAreMeasuredNotExpanded) {
  std::string components = "<component name=\"C0\"><field name=\"A\" required=\"N\"/></component>";
  for (int level = 1; level <= 30; ++level) {
    const std::string below = "C" + std::to_string(level - 1);
    // Two equal members count as one, so a second name for the component makes two.
    components += "<component name=\"D" + std::to_string(level) + "\"><component name=\"" + below +
                  "\" required=\"N\"/></component>";
    components += component_of("C" + std::to_string(level), below, "D" + std::to_string(level));
  }
  LoadLimits limits;
  limits.component_depth_max = 100;
  const auto begin = std::chrono::steady_clock::now();
  expect_refused(file_of_one_message("<component name=\"C30\" required=\"N\"/>", components, ""),
                 "D120", {"M: ", " 200000 ", "(expanded_members_max)"}, limits);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(HostileDictionary, ManyMessagesOfABigComponentMeetTheTotal) {
  LoadLimits limits;
  limits.expanded_total_max = 10;
  std::string text =
      file_of_one_message("<component name=\"C\" required=\"N\"/>",
                          "<component name=\"C\"><field name=\"A\" required=\"N\"/><field "
                          "name=\"B\" required=\"N\"/></component>",
                          "<field number=\"2\" name=\"B\" type=\"INT\"/>");
  std::string more;
  for (int at = 0; at < 5; ++at) {
    more += "<message name=\"N" + std::to_string(at) + "\" msgtype=\"N" + std::to_string(at) +
            "\" msgcat=\"app\"><component name=\"C\" required=\"N\"/></message>";
  }
  text.insert(text.find("</messages>"), more);
  expect_refused(text, "D120", {" 10 ", "(expanded_total_max)"}, limits);
}

TEST(HostileDictionary, ChainsAndNestsEndAtTheirDepth) {
  std::string chain = "<component name=\"C0\"><field name=\"A\" required=\"N\"/></component>";
  for (int level = 1; level <= 20'000; ++level) {
    chain += "<component name=\"C" + std::to_string(level) + "\"><component name=\"C" +
             std::to_string(level - 1) + "\" required=\"N\"/></component>";
  }
  expect_refused(file_of_one_message("", chain, ""), "D120", {"(component_depth_max)"});
  // Outermost first, where the whole chain is found at once.
  std::string turned;
  for (int level = 20'000; level >= 1; --level) {
    turned += "<component name=\"C" + std::to_string(level) + "\"><component name=\"C" +
              std::to_string(level - 1) + "\" required=\"N\"/></component>";
  }
  expect_refused(file_of_one_message("", turned + "<component name=\"C0\"/>", ""), "D120",
                 {"(component_depth_max)"});

  std::string groups;
  std::string fields;
  for (int level = 0; level < 17; ++level) {
    const std::string number = std::to_string(level);
    groups += "<group name=\"G" + number + "\" required=\"N\"><field name=\"F" + number +
              "\" required=\"N\"/>";
    fields += "<field number=\"" + std::to_string(100 + level) + "\" name=\"G" + number +
              "\" type=\"INT\"/><field number=\"" + std::to_string(200 + level) + "\" name=\"F" +
              number + "\" type=\"INT\"/>";
  }
  for (int level = 0; level < 17; ++level) {
    groups += "</group>";
  }
  expect_refused(file_of_one_message(groups, "", fields), "D120",
                 {"M: ", " 16 ", "(group_depth_max)"});
}

TEST(HostileDictionary, LongListsTakeLinearTime) {
  std::string members;
  std::string fields;
  for (int at = 0; at < 30'000; ++at) {
    members += "<field name=\"F" + std::to_string(at) + "\" required=\"N\"/>";
    fields += "<field number=\"" + std::to_string(at + 10) + "\" name=\"F" + std::to_string(at) +
              "\" type=\"INT\"/>";
  }
  const auto begin = std::chrono::steady_clock::now();
  const Loaded loaded = load_text(file_of_one_message(members + members, "", fields));
  EXPECT_TRUE(loaded);
  EXPECT_EQ(loaded.problems.size(), 1001U);
  // Quadratic time would be hours.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
