// SPDX-License-Identifier: MIT
// Entry points of the index, which call the kernel in use, and the names of its results.
#include "affix/wire/index.hpp"

#include "affix/base/assert.hpp"

#include "wire/kernels.hpp"

#include <atomic>
#include <cstring>

namespace affix::inline v0::wire {

namespace {

/// Kernels count in 32 bits and read a block ahead.
constexpr std::size_t message_size_limit = std::size_t{1} << 31;

}  // namespace

const char* to_text(MessageDefect defect) noexcept {
  switch (defect) {
    case MessageDefect::None:
      return "none";
    case MessageDefect::Empty:
      return "no bytes";
    case MessageDefect::NotTerminated:
      return "the last byte is not SOH";
    case MessageDefect::HeaderOrder:
      return "the first three fields are not 8, 9, 35";
    case MessageDefect::BodyLengthValue:
      return "BodyLength (9) is not a number";
    case MessageDefect::BodyLength:
      return "BodyLength (9) is not the length of the body";
    case MessageDefect::CheckSumMissing:
      return "the last field is not CheckSum (10)";
    case MessageDefect::CheckSumFormat:
      return "CheckSum (10) is not three digits";
    case MessageDefect::CheckSum:
      return "CheckSum (10) differs from the sum of the bytes";
    case MessageDefect::TooManyFields:
      return "more fields than the limit";
  }
  return "?";
}

const char* to_text(FieldFault fault) noexcept {
  switch (fault) {
    case FieldFault::None:
      return "none";
    case FieldFault::MissingEquals:
      return "no '='";
    case FieldFault::TagEmpty:
      return "no tag before '='";
    case FieldFault::TagNotNumber:
      return "tag is not a number";
    case FieldFault::TagNegative:
      return "tag is negative";
    case FieldFault::TagZero:
      return "tag is 0";
    case FieldFault::TagTooLarge:
      return "tag is above 2147483647";
    case FieldFault::DataLength:
      return "data does not end where its length says";
  }
  return "?";
}

void TagPlaces::learn(const std::uint8_t* of_message) noexcept {
  std::memcpy(marks, of_message, marks_max);
  std::memset(places, 0, kinds);
  for (std::uint32_t at = marks_max; at-- > 0;) {
    if (marks[at] != 0) {
      places[marks[at] % kinds] = static_cast<std::uint8_t>(at);
    }
  }
}

void FieldIndex::learn_places() noexcept {
  if (place_tags != tags) {
    places->learn(marks);
    place_tags = tags;
    unknown -= unknown_max;
  }
}

void index_message(std::string_view message, FieldIndex& index,
                   const DataFields& data_fields) noexcept {
  AFFIX_ASSERT(message.size() < message_size_limit);
  active_index.load(std::memory_order_relaxed)(message, index, data_fields);
}

void index_message(base::PaddedBytes message, FieldIndex& index,
                   const DataFields& data_fields) noexcept {
  // No kernel needs the padding: a masked load, or a second load of the last block, costs no more.
  index_message(message.view(), index, data_fields);
}

bool has_tags_and_values(const FieldIndex& index, const std::uint32_t* tags) noexcept {
  return active_comparison.load(std::memory_order_relaxed)(index, tags);
}

}  // namespace affix::inline v0::wire
