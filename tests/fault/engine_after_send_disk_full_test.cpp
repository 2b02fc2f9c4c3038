// SPDX-License-Identifier: MIT
// store_order=after_send and a journal without disk space: an order whose answer the journal
// refused is not marked as processed, wherever the refusal comes, and is delivered again by the
// next run.
#include "affix/config/words.hpp"
#include "affix/engine/cross_thread_sender.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/journal/reader.hpp"

#include "support/file_size_limit.hpp"
#include "support/raw_peer.hpp"

#include <filesystem>
#include <list>
#include <optional>
#include <set>

namespace affix::support {
namespace {

/// FIRM sends orders; the application answers to DESK, whose journal gets full.
class EngineAfterSendDiskFull : public testing::Test {
 protected:
  static constexpr std::size_t firm = 0;
  static constexpr std::size_t desk = 1;

  /// Bytes of an answer's text. A journal's first segment has 64 KiB: two answers do not fit.
  static constexpr std::size_t large = 40'000;

  void open() {
    config::Configuration configuration = acceptor_configuration();
    for (const char* them : {"FIRM", "DESK"}) {
      config::SessionSettings& session =
          add_session(configuration, "VENUE", them, directory_.path("venue"));
      EXPECT_TRUE(config::choose(session, "store_order", store_order_));
      session.callback_thread = callback_thread_;
    }
    venue_ = open_engine(configuration, application_);
    ASSERT_TRUE(venue_);
    application_.messages.clear();
    application_.events.clear();
  }

  [[nodiscard]] host::SessionHandle session(std::size_t number) const {
    return venue_->sessions()[number];
  }

  RawPeer& log_on(std::size_t number) {
    RawPeer& peer =
        peers_.emplace_back(Engines{venue_.get()}, number == firm ? "FIRM" : "DESK", "VENUE");
    peer.connect(port_of(*venue_));
    peer.next_sequence = session(number).next_target_seq();
    peer.log_on();
    return peer;
  }

  /// From here on the disk is full, and DESK's journal has no room for a large answer.
  void fill() {
    log_on(desk);
    disk_full_.emplace(32 * 1024);
    ASSERT_TRUE(send_order(session(desk), "filler", std::string(large, 'x')).sent());
    turn_for({venue_.get()}, 10 * base::ns_per_ms);
  }

  /// FIRM sends orders 1 to `count`, which the venue reads in one turn.
  void order(int count) {
    RawPeer& peer = log_on(firm);
    std::string orders;
    for (int order = 1; order <= count; ++order) {
      orders += peer.message("D", peer.next_sequence++, "11=" + std::to_string(order) + "|");
    }
    peer.send_bytes(orders);
    const auto all_came = [&] {
      return application_.messages.size() == static_cast<std::size_t>(count);
    };
    EXPECT_TRUE(turn_until({venue_.get()}, all_came)) << application_.messages.size();
    EXPECT_TRUE(
        turn_until({venue_.get()}, [&] { return application_.heard_code("S302", "a record"); }));
    turn_for({venue_.get()}, 10 * base::ns_per_ms);
  }

  /// On a callback thread, order 2 of 3 is answered, and then each order is given to `then`.
  void answer_across_threads(
      const std::function<void(host::SessionHandle, const host::Delivery&)>& then) {
    callback_thread_ = 0;
    open();
    fill();
    std::optional<engine::CrossThreadSender> sender =
        std::move(*venue_->open_cross_thread_sender({.message_bytes = 2 * large}));
    application_.when_message = [&](host::SessionHandle session, const wire::MessageView& message,
                                    const host::Delivery& delivery) {
      const std::string id(message.find(11U).value_or(""));
      if (id == "2") {
        wire::Encoder answer = sender->begin(this->session(desk), "D");
        answer.text(11, id);
        answer.text(58, std::string(large, 'y'));
        EXPECT_EQ(sender->commit(answer), engine::HandOver::Queued);
      }
      then(session, delivery);
    };
    order(3);
    EXPECT_EQ(application_.cross_thread_results,
              std::vector<host::SendStatus>{host::SendStatus::JournalFull});
    sender.reset();  // Before its engine.
    expect_redelivered({"2"});
  }

  /// ClOrdIDs of the answers in DESK's journal.
  [[nodiscard]] std::set<std::string> stored() const {
    std::set<std::string> ids;
    auto reader = journal::Reader::open(std::string(session(desk).journal_directory()));
    EXPECT_TRUE(reader);
    while (const auto record = reader->next()) {
      if (record->kind == journal::Kind::Sent) {
        ids.insert(RawMessage{std::string(record->bytes)}[11]);
      }
    }
    return ids;
  }

  /// The process dies and starts again: each of the orders without a stored answer comes again.
  void expect_redelivered(const std::set<std::string>& orders) {
    const std::set<std::string> answers = stored();
    application_.when_message = {};
    disk_full_.reset();
    venue_->abandon();
    venue_.reset();
    peers_.clear();
    open();
    log_on(firm);
    turn_for({venue_.get()}, 20 * base::ns_per_ms);
    std::set<std::string> again;
    for (const Recorder::Message& message : application_.messages) {
      EXPECT_TRUE(message.delivery.redelivered);
      again.insert(message.id);
    }
    for (const std::string& order : orders) {
      EXPECT_FALSE(answers.contains(order)) << "the disk was not full";
      EXPECT_TRUE(again.contains(order)) << order << " of " << again.size() << " redelivered";
    }
  }

  std::string store_order_ = "after_send";
  std::int64_t callback_thread_ = -1;
  TemporaryDirectory directory_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::list<RawPeer> peers_;
  std::optional<FileSizeLimit> disk_full_;
};

// Marks are delayed from the first answer on, at most 256 of them.
TEST_F(EngineAfterSendDiskFull, AnOrderIsNotProcessedWhenItsMarkIsOneTooMany) {
  for (const int refused : {2, 255, 256, 257, 258}) {
    SCOPED_TRACE(refused);
    open();
    fill();
    application_.when_message = [&](host::SessionHandle, const wire::MessageView& message,
                                    const host::Delivery&) {
      const std::string id(message.find(11U).value_or(""));
      if (id == "1" || id == std::to_string(refused)) {
        EXPECT_TRUE(send_order(session(desk), id, id == "1" ? "" : std::string(large, 'y')).sent());
      }
    };
    order(300);
    expect_redelivered({std::to_string(refused)});
    peers_.clear();
    venue_.reset();
    std::filesystem::remove_all(directory_.path("venue"));
  }
}

TEST_F(EngineAfterSendDiskFull, AnOrderIsNotProcessedWhenItsAnswerIsRefusedDuringItsCallback) {
  open();
  fill();
  application_.when_message = [&](host::SessionHandle, const wire::MessageView&,
                                  const host::Delivery& delivery) {
    if (delivery.sequence == 3) {
      EXPECT_TRUE(send_order(session(desk), "2", std::string(large, 'y')).sent());
      session(desk).flush();
    }
  };
  order(3);
  expect_redelivered({"2"});
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"2"}) << "the others had no answer";
}

// Its number is free again: had the message left, the peer would see the number twice.
TEST_F(EngineAfterSendDiskFull, MessagesThatTheJournalRefusesWhileTheConnectionClosesDoNotLeave) {
  open();
  fill();
  RawPeer& receiver = peers_.front();
  application_.when_message = [&](host::SessionHandle, const wire::MessageView&,
                                  const host::Delivery&) {
    const host::SessionControls controls(session(desk));
    EXPECT_TRUE(send_order(session(desk), "refused", std::string(large, 'y')).sent());
    EXPECT_TRUE(controls.disconnect());
    static_cast<void>(controls.remark("stored after all that waits"));
  };
  order(1);
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session(desk).disconnected(); }));
  receiver.read();
  EXPECT_TRUE(receiver.holds("11=filler"));
  EXPECT_FALSE(receiver.holds("11=refused"));
  EXPECT_EQ(session(desk).next_sender_seq(), 3U);
}

// DESK's two orders come in one read. The first is answered at once; the journal refuses the second
// before the answer is stored.
TEST_F(EngineAfterSendDiskFull, AnAnswerThatWaitsToBeStoredDoesNotLeaveAfterARefusal) {
  open();
  fill();
  ASSERT_TRUE(send_order(session(desk), "filler", std::string(16'000, 'x')).sent());
  RawPeer& receiver = peers_.front();
  application_.when_message = [&](host::SessionHandle, const wire::MessageView&,
                                  const host::Delivery&) {
    EXPECT_TRUE(send_order(session(desk), "answer").sent());
  };
  receiver.send_bytes(receiver.message("D", 2, "11=1|") +
                      receiver.message("D", 3, "11=2|58=" + std::string(8'000, 'y') + "|"));
  ASSERT_TRUE(receiver.closed());
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"1"});
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session(desk).disconnected(); }));
  EXPECT_TRUE(receiver.holds("11=filler"));
  EXPECT_FALSE(receiver.holds("11=answer"));
  EXPECT_EQ(session(desk).next_sender_seq(), 4U);
}

TEST_F(EngineAfterSendDiskFull, AnOrderIsNotProcessedWhenItsCouriersAnswerIsRefused) {
  answer_across_threads([](host::SessionHandle, const host::Delivery&) {});
}

TEST_F(EngineAfterSendDiskFull, AnOrderIsNotProcessedWhenTheJournalRefusesBeforeSendingToo) {
  store_order_ = "before_send";
  answer_across_threads([](host::SessionHandle, const host::Delivery&) {});
}

TEST_F(EngineAfterSendDiskFull, AKeptOrderIsNotFinishedWhenItsCouriersAnswerIsRefused) {
  answer_across_threads([](host::SessionHandle session, const host::Delivery& delivery) {
    EXPECT_TRUE(session.keep_message());
    EXPECT_TRUE(session.finish_message(delivery.receipt));
  });
}

}  // namespace
}  // namespace affix::support
