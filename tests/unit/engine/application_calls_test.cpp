// SPDX-License-Identifier: MIT
// on_turn_end() follows callbacks, and nothing else.
#include "engine/application_calls.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

class TurnEndCounter final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}

  void on_turn_end() noexcept override {
    ++count;
    if (calls_back != nullptr) {
      static_cast<void>(calls_back->for_callback());
    }
  }

  int count = 0;
  ApplicationCalls* calls_back = nullptr;
};

TEST(ApplicationCalls, TheTurnEndIsDueAfterACallback) {
  TurnEndCounter application;
  ApplicationCalls calls(application);
  EXPECT_EQ(&calls.for_hook(), &application);
  EXPECT_FALSE(calls.turn_end_due());
  calls.end_turn();
  EXPECT_EQ(application.count, 0);
  EXPECT_EQ(&calls.for_callback(), &application);
  static_cast<void>(calls.for_callback());
  EXPECT_TRUE(calls.turn_end_due());
  calls.end_turn();
  EXPECT_EQ(application.count, 1);
  EXPECT_FALSE(calls.turn_end_due());
}

TEST(ApplicationCalls, CallbacksThatItCausesAreFollowedByAnother) {
  TurnEndCounter application;
  ApplicationCalls calls(application);
  application.calls_back = &calls;
  static_cast<void>(calls.for_callback());
  calls.end_turn();
  EXPECT_TRUE(calls.turn_end_due());
}

}  // namespace
}  // namespace affix::engine
