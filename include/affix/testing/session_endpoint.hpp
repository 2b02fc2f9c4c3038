// SPDX-License-Identifier: MIT
// A session with everything an engine would put around it, in memory: outbox, store of sent
// messages, replay, records of what was delivered and reported. Carries out actions as an engine
// must. Allocates; for tests only.
#pragma once

#include "affix/session.hpp"
#include "affix/wire/framer.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

/// One side of a connection, without sockets, files or threads: carries out the actions of one
/// session::Session and records them. One thread.
class SessionEndpoint {
 public:
  /// A message that the session handed over.
  struct Delivered {
    std::uint64_t sequence = 0;       ///< MsgSeqNum (34).
    std::string bytes;                ///< All of it, a copy.
    bool admin = false;               ///< It is a session message.
    bool possible_duplicate = false;  ///< PossDupFlag (43) is Y.
    bool possible_resend = false;     ///< PossResend (97) is Y.
    bool released = false;            ///< It was held until a gap before it was closed.
  };

  /// A record that a journal would hold of a received message.
  struct Received {
    std::uint64_t sequence = 0;        ///< MsgSeqNum (34).
    std::uint64_t expected_after = 0;  ///< The next number that is expected behind it.
    std::string bytes;                 ///< All of it, a copy.
  };

  /// What the session reported; the numbers mean what session::Event says of them.
  struct Reported {
    session::Event event = session::Event::LoggedOn;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::string text;
  };

  /// How this side's application answers a Logon.
  enum class LogonAnswer : std::uint8_t { Accept, Refuse, Later };

  explicit SessionEndpoint(const session::SessionOptions& options,
                           std::size_t outbox_bytes = 1 << 20);

  // What a test sets before or meanwhile.
  LogonAnswer logon_answer = LogonAnswer::Accept;
  std::string refusal_text = "not today";
  std::uint32_t replay_page = 16;  ///< Stored messages fed per turn.
  std::function<void(SessionEndpoint&, const session::Deliver&)> on_deliver;
  std::function<bool(std::string_view stored)> resend_veto;  ///< True: leave it out.

  // What happened.
  std::vector<Delivered> delivered;  ///< Application messages.
  std::vector<Delivered> delivered_admin;
  std::vector<Received> received;  ///< PersistReceived.
  std::vector<Reported> reports;
  std::vector<session::PersistEvent> events;
  std::vector<session::PersistResent> resent;
  std::vector<std::uint64_t> held;
  std::map<std::uint64_t, std::string> stored;  ///< Sent, by number; emptied by a reset.
  std::optional<session::DisconnectReason> disconnect_reason;  ///< Of this connection.
  std::uint32_t logons_requested = 0;

  [[nodiscard]] session::Session& session() noexcept { return *session_; }

  [[nodiscard]] const session::SessionState& state() const noexcept { return state_; }

  [[nodiscard]] session::Phase phase() const noexcept { return state_.phase; }

  [[nodiscard]] session::Out& out() noexcept { return *out_; }

  /// The time of all calls below.
  base::Now now;

  void connect();
  void disconnect();

  /// Bytes from the connection, any split; frames, indexes and handles all of them.
  void receive(std::string_view bytes);
  void tick();

  /// One page of a replay under way, as an engine does it between live messages. False: none is
  /// under way.
  bool replay_some();

  void accept_logon();
  void refuse_logon(std::string_view text);

  /// An application message. The body is `|`-separated fields.
  session::SendResult send(std::string_view type, std::string_view fields);
  void logout(std::string_view text = {});

  /// What is in the outbox, which is then empty.
  [[nodiscard]] std::string take_output();

  /// Carries out all actions and releases what was held. Called by everything above; call it after
  /// calls of session() of your own.
  void carry_out();

  /// The two numbers as the records say them so far, which is what a journal would give back.
  [[nodiscard]] std::uint64_t recorded_outgoing() const noexcept { return recorded_outgoing_; }

  [[nodiscard]] std::uint64_t recorded_expected() const noexcept { return recorded_expected_; }

  /// A new process over the same journal: what was recorded survives, all else is new.
  void restart();

  [[nodiscard]] bool reported(session::Event event) const;
  [[nodiscard]] std::size_t report_count(session::Event event) const;

 private:
  void carry_out_one(const session::Action& action);
  void make_session();
  /// False: the session takes it later, when a tick finds it no longer throttled.
  [[nodiscard]] bool handle(std::string_view message);

  session::SessionOptions options_;
  session::SessionState state_;
  std::unique_ptr<session::SessionMemoryOf<>> memory_;
  std::vector<char> outbox_;
  std::vector<session::Action> actions_;
  std::optional<session::Out> out_;
  std::optional<session::Session> session_;
  wire::Framer framer_;
  std::string input_;
  std::unique_ptr<wire::FieldIndexOf<1024>> index_;
  std::unique_ptr<wire::FieldIndexOf<1024>> replay_index_;
  std::vector<std::int64_t> throttle_times_;
  std::uint64_t recorded_outgoing_ = 1;
  std::uint64_t recorded_expected_ = 1;
  std::vector<std::uint64_t> replay_queue_;  ///< Numbers still to be fed, descending.
};

}  // namespace affix::inline v0::testing
