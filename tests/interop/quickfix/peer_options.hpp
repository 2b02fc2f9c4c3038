// SPDX-License-Identifier: MIT
// Command line of the two QuickFIX peers, and the resulting QuickFIX settings. Dictionary
// validation is always on: a peer that accepts anything would prove nothing.
#pragma once

#include <quickfix/SessionSettings.h>
#include <string>
#include <vector>

namespace interop {

/// Options of both programs. Every value comes from the command line; `directory` and
/// `dictionaries` must exist.
struct PeerOptions {
  std::string begin_string = "FIX.4.4";  ///< FIX.4.2, FIX.4.4 or FIXT.1.1 (with FIX.5.0SP2).
  std::string sender;                    ///< Our CompID.
  std::vector<std::string> targets;      ///< Their CompIDs, one session each.
  std::string host = "127.0.0.1";        ///< Initiator only.
  std::string port;                      ///< Initiator only; an acceptor lets the kernel choose.
  std::string directory;                 ///< For QuickFIX's file store, kept between runs.
  std::string dictionaries;  ///< Directory of FIX42.xml, FIX44.xml, FIXT11.xml, FIX50SP2.xml.
  std::string heartbeat_seconds = "30";
  std::string reset_on_logon = "N";  ///< Y: both numbers to 1 with every Logon.
  std::string tls;                   ///< Directory of ca.pem, own.pem and own.key; empty: plain
                                     ///< text.
};

/// Reads `--name value` pairs. Throws std::invalid_argument with the faulty option.
PeerOptions parse_options(int argument_count, const char* const* arguments, bool initiator);

/// Settings for one session per target. `now_utc_seconds` places the daily session boundary twelve
/// hours away, so that no run meets QuickFIX's reset at the boundary.
FIX::SessionSettings make_settings(const PeerOptions& options, bool initiator,
                                   long now_utc_seconds);

}  // namespace interop
