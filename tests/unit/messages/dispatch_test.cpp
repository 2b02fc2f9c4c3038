// SPDX-License-Identifier: MIT
// Selection of an application's function for a message. Includes only the headers of handled
// messages.
#include "affix/messages/dispatch.hpp"

#include "affix/fix44/dispatch.hpp"
#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/new_order_single.hpp"
#include "affix/wire/index.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::messages {
namespace {

struct OrdersOnly {
  std::string calls;

  void on_message(const fix44::NewOrderSingle& order, int& extra) {
    calls += "order " + std::string(order.cl_ord_id().value_or("?"));
    ++extra;
  }
};

struct Everything : OrdersOnly {
  using OrdersOnly::on_message;

  void on_message(const fix44::ExecutionReport&, int&) { calls += "report"; }

  void on_message(const wire::MessageView&, int&) { calls += "other"; }
};

template <typename Application>
std::string call(std::string_view body, bool expected) {
  const std::string bytes = support::make_message(body);
  wire::FieldIndexOf<64> index;
  wire::index_message(bytes, index);
  Application application;
  int extra = 0;
  EXPECT_EQ(fix44::dispatch(wire::MessageView(bytes, index), application, extra), expected) << body;
  return application.calls;
}

TEST(Dispatch, FindsTheFunctionOfTheType) {
  EXPECT_EQ(call<Everything>("35=D|11=A|", true), "order A");
  EXPECT_EQ(call<Everything>("35=8|37=1|", true), "report");
}

TEST(Dispatch, TheRestGoesToTheCatchAll) {
  EXPECT_EQ(call<Everything>("35=F|", true), "other");
  EXPECT_EQ(call<Everything>("35=U1|", true), "other");
  EXPECT_EQ(call<Everything>("35=NINELETTERS|", true), "other");
}

TEST(Dispatch, SaysWhenThereIsNoFunction) {
  EXPECT_EQ(call<OrdersOnly>("35=D|11=A|", true), "order A");
  EXPECT_EQ(call<OrdersOnly>("35=8|37=1|", false), "");
  EXPECT_EQ(call<OrdersOnly>("35=U1|", false), "");
}

}  // namespace
}  // namespace affix::messages
