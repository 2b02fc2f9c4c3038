// SPDX-License-Identifier: MIT
// A conformance script: scenarios as data, read from a text file. docs/reference/conformance.md
// describes the language.
#pragma once

#include "version.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::conformance {

/// Role of the engine under test.
enum class Role : std::uint8_t { Acceptor, Initiator };

[[nodiscard]] std::string_view to_text(Role role) noexcept;

/// Action of a step. All but the last group concern a connection, peer A's or B's.
enum class Verb : std::uint8_t {
  Connect,      ///< The connection is established, by either side.
  Logon,        ///< Connect and exchange Logons.
  Send,         ///< Sends the peer's message, completed with header and trailer.
  Raw,          ///< Sends the peer's bytes unchanged.
  Expect,       ///< The engine's next message.
  Closed,       ///< The engine has ended the connection.
  Open,         ///< The engine has not ended the connection.
  Quiet,        ///< For this time no message arrives and the connection stays.
  Rest,         ///< Remaining messages are ignored.
  Disconnect,   ///< The peer ends the connection.
  Next,         ///< Sets the number of the peer's next message.
  Wait,         ///< Time passes.
  Clock,        ///< The wall clock steps; timers' time does not.
  AppSend,      ///< The application sends a message.
  AppLogout,    ///< The application logs out.
  AppReset,     ///< The application resets the session.
  AppRefuse,    ///< The application refuses later Logons with this text; empty: accepts them.
  AppReject,    ///< The application rejects delivered messages: reason (380) and text; empty: no
                ///< longer.
  Delivered,    ///< The next message delivered to the application.
  Undelivered,  ///< No further message was delivered.
  Event,        ///< The log has an event with this text, after those examined.
  Numbers,      ///< The next outgoing and the next expected number.
  Kill,         ///< The engine ends like a killed process, and restarts.
  Secret,       ///< This text is in no event and in no file of the journal.
};

struct Step {
  int line = 0;
  Verb verb = Verb::Open;
  char peer = 'A';
  std::string text;          ///< Fields, bytes or text.
  std::int64_t ns = 0;       ///< For Wait, Quiet and Clock.
  std::uint64_t first = 0;   ///< For Next and Numbers.
  std::uint64_t second = 0;  ///< For Numbers.
};

struct Scenario {
  std::string id;     ///< Number in the standard's list, or our own name: "2b", "X-poison".
  std::string title;  ///< One sentence.
  std::string file;
  int line = 0;
  std::vector<Role> roles;
  std::vector<const Version*> versions;
  std::vector<std::pair<std::string, std::string>> settings;  ///< Session keys of the engine.
  bool dictionary = false;  ///< The session validates messages with the version's dictionary.
  bool plain = true;        ///< Needs only a connection: usable with any acceptor.
  std::vector<Step> steps;
};

/// Parses a script. The error has every problem, a line each.
[[nodiscard]] std::expected<std::vector<Scenario>, std::string> parse_script(
    std::string_view text, const std::string& file);

[[nodiscard]] std::expected<std::vector<Scenario>, std::string> read_script(
    const std::string& file);

}  // namespace affix::conformance
