// SPDX-License-Identifier: MIT
// Prepares a message, and does the rare parts of patching: values of another width, long values,
// refusals.
#include "affix/wire/prepared.hpp"

#include "affix/wire/checksum.hpp"

#include "wire/message_frame.hpp"

#include <cstring>

namespace affix::inline v0::wire {

namespace {

/// Position of the named field, or no_position.
[[nodiscard]] std::uint32_t position_of(const MessageView& message, SlotName name) noexcept {
  std::uint32_t at = message.position_of(name.tag);
  for (std::uint32_t skipped = 0; skipped < name.occurrence && at != no_position; ++skipped) {
    at = message.position_of(name.tag, at + 1);
  }
  return at;
}

/// Half of a length and data pair: neither may change without the other.
[[nodiscard]] bool is_of_data_pair(const FieldIndex& index, std::uint32_t position,
                                   const DataFields& pairs) noexcept {
  return pairs.data_tag_of(index.tags[position]) != 0 ||
         pairs.data_tag_of(index.tags[position - 1]) == index.tags[position];
}

}  // namespace

std::expected<PreparedMessage, EncodeError> PreparedMessage::make(
    std::span<char> storage, const MessageView& message, std::span<const SlotName> names,
    const DataFields& pairs) noexcept {
  const FieldIndex& index = message.index();
  if (!index.clean()) {
    return std::unexpected(EncodeError::BadValue);
  }
  if (names.size() > slots_max) {
    return std::unexpected(EncodeError::UnknownSlot);
  }
  std::string_view bytes = message.bytes();
  const std::uint32_t prefix_size = index.begins[1];
  const std::uint32_t body_begin = index.ends[1] + 1;
  const std::uint32_t body_end = index.field_begin(index.count - 1);
  const std::size_t body_size = body_end - body_begin;
  const std::size_t lead = prefix_size + detail::body_length_digits_max + 1;
  if (body_size > detail::body_size_max ||
      storage.size() < lead + body_size + detail::trailer_room) {
    return std::unexpected(EncodeError::Overflow);
  }

  PreparedMessage prepared;
  prepared.storage_end_ = storage.data() + storage.size();
  prepared.body_ = storage.data() + lead;
  prepared.end_ = prepared.body_ + body_size;
  prepared.prefix_size_ = prefix_size;
  std::memcpy(storage.data(), bytes.data(), prefix_size);
  std::memcpy(prepared.body_, bytes.data() + body_begin, body_size);
  prepared.begin_ =
      detail::place_body_length(prepared.body_, body_size, storage.data(), prefix_size).begin;
  prepared.sum_ =
      checksum({prepared.begin_, static_cast<std::size_t>(prepared.end_ - prepared.begin_)});

  for (const SlotName& name : names) {
    const std::uint32_t position = position_of(message, name);
    // 8 and 9 are the first two fields, 10 the last; they depend on the rest.
    if (position == no_position || position < 2 || position + 1 == index.count ||
        prepared.slot_of(name) || is_of_data_pair(index, position, pairs)) {
      return std::unexpected(EncodeError::UnknownSlot);
    }
    std::string_view value = message.value_at(position);
    Slot& slot = prepared.slots_[prepared.slot_count_++];
    slot.name = name;
    slot.offset = index.begins[position] - body_begin;
    slot.size = static_cast<std::uint32_t>(value.size());
    slot.sum = sum_and_soh(value).sum;
  }
  return prepared;
}

std::optional<std::uint32_t> PreparedMessage::slot_of(SlotName name) const noexcept {
  for (std::uint32_t number = 0; number < slot_count_; ++number) {
    if (slots_[number].name == name) {
      return number;
    }
  }
  return std::nullopt;
}

void PreparedMessage::set_rendered(std::uint32_t slot, const char* rendered,
                                   std::size_t size) noexcept {
  if (size == 0) {
    fail(slot, EncodeError::BadValue);
    return;
  }
  set_text(slot, {rendered, size});
}

void PreparedMessage::set_long_text(std::uint32_t slot, std::string_view value) noexcept {
  SumAndSoh counted = sum_and_soh(value);
  if (value.empty() || counted.soh_count != 0) {
    fail(slot, value.empty() ? EncodeError::EmptyValue : EncodeError::SohInValue);
    return;
  }
  patch(slot, value, counted.sum);
}

void PreparedMessage::set_resized_utc_time(std::uint32_t slot, base::UtcTime value,
                                           TimePrecision precision,
                                           TimeStampCache& cache) noexcept {
  char rendered[utc_time_room];
  const std::size_t size = cache.write(value, precision, rendered);
  patch(slot, {rendered, size % utc_time_room}, cache.sum());
}

void PreparedMessage::resize(std::uint32_t number, std::string_view value,
                             std::uint32_t sum) noexcept {
  Slot& slot = slots_[number];
  const auto space = static_cast<std::size_t>(storage_end_ - end_) - detail::trailer_room;
  const std::size_t allowed = detail::body_size_max - static_cast<std::size_t>(end_ - body_);
  const std::size_t room = space < allowed ? space : allowed;
  if (value.size() > slot.size && value.size() - slot.size > room) {
    fail(number, EncodeError::Overflow);
    return;
  }
  char* const place = body_ + slot.offset;
  char* const tail = place + slot.size;
  std::memmove(place + value.size(), tail, static_cast<std::size_t>(end_ - tail));
  std::memcpy(place, value.data(), value.size());
  // Unsigned, so that a shorter value wraps round and is subtracted.
  const auto growth = static_cast<std::uint32_t>(value.size()) - slot.size;
  for (std::uint32_t other = 0; other < slot_count_; ++other) {
    if (slots_[other].offset > slot.offset) {
      slots_[other].offset += growth;
    }
  }
  end_ = place + value.size() + (end_ - tail);
  slot.size = static_cast<std::uint32_t>(value.size());
  slot.sum = sum;
  begin_ =
      detail::place_body_length(body_, static_cast<std::size_t>(end_ - body_), begin_, prefix_size_)
          .begin;
  sum_ = checksum({begin_, static_cast<std::size_t>(end_ - begin_)});
}

EncodedMessage PreparedMessage::message() noexcept {
  if (error_ != EncodeError::None) [[unlikely]] {
    const EncodeError error = error_;
    error_ = EncodeError::None;
    return std::unexpected(error);
  }
  detail::store_trailer(end_, sum_);
  return std::string_view(begin_, static_cast<std::size_t>(end_ - begin_) + detail::trailer_size);
}

}  // namespace affix::inline v0::wire
