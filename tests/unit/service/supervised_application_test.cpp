// SPDX-License-Identifier: MIT
// The watchdog's question: answered once every worker has responded since it was asked.
#include "service/supervised_application.hpp"

#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace affix::service {
namespace {

TEST(WorkerPulse, EveryWorkerMustHaveComeBySinceTheQuestion) {
  WorkerPulse pulse;
  pulse.ask();
  EXPECT_FALSE(pulse.all_noted(1));
  pulse.noted();
  pulse.noted();  // The same thread counts once.
  EXPECT_TRUE(pulse.all_noted(1));
  EXPECT_FALSE(pulse.all_noted(2));
  std::thread([&pulse] { pulse.noted(); }).join();
  EXPECT_TRUE(pulse.all_noted(2));
  pulse.ask();
  EXPECT_FALSE(pulse.all_noted(1));
  pulse.noted();
  EXPECT_TRUE(pulse.all_noted(1));
  EXPECT_FALSE(pulse.all_noted(2));  // The other has not responded again.
}

class Silent final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    static_cast<void>(session);
    static_cast<void>(message);
    static_cast<void>(delivery);
  }

  void on_wake() noexcept override { ++wakes; }

  void on_event(const host::Event& event) noexcept override { last_event = event.text; }

  int wakes = 0;
  std::string last_event;
};

TEST(SupervisedApplication, LogsEventsAnswersTheQuestionAndPassesBothOn) {
  const support::TemporaryDirectory directory;
  config::EngineSettings settings;
  settings.log_file = directory.path("log");
  auto log = EventLog::open(settings);
  ASSERT_TRUE(log);
  Silent silent;
  const ServiceNotice notice({}, 0);
  RoleDuties roles({}, notice, *log);
  SupervisedApplication supervised(silent, *log, roles);
  supervised.pulse().ask();
  supervised.on_wake();
  EXPECT_TRUE(supervised.pulse().all_noted(1));
  EXPECT_EQ(silent.wakes, 1);
  supervised.on_event({host::Event::Severity::Warning, "DESK", "the peer is silent"});
  EXPECT_EQ(silent.last_event, "the peer is silent");
  log->flush();
  const std::string text = support::read_file(settings.log_file);
  EXPECT_NE(text.find("WARNING -    DESK: the peer is silent\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace affix::service
