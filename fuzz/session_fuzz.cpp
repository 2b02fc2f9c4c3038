// SPDX-License-Identifier: MIT
// Sequences of messages, time steps and commands into a session, in both roles. The input is a
// program: each byte an operation, followed by its arguments. Checks at every step: numbers, order
// of delivery, form of sent messages.

#include "affix/testing/manual_clock.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/testing/scripted_peer.hpp"
#include "affix/testing/session_endpoint.hpp"

#include "program_input.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using affix::session::Phase;
using affix::session::SessionOptions;
using affix::testing::ManualClock;
using affix::testing::ScriptedPeer;
using affix::testing::SessionEndpoint;
using affix_fuzz::Input;
using affix_fuzz::require;

constexpr std::array<std::string_view, 6> versions{"FIX.4.0", "FIX.4.1", "FIX.4.2",
                                                   "FIX.4.3", "FIX.4.4", "FIXT.1.1"};
constexpr std::array<std::string_view, 10> types{"A", "0", "1", "2", "3", "4", "5", "D", "8", "AE"};
constexpr std::array<std::string_view, 24> bodies{"",
                                                  "98=0|108=30|1137=9",
                                                  "98=0|108=30|141=Y|1137=9",
                                                  "98=0|108=30|789=1|1137=9",
                                                  "98=0|108=0|1137=9",
                                                  "112=x",
                                                  "7=1|16=0",
                                                  "7=2|16=4",
                                                  "7=0|16=0",
                                                  "7=5|16=2",
                                                  "123=Y|36=2",
                                                  "123=Y|36=9",
                                                  "123=Y|36=3",
                                                  "36=20",
                                                  "36=1",
                                                  "58=text",
                                                  "11=1|55=X",
                                                  "11=|55=X",
                                                  "11=1|oops|55=X",
                                                  "0=1",
                                                  "43=Y|34=1",
                                                  "45=2|58=no",
                                                  "98=0|108=30|554=pw|95=3|96=a|b|1137=9",
                                                  "36=9223372036854775807"};

/// Some of the fields that it adds can be encoded.
void add_fields(void* /*context*/, std::string_view type, affix::wire::Encoder& message) noexcept {
  message.text(9001, type);
  if (type == "5") {
    message.text(9002, "");
  }
}

SessionOptions make_options(Input& input) {
  namespace session = affix::session;
  SessionOptions options;
  options.role = input.below(2) == 0 ? session::Role::Acceptor : session::Role::Initiator;
  options.begin_string = versions[input.below(versions.size())];
  options.sender_comp_id = "US";
  options.target_comp_id = "THEM";
  options.default_appl_ver_id = "9";
  const std::uint8_t bits = input.next();
  options.reset_on_logon = (bits & 1U) != 0;
  options.reset_on_logout = (bits & 2U) != 0;
  options.reset_on_disconnect = (bits & 4U) != 0;
  options.include_next_expected = (bits & 8U) != 0;
  options.include_last_processed = (bits & 16U) != 0;
  options.resend_end = (bits & 32U) != 0 ? session::ResendEnd::Gap : session::ResendEnd::Infinity;
  options.resend_answer =
      (bits & 64U) != 0 ? session::ResendAnswer::GapFill : session::ResendAnswer::Replay;
  options.fault_logout =
      (bits & 128U) != 0 ? session::FaultLogout::CloseAtOnce : session::FaultLogout::AwaitAnswer;
  options.resend_range_max = input.below(6);
  const std::uint8_t more = input.next();
  options.skipped_in_resend =
      (more & 1U) != 0 ? session::SkippedInResend::AwaitExpiry : session::SkippedInResend::AskAgain;
  options.reset_start =
      (more & 2U) != 0 ? session::ResetStart::InSync : session::ResetStart::AtOnce;
  options.mid_session_reset =
      (more & 4U) != 0 ? session::MidSessionReset::AcceptInSync : session::MidSessionReset::Accept;
  options.resend_repeats_max = (more & 8U) != 0 ? 2 : 0;
  options.practice.repeated_resend_request = (more & 16U) != 0
                                                 ? session::RepeatedResendRequest::Discarded
                                                 : session::RepeatedResendRequest::Judged;
  if ((more & 32U) != 0) {
    options.resend_policy = {session::ResendAction::ReplayIfYounger,
                             10 * affix::base::ns_per_second};
  }
  if ((more & 64U) != 0) {
    options.admin_fields = {&add_fields, nullptr};
  }
  if ((more & 128U) != 0) {
    options.send_while_down = session::SendWhileDown::Queue;
    options.queued_max = 7;
  }
  return options;
}

class Program {
 public:
  Program(const SessionOptions& options, Input& input)
      : input_(input), endpoint_(options, 256 * 1024), peer_(endpoint_, clock_), options_(options) {
    endpoint_.on_deliver = [](SessionEndpoint& endpoint, const affix::session::Deliver& deliver) {
      require(deliver.sequence > 0 && deliver.sequence < endpoint.state().next_expected);
      if (deliver.sequence % 3 == 0) {
        static_cast<void>(endpoint.send("8", "37=1"));
      }
    };
  }

  void run() {
    constexpr int operations_max = 400;
    for (int count = 0; count < operations_max && !input_.empty(); ++count) {
      endpoint_.now = clock_.now();
      step();
      check();
    }
    if (endpoint_.phase() != Phase::Disconnected) {
      endpoint_.disconnect();
    }
    require(endpoint_.phase() == Phase::Disconnected);
    check();
  }

 private:
  void step() {
    if (endpoint_.phase() == Phase::Disconnected) {
      peer_.next_sequence = endpoint_.state().next_expected;
      endpoint_.connect();
    }
    switch (input_.below(13)) {
      case 0:
      case 1:
      case 2:
      case 3:
        endpoint_.receive(next_message());
        break;
      case 4:
        endpoint_.receive(input_.take(input_.next()));
        break;
      case 5:
        clock_.advance(std::int64_t{input_.next()} * affix::base::ns_per_second / 4);
        endpoint_.now = clock_.now();
        endpoint_.tick();
        break;
      case 6:
        static_cast<void>(endpoint_.send(types[input_.below(types.size())],
                                         "11=1|58=fields as an encoder writes them"));
        break;
      case 7:
        command();
        break;
      case 8:
        clock_.step_utc((std::int64_t{input_.next()} - 128) * affix::base::ns_per_second);
        break;
      case 9:
        static_cast<void>(endpoint_.replay_some());
        break;
      case 10:
        answer_logon();
        break;
      case 11:
        endpoint_.disconnect();
        break;
      default:
        // The process dies, and its successor has the records.
        endpoint_.restart();
        break;
    }
  }

  std::string next_message() {
    const std::string_view type = types[input_.below(types.size())];
    const std::string_view body = bodies[input_.below(bodies.size())];
    const std::uint8_t how = input_.next();
    ScriptedPeer::Header header;
    header.sequence = endpoint_.state().next_expected;
    switch (how % 8) {
      case 0:
        header.sequence += 1 + how / 64;
        break;
      case 1:
        header.sequence -= header.sequence > 1 ? 1 : 0;
        break;
      default:
        break;
    }
    header.possible_duplicate = how % 16 >= 12;
    if (how % 32 >= 26) {
      header.extra = "122=" + affix::testing::time_text(clock_.now().utc_ns);
    }
    if (how == 200) {
      header.sender = "OTHER";
    }
    if (how == 201) {
      header.begin_string = "FIX.9.9";
    }
    if (how == 202) {
      header.sending_time = "20010101-00:00:00";
    }
    return peer_.message(type, body, header);
  }

  void command() {
    switch (input_.below(6)) {
      case 0:
        endpoint_.logout("bye");
        break;
      case 1:
        static_cast<void>(endpoint_.session().reset(clock_.now(), endpoint_.out()));
        break;
      case 2:
        static_cast<void>(endpoint_.session().test_peer(clock_.now(), endpoint_.out()));
        break;
      case 3:
        static_cast<void>(endpoint_.session().send_sequence_reset(
            endpoint_.state().next_outgoing + 5, clock_.now(), endpoint_.out()));
        break;
      case 4:
        endpoint_.session().set_next_expected(1 + input_.next(), endpoint_.out());
        break;
      default:
        endpoint_.session().set_next_outgoing(endpoint_.state().next_outgoing + 1, endpoint_.out());
        break;
    }
    endpoint_.carry_out();
  }

  void answer_logon() {
    constexpr std::array<SessionEndpoint::LogonAnswer, 3> answers{
        SessionEndpoint::LogonAnswer::Accept, SessionEndpoint::LogonAnswer::Refuse,
        SessionEndpoint::LogonAnswer::Later};
    endpoint_.accept_logon();
    endpoint_.logon_answer = answers[input_.below(answers.size())];
  }

  /// Invariants after every step, whatever the peer does.
  void check() {
    const affix::session::SessionState& state = endpoint_.state();
    require(state.next_expected > 0 && state.next_outgoing > 0);
    require(!endpoint_.out().has_actions());
    require(!endpoint_.session().release_waits());
    if (endpoint_.disconnect_reason && state.phase != Phase::Disconnected) {
      require(state.phase == Phase::Closing);
    }
    for (const std::string& message : affix::testing::split_messages(endpoint_.take_output())) {
      affix::wire::index_message(message, index_);
      require(index_.clean());
      const affix::wire::MessageView view(message, index_);
      require(view.find(49) == options_.sender_comp_id && view.find(56) == options_.target_comp_id);
      require(view.integer(34).has_value() && view.utc_time(52).has_value());
    }
    // State that must survive a restart follows from the records alone.
    affix::session::SessionState restored;
    affix::session::restore(restored, endpoint_.recorded_outgoing(), endpoint_.recorded_expected());
    require(restored.next_outgoing == state.next_outgoing);
    require(restored.reset_open == state.reset_open);
    require(restored.reset_open || restored.next_expected == state.next_expected);
    if (!endpoint_.stored.empty()) {
      require(endpoint_.stored.rbegin()->first < state.next_outgoing);
    }
    const bool passwords = [&] {
      for (const auto& received : endpoint_.received) {
        if (received.bytes.find("\x01"
                                "35=A\x01") != std::string::npos &&
            received.bytes.find("554=pw") != std::string::npos) {
          return true;
        }
      }
      return false;
    }();
    require(!passwords);
    endpoint_.received.clear();
    endpoint_.reports.clear();
    endpoint_.delivered.clear();
    endpoint_.delivered_admin.clear();
    endpoint_.held.clear();
  }

  Input& input_;
  ManualClock clock_;
  SessionEndpoint endpoint_;
  ScriptedPeer peer_;
  SessionOptions options_;
  affix::wire::FieldIndexOf<256> index_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Input input(bytes, size);
  const SessionOptions options = make_options(input);
  Program program(options, input);
  program.run();
  return 0;
}
