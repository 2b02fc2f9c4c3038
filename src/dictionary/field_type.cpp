// SPDX-License-Identifier: MIT
// One table of types: spellings and value class. The order is the enumeration's.

#include "affix/dictionary/field_type.hpp"

#include <array>

namespace affix::inline v0::dictionary {

namespace {

struct Row {
  FieldType type;
  const char* text;
  const char* quickfix_text;
  ValueClass value_class;
};

constexpr std::array rows = {
    Row{FieldType::Int, "int", "INT", ValueClass::Integer},
    Row{FieldType::Length, "Length", "LENGTH", ValueClass::Natural},
    Row{FieldType::SeqNum, "SeqNum", "SEQNUM", ValueClass::Natural},
    Row{FieldType::NumInGroup, "NumInGroup", "NUMINGROUP", ValueClass::Natural},
    Row{FieldType::TagNum, "TagNum", "TAGNUM", ValueClass::Natural},
    Row{FieldType::DayOfMonth, "DayOfMonth", "DAYOFMONTH", ValueClass::Natural},
    Row{FieldType::Float, "float", "FLOAT", ValueClass::Decimal},
    Row{FieldType::Qty, "Qty", "QTY", ValueClass::Decimal},
    Row{FieldType::Price, "Price", "PRICE", ValueClass::Decimal},
    Row{FieldType::PriceOffset, "PriceOffset", "PRICEOFFSET", ValueClass::Decimal},
    Row{FieldType::Amt, "Amt", "AMT", ValueClass::Decimal},
    Row{FieldType::Percentage, "Percentage", "PERCENTAGE", ValueClass::Decimal},
    Row{FieldType::Char, "char", "CHAR", ValueClass::Char},
    Row{FieldType::Boolean, "Boolean", "BOOLEAN", ValueClass::Boolean},
    Row{FieldType::String, "String", "STRING", ValueClass::Text},
    Row{FieldType::MultipleCharValue, "MultipleCharValue", "MULTIPLECHARVALUE",
        ValueClass::CharList},
    Row{FieldType::MultipleStringValue, "MultipleStringValue", "MULTIPLESTRINGVALUE",
        ValueClass::TextList},
    Row{FieldType::MultipleValueString, "MultipleValueString", "MULTIPLEVALUESTRING",
        ValueClass::TextList},
    Row{FieldType::Country, "Country", "COUNTRY", ValueClass::Text},
    Row{FieldType::Currency, "Currency", "CURRENCY", ValueClass::Text},
    Row{FieldType::Exchange, "Exchange", "EXCHANGE", ValueClass::Text},
    Row{FieldType::Language, "Language", "LANGUAGE", ValueClass::Text},
    Row{FieldType::MonthYear, "MonthYear", "MONTHYEAR", ValueClass::MonthYear},
    Row{FieldType::UtcTimestamp, "UTCTimestamp", "UTCTIMESTAMP", ValueClass::UtcTimestamp},
    Row{FieldType::UtcTimeOnly, "UTCTimeOnly", "UTCTIMEONLY", ValueClass::UtcTime},
    Row{FieldType::UtcDateOnly, "UTCDateOnly", "UTCDATEONLY", ValueClass::Date},
    Row{FieldType::UtcDate, "UTCDate", "UTCDATE", ValueClass::Date},
    Row{FieldType::LocalMktDate, "LocalMktDate", "LOCALMKTDATE", ValueClass::Date},
    Row{FieldType::LocalMktTime, "LocalMktTime", "LOCALMKTTIME", ValueClass::LocalTime},
    Row{FieldType::TzTimeOnly, "TZTimeOnly", "TZTIMEONLY", ValueClass::TzTime},
    Row{FieldType::TzTimestamp, "TZTimestamp", "TZTIMESTAMP", ValueClass::TzTimestamp},
    Row{FieldType::Data, "data", "DATA", ValueClass::Bytes},
    Row{FieldType::XmlData, "XMLData", "XMLDATA", ValueClass::Bytes},
    Row{FieldType::Pattern, "Pattern", "PATTERN", ValueClass::Text},
    Row{FieldType::Tenor, "Tenor", "TENOR", ValueClass::Text},
    Row{FieldType::Reserved100Plus, "Reserved100Plus", "RESERVED100PLUS", ValueClass::Natural},
    Row{FieldType::Reserved1000Plus, "Reserved1000Plus", "RESERVED1000PLUS", ValueClass::Natural},
    Row{FieldType::Reserved4000Plus, "Reserved4000Plus", "RESERVED4000PLUS", ValueClass::Natural},
    Row{FieldType::Xid, "XID", "XID", ValueClass::Text},
    Row{FieldType::XidRef, "XIDREF", "XIDREF", ValueClass::Text},
    Row{FieldType::Time, "Time", "TIME", ValueClass::UtcTimestamp},
    Row{FieldType::Date, "Date", "DATE", ValueClass::Date},
};
static_assert(rows.size() == field_type_count);

constexpr bool rows_are_in_order() {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (static_cast<std::size_t>(rows[at].type) != at) {
      return false;
    }
  }
  return true;
}

static_assert(rows_are_in_order());

const Row& row(FieldType type) noexcept {
  return rows[static_cast<std::size_t>(type)];
}

constexpr char upper(char letter) noexcept {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

// Ignores hyphens, underscores and spaces in `text`: some files write MONTH-YEAR.
bool is_spelling_of(std::string_view text, std::string_view upper_text) noexcept {
  std::size_t at = 0;
  for (const char letter : text) {
    if (letter == '-' || letter == '_' || letter == ' ') {
      continue;
    }
    if (at == upper_text.size() || upper(letter) != upper_text[at]) {
      return false;
    }
    ++at;
  }
  return at == upper_text.size();
}

}  // namespace

ValueClass value_class(FieldType type) noexcept {
  return row(type).value_class;
}

const char* to_text(FieldType type) noexcept {
  return row(type).text;
}

const char* to_quickfix_text(FieldType type) noexcept {
  return row(type).quickfix_text;
}

const char* to_text(ValueClass value_class) noexcept {
  switch (value_class) {
    case ValueClass::Integer:
      return "integer";
    case ValueClass::Natural:
      return "natural number";
    case ValueClass::Decimal:
      return "decimal";
    case ValueClass::Char:
      return "character";
    case ValueClass::Boolean:
      return "boolean";
    case ValueClass::Text:
      return "text";
    case ValueClass::CharList:
      return "list of characters";
    case ValueClass::TextList:
      return "list of codes";
    case ValueClass::MonthYear:
      return "month and year";
    case ValueClass::UtcTimestamp:
      return "UTC timestamp";
    case ValueClass::UtcTime:
      return "UTC time";
    case ValueClass::Date:
      return "date";
    case ValueClass::LocalTime:
      return "local time";
    case ValueClass::TzTime:
      return "time with offset";
    case ValueClass::TzTimestamp:
      return "timestamp with offset";
    case ValueClass::Bytes:
      return "bytes";
  }
  return "unknown";
}

std::optional<FieldType> field_type_from_text(std::string_view text) noexcept {
  for (const Row& candidate : rows) {
    // The two spellings differ in case only.
    if (is_spelling_of(text, candidate.quickfix_text)) {
      return candidate.type;
    }
  }
  return std::nullopt;
}

}  // namespace affix::inline v0::dictionary
