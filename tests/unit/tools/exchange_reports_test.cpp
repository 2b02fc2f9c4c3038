// SPDX-License-Identifier: MIT
// The exchange's reports in every version, each validated by the version's standard dictionary.
#include "dialect_case.hpp"
#include "exchange/messages/dialect.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::tools::exchange {
namespace {

class Written : public WrittenMessage {
 public:
  template <typename Message>
  Written(const char* begin_string, const Message& message)
      : WrittenMessage(begin_string, msg_type_of(message), [&](const wire::Encoder& begun) {
          return dialect_of(begin_string).write(begun, message, {"RUN-", base::UtcTime{}});
        }) {}
};

ExecutionReport fill(OrderStatus status) {
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

CancelReject late_replace() {
  CancelReject reject;
  reject.reason = Reason::TooLateToCancel;
  reject.is_replace = true;
  reject.status = OrderStatus::Filled;
  reject.order_id = 5;
  reject.cl_ord_id = "A2";
  reject.orig_cl_ord_id = "A1";
  return reject;
}

TEST(Reports, AFillSaysTradeFromFix44) {
  for (const char* version : {"FIX.4.4", "FIXT.1.1"}) {
    const Written written(version, fill(OrderStatus::PartiallyFilled));
    const auto view = written.view();
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
}

TEST(Reports, AFillSaysHowFarItWentInFix42) {
  const Written partial("FIX.4.2", fill(OrderStatus::PartiallyFilled));
  EXPECT_EQ(partial.view().find(150), "1");
  EXPECT_EQ(partial.view().find(20), "0");
  EXPECT_EQ(partial.view().find(32), "40");
  const Written whole("FIX.4.2", fill(OrderStatus::Filled));
  EXPECT_EQ(whole.view().find(150), "2");
}

TEST(Reports, AStatusHasNoExecIdAndSaysSo) {
  ExecutionReport report = fill(OrderStatus::New);
  report.type = ExecType::OrderStatus;
  report.exec_id = 0;
  const Written old("FIX.4.2", report);
  EXPECT_EQ(old.view().find(20), "3");
  EXPECT_EQ(old.view().find(150), "0");
  EXPECT_EQ(old.view().find(17), "0");
  EXPECT_EQ(old.view().find(32), std::nullopt);
  EXPECT_EQ(Written("FIX.4.4", report).view().find(150), "I");
}

TEST(Reports, AReplacedOrderIsReplacedInFix42AndNewLater) {
  ExecutionReport report = fill(OrderStatus::New);
  report.type = ExecType::Replaced;
  report.orig_cl_ord_id = "A0";
  EXPECT_EQ(Written("FIX.4.2", report).view().find(39), "5");
  EXPECT_EQ(Written("FIX.4.4", report).view().find(39), "0");
  EXPECT_EQ(Written("FIXT.1.1", report).view().find(41), "A0");
}

TEST(Reports, ARejectionHasReasonAndText) {
  ExecutionReport report;
  report.type = ExecType::Rejected;
  report.status = OrderStatus::Rejected;
  report.reason = Reason::UnknownSymbol;
  report.cl_ord_id = "A1";
  report.symbol = "NONE";
  for (const char* version : begin_strings) {
    const Written written(version, report);
    const auto view = written.view();
    EXPECT_EQ(view.find(150), "8");
    EXPECT_EQ(view.find(37), "NONE");
    EXPECT_EQ(view.find(103), "1");
    EXPECT_EQ(view.find(58), to_text(Reason::UnknownSymbol));
    EXPECT_EQ(view.find(38), std::nullopt);
  }
}

TEST(Reports, EveryReasonIsOneOfTheVersion) {
  // The dictionary's lists apply to the written message.
  for (const char* version : begin_strings) {
    for (auto reason = Reason::MissingClOrdId; reason <= Reason::EndOfDay;
         reason = static_cast<Reason>(static_cast<int>(reason) + 1)) {
      ExecutionReport report = fill(OrderStatus::Rejected);
      report.type = ExecType::Rejected;
      report.reason = reason;
      static_cast<void>(Written(version, report));
      CancelReject reject = late_replace();
      reject.reason = reason;
      static_cast<void>(Written(version, reject));
    }
  }
}

TEST(Reports, ACancelRejectNamesBothIds) {
  for (const char* version : begin_strings) {
    const Written written(version, late_replace());
    const auto view = written.view();
    EXPECT_EQ(view.find(11), "A2");
    EXPECT_EQ(view.find(41), "A1");
    EXPECT_EQ(view.find(434), "2");
    EXPECT_EQ(view.find(102), "0");
    EXPECT_EQ(view.find(39), "2");
  }
}

TEST(Reports, FollowTheBeginString) {
  EXPECT_EQ(&dialect_of("FIX.4.0"), &dialect_of("FIX.4.2"));
  EXPECT_EQ(&dialect_of("FIX.4.3"), &dialect_of("FIX.4.4"));
  EXPECT_NE(&dialect_of("FIX.4.2"), &dialect_of("FIX.4.4"));
  EXPECT_NE(&dialect_of("FIX.4.4"), &dialect_of("FIXT.1.1"));
  EXPECT_NE(&dialect_of("FIX.4.2"), &dialect_of("FIXT.1.1"));
}

// --- Market data ---

class MarketDataMessages : public ::testing::TestWithParam<const char*> {
 protected:
  static MarketDataNews news(bool snapshot, std::span<const MarketDataEntry> entries) {
    return {.owner = 0,
            .request_id = "M1",
            .symbol = "IBM",
            .snapshot = snapshot,
            .book_wanted = true,
            .depth = 0,
            .entries = entries};
  }

  static bool is_fix50() { return std::string_view(GetParam()) == "FIXT.1.1"; }

  /// The version's fields for the kind of book and for a level's position.
  static std::string book_type() { return is_fix50() ? "1021=2|" : ""; }

  static std::string position(int number) {
    return (is_fix50() ? "1023=" : "290=") + std::to_string(number) + "|";
  }
};

INSTANTIATE_TEST_SUITE_P(Versions, MarketDataMessages, ::testing::ValuesIn(begin_strings),
                         test_name);

constexpr MarketDataEntry bid_level{.action = UpdateAction::New,
                                    .type = EntryType::Bid,
                                    .price = {1250, -2},
                                    .quantity = {300, 0},
                                    .order_count = 3,
                                    .position = 1,
                                    .match_id = 0,
                                    .time = {}};
constexpr MarketDataEntry gone_offer{.action = UpdateAction::Delete,
                                     .type = EntryType::Offer,
                                     .price = {1260, -2},
                                     .quantity = {},
                                     .order_count = 0,
                                     .position = 0,
                                     .match_id = 0,
                                     .time = {}};
constexpr MarketDataEntry trade{.action = UpdateAction::New,
                                .type = EntryType::Trade,
                                .price = {1251, -2},
                                .quantity = {7, 0},
                                .order_count = 0,
                                .position = 0,
                                .match_id = 42,
                                .time = {base::ns_per_day + base::ns_per_second, 0}};

TEST_P(MarketDataMessages, ASnapshotListsLevelsAndTheLastTrade) {
  const std::array entries{bid_level, trade};
  const Written written(GetParam(), news(true, entries));
  EXPECT_EQ(written.body(), book_type() + "262=M1|55=IBM|268=2|269=0|270=12.50|271=300|346=3|" +
                                position(1) +
                                "269=2|270=12.51|271=7|272=19700102|273=00:00:01.000|");
}

TEST_P(MarketDataMessages, AnEmptyBookHasAWordSinceFix50AndIsAnEmptyGroupBefore) {
  const Written written(GetParam(), news(true, {}));
  EXPECT_EQ(written.body(),
            is_fix50() ? "1021=2|262=M1|55=IBM|268=1|269=J|" : "262=M1|55=IBM|268=0|");
}

TEST_P(MarketDataMessages, IncrementsHaveTheChanges) {
  MarketDataEntry changed = bid_level;
  changed.action = UpdateAction::Change;
  const std::array entries{trade, gone_offer, changed};
  const Written written(GetParam(), news(false, entries));
  EXPECT_EQ(written.body(),
            book_type() +
                "262=M1|268=3|279=0|269=2|278=RUN-42|55=IBM|270=12.51|271=7|272=19700102|"
                "273=00:00:01.000|279=2|269=1|55=IBM|270=12.60|279=1|269=0|55=IBM|270=12.50|"
                "271=300|346=3|" +
                position(1));
}

TEST_P(MarketDataMessages, ARefusalHasReasonTextAndSymbol) {
  const Written unknown(GetParam(),
                        MarketDataReject{"M1", MarketDataRefusal::UnknownSymbol, "ACME"});
  EXPECT_EQ(unknown.body(), "262=M1|281=0|58=unknown symbol: ACME|");
  // FIX has no code for this one.
  const Written nothing(GetParam(),
                        MarketDataReject{"M1", MarketDataRefusal::UnknownRequestId, {}});
  EXPECT_EQ(nothing.body(), "262=M1|58=no subscription has this MDReqID|");
  for (auto refusal = MarketDataRefusal::UnknownSymbol; refusal <= MarketDataRefusal::BookTooLarge;
       refusal = static_cast<MarketDataRefusal>(static_cast<int>(refusal) + 1)) {
    const Written written(GetParam(), MarketDataReject{"M1", refusal, {}});
    EXPECT_EQ(written.view().find(58), to_text(refusal));
  }
}

}  // namespace
}  // namespace affix::tools::exchange
