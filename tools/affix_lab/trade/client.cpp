// SPDX-License-Identifier: MIT
// Alternates between the engine's turns and due requests.
#include "trade/client.hpp"

#include "affix/os/clock.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::trade {

namespace {

constexpr std::int64_t progress_ns = base::ns_per_second / 10;
constexpr std::int64_t logout_ns = 5 * base::ns_per_second;
constexpr std::int64_t never_ns = INT64_MAX;

}  // namespace

Client::Client(ClientOptions options, service::EventLog& log)
    : options_(std::move(options)), log_(log), round_trips_(std::make_unique<LatencyHistogram>()) {}

std::expected<void, base::Error> Client::make_traders(engine::Engine& engine) {
  for (const host::SessionHandle session : engine.sessions()) {
    auto trader = std::make_unique<Trader>();
    trader->session = session;
    trader->dialect = &dialect_of(session.begin_string());
    if (options_.market_data) {
      trader->books.emplace(options_.flow.cl_ord_id_prefix + "MD", symbols(),
                            options_.market_data_depth);
    }
    if (options_.orders.empty()) {
      FlowOptions flow = options_.flow;
      flow.seed += traders_.size() * 1'000'003;
      flow.cl_ord_id_prefix += std::string(session.sender_comp_id()) + "-";
      auto generator = FlowGenerator::make(flow);
      if (!generator) {
        return std::unexpected(std::move(generator.error()));
      }
      trader->generator.emplace(std::move(*generator));
    }
    host::SessionHandle(session).set_user(trader.get());
    traders_.push_back(std::move(trader));
  }
  for (std::size_t at = 0; at < options_.orders.size(); ++at) {
    traders_[at % traders_.size()]->orders.push_back(options_.orders[at]);
  }
  return {};
}

std::vector<std::string> Client::symbols() const {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& symbol) {
    if (std::find(names.begin(), names.end(), symbol) == names.end()) {
      names.push_back(symbol);
    }
  };
  for (const OrderRequest& order : options_.orders) {
    add(order.symbol);
  }
  if (options_.orders.empty()) {
    for (const FlowSymbol& symbol : options_.flow.symbols) {
      add(symbol.symbol);
    }
  }
  return names;
}

std::expected<void, base::Error> Client::run(engine::Engine& engine,
                                             const std::function<bool()>& stop,
                                             const std::function<void()>& on_progress) {
  if (auto made = make_traders(engine); !made) {
    return made;
  }
  const std::int64_t begun_ns = os::now().steady_ns;
  std::int64_t next_progress_ns = begun_ns;
  bool logged_on = true;
  while (!stop()) {
    const std::int64_t now_ns = os::now().steady_ns;
    if (started_ns_ == 0) {
      if (all_logged_on()) {
        started_ns_ = now_ns;
      } else if (now_ns - begun_ns > options_.logon_timeout_ns) {
        logged_on = false;
        break;
      }
    }
    std::int64_t wait_until_ns = next_progress_ns;
    if (started_ns_ != 0) {
      for (const auto& trader : traders_) {
        send_due(*trader, flow_ns(now_ns));
        const std::int64_t due_ns = next_due_ns(*trader);
        wait_until_ns =
            due_ns == never_ns ? wait_until_ns : std::min(wait_until_ns, started_ns_ + due_ns);
      }
      if (finished(now_ns) && may_end(now_ns)) {
        break;
      }
    }
    engine.poll(wait_until_ns);
    engine.prepare_journals();
    if (now_ns >= next_progress_ns) {
      next_progress_ns = now_ns + progress_ns;
      on_progress();
    }
  }
  on_progress();
  engine.finish({}, os::now().steady_ns + logout_ns);
  if (!logged_on) {
    return std::unexpected(base::Error{base::ErrorCode::Denied,
                                       "not all sessions could log on in time; the log says why",
                                       log_.place(), "P107"});
  }
  return {};
}

bool Client::all_logged_on() const noexcept {
  return std::all_of(traders_.begin(), traders_.end(),
                     [](const auto& trader) { return trader->session.logged_on(); });
}

std::int64_t Client::flow_ns(std::int64_t steady_ns) const noexcept {
  return steady_ns - started_ns_;
}

bool Client::exhausted(const Trader& trader) const noexcept {
  if (trader.waiting) {
    return false;
  }
  if (trader.generator) {
    return trader.generator->done() || trader.generator->due_ns() >= options_.duration_ns;
  }
  return trader.next_order == trader.orders.size();
}

std::int64_t Client::next_due_ns(const Trader& trader) const noexcept {
  if (trader.waiting || exhausted(trader)) {
    return never_ns;
  }
  return trader.generator ? trader.generator->due_ns() : trader.orders[trader.next_order].due_ns;
}

bool Client::finished(std::int64_t steady_ns) noexcept {
  std::uint64_t outstanding = 0;
  for (const auto& trader : traders_) {
    if (!exhausted(*trader)) {
      // A session that never comes back must not delay the end forever.
      const std::int64_t over = flow_ns(steady_ns) - options_.duration_ns;
      return options_.orders.empty() && over > options_.answer_timeout_ns;
    }
    outstanding += trader->tracker.counters().outstanding;
  }
  if (exhausted_ns_ == 0) {
    exhausted_ns_ = steady_ns;
  }
  return outstanding == 0 || steady_ns - exhausted_ns_ > options_.answer_timeout_ns;
}

bool Client::may_end(std::int64_t steady_ns) {
  if (!options_.may_end) {
    return true;
  }
  if (steady_ns < next_asked_ns_) {
    return false;
  }
  const bool may = options_.may_end();
  next_asked_ns_ = os::now().steady_ns + progress_ns;
  return may;
}

bool Client::take_next(Trader& trader, std::int64_t flow_ns) noexcept {
  while (!trader.waiting && next_due_ns(trader) <= flow_ns) {
    trader.waiting = trader.generator ? trader.generator->next(trader.tracker)
                                      : trader.orders[trader.next_order++];
    if (trader.tracker.on_sent(*trader.waiting) != OrderTracker::Refusal::None) {
      ++refused_sends_;
      trader.waiting.reset();
    }
  }
  return trader.waiting.has_value();
}

void Client::send_due(Trader& trader, std::int64_t flow_ns) noexcept {
  while (trader.session.logged_on() && take_next(trader, flow_ns)) {
    const OrderRequest& request = *trader.waiting;
    wire::Encoder message =
        trader.dialect->write(trader.session.begin(msg_type_of(request)), request,
                              base::UtcTime{trader.session.now().utc_ns, 0});
    const host::SendResult result = trader.session.commit(message);
    if (result.status == host::SendStatus::Backlogged ||
        result.status == host::SendStatus::NotLoggedOn ||
        result.status == host::SendStatus::Resetting) {
      return;  // It stays due, and its waiting time counts.
    }
    if (result.refused()) {
      ++refused_sends_;
      log_.write(host::Event::Severity::Warning, trader.session.name(),
                 host::to_text(result.status), "P107");
    }
    trader.waiting.reset();
  }
}

// --- From the sessions ---

void Client::on_logon(host::SessionHandle session) noexcept {
  log_.write(host::Event::Severity::Info, session.name(), "logged on", "S101");
  auto* const trader = static_cast<Trader*>(session.user());
  if (trader != nullptr && trader->books) {
    subscribe(*trader);
  }
}

void Client::subscribe(Trader& trader) noexcept {
  wire::Encoder message = trader.dialect->write(trader.session.begin("V"), trader.books->begin());
  if (const host::SendResult result = trader.session.commit(message); !result.sent()) {
    ++refused_sends_;
    log_.write(host::Event::Severity::Warning, trader.session.name(),
               "the market data request was not sent: " + std::string(to_text(result.status)),
               "P107");
  }
}

void Client::on_logout(host::SessionHandle session, std::string_view reason) noexcept {
  log_.write(host::Event::Severity::Info, session.name(), reason, "S305");
}

void Client::on_event(const host::Event& event) noexcept {
  log_.write(event);
}

void Client::on_message(host::SessionHandle session, const wire::MessageView& message,
                        const host::Delivery& /*delivery*/) noexcept {
  auto* const trader = static_cast<Trader*>(session.user());
  if (trader == nullptr) {
    return;  // Redelivered from before a crash, when there were other orders.
  }
  const wire::MsgType type = message.type();
  if (type == wire::MsgType("8")) {
    take_report(*trader, message);
  } else if (type == wire::MsgType("9")) {
    take_cancel_reject(*trader, message);
  } else if (trader->books && (type == wire::MsgType("W") || type == wire::MsgType("X"))) {
    take_market_data(*trader, message);
  } else if (trader->books && type == wire::MsgType("Y")) {
    trader->books->count_reject();
    log_.write(host::Event::Severity::Warning, session.name(),
               "market data request refused: " + std::string(message.find(58).value_or("")),
               "P107");
  } else if (type == wire::MsgType("j")) {
    ++business_rejects_;
  } else {
    session.reject_business(message, session::BusinessRejectReason::UnsupportedMessageType,
                            "Unsupported Message Type");
  }
}

void Client::take_report(Trader& trader, const wire::MessageView& message) noexcept {
  const std::optional<ExecutionNews> news = trader.dialect->read_execution(message);
  if (!news) {
    ++unreadable_reports_;
    return;
  }
  take_outcome(trader, trader.tracker.on_execution(*news, flow_ns(os::now().steady_ns)));
  if (example_order_.empty() && news->status == OrderStatus::Filled) {
    example_order_ = news->cl_ord_id;
  }
}

void Client::take_cancel_reject(Trader& trader, const wire::MessageView& message) noexcept {
  const std::string_view cl_ord_id = trader.dialect->read_cancel_reject(message);
  take_outcome(trader, trader.tracker.on_cancel_reject(cl_ord_id, flow_ns(os::now().steady_ns)));
}

void Client::take_outcome(Trader& trader, const NewsOutcome& outcome) noexcept {
  if (outcome.fault != ReportFault::None) {
    log_.write(host::Event::Severity::Warning, trader.session.name(), to_text(outcome.fault),
               "P110");
  }
  if (outcome.round_trip_ns) {
    round_trips_->record(*outcome.round_trip_ns);
  }
}

void Client::take_market_data(Trader& trader, const wire::MessageView& message) noexcept {
  BookFault fault = BookFault::Unreadable;
  if (trader.dialect->read_market_data(message, book_news_)) {
    fault = trader.books->take(book_news_);
  } else {
    trader.books->count_unreadable();
  }
  if (fault != BookFault::None) {
    log_.write(host::Event::Severity::Warning, trader.session.name(), to_text(fault), "P111");
  }
}

void Client::add_books(ClientState& state) const {
  const auto best = [](const std::vector<BookTerms>& levels) {
    return levels.empty() ? std::nullopt : std::optional(levels.front());
  };
  for (const auto& trader : traders_) {
    if (!trader->books) {
      continue;
    }
    state.market_data.add(trader->books->counters());
    const std::vector<FollowedBook>& books = trader->books->books();
    for (std::size_t at = 0; at < books.size(); ++at) {
      if (at == state.books.size()) {
        state.books.emplace_back().symbol = books[at].symbol;
      }
      TopOfBook& top = state.books[at];
      top.entries += books[at].entries;
      if (books[at].snapshot_seen && !top.bid && !top.offer && !top.last_trade) {
        top.bid = best(books[at].book.bids());
        top.offer = best(books[at].book.offers());
        top.last_trade = books[at].book.last_trade();
      }
    }
  }
}

ClientState Client::state() const {
  ClientState state;
  state.business_rejects = business_rejects_;
  state.unreadable_reports = unreadable_reports_;
  state.refused_sends = refused_sends_;
  if (started_ns_ != 0) {
    state.elapsed_ns = (exhausted_ns_ == 0 ? os::now().steady_ns : exhausted_ns_) - started_ns_;
  }
  for (const auto& trader : traders_) {
    state.traders.push_back({trader->session.sender_comp_id(), trader->session.begin_string(),
                             trader->session.logged_on(), trader->tracker.open_count(),
                             trader->tracker.counters()});
    state.totals.add(trader->tracker.counters());
  }
  add_books(state);
  return state;
}

}  // namespace affix::inline v0::tools::trade
