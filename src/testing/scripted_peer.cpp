// SPDX-License-Identifier: MIT
// The scripted side: messages by text, time by steps.

#include "affix/testing/scripted_peer.hpp"

#include "affix/testing/message_text.hpp"

#include <algorithm>

namespace affix::inline v0::testing {

std::string ScriptedPeer::message(std::string_view type, std::string_view fields) {
  const std::string text = message(type, fields, Header{.sequence = next_sequence});
  ++next_sequence;
  return text;
}

std::string ScriptedPeer::message(std::string_view type, std::string_view fields,
                                  const Header& header) {
  const session::SessionOptions& options = endpoint_.session().options();
  const std::uint64_t sequence = header.sequence == 0 ? next_sequence++ : header.sequence;
  const auto either = [](const std::string& given, std::string_view usual) {
    return given.empty() ? std::string(usual) : given;
  };
  std::string text = "8=" + either(header.begin_string, options.begin_string) +
                     "|35=" + std::string(type) + "|34=" + std::to_string(sequence) +
                     "|49=" + either(header.sender, options.target_comp_id) +
                     "|56=" + either(header.target, options.sender_comp_id) +
                     "|52=" + either(header.sending_time, time_text(clock_.now().utc_ns)) + "|";
  if (header.possible_duplicate) {
    text += "43=Y|";
  }
  if (!header.extra.empty()) {
    text += header.extra + "|";
  }
  text += fields;
  return make_message(text);
}

std::vector<std::string> ScriptedPeer::say(std::string_view type, std::string_view fields) {
  return say_bytes(message(type, fields));
}

std::vector<std::string> ScriptedPeer::say(std::string_view type, std::string_view fields,
                                           const Header& header) {
  return say_bytes(message(type, fields, header));
}

std::vector<std::string> ScriptedPeer::say_bytes(std::string_view bytes) {
  endpoint_.now = clock_.now();
  endpoint_.receive(bytes);
  return listen();
}

std::vector<std::string> ScriptedPeer::listen() {
  endpoint_.now = clock_.now();
  std::string bytes = endpoint_.take_output();
  while (endpoint_.replay_some()) {
    bytes += endpoint_.take_output();
  }
  bytes += endpoint_.take_output();
  return split_messages(bytes);
}

std::vector<std::string> ScriptedPeer::pass(std::int64_t ns) {
  std::vector<std::string> sent;
  const std::int64_t end = clock_.now().steady_ns + ns;
  constexpr int ticks_max =
      1'000'000;  // A deadline that never advances would be a fault of the session.
  for (int ticks = 0; ticks < ticks_max; ++ticks) {
    const std::int64_t next = std::min(end, endpoint_.session().deadline());
    clock_.advance_to_steady(next);
    endpoint_.now = clock_.now();
    endpoint_.tick();
    for (std::string& message : listen()) {
      sent.push_back(std::move(message));
    }
    if (next == end) {
      break;
    }
  }
  return sent;
}

}  // namespace affix::inline v0::testing
