// SPDX-License-Identifier: MIT
// A load session against a hand-written acceptor: numbers, resends in both directions, and faulty
// answers of an acceptor.
#include "bench/load/load_session.hpp"

#include "affix/wire/encoder.hpp"

#include "support/temporary_directory.hpp"

#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace affix::tools::bench {
namespace {

using Fields = std::initializer_list<std::pair<std::uint32_t, std::string>>;

class LoadSessionTest : public testing::Test {
 protected:
  static constexpr std::uint32_t window = 8;

  void make(LoadSessionOptions options = {}) {
    options.window = window;
    OrderShape shape = standard_order("FIX.4.4");
    shape.id_prefix = "T-";
    LoadIdentity identity{.begin_string = "FIX.4.4",
                          .sender_comp_id = "C",
                          .target_comp_id = "S",
                          .heartbeat_seconds = 10,
                          .precision = wire::TimePrecision::Millis};
    session_ =
        std::make_unique<LoadSession>(std::move(*LoadMessages::make(identity, shape)), options);
    scratch_.latencies = &latencies_;
  }

  /// Output since the last call, with `|` for SOH and without 8, 9, 10 and times.
  std::string written() {
    std::string text;
    wire::Framer framer;
    std::string_view rest = scratch_.out.bytes();
    while (!rest.empty()) {
      const wire::Frame frame = framer.next(rest);
      EXPECT_EQ(frame.status, wire::FrameStatus::Complete);
      wire::FieldIndexOf<64> index;
      wire::index_message(rest.substr(0, frame.size), index);
      EXPECT_TRUE(index.clean());
      for (const wire::Field field : wire::MessageView(rest.substr(0, frame.size), index)) {
        constexpr std::array shown{35U, 34U, 43U, 11U, 7U, 16U, 36U, 123U, 112U, 141U};
        if (std::find(shown.begin(), shown.end(), field.tag) != shown.end()) {
          text += std::to_string(field.tag) + "=" + std::string(field.value) + "|";
        }
      }
      text += " ";
      rest.remove_prefix(frame.size);
    }
    scratch_.out.clear();
    return text;
  }

  /// Receives a message from the acceptor.
  void receive(std::string_view type, std::uint64_t sequence, Fields fields = {}) {
    deliver(message(type, sequence, fields));
  }

  static std::string message(std::string_view type, std::uint64_t sequence, Fields fields) {
    std::array<char, 1024> buffer;
    wire::Encoder encoder(buffer);
    encoder.begin("FIX.4.4", type);
    encoder.integer(34, sequence);
    encoder.text(49, "S");
    encoder.text(56, "C");
    for (const auto& [tag, value] : fields) {
      encoder.raw(std::to_string(tag) + "=" + value + "\x01");
    }
    return std::string(encoder.finish().value_or(std::string_view()));
  }

  void deliver(std::string bytes) {
    const std::size_t size = bytes.size();
    bytes.resize(size + base::PaddedBytes::padding);
    const std::size_t done = session_->on_bytes(
        base::PaddedBytes(std::string_view(bytes).substr(0, size)), now_, scratch_);
    EXPECT_EQ(done, size);
  }

  void log_on(std::uint64_t sequence = 1, Fields fields = {}) {
    session_->on_connected(now_, scratch_);
    receive("A", sequence, fields);
    EXPECT_EQ(session_->phase(), LoadSession::Phase::Active);
    static_cast<void>(written());
  }

  void report(std::uint64_t sequence, const std::string& id, Fields = {}) {
    receive("8", sequence, {{11, id}});
  }

  void order() {
    ASSERT_GT(session_->room(), 0U);
    session_->write_order(now_.steady_ns, now_, scratch_);
  }

  const LoadCounters& counters() { return session_->counters(); }

  base::Now now_{.steady_ns = 5'000'000'000, .utc_ns = 1'767'268'800'000'000'000};
  LoadScratch scratch_;
  Latencies latencies_;
  std::unique_ptr<LoadSession> session_;
};

TEST_F(LoadSessionTest, LogsOnSendsAndMatchesTheAnswer) {
  make();
  session_->on_connected(now_, scratch_);
  EXPECT_EQ(written(), "35=A|34=1|141=Y| ");
  EXPECT_EQ(session_->room(), 0U);
  receive("A", 1, {{141, "Y"}});
  EXPECT_EQ(session_->room(), window);
  session_->write_order(now_.steady_ns - 500, now_, scratch_);
  EXPECT_EQ(written(), "35=D|34=2|11=T-0000000000| ");
  EXPECT_EQ(session_->outstanding(), 1U);
  now_.steady_ns += 1'000;
  report(2, "T-0000000000");
  EXPECT_EQ(session_->outstanding(), 0U);
  EXPECT_EQ(latencies_.service.max_ns(), 1'000);
  EXPECT_EQ(latencies_.response.max_ns(), 1'500);
  EXPECT_EQ(counters().faults(), 0U);
}

TEST_F(LoadSessionTest, AnEchoIsAnAnswer) {
  make();
  log_on();
  order();
  receive("D", 2, {{11, "T-0000000000"}});
  EXPECT_EQ(session_->outstanding(), 0U);
  EXPECT_EQ(counters().faults(), 0U);
}

TEST_F(LoadSessionTest, LogsTheTimesOfEachAnswerOnce) {
  make();
  AnswerLog answers;
  scratch_.answers = &answers;
  scratch_.session = 7;
  log_on();
  session_->write_order(now_.steady_ns - 500, now_, scratch_);
  now_.steady_ns += 1'000;
  report(2, "T-0000000000");
  report(3, "T-0000000000");
  const support::TemporaryDirectory directory;
  const std::string path = directory.path() + "/answers.csv";
  ASSERT_TRUE(answers.write(path));
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(),
            "event,session,due_ns,written_ns,answered_ns\n"
            "order,7,4999999500,5000000000,5000001000\n");
  EXPECT_EQ(answers.write(directory.path()).error().code, base::ErrorCode::Io);
}

// Several nodes: the session leaves one that is silent while an order waits.
TEST_F(LoadSessionTest, SilenceCountsFromTheWaitingOrderAndFromTheLastMessage) {
  make();
  log_on();
  now_.steady_ns += base::ns_per_second;
  EXPECT_EQ(session_->silent_for_ns(now_), 0);
  order();
  EXPECT_EQ(session_->silent_for_ns(now_), 0);
  now_.steady_ns += 300;
  EXPECT_EQ(session_->silent_for_ns(now_), 300);
  receive("0", 2);
  now_.steady_ns += 20;
  EXPECT_EQ(session_->silent_for_ns(now_), 20);
  // A new connection has its time, too.
  session_->on_disconnected();
  now_.steady_ns += base::ns_per_second;
  session_->on_connected(now_, scratch_);
  now_.steady_ns += 5;
  EXPECT_EQ(session_->silent_for_ns(now_), 5);
}

TEST_F(LoadSessionTest, WindowBoundsOrdersWithoutAnswer) {
  make();
  log_on();
  for (std::uint32_t sent = 0; sent < window; ++sent) {
    order();
  }
  EXPECT_EQ(session_->room(), 0U);
  // A later answer changes nothing: the first one's time is still kept.
  report(2, "T-0000000003");
  EXPECT_EQ(session_->room(), 0U);
  report(3, "T-0000000000");
  EXPECT_EQ(session_->room(), 1U);
  report(4, "T-0000000002");
  report(5, "T-0000000001");
  EXPECT_EQ(session_->room(), 4U);
  EXPECT_EQ(counters().answered, 4U);
  EXPECT_EQ(counters().faults(), 0U);
}

TEST_F(LoadSessionTest, DuplicateAndForeignAnswersAreDistinguished) {
  make();
  log_on();
  order();
  order();
  report(2, "T-0000000001");
  report(3, "T-0000000001");
  EXPECT_EQ(counters().duplicates, 1U);
  report(4, "T-0000000000");
  report(5, "T-0000000000");
  EXPECT_EQ(counters().duplicates, 2U);
  report(6, "T-0000000002");
  report(7, "other");
  receive("8", 8);
  EXPECT_EQ(counters().foreign, 3U);
  EXPECT_EQ(counters().answered, 2U);
}

TEST_F(LoadSessionTest, FurtherReportsAreNoDuplicatesWhereTheyAreExpected) {
  make({.further_reports = true});
  log_on();
  order();
  report(2, "T-0000000000");
  report(3, "T-0000000000");
  EXPECT_EQ(counters().further, 1U);
  EXPECT_EQ(counters().faults(), 0U);
}

TEST_F(LoadSessionTest, RejectsAnswerTheirOrders) {
  make();
  log_on();
  order();
  order();
  receive("3", 2, {{45, "2"}, {58, "no such symbol"}});
  receive("j", 3, {{45, "3"}});
  EXPECT_EQ(counters().rejected, 2U);
  EXPECT_EQ(session_->outstanding(), 0U);
  EXPECT_EQ(session_->last_words(), "no such symbol");
  // A reject of a message that was no order, or was never sent, answers none.
  receive("3", 4, {{45, "1"}});
  receive("3", 5, {{45, "99"}});
  EXPECT_EQ(counters().answered, 2U);
}

TEST_F(LoadSessionTest, AnswersTestRequests) {
  make();
  log_on();
  receive("1", 2, {{112, "ARE YOU THERE"}});
  EXPECT_EQ(written(), "35=0|34=2|112=ARE YOU THERE| ");
}

TEST_F(LoadSessionTest, RequestsMissedMessagesOnce) {
  make();
  log_on();
  order();
  order();
  static_cast<void>(written());
  report(3, "T-0000000001");
  EXPECT_EQ(written(), "35=2|34=4|7=2|16=0| ");
  report(3, "T-0000000001");
  EXPECT_EQ(written(), "");
  EXPECT_EQ(counters().answered, 0U);
  receive("8", 2, {{43, "Y"}, {11, "T-0000000000"}});
  receive("8", 3, {{43, "Y"}, {11, "T-0000000001"}});
  receive("4", 4, {{43, "Y"}, {123, "Y"}, {36, "7"}});
  EXPECT_EQ(counters().answered, 2U);
  order();
  static_cast<void>(written());
  report(7, "T-0000000002");
  EXPECT_EQ(counters().answered, 3U);
  // The gap is closed, so the next one is requested.
  report(9, "x");
  EXPECT_EQ(written(), "35=2|34=6|7=8|16=0| ");
}

// An acceptor resends the messages that it had sent when the request came, and sends new ones
// between them.
TEST_F(LoadSessionTest, RequestsMessagesThatCameDuringAResend) {
  make();
  log_on();
  order();
  order();
  order();
  static_cast<void>(written());
  report(3, "T-0000000001");
  EXPECT_EQ(written(), "35=2|34=5|7=2|16=0| ");
  report(4, "T-0000000002");
  receive("8", 2, {{43, "Y"}, {11, "T-0000000000"}});
  EXPECT_EQ(written(), "");
  receive("8", 3, {{43, "Y"}, {11, "T-0000000001"}});
  EXPECT_EQ(written(), "35=2|34=6|7=4|16=0| ");
  // A gap fill may end the second one.
  report(7, "x");
  receive("4", 4, {{43, "Y"}, {123, "Y"}, {36, "5"}});
  EXPECT_EQ(written(), "35=2|34=7|7=5|16=0| ");
}

TEST_F(LoadSessionTest, TooLowANumberIsAFaultUnlessAPossibleDuplicate) {
  make();
  log_on();
  receive("0", 1, {{43, "Y"}});
  EXPECT_EQ(counters().duplicates_passed_over, 1U);
  receive("0", 1);
  EXPECT_EQ(counters().sequence_faults, 1U);
}

TEST_F(LoadSessionTest, ResendsOrdersAndFillsTheRest) {
  make();
  log_on();
  order();                        // 2
  receive("1", 2, {{112, "X"}});  // 3: Heartbeat
  order();                        // 4
  order();                        // 5
  static_cast<void>(written());
  receive("2", 3, {{7, "1"}, {16, "0"}});
  EXPECT_EQ(written(),
            "35=4|34=1|43=Y|123=Y|36=2| 35=D|34=2|43=Y|11=T-0000000000| "
            "35=4|34=3|43=Y|123=Y|36=4| 35=D|34=4|43=Y|11=T-0000000001| "
            "35=D|34=5|43=Y|11=T-0000000002| ");
  EXPECT_EQ(counters().resent, 3U);
  receive("2", 4, {{7, "3"}, {16, "3"}});
  EXPECT_EQ(written(), "35=4|34=3|43=Y|123=Y|36=4| ");
  // Nothing was sent with these numbers.
  receive("2", 5, {{7, "9"}, {16, "0"}});
  EXPECT_EQ(written(), "");
}

TEST_F(LoadSessionTest, OrdersOutOfTheWindowAreGapFilled) {
  make();
  log_on();
  for (std::uint64_t sent = 0; sent < 3 * window; ++sent) {
    order();
    report(2 + sent, "T-00000000" + std::string(sent < 10 ? "0" : "") + std::to_string(sent));
  }
  static_cast<void>(written());
  EXPECT_EQ(session_->outstanding(), 0U);
  receive("2", 2 + 3 * window, {{7, "1"}, {16, "0"}});
  const std::string text = written();
  // Logon 1, orders 2 to 25, of which the last eight are kept.
  EXPECT_TRUE(text.starts_with("35=4|34=1|43=Y|123=Y|36=18| 35=D|34=18|43=Y|")) << text;
}

TEST_F(LoadSessionTest, ReconnectsWithItsNumbers) {
  make();
  log_on();
  order();
  static_cast<void>(written());
  session_->on_disconnected();
  EXPECT_EQ(session_->room(), 0U);
  session_->on_connected(now_, scratch_);
  EXPECT_EQ(written(), "35=A|34=3| ");
  // The acceptor has sent a report that was lost, and misses the order.
  receive("A", 3);
  EXPECT_EQ(session_->phase(), LoadSession::Phase::Active);
  EXPECT_EQ(written(), "35=2|34=4|7=2|16=0| ");
  receive("2", 4, {{7, "2"}, {16, "0"}});
  EXPECT_EQ(written(), "35=D|34=2|43=Y|11=T-0000000000| 35=4|34=3|43=Y|123=Y|36=5| ");
  receive("8", 2, {{43, "Y"}, {11, "T-0000000000"}});
  receive("4", 3, {{43, "Y"}, {123, "Y"}, {36, "5"}});
  EXPECT_EQ(session_->outstanding(), 0U);
  EXPECT_EQ(counters().faults(), 0U);
}

TEST_F(LoadSessionTest, KeepsNumbersOnRequest) {
  make({.reset_numbers = false, .next_sender_seq = 17, .next_target_seq = 9});
  session_->on_connected(now_, scratch_);
  EXPECT_EQ(written(), "35=A|34=17| ");
  receive("A", 9);
  EXPECT_EQ(written(), "");
  EXPECT_EQ(session_->phase(), LoadSession::Phase::Active);
}

TEST_F(LoadSessionTest, RefusedLogonKeepsTheReason) {
  make();
  session_->on_connected(now_, scratch_);
  receive("5", 1, {{58, "who are you"}});
  EXPECT_EQ(session_->phase(), LoadSession::Phase::Over);
  EXPECT_EQ(session_->last_words(), "who are you");
  EXPECT_EQ(counters().logons, 0U);
}

TEST_F(LoadSessionTest, LogsOut) {
  make();
  log_on();
  session_->write_logout(now_, scratch_);
  EXPECT_EQ(written(), "35=5|34=2| ");
  receive("5", 2);
  EXPECT_EQ(session_->phase(), LoadSession::Phase::Over);
  EXPECT_EQ(counters().faults(), 0U);
}

TEST_F(LoadSessionTest, AnUnexpectedLogoutIsAnsweredAndCounted) {
  make();
  log_on();
  receive("5", 2, {{58, "closing"}});
  EXPECT_EQ(written(), "35=5|34=2| ");
  EXPECT_EQ(counters().unexpected_logouts, 1U);
  EXPECT_EQ(session_->last_words(), "closing");
}

TEST_F(LoadSessionTest, HeartbeatsAndSilence) {
  make();
  log_on();
  now_.steady_ns += 9 * base::ns_per_second;
  EXPECT_FALSE(session_->on_time(now_, scratch_));
  EXPECT_EQ(written(), "");
  now_.steady_ns += base::ns_per_second;
  EXPECT_FALSE(session_->on_time(now_, scratch_));
  EXPECT_EQ(written(), "35=0|34=2| ");
  now_.steady_ns += 5 * base::ns_per_second;
  EXPECT_FALSE(session_->on_time(now_, scratch_));
  EXPECT_EQ(written(), "35=1|34=3|112=LOAD| ");
  EXPECT_FALSE(session_->on_time(now_, scratch_));
  EXPECT_EQ(written(), "");
  now_.steady_ns += 15 * base::ns_per_second;
  EXPECT_TRUE(session_->on_time(now_, scratch_));
}

TEST_F(LoadSessionTest, GarbledInputIsCountedAndPassedOver) {
  make();
  log_on();
  order();
  std::string broken = message("8", 2, {{11, "T-0000000000"}});
  broken[broken.size() - 2] = broken[broken.size() - 2] == '0' ? '1' : '0';
  deliver("rubbish" + broken);
  EXPECT_EQ(counters().garbled, 2U);
  EXPECT_EQ(counters().answered, 0U);
  report(2, "T-0000000000");
  EXPECT_EQ(counters().answered, 1U);
}

TEST_F(LoadSessionTest, MessagesMayComeInPieces) {
  make();
  log_on();
  order();
  const std::string whole = message("8", 2, {{11, "T-0000000000"}});
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    std::string bytes = whole.substr(0, cut);
    bytes.resize(cut + base::PaddedBytes::padding);
    EXPECT_EQ(session_->on_bytes(base::PaddedBytes(std::string_view(bytes).substr(0, cut)), now_,
                                 scratch_),
              0U);
  }
  deliver(whole);
  EXPECT_EQ(counters().answered, 1U);
}

TEST_F(LoadSessionTest, ResentMessagesAreCountedBesideNewOnes) {
  make();
  log_on();
  order();
  report(2, "T-0000000000");
  static_cast<void>(written());
  EXPECT_FALSE(session_->asking());
  session_->ask_again(now_, scratch_);
  EXPECT_TRUE(session_->asking());
  EXPECT_EQ(written(), "35=2|34=3|7=1|16=0| ");
  // A gap fill for the Logon, the report again, and between them a new one.
  receive("4", 1, {{43, "Y"}, {123, "Y"}, {36, "2"}});
  EXPECT_TRUE(session_->asking());
  order();
  report(3, "T-0000000001");
  EXPECT_EQ(counters().answered, 2U);
  receive("8", 2, {{43, "Y"}, {11, "T-0000000000"}});
  EXPECT_FALSE(session_->asking());
  EXPECT_EQ(counters().sent_again, 2U);
  EXPECT_EQ(counters().answered, 2U);
  EXPECT_EQ(counters().faults(), 0U);
  EXPECT_EQ(counters().duplicates_passed_over, 0U);
}

TEST_F(LoadSessionTest, NoTwoRequestsForEverythingAreTheSame) {
  make();
  log_on();
  for (std::uint64_t number = 2; number <= 3; ++number) {
    order();
    report(number, number == 2 ? "T-0000000000" : "T-0000000001");
  }
  static_cast<void>(written());
  for (const char* request : {"35=2|34=4|7=1|16=0| ", "35=2|34=5|7=2|16=0| ",
                              "35=2|34=6|7=3|16=0| ", "35=2|34=7|7=1|16=0| "}) {
    session_->ask_again(now_, scratch_);
    EXPECT_EQ(written(), request);
    // A gap fill up to the end of the request or beyond completes it.
    receive("4", 1, {{43, "Y"}, {123, "Y"}, {36, "4"}});
    EXPECT_FALSE(session_->asking());
  }
  EXPECT_EQ(counters().sent_again, 4U);
}

TEST_F(LoadSessionTest, ARequestIsForgottenWithTheConnection) {
  make();
  log_on();
  order();
  report(2, "T-0000000000");
  session_->ask_again(now_, scratch_);
  session_->on_disconnected();
  EXPECT_FALSE(session_->asking());
  static_cast<void>(written());
  session_->on_connected(now_, scratch_);
  receive("A", 3);
  EXPECT_EQ(session_->phase(), LoadSession::Phase::Active);
  EXPECT_EQ(counters().sent_again, 0U);
}

TEST_F(LoadSessionTest, RawCountsAnswersInOrder) {
  make({.raw = true});
  session_->on_connected(now_, scratch_);
  EXPECT_EQ(written(), "");
  EXPECT_EQ(session_->phase(), LoadSession::Phase::Active);
  order();
  order();
  receive("8", 1);
  EXPECT_EQ(counters().answered, 1U);
  receive("8", 1);
  receive("8", 1);
  EXPECT_EQ(counters().answered, 2U);
  EXPECT_EQ(counters().foreign, 1U);
  session_->write_logout(now_, scratch_);
  EXPECT_EQ(session_->phase(), LoadSession::Phase::Over);
}

}  // namespace
}  // namespace affix::tools::bench
