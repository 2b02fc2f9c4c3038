// SPDX-License-Identifier: MIT
// The datatypes of FIX 4.0 to Latest, and the class of values of each. Validator and generator
// share the classes, so that generated types hold every accepted value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::dictionary {

/// Every datatype of a published FIX version. Two spellings of one format are two
/// enumerators (UtcDate and UtcDateOnly), so that a dictionary is written as it was
/// read.
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
  MultipleValueString,  ///< Name of MultipleStringValue in 4.0 to 4.4.
  Country,
  Currency,
  Exchange,
  Language,
  MonthYear,
  UtcTimestamp,
  UtcTimeOnly,
  UtcDateOnly,
  UtcDate,  ///< Name of UtcDateOnly in 4.2 and 4.3.
  LocalMktDate,
  LocalMktTime,
  TzTimeOnly,
  TzTimestamp,
  Data,
  XmlData,
  Pattern,
  Tenor,
  Reserved100Plus,   ///< For unions: numbers from 100 on, by agreement of the parties.
  Reserved1000Plus,  ///< The same from 1000.
  Reserved4000Plus,  ///< The same from 4000.
  Xid,
  XidRef,
  Time,  ///< 4.0 and 4.1: YYYYMMDD-HH:MM:SS in UTC.
  Date,  ///< 4.0 and 4.1: YYYYMMDD.
};

inline constexpr std::size_t field_type_count = static_cast<std::size_t>(FieldType::Date) + 1;

/// Form of a type's values on the wire.
enum class ValueClass : std::uint8_t {
  Integer,       ///< Optional '-', digits.
  Natural,       ///< Digits.
  Decimal,       ///< Optional '-', digits with at most one point.
  Char,          ///< One byte.
  Boolean,       ///< Y or N.
  Text,          ///< Any bytes except SOH.
  CharList,      ///< One-byte codes, separated by spaces.
  TextList,      ///< Codes of any length, separated by spaces.
  MonthYear,     ///< YYYYMM, YYYYMMDD or YYYYMMWW (w1 to w5).
  UtcTimestamp,  ///< YYYYMMDD-HH:MM:SS, optionally a fraction.
  UtcTime,       ///< HH:MM:SS, optionally a fraction.
  Date,          ///< YYYYMMDD; the type defines UTC or local.
  LocalTime,     ///< HH:MM:SS.
  TzTime,        ///< HH:MM[:SS[.fraction]] and an offset: Z, +hh, -hh:mm.
  TzTimestamp,   ///< YYYYMMDD-HH:MM:SS[.fraction] and an offset.
  Bytes,         ///< Length given by the preceding length field; may contain SOH.
};

[[nodiscard]] ValueClass value_class(FieldType type) noexcept;

/// The specification's spelling: "UTCTimestamp", "int". Static storage.
[[nodiscard]] const char* to_text(FieldType type) noexcept;

/// QuickFIX's spelling: "UTCTIMESTAMP", "INT". Static storage.
[[nodiscard]] const char* to_quickfix_text(FieldType type) noexcept;

[[nodiscard]] const char* to_text(ValueClass value_class) noexcept;

/// Parses a type name in any spelling and case of the published files ("MONTHYEAR", "Month-Year");
/// nothing for a venue's own type.
[[nodiscard]] std::optional<FieldType> field_type_from_text(std::string_view text) noexcept;

/// True if values are split at spaces and each part is looked up in the value list.
[[nodiscard]] inline bool has_several_values(FieldType type) noexcept {
  const ValueClass of = value_class(type);
  return of == ValueClass::CharList || of == ValueClass::TextList;
}

/// True for raw values, whose length another field gives.
[[nodiscard]] inline bool has_raw_bytes(FieldType type) noexcept {
  return value_class(type) == ValueClass::Bytes;
}

}  // namespace affix::inline v0::dictionary
