// SPDX-License-Identifier: MIT
// The GoogleTest fixture: scenarios are tests against an engine of this process, on a thread of its
// own.
#include "affix/certify/gtest.hpp"
#include "affix/config/configuration.hpp"
#include "affix/engine/engine.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>

namespace {

namespace certify = affix::certify;

/// Session messages are answered by the engine, and others are not.
class Silent final : public affix::host::Application {
 public:
  void on_message(affix::host::SessionHandle /*session*/,
                  const affix::wire::MessageView& /*message*/,
                  const affix::host::Delivery& /*delivery*/) noexcept override {}
};

class Venue : public certify::ScenarioTest {
 protected:
  void SetUp() override {
    auto configuration = affix::config::parse_configuration(
        "[SERVER]\ntype=server\naccept_port=0\nnic_address=127.0.0.1\n[SESSION]\ntype=session\n"
        "begin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id=ME\ndurability=memory\n",
        "test");
    ASSERT_TRUE(configuration.has_value());
    auto engine = affix::engine::Engine::open(*configuration, application_);
    ASSERT_TRUE(engine.has_value());
    engine_ = std::move(*engine);
    thread_ = std::thread([this] { engine_->run(); });
  }

  void TearDown() override {
    engine_->request_stop();
    thread_.join();
  }

  certify::RunOptions engine() override {
    return {.address = engine_->listening_addresses().front().text(),
            .sessions = {{"FIX.4.4", {"ME", "VENUE"}}},
            .keeps_numbers = true,
            .dictionaries = AFFIX_DICTIONARIES};
  }

 private:
  Silent application_;
  std::unique_ptr<affix::engine::Engine> engine_;
  std::thread thread_;
};

TEST_P(Venue, Passes) {
  play();
}

INSTANTIATE_TEST_SUITE_P(
    Session, Venue,
    testing::ValuesIn(certify::scenarios_for_tests({AFFIX_SCENARIOS "/session/10_reset.scenario"})),
    certify::test_name);

TEST(ScenariosForTests, AreThoseOfTheFileWithLegalNames) {
  const auto names = certify::scenarios_for_tests({AFFIX_SCENARIOS "/orders/02_fill.scenario"});
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.front().id, "fill");
  EXPECT_EQ(certify::test_name({names[1], 1}), "partial_fill_" + std::to_string(names[1].line));
}

TEST(ScenariosForTests, AWrongFileIsOneTestThatFails) {
  const auto names = certify::scenarios_for_tests({"/nowhere.scenario"});
  ASSERT_EQ(names.size(), 1U);
  EXPECT_EQ(names.front().title, "/nowhere.scenario: cannot be read\n");
}

}  // namespace
