// SPDX-License-Identifier: MIT
// Every rule of the validator: messages that break it, messages that do not, and the reported
// fault.

#include "affix/dictionary/validator.hpp"

#include "validator_case.hpp"

#include <string>
#include <string_view>

namespace affix::dictionary_test {

namespace {

constexpr const char* good = "11=X|54=1|38=10|";

}  // namespace

TEST(Validator, SaysNothingOfGoodMessages) {
  expect_each({
      {good, "clean"},
      {"38=1|54=2|11=X|", "clean"},  // Order within the body is free: test case 15.
      {"11=X|54=1|38=10|44=-1.5|18=A B|900=AA LONGER-THAN-8|901=SHORT|58=a=b|", "clean"},
      {"11=X|54=1|38=10|453=0|", "clean"},
      {"11=X|54=1|38=10|453=2|448=P|452=1|448=Q|452=12|447=n|58=t|", "clean"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|802=2|523=a|803=1|523=b|60=20250102-03:04:05|", "clean"},
  });
  EXPECT_EQ(judge(small(), header("0")), "clean");
  EXPECT_EQ(judge(small(), header("0") + "112=T|"), "clean");
  EXPECT_EQ(judge(small(), header("AE")), "clean");
  EXPECT_EQ(judge(small(), header("XLIST") + "1=A|"), "clean");
}

TEST(Validator, KnowsTypesOfEveryLength) {
  for (const char* type : {"Z", "d", "A", "AF", "XLISTS", "XLIS", "D1", "0000000000"}) {
    EXPECT_EQ(judge(small(), header(type) + "58=t|"), "unknown_msg_type") << type;
  }
  EXPECT_EQ(judge(small(), header("XLIST")), "required_missing 1");
  EXPECT_EQ(judge(small(), header(std::string_view("D\0", 2)) + good), "unknown_msg_type");
}

TEST(Validator, JudgesKnownFieldsOfAnUnknownType) {
  Rules rules = Rules::all();
  rules.set(Rule::UnknownMsgType, RuleAction::Off);
  EXPECT_EQ(judge(small(), header("Z") + "58=t|453=7|", rules), "clean");
  EXPECT_EQ(judge(small(), header("Z") + "54=3|", rules), "value_not_listed 54");
  EXPECT_EQ(judge(small(), header("Z") + "7777=3|", rules), "user_defined_tag 7777");
  EXPECT_EQ(judge(small(), "35=Z|49=A|56=B|52=20250102-03:04:05|", rules), "required_missing 34");
}

TEST(Validator, ReportsUnknownTagsFromUserDefinedAndMisplacedOnes) {
  expect_each({
      {"11=X|54=1|38=10|777=1|", "unknown_tag 777"},
      {"11=X|54=1|38=10|4999=1|", "unknown_tag 4999"},
      {"11=X|54=1|38=10|5000=1|", "user_defined_tag 5000"},
      {"11=X|54=1|38=10|20001=1|", "user_defined_tag 20001"},
      {"11=X|54=1|38=10|2147483647=1|", "user_defined_tag 2147483647"},
      {"11=X|54=1|38=10|5001=1|", "tag_not_allowed 5001"},
      {"11=X|54=1|38=10|70001=1|", "tag_not_allowed 70001"},
      {"11=X|54=1|38=10|70000=1|", "user_defined_tag 70000"},
      {"11=X|54=1|38=10|99=1|", "tag_not_allowed 99"},
      {"11=X|54=1|38=10|448=P|", "tag_not_allowed 448"},
      {"11=X|54=1|38=10|112=P|", "tag_not_allowed 112"},
  });
}

TEST(Validator, MissesRequiredFields) {
  expect_each({
      {"54=1|38=10|", "required_missing 11"},
      {"11=X|38=10|", "required_missing 54"},
      {"11=X|54=1|", "required_missing 38"},
      {"", "required_missing 11"},
      {"11=X|54=1|38=10|453=1|448=P|", "required_missing 452"},
      {"11=X|54=1|38=10|453=2|448=P|452=1|448=Q|58=t|", "required_missing 452"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|802=1|523=s|58=t|", "clean"},
  });
  EXPECT_EQ(judge(small(), "35=D|56=B|34=2|52=20250102-03:04:05|11=X|54=1|38=10|"),
            "required_missing 49");
  EXPECT_EQ(judge(small(), "35=D|49=A|56=B|34=2|11=X|54=1|38=10|"), "required_missing 52");
}

TEST(Validator, IsNotTakenInByARepeatedFieldInPlaceOfAMissingOne) {
  Rules rules = Rules::all();
  rules.set(Rule::RepeatedTag, RuleAction::Off);
  expect_each({{"11=X|11=Y|38=10|", "required_missing 54"},
               {"11=X|54=1|38=10|453=1|448=P|447=n|447=m|", "required_missing 452"}},
              rules);
}

TEST(Validator, RefusesEmptyValues) {
  expect_each({
      {"11=|54=1|38=10|", "empty_value 11"},
      {"11=X|54=|38=10|", "empty_value 54"},
      {"11=X|54=1|38=|", "empty_value 38"},
      {"11=X|54=1|38=10|18=|", "empty_value 18"},
      {"11=X|54=1|38=10|60=|", "empty_value 60"},
      {"11=X|54=1|38=10|453=|", "empty_value 453"},
      {"11=X|54=1|38=10|453=1|448=|452=1|", "empty_value 448"},
      {"11=X|54=1|38=10|453=1|448=P|452=|", "empty_value 452"},
  });
  Rules rules = Rules::all();
  rules.set(Rule::EmptyValue, RuleAction::Off);
  expect_each({{"11=|54=|38=|", "clean"}}, rules);
}

TEST(Validator, ChecksFormats) {
  expect_each({
      {"11=X|54=1|38=1x|", "value_format 38"},
      {"11=X|54=1|38=1.2.3|", "value_format 38"},
      {"11=X|54=1|38=.|", "value_format 38"},
      {"11=X|54=1|38=1e5|", "value_format 38"},
      {"11=X|54=1|38=+1|", "value_format 38"},
      {"11=X|54=1|38=123456789012345678901234567890.5|", "clean"},
      {"11=X|54=1|38=10|44=1,5|", "value_format 44"},
      {"11=X|54=12|38=10|", "value_format 54"},
      {"11=X|54=1|38=10|453=x|", "value_format 453"},
      {"11=X|54=1|38=10|453=-1|", "value_format 453"},
      {"11=X|54=1|38=10|453=1|448=P|452=y|", "value_format 452"},
      {"11=X|54=1|38=10|60=20250102-03:04|", "value_format 60"},
      {"11=X|54=1|38=10|60=20250230-03:04:05|", "value_format 60"},
      {"11=X|54=1|38=10|60=20250102-24:04:05|", "value_format 60"},
      {"11=X|54=1|38=10|60=20250102-23:59:60|", "clean"},
      {"11=X|54=1|38=10|60=20250102-03:04:05.123456789012|", "clean"},
      {"11=X|54=1|38=10|18=A  B|", "value_format 18"},
      {"11=X|54=1|38=10|18=AB|", "value_format 18"},
      {"11=X|54=1|38=10|902=-12345678901234567890|", "clean"},
      {"11=X|54=1|38=10|902=1-2|", "value_format 902"},
  });
}

TEST(Validator, ChecksValueLists) {
  expect_each({
      {"11=X|54=3|38=10|", "value_not_listed 54"},
      {"11=X|54=\x7F|38=10|", "value_not_listed 54"},
      {"11=X|54=\xB1|38=10|", "value_not_listed 54"},
      {"11=X|54=1|38=10|18=A C|", "value_not_listed 18"},
      {"11=X|54=1|38=10|900=AA B|", "clean"},
      {"11=X|54=1|38=10|900=A|", "value_not_listed 900"},
      {"11=X|54=1|38=10|900=AA LONGER-THAN-9|", "value_not_listed 900"},
      {"11=X|54=1|38=10|901=LONGER-THAN-8|", "clean"},
      {"11=X|54=1|38=10|901=LONGER-THAN|", "value_not_listed 901"},
      {"11=X|54=1|38=10|901=SHOR|", "value_not_listed 901"},
      {"11=X|54=1|38=10|901=SHORT |", "value_not_listed 901"},
      {"11=X|54=1|38=10|453=1|448=P|452=2|", "value_not_listed 452"},
      {"11=X|54=1|38=10|453=1|448=P|452=01|", "value_not_listed 452"},
  });
  EXPECT_EQ(judge(small(), header() + "11=X|54=1|38=10|901=" + std::string("SHORT\0", 6) + "|"),
            "value_not_listed 901");
  EXPECT_EQ(judge(small(), header() + "11=X|54=1|38=10|901=" + std::string("\0", 1) + "|"),
            "value_not_listed 901");
}

TEST(Validator, FindsRepeatedTags) {
  expect_each({
      {"11=X|54=1|38=10|11=Y|", "repeated_tag 11"},
      {"11=X|54=1|38=10|58=a|58=b|", "repeated_tag 58"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|453=1|448=P|452=1|", "repeated_tag 453"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|447=a|447=b|", "repeated_tag 447"},
      {"11=X|54=1|38=10|9=5|", "repeated_tag 9"},
  });
  // A field that the dictionary does not place here may belong to a group that it does not know.
  Rules rules = Rules::all();
  rules.set(Rule::UnknownTag, RuleAction::Off);
  rules.set(Rule::TagNotAllowed, RuleAction::Off);
  expect_each({{"11=X|54=1|38=10|777=1|777=2|99=1|99=2|", "clean"}}, rules);
}

TEST(Validator, HoldsSectionsToTheirOrder) {
  expect_each({
      {"11=X|54=1|38=10|115=C|", "section_order 115"},
      {"11=X|54=1|115=C|38=10|58=t|", "section_order 115"},
      {"11=X|54=1|38=10|93=3|89=abc|", "clean"},
      {"11=X|54=1|93=3|89=abc|38=10|", "section_order 38"},
      {"115=C|627=1|628=H|630=4|11=X|54=1|38=10|", "clean"},
      {"11=X|627=1|628=H|54=1|38=10|", "section_order 627"},
  });
  Rules rules = Rules::all();
  rules.set(Rule::UnknownTag, RuleAction::Off);
  // An unknown tag may belong to any section.
  expect_each({{"777=1|115=C|11=X|54=1|38=10|", "clean"}}, rules);
}

TEST(Validator, CountsGroups) {
  expect_each({
      {"11=X|54=1|38=10|453=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=2|448=P|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|448=Q|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=0|448=Q|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=01|448=Q|452=1|", "clean"},
      {"11=X|54=1|38=10|453=10|448=Q|452=1|", "group_count 453"},
      // Exceeds every integer type, but is a valid number.
      {"11=X|54=1|38=10|453=9223372036854775807|448=Q|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=9223372036854775808|448=Q|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=18446744073709551616|448=Q|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=18446744073709551617|448=Q|452=1|", "group_count 453"},
      {"11=X|54=1|38=10|453=-9223372036854775809|448=Q|452=1|", "value_format 453"},
      {"11=X|54=1|38=10|453=1000000000000000000000000000000000000001|448=Q|452=1|",
       "group_count 453"},
      {"11=X|54=1|38=10|453=9223372036854775808|", "group_count 453"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|802=2|523=a|", "group_count 802"},
      {"627=2|628=H|11=X|54=1|38=10|", "group_count 627"},
  });
}

TEST(Validator, WantsTheFirstFieldOfAnEntryFirst) {
  expect_each({
      {"11=X|54=1|38=10|453=1|452=1|448=P|", "group_start 452"},
      {"11=X|54=1|38=10|453=1|448=P|452=1|802=1|803=1|523=a|", "group_start 803"},
  });
  Rules rules = Rules::all();
  rules.set(Rule::GroupStart, RuleAction::Off);
  expect_each({{"11=X|54=1|38=10|453=1|452=1|448=P|", "group_count 453"}}, rules);
}

TEST(Validator, WantsTheDictionarysOrderInEntries) {
  expect_each({
      {"11=X|54=1|38=10|453=1|448=P|447=n|452=1|", "group_order 452"},
      {"11=X|54=1|38=10|453=1|448=P|802=1|523=s|452=1|", "group_order 452"},
  });
  Rules rules = Rules::all();
  rules.set(Rule::GroupOrder, RuleAction::Off);
  expect_each({{"11=X|54=1|38=10|453=1|448=P|447=n|452=1|", "clean"}}, rules);
}

TEST(Validator, UnknownTagsDoNotEndAGroup) {
  Rules rules = Rules::all();
  rules.set(Rule::UnknownTag, RuleAction::Off);
  rules.set(Rule::UserDefinedTag, RuleAction::Off);
  expect_each(
      {
          {"11=X|54=1|38=10|453=2|448=P|777=a|452=1|448=Q|452=1|9999=b|58=t|", "clean"},
          {"11=X|54=1|38=10|453=2|448=P|452=1|777=|448=Q|452=1|", "empty_value 777"},
          // A known field that is no member.
          {"11=X|54=1|38=10|453=2|448=P|452=1|58=t|448=Q|452=1|", "group_count 453"},
      },
      rules);
}

TEST(Validator, ReportsTheFirstFaultInTheMessage) {
  expect_each({
      {"54=3|777=1|11=X|", "value_not_listed 54"},
      {"777=1|54=3|11=X|", "unknown_tag 777"},
      {"11=X|54=1|453=1|448=P|452=9|60=x|", "value_not_listed 452"},
      {"54=1|38=10|453=1|448=P|58=|", "required_missing 452"},
  });
}

TEST(Validator, WarnsWhenNothingIsRejected) {
  Rules rules = Rules::strict();
  EXPECT_EQ(rules.action(Rule::UserDefinedTag), RuleAction::Warn);
  expect_each({{"9999=1|11=X|54=1|38=10|", "user_defined_tag 9999"},
               {"9999=1|11=X|54=9|38=10|", "value_not_listed 54"}},
              rules);
}

TEST(Validator, TolerantRulesLoseNoMessageForThingsTheDictionaryLacks) {
  expect_each({{"11=X|54=1|38=10|777=1|9999=2|99=3|115=C|", "clean"},
               {"11=X|54=1|38=10|453=1|448=P|447=n|452=1|777=1|", "clean"},
               {"11=X|54=1|38=1x|777=1|", "value_format 38"},
               {"11=X|54=9|38=1|777=1|", "value_not_listed 54"}},
              Rules::tolerant());
  const Indexed message(header() + "11=X|54=9|38=1|");
  EXPECT_EQ(small().validate(message.view(), Rules::tolerant())->action, RuleAction::Warn);
}

TEST(Validator, WithoutRulesEverythingIsClean) {
  expect_each({{"", "clean"}, {"54=99|777=|453=9|448=P|115=X|", "clean"}}, Rules::none());
}

TEST(Validator, DataMayHoldAnything) {
  EXPECT_EQ(judge(small(), header() + good + "93=5|89=a|b=c|"), "clean");
}

TEST(Validator, MessagesWithADefectAreNotClean) {
  std::string bytes = support::make_message(header() + good);
  bytes[bytes.size() - 2] = bytes[bytes.size() - 2] == '0' ? '1' : '0';
  wire::FieldIndexOf<64> index;
  wire::index_message(bytes, index);
  const wire::MessageView view(bytes, index);
  EXPECT_FALSE(small().clean(view, Rules::all()));
  static_cast<void>(small().first_violation(view, Rules::all()));
  const std::string short_bytes = support::with_soh("8=F|10=1|");
  wire::index_message(short_bytes, index);
  static_cast<void>(small().validate({short_bytes, index}, Rules::all()));
  wire::index_message(std::string_view(), index);
  static_cast<void>(small().validate({std::string_view(), index}, Rules::all()));
}

TEST(Validator, MessagesOfVeryManyFieldsAreJudgedToo) {
  // More fields than the quick check covers: it returns false, and the exact check finds no fault.
  const Indexed large(header() + good + "453=1200|" + [] {
    std::string entries;
    for (int entry = 0; entry < 1200; ++entry) {
      entries += "448=P|452=1|";
    }
    return entries;
  }());
  EXPECT_FALSE(small().clean(large.view(), Rules::all()));
  EXPECT_EQ(small().validate(large.view(), Rules::all()), std::nullopt);
}

TEST(Shapes, AKnownOneIsHeldToItsValues) {
  dictionary::Shapes shapes;
  const auto clean = [&](const std::string& body) {
    const Indexed message(body);
    return small().clean(message.view(), Rules::all(), FaultOrder::Message, shapes);
  };
  const std::string order = header() + "11=X|54=1|38=10|453=2|448=P|452=1|448=Q|452=12|58=t|";
  ASSERT_TRUE(clean(order));
  EXPECT_TRUE(clean(order));
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string other = order;
    return clean(other.replace(other.find(from), from.size(), to));
  };
  EXPECT_TRUE(changed("38=10|", "38=7.25|"));
  EXPECT_TRUE(changed("54=1|", "54=2|"));
  EXPECT_FALSE(changed("54=1|", "54=3|"));
  EXPECT_FALSE(changed("453=2|", "453=1|"));
  EXPECT_FALSE(changed("453=2|", "453=3|"));
  EXPECT_FALSE(changed("453=2|", "453=|"));
  EXPECT_FALSE(changed("452=12|", "452=13|"));
  EXPECT_FALSE(changed("11=X|", "11=|"));
  EXPECT_FALSE(changed("58=t|", "58=|"));
  EXPECT_FALSE(changed("58=t|", "777=t|"));
  EXPECT_FALSE(changed("448=Q|", "447=Q|"));
  EXPECT_FALSE(changed("35=D|", "35=AE|"));
  EXPECT_FALSE(changed("34=2|", "34=x|"));
  EXPECT_TRUE(clean(order));
}

/// A dictionary with a group of one or two entries: its counter has a list of values.
Validator with_listed_counter() {
  return compile_good(
      load_good("<fix type='FIX' major='4' minor='4'>" + std::string(frame_xml) +
                "<messages><message name='Report' msgtype='D' msgcat='app'>"
                "<group name='NoSides' required='N'><field name='Side' required='Y'/></group>"
                "</message></messages><components/><fields>" +
                std::string(frame_fields_xml) +
                "<field number='552' name='NoSides' type='NUMINGROUP'>"
                "<value enum='1' description='ONE_SIDE'/><value enum='2' description='BOTH_SIDES'/>"
                "</field><field number='54' name='Side' type='CHAR'/></fields></fix>"));
}

TEST(Shapes, ACounterThatIsNotListedIsFaultyEachTime) {
  const Validator validator = with_listed_counter();
  EXPECT_EQ(judge(validator, header() + "552=1|54=1|"), "clean");
  EXPECT_EQ(judge(validator, header() + "552=0|"), "value_not_listed 552");
  EXPECT_EQ(judge(validator, header() + "552=3|54=1|54=2|54=1|"), "value_not_listed 552");
}

TEST(Shapes, ASessionWithOtherRulesDoesNotExcuseACounter) {
  const Validator validator = with_listed_counter();
  Rules tolerant = Rules::all();
  tolerant.set(Rule::ValueNotListed, RuleAction::Off);
  const Indexed none(header() + "552=0|");
  const Indexed one(header() + "552=1|54=1|");
  dictionary::Shapes shapes;
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_TRUE(validator.clean(none.view(), tolerant, FaultOrder::Message, shapes));
    EXPECT_FALSE(validator.clean(none.view(), Rules::all(), FaultOrder::Message, shapes));
    EXPECT_TRUE(validator.clean(one.view(), Rules::all(), FaultOrder::Message, shapes));
  }
}

TEST(Shapes, ServeSeveralValidatorsInTurn) {
  dictionary::Shapes shapes;
  const Validator other = compile_good(
      load_good("<fix type='FIX' major='4' minor='4'>" + std::string(frame_xml) +
                "<messages><message name='Order' msgtype='D' msgcat='app'>"
                "<field name='Number' required='Y'/></message></messages><components/><fields>" +
                std::string(frame_fields_xml) +
                "<field number='1' name='Number' type='INT'/></fields></fix>"));
  const Indexed message(header() + "1=A|");
  const Indexed number(header() + "1=5|");
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_FALSE(other.clean(message.view(), Rules::all(), FaultOrder::Message, shapes));
    EXPECT_TRUE(other.clean(number.view(), Rules::all(), FaultOrder::Message, shapes));
    EXPECT_FALSE(small().clean(number.view(), Rules::all(), FaultOrder::Message, shapes));
  }
}

TEST(Validator, JoinsTransportAndApplication) {
  const auto transport =
      load_good("<fix type='FIXT' major='1' minor='1'>" + std::string(frame_xml) +
                "<messages><message name='Heartbeat' msgtype='0' msgcat='admin'>"
                "<field name='TestReqID' required='N'/></message></messages><components/><fields>" +
                std::string(frame_fields_xml) +
                "<field number='112' name='TestReqID' type='STRING'/></fields></fix>");
  const auto application = load_good(
      "<fix type='FIX' major='5' minor='0' servicepack='2'><header/><trailer/>"
      "<messages><message name='Order' msgtype='D' msgcat='app'>"
      "<field name='ClOrdID' required='Y'/></message></messages><components/>"
      "<fields><field number='11' name='ClOrdID' type='STRING'/></fields></fix>");
  auto joined = Validator::compile(transport, application);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->version().appl_ver_id(), "9");
  const auto judged = [&](const std::string& body) {
    return judge(*joined, body, Rules::all(), FaultOrder::Message, "FIXT.1.1");
  };
  EXPECT_EQ(judged(header() + "11=X|"), "clean");
  EXPECT_EQ(judged(header() + "115=C|627=1|628=H|11=X|"), "clean");
  EXPECT_EQ(judged(header() + "43=x|11=X|"), "value_format 43");
  // A field only of the transport's own messages is unknown in an application message.
  EXPECT_EQ(judged(header() + "11=X|112=T|"), "unknown_tag 112");
  EXPECT_EQ(judged(header("0")), "unknown_msg_type");
  const Validator session = compile_good(transport);
  EXPECT_EQ(judge(session, header("0") + "112=T|", Rules::all(), FaultOrder::Message, "FIXT.1.1"),
            "clean");
  EXPECT_EQ(judge(session, header() + "11=X|", Rules::all(), FaultOrder::Message, "FIXT.1.1"),
            "unknown_msg_type");
}

TEST(Validator, RefusesDictionariesBeyondItsLimits) {
  std::string fields;
  std::string members;
  for (int number = 1000; number < 1000 + 2050; ++number) {
    const std::string name = "F" + std::to_string(number);
    fields += "<field number='" + std::to_string(number) + "' name='" + name + "' type='INT'/>";
    members += "<field name='" + name + "' required='N'/>";
  }
  const auto dictionary =
      load_good("<fix type='FIX' major='4' minor='4'>" + std::string(frame_xml) +
                "<messages><message name='Wide' msgtype='W' msgcat='app'>" + members +
                "</message></messages><components/><fields>" + std::string(frame_fields_xml) +
                fields + "</fields></fix>");
  const auto compiled = Validator::compile(dictionary);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, base::ErrorCode::Limit);
  EXPECT_EQ(compiled.error().message_code, affix::base::MessageCode("D121"));
  EXPECT_NE(compiled.error().message.find("Wide has more than 2047 fields"), std::string::npos);
}

}  // namespace affix::dictionary_test
