// SPDX-License-Identifier: MIT
// The exchange's door: sessions on one side, the matching engine on the other. One thread.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/session_handle.hpp"

#include "exchange/book/matching_engine.hpp"
#include "exchange/market_data/publisher.hpp"
#include "exchange/messages/dialect.hpp"
#include "process/event_log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace affix::inline v0::tools::exchange {

struct GatewayOptions {
  /// Symbols that are traded. Empty: any symbol that is asked for, up to `symbols_max`.
  std::vector<std::string> symbols;
  std::size_t symbols_max = 10'000;
  /// Reports kept for a member that is not connected; the oldest go first, as a person at the desk
  /// would have to be asked for them.
  std::size_t waiting_reports_max = 100'000;
  MarketDataLimits market_data;
  /// Begins every OrderID, ExecID and trade id, so that two runs of the exchange give no id twice.
  std::string id_prefix;
};

struct GatewayCounters {
  std::uint64_t messages = 0;
  std::uint64_t reports = 0;
  std::uint64_t bad_requests = 0;
  std::uint64_t reports_waiting = 0;
  std::uint64_t reports_lost = 0;
  std::size_t members_logged_on = 0;
};

class Gateway final : public engine::Application, private EventSink, private MarketDataSink {
 public:
  /// `log` outlives the gateway.
  Gateway(GatewayOptions options, EventLog& log);

  [[nodiscard]] const GatewayCounters& counters() const noexcept { return counters_; }

  [[nodiscard]] const MatchingEngine& matching() const noexcept { return matching_; }

  [[nodiscard]] const MarketDataPublisher& market_data() const noexcept { return publisher_; }

  void on_logon(engine::SessionHandle session) noexcept override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;
  void on_output_room(engine::SessionHandle session) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;
  void on_cancel_orders(engine::SessionHandle session) noexcept override;
  void on_turn_end() noexcept override;
  void on_event(const engine::Event& event) noexcept override;

 private:
  /// A report with its own copies of what it views.
  struct StoredExecution {
    ExecutionReport report;
    std::string cl_ord_id;
    std::string orig_cl_ord_id;
    std::string symbol;
  };

  struct StoredReject {
    CancelReject reject;
    std::string cl_ord_id;
    std::string orig_cl_ord_id;
  };

  using StoredReport = std::variant<StoredExecution, StoredReject>;

  struct Member {
    engine::SessionHandle session;
    const Dialect* dialect = nullptr;
    std::deque<StoredReport> waiting;
  };

  // EventSink
  void on_execution(const ExecutionReport& report) override;
  void on_cancel_reject(const CancelReject& reject) override;
  void on_trade(const PublicTrade& trade) override;
  void on_book_changing(InstrumentId instrument) override;

  // MarketDataSink
  [[nodiscard]] SendOutcome on_news(const MarketDataNews& news) override;
  void on_ended(OwnerId owner, std::string_view request_id, MarketDataRefusal why) override;

  [[nodiscard]] OwnerId member_of(engine::SessionHandle session);
  void open_symbol(std::string_view symbol);
  void take(Member& member, const MarketDataRequest& request);
  void refuse(const Member& member, const MarketDataReject& reject);
  template <typename Message>
  [[nodiscard]] engine::SendResult send(const Member& member, const Message& message) const;
  void keep(Member& member, StoredReport report);
  void send_waiting(Member& member) noexcept;

  GatewayOptions options_;
  EventLog& log_;
  std::vector<Member> members_;  // By OwnerId; a session's user pointer is its OwnerId + 1.
  MatchingEngine matching_;
  MarketDataPublisher publisher_;
  base::UtcTime now_;  // When the command under way came, for the trades that it makes.
  GatewayCounters counters_;
};

}  // namespace affix::inline v0::tools::exchange
