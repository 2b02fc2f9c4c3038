// SPDX-License-Identifier: MIT
// A thousand sessions are added, trade, are changed and removed while a thousand others trade: no
// message is lost or duplicated, and in the end the memory is the same as before.
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <malloc.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace affix::support {
namespace {

using testing::VirtualNetwork;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int staying_count = 100;  // Each step takes many times as long.
#else
constexpr int staying_count = 1'000;
#endif
constexpr int coming_count = staying_count;

/// Bytes in use, including large blocks with their own mappings.
std::size_t heap_in_use() {
  const struct mallinfo2 heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

/// Bytes mapped by the process besides the heap: sessions' buffers, journals and rings.
std::size_t mapped() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;  // Their shadow memory changes.
#else
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const struct mallinfo2 heap = ::mallinfo2();
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) - heap.arena - heap.hblkhd;
#endif
}

/// Counts each session's received messages; the venue's instance answers each order with its
/// number.
class Ledger final : public host::Application {
 public:
  explicit Ledger(bool answers) : answers_(answers) {}

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery&) noexcept override {
    const auto number =
        static_cast<std::uint64_t>(std::atoll(std::string(message.find(11U).value_or("")).c_str()));
    std::uint64_t& last = received[std::string(session.name())];
    faults += number == last + 1 ? 0 : 1;
    last = number;
    if (answers_) {
      wire::Encoder report = session.begin("8");
      report.text(11, message.find(11U).value_or(""));
      faults += session.commit(report).sent() ? 0 : 1;
    }
  }

  void on_session_added(host::SessionHandle) noexcept override { ++added; }

  void on_session_removed(host::SessionHandle) noexcept override { ++removed; }

  void on_logout(host::SessionHandle session, std::string_view) noexcept override {
    staying_logouts += session.name().starts_with("STAYS") ? 1 : 0;
  }

  std::map<std::string, std::uint64_t> received;
  int faults = 0;  ///< Out of order, twice, or not answered.
  int added = 0;
  int removed = 0;
  int staying_logouts = 0;

 private:
  bool answers_;
};

class ThousandChanges : public ::testing::Test {
 protected:
  ThousandChanges() : venue_node_(network_.add_node()), firm_node_(network_.add_node()) {
    venue_settings_ = virtual_acceptor();
    venue_settings_.servers.front().max_connections_before_logon = 4'000;
    venue_settings_.servers.front().tx_encode_buffer_capacity = 65'536;
    firm_settings_ = virtual_initiator();
    firm_settings_.clients.front().tx_encode_buffer_capacity = 65'536;
    for (config::Configuration* settings : {&venue_settings_, &firm_settings_}) {
      settings->engine.added_sessions_max = coming_count;
      for (int number = 0; number < staying_count; ++number) {
        settings->sessions.push_back(session(*settings, name_of("STAYS", number)));
      }
    }
  }

  static std::string name_of(std::string_view kind, int number) {
    return std::string(kind) + std::to_string(number);
  }

  /// A session of either side, named by the firm's CompID. No files: the test is about memory.
  static config::SessionSettings session(const config::Configuration& settings,
                                         const std::string& firm) {
    const bool accepts = !settings.servers.empty();
    config::SessionSettings session;
    session.name = firm;
    session.instance = accepts ? "SERVER" : "CLIENT";
    session.begin_string = "FIX.4.4";
    session.sender_comp_id = accepts ? "VENUE" : firm;
    session.target_comp_id = accepts ? firm : "VENUE";
    session.durability = journal::Durability::Memory;
    session.max_message_bytes = 4'096;
    session.replay_message_cache_initial_size = 64;
    return session;
  }

  void run_until(const std::function<bool()>& wanted) {
    for (int step = 0; step < 1'000 && !wanted(); ++step) {
      ASSERT_TRUE(network_.run(50 * base::ns_per_ms));
    }
    ASSERT_TRUE(wanted()) << "it did not come to that in 50 seconds";
  }

  /// Sends one more order on every logged-on session of the firm whose name begins with `kind`;
  /// waits for the answers, and checks every number.
  void trade(std::string_view kind) {
    std::vector<std::string> sent;
    for (const host::SessionHandle session : firm_->sessions()) {
      if (!session.name().starts_with(kind)) {
        continue;
      }
      const std::string name(session.name());
      wire::Encoder order = session.begin("D");
      order.text(11, std::to_string(++orders_[name]));
      ASSERT_TRUE(session.commit(order).sent()) << name;
      sent.push_back(name);
    }
    ASSERT_FALSE(sent.empty());
    ASSERT_NO_FATAL_FAILURE(run_until([&] {
      return std::ranges::all_of(sent, [&](const std::string& name) {
        return firm_ledger_.received[name] == orders_[name];
      });
    }));
  }

  void expect_logged_on(std::size_t count) {
    ASSERT_NO_FATAL_FAILURE(run_until([&] {
      for (const engine::Engine* engine : {venue_.get(), firm_.get()}) {
        const auto sessions = engine->sessions();
        if (sessions.size() != count ||
            !std::ranges::all_of(sessions, [](auto session) { return session.logged_on(); })) {
          return false;
        }
      }
      return true;
    }));
  }

  /// Applies `adjust` to both sides, while the staying sessions trade.
  void reload(const std::function<void(config::Configuration&)>& adjust) {
    std::vector<engine::Change> changes;
    for (engine::Engine* engine : {venue_.get(), firm_.get()}) {
      config::Configuration wanted = engine->configuration();
      adjust(wanted);
      const auto change = engine->reload(wanted);
      ASSERT_TRUE(change) << config::text_of(change.error());
      changes.push_back(*change);
      ASSERT_NO_FATAL_FAILURE(trade("STAYS"));
    }
    ASSERT_NO_FATAL_FAILURE(run_until([&] {
      return std::ranges::all_of(changes, [](const auto& change) { return change.done(); });
    }));
  }

  /// A thousand are added in ten lots, trade, are changed in place, are restarted, trade, and are
  /// removed.
  void come_and_go() {
    for (int lot = 0; lot < coming_count; lot += coming_count / 10) {
      for (engine::Engine* engine : {venue_.get(), firm_.get()}) {
        std::vector<config::SessionSettings> coming;
        for (int number = lot; number < lot + coming_count / 10; ++number) {
          coming.push_back(session(engine == venue_.get() ? venue_settings_ : firm_settings_,
                                   name_of("COMES", number)));
        }
        const auto change = engine->add_sessions(std::move(coming));
        ASSERT_TRUE(change) << config::text_of(change.error());
      }
      ASSERT_NO_FATAL_FAILURE(trade("STAYS"));
    }
    ASSERT_NO_FATAL_FAILURE(expect_logged_on(staying_count + coming_count));
    ASSERT_NO_FATAL_FAILURE(trade("COMES"));
    const auto adjust_coming = [](auto adjust) {
      return [adjust](config::Configuration& wanted) {
        for (config::SessionSettings& session : wanted.sessions) {
          if (session.name.starts_with("COMES")) {
            adjust(session);
          }
        }
      };
    };
    ASSERT_NO_FATAL_FAILURE(reload(
        adjust_coming([](config::SessionSettings& session) { session.max_resend_range += 1; })));
    ASSERT_NO_FATAL_FAILURE(trade("COMES"));  // No other session was affected.
    ASSERT_NO_FATAL_FAILURE(reload(adjust_coming(
        [](config::SessionSettings& session) { session.heartbeat_interval_seconds += 1; })));
    ASSERT_NO_FATAL_FAILURE(expect_logged_on(staying_count + coming_count));
    ASSERT_NO_FATAL_FAILURE(trade(""));
    ASSERT_NO_FATAL_FAILURE(reload([](config::Configuration& wanted) {
      std::erase_if(wanted.sessions,
                    [](const auto& session) { return session.name.starts_with("COMES"); });
    }));
    ASSERT_NO_FATAL_FAILURE(expect_logged_on(staying_count));
    ASSERT_NO_FATAL_FAILURE(trade("STAYS"));
    // Memory journals do not outlive their sessions, so the next ones begin at 1.
    const auto comes = [](const auto& entry) { return entry.first.starts_with("COMES"); };
    std::erase_if(orders_, comes);
    std::erase_if(venue_ledger_.received, comes);
    std::erase_if(firm_ledger_.received, comes);
  }

  VirtualNetwork network_;
  testing::NodeId venue_node_;
  testing::NodeId firm_node_;
  config::Configuration venue_settings_;
  config::Configuration firm_settings_;
  Ledger venue_ledger_{true};
  Ledger firm_ledger_{false};
  std::map<std::string, std::uint64_t> orders_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
};

TEST_F(ThousandChanges, NobodysMessagesAreLostAndTheMemoryComesBack) {
  venue_ = start_engine(network_, venue_node_, venue_settings_, venue_ledger_);
  firm_ = start_engine(network_, firm_node_, firm_settings_, firm_ledger_);
  ASSERT_TRUE(venue_ && firm_);
  ASSERT_NO_FATAL_FAILURE(expect_logged_on(staying_count));
  ASSERT_NO_FATAL_FAILURE(trade("STAYS"));
  // The first thousand leave only the seats of their names, which the second thousand reuse.
  ASSERT_NO_FATAL_FAILURE(come_and_go());
  const std::size_t before = heap_in_use();
  const std::size_t mapped_before = mapped();
  ASSERT_NO_FATAL_FAILURE(come_and_go());
  const std::size_t after = heap_in_use();
  // No buffers of a thousand sessions at two ends stay mapped.
  EXPECT_LT(mapped(), mapped_before + std::size_t{64} * 1'024);
  EXPECT_LT(after, before + coming_count * std::size_t{64}) << "bytes of the heap in use";
  for (const Ledger* ledger : {&venue_ledger_, &firm_ledger_}) {
    EXPECT_EQ(ledger->faults, 0);
    EXPECT_EQ(ledger->added, 2 * coming_count);
    EXPECT_EQ(ledger->removed, 2 * coming_count);
    EXPECT_EQ(ledger->staying_logouts, 0);
  }
}

}  // namespace
}  // namespace affix::support
