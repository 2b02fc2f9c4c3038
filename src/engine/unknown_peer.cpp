// SPDX-License-Identifier: MIT
// Finds the sessions nearest to an unknown peer's identity.
#include "engine/unknown_peer.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

namespace {

constexpr std::uint32_t begin_string_tag = 8;
constexpr std::uint32_t type_tag = 35;
constexpr std::uint32_t sender_tag = 49;
constexpr std::uint32_t target_tag = 56;

constexpr std::size_t value_size_max = 64;

/// Number of names shown; the others are counted.
constexpr std::size_t names_max = 5;

/// A peer's text, which may contain any bytes.
std::string clean(std::string_view text) {
  std::string kept(text.substr(0, value_size_max));
  std::replace_if(
      kept.begin(), kept.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return text.size() > value_size_max ? kept + "..." : kept;
}

std::string field(const wire::MessageView& message, std::uint32_t tag) {
  const auto value = message.find(tag);
  return value ? " " + std::to_string(tag) + "=" + clean(*value)
               : " without " + std::to_string(tag);
}

/// "A, B and 3 more"; each name once.
std::string joined(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string text;
  const std::size_t reported = std::min(names.size(), names_max);
  for (std::size_t at = 0; at < reported; ++at) {
    text += (at == 0 ? "" : at + 1 == names.size() ? " and " : ", ") + clean(names[at]);
  }
  if (names.size() > reported) {
    text += " and " + std::to_string(names.size() - reported) + " more";
  }
  return text;
}

/// Lists one part of the sessions for which `wanted` is true.
template <typename Wanted>
std::vector<std::string_view> parts_of(std::span<const host::SessionHandle> sessions,
                                       std::string_view (host::SessionHandle::*part)()
                                           const noexcept,
                                       Wanted wanted) {
  std::vector<std::string_view> parts;
  for (const host::SessionHandle session : sessions) {
    if (wanted(session)) {
      parts.push_back((session.*part)());
    }
  }
  return parts;
}

/// The identity that would have been accepted.
std::string advice(const wire::MessageView& logon, std::span<const host::SessionHandle> sessions) {
  const std::string_view sender = logon.value_or_null(sender_tag);
  const std::string_view target = logon.value_or_null(target_tag);
  const auto is_pair = [&](host::SessionHandle session) {
    return session.target_comp_id() == sender && session.sender_comp_id() == target;
  };
  if (const auto versions = parts_of(sessions, &host::SessionHandle::begin_string, is_pair);
      !versions.empty()) {
    return "this pair of CompIDs has 8=" + joined(versions);
  }
  const auto is_turned = [&](host::SessionHandle session) {
    return session.target_comp_id() == target && session.sender_comp_id() == sender;
  };
  if (std::any_of(sessions.begin(), sessions.end(), is_turned)) {
    return "49 and 56 are the other way round";
  }
  const auto is_ours = [&](host::SessionHandle session) {
    return session.sender_comp_id() == target;
  };
  if (const auto peers = parts_of(sessions, &host::SessionHandle::target_comp_id, is_ours);
      !peers.empty()) {
    return "sessions of this 56 have 49=" + joined(peers);
  }
  const auto is_theirs = [&](host::SessionHandle session) {
    return session.target_comp_id() == sender;
  };
  if (const auto ours = parts_of(sessions, &host::SessionHandle::sender_comp_id, is_theirs);
      !ours.empty()) {
    return "this 49 has 56=" + joined(ours);
  }
  const auto any = [](host::SessionHandle) { return true; };
  const auto ours = parts_of(sessions, &host::SessionHandle::sender_comp_id, any);
  return ours.empty() ? "this port has no session"
                      : "sessions of this port have 56=" + joined(ours);
}

/// "8=FIX.4.4 49=* 56=VENUE, 8=FIX.4.2 49=D* 56=VENUE and 3 more"
std::string patterns_of(std::span<const config::SessionIds> templates) {
  std::vector<std::string> texts;
  for (const config::SessionIds& one : templates) {
    // The ids are from our point of view: sender and target CompID come first.
    texts.push_back("8=" + one.begin_string + " 49=" + one.ids[1] + " 56=" + one.ids[0]);
  }
  return joined({texts.begin(), texts.end()});
}

}  // namespace

std::string identity_of(const wire::MessageView& message) {
  std::string text;
  for (const std::uint32_t tag : {type_tag, begin_string_tag, sender_tag, target_tag}) {
    text += field(message, tag);
  }
  return text.substr(1);
}

std::string why_no_logon(const wire::MessageView& message) {
  std::string text =
      "the first message is not a Logon for a session of ours: " + identity_of(message);
  const wire::FieldIndex& index = message.index();
  if (!index.whole() && index.defect != wire::MessageDefect::CheckSumFormat) {
    return text + "; it is garbled: " + wire::to_text(index.defect);
  }
  return text + "; a session begins with 35=A";
}

std::string why_no_session(const wire::MessageView& logon,
                           std::span<const host::SessionHandle> sessions,
                           std::span<const config::SessionIds> templates) {
  std::string text =
      "the first message is not a Logon for a session of ours: " + identity_of(logon);
  if (templates.empty() || !sessions.empty()) {
    text += "; " + advice(logon, sessions);
  }
  return templates.empty() ? text
                           : text + "; templates of this port are for " + patterns_of(templates);
}

}  // namespace affix::inline v0::engine
