// SPDX-License-Identifier: MIT
// The trade client: several sessions in one process, each with its own flow and record of orders.
// Drives the engine itself, so that requests are sent when they are due.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/host/application.hpp"
#include "affix/service/event_log.hpp"

#include "measure/latency_histogram.hpp"
#include "trade/flow/flow_generator.hpp"
#include "trade/flow/order_request.hpp"
#include "trade/flow/order_tracker.hpp"
#include "trade/market_data/book_follower.hpp"
#include "trade/messages/dialect.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

/// Requests to send: the orders of a file, or a generated flow for a time.
struct ClientOptions {
  std::vector<OrderRequest>
      orders;        ///< From a file; distributed over the sessions in turn. Empty: use the flow.
  FlowOptions flow;  ///< Per session, each with its own seed and prefix.
  std::int64_t duration_ns = 10 * base::ns_per_second;       ///< Duration of the flow.
  std::int64_t answer_timeout_ns = 5 * base::ns_per_second;  ///< Maximum wait for answers after
                                                             ///< everything is sent.
  std::int64_t logon_timeout_ns =
      30 * base::ns_per_second;  ///< Maximum wait for all sessions' logons.
  /// Whether the sessions may log out, asked about ten times a second when everything is answered,
  /// or the time for it is over. Empty: at once.
  std::function<bool()> may_end;
  bool market_data = false;            ///< Subscribe to the symbols' books, and check them.
  std::int64_t market_data_depth = 5;  ///< Price levels a side; 0: all.
};

/// State of one session.
struct TraderState {
  std::string_view name;  ///< Its SenderCompID; valid as long as the engine.
  std::string_view begin_string;
  bool logged_on = false;
  std::size_t open_orders = 0;
  FlowCounters counters;
};

/// Best prices of one symbol's book, as sent to the first session that has it.
struct TopOfBook {
  std::string_view symbol;  ///< Valid as long as the client.
  std::optional<BookTerms> bid;
  std::optional<BookTerms> offer;
  std::optional<BookTerms> last_trade;
  std::uint64_t entries = 0;  ///< Of all sessions.
};

/// State of the client at one moment.
struct ClientState {
  std::vector<TraderState> traders;
  FlowCounters totals;
  std::int64_t elapsed_ns = 0;  ///< Since the flow began; 0 before.
  std::uint64_t business_rejects = 0;
  std::uint64_t unreadable_reports = 0;
  std::uint64_t refused_sends = 0;  ///< Requests refused by the engine or the tracker.
  std::vector<TopOfBook> books;     ///< Empty without market data.
  BookCounters market_data;

  /// True if nothing is missing and nothing contradicts our record.
  [[nodiscard]] bool sound() const noexcept {
    return totals.outstanding == 0 && totals.faulty_reports() == 0 && market_data.faulty() == 0 &&
           market_data.rejects == 0;
  }
};

class Client final : public host::Application {
 public:
  /// `log` outlives the client.
  Client(ClientOptions options, service::EventLog& log);

  /// Trades over the engine's initiator sessions until everything is sent and answered, the time is
  /// over, or `stop` returns true; then logs out. Calls `on_progress` about ten times a second. An
  /// error: not all sessions could log on, or a flow option is invalid.
  [[nodiscard]] std::expected<void, base::Error> run(engine::Engine& engine,
                                                     const std::function<bool()>& stop,
                                                     const std::function<void()>& on_progress);

  [[nodiscard]] ClientState state() const;

  /// Round trips of all sessions, from the due time of a request to its first answer.
  [[nodiscard]] const LatencyHistogram& round_trips() const noexcept { return *round_trips_; }

  /// ClOrdID of an order that traded, as an example to display; empty if none did.
  [[nodiscard]] const std::string& example_order() const noexcept { return example_order_; }

  void on_logon(host::SessionHandle session) noexcept override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  /// One session with its flow.
  struct Trader {
    host::SessionHandle session;
    const Dialect* dialect = nullptr;
    OrderTracker tracker;
    std::optional<BookFollower> books;
    std::optional<FlowGenerator> generator;
    std::vector<OrderRequest> orders;  // Used instead of the flow, in order.
    std::size_t next_order = 0;
    std::optional<OrderRequest> waiting;  // Due and tracked; not sent yet.
  };

  [[nodiscard]] std::expected<void, base::Error> make_traders(engine::Engine& engine);
  [[nodiscard]] std::vector<std::string> symbols() const;
  [[nodiscard]] bool all_logged_on() const noexcept;
  void subscribe(Trader& trader) noexcept;
  void take_report(Trader& trader, const wire::MessageView& message) noexcept;
  void take_cancel_reject(Trader& trader, const wire::MessageView& message) noexcept;
  void take_outcome(Trader& trader, const NewsOutcome& outcome) noexcept;
  void take_market_data(Trader& trader, const wire::MessageView& message) noexcept;
  void add_books(ClientState& state) const;
  void send_due(Trader& trader, std::int64_t flow_ns) noexcept;
  [[nodiscard]] bool take_next(Trader& trader, std::int64_t flow_ns) noexcept;
  [[nodiscard]] bool exhausted(const Trader& trader) const noexcept;
  [[nodiscard]] std::int64_t next_due_ns(const Trader& trader) const noexcept;
  [[nodiscard]] std::int64_t flow_ns(std::int64_t steady_ns) const noexcept;
  [[nodiscard]] bool finished(std::int64_t steady_ns) noexcept;
  [[nodiscard]] bool may_end(std::int64_t steady_ns);

  ClientOptions options_;
  service::EventLog& log_;
  std::vector<std::unique_ptr<Trader>> traders_;
  std::unique_ptr<LatencyHistogram> round_trips_;
  BookNews book_news_;  // Reused.
  std::string example_order_;
  std::int64_t started_ns_ = 0;     // Steady time at which the flow began; 0 before.
  std::int64_t exhausted_ns_ = 0;   // Steady time at which everything had been sent; 0 before.
  std::int64_t next_asked_ns_ = 0;  // Steady time to ask whether it may end.
  std::uint64_t business_rejects_ = 0;
  std::uint64_t unreadable_reports_ = 0;
  std::uint64_t refused_sends_ = 0;
};

}  // namespace affix::inline v0::tools::trade
