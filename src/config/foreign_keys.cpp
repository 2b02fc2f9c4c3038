// SPDX-License-Identifier: MIT
// Translates foreign keys one by one.
#include "config/foreign_keys.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::config {

namespace {

constexpr std::array foreign_table{
    ForeignKey{"application_dictionary_path", "dictionary"},
    ForeignKey{"transport_dictionary_path", "transport_dictionary"},
    ForeignKey{"dictionary_validations_enabled", "dictionary, transport_dictionary"},
    ForeignKey{"use_ssl", "tls"},
    ForeignKey{"ssl_version", "tls_version_min"},
    ForeignKey{"ssl_cipher_suite", "tls_ciphers, tls_cipher_suites"},
    ForeignKey{"ssl_certificate_pem_file", "tls_certificate_file"},
    ForeignKey{"ssl_private_key_pem_file", "tls_key_file"},
    ForeignKey{"ssl_ca_pem_file", "tls_ca_file"},
    ForeignKey{"ssl_verify_peer", "tls_peer_proof"},
    ForeignKey{"connect_timeout_seconds", "connect_timeout_milliseconds"},
    ForeignKey{"outgoing_test_request_interval_multiplier", "receive_grace_percent"},
    ForeignKey{"ssl_private_key_password", ""},
    ForeignKey{"ssl_crl_path", ""},
    ForeignKey{"starts_as_primary_instance", ""},
};

/// As llfix reads booleans.
std::optional<bool> boolean_of(std::string_view text) {
  const std::string word = base::lowered(text);
  if (word == "true" || word == "1" || word == "yes") {
    return true;
  }
  if (word == "false" || word == "0" || word == "no") {
    return false;
  }
  return std::nullopt;
}

class GroupTranslation {
 public:
  GroupTranslation(Group& group, Report& report) : group_(group), report_(report) {}

  void run() {
    const std::vector<Entry> entries = std::exchange(group_.entries, {});
    // Our keys first: a foreign key may duplicate one of them.
    for (const Entry& entry : entries) {
      if (!is_foreign(entry.key)) {
        group_.entries.push_back(entry);
      }
    }
    // Then the keys that enable or disable others.
    for (const bool deciding : {true, false}) {
      for (const Entry& entry : entries) {
        if (is_foreign(entry.key) && !entry.faulty && decides(entry.key) == deciding) {
          translate(entry);
        }
      }
    }
  }

  [[nodiscard]] static bool is_foreign(std::string_view key) noexcept {
    return std::ranges::find(foreign_table, key, &ForeignKey::name) != foreign_table.end();
  }

 private:
  static bool decides(std::string_view key) noexcept {
    return key == "ssl_verify_peer" || key == "dictionary_validations_enabled";
  }

  void translate(const Entry& entry) {
    const std::string_view key = entry.key;
    if (key == "use_ssl" || key == "ssl_verify_peer" || key == "dictionary_validations_enabled" ||
        key == "starts_as_primary_instance") {
      translate_flag(entry);
    } else if (key == "ssl_version") {
      translate_version(entry);
    } else if (key == "ssl_cipher_suite") {
      translate_ciphers(entry);
    } else if (key == "connect_timeout_seconds") {
      say(entry, "connect_timeout_milliseconds",
          entry.value.find_first_not_of("0123456789") == std::string::npos ? entry.value + "s"
                                                                           : entry.value);
    } else if (key == "outgoing_test_request_interval_multiplier") {
      translate_multiplier(entry);
    } else if (key == "ssl_ca_pem_file" && asks_no_proof_) {
      // There the combination is allowed; here it would contradict NONE.
      return;
    } else if (key == "ssl_private_key_password") {
      if (!entry.value.empty()) {
        refuse(entry,
               "a password does not stand in a configuration here: key 'tls_key_password' "
               "names the file or the environment variable that has it");
      }
    } else if (key == "ssl_crl_path") {
      if (!entry.value.empty()) {
        refuse(entry, "revocation lists are one file here, of key 'tls_crl_file'");
      }
    } else {
      say(entry, std::ranges::find(foreign_table, key, &ForeignKey::name)->ours, entry.value);
    }
  }

  void translate_flag(const Entry& entry) {
    const std::optional<bool> flag = boolean_of(entry.value);
    if (!flag) {
      refuse(entry, "'" + entry.value + "' is not one of true, false");
    } else if (entry.key == "use_ssl") {
      say(entry, "tls", *flag ? "ON" : "OFF");
    } else if (entry.key == "ssl_verify_peer") {
      say(entry, "tls_peer_proof", *flag ? "CERTIFICATE" : "NONE");
      asks_no_proof_ = !*flag;
    } else if (entry.key == "starts_as_primary_instance") {
      if (!*flag) {
        refuse(
            entry,
            "the nodes of a failover_group elect the primary; key 'enabled' of a session keeps it "
            "down until it is enabled");
      }
    } else if (!*flag) {
      // Dictionaries only serve validation.
      for (const std::string_view key : {"dictionary", "transport_dictionary"}) {
        std::erase_if(group_.entries, [key](const Entry& one) { return one.key == key; });
        say(entry, key, {});
      }
      judged_by_none_ = true;
    }
  }

  void translate_version(const Entry& entry) {
    if (entry.value == "TLS13") {
      say(entry, "tls_version_min", "TLS1.3");
    } else if (entry.value == "TLS10" || entry.value == "TLS11" || entry.value == "TLS12") {
      say(entry, "tls_version_min", "TLS1.2");
      if (entry.value != "TLS12") {
        report_.warn(entry.line, "key 'ssl_version': the least version spoken here is TLS1.2",
                     "C215");
      }
    } else {
      refuse(entry, "'" + entry.value + "' is not one of TLS10, TLS11, TLS12, TLS13");
    }
  }

  /// llfix lists TLS 1.3 suites with the ciphers of older versions; their names distinguish them.
  void translate_ciphers(const Entry& entry) {
    std::string ciphers;
    std::string suites;
    std::string_view rest = entry.value;
    while (!rest.empty()) {
      const std::string_view piece = base::trimmed(base::take_part(rest, ':'));
      std::string& list = piece.starts_with("TLS_") ? suites : ciphers;
      list.append(list.empty() ? "" : ":").append(piece);
    }
    say(entry, "tls_ciphers", ciphers);
    say(entry, "tls_cipher_suites", suites);
  }

  /// The key means: a TestRequest after that many heartbeat intervals of silence.
  void translate_multiplier(const Entry& entry) {
    const std::int64_t times = base::parse_number(entry.value).value_or(0);
    if (times < 1 || times > 11) {
      refuse(entry, "'" + entry.value + "' is not a number from 1 to 11");
    } else {
      say(entry, "receive_grace_percent", std::to_string((times - 1) * 100));
    }
  }

  void refuse(const Entry& entry, const std::string& message) {
    report_.add(entry.line, "key '" + entry.key + "': " + message, "C215");
  }

  void say(const Entry& foreign, std::string_view key, std::string value) {
    if (judged_by_none_ && (key == "dictionary" || key == "transport_dictionary")) {
      return;
    }
    if (const Entry* const own = group_.find(key)) {
      report_.add(foreign.line,
                  "key '" + foreign.key + "' contradicts key '" + own->key + "' on " +
                      report_.reference_to(own->line, foreign.line),
                  "C214");
      return;
    }
    group_.entries.push_back({.key = std::string(key),
                              .value = std::move(value),
                              .line = foreign.line,
                              .inherited = foreign.inherited});
  }

  Group& group_;
  Report& report_;
  bool judged_by_none_ = false;  ///< dictionary_validations_enabled is false.
  bool asks_no_proof_ = false;   ///< ssl_verify_peer is false.
};

}  // namespace

std::span<const ForeignKey> foreign_keys() noexcept {
  return foreign_table;
}

void translate_foreign_keys(Group& group, Report& report) {
  if (std::ranges::any_of(group.entries, [](const Entry& entry) {
        return GroupTranslation::is_foreign(entry.key);
      })) {
    GroupTranslation(group, report).run();
  }
}

}  // namespace affix::inline v0::config
