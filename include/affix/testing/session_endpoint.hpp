// SPDX-License-Identifier: MIT
// A session in memory with everything that an engine provides: outbox, store of sent messages,
// replay, records of deliveries and reports. Carries out actions as an engine must. Allocates; for
// tests only.
#pragma once

#include "affix/session.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

class MessageInput;
class RecordedNumbers;
class SessionOnHeap;
class StoredReplay;

/// One side of a connection, without sockets, files or threads: carries out the actions of one
/// session::Session and records them. One thread.
class SessionEndpoint {
 public:
  /// A message that the session delivered.
  struct Delivered {
    std::uint64_t sequence = 0;       ///< MsgSeqNum (34).
    std::string bytes;                ///< The whole message, a copy.
    bool admin = false;               ///< It is a session message.
    bool possible_duplicate = false;  ///< PossDupFlag (43) is Y.
    bool possible_resend = false;     ///< PossResend (97) is Y.
    bool released = false;            ///< It was held until a gap closed.
  };

  /// The journal record of a received message.
  struct Received {
    std::uint64_t sequence = 0;        ///< MsgSeqNum (34).
    std::uint64_t expected_after = 0;  ///< Expected number after it.
    std::string bytes;                 ///< The whole message, a copy.
  };

  /// An event that the session reported; session::Event defines the numbers.
  struct Reported {
    session::Event event = session::Event::LoggedOn;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::string text;
  };

  /// The application's answer to a Logon.
  enum class LogonAnswer : std::uint8_t { Accept, Refuse, Later };

  explicit SessionEndpoint(const session::SessionOptions& options,
                           std::size_t outbox_bytes = 1 << 20);
  ~SessionEndpoint();

  // Set by the test, at any time.
  LogonAnswer logon_answer = LogonAnswer::Accept;
  std::string refusal_text = "not today";
  std::uint32_t replay_page = 16;  ///< Stored messages passed per turn.
  std::function<void(SessionEndpoint&, const session::Deliver&)> on_deliver;
  std::function<bool(std::string_view stored)> resend_veto;  ///< True: not resent.

  // Recorded events.
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

  [[nodiscard]] session::Session& session() noexcept;
  [[nodiscard]] const session::SessionState& state() const noexcept;
  [[nodiscard]] session::Phase phase() const noexcept;
  [[nodiscard]] session::Out& out() noexcept;

  /// Current time for all calls below.
  base::Now now;

  void connect();
  void disconnect();

  /// Receives bytes, split in any way; frames, indexes and handles all of them.
  void receive(std::string_view bytes);
  void tick();

  /// Passes one page of the current replay, as an engine does between live messages. False: no
  /// replay is in progress.
  bool replay_some();

  void accept_logon();
  void refuse_logon(std::string_view text);

  /// Sends an application message. The body is `|`-separated fields.
  session::SendResult send(std::string_view type, std::string_view fields);
  void logout(std::string_view text = {});

  /// Takes all bytes out of the outbox.
  [[nodiscard]] std::string take_output();

  /// Carries out all actions and releases held messages. All functions above call it; call it after
  /// your own calls of session().
  void carry_out();

  /// The two numbers according to the records, as a journal would return them.
  [[nodiscard]] std::uint64_t recorded_outgoing() const noexcept;
  [[nodiscard]] std::uint64_t recorded_expected() const noexcept;

  /// Starts a new process with the same journal: only the records survive.
  void restart();

  [[nodiscard]] bool reported(session::Event event) const;
  [[nodiscard]] std::size_t report_count(session::Event event) const;

 private:
  void carry_out_one(const session::Action& action);
  /// False: the session takes it later, in a tick when it is no longer throttled.
  [[nodiscard]] bool handle(const wire::MessageView& message);

  std::unique_ptr<SessionOnHeap> heap_;
  std::unique_ptr<MessageInput> input_;
  std::unique_ptr<StoredReplay> replay_;
  std::unique_ptr<RecordedNumbers> numbers_;
};

}  // namespace affix::inline v0::testing
