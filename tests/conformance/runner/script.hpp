// SPDX-License-Identifier: MIT
// A conformance script: scenarios as data, read from a text file. docs/reference/conformance.md is
// the language's description.
#pragma once

#include "version.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::conformance {

/// What the engine under test is.
enum class Role : std::uint8_t { Acceptor, Initiator };

[[nodiscard]] std::string_view to_text(Role role) noexcept;

/// What a step does. All but the last group concern a connection, peer A's or B's.
enum class Verb : std::uint8_t {
  Connect,      ///< The connection stands, whoever makes it.
  Logon,        ///< Connect and exchange Logons.
  Send,         ///< A message of the peer's, header and trailer completed.
  Raw,          ///< Bytes of the peer's as they are.
  Expect,       ///< The next message of the engine's.
  Closed,       ///< The engine has ended the connection.
  Open,         ///< It has not.
  Quiet,        ///< For so long nothing comes and the connection stays.
  Rest,         ///< What came and was not looked at is no fault.
  Disconnect,   ///< The peer ends the connection.
  Next,         ///< The number of the peer's next message.
  Wait,         ///< Time passes.
  Clock,        ///< The wall clock steps; timers' time does not.
  AppSend,      ///< The application sends a message.
  AppLogout,    ///< The application logs out.
  AppReset,     ///< The application resets the session.
  AppRefuse,    ///< From here on the application refuses Logons with this text; empty: takes them.
  AppReject,    ///< It rejects what it is given: reason (380) and text; empty: no longer.
  Delivered,    ///< The next message that the application was given.
  Undelivered,  ///< It was given no more than what was looked at.
  Event,        ///< The log has an event with this text, after those looked at.
  Numbers,      ///< The numbers of the next message out and the next one in.
  Kill,         ///< The engine ends as if killed, and starts again.
  Secret,       ///< This text stands in no event and in no file of the journal.
};

struct Step {
  int line = 0;
  Verb verb = Verb::Open;
  char peer = 'A';
  std::string text;          ///< Fields, bytes or text.
  std::int64_t ns = 0;       ///< Of Wait, Quiet and Clock.
  std::uint64_t first = 0;   ///< Of Next and Numbers.
  std::uint64_t second = 0;  ///< Of Numbers.
};

struct Scenario {
  std::string id;     ///< Number in the standard's list, or a name of ours: "2b", "X-poison".
  std::string title;  ///< One sentence.
  std::string file;
  int line = 0;
  std::vector<Role> roles;
  std::vector<const Version*> versions;
  std::vector<std::pair<std::string, std::string>> settings;  ///< Session keys of the engine.
  bool dictionary = false;  ///< The session judges messages by the version's dictionary.
  bool plain = true;  ///< Needs nothing but a connection: any acceptor can be examined with it.
  std::vector<Step> steps;
};

/// Reads a script. The error is every problem, a line each.
[[nodiscard]] std::expected<std::vector<Scenario>, std::string> parse_script(
    std::string_view text, const std::string& file);

[[nodiscard]] std::expected<std::vector<Scenario>, std::string> read_script(
    const std::string& file);

}  // namespace affix::conformance
