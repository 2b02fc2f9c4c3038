// SPDX-License-Identifier: MIT
// The encoder's work that is done at most once per message: header templates, the frame around the
// body, and locating a stray SOH.
#include "affix/wire/encoder.hpp"

#include "affix/wire/checksum.hpp"

#include "wire/message_frame.hpp"

#include <cstring>

namespace affix::inline v0::wire {

const char* to_text(EncodeError error) noexcept {
  switch (error) {
    case EncodeError::None:
      return "no error";
    case EncodeError::NotBegun:
      return "no message has been begun";
    case EncodeError::Overflow:
      return "the buffer is too small";
    case EncodeError::EmptyValue:
      return "a field has no value";
    case EncodeError::SohInValue:
      return "a text value holds SOH";
    case EncodeError::BadValue:
      return "a value has no FIX text";
    case EncodeError::UnknownSlot:
      return "no such slot";
    case EncodeError::MissingField:
      return "a required field is missing";
    case EncodeError::FieldOrder:
      return "a field is out of order or came twice";
  }
  return "unknown encode error";
}

HeaderTemplate::HeaderTemplate(std::string_view begin_string) noexcept {
  const bool has_soh = begin_string.find(soh) != std::string_view::npos;
  if (begin_string.empty() || begin_string.size() > begin_string_max || has_soh) {
    error_ = begin_string.empty() ? EncodeError::EmptyValue
             : has_soh            ? EncodeError::SohInValue
                                  : EncodeError::BadValue;
    error_tag_ = 8;
    return;
  }
  char* at = prefix_.data();
  std::memcpy(at, "8=", 2);
  std::memcpy(at + 2, begin_string.data(), begin_string.size());
  std::memcpy(at + 2 + begin_string.size(),
              "\x01"
              "9=",
              3);
  prefix_size_ = static_cast<std::uint32_t>(begin_string.size()) + 5;
  prefix_sum_ = sum_and_soh(prefix()).sum;
}

void HeaderTemplate::text(Tag tag, std::string_view value) noexcept {
  if (error_ != EncodeError::None) {
    return;
  }
  const std::size_t room = fields_size_max - fields_size_;
  if (value.empty()) {
    error_ = EncodeError::EmptyValue;
  } else if (value.find(soh) != std::string_view::npos) {
    error_ = EncodeError::SohInValue;
  } else if (value.size() > room || tag.text_size() + value.size() + 1 > room) {
    error_ = EncodeError::Overflow;
  }
  if (error_ != EncodeError::None) {
    error_tag_ = tag;
    return;
  }
  char* at = fields_.data() + fields_size_;
  std::memcpy(at, tag.text(), tag.text_size());
  std::memcpy(at + tag.text_size(), value.data(), value.size());
  at[tag.text_size() + value.size()] = soh;
  fields_size_ += static_cast<std::uint32_t>(tag.text_size() + value.size() + 1);
  fields_sum_ = sum_and_soh(fields()).sum;
}

namespace detail {

char* finish_message(char* body, char* end, std::uint32_t prefix_size, std::uint32_t sum) noexcept {
  PlacedLength placed = place_body_length(body, static_cast<std::size_t>(end - body),
                                          body - 4 - prefix_size, prefix_size);
  store_trailer(end, sum + placed.sum);
  return placed.begin;
}

TextSum copy_long_text(char* to, const char* from, std::size_t size) noexcept {
  // Below this size the kernel has a start and a remainder, but no whole step.
  constexpr std::size_t kernel_size_min = 64;
  constexpr std::size_t block = 16;
  if (size < kernel_size_min) {
    TextSum all;
    std::size_t at = 0;
    for (; size - at > block; at += block) {
      const std::uint64_t low = load_word(from + at);
      const std::uint64_t high = load_word(from + at + 8);
      store_word(to + at, low);
      store_word(to + at + 8, high);
      const TextSum part = sum_of_words(low, high);
      all.sum += part.sum;
      all.has_soh = all.has_soh || part.has_soh;
    }
    const TextSum rest = sum_of_short_text(from + at, size - at);
    move_block<block>(to + size - block, from + size - block);
    return {all.sum + rest.sum, all.has_soh || rest.has_soh};
  }
  SumAndSoh counted = sum_and_soh({from, size});
  std::memcpy(to, from, size);
  return {counted.sum, counted.soh_count != 0};
}

}  // namespace detail

}  // namespace affix::inline v0::wire
