// SPDX-License-Identifier: MIT
// store_order=after_send: whatever an application does in one callback, messages are stored in the
// order of their numbers, and messages reported as sent or queued are stored.
#include "affix/host/session_controls.hpp"

#include "support/venue_case.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <string>

namespace affix::support {
namespace {

class EngineAfterSend : public VenueCase {
 protected:
  void SetUp() override {
    open([](config::SessionSettings& settings) {
      settings.store_order = config::StoreOrder::AfterSend;
      settings.send_while_disconnected = session::SendWhileDown::Queue;
    });
  }

  /// A peer logs on with the number that the venue expects.
  RawPeer& log_on() {
    RawPeer& firm = connect();
    firm.next_sequence = session().next_target_seq();
    firm.log_on();
    return firm;
  }

  /// The peer sends an order, on which the application runs the test's function, and disconnects.
  void order_and_close(RawPeer& firm) {
    const std::size_t before = application_.messages.size();
    firm.send("D", "11=x|");
    ASSERT_TRUE(turn_until([&] { return application_.messages.size() > before; }));
    firm.close();
    ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  }

  /// ClOrdIDs of the application messages sent, by their numbers; their order is checked.
  [[nodiscard]] std::map<std::uint64_t, std::string> stored() const {
    std::map<std::uint64_t, std::string> ids;
    std::uint64_t last = 0;
    auto reader = journal::Reader::open(std::string(session().journal_directory()));
    EXPECT_TRUE(reader);
    while (const auto record = reader->next()) {
      if (record->kind != journal::Kind::Sent) {
        continue;
      }
      EXPECT_GT(record->sequence, last);
      last = record->sequence;
      if (const RawMessage message{std::string(record->bytes)}; message[35] == "D") {
        ids.emplace(record->sequence, message[11]);
      }
    }
    return ids;
  }
};

TEST_F(EngineAfterSend, AQueuedMessageFollowsThoseThatWaitToBeStored) {
  application_.when_message = [](host::SessionHandle session, const wire::MessageView&,
                                 const host::Delivery&) {
    EXPECT_TRUE(send_order(session, "sent").sent());
    session.logout("end of business");
    EXPECT_TRUE(send_order(session, "queued").queued());
  };
  order_and_close(log_on());
  const std::map<std::uint64_t, std::string> expected{{2, "sent"}, {4, "queued"}};
  EXPECT_EQ(stored(), expected);
  EXPECT_FALSE(application_.heard_code("S302"));
  RawPeer& firm = log_on();
  firm.send("2", "7=2|16=2|");
  EXPECT_EQ(firm.expect("D")[11], "sent");
}

TEST_F(EngineAfterSend, RandomCommandsOfOneCallbackKeepTheOrderOfNumbers) {
  std::mt19937 random(20);
  std::map<std::uint64_t, std::string> accepted;
  int sent = 0;
  application_.when_message = [&](host::SessionHandle session, const wire::MessageView&,
                                  const host::Delivery&) {
    for (auto count = 1 + random() % 8; count != 0; --count) {
      switch (random() % 8) {
        case 0:
          session.logout("by the application");
          break;
        case 1:
          static_cast<void>(host::SessionControls(session).disconnect());
          break;
        case 2:
          session.test_peer();
          break;
        case 3:
          EXPECT_TRUE(host::SessionControls(session).remark("a note"));
          break;
        case 4:
          session.flush();
          break;
        default: {
          const std::string id = std::to_string(++sent);
          const host::SendResult result = send_order(session, id);
          EXPECT_FALSE(result.refused()) << host::to_text(result.status);
          accepted.emplace(result.sequence, id);
        }
      }
    }
  };
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    ASSERT_NO_FATAL_FAILURE(order_and_close(log_on()));
    ASSERT_EQ(stored(), accepted);
  }
  EXPECT_FALSE(application_.heard_code("S302"));
}

}  // namespace
}  // namespace affix::support
