// SPDX-License-Identifier: MIT
// Finds a few fields by searching: most messages of a big log are not worth an index.
#include "log/message_facts.hpp"

#include "affix/wire/convert.hpp"
#include "affix/wire/index.hpp"

#include <algorithm>
#include <cstring>

namespace affix::inline v0::tools::log {

namespace {

/// The value of the first field `tag` (with its `=`) after a SOH.
std::string_view value_of(std::string_view message, std::string_view soh_tag_equals) noexcept {
  const void* const found =
      memmem(message.data(), message.size(), soh_tag_equals.data(), soh_tag_equals.size());
  if (found == nullptr) {
    return {};
  }
  const auto begin = static_cast<std::size_t>(static_cast<const char*>(found) - message.data()) +
                     soh_tag_equals.size();
  const std::string_view rest = message.substr(begin);
  return rest.substr(0, std::min(rest.size(), rest.find(wire::soh)));
}

}  // namespace

void describe(Entry& entry, std::string_view own_comp_id, SessionNames& sessions) {
  const std::string_view message = entry.bytes;
  entry.sequence = wire::parse_integer<std::uint64_t>(value_of(message,
                                                               "\x01"
                                                               "34="))
                       .value_or(0);
  if (entry.utc_ns == 0) {
    const auto time = wire::parse_utc_time(value_of(message,
                                                    "\x01"
                                                    "52="));
    entry.utc_ns = time ? time->ns : 0;
  }
  const std::string_view sender = value_of(message,
                                           "\x01"
                                           "49=");
  const std::string_view target = value_of(message,
                                           "\x01"
                                           "56=");
  if (entry.direction == Direction::Unknown && !own_comp_id.empty()) {
    entry.direction = sender == own_comp_id   ? Direction::Out
                      : target == own_comp_id ? Direction::In
                                              : Direction::Unknown;
  }
  const bool turned = entry.direction == Direction::In;
  const std::size_t version_end = message.find(wire::soh);
  std::string name(message.substr(2, version_end == std::string_view::npos ? 0 : version_end - 2));
  name += ':';
  name += turned ? target : sender;
  name += "->";
  name += turned ? sender : target;
  entry.session = *sessions.insert(std::move(name)).first;
}

}  // namespace affix::inline v0::tools::log
