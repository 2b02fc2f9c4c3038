// SPDX-License-Identifier: MIT
// The exchange over several lives, in virtual time: commands executed again, reports sent to
// members and how often, and answers when something cannot continue.
#include "affix/engine/engine.hpp"
#include "affix/testing/message_text.hpp"
#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "exchange/gateway.hpp"
#include "support/engine_case.hpp"
#include "support/has_message.hpp"
#include "support/virtual_engine.hpp"
#include "support/whole_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace affix::tools::exchange {
namespace {

using support::add_session;
using testing::field_of;
using testing::VirtualNetwork;
using testing::VirtualPeer;
using Messages = std::vector<std::string>;
using Lines = std::vector<std::string>;

std::string type_of(const std::string& message) {
  return std::string(field_of(message, 35));
}

constexpr std::int64_t moment_ns = 10 * base::ns_per_ms;

/// Passes callbacks on to a gateway, and dies after a message was dealt with and before it is
/// marked.
class MortalGateway final : public host::Application {
 public:
  explicit MortalGateway(Gateway& gateway) : gateway_(gateway) {}

  host::Redelivery redelivery(host::SessionHandle session) noexcept override {
    return gateway_.redelivery(session);
  }

  void on_session_added(host::SessionHandle session) noexcept override {
    gateway_.on_session_added(session);
  }

  void on_logon(host::SessionHandle session) noexcept override { gateway_.on_logon(session); }

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    gateway_.on_message(session, message, delivery);
    if (message.find(11U) == dies_at) {
      die();
    }
  }

  void on_output_room(host::SessionHandle session) noexcept override {
    gateway_.on_output_room(session);
  }

  void on_turn_end() noexcept override { gateway_.on_turn_end(); }

  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override {
    gateway_.on_logout(session, reason);
  }

  void on_cancel_orders(host::SessionHandle session) noexcept override {
    gateway_.on_cancel_orders(session);
  }

  void on_event(const host::Event& event) noexcept override { gateway_.on_event(event); }

  std::string dies_at;
  std::function<void()> die;

 private:
  Gateway& gateway_;
};

/// One exchange and its peers. A life ends like a kill: without logouts, and queued data is lost
/// except for the file.
class ExchangeLives : public ::testing::Test {
 protected:
  ExchangeLives() : node(network.add_node()) {
    settings = support::virtual_acceptor();
    for (const char* const name : {"A", "B"}) {
      add_session(settings, "EXCHANGE", name, directory.path("journal")).name = name;
    }
    settings.engine.log_file = directory.path("log");
    options.id_prefix = "RUN-";
    a.sender = "A";
    b.sender = "B";
  }

  void live() {
    auto sink = service::EventLog::open(settings.engine);
    ASSERT_TRUE(sink);
    log = std::make_unique<service::EventLog>(std::move(*sink));
    gateway = std::make_unique<Gateway>(options, *log);
    mortal = std::make_unique<MortalGateway>(*gateway);
    exchange = support::start_engine(network, node, settings, *mortal);
    ASSERT_TRUE(exchange);
    auto file = CommandFile::open(directory.path("book"), safety);
    ASSERT_TRUE(file) << file.error().text();
    const auto begun = gateway->recover(std::move(*file), exchange->sessions());
    ASSERT_TRUE(begun) << begun.error().text();
    pass(moment_ns);
  }

  /// The first life, with both peers logged on.
  void begin() {
    live();
    log_on(a);
    log_on(b);
  }

  void live_again() {
    die();
    live();
  }

  void die() {
    network.set_turn(node, [] {});
    exchange->abandon();
    network.kill(node);
    bury();
  }

  void bury() {
    exchange.reset();
    mortal.reset();
    gateway.reset();
    log.reset();
    pass(moment_ns);
  }

  /// `peer` sends a message with this ClOrdID, which is dealt with and not marked.
  void die_at(VirtualPeer& peer, const std::string& id, const std::string& fields) {
    mortal->dies_at = id;
    mortal->die = [this] {
      exchange->abandon();
      network.kill(node);
    };
    peer.say("D", "11=" + id + "|" + fields);
    pass(moment_ns);
    network.set_turn(node, [] {});
    bury();
  }

  void pass(std::int64_t ns) { ASSERT_TRUE(network.run(ns)); }

  void log_on(VirtualPeer& peer, const char* more = "") {
    peer.target = "EXCHANGE";
    peer.connect(exchange->listening_addresses().front());
    pass(moment_ns);
    peer.say("A", std::string("98=0|108=30") + more);
    pass(moment_ns);
  }

  void order(VirtualPeer& peer, const std::string& id, const char* side, int quantity,
             const std::string& more = {}) {
    peer.say("D", "11=" + id + "|55=ACME|54=" + side + "|38=" + std::to_string(quantity) +
                      "|40=2|44=10|" + more);
    pass(moment_ns);
  }

  /// "8/0 A1" for each received report: type, ExecType, ClOrdID, and the text if any.
  static Lines reports(VirtualPeer& peer) {
    Lines lines;
    for (const std::string& message : peer.take_messages()) {
      const std::string type = type_of(message);
      if (type == "8" || type == "9" || type == "j") {
        std::string line = type + "/" + std::string(field_of(message, 150)) + " " +
                           std::string(field_of(message, type == "j" ? 379 : 11));
        const std::string text(field_of(message, 58));
        lines.push_back(text.empty() ? line : line + ": " + text);
      }
    }
    return lines;
  }

  VirtualNetwork network;
  testing::NodeId node;
  VirtualPeer a{network};
  VirtualPeer b{network};
  support::TemporaryDirectory directory;
  affix::config::Configuration settings;
  GatewayOptions options;
  CommandSafety safety = CommandSafety::Process;
  std::unique_ptr<service::EventLog> log;
  std::unique_ptr<Gateway> gateway;
  std::unique_ptr<MortalGateway> mortal;
  std::unique_ptr<engine::Engine> exchange;
};

TEST_F(ExchangeLives, ARestartGoesOnWithBookReportsAndIds) {
  begin();
  order(a, "A1", "1", 10);
  EXPECT_EQ(reports(a), Lines{"8/0 A1"});
  a.close();
  pass(moment_ns);
  order(b, "B1", "2", 4);  // A is disconnected.
  EXPECT_EQ(reports(b), (Lines{"8/0 B1", "8/F B1"}));
  live_again();
  log_on(b);
  order(b, "B2", "2", 6);  // A's order still rests.
  EXPECT_EQ(reports(b), (Lines{"8/0 B2", "8/F B2"}));
  live_again();
  log_on(a);
  EXPECT_EQ(reports(a), (Lines{"8/F A1", "8/F A1"}));
  live_again();
  a.close();
  log_on(a);
  EXPECT_EQ(reports(a), Lines{});
  // Its ClOrdID is known, and no id is used again.
  order(a, "A1", "1", 10);
  order(a, "A2", "1", 10);
  const Messages last = a.take_messages();
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(field_of(last[0], 58), "ClOrdID was used before");
  EXPECT_EQ(field_of(last[0], 17), "RUN-8");
  EXPECT_EQ(field_of(last[1], 17), "RUN-9");
}

TEST_F(ExchangeLives, NothingIsLostOrDoubledWhenTheFileIsBegunAnewAllTheTime) {
  options.book_bytes = 1;
  begin();
  Lines seen;
  int made = 0;
  for (int life = 0; life < 6; ++life) {
    for (int round = 0; round < 10; ++round) {
      const std::string number = std::to_string(++made);
      order(a, "A" + number, "1", 10);
      order(b, "B" + number, "2", 3);
      a.say("F", "11=X" + number + "|41=none|55=ACME|54=1");  // Refused: a report without an id.
      a.say("H", "11=A" + number + "|55=ACME|54=1");
      pass(moment_ns);
      for (const std::string& line : reports(a)) {
        seen.push_back(line);
      }
      if (round == life) {
        a.close();  // Some wait beyond the end of this life, and some do not.
        pass(moment_ns);
        order(b, "C" + number, "2", 1);
        log_on(a);
      }
    }
    a.close();
    pass(moment_ns);
    order(b, "D" + std::to_string(life), "2", 2);
    live_again();
    log_on(b);
    log_on(a);
  }
  for (const std::string& line : reports(a)) {
    seen.push_back(line);
  }
  const auto count = [&seen](const std::string& start) {
    return std::count_if(seen.begin(), seen.end(),
                         [&](const std::string& line) { return line.starts_with(start); });
  };
  EXPECT_EQ(count("8/0 "), made);
  EXPECT_EQ(count("9/"), made);
  EXPECT_EQ(count("8/I "), made);
  EXPECT_EQ(count("8/F "), static_cast<std::ptrdiff_t>(gateway->matching().save().last_match_id));
}

TEST_F(ExchangeLives, TransactTimeIsWhenItHappened) {
  begin();
  order(a, "A1", "1", 10);
  a.close();
  pass(moment_ns);
  static_cast<void>(a.take_messages());
  order(b, "B1", "2", 4);
  const Messages at_once = b.take_messages();
  pass(base::ns_per_second);
  live_again();
  log_on(a);
  const Messages later = a.take_messages();
  ASSERT_EQ(type_of(later.back()), "8");
  EXPECT_EQ(field_of(later.back(), 60), field_of(at_once.back(), 60));
}

TEST_F(ExchangeLives, ASymbolThatIsGoneAndASessionThatIsGoneAreReported) {
  options.symbols = {"ACME", "IBM"};
  begin();
  order(a, "A1", "1", 10);
  order(b, "B1", "1", 10);
  static_cast<void>(a.take_messages());
  static_cast<void>(b.take_messages());
  die();
  options.symbols = {"IBM"};
  live();
  log_on(a);
  EXPECT_EQ(reports(a), Lines{"8/4 A1: Symbol is no longer traded here"});
  die();
  options.symbols = {"ACME"};
  const affix::config::SessionSettings gone = settings.sessions.back();
  settings.sessions.pop_back();
  live();
  log_on(a);
  order(a, "A2", "1", 10);  // Traded again.
  EXPECT_EQ(reports(a), Lines{"8/0 A2"});
  die();
  settings.sessions.push_back(gone);
  live();
  log_on(b);
  EXPECT_EQ(reports(b), Lines{"8/4 B1: Symbol is no longer traded here"});
}

TEST_F(ExchangeLives, OrdersOfASessionThatIsGoneAreCanceledAndItsReportsWait) {
  live();
  log_on(b);
  order(b, "B1", "1", 10);
  static_cast<void>(b.take_messages());
  die();
  const affix::config::SessionSettings gone = settings.sessions.back();
  settings.sessions.pop_back();
  live();
  EXPECT_EQ(gateway->matching().open_orders(), 0U);
  die();
  settings.sessions.push_back(gone);
  live();
  log_on(b);
  EXPECT_EQ(reports(b), Lines{"8/4 B1: The order's session is no longer there"});
}

TEST_F(ExchangeLives, OrdersOfATemplatesSessionStayUntilItComesBack) {
  options.absent_orders = AbsentOrders::Keep;
  begin();
  order(b, "B1", "1", 10);
  static_cast<void>(b.take_messages());
  die();
  const affix::config::SessionSettings later = settings.sessions.back();
  settings.sessions.pop_back();
  live();
  log_on(a);
  order(a, "A1", "2", 4);
  ASSERT_TRUE(exchange->add_sessions({later}));
  pass(moment_ns);
  log_on(b);
  EXPECT_EQ(reports(b), Lines{"8/F B1"});
  die();
  options.absent_orders = AbsentOrders::KeepUnlessLost;
  settings.sessions.pop_back();  // A logged out in order, as far as the records show; B was logged
                                 // on.
  live();
  EXPECT_EQ(gateway->matching().open_orders(), 0U);
}

TEST_F(ExchangeLives, ASessionInMemoryIsReportedThatItsOrdersAreGone) {
  settings.sessions.back().durability = journal::Durability::Memory;
  begin();
  order(a, "A1", "1", 10);
  order(b, "B1", "1", 10);
  static_cast<void>(a.take_messages());
  static_cast<void>(b.take_messages());
  live_again();
  EXPECT_EQ(gateway->matching().open_orders(), 1U);
  VirtualPeer again(network);  // Numbers start over.
  again.sender = "B";
  log_on(again);
  EXPECT_EQ(reports(again),
            Lines{"8/4 B1: The exchange was started anew, and the session's journal "
                  "keeps nothing"});
}

TEST_F(ExchangeLives, CancelOnDisconnectCountsAKillAsTheEnd) {
  options.cancel_when_lost = {"A"};
  begin();
  order(a, "A1", "1", 10);
  order(b, "B1", "1", 10);
  static_cast<void>(a.take_messages());
  live_again();
  EXPECT_EQ(gateway->matching().open_orders(), 1U);
  log_on(a);
  EXPECT_EQ(reports(a), Lines{"8/4 A1: Canceled on disconnect"});
  a.close();
  pass(moment_ns);
  die();
  live();  // It was no longer logged on.
  log_on(a);
  EXPECT_EQ(reports(a), Lines{});
}

TEST_F(ExchangeLives, AFullQueueOfReportsCancelsAndLosesNone) {
  options.waiting_reports_max = 3;
  begin();
  order(a, "A1", "1", 100);
  order(a, "A2", "1", 100);
  static_cast<void>(a.take_messages());
  a.close();
  pass(moment_ns);
  for (const char* const id : {"B1", "B2", "B3", "B4"}) {
    order(b, id, "2", 1);
  }
  log_on(a);
  const std::string unread = ": Too many reports wait to be read";
  EXPECT_EQ(reports(a),
            (Lines{"8/F A1", "8/F A1", "8/F A1", "8/4 A1" + unread, "8/4 A2" + unread}));
}

TEST_F(ExchangeLives, LostRecordsCancelEverythingAndIdsBeginAnew) {
  begin();
  order(a, "A1", "1", 10);
  static_cast<void>(a.take_messages());
  const std::string book = directory.path("book");
  const auto copy = directory.path("copy");
  std::filesystem::copy(book, copy);
  order(b, "B1", "2", 4);
  static_cast<void>(a.take_messages());
  static_cast<void>(b.take_messages());
  die();
  std::filesystem::remove_all(book);
  std::filesystem::copy(copy, book);
  live();
  EXPECT_EQ(gateway->matching().open_orders(), 0U);
  log_on(a);
  const Messages reported = a.take_messages();
  ASSERT_EQ(reported.size(), 2U);
  EXPECT_EQ(field_of(reported[1], 58),
            "The exchange was started anew and has lost its last actions");
  EXPECT_FALSE(field_of(reported[1], 17).starts_with("RUN-"));
}

TEST_F(ExchangeLives, ABadRequestDuringALogoutIsAnsweredAtTheNextLogonAndOnce) {
  for (const bool dies : {false, true}) {
    SCOPED_TRACE(dies);
    live();
    a.next_sequence = exchange->session("A").next_target_seq();
    log_on(a);
    EXPECT_EQ(reports(a), Lines{});
    exchange->session("A").logout("for now");
    a.say("D", "11=BAD|55=ACME|38=1|40=2|44=10");  // Without Side (54).
    pass(moment_ns);
    a.close();
    pass(moment_ns);
    EXPECT_EQ(reports(a), Lines{});
    if (dies) {
      live_again();
    }
    log_on(a);
    EXPECT_EQ(reports(a), Lines{"j/ BAD: required field missing (54)"});
    live_again();
    a.close();
    log_on(a);
    EXPECT_EQ(reports(a), Lines{});
    die();
  }
}

TEST_F(ExchangeLives, ARequestExecutedBeforeAKillAndNotMarkedIsNotExecutedAgain) {
  begin();
  order(a, "A1", "1", 10);
  EXPECT_EQ(reports(a), Lines{"8/0 A1"});
  die_at(b, "B1", "55=ACME|54=2|38=4|40=2|44=10");
  static_cast<void>(reports(b));
  live();
  log_on(b);
  EXPECT_EQ(reports(b), Lines{}) << "stored, and sent again on request only";
  die_at(b, "BAD", "55=ACME|38=1|40=2|44=10");  // Without Side (54).
  static_cast<void>(reports(b));
  live();
  log_on(b);
  EXPECT_EQ(reports(b), Lines{});
  order(b, "B2", "2", 6);  // The rest of A's order.
  EXPECT_EQ(reports(b), (Lines{"8/0 B2", "8/F B2"}));
  order(b, "B3", "2", 1);
  EXPECT_EQ(reports(b), Lines{"8/0 B3"});
}

TEST_F(ExchangeLives, AnOrderDuringALogoutIsCarriedOutAndReportedOnce) {
  live();
  log_on(a);
  exchange->session("A").logout("for now");
  a.say("D", "11=LATE|55=ACME|54=1|38=1|40=2|44=10");
  pass(moment_ns);
  a.close();
  pass(moment_ns);
  EXPECT_EQ(reports(a), Lines{});
  EXPECT_EQ(gateway->matching().open_orders(), 1U);
  live_again();
  EXPECT_EQ(gateway->matching().open_orders(), 1U);
  log_on(a);
  EXPECT_EQ(reports(a), Lines{"8/0 LATE"});
}

TEST_F(ExchangeLives, AResetOfTheNumbersLosesNoReportThatWaits) {
  settings.sessions.front().send_while_disconnected = session::SendWhileDown::Queue;
  begin();
  order(a, "A1", "1", 10);
  static_cast<void>(a.take_messages());
  a.close();
  pass(moment_ns);
  order(b, "B1", "2", 4);
  live_again();
  a.next_sequence = 1;
  log_on(a, "|141=Y");
  EXPECT_EQ(reports(a), Lines{"8/F A1"});
  live_again();
  log_on(a);
  EXPECT_EQ(reports(a), Lines{});
}

TEST_F(ExchangeLives, ASessionThatIsRemovedAndAddedAgainIsTheSameMember) {
  begin();
  order(a, "A1", "1", 10);
  static_cast<void>(a.take_messages());
  ASSERT_TRUE(exchange->remove_session("A"));
  pass(moment_ns);
  a.close();
  static_cast<void>(a.take_messages());
  order(b, "B1", "2", 4);
  affix::config::SessionSettings again = settings.sessions.front();
  ASSERT_TRUE(exchange->add_sessions({again}));
  pass(moment_ns);
  a.next_sequence = exchange->session("A").next_target_seq();
  log_on(a);
  EXPECT_EQ(reports(a), Lines{"8/F A1"});
}

TEST_F(ExchangeLives, ARejectOfAMemberIsNotAnswered) {
  live();
  log_on(a);
  static_cast<void>(a.take_messages());
  a.say("j", "45=2|372=8|380=3");
  a.say("B", "148=news");
  pass(moment_ns);
  EXPECT_EQ(reports(a), Lines{"j/ : Unsupported Message Type"});
  die();
  const std::string reported = support::read_file(settings.engine.log_file);
  EXPECT_TRUE(support::has_message(reported, "P115", {" 2: "})) << reported;
}

TEST_F(ExchangeLives, WithSyncARequestIsCarriedOutOnceItIsOnTheDisk) {
  safety = CommandSafety::OnFlush;
  begin();
  order(a, "A1", "1", 10);
  order(b, "B1", "2", 4);
  EXPECT_EQ(reports(a), (Lines{"8/0 A1", "8/F A1"}));
  live_again();
  EXPECT_EQ(gateway->matching().open_orders(), 1U);
  log_on(a);
  EXPECT_EQ(reports(a), Lines{});
}

}  // namespace
}  // namespace affix::tools::exchange
