// SPDX-License-Identifier: MIT
// A successor's engine has its dictionaries and measurements before it takes over.
#include "engine/groundwork.hpp"

#include "affix/engine/engine.hpp"
#include "affix/engine/succession.hpp"

#include "support/temporary_directory.hpp"
#include "support/validation_dictionary.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <utility>

namespace affix::engine {
namespace {

class NoApplication final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}
};

class GroundworkTest : public ::testing::Test {
 protected:
  GroundworkTest() {
    write_dictionary(support::small_xml());
    config::ServerSettings server;
    server.name = "VENUE";
    server.nic_address = "127.0.0.1";
    configuration_.servers.push_back(server);
    config::SessionSettings session;
    session.name = "FIRM";
    session.instance = "VENUE";
    session.begin_string = "FIX.4.4";
    session.sender_comp_id = "VENUE";
    session.target_comp_id = "FIRM";
    session.journal_path = directory_.path("journal");
    session.dictionary = directory_.path("a.xml");
    configuration_.sessions.push_back(session);
  }

  void write_dictionary(const std::string& text) const {
    std::ofstream(directory_.path("a.xml")) << text;
  }

  [[nodiscard]] std::expected<std::unique_ptr<Engine>, config::Problems> open(
      std::shared_ptr<Groundwork> groundwork) {
    Succession succession;
    succession.groundwork = std::move(groundwork);
    return Engine::open(configuration_, application_, nullptr, std::move(succession));
  }

  support::TemporaryDirectory directory_;
  config::Configuration configuration_;
  NoApplication application_;
};

TEST_F(GroundworkTest, WhatWasReadIsNotReadAgain) {
  auto laid = lay_groundwork(configuration_);
  ASSERT_NE(laid, nullptr);
  write_dictionary("gone");
  EXPECT_FALSE(open(nullptr));
  const auto engine = open(std::move(laid));
  EXPECT_TRUE(engine) << config::text_of(engine.error());
}

TEST_F(GroundworkTest, TheDiskOfTheJournalsIsMeasured) {
  const auto laid = lay_groundwork(configuration_);
  ASSERT_NE(laid, nullptr);
  EXPECT_EQ(laid->pages.take_notes().size(), 1U);
  static_cast<void>(laid->pages.for_directory(configuration_.sessions.front().journal_path));
  EXPECT_TRUE(laid->pages.take_notes().empty());
}

TEST_F(GroundworkTest, AFaultyDictionaryIsLeftToTheEngine) {
  write_dictionary("<fix");
  const auto laid = lay_groundwork(configuration_);
  EXPECT_EQ(laid, nullptr);
  const auto engine = open(laid);
  ASSERT_FALSE(engine);
  EXPECT_NE(config::text_of(engine.error()).find("a.xml"), std::string::npos);
}

}  // namespace
}  // namespace affix::engine
