// SPDX-License-Identifier: MIT
// Session commands of both QuickFIX peers on standard input. A program's own commands (orders,
// fills) are tried first.
#pragma once

#include "event_printer.hpp"
#include "peer_options.hpp"

#include <functional>
#include <iosfwd>
#include <quickfix/Session.h>
#include <string>
#include <vector>

namespace interop {

using Words = std::vector<std::string>;

/// A program's own commands: true if the first word is one of them and was executed. Errors are
/// std::exceptions; their text becomes an `error` line.
using OwnCommands = std::function<bool(const Words& words, const FIX::SessionID& session)>;

/// Reads commands, one a line, until `quit` or the end of input, so that a peer whose driver has
/// died ends too. Returns the exit code: 0, or 3 when a wait_for ran out of time. Blank lines and
/// lines that begin with '#' are skipped.
///
///   session TARGET              the session that later commands mean; the first one at the start
///   logon / logout              enable the session / disable it, which sends a Logout
///   drop                        close the socket without a Logout and stay away until `logon`
///   set_next_sender_seq N       number of the next message we send
///   set_next_target_seq N       number that we expect next
///   numbers                     prints `numbers SESSION sender=N target=N`
///   test_request ID             sends a TestRequest
///   resend_request FROM TO      sends a ResendRequest, whatever we have received
///   send 35=X|TAG=VALUE|...     sends any message; QuickFIX writes the rest of the header
///   wait_for KIND [TEXT...] [within MS]   10,000 ms when not said
///   quit
int run_commands(std::istream& input, const PeerOptions& options, EventPrinter& printer,
                 const OwnCommands& own_commands);

/// A message with the fields of `text` (TAG=VALUE with '|' between), header fields in the header.
FIX::Message make_message(const std::string& text);

}  // namespace interop
