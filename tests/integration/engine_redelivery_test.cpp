// SPDX-License-Identifier: MIT
// Messages that an application keeps and processes later: which are redelivered, when, and which
// are not.
#include "affix/journal/reader.hpp"

#include "support/engine_case.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace affix::support {
namespace {

/// A venue that keeps messages as configured.
class EngineRedelivery : public testing::Test {
 protected:
  EngineRedelivery() { keep_in(pair_.venue_application); }

  void keep_in(Recorder& application) {
    application.when_message = [this](host::SessionHandle session, const wire::MessageView&,
                                      const host::Delivery&) {
      if (keeps_) {
        EXPECT_TRUE(session.keep_message());
      }
    };
  }

  void send(const std::string& id, std::string_view text = {}) {
    ASSERT_TRUE(send_order(pair_.firm(), id, text).sent());
    ASSERT_TRUE(pair_.turn_until([&] {
      const auto ids = pair_.venue_application.ids();
      return std::find(ids.begin(), ids.end(), id) != ids.end();
    }));
  }

  [[nodiscard]] host::Receipt receipt_of(const std::string& id) const {
    host::Receipt receipt;
    for (const Recorder::Message& message : pair_.venue_application.messages) {
      receipt = message.id == id ? message.delivery.receipt : receipt;
    }
    return receipt;
  }

  /// Like SIGKILL; the next life has the same port and an empty record.
  void kill_venue() {
    pair_.keep_port();
    pair_.acceptor->abandon();
    next_life();
  }

  /// In order.
  void restart_venue() {
    pair_.keep_port();
    pair_.acceptor->worker(0).finish("restart");
    ASSERT_TRUE(pair_.turn_until([&] { return pair_.acceptor->worker(0).all_down(); }));
    next_life();
  }

  void next_life() {
    pair_.acceptor.reset();
    pair_.venue_application.messages.clear();
    pair_.venue_application.logons.clear();
    pair_.open_venue();
  }

  Pair pair_;
  bool keeps_ = true;
};

TEST_F(EngineRedelivery, UnfinishedMessagesComeAgainAfterTheLogonAndBeforeNewOnes) {
  ASSERT_TRUE(pair_.log_on());
  for (const char* id : {"1", "2", "3", "4", "5"}) {
    send(id);
  }
  EXPECT_TRUE(pair_.venue().finish_message(receipt_of("4")));
  EXPECT_TRUE(pair_.venue().finish_message(receipt_of("1")));
  EXPECT_TRUE(pair_.venue().finish_message(receipt_of("4"))) << "twice is as once";
  kill_venue();
  for (int turns = 0; turns < 3; ++turns) {
    pair_.acceptor->poll(0);
  }
  EXPECT_TRUE(pair_.venue_application.messages.empty()) << "not before the logon";
  bool new_sent = false;
  pair_.firm_application.when_logon = [&](host::SessionHandle session) {
    new_sent = send_order(session, "6").sent();
  };
  std::size_t at_logon = 99;
  pair_.venue_application.when_logon = [&](host::SessionHandle) {
    at_logon = pair_.venue_application.messages.size();
  };
  ASSERT_TRUE(pair_.turn_until([&] { return pair_.venue_application.messages.size() >= 4; }));
  EXPECT_TRUE(new_sent);
  EXPECT_EQ(at_logon, 0U) << "on_logon() comes first";
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"2", "3", "5", "6"}));
  for (const Recorder::Message& message : pair_.venue_application.messages) {
    EXPECT_EQ(message.delivery.redelivered, message.id != "6") << message.id;
    EXPECT_TRUE(message.delivery.receipt);
  }
}

TEST_F(EngineRedelivery, AnApplicationThatLogsOutAtOnceHasItBeforeAnythingNew) {
  ASSERT_TRUE(pair_.log_on());
  for (const char* id : {"1", "2"}) {
    send(id);
  }
  kill_venue();
  // The firm's next order is on its way before it can have the venue's Logout.
  pair_.firm_application.when_logon = [](host::SessionHandle session) {
    EXPECT_TRUE(send_order(session, "3").sent());
  };
  pair_.venue_application.when_logon = [](host::SessionHandle session) {
    session.logout("closed");
  };
  ASSERT_TRUE(pair_.turn_until([&] { return pair_.venue_application.messages.size() >= 3; }));
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(EngineRedelivery, KeptAgainItComesAgainUntilItIsFinished) {
  ASSERT_TRUE(pair_.log_on());
  send("1");
  const host::Receipt first = receipt_of("1");
  for (int life = 0; life < 3; ++life) {
    kill_venue();
    ASSERT_TRUE(pair_.turn_until([&] { return pair_.venue_application.messages.size() == 1; }));
    EXPECT_EQ(receipt_of("1"), first) << "its name is the same for ever";
  }
  // Finished with the receipt of an earlier process.
  EXPECT_TRUE(pair_.venue().finish_message(host::Receipt(first.value())));
  kill_venue();
  ASSERT_TRUE(pair_.log_on());
  send("2");
  EXPECT_EQ(pair_.venue_application.ids(), std::vector<std::string>{"2"});
}

TEST_F(EngineRedelivery, AnOrderlyEndKeepsKeptMessagesAndNothingElse) {
  ASSERT_TRUE(pair_.log_on());
  send("kept");
  keeps_ = false;
  send("dealt with");
  restart_venue();
  ASSERT_TRUE(pair_.log_on());
  send("new");
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"kept", "new"}));
  restart_venue();
  ASSERT_TRUE(pair_.log_on());
  send("last");
  EXPECT_EQ(pair_.venue_application.ids(), std::vector<std::string>{"last"});
}

TEST_F(EngineRedelivery, AWrongReceiptIsAClearNo) {
  ASSERT_TRUE(pair_.log_on());
  EXPECT_FALSE(pair_.venue().keep_message()) << "no message is at hand";
  send("1");
  const std::uint64_t right = receipt_of("1").value();
  for (const std::uint64_t wrong :
       {std::uint64_t{0}, std::uint64_t{1}, right + 1, right + 8, right - 8, right + 4096,
        right | 0xFFFFFFFFU, right + (std::uint64_t{1} << 32), std::uint64_t{UINT64_MAX}}) {
    EXPECT_FALSE(pair_.venue().finish_message(host::Receipt(wrong))) << wrong;
  }
  // A record of a sent message, and a received session message.
  auto reader = journal::Reader::open(std::string(pair_.venue().journal_directory()));
  ASSERT_TRUE(reader);
  std::size_t sent = 0;
  while (const auto record = reader->next()) {
    if (record->kind == journal::Kind::Sent) {
      ++sent;
      EXPECT_FALSE(pair_.venue().finish_message(
          host::Receipt(std::uint64_t{record->position.segment} << 32 | record->position.offset)));
    }
  }
  EXPECT_GT(sent, 0U);
  EXPECT_TRUE(pair_.venue().finish_message(host::Receipt(right)));
}

TEST_F(EngineRedelivery, AtTheStartNobodyHasToLogOn) {
  ASSERT_TRUE(pair_.log_on());
  send("1");
  send("2");
  pair_.venue_application.redelivers = host::Redelivery::AtStart;
  kill_venue();
  pair_.acceptor->poll(0);
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"1", "2"}));
  EXPECT_TRUE(pair_.venue_application.logons.empty());
  ASSERT_TRUE(pair_.log_on());
  send("3");
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(EngineRedelivery, WhenAskedNewMessagesComeMeanwhile) {
  ASSERT_TRUE(pair_.log_on());
  send("1");
  pair_.venue_application.redelivers = host::Redelivery::WhenAsked;
  kill_venue();
  ASSERT_TRUE(pair_.log_on());
  keeps_ = false;
  send("2");
  EXPECT_EQ(pair_.venue_application.ids(), std::vector<std::string>{"2"});
  pair_.venue().redeliver();
  ASSERT_TRUE(pair_.turn_until([&] { return pair_.venue_application.messages.size() == 2; }));
  EXPECT_EQ(pair_.venue_application.messages[1].id, "1");
  EXPECT_TRUE(pair_.venue_application.messages[1].delivery.redelivered);
  pair_.venue().redeliver();
  send("3");
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"2", "1", "3"}));
}

TEST_F(EngineRedelivery, ARequestInTheSameLifeBringsUnfinishedMessages) {
  ASSERT_TRUE(pair_.log_on());
  send("1");
  send("2");
  EXPECT_TRUE(pair_.venue().finish_message(receipt_of("1")));
  pair_.venue().redeliver();
  ASSERT_TRUE(pair_.turn_until([&] { return pair_.venue_application.messages.size() == 3; }));
  EXPECT_EQ(pair_.venue_application.messages[2].id, "2");
  EXPECT_TRUE(pair_.venue_application.messages[2].delivery.redelivered);
}

TEST_F(EngineRedelivery, ReceiptsStayRightAfterAResetOfTheNumbers) {
  ASSERT_TRUE(pair_.log_on());
  send("before");
  const host::Receipt before = receipt_of("before");
  pair_.firm().reset();
  ASSERT_TRUE(pair_.turn_until(
      [&] { return pair_.firm().next_sender_seq() == 2 && pair_.venue().next_target_seq() == 2; }));
  send("after");
  ASSERT_NE(before, receipt_of("after"));
  EXPECT_TRUE(pair_.venue().finish_message(before));
  kill_venue();
  ASSERT_TRUE(pair_.log_on());
  ASSERT_TRUE(pair_.turn_until([&] { return pair_.venue_application.messages.size() == 1; }));
  EXPECT_EQ(pair_.venue_application.ids(), std::vector<std::string>{"after"});
}

TEST_F(EngineRedelivery, ReceiptsStayRightInSegmentsLongLeft) {
  pair_.acceptor_settings.sessions.front().max_serialised_file_size = 64 * 1024;
  kill_venue();
  ASSERT_TRUE(pair_.log_on());
  send("first");
  send("second");
  const host::Receipt first = receipt_of("first");
  keeps_ = false;
  const std::string text(2'000, 'x');
  for (int order = 0; order < 400; ++order) {
    send("later" + std::to_string(order), text);
  }
  keeps_ = true;
  send("last");
  const host::Receipt last = receipt_of("last");
  ASSERT_GT(last.value() >> 32, (first.value() >> 32) + 2) << "several segments";
  EXPECT_FALSE(pair_.venue().finish_message(host::Receipt(first.value() + 8)));
  EXPECT_TRUE(pair_.venue().finish_message(first));
  EXPECT_TRUE(pair_.venue().finish_message(first)) << "twice is as once, there too";
  EXPECT_TRUE(pair_.venue().finish_message(last));
  kill_venue();
  ASSERT_TRUE(pair_.log_on());
  ASSERT_TRUE(pair_.turn_until([&] { return !pair_.venue_application.messages.empty(); }));
  EXPECT_EQ(pair_.venue_application.ids(), std::vector<std::string>{"second"});
}

TEST_F(EngineRedelivery, AnInterruptedRedeliveryGoesOnAfterTheNextLogon) {
  ASSERT_TRUE(pair_.log_on());
  for (const char* id : {"1", "2", "3"}) {
    send(id);
  }
  kill_venue();
  pair_.venue_application.when_message =
      [](host::SessionHandle session, const wire::MessageView& message, const host::Delivery&) {
        if (message.find(11U) == "1") {
          session.logout("in the middle");
        }
      };
  ASSERT_TRUE(pair_.turn_until([&] {
    return pair_.venue_application.messages.size() == 3 &&
           pair_.venue_application.logons.size() == 2;
  })) << pair_.venue_application.messages.size();
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(EngineRedelivery, ASessionRemovedAndAddedAgainHasItAgain) {
  ASSERT_TRUE(pair_.log_on());
  send("kept");
  const host::Receipt kept = receipt_of("kept");
  keeps_ = false;
  send("dealt with");
  const host::SessionHandle before = pair_.venue();
  auto removal = pair_.acceptor->remove_session("FIRM", "removed", patience_ns);
  ASSERT_TRUE(removal);
  ASSERT_TRUE(pair_.turn_until([&] { return removal->done(); }));
  EXPECT_FALSE(before.finish_message(kept)) << "no handle leads to it any more";
  pair_.venue_application.messages.clear();
  auto addition = pair_.acceptor->add_sessions({pair_.acceptor_settings.sessions.front()});
  ASSERT_TRUE(addition);
  ASSERT_TRUE(pair_.turn_until([&] { return addition->done(); }));
  keeps_ = true;
  ASSERT_TRUE(pair_.turn_until([&] { return !pair_.venue_application.messages.empty(); }));
  EXPECT_EQ(pair_.venue_application.ids(), std::vector<std::string>{"kept"});
  EXPECT_TRUE(pair_.acceptor->session("FIRM").finish_message(kept));
}

TEST_F(EngineRedelivery, AnotherThreadFinishesThroughACourier) {
  ASSERT_TRUE(pair_.log_on());
  send("1");
  send("2");
  auto opened = pair_.acceptor->open_cross_thread_sender({});
  ASSERT_TRUE(opened);
  std::optional<engine::CrossThreadSender> sender(std::move(*opened));
  std::thread([&] {
    EXPECT_EQ(sender->finish_message(pair_.venue(), receipt_of("2")), engine::HandOver::Queued);
  }).join();
  pair_.acceptor->poll(0);
  sender.reset();
  kill_venue();
  ASSERT_TRUE(pair_.log_on());
  ASSERT_TRUE(pair_.turn_until([&] { return !pair_.venue_application.messages.empty(); }));
  EXPECT_EQ(pair_.venue_application.ids(), std::vector<std::string>{"1"});
}

TEST_F(EngineRedelivery, OnACallbackThreadTheSame) {
  pair_.acceptor_settings.sessions.front().callback_thread = 0;
  kill_venue();
  std::vector<host::Receipt> receipts;
  pair_.venue_application.when_message = [&](host::SessionHandle session, const wire::MessageView&,
                                             const host::Delivery& delivery) {
    EXPECT_TRUE(session.keep_message());
    receipts.push_back(delivery.receipt);
    if (receipts.size() == 3) {
      EXPECT_TRUE(session.finish_message(receipts[1]));
    }
  };
  ASSERT_TRUE(pair_.log_on());
  for (const char* id : {"1", "2", "3"}) {
    send(id);
  }
  pair_.acceptor->poll(0);
  pair_.acceptor->poll(0);
  receipts.clear();
  kill_venue();
  ASSERT_TRUE(pair_.turn_until([&] { return pair_.venue_application.messages.size() == 2; }));
  EXPECT_EQ(pair_.venue_application.ids(), (std::vector<std::string>{"1", "3"}));
}

// --- store_order=after_send ---

/// Ids of the received orders that are marked as processed, and of the stored reports.
std::pair<std::set<std::string>, std::set<std::string>> processed_and_stored(
    const std::string& directory) {
  std::pair<std::set<std::string>, std::set<std::string>> found;
  auto reader = journal::Reader::open(directory);
  EXPECT_TRUE(reader);
  const auto id = [](std::string_view bytes) {
    const std::size_t at = bytes.find(
        "\x01"
        "11=");
    return at == std::string_view::npos
               ? std::string()
               : std::string(bytes.substr(at + 4, bytes.find('\x01', at + 4) - at - 4));
  };
  while (const auto record = reader->next()) {
    if (record->kind == journal::Kind::Received && record->processed) {
      found.first.insert(id(record->bytes));
    } else if (record->kind == journal::Kind::Sent) {
      found.second.insert(id(record->bytes));
    }
  }
  return found;
}

TEST_F(EngineRedelivery, StoredAfterSendingAnOrderIsNotDealtWithBeforeItsAnswerIsStored) {
  pair_.acceptor_settings.sessions.front().store_order = config::StoreOrder::AfterSend;
  kill_venue();
  // Each look reads the state that a kill would leave: other processes may read the journal's file.
  const auto look = [&] {
    const auto [processed, stored] =
        processed_and_stored(std::string(pair_.venue().journal_directory()));
    for (const std::string& id : processed) {
      EXPECT_TRUE(id.empty() || stored.contains(id)) << id;
    }
    return stored.size();
  };
  pair_.venue_application.when_message =
      [&](host::SessionHandle session, const wire::MessageView& message, const host::Delivery&) {
        look();
        EXPECT_TRUE(send_order(session, message.find(11U).value_or("?")).sent());
        look();
      };
  pair_.venue_application.when_turn_end = [&] { look(); };
  ASSERT_TRUE(pair_.log_on());
  for (int order = 0; order < 40; ++order) {
    ASSERT_TRUE(send_order(pair_.firm(), std::to_string(order)).sent());
  }
  ASSERT_TRUE(pair_.turn_until([&] { return pair_.firm_application.messages.size() == 40; }));
  EXPECT_GE(look(), 40U);
  const auto [processed, stored] =
      processed_and_stored(std::string(pair_.venue().journal_directory()));
  EXPECT_TRUE(processed.contains("39"));
}

}  // namespace
}  // namespace affix::support
