// SPDX-License-Identifier: MIT
// The datatypes of FIX 4.0 to Latest, and the class of value each stands for. Validator and
// generator read the class, so that what one accepts the other can hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::dictionary {

/// Every datatype a published version of FIX has. Two names of one format stay two enumerators
/// where versions spell them differently (UtcDate and UtcDateOnly): a dictionary is written as it
/// was read.
enum class FieldType : std::uint8_t {
  Int,
  Length,
  SeqNum,
  NumInGroup,
  TagNum,
  DayOfMonth,
  Float,
  Qty,
  Price,
  PriceOffset,
  Amt,
  Percentage,
  Char,
  Boolean,
  String,
  MultipleCharValue,
  MultipleStringValue,
  MultipleValueString,  ///< 4.0 to 4.4's name of MultipleStringValue.
  Country,
  Currency,
  Exchange,
  Language,
  MonthYear,
  UtcTimestamp,
  UtcTimeOnly,
  UtcDateOnly,
  UtcDate,  ///< 4.2 and 4.3's name of UtcDateOnly.
  LocalMktDate,
  LocalMktTime,
  TzTimeOnly,
  TzTimestamp,
  Data,
  XmlData,
  Pattern,
  Tenor,
  Reserved100Plus,   ///< A union's other half: a number of 100 or more that two parties agreed on.
  Reserved1000Plus,  ///< The same from 1000.
  Reserved4000Plus,  ///< The same from 4000.
  Xid,
  XidRef,
  Time,  ///< 4.0 and 4.1: YYYYMMDD-HH:MM:SS in UTC.
  Date,  ///< 4.0 and 4.1: YYYYMMDD.
};

inline constexpr std::size_t field_type_count = static_cast<std::size_t>(FieldType::Date) + 1;

/// What a value of a type looks like on the wire.
enum class ValueClass : std::uint8_t {
  Integer,       ///< Optional '-', digits.
  Natural,       ///< Digits.
  Decimal,       ///< Optional '-', digits with at most one point.
  Char,          ///< One byte.
  Boolean,       ///< Y or N.
  Text,          ///< Any bytes but SOH.
  CharList,      ///< One-byte codes, a space between each.
  TextList,      ///< Codes of any length, a space between each.
  MonthYear,     ///< YYYYMM, YYYYMMDD or YYYYMMWW (w1 to w5).
  UtcTimestamp,  ///< YYYYMMDD-HH:MM:SS, optionally a fraction.
  UtcTime,       ///< HH:MM:SS, optionally a fraction.
  Date,          ///< YYYYMMDD; UTC or local is the type's business.
  LocalTime,     ///< HH:MM:SS.
  TzTime,        ///< HH:MM[:SS[.fraction]] and an offset: Z, +hh, -hh:mm.
  TzTimestamp,   ///< YYYYMMDD-HH:MM:SS[.fraction] and an offset.
  Bytes,         ///< As many bytes as the length field before it says, SOH among them.
};

[[nodiscard]] ValueClass value_class(FieldType type) noexcept;

/// The specification's spelling: "UTCTimestamp", "int". Static storage.
[[nodiscard]] const char* to_text(FieldType type) noexcept;

/// QuickFIX's spelling: "UTCTIMESTAMP", "INT". Static storage.
[[nodiscard]] const char* to_quickfix_text(FieldType type) noexcept;

[[nodiscard]] const char* to_text(ValueClass value_class) noexcept;

/// The type that `text` names in any spelling and case the published files have ("MONTHYEAR",
/// "Month-Year"); nothing for a venue's own type.
[[nodiscard]] std::optional<FieldType> field_type_from_text(std::string_view text) noexcept;

/// Values of the type are split at spaces and each part is looked up in the value list.
[[nodiscard]] inline bool has_several_values(FieldType type) noexcept {
  const ValueClass of = value_class(type);
  return of == ValueClass::CharList || of == ValueClass::TextList;
}

/// A raw value whose end another field's number tells.
[[nodiscard]] inline bool has_raw_bytes(FieldType type) noexcept {
  return value_class(type) == ValueClass::Bytes;
}

}  // namespace affix::inline v0::dictionary
