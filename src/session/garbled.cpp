// SPDX-License-Identifier: MIT
// Decides which bytes are garbled where counterparties differ.

#include "affix/wire/checksum.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/written_tag.hpp"

#include "session/tags.hpp"
#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

/// True if CheckSum is the right number in the wrong form, such as without leading zeros. The index
/// checks the form before the sum, and everything else before the form.
bool sum_is_right(const wire::MessageView& message) noexcept {
  const std::uint32_t last = message.size() - 1;
  const auto reported = wire::parse_integer<std::uint32_t>(message.value_at(last));
  return reported &&
         *reported == wire::checksum(message.bytes().substr(0, message.index().field_begin(last)));
}

/// True if text between two SOHs is no field. A numeric tag that FIX does not allow is a field.
bool has_malformed_field(const wire::MessageView& message) noexcept {
  const wire::FieldIndex& index = message.index();
  std::uint32_t faulty_tags = 0;
  for (std::uint32_t at = 0; at < index.count; ++at) {
    if (index.tags[at] == 0) {
      ++faulty_tags;
      if (!wire::written_tag(message, at)) {
        return true;
      }
    }
  }
  return faulty_tags < index.fault_count;  // The other faults are data of the wrong length.
}

}  // namespace

std::string_view garbled_text(const Practice& practice, const wire::MessageView& message) noexcept {
  const wire::FieldIndex& index = message.index();
  const bool only_form = index.defect == wire::MessageDefect::CheckSumFormat &&
                         practice.check_sum_form == CheckSumForm::Number && sum_is_right(message);
  if (index.defect != wire::MessageDefect::None && !only_form) {
    return wire::to_text(index.defect);
  }
  if (index.fault != wire::FieldFault::None &&
      practice.malformed_fields == MalformedField::Garbled && has_malformed_field(message)) {
    return "a field is malformed";
  }
  return {};
}

bool has_too_many_fields_only(const wire::MessageView& message) noexcept {
  constexpr std::string_view trailer{
      "\x01"
      "10=",
      4};
  constexpr std::size_t trailer_size = 7;  // `10=123` and SOH.
  const wire::FieldIndex& index = message.index();
  const std::string_view bytes = message.bytes();
  if (index.defect != wire::MessageDefect::TooManyFields || index.count < 3 ||
      index.tags[1] != tag::body_length || index.tags[2] != tag::msg_type ||
      bytes.size() < index.field_begin(2) + trailer_size) {
    return false;
  }
  const std::size_t body_end = bytes.size() - trailer_size;
  const auto length = wire::parse_integer<std::uint64_t>(message.value_at(1));
  const auto sum = wire::parse_integer<std::uint32_t>(bytes.substr(body_end + 3, 3));
  return bytes.substr(body_end - 1, trailer.size()) == trailer && length &&
         *length == body_end - index.field_begin(2) && sum &&
         *sum == wire::checksum(bytes.substr(0, body_end));
}

}  // namespace affix::inline v0::session
