// SPDX-License-Identifier: MIT
// A resend from history that is not in memory: the thread that prepares journals reads it, and the
// worker serves others meanwhile; without such a thread, the worker reads it itself.
#include "support/engine_case.hpp"
#include "support/long_history.hpp"
#include "support/page_cache.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace affix::support {
namespace {

constexpr std::uint64_t orders = 60'000;

class EngineLongResend : public testing::Test {
 protected:
  void SetUp() override {
    venue_settings_ = acceptor_configuration();
    add_session(venue_settings_, "VENUE", "FIRM", directory_.path("venue"));
    {
      // The engine determines the journal's path.
      const auto venue = open_engine(venue_settings_, venue_application_);
      ASSERT_TRUE(venue);
      journal_ = std::string(venue->sessions().front().journal_directory());
    }
    std::filesystem::remove_all(journal_);
    ASSERT_TRUE(write_history(journal_, orders));
  }

  /// Drops every page of the history from memory.
  [[nodiscard]] bool forget_history() const {
    bool forgotten = true;
    for (const auto& entry : std::filesystem::directory_iterator(journal_)) {
      forgotten =
          (entry.path().extension() != ".journal" || forget_pages(entry.path())) && forgotten;
    }
    return forgotten;
  }

  /// Restores the state before the first resend.
  [[nodiscard]] bool start_over() {
    firm_.reset();
    venue_.reset();
    received_ = 0;
    firm_settings_ = {};
    std::filesystem::remove_all(directory_.path("firm"));
    std::filesystem::remove_all(journal_);
    return write_history(journal_, orders);
  }

  void open_venue() {
    venue_ = open_engine(venue_settings_, venue_application_);
    ASSERT_TRUE(venue_);
    firm_settings_ = initiator_configuration(port_of(*venue_));
    add_session(firm_settings_, "FIRM", "VENUE", directory_.path("firm"));
    firm_application_.when_message = [this](host::SessionHandle, const wire::MessageView& message,
                                            const host::Delivery& delivery) {
      in_order_ = in_order_ && delivery.possible_duplicate &&
                  message.find(11U) == std::to_string(delivery.sequence);
      firm_application_.messages.clear();
      ++received_;
    };
    firm_ = open_engine(firm_settings_, firm_application_);
    ASSERT_TRUE(firm_);
  }

  TemporaryDirectory directory_;
  std::string journal_;
  config::Configuration venue_settings_;
  config::Configuration firm_settings_;
  Recorder venue_application_;
  Recorder firm_application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
  std::uint64_t received_ = 0;
  bool in_order_ = true;
};

TEST_F(EngineLongResend, TheWorkerReadsNothingFromTheDisk) {
  // A worker reads by itself when no thread prepared for 100 ms, which a busy machine can cause:
  // such a run proves nothing, and is repeated.
  constexpr std::int64_t prompt_ns = 50 * base::ns_per_ms;
  constexpr int attempts = 20;
  ThreadReads reads;
  std::int64_t longest_pause_ns = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    ASSERT_TRUE(attempt == 0 || start_over());
    // Opening reads the newest segment, which stays in memory; the test is about earlier ones.
    if (!forget_history()) {
      GTEST_SKIP() << "files here cannot be taken out of memory";
    }
    open_venue();
    std::atomic<bool> done{false};
    longest_pause_ns = 0;
    std::int64_t prepared_ns = os::now().steady_ns;
    // On its own thread, so that only the venue's worker's reads are counted.
    std::thread worker([&] {
      const ThreadReads before = thread_reads();
      while (!done.load()) {
        venue_->poll(os::now().steady_ns + base::ns_per_ms / 2);
      }
      const ThreadReads after = thread_reads();
      reads = {after.major_faults - before.major_faults, after.blocks - before.blocks};
    });
    const bool resent = turn_until({firm_.get()}, [&] {
      longest_pause_ns = std::max(longest_pause_ns, os::now().steady_ns - prepared_ns);
      venue_->prepare_journals();
      prepared_ns = os::now().steady_ns;
      return received_ == orders;
    });
    done = true;
    worker.join();
    ASSERT_TRUE(resent) << received_;
    EXPECT_TRUE(in_order_);
    if (longest_pause_ns < prompt_ns) {
      break;
    }
  }
  if (longest_pause_ns >= prompt_ns) {
    GTEST_SKIP() << "this machine keeps threads waiting for 50 ms and more";
  }
  EXPECT_EQ(reads.major_faults, 0);
  EXPECT_EQ(reads.blocks, 0);
  // The pages read are out of memory again; the writer has one segment, one is prepared, and
  // opening read the one before.
  venue_->prepare_journals();
  std::vector<std::string> segments;
  for (const auto& entry : std::filesystem::directory_iterator(journal_)) {
    if (entry.path().extension() == ".journal") {
      segments.push_back(entry.path());
    }
  }
  std::sort(segments.begin(), segments.end());
  ASSERT_GT(segments.size(), 6U);
  std::size_t resident = 0;
  for (std::size_t at = 0; at + 3 < segments.size(); ++at) {
    resident += resident_bytes(segments[at]);
  }
  EXPECT_LT(resident, 3'000'000U);
}

TEST_F(EngineLongResend, OneThreadForBothIsEnough) {
  static_cast<void>(forget_history());
  open_venue();
  EXPECT_TRUE(turn_until({venue_.get(), firm_.get()}, [&] { return received_ == orders; }))
      << received_;
  EXPECT_TRUE(in_order_);
}

TEST_F(EngineLongResend, WithoutAPreparingThreadTheWorkerReadsForItself) {
  static_cast<void>(forget_history());
  open_venue();
  std::atomic<bool> done{false};
  std::thread worker([&] {
    while (!done.load()) {
      venue_->poll(os::now().steady_ns + base::ns_per_second);
    }
  });
  const bool resent = turn_until({firm_.get()}, [&] { return received_ == orders; });
  done = true;
  venue_->wake();
  worker.join();
  EXPECT_TRUE(resent) << received_;
  EXPECT_TRUE(in_order_);
}

TEST_F(EngineLongResend, AConnectionLostInTheMiddleBeginsAgain) {
  static_cast<void>(forget_history());
  open_venue();
  const Engines both{venue_.get(), firm_.get()};
  ASSERT_TRUE(turn_until(both, [&] { return received_ > orders / 3; }));
  firm_.reset();
  turn_for({venue_.get()}, 5 * base::ns_per_ms);
  firm_ = open_engine(firm_settings_, firm_application_);
  ASSERT_TRUE(firm_);
  EXPECT_TRUE(turn_until({venue_.get(), firm_.get()}, [&] { return received_ >= orders; }))
      << received_;
  EXPECT_TRUE(turn_until({venue_.get(), firm_.get()}, [&] {
    return firm_->sessions().front().next_target_seq() ==
           venue_->sessions().front().next_sender_seq();
  }));
  EXPECT_EQ(received_, orders);
}

}  // namespace
}  // namespace affix::support
