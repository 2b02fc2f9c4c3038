// SPDX-License-Identifier: MIT
// Parses tags from the text again.
#include "affix/wire/written_tag.hpp"

#include "affix/wire/convert.hpp"

namespace affix::inline v0::wire {

std::optional<std::int64_t> written_tag(const MessageView& message,
                                        std::uint32_t position) noexcept {
  if (const std::uint32_t tag = message.tag_at(position); tag != 0) {
    return tag;
  }
  const std::uint32_t from = message.index().field_begin(position);
  const std::uint32_t value = message.index().begins[position];
  if (value == from) {
    return std::nullopt;  // A piece without `=` is only a value.
  }
  const auto number = parse_integer<std::int64_t>(message.bytes().substr(from, value - 1 - from));
  return number ? std::optional(*number) : std::nullopt;
}

}  // namespace affix::inline v0::wire
