// SPDX-License-Identifier: MIT
// Cost of messages in steady state: no allocation, and system calls per batch, not per message;
// with and without dictionaries. Counted in both roles, with the program's own operator new and
// socket calls.
#include "affix/counters/counter_reader.hpp"
#include "affix/journal/reader.hpp"

#include "support/allocation_count.hpp"
#include "support/engine_case.hpp"

#include <atomic>
#include <csignal>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define AFFIX_TEST_NO_COUNT 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AFFIX_TEST_NO_COUNT 1
#endif

namespace {

struct Counts {
  std::atomic<std::uint64_t> sends{0};
  std::atomic<std::uint64_t> receives{0};
  std::atomic<std::uint64_t> changes{0};  // epoll_ctl.
};

Counts counts;

}  // namespace

#ifndef AFFIX_TEST_NO_COUNT
// A program's own definitions take precedence over the C library's.
extern "C" {

ssize_t send(int fd, const void* bytes, size_t size, int flags) {
  counts.sends.fetch_add(1, std::memory_order_relaxed);
  return ::syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
}

ssize_t recv(int fd, void* bytes, size_t size, int flags) {
  counts.receives.fetch_add(1, std::memory_order_relaxed);
  return ::syscall(SYS_recvfrom, fd, bytes, size, flags, nullptr, nullptr);
}

int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  counts.changes.fetch_add(1, std::memory_order_relaxed);
  return static_cast<int>(::syscall(SYS_epoll_ctl, epoll, operation, fd, event));
}
}
#endif

namespace affix::support {
namespace {

/// Fields required by both FIX.4.4 and FIX.5.0SP2 in an order or a report, and a group.
void write_body(wire::Encoder& message) {
  message.text(11, "id");
  message.integer(453, 2);
  for (const std::string_view party : {"A", "B"}) {
    message.text(448, party);
    message.character(447, 'D');
    message.integer(452, 1);
  }
  message.text(55, "ACME");
  message.character(54, '1');
  message.text(60, "20250102-03:04:05.678");
  message.integer(38, 100);
  message.character(40, '2');
  message.text(44, "10.25");
}

/// The same for a report.
void write_report(wire::Encoder& report) {
  report.text(37, "order");
  report.text(17, "execution");
  report.character(150, '0');
  report.character(39, '0');
  report.integer(151, 100);
  report.integer(14, 0);
  report.integer(6, 0);
  write_body(report);
}

/// Answers orders with reports, and counts; allocates nothing itself.
class Answering final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    ++received;
    for (int answer = 0; answer < answers; ++answer) {
      wire::Encoder report = session.begin("8");
      write_report(report);
      sent += session.commit(report).sent() ? 1U : 0U;
    }
    if (other) {
      wire::Encoder copy = other.begin("8");
      write_report(copy);
      sent += other.commit(copy).sent() ? 1U : 0U;
    }
  }

  host::SessionHandle other;
  int answers = 0;
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
};

struct Variant {
  const char* name;
  const char* begin_string;
  const char* dictionary;
  const char* transport_dictionary;
  /// A field unknown to all dictionaries: each message breaks a rule that warns.
  bool warned;
};

constexpr Variant without_dictionary{"None", "FIX.4.4", "", "", false};
constexpr Variant with_fix44{"Fix44", "FIX.4.4", AFFIX_DICTIONARIES "/FIX44.xml", "", false};
constexpr Variant with_fixt{"Fixt11AndFix50Sp2", "FIXT.1.1", AFFIX_DICTIONARIES "/FIX50SP2.xml",
                            AFFIX_DICTIONARIES "/FIXT11.xml", false};
constexpr Variant with_warnings{"Fix44WithWarnings", "FIX.4.4", AFFIX_DICTIONARIES "/FIX44.xml", "",
                                true};

class EngineSteadyState : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
#ifdef AFFIX_TEST_NO_COUNT
    GTEST_SKIP() << "sanitizers bring their own operator new and socket calls";
#endif
    config::Configuration venue_settings = acceptor_configuration();
    for (const char* peer : {"A", "B"}) {
      judge(add_session(venue_settings, "VENUE", peer, directory_.path("venue"),
                        GetParam().begin_string));
    }
    venue_ = open_engine(venue_settings, venue_application_);
    config::Configuration firm_settings = initiator_configuration(port_of(*venue_));
    for (const char* name : {"A", "B"}) {
      config::SessionSettings& settings = add_session(
          firm_settings, name, "VENUE", directory_.path("firm"), GetParam().begin_string);
      settings.name = name;
      judge(settings);
    }
    firm_ = open_engine(firm_settings, firm_application_);
    ASSERT_TRUE(turn_until({venue_.get(), firm_.get()}, [&] {
      return venue_->session("A").logged_on() && venue_->session("B").logged_on() &&
             firm_->session("A").logged_on() && firm_->session("B").logged_on();
    }));
  }

  static void judge(config::SessionSettings& settings) {
    settings.dictionary = GetParam().dictionary;
    settings.transport_dictionary = GetParam().transport_dictionary;
  }

  [[nodiscard]] static bool send_one(host::SessionHandle session) {
    wire::Encoder order = session.begin("D");
    write_body(order);
    if (GetParam().warned) {
      order.text(20001, "unknown");
    }
    return session.commit(order).sent();
  }

  /// Turns without the allocations of turn_until().
  [[nodiscard]] bool firm_receives(std::uint64_t wanted) {
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (firm_application_.received < wanted) {
      venue_->poll(0);
      firm_->poll(0);
      venue_->prepare_journals();
      firm_->prepare_journals();
      if (os::now().steady_ns > give_up_ns) {
        return false;
      }
    }
    return true;
  }

  void send_orders(int count) {
    for (int order = 0; order < count; ++order) {
      ASSERT_TRUE(send_one(firm_->session("A")));
    }
  }

  TemporaryDirectory directory_;
  Answering venue_application_;
  Answering firm_application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
};

TEST_P(EngineSteadyState, NothingIsAllocatedPerMessage) {
  venue_application_.answers = 1;
  const host::SessionHandle session = firm_->session("A");
  std::uint64_t expected = 0;
  const auto round = [&] {
    for (int order = 0; order < 100; ++order) {
      ASSERT_TRUE(send_one(session));
      ++expected;
      ASSERT_TRUE(firm_receives(expected));
    }
  };
  // Segments grow at first; a new one is made by prepare_journals(), which may allocate.
  for (int warm_up = 0; warm_up < 20; ++warm_up) {
    round();
  }
  std::uint64_t least = UINT64_MAX;
  for (int measured = 0; measured < 5; ++measured) {
    const std::uint64_t before = allocation_count();
    round();
    least = std::min(least, allocation_count() - before);
  }
  EXPECT_EQ(least, 0U);
  EXPECT_GT(allocation_count(), 0U) << "the counter does not count";
}

TEST_P(EngineSteadyState, AMessageAndItsAnswerAreTwoSendsAndFewReads) {
  venue_application_.answers = 1;
  const host::SessionHandle session = firm_->session("A");
  send_orders(1);
  ASSERT_TRUE(firm_receives(1));
  const std::uint64_t sends = counts.sends;
  const std::uint64_t receives = counts.receives;
  const std::uint64_t changes = counts.changes;
  constexpr std::uint64_t orders = 500;
  for (std::uint64_t order = 0; order < orders; ++order) {
    ASSERT_TRUE(send_one(session));
    ASSERT_TRUE(firm_receives(order + 2));
  }
  EXPECT_EQ(counts.sends - sends, 2 * orders);
  EXPECT_EQ(counts.receives - receives, 2 * orders);
  EXPECT_EQ(counts.changes, changes);
}

TEST_P(EngineSteadyState, AReaderOfCountersAndJournalsCostsNothing) {
  venue_application_.answers = 1;
  const host::SessionHandle session = firm_->session("A");
  std::uint64_t expected = 0;
  const auto round = [&] {
    for (int order = 0; order < 100; ++order) {
      ASSERT_TRUE(send_one(session));
      ASSERT_TRUE(firm_receives(++expected));
    }
  };
  for (int warm_up = 0; warm_up < 20; ++warm_up) {
    round();
  }
  // In another process, whose allocations and calls are separate, and without a pause.
  const pid_t reader = ::fork();
  ASSERT_GE(reader, 0);
  if (reader == 0) {
    for (;;) {
      auto opened = counters::CounterReader::open(venue_->counters_path());
      const counters::EngineReading reading = opened ? opened->read() : counters::EngineReading();
      if (reading.sessions.size() != 2) {
        ::_exit(1);
      }
      for (const counters::SessionReading& one : reading.sessions) {
        auto journal = journal::Reader::open(one.journal_directory);
        while (journal && journal->next()) {
        }
      }
    }
  }
  std::uint64_t least = UINT64_MAX;
  const std::uint64_t sends = counts.sends;
  const std::uint64_t receives = counts.receives;
  for (int measured = 0; measured < 5; ++measured) {
    const std::uint64_t before = allocation_count();
    round();
    least = std::min(least, allocation_count() - before);
  }
  EXPECT_EQ(least, 0U);
  EXPECT_EQ(counts.sends - sends, 2U * 500);
  EXPECT_EQ(counts.receives - receives, 2U * 500);
  int status = 0;
  EXPECT_EQ(::waitpid(reader, &status, WNOHANG), 0) << "it reads still";
  static_cast<void>(::kill(reader, SIGKILL));
  EXPECT_EQ(::waitpid(reader, &status, 0), reader);
}

TEST_P(EngineSteadyState, MessagesOfACallbackLeaveTogether) {
  venue_application_.answers = 50;
  venue_application_.other = venue_->session("B");
  const std::uint64_t before = counts.sends;
  send_orders(1);
  ASSERT_TRUE(firm_receives(51));
  // The order; fifty reports on its session; one on the other.
  EXPECT_EQ(counts.sends - before, 3U);
  EXPECT_EQ(venue_application_.sent, 51U);
}

TEST_P(EngineSteadyState, AnswersToManyMessagesOfOneReadLeaveTogether) {
  venue_application_.answers = 1;
  const std::uint64_t before = counts.sends;
  send_orders(40);  // Outside a turn: each at once.
  EXPECT_EQ(counts.sends - before, 40U);
  ASSERT_TRUE(firm_receives(40));
  EXPECT_LE(counts.sends - before, 42U);
}

INSTANTIATE_TEST_SUITE_P(Dictionaries, EngineSteadyState,
                         testing::Values(without_dictionary, with_fix44, with_fixt, with_warnings),
                         [](const auto& variant) { return std::string(variant.param.name); });

}  // namespace
}  // namespace affix::support
