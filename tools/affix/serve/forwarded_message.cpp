// SPDX-License-Identifier: MIT
// Selects the header fields that are forwarded, and maps those that change.
#include "serve/forwarded_message.hpp"

#include "affix/host/session_controls.hpp"
#include "affix/session/secrets.hpp"
#include "affix/wire/header_tags.hpp"

#include <algorithm>

namespace affix::inline v0::tools::serve {

namespace {

constexpr std::uint32_t poss_resend_tag = 97;

/// Header fields that describe the message itself, on any session.
constexpr std::array<std::uint32_t, 2> carried_tags{347, 1128};

struct RoutePair {
  std::uint32_t on_behalf_of;
  std::uint32_t deliver_to;
};

constexpr std::array route_pairs{RoutePair{115, 128}, RoutePair{116, 129}, RoutePair{144, 145}};

/// All tags allowed in ForwardedMessage::header except PossResend, ascending.
constexpr std::array<std::uint32_t, 8> content_tags{115, 116, 128, 129, 144, 145, 347, 1128};

bool contains(std::span<const std::uint32_t> tags, std::uint32_t tag) noexcept {
  return std::ranges::find(tags, tag) != tags.end();
}

/// The encoded fields between header and trailer. `own_tags` belong to the header, too.
std::string_view body_of(const wire::MessageView& message,
                         std::span<const std::uint32_t> own_tags = {}) noexcept {
  const wire::FieldIndex& index = message.index();
  std::uint32_t first = 0;
  while (first < index.count &&
         (wire::is_header_tag(index.tags[first]) || contains(own_tags, index.tags[first]))) {
    ++first;
  }
  std::uint32_t end = index.count;
  while (end > first && wire::is_trailer_tag(index.tags[end - 1])) {
    --end;
  }
  if (first == 0 || first == end) {
    return {};
  }
  const std::size_t begin = index.ends[first - 1] + std::size_t{1};
  return message.bytes().substr(begin, index.ends[end - 1] + std::size_t{1} - begin);
}

void append_field(std::string& to, std::uint32_t tag, std::string_view value) {
  to += std::to_string(tag);
  to += '=';
  to += value;
  to += '\x01';
}

}  // namespace

void ForwardedMessage::add(std::uint32_t tag, std::string_view value) noexcept {
  if (!value.empty() && header_count < header.size()) {
    header[header_count++] = {tag, value};
  }
}

std::string ForwardedMessage::content(std::span<const std::uint32_t> own_tags) const {
  std::string content(type);
  content += '\x01';
  for (const session::ExtraHeaderField& field : header_fields()) {
    if (field.tag != poss_resend_tag && !contains(own_tags, field.tag)) {
      append_field(content, field.tag, field.value);
    }
  }
  content += body;
  return content;
}

std::string content_of(const wire::MessageView& sent, std::span<const std::uint32_t> own_tags) {
  std::string content(sent.value_at(2));
  content += '\x01';
  for (const std::uint32_t tag : content_tags) {
    if (const std::string_view value = sent.value_or_null(tag);
        !value.empty() && !contains(own_tags, tag)) {
      append_field(content, tag, value);
    }
  }
  content += body_of(sent, own_tags);
  return content;
}

bool lacks_secret(host::SessionHandle from, const wire::MessageView& stored) noexcept {
  return session::holds_mask(stored, host::SessionControls(from).secret_tags());
}

ForwardedMessage forwarded(host::SessionHandle from, const wire::MessageView& message,
                           bool possible_resend, host::SessionHandle to, Routing routing) noexcept {
  ForwardedMessage result{
      .type = message.value_at(2), .body = body_of(message), .header = {}, .header_count = 0};
  if (possible_resend) {
    result.add(poss_resend_tag, "Y");
  }
  for (const std::uint32_t tag : carried_tags) {
    // Only FIXT has an application version per message.
    if (tag != 1128 || session::version_of(to.begin_string()) == session::Version::Fixt11) {
      result.add(tag, message.value_or_null(tag));
    }
  }
  for (const RoutePair& pair : route_pairs) {
    if (routing == Routing::Answer) {
      result.add(pair.deliver_to, message.value_or_null(pair.on_behalf_of));
      result.add(pair.on_behalf_of, message.value_or_null(pair.deliver_to));
    } else {
      result.add(pair.on_behalf_of, message.value_or_null(pair.on_behalf_of));
    }
  }
  if (routing == Routing::Onward && !message.has(115)) {
    result.add(115, from.target_comp_id());
  }
  std::ranges::sort(std::span(result.header).first(result.header_count), {},
                    &session::ExtraHeaderField::tag);
  return result;
}

}  // namespace affix::inline v0::tools::serve
