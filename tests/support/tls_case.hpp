// SPDX-License-Identifier: MIT
// Engines that speak TLS with each other: an authority, a certificate for each side, and what their
// configurations say of them.
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

  /// TLS with certificates of both sides; for whichever group the configuration has.
  void secure(engine::Configuration& configuration) const {
    for (engine::ServerSettings& server : configuration.servers) {
      secure(server, venue);
    }
    for (engine::ClientSettings& client : configuration.clients) {
      secure(client, firm);
    }
  }

  void secure(engine::InstanceSettings& instance, const CertificateFiles& own) const {
    instance.tls = "ON";
    instance.tls_ca_file = authority.file();
    instance.tls_certificate_file = own.certificate;
    instance.tls_key_file = own.key;
  }

  /// For Pair's constructor.
  [[nodiscard]] std::function<void(engine::Configuration&)> adjust(
      const std::function<void(engine::Configuration&)>& further = {}) const {
    return [this, further](engine::Configuration& configuration) {
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
