// SPDX-License-Identifier: MIT
// Sessions with a callback thread that are removed in order and added again under load, and an
// engine that ends in order: processed messages are not redelivered.
#include "affix/config/words.hpp"

#include "support/engine_case.hpp"
#include "support/recording_disk.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <utility>

namespace affix::support {
namespace {

/// Answers each order on its callback thread, and records repeated ones.
class Venue final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    wire::Encoder report = sender->begin(session, "8");
    report.text(11, message.find(11U).value_or("?"));
    static_cast<void>(sender->commit(report));
    redelivered += delivery.redelivered ? 1U : 0U;
    const bool fresh = seen_.insert(std::string(message.find(11U).value_or("?"))).second;
    twice += fresh ? 0U : 1U;
    ++count;
  }

  engine::CrossThreadSender* sender = nullptr;
  std::atomic<std::uint64_t> count{0};
  std::atomic<std::uint64_t> redelivered{0};
  std::atomic<std::uint64_t> twice{0};

 private:
  std::set<std::string> seen_;  // The callback thread's.
};

/// Reactor and durability.
using Ways = std::pair<const char*, const char*>;

class EngineOrderlyEnd : public testing::TestWithParam<Ways> {
 protected:
  static constexpr std::array<const char*, 3> names{"ONE", "TWO", "THREE"};

  [[nodiscard]] config::Configuration venue_settings() const {
    config::Configuration settings = acceptor_configuration();
    EXPECT_TRUE(config::choose(settings.servers.front(), "reactor", GetParam().first));
    settings.servers.front().worker_thread_count = 2;
    settings.servers.front().accept_port = port_;
    settings.engine.callback_queue_bytes = 16 * 1024;
    for (const char* name : names) {
      config::SessionSettings& session =
          add_session(settings, "VENUE", name, directory_.path("venue"));
      session.callback_thread = 0;
      EXPECT_TRUE(config::choose(session, "durability", GetParam().second));
      session.max_message_bytes = 2'048;
      session.max_serialised_file_size = 256 * 1024;  // Several segments in a process's life.
    }
    return settings;
  }

  void start_venue() {
    venue_ = open_engine(venue_settings(), application_);
    ASSERT_TRUE(venue_);
    port_ = port_of(*venue_);
    sender_ =
        std::make_unique<engine::CrossThreadSender>(std::move(*venue_->open_cross_thread_sender()));
    application_.sender = sender_.get();
    thread_ = std::thread([this] { venue_->run(); });
  }

  void stop_venue() {
    venue_->request_stop();
    std::atomic<bool> ended{false};
    std::thread waiting([&] {
      thread_.join();
      ended = true;
    });
    // The peers answer the logouts, and send until then.
    EXPECT_TRUE(turn_until({firm_.get()}, [&] {
      load();
      return ended.load();
    }));
    waiting.join();
    sender_.reset();
    venue_.reset();
  }

  void load() {
    for (const host::SessionHandle session : firm_->sessions()) {
      for (int order = 0; order < 5 && session.logged_on(); ++order) {
        static_cast<void>(send_order(session, "N" + std::to_string(++sent_)));
      }
    }
  }

  [[nodiscard]] bool done(const engine::Change& change) {
    return turn_until({firm_.get()}, [&] {
      load();
      return change.done();
    });
  }

  TemporaryDirectory directory_;
  Venue application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::CrossThreadSender> sender_;
  std::thread thread_;
  Recorder firm_application_;
  std::unique_ptr<engine::Engine> firm_;
  std::uint16_t port_ = 0;
  std::uint64_t sent_ = 0;
};

TEST_P(EngineOrderlyEnd, ProcessedMessagesDoNotComeAgain) {
  ASSERT_NO_FATAL_FAILURE(start_venue());
  config::Configuration settings = initiator_configuration(port_);
  for (const char* name : names) {
    add_session(settings, name, "VENUE", directory_.path("firm")).name = name;
  }
  firm_ = open_engine(settings, firm_application_);
  ASSERT_TRUE(firm_);
  const auto rounds = static_cast<int>(
      std::getenv("AFFIX_ROUNDS") != nullptr ? std::atoi(std::getenv("AFFIX_ROUNDS")) : 12);
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const std::uint64_t wanted = application_.count + 300;
    ASSERT_TRUE(turn_until({firm_.get()}, [&] {
      load();
      return application_.count >= wanted;
    }));
    if (round % 4 == 3) {
      ASSERT_NO_FATAL_FAILURE(stop_venue());
      ASSERT_NO_FATAL_FAILURE(start_venue());
    } else {
      const std::size_t which = static_cast<std::size_t>(round) % names.size();
      auto removal = venue_->remove_session(names[which], "for a while", patience_ns);
      ASSERT_TRUE(removal) << config::text_of(removal.error());
      ASSERT_TRUE(done(*removal));
      EXPECT_FALSE(removal->sessions().front().forced);
      auto addition = venue_->add_sessions({venue_settings().sessions[which]});
      ASSERT_TRUE(addition) << config::text_of(addition.error());
      ASSERT_TRUE(done(*addition));
    }
    ASSERT_EQ(application_.redelivered, 0U);
    ASSERT_EQ(application_.twice, 0U);
  }
  ASSERT_NO_FATAL_FAILURE(stop_venue());
}

INSTANTIATE_TEST_SUITE_P(Ways, EngineOrderlyEnd,
                         testing::Values(Ways{"EPOLL", "process"}, Ways{"IO_URING", "process"},
                                         Ways{"EPOLL", "group"}, Ways{"IO_URING", "group"},
                                         Ways{"EPOLL", "sync"}, Ways{"IO_URING", "sync"}),
                         [](const auto& one) {
                           return std::string(one.param.first) + "_" + one.param.second;
                         });

}  // namespace
}  // namespace affix::support
