// SPDX-License-Identifier: MIT
// One pass over the tags of a received message: where its header fields are, and which came twice.

#include "session/header.hpp"

#include "affix/wire/convert.hpp"

#include "session/tags.hpp"

namespace affix::inline v0::session {

namespace {

constexpr std::uint32_t table_size = 144;

/// Header field of each small tag: all that the session reads are below 144.
constexpr std::array<HeaderField, table_size> make_fields() noexcept {
  std::array<HeaderField, table_size> fields{};
  fields[tag::begin_string] = HeaderField::BeginString;
  fields[tag::body_length] = HeaderField::BodyLength;
  fields[tag::check_sum] = HeaderField::CheckSum;
  fields[tag::msg_seq_num] = HeaderField::MsgSeqNum;
  fields[tag::msg_type] = HeaderField::MsgType;
  fields[tag::poss_dup_flag] = HeaderField::PossDupFlag;
  fields[tag::sender_comp_id] = HeaderField::SenderCompId;
  fields[tag::sending_time] = HeaderField::SendingTime;
  fields[tag::target_comp_id] = HeaderField::TargetCompId;
  fields[tag::poss_resend] = HeaderField::PossResend;
  fields[tag::orig_sending_time] = HeaderField::OrigSendingTime;
  fields[tag::sender_sub_id] = HeaderField::SenderSubId;
  fields[tag::target_sub_id] = HeaderField::TargetSubId;
  fields[tag::on_behalf_of_comp_id] = HeaderField::OnBehalfOfCompId;
  fields[tag::deliver_to_comp_id] = HeaderField::DeliverToCompId;
  fields[tag::sender_location_id] = HeaderField::SenderLocationId;
  fields[tag::target_location_id] = HeaderField::TargetLocationId;
  return fields;
}

constexpr std::array<HeaderField, table_size> header_fields = make_fields();

void read_sequence(const wire::MessageView& message, Header& header) noexcept {
  const std::uint32_t position = header.positions[static_cast<std::size_t>(HeaderField::MsgSeqNum)];
  if (position == wire::no_position) {
    return;
  }
  const auto value = wire::parse_integer<std::int64_t>(message.value_at(position));
  if (value && *value > 0) {
    header.sequence = static_cast<std::uint64_t>(*value);
  }
  header.sequence_zero = value && *value == 0;
}

}  // namespace

Header scan_header(const wire::MessageView& message) noexcept {
  Header header;
  header.positions.fill(wire::no_position);
  const std::uint32_t* const tags = message.index().tags;
  const std::uint32_t count = message.size();
  for (std::uint32_t at = 0; at < count; ++at) {
    const std::uint32_t number = tags[at];
    if (number >= table_size || header_fields[number] == HeaderField::None) [[likely]] {
      continue;
    }
    const HeaderField field = header_fields[number];
    std::uint32_t& position = header.positions[static_cast<std::size_t>(field)];
    if (position == wire::no_position) [[likely]] {
      position = at;
    } else if (field <= HeaderField::OrigSendingTime && header.repeated_tag == 0) {
      header.repeated_tag = number;
    }
  }
  header.type = message.type();
  header.possible_duplicate = header.text(message, HeaderField::PossDupFlag) == "Y";
  header.possible_resend = header.text(message, HeaderField::PossResend) == "Y";
  read_sequence(message, header);
  return header;
}

}  // namespace affix::inline v0::session
