// SPDX-License-Identifier: MIT
// Scenarios as data, read from a text file. docs/reference/certify.md describes the language.
#pragma once

#include "certify/version.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::certify {

/// Role of the engine under test.
enum class Role : std::uint8_t { Acceptor, Initiator };

[[nodiscard]] std::string_view to_text(Role role) noexcept;

/// Action of a step.
enum class Verb : std::uint8_t {
  // A connection of a peer.
  Connect,     ///< The connection is established, by either side.
  Logon,       ///< Connect and exchange Logons.
  Logout,      ///< Exchange Logouts; the connection ends.
  Send,        ///< Sends the peer's message, completed with header and trailer.
  Raw,         ///< Sends the peer's bytes unchanged.
  Again,       ///< Sends the bytes that the peer sent last once more.
  Expect,      ///< The engine's next message.
  Find,        ///< A message of the engine; others before it are ignored.
  Closed,      ///< The engine has ended the connection.
  Open,        ///< The engine has not ended the connection.
  Quiet,       ///< For this time no message arrives and the connection stays.
  Rest,        ///< Remaining messages are ignored.
  Disconnect,  ///< The peer ends the connection.
  Drop,        ///< The peer's connection is reset, as if the machine was lost.
  Restart,     ///< Drop, and the peer begins anew: with its memory, or without.
  Next,        ///< Sets the number of the peer's next message.
  Skip,        ///< Leaves out numbers: the engine sees a gap.
  Reading,     ///< The peer stops reading, or goes on.
  // Time and values.
  Wait,     ///< Time passes.
  Timer,    ///< A timer begins.
  Elapsed,  ///< The timer has run for between `ns` and `ns_max`.
  Let,      ///< A variable gets a value.
  Check,    ///< Two values compare as stated.
  // Blocks.
  Repeat,    ///< `body`, `first` times.
  For,       ///< `body`, once for each of `values`.
  AnyOrder,  ///< The expectations of `body`, in any order.
  // The engine's process.
  Kill,  ///< The engine ends like a killed process, and restarts: with its memory, or without.
  // Actions of an engine of this process alone.
  Clock,      ///< The wall clock steps; timers' time does not.
  AppSend,    ///< The application sends a message.
  AppLogout,  ///< The application logs out.
  AppReset,   ///< The application resets the session.
  AppRefuse,  ///< The application refuses later Logons with this text; empty: accepts them.
  AppReject,  ///< The application rejects delivered messages: reason (380) and text; empty: no
              ///< longer.
  // Views of an engine of this process, omitted with others.
  Delivered,    ///< The next message delivered to the application.
  Undelivered,  ///< No further message was delivered.
  Event,        ///< The log has an event with this text, after those examined.
  Numbers,      ///< The next outgoing and the next expected number.
  Secret,       ///< This text is in no event and in no file of the journal.
};

/// Fault of one message that a peer sends.
enum class SendFault : std::uint8_t {
  None,
  Checksum,  ///< CheckSum (10) is one too large.
  Length,    ///< BodyLength (9) is one too small.
  Group,     ///< The first group's counter is one too large.
  Twice,     ///< The bytes are sent twice.
  Halves,    ///< The second half follows after a pause of `Step::ns`.
};

struct Step {
  int line = 0;
  Verb verb = Verb::Open;
  std::string peer = "A";
  std::string source{};                    ///< The line, for reports.
  std::string text{};                      ///< Fields, bytes or text; a variable's or timer's name.
  std::int64_t ns = 0;                     ///< For Wait, Quiet, Clock, Elapsed and Halves.
  std::int64_t ns_max = 0;                 ///< For Elapsed.
  std::uint64_t first = 0;                 ///< For Next, Skip, Numbers and Repeat.
  std::uint64_t second = 0;                ///< For Numbers.
  std::int64_t within_ns = 0;              ///< Of an expectation; 0: the run's patience.
  bool optional = false;                   ///< An engine of another process need not send it.
  SendFault fault = SendFault::None;       ///< Of a Send.
  std::vector<const Version*> versions{};  ///< Empty: in all of the scenario.
  std::vector<std::string> values{};       ///< For For, and the value of Let, the sides of Check.
  std::vector<Step> body{};                ///< Of a block.
};

/// A further counterparty of the engine under test.
struct PeerForm {
  std::string name;
  std::string us{};    ///< Its CompID; empty: that of the first peer.
  std::string them{};  ///< The engine's CompID; empty: the same.
};

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Scenario {
  std::string id;     ///< Number in the standard's list, or our own name: "2b", "X-poison".
  std::string title;  ///< One sentence.
  std::string file;
  int line = 0;
  std::vector<Role> roles;
  std::vector<const Version*> versions;
  Settings settings;        ///< Session keys of the engine.
  Settings variables;       ///< Defaults, of file and scenario.
  bool dictionary = false;  ///< The session validates messages with the version's dictionary.
  bool plain = true;        ///< Does nothing inside the engine: usable with any.
  std::int64_t longest_wait_ns = 0;
  /// The peers keep their sessions themselves: they answer TestRequests and ResendRequests and send
  /// Heartbeats. Otherwise every session message is the scenario's.
  bool application = false;
  bool memory = false;        ///< The engine has to keep its numbers between connections.
  bool alone = false;         ///< Other sessions must be still meanwhile.
  bool kills = false;         ///< The engine is killed, and keeps its memory.
  bool kills_memory = false;  ///< The engine is killed, and loses its memory.
  /// The engine under test sends application messages back: they are examined, too.
  bool echo = false;
  std::vector<PeerForm> peers;  ///< All but A.
  std::vector<Step> steps;
};

/// Maximum depth of blocks.
inline constexpr std::size_t block_depth_max = 8;

/// Parses a file. The error has every problem, a line each.
[[nodiscard]] std::expected<std::vector<Scenario>, std::string> parse_scenarios(
    std::string_view text, const std::string& file);

[[nodiscard]] std::expected<std::vector<Scenario>, std::string> read_scenarios(
    const std::string& file);

}  // namespace affix::inline v0::certify
