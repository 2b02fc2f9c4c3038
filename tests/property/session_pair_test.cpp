// SPDX-License-Identifier: MIT
// Two sessions over a link that breaks at any byte: every application message arrives once and in
// order, and both sides agree in the end.

#include "affix/testing/session_pair.hpp"

#include "affix/testing/message_text.hpp"

#include <gtest/gtest.h>
#include <random>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <string>

namespace affix {

namespace {

using base::ns_per_ms;
using base::ns_per_second;
using session::Phase;
using session::SessionOptions;
using testing::SessionPair;

SessionOptions make_options(std::string_view begin_string) {
  SessionOptions options;
  options.begin_string = begin_string;
  options.sender_comp_id = "INITIATOR";
  options.target_comp_id = "ACCEPTOR";
  if (begin_string == "FIXT.1.1") {
    options.default_appl_ver_id = "9";
  }
  return options;
}

/// Orders of one direction: sent with a counter in 11, expected once and in order.
struct Flow {
  std::uint64_t sent = 0;

  bool send(testing::SessionEndpoint& endpoint) {
    const bool done = endpoint.send("D", "11=" + std::to_string(sent + 1) + "|55=X").has_value();
    sent += done ? 1 : 0;
    return done;
  }

  /// Fault in the deliveries, or "".
  [[nodiscard]] std::string fault(const testing::SessionEndpoint& receiver, bool all) const {
    std::uint64_t next = 1;
    for (const auto& delivered : receiver.delivered) {
      const std::string id(testing::field_of(delivered.bytes, 11));
      if (id != std::to_string(next)) {
        return "expected " + std::to_string(next) + ", delivered " + id;
      }
      ++next;
    }
    if (next - 1 > sent || (all && next - 1 != sent)) {
      return "sent " + std::to_string(sent) + ", delivered " + std::to_string(next - 1);
    }
    return {};
  }
};

class Run {
 public:
  Run(const SessionOptions& options, std::uint32_t seed)
      : random_(seed), pair_(options, ns_per_ms * (1 + seed % 50)) {
    for (testing::SessionEndpoint* endpoint : {&pair_.initiator, &pair_.acceptor}) {
      endpoint->replay_page = 1 + seed % 7;
    }
  }

  /// Runs `steps` random steps, then a quiet time. Returns the fault found, or "".
  std::string live(int steps) {
    for (int count = 0; count < steps; ++count) {
      act();
      if (std::string fault = check(false); !fault.empty()) {
        return "step " + std::to_string(count) + ": " + fault;
      }
    }
    if (!pair_.connected()) {
      pair_.connect();
    }
    pair_.run(5 * ns_per_second);
    if (pair_.initiator.phase() !=
        Phase::Active) {  // A cut logon may have left one side with a fault to handle.
      pair_.cut();
      pair_.connect();
    }
    to_acceptor_.send(pair_.initiator);
    to_initiator_.send(pair_.acceptor);
    pair_.run(300 * ns_per_second);
    // No heartbeat may be in transit when numbers are compared.
    to_acceptor_.send(pair_.initiator);
    to_initiator_.send(pair_.acceptor);
    pair_.run(10 * ns_per_second);
    return check(true);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  void act() {
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
        for (std::uint32_t count = below(20); count > 0; --count) {
          to_acceptor_.send(pair_.initiator);
        }
        break;
      case 3:
      case 4:
      case 5:
        for (std::uint32_t count = below(20); count > 0; --count) {
          to_initiator_.send(pair_.acceptor);
        }
        break;
      case 6:
        pair_.cut(below(400), below(400));
        break;
      case 7:
        if (pair_.connected() && below(4) == 0) {
          (below(2) == 0 ? pair_.initiator : pair_.acceptor).logout();
        }
        break;
      case 8:
        if (!pair_.connected() && below(2) == 0) {
          (below(2) == 0 ? pair_.initiator : pair_.acceptor).restart();
        }
        break;
      case 9:
        pair_.clock.step_utc((static_cast<std::int64_t>(below(21)) - 10) * ns_per_second);
        break;
      default:
        pair_.run(below(100) == 0 ? 100 * ns_per_second : below(200) * ns_per_ms);
        break;
    }
    if (!pair_.connected() && below(3) == 0) {
      pair_.connect();
    }
  }

  std::string check(bool all) {
    if (std::string fault = to_acceptor_.fault(pair_.acceptor, all); !fault.empty()) {
      return "to acceptor: " + fault;
    }
    if (std::string fault = to_initiator_.fault(pair_.initiator, all); !fault.empty()) {
      return "to initiator: " + fault;
    }
    if (all && (pair_.initiator.state().next_outgoing != pair_.acceptor.state().next_expected ||
                pair_.acceptor.state().next_outgoing != pair_.initiator.state().next_expected)) {
      return "numbers differ";
    }
    for (const testing::SessionEndpoint* endpoint : {&pair_.initiator, &pair_.acceptor}) {
      for (const auto& report : endpoint->reports) {
        if (report.event == session::Event::Rejected ||
            report.event == session::Event::RejectReceived ||
            report.event == session::Event::SequenceTooLow ||
            report.event == session::Event::Garbled) {
          return std::string(session::to_text(report.event)) + " " + report.text;
        }
      }
    }
    return {};
  }

  std::mt19937 random_;
  SessionPair pair_;
  Flow to_acceptor_;
  Flow to_initiator_;
};

}  // namespace

TEST(SessionPair, LogsOnTradesAndLogsOut) {
  for (const std::string_view version :
       {"FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4", "FIXT.1.1"}) {
    SessionPair pair(make_options(version));
    pair.connect();
    pair.run(ns_per_second);
    ASSERT_EQ(pair.initiator.phase(), Phase::Active);
    ASSERT_EQ(pair.acceptor.phase(), Phase::Active);
    Flow flow;
    for (int count = 0; count < 100; ++count) {
      ASSERT_TRUE(flow.send(pair.initiator));
    }
    pair.run(3600 * ns_per_second);
    EXPECT_EQ(flow.fault(pair.acceptor, true), "");
    EXPECT_EQ(pair.initiator.phase(), Phase::Active);
    pair.initiator.logout("end of day");
    pair.run(ns_per_second);
    EXPECT_FALSE(pair.connected());
    EXPECT_EQ(pair.initiator.state().next_outgoing, pair.acceptor.state().next_expected);
    EXPECT_EQ(pair.acceptor.state().next_outgoing, pair.initiator.state().next_expected);
  }
}

TEST(SessionPair, BothSidesMissMuchAndBothRecover) {
  SessionPair pair(make_options("FIX.4.4"));
  pair.connect();
  pair.run(ns_per_second);
  Flow to_acceptor;
  Flow to_initiator;
  for (int count = 0; count < 500; ++count) {
    ASSERT_TRUE(to_acceptor.send(pair.initiator));
    ASSERT_TRUE(to_initiator.send(pair.acceptor));
  }
  static_cast<void>(pair.initiator.take_output());
  static_cast<void>(pair.acceptor.take_output());
  pair.cut();
  pair.connect();
  pair.run(10 * ns_per_second);
  EXPECT_EQ(to_acceptor.fault(pair.acceptor, true), "");
  EXPECT_EQ(to_initiator.fault(pair.initiator, true), "");
  EXPECT_EQ(pair.initiator.phase(), Phase::Active);
}

RC_GTEST_PROP(SessionPair, DeliversOnceAndInOrderWhateverBreaks, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const auto version =
      *rc::gen::element<std::string_view>("FIX.4.0", "FIX.4.2", "FIX.4.4", "FIXT.1.1");
  SessionOptions options = make_options(version);
  options.resend_end = *rc::gen::element(session::ResendEnd::Infinity, session::ResendEnd::Gap);
  options.resend_range_max = *rc::gen::element<std::uint64_t>(0, 3, 50, 10'000);
  options.include_next_expected = version != "FIX.4.0" && *rc::gen::arbitrary<bool>();
  Run run(options, seed);
  const std::string fault = run.live(200);
  RC_ASSERT(fault == "");
}

}  // namespace affix
