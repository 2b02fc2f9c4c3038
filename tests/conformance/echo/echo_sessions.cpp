// SPDX-License-Identifier: MIT
// The table of sessions, and the settings shared by all of them.
#include "echo_sessions.hpp"

#include "affix/base/assert.hpp"

#include "tester_dictionaries.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace affix::conformance_echo {

namespace {

struct Row {
  std::string_view name;
  std::string_view begin_string;
  std::string_view target_comp_id;
  std::string_view dictionary;
  std::string_view appl_ver_id = {};       ///< DefaultApplVerID (1137) of a FIXT session.
  std::string_view validation_rules = {};  ///< In addition to the profile's.
  std::optional<session::MalformedField> malformed_fields = {};  ///< Replaces the profile's.
};

constexpr std::array rows{
    Row{"fix40", "FIX.4.0", "TW40", "FIX40.xml"},
    Row{"fix41", "FIX.4.1", "TW41", "FIX41.xml"},
    Row{"fix42", "FIX.4.2", "TW42", "FIX42.xml"},
    Row{"fix43", "FIX.4.3", "TW43", "FIX43.xml"},
    Row{"fix44", "FIX.4.4", "TW44", "FIX44.xml"},
    Row{"fix50", "FIXT.1.1", "TW50", "FIX50.xml", "7"},
    Row{"fix50sp1", "FIXT.1.1", "TW50SP1", "FIX50SP1.xml", "8"},
    Row{"fix50sp2", "FIXT.1.1", "TW50SP2", "FIX50SP2.xml", "9"},
    Row{"validate", "FIX.4.4", "TW", "FIX44.xml"},
    // Accepts fields without a value.
    Row{"validate_no_values", "FIX.4.4", "NO_CHECK_FIELDS_HAVE_VALUES", "FIX44.xml", "",
        "empty_value:OFF"},
    // Checks the order of group members, and treats SOH inside a value as a fault of the field.
    Row{"future", "FIX.4.2", "TW", "FIX42.xml", "", "group_start:REJECT,group_order:REJECT",
        session::MalformedField::Reject},
};

config::SessionSettings make_session(const Row& row, const Places& places) {
  auto profile = config::settings_of_profile("quickfix");
  AFFIX_ASSERT(profile.has_value());
  config::SessionSettings session = std::move(*profile);
  session.name = row.name;
  session.instance = "ECHO";
  session.begin_string = row.begin_string;
  session.sender_comp_id = "ISLD";
  session.target_comp_id = row.target_comp_id;
  const std::string file(row.dictionary);
  session.dictionary =
      (is_tester_dictionary(file) ? places.tester_dictionaries : places.dictionaries) + "/" + file;
  session.default_app_ver_id = row.appl_ver_id;
  if (!row.appl_ver_id.empty()) {
    session.transport_dictionary = places.dictionaries + "/FIXT11.xml";
  }
  session.validation_rules = row.validation_rules;
  if (row.malformed_fields) {
    session.malformed_fields = *row.malformed_fields;
  }
  // Testers expect two Heartbeats before the TestRequest, whether or not they send messages.
  session.test_request_after = session::TestRequestAfter::TwoHeartbeats;
  session.logon_reset_sequence_numbers = true;
  session.journal_path = places.directory + "/journal";
  session.max_serialised_file_size = std::int64_t{4} << 20;
  return session;
}

/// A session of affix's own defaults: "plain44_1", CompIDs TW44_1 and ISLD.
config::SessionSettings make_plain_session(const Row& row, std::int64_t number,
                                           const Places& places) {
  config::SessionSettings session;
  const std::string suffix = "_" + std::to_string(number);
  session.name = "plain_" + std::string(row.name) + suffix;
  session.logon_reset_sequence_numbers = places.plain_resets;
  session.instance = "ECHO";
  session.begin_string = row.begin_string;
  session.sender_comp_id = "ISLD";
  session.target_comp_id = std::string(row.target_comp_id) + suffix;
  session.dictionary = places.dictionaries + "/" + std::string(row.dictionary);
  session.default_app_ver_id = row.appl_ver_id;
  if (!row.appl_ver_id.empty()) {
    session.transport_dictionary = places.dictionaries + "/FIXT11.xml";
  }
  session.journal_path = places.directory + "/journal";
  session.max_serialised_file_size = std::int64_t{4} << 20;
  return session;
}

/// Testers accept a connection after the other, so the pauses between them are short.
config::ClientSettings make_client(const Places& places) {
  config::ClientSettings client;
  client.name = "ECHO";
  client.primary_address = "127.0.0.1";
  client.primary_port = places.connect;
  client.reconnect_milliseconds = 20;
  client.reconnect_milliseconds_max = 100;
  client.worker_thread_count = places.workers;
  return client;
}

config::ServerSettings make_server(const Places& places) {
  config::ServerSettings server;
  server.name = "ECHO";
  server.nic_address = "127.0.0.1";
  server.accept_port = places.port;
  server.pending_connection_queue_size = 128;
  server.worker_thread_count = places.workers;
  if (!places.tls_certificate.empty()) {
    server.tls = config::Encryption::On;
    server.tls_certificate_file = places.tls_certificate;
    server.tls_key_file = places.tls_key;
    server.tls_peer_proof = tls::TlsPeerProof::None;  // Testers have no certificates.
  }
  return server;
}

}  // namespace

config::Configuration make_configuration(const Places& places) {
  config::Configuration configuration;
  if (places.connect != 0) {
    configuration.clients.push_back(make_client(places));
  } else {
    configuration.servers.push_back(make_server(places));
  }
  const auto add = [&](config::SessionSettings session) {
    if (places.only.empty() || places.only == session.name) {
      configuration.sessions.push_back(std::move(session));
    }
  };
  for (const Row& row : rows) {
    add(make_session(row, places));
    const bool of_version = row.name.starts_with("fix");
    for (std::int64_t number = 1; of_version && number <= places.plain; ++number) {
      add(make_plain_session(row, number, places));
    }
  }
  return configuration;
}

}  // namespace affix::conformance_echo
