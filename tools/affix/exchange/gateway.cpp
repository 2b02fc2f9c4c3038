// SPDX-License-Identifier: MIT
// Messages to commands, events to reports; reports for absent members wait.
#include "exchange/gateway.hpp"

#include <utility>

namespace affix::inline v0::tools::exchange {

namespace {

Instrument instrument_of(std::string_view symbol) {
  Instrument instrument;
  instrument.symbol = symbol;
  return instrument;
}

}  // namespace

Gateway::Gateway(GatewayOptions options, EventLog& log)
    : options_(std::move(options)),
      log_(log),
      matching_(EngineLimits{}, *this),
      publisher_(options_.market_data, matching_, *this) {
  for (const std::string& symbol : options_.symbols) {
    if (const auto added = matching_.add_instrument(instrument_of(symbol)); !added) {
      log_.write(engine::Event::Severity::Error, {}, added.error().text());
    }
  }
}

// --- From the sessions ---

OwnerId Gateway::member_of(engine::SessionHandle session) {
  if (const auto number = reinterpret_cast<std::uintptr_t>(session.user()); number != 0) {
    return static_cast<OwnerId>(number - 1);
  }
  const auto owner = static_cast<OwnerId>(members_.size());
  members_.push_back({session, &dialect_of(session.begin_string()), {}});
  session.set_user(reinterpret_cast<void*>(std::uintptr_t{owner} + 1));
  return owner;
}

void Gateway::on_logon(engine::SessionHandle session) noexcept {
  ++counters_.members_logged_on;
  send_waiting(members_[member_of(session)]);
}

void Gateway::on_output_room(engine::SessionHandle session) noexcept {
  const OwnerId owner = member_of(session);
  send_waiting(members_[owner]);
  publisher_.room(owner);
}

void Gateway::on_turn_end() noexcept {
  publisher_.publish();
}

void Gateway::on_logout(engine::SessionHandle session, std::string_view reason) noexcept {
  --counters_.members_logged_on;
  log_.write(engine::Event::Severity::Info, session.name(), reason);
  publisher_.end_all(member_of(session));
}

void Gateway::on_cancel_orders(engine::SessionHandle session) noexcept {
  now_ = {session.now().utc_ns, 0};
  log_.write(engine::Event::Severity::Info, session.name(), "its open orders are cancelled");
  matching_.owner_gone(member_of(session));
}

void Gateway::on_message(engine::SessionHandle session, const wire::MessageView& message,
                         const engine::Delivery& /*delivery*/) noexcept {
  ++counters_.messages;
  now_ = {session.now().utc_ns, 0};
  const OwnerId owner = member_of(session);
  const auto request = members_[owner].dialect->read_request(message, owner, options_.id_prefix);
  if (!request) {
    ++counters_.bad_requests;
    const BadRequest& bad = request.error();
    const std::string text = bad.tag == 0
                                 ? std::string(bad.text)
                                 : std::string(bad.text) + " (" + std::to_string(bad.tag) + ")";
    session.reject_business(message, bad.reason, text,
                            message.find(11).value_or(std::string_view{}));
    return;
  }
  if (const NewOrder* order = std::get_if<NewOrder>(&*request)) {
    open_symbol(order->symbol);
    matching_.submit(*order);
  } else if (const CancelOrder* cancel = std::get_if<CancelOrder>(&*request)) {
    matching_.cancel(*cancel);
  } else if (const ReplaceOrder* replace = std::get_if<ReplaceOrder>(&*request)) {
    matching_.replace(*replace);
  } else if (const StatusRequest* status = std::get_if<StatusRequest>(&*request)) {
    matching_.report_status(*status);
  } else {
    take(members_[owner], std::get<MarketDataRequest>(*request));
  }
}

void Gateway::take(Member& member, const MarketDataRequest& request) {
  // A subscription ends with its session. One from before a crash is handed over again while there
  // is none, and its member asks anew when it is back.
  if (!member.session.logged_on()) {
    return;
  }
  for (const std::string_view symbol : request.symbols) {
    open_symbol(symbol);
  }
  if (const auto refused = publisher_.request(request)) {
    refuse(member, {request.id, refused->reason, refused->symbol});
  }
}

void Gateway::refuse(const Member& member, const MarketDataReject& reject) {
  if (const engine::SendResult result = send(member, reject); !result.sent()) {
    log_.write(engine::Event::Severity::Warning, member.session.name(),
               "a MarketDataRequestReject was not sent: " + std::string(to_text(result.status)));
  }
}

void Gateway::on_event(const engine::Event& event) noexcept {
  log_.write(event);
}

void Gateway::open_symbol(std::string_view symbol) {
  if (options_.symbols.empty() && matching_.instrument_count() < options_.symbols_max &&
      !matching_.find_instrument(symbol)) {
    // A symbol that cannot be opened stays unknown, and the order is refused for that.
    static_cast<void>(matching_.add_instrument(instrument_of(symbol)));
  }
}

// --- From the market data publisher ---

SendOutcome Gateway::on_news(const MarketDataNews& news) {
  const Member& member = members_[news.owner];
  const engine::SendResult result = send(member, news);
  switch (result.status) {
    case engine::SendStatus::Sent:
    case engine::SendStatus::Queued:
      return SendOutcome::Sent;
    case engine::SendStatus::NotLoggedOn:
    case engine::SendStatus::Resetting:
    case engine::SendStatus::QueueFull:
    case engine::SendStatus::Throttled:
    case engine::SendStatus::Backlogged:
    case engine::SendStatus::Stopped:
    case engine::SendStatus::JournalFull:
      return SendOutcome::NoRoom;
    case engine::SendStatus::Invalid:
    case engine::SendStatus::TypeRefused:
    case engine::SendStatus::RejectOfReject:
    case engine::SendStatus::TooLarge:
      break;
  }
  log_.write(engine::Event::Severity::Warning, member.session.name(),
             "market data was not sent: " + std::string(to_text(result.status)));
  return SendOutcome::TooLarge;
}

void Gateway::on_ended(OwnerId owner, std::string_view request_id, MarketDataRefusal why) {
  refuse(members_[owner], {request_id, why, {}});
}

// --- From the matching engine ---

void Gateway::on_trade(const PublicTrade& trade) {
  publisher_.on_trade(trade, now_);
}

void Gateway::on_book_changing(InstrumentId instrument) {
  publisher_.on_book_changing(instrument);
}

template <typename Message>
engine::SendResult Gateway::send(const Member& member, const Message& message) const {
  const ReportStyle style{options_.id_prefix, base::UtcTime{member.session.now().utc_ns, 0}};
  wire::Encoder written =
      member.dialect->write(member.session.begin(msg_type_of(message)), message, style);
  return member.session.commit(written);
}

void Gateway::on_execution(const ExecutionReport& report) {
  Member& member = members_[report.owner];
  ++counters_.reports;
  if (!member.waiting.empty() || !send(member, report).sent()) {
    keep(member, StoredExecution{report, std::string(report.cl_ord_id),
                                 std::string(report.orig_cl_ord_id), std::string(report.symbol)});
  }
}

void Gateway::on_cancel_reject(const CancelReject& reject) {
  Member& member = members_[reject.owner];
  ++counters_.reports;
  if (!member.waiting.empty() || !send(member, reject).sent()) {
    keep(member,
         StoredReject{reject, std::string(reject.cl_ord_id), std::string(reject.orig_cl_ord_id)});
  }
}

void Gateway::keep(Member& member, StoredReport report) {
  if (member.waiting.size() == options_.waiting_reports_max) {
    member.waiting.pop_front();
    ++counters_.reports_lost;
    --counters_.reports_waiting;
  }
  member.waiting.push_back(std::move(report));
  ++counters_.reports_waiting;
}

void Gateway::send_waiting(Member& member) noexcept {
  while (!member.waiting.empty()) {
    bool sent = false;
    if (auto* execution = std::get_if<StoredExecution>(&member.waiting.front())) {
      ExecutionReport report = execution->report;
      report.cl_ord_id = execution->cl_ord_id;
      report.orig_cl_ord_id = execution->orig_cl_ord_id;
      report.symbol = execution->symbol;
      sent = send(member, report).sent();
    } else {
      auto& stored = std::get<StoredReject>(member.waiting.front());
      CancelReject reject = stored.reject;
      reject.cl_ord_id = stored.cl_ord_id;
      reject.orig_cl_ord_id = stored.orig_cl_ord_id;
      sent = send(member, reject).sent();
    }
    if (!sent) {
      return;
    }
    member.waiting.pop_front();
    --counters_.reports_waiting;
  }
}

}  // namespace affix::inline v0::tools::exchange
