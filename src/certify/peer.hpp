// SPDX-License-Identifier: MIT
// One counterparty of the engine under test: its connection, its numbers, and messages that no step
// has examined yet. In application scenarios it keeps its session itself.
#pragma once

#include "affix/wire/framer.hpp"

#include "certify/message_text.hpp"
#include "certify/stage.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::certify {

/// Receives every message of a peer, for the trace.
class MessageTrace {
 public:
  MessageTrace(const MessageTrace&) = delete;
  MessageTrace& operator=(const MessageTrace&) = delete;
  virtual ~MessageTrace() = default;

  virtual void on_message(bool sent, const std::string& peer, std::string_view bytes) = 0;

 protected:
  MessageTrace() = default;
};

/// Behaviour of all peers of a play.
struct PeerRules {
  const Version* version = nullptr;
  Fragments fragments;
  bool resets_by_logon =
      false;  ///< Logons have 141=Y until one is answered, unless the scenario says otherwise.
  bool answers_reset = false;  ///< The same only if the engine's Logon has it.
  bool keeps_session = false;  ///< An application scenario.
  bool only_session = false;   ///< Application messages are not the scenario's matter.
};

class Peer {
 public:
  Peer(std::string name, Identity identity, const PeerRules& rules, Stage& stage,
       MessageTrace& trace, std::set<std::string>& answered)
      : name_(std::move(name)),
        identity_(std::move(identity)),
        rules_(rules),
        stage_(stage),
        trace_(trace),
        answered_(answered) {}

  [[nodiscard]] const Identity& identity() const noexcept { return identity_; }

  [[nodiscard]] bool connected() const noexcept { return line_ != nullptr; }

  /// True if the engine has ended the connection and every message was read.
  [[nodiscard]] bool ended() { return line_ != nullptr && reading_ && line_->ended(); }

  /// A new connection in place of the present one. False: it cannot be had.
  [[nodiscard]] bool connect();
  void disconnect();
  void drop();

  /// Begins at number 1 and knows no earlier messages.
  void forget();

  /// Sends a message of the scenario. Numbers advance if it has the next one.
  void send(std::vector<Piece> pieces, const Meaning& meaning, SendFault fault,
            std::int64_t pause_ns);
  void send_raw(std::string_view bytes);

  void send_again() { write(last_sent_); }

  /// Splits received bytes into messages, and answers those that the peer answers itself.
  void read();

  /// False: received bytes stay in the connection.
  void set_reading(bool on) noexcept { reading_ = on; }

  void set_next(std::uint64_t number) noexcept { next_ = number; }

  void skip(std::uint64_t count) noexcept { next_ += count; }

  /// Asks for what is missing before the number of the engine's Logon; then Heartbeats begin.
  void begin_session(std::string_view engine_logon);

  [[nodiscard]] std::deque<std::string>& messages() noexcept { return messages_; }

  /// The message that the scenario sent last.
  [[nodiscard]] std::string_view last_sent() const noexcept { return last_sent_; }

  /// A fault of the session as the peer itself sees it; empty: none.
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

 private:
  [[nodiscard]] Meaning meaning() const {
    return {.version = rules_.version, .identity = identity_, .utc_ns = stage_.utc_ns()};
  }

  void write(std::string_view bytes);
  void write_own(std::vector<Piece> pieces);
  void keep_alive();
  void take(std::string message);
  void take_in_session(std::string message);
  [[nodiscard]] bool in_order(std::string_view message, std::string_view type);
  void resend(std::string_view request);
  void check_number(std::string_view message, std::string_view type);
  void note_logon(std::string_view message, std::string_view type);
  void note(const std::string& fault);

  std::string name_;
  Identity identity_;
  PeerRules rules_;
  Stage& stage_;
  MessageTrace& trace_;
  std::set<std::string>& answered_;  ///< CompIDs of peers whose Logon the engine answered.
  std::unique_ptr<Line> line_;
  affix::wire::Framer framer_;
  std::string partial_;
  std::deque<std::string> messages_;
  std::uint64_t next_ = 1;      ///< Of the next message to send.
  std::uint64_t expected_ = 1;  ///< Of the engine's next message.
  bool awaits_resend_ = false;
  bool reading_ = true;
  std::map<std::uint64_t, std::string> sent_;  ///< By number, for resends.
  std::string last_sent_;
  bool engine_reset_ = false;      ///< The engine's last Logon has 141=Y.
  std::int64_t heartbeat_ns_ = 0;  ///< 0: no session.
  std::int64_t sent_at_ns_ = 0;
  std::uint64_t last_number_ = 0;  ///< Of the engine's last message on this connection.
  std::string fault_;
};

}  // namespace affix::inline v0::certify
