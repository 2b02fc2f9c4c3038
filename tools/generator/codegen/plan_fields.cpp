// SPDX-License-Identifier: MIT
// Selects the C++ type of a field, and the form of its enum.
#include "affix/dictionary/field_type.hpp"

#include "codegen/naming.hpp"
#include "codegen/plan.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::codegen {

using dictionary::Field;
using dictionary::FieldType;
using dictionary::ValueClass;

namespace {

/// The only way to write that number: no sign but '-', no leading zero.
bool is_plain_number(std::string_view code) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), number);
  return error == std::errc() && end == code.data() + code.size() && std::to_string(number) == code;
}

EnumKind kind_of_enum(const Field& field) {
  if (field.values.empty()) {
    return EnumKind::None;
  }
  const auto all = [&](auto holds) { return std::ranges::all_of(field.values, holds); };
  switch (dictionary::value_class(field.type)) {
    case ValueClass::Integer:
    case ValueClass::Natural:
      if (all([](const auto& value) { return is_plain_number(value.code); })) {
        return EnumKind::Number;
      }
      break;
    case ValueClass::Char:
    case ValueClass::CharList:
    case ValueClass::Text:
    case ValueClass::TextList:
      break;
    default:  // Y and N are bool; numbers, times and raw bytes have their own types.
      return EnumKind::None;
  }
  return all([](const auto& value) { return value.code.size() == 1; }) ? EnumKind::Character
                                                                       : EnumKind::Place;
}

struct CppType {
  std::string_view read;
  WriteForm write = WriteForm::Value;
  std::string_view precision = {};
  std::string_view written_as = {};  ///< Empty: as `read`.
};

CppType type_of_decimal(FieldType type) {
  switch (type) {
    case FieldType::Price:
      return {"Price"};
    case FieldType::PriceOffset:
      return {"PriceOffset"};
    case FieldType::Qty:
      return {"Qty"};
    case FieldType::Amt:
      return {"Amt"};
    case FieldType::Percentage:
      return {"Percentage"};
    default:
      return {"base::Decimal"};
  }
}

CppType type_of_natural(FieldType type) {
  switch (type) {
    case FieldType::SeqNum:
      return {"SeqNum"};
    case FieldType::DayOfMonth:
      return {"std::uint8_t"};
    default:
      return {"std::uint32_t"};
  }
}

/// For a field without an enum. `seconds`: the version's time stamps end with the second.
CppType type_of(const Field& field, bool seconds) {
  const std::string_view stamp = seconds ? "Seconds" : "Millis";
  switch (dictionary::value_class(field.type)) {
    case ValueClass::Integer:
      return {"std::int64_t"};
    case ValueClass::Natural:
      return type_of_natural(field.type);
    case ValueClass::Decimal:
      return type_of_decimal(field.type);
    case ValueClass::Char:
      return {"char"};
    case ValueClass::Boolean:
      return {"bool"};
    case ValueClass::CharList:
    case ValueClass::TextList:
      return {"wire::MultipleValue", WriteForm::Value, {}, "std::string_view"};
    case ValueClass::MonthYear:
      return {"wire::MonthYear"};
    case ValueClass::UtcTimestamp:
      return {"base::UtcTime", WriteForm::Time, stamp};
    case ValueClass::UtcTime:
      return {"wire::TimeOfDay", WriteForm::Time, stamp};
    case ValueClass::Date:
      return {"base::CivilDate"};
    case ValueClass::LocalTime:
      return {"wire::TimeOfDay", WriteForm::Time, "Seconds"};
    case ValueClass::TzTime:
      return {"wire::ZonedTimeOfDay", WriteForm::Time, "Seconds"};
    case ValueClass::TzTimestamp:
      return {"wire::ZonedTime", WriteForm::Time, "Seconds"};
    case ValueClass::Bytes:
      return {"std::string_view", field.length_tag != 0 ? WriteForm::Data : WriteForm::Value};
    case ValueClass::Text:
      break;
  }
  return {field.type == FieldType::Tenor ? "wire::Tenor" : "std::string_view"};
}

std::vector<EnumeratorPlan> plan_enumerators(const Field& field) {
  NameScope scope;
  std::vector<EnumeratorPlan> plans;
  plans.reserve(field.values.size());
  for (const dictionary::Value& value : field.values) {
    plans.push_back({scope.claim(enumerator_name(value.name, value.code), value.code), &value});
  }
  return plans;
}

}  // namespace

std::string_view underlying_type(EnumKind kind) noexcept {
  return kind == EnumKind::Character ? "char"
         : kind == EnumKind::Number  ? "std::int32_t"
                                     : "std::uint16_t";
}

std::vector<FieldPlan> plan_fields(const dictionary::Dictionary& dictionary, NameScope& types) {
  const dictionary::Version& version = dictionary.version();
  const bool seconds = version.major == 4 && version.minor < 2;
  NameScope accessors;
  NameScope files;
  std::vector<FieldPlan> plans;
  plans.reserve(dictionary.fields().size());
  for (const Field& field : dictionary.fields()) {
    const std::string tag = std::to_string(field.tag);
    const CppType type = type_of(field, seconds || field.type == FieldType::Time);
    FieldPlan plan;
    plan.field = &field;
    plan.accessor = accessors.claim(snake_case(field.name), tag);
    plan.read_type = type.read;
    plan.write_type = type.written_as.empty() ? type.read : type.written_as;
    plan.precision = type.precision;
    plan.write = field.data_tag != 0 ? WriteForm::None : type.write;
    plan.enum_kind = kind_of_enum(field);
    if (plan.enum_kind != EnumKind::None) {
      plan.enum_name = types.claim(type_name(field.name), tag);
      plan.enum_file = files.claim(file_stem(field.name), tag);
      plan.enumerators = plan_enumerators(field);
      plan.read_type = plan.enum_name;
      plan.write_type = plan.enum_name;
      if (dictionary::has_several_values(field.type)) {
        plan.read_type = "messages::CodeRange<" + plan.enum_name + ">";
        plan.write = WriteForm::Codes;
      }
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace affix::inline v0::tools::codegen
