// SPDX-License-Identifier: MIT
// Examines the sent records of a session's journal by type and ExecID.
#include "exchange/recovery/sent_reports.hpp"

#include "affix/journal/reader.hpp"
#include "affix/wire/convert.hpp"

#include "order/field_of.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

void take(std::string_view message, std::string_view id_prefix, SentReports& sent) {
  const std::string_view type = field_of(message,
                                         "\x01"
                                         "35=");
  if (type == "8") {
    const std::string_view id = field_of(message,
                                         "\x01"
                                         "17=");
    if (id == "0") {
      ++sent.without_id;
    } else if (id.starts_with(id_prefix)) {
      sent.last_exec_id =
          wire::parse_integer<std::uint64_t>(id.substr(id_prefix.size())).value_or(0);
      sent.without_id = 0;
    }
  } else if (type == "9") {
    ++sent.without_id;
  } else if (type == "j" || type == "3") {
    sent.rejected.insert(wire::parse_integer<std::uint64_t>(field_of(message,
                                                                     "\x01"
                                                                     "45="))
                             .value_or(0));
  }
}

}  // namespace

std::expected<SentReports, base::Error> read_sent_reports(const std::string& directory,
                                                          affix::journal::Position from,
                                                          std::string_view id_prefix) {
  auto reader = affix::journal::Reader::open(directory);
  if (!reader) {
    return std::unexpected(std::move(reader.error()));
  }
  SentReports sent;
  // The position is no longer stored: only the ids decide then.
  const bool whole = !from.valid() || reader->seek(from).has_value();
  while (const auto record = reader->next()) {
    if (record->message_omitted) {
      sent.kept = false;
    } else if (record->kind == affix::journal::Kind::Sent) {
      take(record->bytes, id_prefix, sent);
    } else if (record->kind == affix::journal::Kind::Received) {
      sent.rejected.erase(record->sequence);  // A number may be used again after a reset.
    }
  }
  if (reader->damage()) {
    return std::unexpected(*reader->damage());
  }
  if (!whole && sent.last_exec_id == 0) {
    sent.without_id = 0;
  }
  sent.end = reader->position();
  return sent;
}

}  // namespace affix::inline v0::tools::exchange
