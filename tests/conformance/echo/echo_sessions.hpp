// SPDX-License-Identifier: MIT
// The sessions of the conformance echo: one for each version and counterparty that testers use.
#pragma once

#include "affix/engine/configuration.hpp"

#include <cstdint>
#include <string>

namespace affix::conformance_echo {

/// Where the program listens and finds its files.
struct Places {
  std::uint16_t port = 0;       ///< Of the loopback interface; 0: the kernel chooses.
  std::string directory;        ///< Journals go below it.
  std::string dictionaries;     ///< Folder of FIX40.xml to FIXT11.xml.
  std::int64_t workers = 1;     ///< That the sessions are spread over.
  std::string tls_certificate;  ///< With its key: peers speak TLS. Empty: plain text.
  std::string tls_key;
  std::string tester_dictionaries;  ///< Folder of those that testers read differently.
};

/// One server with all sessions, by the quickfix profile.
[[nodiscard]] engine::Configuration make_configuration(const Places& places);

}  // namespace affix::conformance_echo
