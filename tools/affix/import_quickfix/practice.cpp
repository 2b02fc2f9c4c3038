// SPDX-License-Identifier: MIT
// Converts a session's behaviour on the wire and its storage.
#include "affix/base/text.hpp"
#include "affix/net/address_set.hpp"

#include "import_quickfix/subjects.hpp"

#include <cmath>
#include <cstdint>
#include <optional>

namespace affix::inline v0::tools::import_quickfix {

namespace {

constexpr std::int64_t second_max = 3'600;
constexpr std::int64_t any_max = 2'147'483'647;

/// 1137 in the forms of QuickFIX's files: the number, or a version.
std::string application_version(const std::string& value) {
  struct Version {
    std::string_view name;
    std::string_view number;
  };

  for (const Version& version :
       {Version{"FIX.4.0", "2"}, Version{"FIX.4.1", "3"}, Version{"FIX.4.2", "4"},
        Version{"FIX.4.3", "5"}, Version{"FIX.4.4", "6"}, Version{"FIX.5.0", "7"},
        Version{"FIX.5.0SP1", "8"}, Version{"FIX.5.0SP2", "9"}}) {
    if (base::is_same_word(value, version.name)) {
      return std::string(version.number);
    }
  }
  return value;
}

void add_ids(const SessionSource& source, OutputGroup& group) {
  struct Id {
    std::string_view setting;
    std::string_view key;
  };

  for (const Id& id :
       {Id{"BeginString", "begin_string"}, Id{"SenderCompID", "sender_comp_id"},
        Id{"TargetCompID", "target_comp_id"}, Id{"SenderSubID", "sender_sub_id"},
        Id{"SenderLocationID", "sender_location_id"}, Id{"TargetSubID", "target_sub_id"},
        Id{"TargetLocationID", "target_location_id"}}) {
    if (const Setting* const setting = source.find(id.setting)) {
      group.set(id.key, setting->value);
    }
  }
  if (const Setting* const version = source.find("DefaultApplVerID");
      version != nullptr && source.find("BeginString")->value == "FIXT.1.1") {
    group.set("default_app_ver_id", application_version(version->value));
  }
}

/// `LogonTag=553=user`, `LogonTag1=554=secret`.
void add_logon_fields(const SessionSource& source, OutputGroup& group) {
  for (const Setting* const setting : source.all()) {
    const std::string name = base::lowered(setting->name);
    if (!name.starts_with("logontag") || source.find(setting->name) == nullptr ||
        name.find_first_not_of("0123456789", 8) != std::string::npos) {
      continue;
    }
    const std::size_t equals = setting->value.find('=');
    const std::string tag(base::trimmed(std::string_view(setting->value).substr(0, equals)));
    const std::string value(
        equals == std::string::npos
            ? std::string_view()
            : base::trimmed(std::string_view(setting->value).substr(equals + 1)));
    const std::string_view key = tag == "553"   ? "logon_username"
                                 : tag == "554" ? "logon_password"
                                 : tag == "925" ? "logon_message_new_password"
                                                : "";
    if (value.empty()) {
      source.ledger().problem(*setting, "not tag=value", "Q104");
    } else if (!key.empty()) {
      group.set(key, value);
    } else {
      source.ledger().note(NoteKind::Left, *setting,
                           "the application adds it in Application::before_admin_send()", "Q107");
    }
  }
}

std::string_view precision_of_digits(std::int64_t digits) noexcept {
  if (digits == 0) {
    return "NONE";
  }
  if (digits <= 3) {
    return "MILLI";
  }
  return digits <= 6 ? "MICRO" : "NANO";
}

void add_timestamps(const SessionSource& source, OutputGroup& group) {
  const std::string& version = source.find("BeginString")->value;
  std::string_view precision;
  if (source.flag("MillisecondsInTimeStamp") == false) {
    precision = "NONE";
  }
  if (const Setting* const setting = source.find("TimestampPrecision")) {
    const std::string word = base::lowered(setting->value);
    if (word == "seconds") {
      precision = "NONE";
    } else if (word == "millis") {
      precision = "MILLI";
    } else if (word == "micros") {
      precision = "MICRO";
    } else if (word == "nanos") {
      precision = "NANO";
    } else if (const auto digits = source.number("TimestampPrecision", 0, 9)) {
      precision = precision_of_digits(*digits);
      if (*digits % 3 != 0) {
        source.differs(*setting);
      }
    }
  }
  // QuickFIX writes fractions from FIX.4.2 on.
  if (version == "FIX.4.0" || version == "FIX.4.1") {
    precision = "NONE";
  }
  if (!precision.empty()) {
    group.set("timestamp_subseconds_precision", std::string(precision));
  }
}

void add_flag(const SessionSource& source, std::string_view setting, std::string_view key,
              OutputGroup& group) {
  if (const auto value = source.flag(setting)) {
    group.set(key, *value);
  }
}

void add_number(const SessionSource& source, std::string_view setting, std::string_view key,
                std::int64_t minimum, std::int64_t maximum, OutputGroup& group) {
  if (const auto value = source.number(setting, minimum, maximum)) {
    group.set(key, std::to_string(*value));
  }
}

void add_resends(const SessionSource& source, OutputGroup& group) {
  add_number(source, "ResendRequestChunkSize", "max_resend_range", 0, any_max, group);
  if (source.find("ResendRequestChunkSize") == nullptr) {
    add_number(source, "MaxMessagesInResendRequest", "max_resend_range", 0, any_max, group);
  }
  if (source.is_set("ClosedResendInterval")) {
    group.set("resend_request_end", "GAP");
  }
  if (source.is_set("IgnorePossDupResendRequests")) {
    group.set("repeated_resend_request", "DISCARDED");
  }
}

/// Converts a fraction of HeartBtInt to percent.
std::optional<std::int64_t> percent_of(const std::string& fraction) {
  const auto value = base::parse_number<double>(fraction);
  if (!value || !(*value >= 0) || *value > 10) {
    return std::nullopt;
  }
  return std::llround(*value * 100);
}

void add_heartbeats(const SessionSource& source, bool is_initiator, OutputGroup& group) {
  if (is_initiator) {
    add_number(source, "HeartBtInt", "heartbeat_interval_seconds", 0, 86'400, group);
    if (source.find("HeartBtInt") == nullptr) {
      source.ledger().warn(source.line(), "HeartBtInt is missing: 30 seconds are taken", "Q107");
    }
  }
  const Setting* const multiplier = source.find("TestRequestDelayMultiplier");
  if (source.is_set("DisableHeartBeatCheck")) {
    source.differs(*source.find("DisableHeartBeatCheck"));
    group.set("receive_grace_percent", "1000");
  } else if (multiplier != nullptr) {
    if (const auto percent = percent_of(multiplier->value)) {
      group.set("receive_grace_percent", std::to_string(*percent));
    } else {
      source.ledger().problem(*multiplier, "not a number from 0 to 10", "Q104");
    }
  }
}

void add_resets(const SessionSource& source, OutputGroup& group) {
  add_flag(source, "ResetOnLogon", "logon_reset_sequence_numbers", group);
  add_flag(source, "ResetOnLogout", "reset_on_logout", group);
  add_flag(source, "ResetOnDisconnect", "reset_on_disconnect", group);
  const bool daily = source.is_set("EnableResetSeqTime");
  if (const Setting* const time = source.find("ResetSeqTime"); time != nullptr && daily) {
    source.differs(*time);
    group.set("daily_reset_utc", time->value);
  }
}

/// A separate directory for sessions that only SessionQualifier distinguishes: one path component.
std::string folder_of(std::string_view qualifier) {
  std::string folder;
  for (const char letter : qualifier) {
    const bool plain =
        base::is_letter(letter) || base::is_digit(letter) || letter == '-' || letter == '_';
    folder += plain ? letter : '_';
  }
  return folder;
}

void add_journal(const SessionSource& source, OutputGroup& group) {
  std::string path;
  if (const Setting* const setting = source.find("FileStorePath")) {
    source.differs(*setting);
    path = setting->value;
  }
  if (const Setting* const qualifier = source.find("SessionQualifier")) {
    source.differs(*qualifier);
    path = (path.empty() ? "journal" : path) + "/" + folder_of(qualifier->value);
  }
  if (!path.empty()) {
    group.set("journal_path", path);
  }
  if (source.flag("PersistMessages") == false) {
    group.set("max_serialised_file_size", "0");
    group.set("replay_messages_on_incoming_resend_request", false);
  }
  if (source.is_set("FileStoreSync")) {
    group.set("durability", "sync");
  }
}

/// A value that cannot be converted must not be dropped: the peer could then connect from any
/// address.
void add_allowed_addresses(const SessionSource& source, OutputGroup& group) {
  const Setting* const setting = source.find("AllowedRemoteAddresses");
  if (setting == nullptr) {
    return;
  }
  if (net::AddressSet::parse(setting->value)) {
    group.set("allowed_peer_addresses", setting->value);
  } else {
    source.ledger().problem(*setting, "not a list of addresses, and names are not looked up",
                            "Q104");
  }
}

}  // namespace

void add_practice(const SessionSource& source, bool is_initiator, OutputGroup& group) {
  if (const Setting* const description = source.find("Description")) {
    group.comments.push_back(description->value);
  }
  add_ids(source, group);
  if (!is_initiator) {
    add_allowed_addresses(source, group);
  }
  add_logon_fields(source, group);
  add_timestamps(source, group);
  add_heartbeats(source, is_initiator, group);
  add_number(source, "LogonTimeout", "logon_timeout_seconds", 1, second_max, group);
  add_number(source, "LogoutTimeout", "logout_timeout_seconds", 1, second_max, group);
  add_flag(source, "EnableLastMsgSeqNumProcessed", "include_last_processed_seqnum_in_header",
           group);
  if (source.is_set("EnableNextExpectedMsgSeqNum") || source.is_set("SendNextExpectedMsgSeqNum")) {
    group.set("logon_include_next_expected_seq_no", true);
  }
  add_resends(source, group);
  add_resets(source, group);
  add_journal(source, group);
}

}  // namespace affix::inline v0::tools::import_quickfix
