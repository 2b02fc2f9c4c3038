// SPDX-License-Identifier: MIT
// Command line of the two QuickFIX peers, and the QuickFIX settings that follow from it.
// Dictionary validation is always on: a peer that accepts anything would show nothing.
#pragma once

#include <quickfix/SessionSettings.h>
#include <string>
#include <vector>

namespace interop {

/// What both programs are told. Every value comes from the command line; `directory` and
/// `dictionaries` must exist.
struct PeerOptions {
  std::string begin_string = "FIX.4.4";  ///< FIX.4.2, FIX.4.4 or FIXT.1.1 (with FIX.5.0SP2).
  std::string sender;                    ///< Our CompID.
  std::vector<std::string> targets;      ///< Their CompIDs, one session each.
  std::string host = "127.0.0.1";        ///< Initiator only.
  std::string port;                      ///< Initiator only; an acceptor lets the kernel choose.
  std::string directory;                 ///< For QuickFIX's file store, kept from run to run.
  std::string dictionaries;  ///< Folder of FIX42.xml, FIX44.xml, FIXT11.xml, FIX50SP2.xml.
  std::string heartbeat_seconds = "30";
  std::string reset_on_logon = "N";  ///< Y: both numbers to 1 with every Logon.
  std::string tls;                   ///< Folder of ca.pem, own.pem and own.key; empty: plain text.
};

/// Reads `--name value` pairs. Throws std::invalid_argument that names what is wrong.
PeerOptions parse_options(int argument_count, const char* const* arguments, bool initiator);

/// Settings for one session per target. `now_utc_seconds` places the daily session boundary twelve
/// hours away, so that no run meets QuickFIX's reset at the boundary.
FIX::SessionSettings make_settings(const PeerOptions& options, bool initiator,
                                   long now_utc_seconds);

}  // namespace interop
