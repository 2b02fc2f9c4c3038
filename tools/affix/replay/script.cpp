// SPDX-License-Identifier: MIT
// Converts a journal's records to steps.
#include "replay/script.hpp"

#include "affix/journal/reader.hpp"
#include "affix/wire/index.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace affix::inline v0::tools::replay {

namespace {

using Index = wire::FieldIndexOf<4096>;

bool is_session_type(std::string_view type) {
  return type.size() == 1 && std::string_view("0A12345").find(type[0]) != std::string_view::npos;
}

std::string text_of(const wire::MessageView& message, std::uint32_t tag) {
  return std::string(message.text(tag).value_or(""));
}

/// The side's first message gives its identity, its first Logon the credentials.
void take_identity(Script& script, const wire::MessageView& message) {
  if (script.begin_string.empty()) {
    script.begin_string = text_of(message, 8);
    script.sender_comp_id = text_of(message, 49);
    script.target_comp_id = text_of(message, 56);
  }
  if (message.type() == wire::MsgType("A") && script.default_app_ver_id.empty()) {
    script.default_app_ver_id = text_of(message, 1137);
    script.user_name = text_of(message, 553);
  }
}

}  // namespace

std::expected<Script, base::Error> read_script(const std::string& directory, bool ours) {
  auto reader = affix::journal::Reader::open(directory);
  if (!reader) {
    return std::unexpected(reader.error());
  }
  Script script;
  const auto index = std::make_unique<Index>();
  const affix::journal::Kind sending =
      ours ? affix::journal::Kind::Sent : affix::journal::Kind::Received;
  while (const auto record = reader->next()) {
    if (record->kind != affix::journal::Kind::Sent &&
        record->kind != affix::journal::Kind::Received) {
      continue;  // A held message appears again when it is in sequence.
    }
    if (record->message_omitted) {
      return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                         "the journal keeps numbers without messages", directory,
                                         "P106"});
    }
    wire::index_message(record->bytes, *index);
    const wire::MessageView message(record->bytes, *index);
    const bool send = record->kind == sending;
    if (send) {
      take_identity(script, message);
    }
    RecordedMessage taken = take_apart(message);
    if (is_session_type(taken.type) && (send || taken.type != "3")) {
      continue;
    }
    taken.utc_ns = record->utc_ns;
    script.steps.push_back({send, std::move(taken)});
  }
  if (reader->damage()) {
    return std::unexpected(*reader->damage());
  }
  if (script.begin_string.empty()) {
    return std::unexpected(base::Error{
        base::ErrorCode::NotFound,
        ours ? "the journal's side has sent nothing" : "the journal's peer has sent nothing",
        directory, "P106"});
  }
  return script;
}

}  // namespace affix::inline v0::tools::replay
