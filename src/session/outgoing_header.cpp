// SPDX-License-Identifier: MIT
// Two orders of header fields: constant ones first, as one copy, or all by tag.

#include "session/outgoing_header.hpp"

#include "affix/wire/convert.hpp"

#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

/// First tag of a run of encoded fields; `otherwise` when the run is empty.
std::uint32_t first_tag(std::string_view run, std::uint32_t otherwise) noexcept {
  const std::size_t equals = run.find('=');
  return equals == std::string_view::npos
             ? otherwise
             : wire::parse_integer<std::uint32_t>(run.substr(0, equals)).value_or(otherwise);
}

void put_field(wire::Encoder& encoder, const ExtraHeaderField& field) noexcept {
  if (field.tag == 0 || field.tag > wire::tag_max) {
    encoder.refuse(wire::EncodeError::BadValue, field.tag);
  } else {
    encoder.text(wire::Tag::of(field.tag), field.value);
  }
}

/// `duplicate`: with 43=Y and 122.
[[gnu::noinline]] void put_ascending(const Turn& turn, wire::Encoder& encoder,
                                     std::string_view type, std::uint64_t sequence, bool duplicate,
                                     std::span<const ExtraHeaderField> more) noexcept {
  encoder.begin(turn.options.begin_string, type);
  AscendingHeader header(encoder, turn.header.fields(), more);
  header.up_to(tag::msg_seq_num);
  encoder.integer(tag::msg_seq_num, sequence);
  if (duplicate) {
    header.up_to(tag::poss_dup_flag);
    encoder.boolean(tag::poss_dup_flag, true);
  }
  header.up_to(tag::sending_time);
  put_time(turn, encoder, tag::sending_time);
  if (duplicate) {
    header.up_to(tag::orig_sending_time);
    put_time(turn, encoder, tag::orig_sending_time);
  }
  header.up_to(tag::last_msg_seq_num_processed);
  put_last_processed(turn, encoder);
  header.rest();
}

}  // namespace

AscendingHeader::AscendingHeader(wire::Encoder& encoder, std::string_view encoded,
                                 std::span<const ExtraHeaderField> fields) noexcept
    : encoder_(encoder), encoded_(encoded), fields_(fields) {
  encoded_tag_ = first_tag(encoded_, no_tag);
}

void AscendingHeader::put_encoded() noexcept {
  const std::size_t size = encoded_.find(wire::soh) + 1;
  encoder_.raw(encoded_.substr(0, size));
  encoded_.remove_prefix(size);
  encoded_tag_ = first_tag(encoded_, no_tag);
}

void AscendingHeader::up_to(std::uint32_t limit) noexcept {
  for (;;) {
    const std::uint32_t field_tag = fields_.empty() ? no_tag : fields_.front().tag;
    if (encoded_tag_ < limit && encoded_tag_ <= field_tag) {
      put_encoded();
    } else if (field_tag < limit) {
      put_field(encoder_, fields_.front());
      fields_ = fields_.subspan(1);
    } else {
      return;
    }
  }
}

void put_last_processed(const Turn& turn, wire::Encoder& encoder) noexcept {
  if (turn.options.include_last_processed && turn.version >= Version::Fix42) {
    encoder.integer(tag::last_msg_seq_num_processed, turn.state.next_expected - 1);
  }
}

void put_header(const Turn& turn, wire::Encoder& encoder, std::string_view type,
                std::uint64_t sequence, std::span<const ExtraHeaderField> more) noexcept {
  if (turn.options.practice.field_order == FieldOrder::Ascending) [[unlikely]] {
    put_ascending(turn, encoder, type, sequence, false, more);
    return;
  }
  put_customary_header(encoder, turn.header, type, sequence, turn.now.utc_ns,
                       precision_of(turn.options, turn.version));
  put_last_processed(turn, encoder);
  for (const ExtraHeaderField& field : more) {
    put_field(encoder, field);
  }
}

void put_draft_header(const SessionOptions& options, Version version,
                      const wire::HeaderTemplate& constant, wire::Encoder& encoder,
                      std::string_view type, std::int64_t utc_ns) noexcept {
  const bool ascending = options.practice.field_order == FieldOrder::Ascending;
  if (ascending) {
    encoder.begin(options.begin_string, type);
  } else {
    encoder.begin(constant, type);
  }
  AscendingHeader header(encoder, ascending ? constant.fields() : std::string_view(), {});
  header.up_to(tag::msg_seq_num);
  encoder.integer(tag::msg_seq_num, 1);
  header.up_to(tag::sending_time);
  encoder.utc_time(tag::sending_time, {utc_ns, 0}, precision_of(options, version));
  header.rest();
}

void put_duplicate_header(const Turn& turn, wire::Encoder& encoder, std::string_view type,
                          std::uint64_t sequence) noexcept {
  if (turn.options.practice.field_order == FieldOrder::Ascending) {
    put_ascending(turn, encoder, type, sequence, true, {});
    return;
  }
  encoder.begin(turn.header, type);
  encoder.integer(tag::msg_seq_num, sequence);
  encoder.boolean(tag::poss_dup_flag, true);
  put_time(turn, encoder, tag::sending_time);
  put_time(turn, encoder, tag::orig_sending_time);
  put_last_processed(turn, encoder);
}

}  // namespace affix::inline v0::session
