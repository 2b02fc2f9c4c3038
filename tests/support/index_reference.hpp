// SPDX-License-Identifier: MIT
// A second, slow index, written from the contract in index.hpp with the standard library's strings
// and nothing of the library's own code, so that a misunderstanding in the kernels is not repeated
// in what they are compared with.
#pragma once

#include "affix/wire/index.hpp"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace affix::support {

/// All contents of an index, comparable and printable.
struct IndexResult {
  struct Entry {
    std::uint32_t tag = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  std::vector<Entry> fields;
  wire::MessageDefect defect = wire::MessageDefect::None;
  wire::FieldFault fault = wire::FieldFault::None;
  std::uint32_t defect_at = 0;
  std::uint32_t fault_at = 0;
  std::uint32_t fault_count = 0;

  friend bool operator==(const IndexResult&, const IndexResult&) = default;

  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    out << fields.size() << " fields:";
    for (const Entry& entry : fields) {
      out << ' ' << entry.tag << '@' << entry.begin << '-' << entry.end;
    }
    out << "; defect " << static_cast<int>(defect) << '@' << defect_at << "; fault "
        << static_cast<int>(fault) << '@' << fault_at << " x" << fault_count;
    return out.str();
  }
};

inline IndexResult result_of(const wire::FieldIndex& index) {
  IndexResult result;
  for (std::uint32_t position = 0; position < index.count; ++position) {
    result.fields.push_back({index.tags[position], index.begins[position], index.ends[position]});
  }
  result.defect = index.defect;
  result.fault = index.fault;
  result.defect_at = index.defect_at;
  result.fault_at = index.fault_at;
  result.fault_count = index.fault_count;
  return result;
}

namespace reference {

/// The digits' value without leading zeros as text, or nullopt if it is not a number.
inline std::optional<std::string> digits_of(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t first = text.find_first_not_of('0');
  return std::string(first == std::string_view::npos ? "0" : text.substr(first));
}

inline wire::FieldFault fault_of(std::string_view tag) {
  using wire::FieldFault;
  if (tag.empty()) {
    return FieldFault::TagEmpty;
  }
  if (tag[0] == '-') {
    return digits_of(tag.substr(1)) ? FieldFault::TagNegative : FieldFault::TagNotNumber;
  }
  const auto digits = digits_of(tag);
  if (!digits) {
    return FieldFault::TagNotNumber;
  }
  if (*digits == "0") {
    return FieldFault::TagZero;
  }
  const std::string largest = "2147483647";
  if (digits->size() > largest.size() || (digits->size() == largest.size() && *digits > largest)) {
    return FieldFault::TagTooLarge;
  }
  return FieldFault::None;
}

/// A number that is certain to be too large counts as 2^40.
inline std::optional<std::uint64_t> number_of(std::string_view text) {
  const auto digits = digits_of(text);
  if (!digits) {
    return std::nullopt;
  }
  return digits->size() > 12 ? std::uint64_t{1} << 40 : std::stoull(*digits);
}

inline std::uint32_t tag_of(std::string_view text) {
  return fault_of(text) == wire::FieldFault::None ? static_cast<std::uint32_t>(*number_of(text))
                                                  : 0;
}

inline void defect(IndexResult& result, wire::MessageDefect what, std::size_t at) {
  if (result.defect == wire::MessageDefect::None) {
    result.defect = what;
    result.defect_at = static_cast<std::uint32_t>(at);
  }
}

inline void fault(IndexResult& result, wire::FieldFault what, std::size_t at) {
  if (result.fault_count++ == 0) {
    result.fault = what;
    result.fault_at = static_cast<std::uint32_t>(at);
  }
}

inline void check_whole(std::string_view message, IndexResult& result) {
  using wire::MessageDefect;
  const auto begin_of = [&result](std::size_t position) {
    return position == 0 ? 0 : result.fields[position - 1].end + 1;
  };
  const auto value_of = [&](std::size_t position) {
    const auto& field = result.fields[position];
    return message.substr(field.begin, field.end - field.begin);
  };
  for (std::size_t position = 0; position < 3; ++position) {
    const std::uint32_t due = position == 0 ? 8 : position == 1 ? 9 : 35;
    if (position >= result.fields.size()) {
      defect(result, MessageDefect::HeaderOrder, message.size());
      return;
    }
    if (result.fields[position].tag != due) {
      defect(result, MessageDefect::HeaderOrder, begin_of(position));
      return;
    }
  }
  const auto reported = number_of(value_of(1));
  const std::size_t last = result.fields.size() - 1;
  const bool trailer = result.fields[last].tag == 10;
  if (!reported) {
    defect(result, MessageDefect::BodyLengthValue, result.fields[1].begin);
  } else if (*reported != (trailer ? begin_of(last) : message.size()) - begin_of(2)) {
    defect(result, MessageDefect::BodyLength, result.fields[1].begin);
  }
  if (!trailer) {
    defect(result, MessageDefect::CheckSumMissing, begin_of(last));
    return;
  }
  if (value_of(last).size() != 3 || !digits_of(value_of(last))) {
    defect(result, MessageDefect::CheckSumFormat, result.fields[last].begin);
    return;
  }
  unsigned sum = 0;
  for (const char byte : message.substr(0, begin_of(last))) {
    sum += static_cast<unsigned char>(byte);
  }
  if (*number_of(value_of(last)) != sum % 256) {
    defect(result, MessageDefect::CheckSum, result.fields[last].begin);
  }
}

}  // namespace reference

inline IndexResult index_slowly(std::string_view message, std::uint32_t capacity,
                                const wire::DataFields& data_fields) {
  using wire::FieldFault;
  using wire::MessageDefect;
  constexpr std::size_t none = std::string_view::npos;
  IndexResult result;
  std::size_t at = 0;
  std::size_t data_end = none;
  while (at < message.size() && result.fields.size() < capacity) {
    std::size_t end = message.find('\x01', at);
    std::size_t equals = message.find('=', at);
    if (end == none) {
      break;
    }
    if (equals > end) {
      reference::fault(result, FieldFault::MissingEquals, at);
      result.fields.push_back({0, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
      at = end + 1;
      continue;
    }
    if (data_end != none) {
      end = data_end;
      data_end = none;
    }
    const std::string_view tag = message.substr(at, equals - at);
    if (const FieldFault found = reference::fault_of(tag); found != FieldFault::None) {
      reference::fault(result, found, at);
    } else if (const std::uint32_t data_tag = data_fields.data_tag_of(reference::tag_of(tag));
               data_tag != 0) {
      const std::size_t next_end = message.find('\x01', end + 1);
      const std::size_t next_equals = message.find('=', end + 1);
      if (next_equals != none && (next_end == none || next_equals < next_end) &&
          reference::tag_of(message.substr(end + 1, next_equals - end - 1)) == data_tag) {
        const auto length = reference::number_of(message.substr(equals + 1, end - equals - 1));
        if (length && *length < message.size() - next_equals - 1 &&
            message[next_equals + 1 + *length] == '\x01') {
          data_end = next_equals + 1 + *length;
        } else {
          reference::fault(result, FieldFault::DataLength, at);
        }
      }
    }
    result.fields.push_back({reference::tag_of(tag), static_cast<std::uint32_t>(equals + 1),
                             static_cast<std::uint32_t>(end)});
    at = end + 1;
  }
  if (message.empty()) {
    reference::defect(result, MessageDefect::Empty, 0);
  } else if (message.back() != '\x01') {
    reference::defect(result, MessageDefect::NotTerminated, message.size());
  } else if (at != message.size()) {
    reference::defect(result, MessageDefect::TooManyFields, at);
  } else {
    reference::check_whole(message, result);
  }
  return result;
}

}  // namespace affix::support
