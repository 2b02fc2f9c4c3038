// SPDX-License-Identifier: MIT
// One pass over the tags of a received message finds positions and repetitions of header fields; or
// one comparison, if a message with the same tags came before.

#include "session/header.hpp"

#include "affix/wire/convert.hpp"

#include "session/tags.hpp"

namespace affix::inline v0::session {

namespace {

constexpr std::uint32_t table_size = 144;

/// In the order of HeaderField, which begins with None.
constexpr std::array<std::uint32_t, header_field_count - 1> header_tags{
    tag::begin_string,       tag::body_length,
    tag::check_sum,          tag::msg_seq_num,
    tag::msg_type,           tag::poss_dup_flag,
    tag::sender_comp_id,     tag::sending_time,
    tag::target_comp_id,     tag::poss_resend,
    tag::orig_sending_time,  tag::sender_sub_id,
    tag::target_sub_id,      tag::on_behalf_of_comp_id,
    tag::deliver_to_comp_id, tag::sender_location_id,
    tag::target_location_id};

/// Header field of each small tag: all tags that the session reads are below `table_size`.
constexpr std::array<HeaderField, table_size> make_fields() noexcept {
  std::array<HeaderField, table_size> fields{};
  for (std::size_t at = 0; at < header_tags.size(); ++at) {
    fields[header_tags[at]] = static_cast<HeaderField>(at + 1);
  }
  return fields;
}

constexpr std::array<HeaderField, table_size> header_fields = make_fields();

/// Header field of a tag, None for any other.
[[nodiscard]] HeaderField header_field_of(std::uint32_t number) noexcept {
  return number < table_size ? header_fields[number] : HeaderField::None;
}

void read_sequence(const wire::MessageView& message, Header& header) noexcept {
  const std::uint32_t position = header.positions[static_cast<std::size_t>(HeaderField::MsgSeqNum)];
  if (position == wire::no_position) {
    return;
  }
  const auto value = message.integer_at<std::int64_t>(position);
  if (value && *value > 0) {
    header.sequence = static_cast<std::uint64_t>(*value);
  }
  header.sequence_zero = value && *value == 0;
}

void note_field(std::uint32_t number, std::uint32_t at, Header& header) noexcept {
  const HeaderField field = header_field_of(number);
  std::uint32_t& position = header.positions[static_cast<std::size_t>(field)];
  if (position == wire::no_position) [[likely]] {
    position = at;
  } else if (field != HeaderField::None && field <= HeaderField::OrigSendingTime &&
             header.repeated_tag == 0) {
    header.repeated_tag = number;
  }
}

/// Position of the first field without a value, or no_position.
std::uint32_t first_empty_of(const wire::FieldIndex& index) noexcept {
  for (std::uint32_t at = 0; at < index.count; ++at) {
    if (index.begins[at] == index.ends[at]) [[unlikely]] {
      return at;
    }
  }
  return wire::no_position;
}

void find_positions(const wire::FieldIndex& index, Header& header) noexcept {
  header.positions.fill(wire::no_position);
  for (std::uint32_t at = 0; at < index.count; ++at) {
    note_field(index.tags[at], at, header);
  }
}

}  // namespace

Header scan_header(const wire::MessageView& message, HeaderShapes& shapes) noexcept {
  Header header;
  const wire::FieldIndex& index = message.index();
  HeaderShapes::Shape& known = shapes.shape_for(index.count);
  if (known.is_of(index)) [[likely]] {
    header.positions = known.positions;
  } else {
    find_positions(index, header);
    header.first_empty = first_empty_of(index);
    if (header.repeated_tag == 0) {
      known.remember(index, header.positions);
    }
  }
  header.type = message.type();
  header.possible_duplicate = header.text(message, HeaderField::PossDupFlag) == "Y";
  header.possible_resend = header.text(message, HeaderField::PossResend) == "Y";
  read_sequence(message, header);
  return header;
}

}  // namespace affix::inline v0::session
