// SPDX-License-Identifier: MIT
// Engines that use TLS with each other: an authority, a certificate for each side, and the matching
// configurations.
#pragma once

#include "support/engine_case.hpp"
#include "support/temporary_directory.hpp"
#include "support/test_authority.hpp"

#include <fstream>
#include <functional>
#include <string>

namespace affix::support {

class TlsFiles {
 public:
  TlsFiles()
      : authority(directory.path(), "root"),
        venue(authority.issue(
            {.common_name = "VENUE", .alternative_names = "DNS:venue.example,IP:127.0.0.1"})),
        firm(authority.issue({.common_name = "FIRM", .alternative_names = "DNS:firm.example"})) {}

  /// Enables TLS with certificates of both sides, in whichever group the configuration has.
  void secure(config::Configuration& configuration) const {
    for (config::ServerSettings& server : configuration.servers) {
      secure(server, venue);
    }
    for (config::ClientSettings& client : configuration.clients) {
      secure(client, firm);
    }
  }

  void secure(config::InstanceSettings& instance, const CertificateFiles& own) const {
    instance.tls = config::Encryption::On;
    instance.tls_ca_file = authority.file();
    instance.tls_certificate_file = own.certificate;
    instance.tls_key_file = own.key;
  }

  /// For Pair's constructor.
  [[nodiscard]] std::function<void(config::Configuration&)> adjust(
      const std::function<void(config::Configuration&)>& further = {}) const {
    return [this, further](config::Configuration& configuration) {
      secure(configuration);
      if (further) {
        further(configuration);
      }
    };
  }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = directory.path(name);
    std::ofstream(path) << text;
    return path;
  }

  TemporaryDirectory directory;
  TestAuthority authority;
  CertificateFiles venue;
  CertificateFiles firm;
};

}  // namespace affix::support
