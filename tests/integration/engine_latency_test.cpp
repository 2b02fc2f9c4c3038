// SPDX-License-Identifier: MIT
// Where messages spend their time, recorded by an engine over real sockets: known steps, their
// order, and causes of waits.
#include "affix/counters/latency_reader.hpp"

#include "support/engine_case.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace affix::support {
namespace {

using counters::LatencyCause;
using counters::LatencyMessage;
using counters::LatencyPart;
using counters::LatencyReading;
using counters::LatencyStep;

class EngineLatency : public testing::Test {
 protected:
  void open(const std::function<void(config::Configuration&)>& adjust = {}) {
    pair_.emplace("FIX.4.4", [&](config::Configuration& configuration) {
      configuration.engine.latency_file =
          directory_.path(configuration.servers.empty() ? "firm" : "venue");
      configuration.engine.latency_records = 1'024;
      if (adjust) {
        adjust(configuration);
      }
    });
    pair_->venue_application.when_message =
        [](host::SessionHandle session, const wire::MessageView&, const host::Delivery& delivery) {
          if (!delivery.possible_duplicate) {
            ASSERT_TRUE(send_order(session, "answer").sent());
          }
        };
    ASSERT_TRUE(pair_->log_on());
  }

  [[nodiscard]] LatencyReading read(const char* of) const {
    auto reading = counters::read_latencies(directory_.path(of));
    EXPECT_TRUE(reading) << reading.error().text();
    return reading ? std::move(*reading) : LatencyReading();
  }

  /// One order and its answer.
  void trade() {
    const std::size_t wanted = pair_->firm_application.messages.size() + 1;
    ASSERT_TRUE(send_order(pair_->firm(), "order").sent());
    ASSERT_TRUE(
        pair_->turn_until([&] { return pair_->firm_application.messages.size() == wanted; }));
  }

  /// The newest record for which `wanted` is true, of any worker: the kernel begins to stamp some
  /// time after the first socket's request, so orders are sent until then.
  template <typename Wanted>
  [[nodiscard]] std::optional<LatencyMessage> trade_until(const char* of, Wanted wanted) {
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (os::now().steady_ns < give_up_ns) {
      trade();
      // The next turn reads the kernel's last stamps.
      turn(pair_->engines());
      const LatencyReading reading = read(of);
      const auto found = std::find_if(reading.messages.rbegin(), reading.messages.rend(), wanted);
      if (found != reading.messages.rend()) {
        names_ = reading.sessions;
        return *found;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string name_of(std::uint64_t session) const {
    return session < names_.size() ? names_[static_cast<std::size_t>(session)] : "?";
  }

  static bool has_cause(const LatencyReading& reading, LatencyCause cause) {
    return std::ranges::any_of(reading.messages, [cause](const LatencyMessage& message) {
      return message.cause == static_cast<std::uint64_t>(cause) && message.wait_ns != 0;
    });
  }

  TemporaryDirectory directory_;
  std::optional<Pair> pair_;
  std::vector<std::string> names_;
};

TEST_F(EngineLatency, OfAnOrderAndItsAnswerAllMomentsAreKnownAndInOrder) {
  open();
  const std::int64_t before_ns = os::now().utc_ns;
  const auto order = trade_until("venue", [](const LatencyMessage& message) {
    return std::ranges::none_of(message.steps, [](std::uint64_t step) { return step == 0; });
  });
  ASSERT_TRUE(order);
  EXPECT_TRUE(std::ranges::is_sorted(order->steps));
  EXPECT_GE(order->steps.front(), static_cast<std::uint64_t>(before_ns));
  EXPECT_LE(order->steps.back(), static_cast<std::uint64_t>(os::now().utc_ns));
  EXPECT_EQ(name_of(order->in_session), "FIRM");
  EXPECT_EQ(name_of(order->out_session), "FIRM");
  EXPECT_GE(order->in_number, 2U);  // After the Logon.
  EXPECT_EQ(order->out_number, order->in_number) << "each order has one answer";
  std::uint64_t parts = 0;
  for (const LatencyPart part :
       {LatencyPart::InStack, LatencyPart::InEngine, LatencyPart::OutStack}) {
    ASSERT_TRUE(order->part_ns(part)) << counters::to_text(part);
    parts += *order->part_ns(part);
  }
  EXPECT_EQ(order->part_ns(LatencyPart::Whole), parts);
}

TEST_F(EngineLatency, MessagesWithoutAQuestionOrAnAnswerHaveOneHalf) {
  open();
  const auto sent = trade_until(
      "firm", [](const LatencyMessage& message) { return message[LatencyStep::Transmitted] != 0; });
  ASSERT_TRUE(sent);
  EXPECT_EQ(name_of(sent->out_session), "VENUE");
  EXPECT_EQ(sent->in_session, 0U);
  EXPECT_EQ((*sent)[LatencyStep::Read], 0U);
  EXPECT_LE((*sent)[LatencyStep::Committed], (*sent)[LatencyStep::Sent]);
  EXPECT_LE((*sent)[LatencyStep::Sent], (*sent)[LatencyStep::Transmitted]);
  const auto came = trade_until(
      "firm", [](const LatencyMessage& message) { return message[LatencyStep::Received] != 0; });
  ASSERT_TRUE(came);
  EXPECT_EQ(name_of(came->in_session), "VENUE");
  EXPECT_EQ(came->out_session, 0U);
  EXPECT_EQ((*came)[LatencyStep::Committed], 0U);
  EXPECT_LE((*came)[LatencyStep::Received], (*came)[LatencyStep::Read]);
  EXPECT_LE((*came)[LatencyStep::Read], (*came)[LatencyStep::HandedOver]);
}

TEST_F(EngineLatency, MoreAnswersThanOneAreRecordsOfTheSameOrder) {
  open();
  pair_->venue_application.when_message = [](host::SessionHandle session, const wire::MessageView&,
                                             const host::Delivery&) {
    ASSERT_TRUE(send_order(session, "first").sent());
    ASSERT_TRUE(send_order(session, "second").sent());
  };
  ASSERT_TRUE(send_order(pair_->firm(), "order").sent());
  ASSERT_TRUE(pair_->turn_until([&] { return pair_->firm_application.messages.size() == 2; }));
  const LatencyReading reading = read("venue");
  ASSERT_EQ(reading.messages.size(), 2U);
  EXPECT_EQ(reading.messages[0].in_number, reading.messages[1].in_number);
  EXPECT_EQ(reading.messages[0].steps[2], reading.messages[1].steps[2]);
  EXPECT_EQ(reading.messages[0].out_number + 1, reading.messages[1].out_number);
  EXPECT_EQ(reading.messages[0].steps[4], reading.messages[1].steps[4]) << "they left together";
}

TEST_F(EngineLatency, TheNewestMessagesAreThereWhenTheRingHasGoneRound) {
  open();
  const std::string text(40, 'x');
  constexpr std::size_t orders = 3'000;
  for (std::size_t sent = 0; sent < orders;) {
    for (int batch = 0; batch < 50; ++batch, ++sent) {
      ASSERT_TRUE(send_order(pair_->firm(), std::to_string(sent), text).sent());
    }
    ASSERT_TRUE(pair_->turn_until([&] { return pair_->firm_application.messages.size() >= sent; }));
  }
  turn(pair_->engines());
  const LatencyReading reading = read("venue");
  EXPECT_EQ(reading.recorded, orders);
  ASSERT_EQ(reading.messages.size(), 1'024U);
  EXPECT_EQ(reading.messages.back().number, orders);
  EXPECT_EQ(reading.messages.front().number, orders - 1'023);
  for (const LatencyMessage& message : reading.messages) {
    EXPECT_NE(message[LatencyStep::Sent], 0U);
    EXPECT_NE(message[LatencyStep::Transmitted], 0U) << message.number;
  }
}

TEST_F(EngineLatency, AnAppendThatFindsNothingReadyIsTheCauseOfAWait) {
  open([](config::Configuration& configuration) {
    configuration.sessions.front().max_serialised_file_size = 65'536;
  });
  const std::string text(400, 'x');
  // Nothing prepares the venue's journal.
  const auto has_waited = [&] {
    return has_cause(read("venue"), counters::latency_cause_of(counters::WaitCause::Journal));
  };
  const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
  while (!has_waited() && os::now().steady_ns < give_up_ns) {
    for (int order = 0; order < 20; ++order) {
      static_cast<void>(send_order(pair_->firm(), "many", text));
    }
    pair_->acceptor->poll(0);
    pair_->initiator->poll(0);
    pair_->initiator->prepare_journals();
  }
  EXPECT_TRUE(has_waited());
}

TEST_F(EngineLatency, AWaitForTheDiskIsTheCauseWhereTheSessionIsToWaitForIt) {
  open([](config::Configuration& configuration) {
    configuration.sessions.front().durability = journal::Durability::Sync;
  });
  const auto is_flush = [](const LatencyMessage& message) {
    return message.cause == static_cast<std::uint64_t>(LatencyCause::Flush);
  };
  // A thread that loses its processor for longer than a flush has another cause.
  LatencyReading reading;
  const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
  while (std::ranges::none_of(reading.messages, is_flush) && os::now().steady_ns < give_up_ns) {
    const std::size_t wanted = pair_->firm_application.messages.size() + 1;
    ASSERT_TRUE(send_order(pair_->firm(), "order").sent());
    ASSERT_TRUE(pair_->turn_until([&] {
      for (engine::Engine* const engine : pair_->engines()) {
        engine->flush_journals();
      }
      return pair_->firm_application.messages.size() == wanted;
    }));
    reading = read("venue");
  }
  const auto order = std::ranges::find_if(reading.messages, is_flush);
  ASSERT_NE(order, reading.messages.end());
  EXPECT_EQ(order->wait_ns, (*order)[LatencyStep::Sent] - (*order)[LatencyStep::Committed]);
}

TEST_F(EngineLatency, TheWorkersDelayIsTheCauseForInputThatLayInTheKernelMeanwhile) {
  // A second session of the same worker, whose end writes lines to the log.
  open([this](config::Configuration& configuration) {
    configuration.sessions.front().worker = 0;
    const bool accepts = !configuration.servers.empty();
    config::SessionSettings& other =
        add_session(configuration, accepts ? "VENUE" : "OTHER", accepts ? "OTHER" : "VENUE",
                    directory_.path(accepts ? "theirs" : "ours"));
    other.name = "OTHER";
    other.worker = 0;
  });
  const host::SessionHandle other = pair_->initiator->sessions().back();
  ASSERT_TRUE(pair_->turn_until([&] { return other.logged_on(); }));
  // Until the kernel stamps input: a message's time counts from there.
  ASSERT_TRUE(trade_until(
      "venue", [](const LatencyMessage& message) { return message[LatencyStep::Received] != 0; }));
  constexpr std::int64_t held_ns = 2 * base::ns_per_ms;
  bool sent = false;
  pair_->venue_application.when_event = [&](const host::Event&) {
    sent = sent || send_order(pair_->firm(), "meanwhile").sent();
    const std::int64_t until_ns = os::now().steady_ns + held_ns;
    while (os::now().steady_ns < until_ns) {
    }
  };
  const std::size_t wanted = pair_->firm_application.messages.size() + 1;
  pair_->initiator->sessions().back().logout("to have something to tell");
  ASSERT_TRUE(pair_->turn_until([&] { return pair_->firm_application.messages.size() == wanted; }));
  ASSERT_TRUE(sent);
  const LatencyReading reading = read("venue");
  const LatencyMessage& order = reading.messages.back();
  EXPECT_EQ(std::string(counters::latency_cause_name(order.cause).name), "log");
  EXPECT_GE(order.part_ns(LatencyPart::InStack).value_or(0),
            static_cast<std::uint64_t>(held_ns) / 2);
  EXPECT_GE(order.wait_ns, static_cast<std::uint64_t>(held_ns) / 2);
}

TEST_F(EngineLatency, AFileThatAnotherEngineWritesRefusesTheStart) {
  open();
  Recorder application;
  config::Configuration second = acceptor_configuration();
  second.engine.latency_file = directory_.path("venue");
  add_session(second, "VENUE", "FIRM", directory_.path("second"));
  const auto refused = engine::Engine::open(second, application);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().code, base::ErrorCode::Locked);
}

TEST_F(EngineLatency, WithoutTheKeyThereIsNoFileAndNoStamp) {
  open([](config::Configuration& configuration) { configuration.engine.latency_file.clear(); });
  trade();
  EXPECT_FALSE(std::filesystem::exists(directory_.path("venue")));
}

TEST_F(EngineLatency, AFileOutlivesItsEngine) {
  open();
  trade();
  EXPECT_TRUE(read("venue").running);
  pair_.reset();
  const LatencyReading reading = read("venue");
  EXPECT_FALSE(reading.running);
  EXPECT_EQ(reading.messages.size(), 1U);
}

}  // namespace
}  // namespace affix::support
