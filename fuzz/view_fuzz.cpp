// SPDX-License-Identifier: MIT
// Any bytes through index, view and groups: every look-up agrees with a walk over the fields, every
// view lies within the message, groups end whatever their counters say, and complete messages can
// be prepared, patched and encoded again.
#include "affix/wire.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace {

namespace wire = affix::wire;
using wire::MessageView;

constexpr std::uint32_t inner_members[] = {803, 447};
constexpr wire::GroupDescription inner_groups[] = {{802, 523, inner_members, {}}};
constexpr std::uint32_t members[] = {447, 452, 453};
constexpr wire::GroupDescription group_of_parties{453, 448, members, inner_groups};

// The same group with a dictionary in which a few tags are unknown.
constexpr std::uint64_t known_words[] = {0x0FFF'FFFF'FFFF'FF0F, 0, 0xFFFF'0000};
constexpr std::uint32_t known_large[] = {447, 448, 452, 453, 523, 802, 803, 5000};
constexpr wire::KnownTags known{known_words, known_large};
constexpr wire::GroupDescription known_inner_groups[] = {{802, 523, inner_members, {}, &known}};
constexpr wire::GroupDescription known_group{453, 448, members, known_inner_groups, &known};

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check_within(const MessageView& view, std::string_view value) {
  require(value.data() >= view.bytes().data());
  require(value.data() + value.size() <= view.bytes().data() + view.bytes().size());
}

/// Every typed reading of a field, which may refuse the value but not crash.
template <typename Fields>
void read_all_types(const Fields& fields, std::uint32_t tag) {
  static_cast<void>(fields.text(tag));
  static_cast<void>(fields.integer(tag));
  static_cast<void>(fields.template integer<std::uint8_t>(tag));
  static_cast<void>(fields.decimal(tag));
  static_cast<void>(fields.character(tag));
  static_cast<void>(fields.boolean(tag));
  static_cast<void>(fields.utc_time(tag));
  static_cast<void>(fields.date(tag));
  static_cast<void>(fields.time_of_day(tag));
  static_cast<void>(fields.zoned_time(tag));
  static_cast<void>(fields.zoned_time_of_day(tag));
  static_cast<void>(fields.month_year(tag));
  static_cast<void>(fields.tenor(tag));
  static_cast<void>(fields.multiple_string(tag));
}

void check_lookups(const MessageView& view) {
  for (const wire::Field& field : view) {
    check_within(view, field.value);
    std::uint32_t before = 0;
    std::uint32_t first = wire::no_position;
    for (std::uint32_t at = 0; at <= field.position; ++at) {
      if (view.tag_at(at) == field.tag) {
        first = first == wire::no_position ? at : first;
        ++before;
      }
    }
    require(view.position_of(field.tag) == first);
    require(view.find(field.tag)->data() == view.value_at(first).data());
    require(view.nth(field.tag, before - 1)->data() == field.value.data());
    require(view.position_of(field.tag, field.position) == field.position);
    read_all_types(view, field.tag);
  }
  require(!view.has(0x7FFF'FFFE) || view.find(0x7FFF'FFFE).has_value());
}

void check_group(const wire::GroupView& group, const wire::GroupDescription& description) {
  std::uint32_t entries = 0;
  std::optional<std::uint32_t> last_end;
  for (const wire::GroupEntry entry : group) {
    require(entry.begin_position() < entry.end_position());
    require(!last_end || *last_end == entry.begin_position());
    last_end = entry.end_position();
    require(entry.position_of(description.first_tag) == entry.begin_position());
    for (const wire::Field& field : entry) {
      read_all_types(entry, field.tag);
      const std::uint32_t own = entry.position_of(field.tag);
      require(own == wire::no_position ||
              (own >= entry.begin_position() && own < entry.end_position()));
    }
    for (const wire::GroupDescription& nested : description.nested) {
      check_group(entry.group(nested), nested);
    }
    ++entries;
  }
  require(entries == group.size());
  require(!last_end || *last_end == group.end_position());
  const auto declared = group.declared();
  require((group.fault() == wire::GroupFault::None) == (declared && *declared == entries));
}

/// Writes the fields of a complete message again; if possible, the result has the same
/// fields.
void check_encoded_again(const MessageView& view) {
  std::vector<char> buffer(view.bytes().size() * 2 + wire::Encoder::overhead + 64);
  wire::Encoder encoder(buffer);
  encoder.begin(view.value_at(0), view.value_at(2));
  for (std::uint32_t at = 3; at + 1 < view.size(); ++at) {
    const std::uint32_t data_tag = wire::DataFields::standard().data_tag_of(view.tag_at(at));
    if (data_tag != 0 && view.tag_at(at + 1) == data_tag && at + 2 < view.size()) {
      encoder.data(wire::Tag::of(view.tag_at(at)), wire::Tag::of(data_tag), view.value_at(at + 1));
      ++at;
    } else {
      encoder.text(wire::Tag::of(view.tag_at(at)), view.value_at(at));
    }
  }
  const auto again = encoder.finish();
  if (!again) {
    // FIX forbids empty values and limits BeginString, the index does not.
    require(again.error() == wire::EncodeError::EmptyValue ||
            again.error() == wire::EncodeError::BadValue ||
            again.error() == wire::EncodeError::SohInValue);
    return;
  }
  wire::FieldIndexOf<512> index;
  wire::index_message(*again, index);
  require(index.whole());
}

void check_prepared(const MessageView& view) {
  std::vector<char> storage(view.bytes().size() + wire::Encoder::overhead + 32);
  for (std::uint32_t at = 0; at < view.size(); ++at) {
    auto prepared = wire::PreparedMessage::make(storage, view, {{view.tag_at(at), 0}});
    if (!prepared) {
      continue;
    }
    for (const std::string_view value : {"x", "0123456789012345678901234567890", "y"}) {
      prepared->set_text(0, value);
      const auto message = prepared->message();
      require(message.has_value());
      wire::FieldIndexOf<512> index;
      wire::index_message(*message, index);
      require(index.whole());
      require(MessageView(*message, index).find(view.tag_at(at)) == value || view.tag_at(at) == 35);
    }
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  static wire::FieldIndexOf<512> index;
  wire::index_message(text, index);
  const MessageView view(text, index);
  check_lookups(view);
  check_group(view.group(group_of_parties), group_of_parties);
  check_group(view.group(known_group), known_group);
  if (index.clean()) {
    check_encoded_again(view);
    check_prepared(view);
  }
  return 0;
}
