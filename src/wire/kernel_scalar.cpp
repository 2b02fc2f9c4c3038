// SPDX-License-Identifier: MIT
// The scalar kernel: the specification that every other kernel must equal byte for byte, and the
// one that handles every unusual message.
#include "affix/wire/checksum.hpp"
#include "affix/wire/index.hpp"

#include "wire/kernels.hpp"
#include "wire/marks.hpp"

#include <cstring>

namespace affix::inline v0::wire {

namespace {

/// FIX's int is signed and has 32 bits.
constexpr std::uint32_t tag_max = 2147483647;

[[nodiscard]] constexpr bool is_digit(char byte) noexcept {
  return byte >= '0' && byte <= '9';
}

struct TagResult {
  std::uint32_t tag = 0;
  FieldFault fault = FieldFault::None;
};

/// Any number of leading zeros; linear in the text's length.
[[nodiscard]] TagResult parse_tag(const char* text, std::uint32_t size) noexcept {
  if (size == 0) {
    return {0, FieldFault::TagEmpty};
  }
  const bool negative = text[0] == '-';
  std::uint32_t at = negative ? 1 : 0;
  if (at == size) {
    return {0, FieldFault::TagNotNumber};
  }
  std::uint64_t number = 0;
  for (; at < size; ++at) {
    if (!is_digit(text[at])) {
      return {0, FieldFault::TagNotNumber};
    }
    if (number <= tag_max) {
      number = number * 10 + static_cast<std::uint64_t>(text[at] - '0');
    }
  }
  if (negative) {
    return {0, FieldFault::TagNegative};
  }
  if (number == 0) {
    return {0, FieldFault::TagZero};
  }
  if (number > tag_max) {
    return {0, FieldFault::TagTooLarge};
  }
  return {static_cast<std::uint32_t>(number), FieldFault::None};
}

/// Value of a text of digits; one that does not fit stays above any message's size.
struct LengthResult {
  bool number = false;
  std::uint64_t value = 0;
};

[[nodiscard]] LengthResult parse_length(const char* text, std::uint32_t size) noexcept {
  constexpr std::uint64_t value_limit = std::uint64_t{1} << 32;
  std::uint64_t value = 0;
  for (std::uint32_t at = 0; at < size; ++at) {
    if (!is_digit(text[at])) {
      return {};
    }
    if (value < value_limit) {
      value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
    }
  }
  return {size != 0, value};
}

/// First `byte` in [from, size), or size.
[[nodiscard]] std::uint32_t find(const char* bytes, std::uint32_t from, std::uint32_t size,
                                 char byte) noexcept {
  while (from < size && bytes[from] != byte) {
    ++from;
  }
  return from;
}

/// First `=` or SOH in [from, size), or size.
[[nodiscard]] std::uint32_t find_tag_end(const char* bytes, std::uint32_t from,
                                         std::uint32_t size) noexcept {
  while (from < size && bytes[from] != '=' && bytes[from] != soh) {
    ++from;
  }
  return from;
}

void note_fault(FieldIndex& index, FieldFault fault, std::uint32_t at) noexcept {
  if (index.fault_count++ == 0) {
    index.fault = fault;
    index.fault_at = at;
  }
}

void note_defect(FieldIndex& index, MessageDefect defect, std::uint32_t at) noexcept {
  index.defect = defect;
  index.defect_at = at;
}

enum class DataPromise : std::uint8_t { None, Kept, Broken };

/// Information from a length field, whose value is [value, value_end), about the field after it.
struct DataAhead {
  DataPromise promise = DataPromise::None;
  std::uint32_t end = 0;  ///< When Kept: the SOH after the data.
};

[[nodiscard]] DataAhead look_at_data(const char* bytes, std::uint32_t size, std::uint32_t value,
                                     std::uint32_t value_end, std::uint32_t data_tag) noexcept {
  const std::uint32_t begin = value_end + 1;
  const std::uint32_t equals = find_tag_end(bytes, begin, size);
  if (equals == size || bytes[equals] != '=' ||
      parse_tag(bytes + begin, equals - begin).tag != data_tag) {
    return {};
  }
  LengthResult length = parse_length(bytes + value, value_end - value);
  const std::uint32_t room = size - (equals + 1);
  if (!length.number || length.value >= room) {
    return {DataPromise::Broken, 0};
  }
  const std::uint32_t end = equals + 1 + static_cast<std::uint32_t>(length.value);
  if (bytes[end] != soh) {
    return {DataPromise::Broken, 0};
  }
  return {DataPromise::Kept, end};
}

/// Appends every field, as far as there is room; returns where it stopped, which is the size unless
/// there are too many fields or bytes after the last SOH.
std::uint32_t index_fields(const char* bytes, std::uint32_t size, FieldIndex& index,
                           const DataFields& data_fields) noexcept {
  std::uint32_t at = 0;
  std::uint32_t data_end = 0;  // Not 0: the field at `at` is data that ends there.
  while (at < size && index.count < index.capacity) {
    const std::uint32_t equals = find_tag_end(bytes, at, size);
    if (equals == size) {
      break;
    }
    if (bytes[equals] == soh) {
      note_fault(index, FieldFault::MissingEquals, at);
      index.tags[index.count] = 0;
      index.begins[index.count] = at;
      index.ends[index.count] = equals;
      ++index.count;
      at = equals + 1;
      continue;
    }
    const std::uint32_t end = data_end != 0 ? data_end : find(bytes, equals + 1, size, soh);
    data_end = 0;
    if (end == size) {
      break;
    }
    TagResult tag = parse_tag(bytes + at, equals - at);
    if (tag.fault != FieldFault::None) {
      note_fault(index, tag.fault, at);
    } else if (const std::uint32_t data_tag = data_fields.data_tag_of(tag.tag); data_tag != 0) {
      DataAhead ahead = look_at_data(bytes, size, equals + 1, end, data_tag);
      if (ahead.promise == DataPromise::Kept) {
        data_end = ahead.end;
      } else if (ahead.promise == DataPromise::Broken) {
        note_fault(index, FieldFault::DataLength, at);
      }
    }
    index.tags[index.count] = tag.tag;
    index.begins[index.count] = equals + 1;
    index.ends[index.count] = end;
    ++index.count;
    at = end + 1;
  }
  return at;
}

void check_trailer(const char* bytes, FieldIndex& index) noexcept {
  const std::uint32_t last = index.count - 1;
  const std::uint32_t begin = index.begins[last];
  if (index.tags[last] != 10) {
    note_defect(index, MessageDefect::CheckSumMissing, index.field_begin(last));
    return;
  }
  const char* text = bytes + begin;
  if (index.ends[last] - begin != 3 || !is_digit(text[0]) || !is_digit(text[1]) ||
      !is_digit(text[2])) {
    note_defect(index, MessageDefect::CheckSumFormat, begin);
    return;
  }
  const int reported = (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
  SumAndSoh counted = scalar_kernel.sum(bytes, index.field_begin(last));
  if (static_cast<std::uint32_t>(reported) != counted.sum % 256) {
    note_defect(index, MessageDefect::CheckSum, begin);
  }
}

void check_message(const char* bytes, std::uint32_t size, std::uint32_t stopped_at,
                   FieldIndex& index) noexcept {
  if (size == 0) {
    note_defect(index, MessageDefect::Empty, 0);
    return;
  }
  if (bytes[size - 1] != soh) {
    note_defect(index, MessageDefect::NotTerminated, size);
    return;
  }
  if (stopped_at != size) {
    note_defect(index, MessageDefect::TooManyFields, stopped_at);
    return;
  }
  constexpr std::uint32_t header[] = {8, 9, 35};
  for (std::uint32_t position = 0; position < 3; ++position) {
    if (position >= index.count || index.tags[position] != header[position]) {
      note_defect(index, MessageDefect::HeaderOrder,
                  position >= index.count ? size : index.field_begin(position));
      return;
    }
  }
  LengthResult reported = parse_length(bytes + index.begins[1], index.ends[1] - index.begins[1]);
  if (!reported.number) {
    note_defect(index, MessageDefect::BodyLengthValue, index.begins[1]);
    return;
  }
  const std::uint32_t last = index.count - 1;
  const std::uint32_t body_end = index.tags[last] == 10 ? index.field_begin(last) : size;
  if (reported.value != body_end - index.field_begin(2)) {
    note_defect(index, MessageDefect::BodyLength, index.begins[1]);
    return;
  }
  check_trailer(bytes, index);
}

/// Eight bytes a step: even and odd bytes are summed in 16-bit lanes, which hold 128 steps without
/// overflow.
SumAndSoh sum_scalar(const char* bytes, std::size_t size) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t low_bytes = 0x00ff00ff00ff00ff;
  constexpr std::uint64_t highs = 0x8080808080808080;
  constexpr std::size_t steps_max = 128;
  SumAndSoh result;
  std::size_t at = 0;
  while (size - at >= 8) {
    std::uint64_t lanes = 0;
    for (std::size_t step = 0; step < steps_max && size - at >= 8; ++step, at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at, 8);
      lanes += (word & low_bytes) + ((word >> 8) & low_bytes);
      // A byte is SOH when its difference is zero: no carry crosses bytes, since the high bits are
      // handled separately.
      const std::uint64_t difference = word ^ ones;
      const std::uint64_t not_zero = (((difference & ~highs) + ~highs) | difference) & highs;
      result.soh_count += 8 - static_cast<std::uint32_t>(__builtin_popcountll(not_zero));
    }
    result.sum += static_cast<std::uint32_t>(
        ((lanes & 0x0000ffff0000ffff) + ((lanes >> 16) & 0x0000ffff0000ffff)) *
            0x0000000100000001 >>
        32);
  }
  for (; at < size; ++at) {
    result.sum += static_cast<unsigned char>(bytes[at]);
    result.soh_count += bytes[at] == soh ? 1 : 0;
  }
  return result;
}

}  // namespace

void index_scalar(std::string_view message, FieldIndex& index,
                  const DataFields& data_fields) noexcept {
  const char* const bytes = message.data();
  const auto size = static_cast<std::uint32_t>(message.size());
  index.count = 0;
  index.defect = MessageDefect::None;
  index.fault = FieldFault::None;
  index.defect_at = 0;
  index.fault_at = 0;
  index.fault_count = 0;
  const std::uint32_t stopped_at = index_fields(bytes, size, index, data_fields);
  if (index.count == 0) {
    index.tags[0] = 0;
  }
  mark_each_tag(index, index.count);
  index.choose_places();
  check_message(bytes, size, stopped_at, index);
}

bool has_tags_and_values_scalar(const FieldIndex& index, const std::uint32_t* tags) noexcept {
  bool good = true;
  for (std::uint32_t at = 0; at < index.count; ++at) {
    good &= (tags[at] == index.tags[at]) & (index.begins[at] != index.ends[at]);
  }
  return good;
}

constinit const KernelTable scalar_kernel{&index_scalar, &sum_scalar, &has_tags_and_values_scalar};

}  // namespace affix::inline v0::wire
