// SPDX-License-Identifier: MIT
// A session's fast path for ordinary messages has the same effect as the rules: for any message, a
// session that has seen a similar one and a session that has not, with the same state, give the
// same actions, bytes and state.

#include "affix/session.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/wire/index.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace affix {

namespace {

using session::ActionKind;
using session::SessionOptions;

constexpr std::int64_t start_ns = 1'767'205'296'457'000'000;
constexpr std::int64_t limit_ns = 10 * base::ns_per_second;

/// Validates by the first letter of 58: W warns, R rejects, B rejects at the business level.
session::Validation judge(const void* /*context*/, const wire::MessageView& message) noexcept {
  const std::string_view text = message.find(58).value_or("");
  switch (text.empty() ? 'P' : text[0]) {
    case 'W':
      return {session::Verdict::Warn, 5, 58, true, "doubtful"};
    case 'R':
      return {session::Verdict::Reject, 5, 58, true, ""};
    case 'B':
      return {session::Verdict::RejectBusiness, 3, 0, false, ""};
    default:
      return {};
  }
}

std::string describe(const session::Action& action) {
  const auto number = [](auto value) { return std::to_string(value) + " "; };
  switch (action.kind) {
    case ActionKind::PersistSent:
      return "sent " + number(action.persist_sent.sequence) +
             std::string(action.persist_sent.bytes) + number(action.persist_sent.has_secret);
    case ActionKind::PersistReceived:
      return "received " + number(action.persist_received.sequence) +
             number(action.persist_received.expected_after) +
             std::string(action.persist_received.bytes) +
             number(action.persist_received.deliver_follows) +
             number(action.persist_received.has_secret);
    case ActionKind::PersistHeld:
      return "held " + number(action.persist_held.sequence) +
             std::string(action.persist_held.bytes);
    case ActionKind::PersistResent:
      return "resent " + number(action.persist_resent.from) + number(action.persist_resent.to);
    case ActionKind::PersistEvent:
      return "event " + number(action.persist_event.next_outgoing) +
             number(action.persist_event.next_expected) +
             number(static_cast<int>(action.persist_event.why));
    case ActionKind::Deliver:
      return "deliver " + number(action.deliver.sequence) +
             std::string(action.deliver.message.bytes()) + number(action.deliver.admin) +
             number(action.deliver.possible_duplicate) + number(action.deliver.possible_resend) +
             number(action.deliver.released);
    case ActionKind::LogonRequested:
      return "logon requested";
    case ActionKind::Replay:
      return "replay " + number(action.replay.from) + number(action.replay.to);
    case ActionKind::Disconnect:
      return "disconnect " + number(static_cast<int>(action.disconnect.reason));
    case ActionKind::Report:
      return "report " + number(static_cast<int>(action.report.event)) +
             number(action.report.first) + number(action.report.second) +
             std::string(action.report.text);
  }
  return "?";
}

/// A session and its caller's state.
class Side {
 public:
  Side(const SessionOptions& options, const session::SessionState& state)
      : state_(state), session_(options, state_, memory_->memory()) {}

  explicit Side(const SessionOptions& options) : Side(options, {}) {}

  void connect() { session_.on_connected(now(start_ns), out_); }

  /// All effects of the message, as text.
  std::string take(std::string_view bytes, std::int64_t utc_ns) {
    wire::index_message(bytes, index_);
    std::string result =
        std::to_string(static_cast<int>(session_.on_message({bytes, index_}, now(utc_ns), out_)));
    while (const session::Action* action = out_.next_action()) {
      result += "\n" + describe(*action);
      if (action->kind == ActionKind::LogonRequested) {
        static_cast<void>(session_.accept_logon(now(utc_ns), out_));
      }
    }
    result += "\n" + std::string(out_.bytes());
    out_.sent(out_.bytes().size());
    return result;
  }

  [[nodiscard]] const session::SessionState& state() const { return state_; }

 private:
  static base::Now now(std::int64_t utc_ns) { return {utc_ns - start_ns + 1, utc_ns}; }

  session::SessionState state_;
  std::unique_ptr<session::SessionMemoryOf<>> memory_ =
      std::make_unique<session::SessionMemoryOf<>>();
  std::vector<char> outbox_ = std::vector<char>(64 * 1024);
  std::vector<session::Action> actions_ = std::vector<session::Action>(64);
  session::Out out_{outbox_, actions_};
  session::Session session_;
  wire::FieldIndexOf<256> index_;
};

class Scene {
 public:
  explicit Scene(std::uint32_t seed) : dice_(seed) {
    options_.role = session::Role::Acceptor;
    options_.begin_string = pick({"FIX.4.0", "FIX.4.2", "FIX.4.4", "FIXT.1.1"});
    options_.sender_comp_id =
        pick({"US", "EXCHANGE", "FIFTEEN-LETTERS", "SIXTEEN--LETTERS", "A-VERY-LONG-COMP-ID-INDEED",
              "FORTY-LETTERS-ARE-MORE-THAN-ANYBODY-NEEDS"});
    options_.target_comp_id = "THEM";
    options_.message_age_max_ns = pick({limit_ns, limit_ns, std::int64_t{0}});
    if (options_.begin_string == "FIXT.1.1") {
      options_.default_appl_ver_id = "9";
    }
    if (one_in(3)) {
      options_.target_sub_id = "DESK";
      options_.sender_location_id = "ROOM";
    }
    if (one_in(2)) {
      options_.validator = {&judge, nullptr};
    }
    if (one_in(6)) {
      options_.validation_place = session::ValidationPlace::BeforeNumber;
    }
    if (one_in(6)) {
      options_.deliver_to_comp_id = "BACK";
    }
  }

  /// Difference, or "".
  std::string run() {
    Side knowing(options_);
    knowing.connect();
    knowing.take(logon(), start_ns);
    RC_ASSERT(knowing.state().phase == session::Phase::Active);
    const bool has_text = one_in(2);
    extra_ = pick({"", "", "115=X|", "128=BACK|", "97=N|", "97=Y|", "43=N|"});
    for (std::uint64_t sequence = 2; sequence < 5; ++sequence) {
      knowing.take(order(sequence, has_text ? "58=P|" : "", start_ns), start_ns);
    }
    for (int step = 0; step < 6; ++step) {
      const std::string message =
          testing::make_message(changed(knowing.state().next_expected, has_text));
      const std::int64_t at = start_ns + away_ms() * base::ns_per_ms;
      Side fresh(options_, knowing.state());
      const std::string expected = fresh.take(message, at);
      const std::string found = knowing.take(message, at);
      if (expected != found || !(fresh.state() == knowing.state())) {
        return testing::readable(message + "\n-- by the rules:\n" + expected + "\n-- at once:\n" +
                                 found);
      }
      if (knowing.state().phase != session::Phase::Active || knowing.state().gap.highest != 0) {
        break;  // Nothing is ordinary from here on, and only one of the two holds messages.
      }
    }
    return {};
  }

 private:
  bool one_in(std::uint32_t count) { return dice_() % count == 0; }

  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[dice_() % values.size()];
  }

  /// The text has static storage.
  std::string_view pick(std::initializer_list<const char*> values) {
    return values.begin()[dice_() % values.size()];
  }

  /// Difference of the clocks, usually near the limit.
  std::int64_t away_ms() {
    const auto near_limit = static_cast<std::int64_t>(dice_() % 3'000) + 8'500;
    return one_in(2) ? pick({0, 1, 999, 2'000}) : one_in(2) ? near_limit : -near_limit;
  }

  [[nodiscard]] std::string header(const std::string& begin_string, const std::string& type,
                                   const std::string& sequence, const std::string& sender,
                                   const std::string& target, const std::string& time) const {
    std::string fields = "8=" + begin_string + "|35=" + type + "|49=" + sender + "|56=" + target +
                         "|34=" + sequence + "|";
    if (!options_.target_sub_id.empty()) {
      fields += "50=DESK|143=ROOM|";
    }
    return fields + extra_ + (time.empty() ? "" : "52=" + time + "|");
  }

  std::string logon() {
    extra_.clear();
    return testing::make_message(
        header(std::string(options_.begin_string), "A", "1", "THEM",
               std::string(options_.sender_comp_id), testing::time_text(start_ns)) +
        "98=0|108=30|" + (options_.default_appl_ver_id.empty() ? "" : "1137=9|"));
  }

  std::string order(std::uint64_t sequence, const std::string& text, std::int64_t utc_ns) {
    return testing::make_message(
        header(std::string(options_.begin_string), "D", std::to_string(sequence), "THEM",
               std::string(options_.sender_comp_id), testing::time_text(utc_ns)) +
        "11=ID|55=X|54=1|" + text);
  }

  /// Usually correct in each part.
  template <typename Make>
  std::string mostly(const std::string& right, Make other) {
    return one_in(8) ? std::string(other()) : right;
  }

  /// Another text with the same beginning or the same length.
  std::string nearly(std::string_view text) {
    std::string other(text);
    const std::size_t at = dice_() % other.size();
    switch (dice_() % 4) {
      case 0:
        return other.substr(0, at) + (at == 0 ? "X" : "");
      case 1:
        return other + "X";
      case 2:
        other[at] = '?';
        return other;
      default:
        return "THEM";
    }
  }

  std::string changed(std::uint64_t expected, bool has_text) {
    const std::string time = testing::time_text(start_ns);
    const std::string seconds = time.substr(0, 17);
    const std::string begin = mostly(std::string(options_.begin_string),
                                     [&] { return pick({"FIX.4.1", "FIX.4.9", "X"}); });
    const std::string type = mostly("D", [&] {
      return pick({"8", "0", "1", "3", "5", "A", "BE", "AE", "4", "2", "ABC", "n"});
    });
    const std::string sequence = mostly(std::to_string(expected), [&] {
      return pick({"1", "3", "99", "0", "-1", "x", "05", "99999999999", "99999999999999999999"});
    });
    const std::string sender =
        mostly("THEM", [&] { return pick({"THEN", "THEMM", "THE", "them", "US"}); });
    const std::string target = mostly(std::string(options_.sender_comp_id),
                                      [&] { return nearly(options_.sender_comp_id); });
    const std::string sent =
        one_in(3) ? time
                  : seconds + std::string(pick({"", ".1", ".123", ".123456", ".123456789",
                                                ".12345678", ".123456789012", ".12x", ".x23",
                                                "x123", ".12345x", ".123456x89", ".1234567890123",
                                                ".x23456789", ".", " ", ".x23456"}));
    const std::string when = mostly(sent, [&] {
      return pick({"20251231-18:21:40", "20251231-18:21:26.457", "20251231-18:21:46.4", "",
                   "20251231-18:21:66", "20251332-18:21:36", "20251231-18:21:37.000", "yesterday"});
    });
    std::string fields = header(begin, type, sequence, sender, target, when);
    fields += one_in(12) ? std::string(pick({"43=Y|", "97=Y|", "43=Y|122=20251231-18:21:30|",
                                             "43=N|", "52=x|", "49=THEM|", "115=Y|", "128=Z|"}))
                         : std::string();
    fields += "11=" + mostly("ID", [&] { return pick({"", "OTHER", "A=B"}); }) + "|55=X|54=1|";
    if (has_text) {
      fields += "58=" + mostly("P", [&] { return pick({"W", "R", "B", ""}); }) + "|";
    }
    return fields;
  }

  std::mt19937 dice_;
  SessionOptions options_;
  std::string extra_;
};

RC_GTEST_PROP(SessionOrdinary, AMessageThatIsRecognisedHasTheEffectOfTheRules,
              (std::uint32_t seed)) {
  for (std::uint32_t each = 0; each < 60; ++each) {
    const std::string difference = Scene(seed + each).run();
    RC_ASSERT(difference == std::string());
  }
}

}  // namespace

}  // namespace affix
