// SPDX-License-Identifier: MIT
// Every type of FIX: valid and invalid values, in both checks.

#include "affix/dictionary/field_type.hpp"
#include "affix/dictionary/validator.hpp"

#include "validator_case.hpp"

#include <set>
#include <string>
#include <vector>

namespace affix::dictionary_test {

namespace {

using dictionary::FieldType;

struct TypeCase {
  FieldType type;
  std::vector<std::string> good;
  std::vector<std::string> bad;
  bool quickfix_checks = false;  ///< QuickFIX accepts any text for most types.
};

const std::vector<std::string> integers{
    "0", "-1", "007", "12345678", "123456789", "-00000001", "99999999999999999999"};
const std::vector<std::string> no_integers{"-",   "+1",  "1.0", "1 ",        " 1", "x",
                                           "12x", "--1", "1-",  "12345678x", "1e3"};
const std::vector<std::string> naturals{"0", "1", "00012", "12345678", "123456789012345678901"};
const std::vector<std::string> no_naturals{"-1", "-", "+1", "1.", "x", "1234567x", "123456789x"};
const std::vector<std::string> decimals{"0",   "-1",       "1.5",      ".5",          "5.",
                                        "-.5", "123456.7", "1234567.", "123456789.1", "00.1"};
const std::vector<std::string> no_decimals{".",   "-", "-.",  "1.2.3",     "1,2",  "+1",
                                           "1e3", "x", "NaN", "12345.6.7", "1.-2", "1 "};
const std::vector<std::string> timestamps{
    "20250102-03:04:05", "20250102-03:04:05.1",   "20250102-03:04:05.123456789",
    "20240229-23:59:60", "20250102-03:04:05.123", "00010101-00:00:00",
    "99991231-23:59:59"};
const std::vector<std::string> no_timestamps{"20250102",
                                             "20250102-03:04",
                                             "20250102-03:04:05.",
                                             "20250102-03:04:61",
                                             "20250102-24:00:00",
                                             "20250229-00:00:00",
                                             "20251301-00:00:00",
                                             "20250102 03:04:05",
                                             "2025-01-02-03:04:05",
                                             "20250102-03:04:05.12x",
                                             "x"};
const std::vector<std::string> times{"03:04:05", "23:59:60", "00:00:00.123456789"};
const std::vector<std::string> no_times{"3:04:05", "24:00:00",  "03:60:05",
                                        "03:04",   "03:04:05.", "x"};
const std::vector<std::string> dates{"20250102", "20240229"};
const std::vector<std::string> no_dates{"20250229", "20251301", "2025010", "202501021", "x"};
const std::vector<std::string> texts{"x", "a b", "=", "\xC3\xA4", "12345678", "123456789"};

std::vector<TypeCase> cases() {
  std::vector<TypeCase> all{
      {FieldType::Int, integers, no_integers, true},
      {FieldType::Length, naturals, no_naturals, false},
      {FieldType::SeqNum, naturals, no_naturals, true},
      {FieldType::NumInGroup, naturals, no_naturals, false},
      {FieldType::TagNum, naturals, no_naturals},
      {FieldType::DayOfMonth, {"1", "31", "09"}, {"0", "32", "-1", "x", "1.0"}},
      {FieldType::Char, {"x", " ", "\xFF", "="}, {"xy", "12"}, true},
      {FieldType::Boolean, {"Y", "N"}, {"y", "n", "1", "YN", "T", "\xD9"}, true},
      {FieldType::MultipleCharValue, {"A", "A B", "A B C D E F"}, {"AB", "A  B", " A", "A ", " "}},
      {FieldType::MultipleStringValue, {"A", "AA B"}, {"A  B", " A", "A "}},
      {FieldType::MultipleValueString, {"A", "AA B"}, {"A  B", " A", "A "}},
      {FieldType::MonthYear,
       {"202501", "20250102", "202501w1", "202501w5"},
       {"2025", "202513", "20250132", "202501w6", "x"}},
      {FieldType::UtcTimestamp, timestamps, no_timestamps, true},
      {FieldType::Time, timestamps, no_timestamps, true},
      {FieldType::UtcTimeOnly, times, no_times, true},
      {FieldType::UtcDateOnly, dates, no_dates, true},
      {FieldType::UtcDate, dates, no_dates, true},
      {FieldType::Date, dates, no_dates, true},
      {FieldType::LocalMktDate, dates, no_dates},
      {FieldType::LocalMktTime, {"03:04:05"}, {"03:04:05.1", "03:04", "24:00:00"}},
      {FieldType::TzTimeOnly,
       {"03:04Z", "03:04:05+01", "03:04:05.5-05:30"},
       {"3:04Z", "24:04Z", "03:04+15", "03:04:05+1"}},
      {FieldType::TzTimestamp,
       {"20250102-03:04Z", "20250102-03:04:05.5+01:30"},
       {"20250102Z", "20250230-03:04Z", "20250102-03:04:05+99"}},
      {FieldType::Reserved100Plus, {"100", "99999999999999999999999"}, {"99", "-100", "x", "1x0"}},
      {FieldType::Reserved1000Plus, {"1000"}, {"999", "x"}},
      {FieldType::Reserved4000Plus, {"4000"}, {"3999", "x"}},
  };
  for (const FieldType type : {FieldType::Float, FieldType::Qty, FieldType::Price,
                               FieldType::PriceOffset, FieldType::Amt, FieldType::Percentage}) {
    all.push_back({type, decimals, no_decimals, true});
  }
  for (const FieldType type :
       {FieldType::String, FieldType::Country, FieldType::Currency, FieldType::Exchange,
        FieldType::Language, FieldType::Data, FieldType::XmlData, FieldType::Pattern,
        FieldType::Tenor, FieldType::Xid, FieldType::XidRef}) {
    all.push_back({type, texts, {}});
  }
  return all;
}

dictionary::Dictionary one_field(FieldType type) {
  return load_good("<fix type='FIX' major='4' minor='4'>" + std::string(frame_xml) +
                   "<messages><message name='Only' msgtype='U' msgcat='app'>"
                   "<field name='Value' required='N'/></message></messages><components/><fields>" +
                   std::string(frame_fields_xml) + "<field number='4444' name='Value' type='" +
                   to_quickfix_text(type) + "'/></fields></fix>");
}

}  // namespace

TEST(ValidatorTypes, EveryTypeIsHere) {
  std::set<FieldType> types;
  for (const TypeCase& one : cases()) {
    types.insert(one.type);
  }
  EXPECT_EQ(types.size(), dictionary::field_type_count);
}

TEST(ValidatorTypes, GoodValuesPassAndBadOnesDoNot) {
  for (const TypeCase& one : cases()) {
    SCOPED_TRACE(to_text(one.type));
    const Validator validator = compile_good(one_field(one.type));
    for (const std::string& value : one.good) {
      EXPECT_EQ(judge(validator, header("U") + "4444=" + value + "|"), "clean") << value;
    }
    for (const std::string& value : one.bad) {
      EXPECT_EQ(judge(validator, header("U") + "4444=" + value + "|"), "value_format 4444")
          << value;
    }
    EXPECT_EQ(judge(validator, header("U") + "4444=|"), "empty_value 4444");
  }
}

TEST(ValidatorTypes, QuickfixChecksFewer) {
  for (const TypeCase& one : cases()) {
    SCOPED_TRACE(to_text(one.type));
    const Validator validator = compile_good(one_field(one.type));
    for (const std::string& value : one.good) {
      EXPECT_EQ(
          judge(validator, header("U") + "4444=" + value + "|", Rules::all(), FaultOrder::Quickfix),
          "clean")
          << value;
    }
    for (const std::string& value : one.bad) {
      const std::string judged =
          judge(validator, header("U") + "4444=" + value + "|", Rules::all(), FaultOrder::Quickfix);
      if (one.quickfix_checks) {
        EXPECT_EQ(judged, "value_format 4444") << value;
      } else if (one.type != FieldType::Length && one.type != FieldType::NumInGroup) {
        EXPECT_EQ(judged, "clean") << value;
      }
    }
  }
}

}  // namespace affix::dictionary_test
