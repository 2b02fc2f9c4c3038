// SPDX-License-Identifier: MIT
// The sessions of the conformance echo: one for each version and counterparty that testers use.
#pragma once

#include "affix/config/configuration.hpp"

#include <cstdint>
#include <string>

namespace affix::conformance_echo {

/// Addresses and files of the program.
struct Places {
  std::uint16_t port = 0;       ///< On the loopback interface; 0: the kernel chooses.
  std::uint16_t connect = 0;    ///< Instead: the tester's port, to which the sessions connect.
  std::string directory;        ///< Directory of the journals.
  std::string dictionaries;     ///< Directory of FIX40.xml to FIXT11.xml.
  std::int64_t plain = 0;       ///< Number of further sessions of each version, without a profile.
  bool plain_resets = false;    ///< The plain sessions reset their numbers at each Logon.
  std::string only;             ///< Sessions whose name is this; empty: all.
  std::int64_t workers = 1;     ///< Number of workers for the sessions.
  std::string tls_certificate;  ///< File with its key; peers use TLS. Empty: plain text.
  std::string tls_key;
  std::string tester_dictionaries;  ///< Directory of dictionaries that testers interpret
                                    ///< differently.
};

/// One server, or client, with all sessions, using the quickfix profile, and the plain ones.
[[nodiscard]] config::Configuration make_configuration(const Places& places);

}  // namespace affix::conformance_echo
