// SPDX-License-Identifier: MIT
// Separates fields of the session, the header and the body.
#include "replay/recorded_message.hpp"

#include "affix/wire/header_tags.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::tools::replay {

namespace {

constexpr std::array<std::uint32_t, 10> session_tags{8, 9, 34, 35, 43, 49, 52, 56, 122, 369};

/// Tags that identify a message for readers: MDReqID, ClOrdID, OrigClOrdID, Symbol, ExecType,
/// OrdStatus.
constexpr std::array<std::uint32_t, 6> telling_tags{262, 11, 41, 55, 150, 39};

}  // namespace

std::string_view RecordedMessage::value_of(std::uint32_t tag) const noexcept {
  const auto found = std::ranges::find(body, tag, &RecordedField::tag);
  return found == body.end() ? std::string_view() : std::string_view(found->value);
}

RecordedMessage take_apart(const wire::MessageView& message) {
  RecordedMessage taken;
  for (const auto& field : message) {
    if (field.tag == 35) {
      taken.type = field.value;
    } else if (field.tag == 34) {
      taken.number = message.integer<std::uint64_t>(34).value_or(0);
    }
    if (std::ranges::binary_search(session_tags, field.tag) || wire::is_trailer_tag(field.tag)) {
      continue;
    }
    auto& part = wire::is_header_tag(field.tag) ? taken.header : taken.body;
    part.push_back({field.tag, std::string(field.value)});
  }
  return taken;
}

std::string summary_of(const RecordedMessage& message) {
  std::string text = "35=" + message.type;
  for (const std::uint32_t tag : telling_tags) {
    if (const std::string_view value = message.value_of(tag); !value.empty()) {
      text += " " + std::to_string(tag) + "=" + std::string(value);
    }
  }
  return text;
}

}  // namespace affix::inline v0::tools::replay
