// SPDX-License-Identifier: MIT
// Collects the constant fields from the options, and encodes them.

#include "session/constant_header.hpp"

#include "affix/base/fixed_vector.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/tag.hpp"

#include "session/tags.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::session {

namespace {

/// The maximum for the template's memory.
using ConstantFields =
    base::FixedVector<ExtraHeaderField, wire::HeaderTemplate::fields_size_max / sizeof("1=x")>;

/// Adds an encoded run of fields. False if it is malformed, or has too many.
bool add_fields(ConstantFields& fields, std::string_view run) noexcept {
  while (!run.empty()) {
    const std::size_t end = run.find(wire::soh);
    const std::size_t equals = run.find('=');
    if (end == std::string_view::npos || equals >= end) {
      return false;
    }
    const auto number = wire::parse_integer<std::uint32_t>(run.substr(0, equals));
    if (!number || *number == 0 || *number > wire::tag_max ||
        !fields.push_back({*number, run.substr(equals + 1, end - equals - 1)})) {
      return false;
    }
    run.remove_prefix(end + 1);
  }
  return true;
}

void add_part(ConstantFields& fields, std::uint32_t number, std::string_view value) noexcept {
  if (!value.empty()) {
    static_cast<void>(fields.push_back({number, value}));
  }
}

}  // namespace

wire::HeaderTemplate make_constant_header(const SessionOptions& options) noexcept {
  wire::HeaderTemplate header(options.begin_string);
  ConstantFields fields;
  // The template reports an empty CompID as a fault.
  static_cast<void>(fields.push_back({tag::sender_comp_id, options.sender_comp_id}));
  static_cast<void>(fields.push_back({tag::target_comp_id, options.target_comp_id}));
  add_part(fields, tag::sender_sub_id, options.sender_sub_id);
  add_part(fields, tag::target_sub_id, options.target_sub_id);
  // FIX.4.1 introduced SenderLocationID and TargetLocationID.
  add_part(fields, tag::sender_location_id, options.sender_location_id);
  add_part(fields, tag::target_location_id, options.target_location_id);
  static_cast<void>(add_fields(fields, options.static_header_fields));
  if (options.practice.field_order == FieldOrder::Ascending) {
    std::ranges::sort(fields, {}, &ExtraHeaderField::tag);
  }
  for (const ExtraHeaderField& field : fields) {
    header.text(wire::Tag::of(field.tag), field.value);
  }
  return header;
}

OptionFault constant_header_fault(const SessionOptions& options) noexcept {
  ConstantFields fields;
  if (!add_fields(fields, options.static_header_fields)) {
    return OptionFault::StaticFieldsMalformed;
  }
  return make_constant_header(options).error() == wire::EncodeError::None
             ? OptionFault::None
             : OptionFault::HeaderInvalid;
}

}  // namespace affix::inline v0::session
