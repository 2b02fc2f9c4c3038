// SPDX-License-Identifier: MIT
// The exchange's reports as fields, in the vocabulary of the member's FIX version.
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "exchange/reports.hpp"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::tools::exchange {
namespace {

class Reports : public ::testing::Test {
 protected:
  wire::MessageView written(const ExecutionReport& report, FixVocabulary vocabulary) {
    wire::Encoder message(buffer_);
    message.begin("FIX.4.4", "8");
    write_execution(message, report, {vocabulary, "RUN-", base::UtcTime{}});
    return view_of(message);
  }

  wire::MessageView written(const CancelReject& reject) {
    wire::Encoder message(buffer_);
    message.begin("FIX.4.4", "9");
    write_cancel_reject(message, reject, {FixVocabulary::Fix44, "RUN-", base::UtcTime{}});
    return view_of(message);
  }

  static ExecutionReport fill(OrderStatus status) {
    ExecutionReport report;
    report.type = ExecType::Trade;
    report.status = status;
    report.order_id = 5;
    report.exec_id = 9;
    report.cl_ord_id = "A1";
    report.symbol = "IBM";
    report.quantity = base::Decimal{100, 0};
    report.price = base::Decimal{1250, -2};
    report.last_quantity = {40, 0};
    report.last_price = {1249, -2};
    report.leaves = {60, 0};
    report.filled = {40, 0};
    report.notional = {40 * 1249, -2};
    return report;
  }

 private:
  wire::MessageView view_of(wire::Encoder& message) {
    const auto bytes = message.finish();
    EXPECT_TRUE(bytes) << wire::to_text(message.error());
    wire::index_message(bytes.value_or(""), index_);
    EXPECT_TRUE(index_.clean());
    return {bytes.value_or(""), index_};
  }

  std::array<char, 2048> buffer_;
  wire::FieldIndexOf<64> index_;
};

TEST_F(Reports, AFillSaysTradeFromFix43) {
  const auto view = written(fill(OrderStatus::PartiallyFilled), FixVocabulary::Fix44);
  EXPECT_EQ(view.find(150), "F");
  EXPECT_EQ(view.find(39), "1");
  EXPECT_EQ(view.find(20), std::nullopt);
  EXPECT_EQ(view.find(37), "RUN-5");
  EXPECT_EQ(view.find(17), "RUN-9");
  EXPECT_EQ(view.find(32), "40");
  EXPECT_EQ(view.find(31), "12.49");
  EXPECT_EQ(view.find(151), "60");
  EXPECT_EQ(view.find(14), "40");
  EXPECT_EQ(view.decimal(6).value(), (base::Decimal{1249, -2}));
}

TEST_F(Reports, AFillSaysHowFarItWentInFix42) {
  const auto partial = written(fill(OrderStatus::PartiallyFilled), FixVocabulary::Fix42);
  EXPECT_EQ(partial.find(150), "1");
  EXPECT_EQ(partial.find(20), "0");
  const auto whole = written(fill(OrderStatus::Filled), FixVocabulary::Fix42);
  EXPECT_EQ(whole.find(150), "2");
}

TEST_F(Reports, AStatusHasNoExecIdAndSaysSo) {
  ExecutionReport report = fill(OrderStatus::New);
  report.type = ExecType::OrderStatus;
  report.exec_id = 0;
  const auto old = written(report, FixVocabulary::Fix42);
  EXPECT_EQ(old.find(20), "3");
  EXPECT_EQ(old.find(150), "0");
  EXPECT_EQ(old.find(17), "0");
  EXPECT_EQ(old.find(32), std::nullopt);
  EXPECT_EQ(written(report, FixVocabulary::Fix44).find(150), "I");
}

TEST_F(Reports, ARejectionHasReasonAndText) {
  ExecutionReport report;
  report.type = ExecType::Rejected;
  report.status = OrderStatus::Rejected;
  report.reason = Reason::UnknownSymbol;
  report.cl_ord_id = "A1";
  report.symbol = "NONE";
  const auto view = written(report, FixVocabulary::Fix44);
  EXPECT_EQ(view.find(150), "8");
  EXPECT_EQ(view.find(37), "NONE");
  EXPECT_EQ(view.find(103), "1");
  EXPECT_EQ(view.find(58), to_text(Reason::UnknownSymbol));
  EXPECT_EQ(view.find(38), std::nullopt);
}

TEST_F(Reports, ACancelRejectNamesBothIds) {
  CancelReject reject;
  reject.reason = Reason::TooLateToCancel;
  reject.is_replace = true;
  reject.status = OrderStatus::Filled;
  reject.order_id = 5;
  reject.cl_ord_id = "A2";
  reject.orig_cl_ord_id = "A1";
  const auto view = written(reject);
  EXPECT_EQ(view.find(11), "A2");
  EXPECT_EQ(view.find(41), "A1");
  EXPECT_EQ(view.find(434), "2");
  EXPECT_EQ(view.find(102), "0");
  EXPECT_EQ(view.find(39), "2");
}

TEST(Vocabulary, FollowsTheBeginString) {
  EXPECT_EQ(vocabulary_of("FIX.4.2"), FixVocabulary::Fix42);
  EXPECT_EQ(vocabulary_of("FIX.4.4"), FixVocabulary::Fix44);
  EXPECT_EQ(vocabulary_of("FIXT.1.1"), FixVocabulary::Fix50);
}

}  // namespace
}  // namespace affix::tools::exchange
