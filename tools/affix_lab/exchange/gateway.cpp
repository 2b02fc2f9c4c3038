// SPDX-License-Identifier: MIT
// Converts messages to commands and events to reports; stores reports for absent members.
#include "exchange/gateway.hpp"

#include "affix/base/assert.hpp"
#include "affix/os/clock.hpp"
#include "affix/session/admin.hpp"
#include "affix/wire/index.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::exchange {

namespace {

using host::Event;
using host::SendStatus;

/// Number of command keys kept for each member: more than the number of messages that can be
/// received and not be marked.
constexpr std::size_t executed_max = 65'536;

constexpr EngineLimits engine_limits{.owners_max = 16'384};

Instrument instrument_of(std::string_view symbol) {
  Instrument instrument;
  instrument.symbol = symbol;
  return instrument;
}

/// Identifies a session, also in a later run.
std::string_view identity_of(host::SessionHandle session) {
  const std::string_view directory = session.journal_directory();
  return directory.empty() ? session.name() : directory;
}

/// True if it will never be accepted.
bool never_goes(SendStatus status) noexcept {
  return status == SendStatus::Invalid || status == SendStatus::TypeRefused ||
         status == SendStatus::TooLarge;
}

}  // namespace

Gateway::Gateway(GatewayOptions options, service::EventLog& log)
    : options_(std::move(options)),
      log_(log),
      matching_(engine_limits, *this),
      publisher_(options_.market_data, matching_, *this) {}

void Gateway::begin() {
  if (options_.faults != nullptr) {
    take_faults();
  }
  for (const std::string& symbol : options_.symbols) {
    carry_out(OpenSymbol{symbol});
  }
}

// --- Members ---

void Gateway::add_member(OwnerId owner, std::string_view identity) {
  AFFIX_ASSERT(owner < engine_limits.owners_max);
  if (owner >= members_.size()) {
    members_.resize(std::size_t{owner} + 1);
  }
  members_[owner].identity = identity;
  owner_of_.emplace(identity, owner);
}

void Gateway::attach(OwnerId owner, host::SessionHandle session) {
  members_[owner].session = session;
  members_[owner].dialect = &dialect_of(session.begin_string());
  members_[owner].copies = options_.drop_copies.contains(std::string(session.name()));
  session.set_user(reinterpret_cast<void*>(std::uintptr_t{owner} + 1));
}

OwnerId Gateway::member_of(host::SessionHandle session) {
  if (const auto number = reinterpret_cast<std::uintptr_t>(session.user()); number != 0) {
    return static_cast<OwnerId>(number - 1);
  }
  const std::string identity(identity_of(session));
  auto found = owner_of_.find(identity);
  if (found == owner_of_.end()) {
    add_member(static_cast<OwnerId>(members_.size()), identity);
    found = owner_of_.find(identity);
  }
  attach(found->second, session);
  return found->second;
}

// --- From the sessions ---

host::Redelivery Gateway::redelivery(host::SessionHandle /*session*/) noexcept {
  // Older orders are executed first; their reports wait.
  return host::Redelivery::AtStart;
}

void Gateway::on_session_added(host::SessionHandle session) noexcept {
  static_cast<void>(member_of(session));
}

void Gateway::on_logon(host::SessionHandle session) noexcept {
  ++counters_.members_logged_on;
  const OwnerId owner = member_of(session);
  perform_or_log(NoteSession{owner, true}, session.now().utc_ns, session.name());
  send_waiting(members_[owner]);
}

void Gateway::on_output_room(host::SessionHandle session) noexcept {
  const OwnerId owner = member_of(session);
  send_waiting(members_[owner]);
  publisher_.room(owner);
}

void Gateway::on_turn_end() noexcept {
  carry_out_pending();
  if (overrun_) {
    end_overrun(os::read_clock_ns(CLOCK_REALTIME));
    carry_out_pending();
  }
  publisher_.publish();
  if (file_ != nullptr && file_->size() >= renew_at_bytes_) {
    renew_file();
  }
}

void Gateway::on_logout(host::SessionHandle session, std::string_view reason) noexcept {
  --counters_.members_logged_on;
  log_.write(Event::Severity::Info, session.name(), reason, "S305");
  const OwnerId owner = member_of(session);
  publisher_.end_all(owner);
  perform_or_log(NoteSession{owner, false}, session.now().utc_ns, session.name());
}

void Gateway::on_cancel_orders(host::SessionHandle session) noexcept {
  log_.write(Event::Severity::Info, session.name(), "its open orders are cancelled", "P112");
  perform_or_log(CancelAll{member_of(session), Reason::OwnerGone}, session.now().utc_ns,
                 session.name());
}

void Gateway::on_message(host::SessionHandle session, const wire::MessageView& message,
                         const host::Delivery& delivery) noexcept {
  ++counters_.messages;
  const OwnerId owner = member_of(session);
  Member& member = members_[owner];
  if (session::is_reject(message.type())) {
    log_.write(Event::Severity::Warning, session.name(),
               "it has rejected message " + std::string(message.value_or_null(45)) + ": " +
                   std::string(message.value_or_null(58)),
               "P115");
    return;
  }
  if (options_.faults != nullptr && falls_to_fault(member, message)) {
    return;
  }
  const auto request = member.dialect->read_request(message, owner, options_.id_prefix);
  if (!request) {
    ++counters_.bad_requests;
    reject(member, message, request.error(), delivery);
    return;
  }
  std::visit(
      [&](const auto& of) {
        if constexpr (std::is_same_v<std::decay_t<decltype(of)>, MarketDataRequest> ||
                      std::is_same_v<std::decay_t<decltype(of)>, MassCancel>) {
          take(member, of, delivery);
        } else {
          take(member, of, message, delivery);
        }
      },
      *request);
}

template <typename Command>
void Gateway::take(Member& member, Command command, const wire::MessageView& message,
                   const host::Delivery& delivery) {
  const std::int64_t utc_ns = member.session.now().utc_ns;
  MemberCommand<Command> wanted{command, 0};
  const std::string_view first_sent =
      message.value_or_null(delivery.possible_duplicate && message.has(122) ? 122 : 52);
  wanted.key = key_of(wanted, delivery.sequence, first_sent, bytes_);
  const bool done =
      member.executed_before.erase(wanted.key) != 0 ||
      (delivery.redelivered && std::find(member.executed.begin(), member.executed.end(),
                                         wanted.key) != member.executed.end());
  if (done) {
    ++counters_.done_before;  // Its journal was not marked.
    return;
  }
  if constexpr (std::is_same_v<Command, NewOrder>) {
    open_symbol(command.symbol, utc_ns);
  }
  if (const auto performed = perform(wanted, utc_ns, {member.session, delivery.receipt});
      !performed) {
    log_.write(Event::Severity::Error, member.session.name(),
               "a request cannot be stored and is refused: " + performed.error().text(), "P116");
    reject(member, message,
           {session::BusinessRejectReason::ApplicationNotAvailable, 0,
            "the exchange cannot store requests now"},
           delivery);
  }
}

void Gateway::take(Member& member, const MarketDataRequest& request,
                   const host::Delivery& delivery) {
  // A subscription ends with its session. One from before a crash has ended, and its member
  // requests it again after logon.
  if (delivery.redelivered || !member.session.logged_on()) {
    return;
  }
  for (const std::string_view symbol : request.symbols) {
    open_symbol(symbol, member.session.now().utc_ns);
  }
  if (const auto refused = publisher_.request(request)) {
    refuse(member, {request.id, refused->reason, refused->symbol});
  }
}

void Gateway::take(Member& member, const MassCancel& request, const host::Delivery& delivery) {
  // One from before a crash would cancel orders that came after it; its member asks again.
  if (delivery.redelivered || !member.session.logged_on()) {
    return;
  }
  const std::int64_t utc_ns = member.session.now().utc_ns;
  if (request.type == MassCancel::all_orders) {
    perform_or_log(CancelAll{request.owner, Reason::MassCancel}, utc_ns, member.session.name());
    carry_out_pending();  // The orders' reports precede the answer.
  }
  const MassCancelReport report{request.cl_ord_id, request.type, ++mass_cancels_};
  if (const host::SendResult result = send(member, report, utc_ns); !result.sent()) {
    log_.write(Event::Severity::Warning, member.session.name(),
               "an OrderMassCancelReport was not sent: " + std::string(to_text(result.status)),
               "P113");
  }
}

void Gateway::refuse(const Member& member, const MarketDataReject& reject) {
  if (const host::SendResult result = send(member, reject, member.session.now().utc_ns);
      !result.sent()) {
    log_.write(Event::Severity::Warning, member.session.name(),
               "a MarketDataRequestReject was not sent: " + std::string(to_text(result.status)),
               "P113");
  }
}

void Gateway::reject(Member& member, const wire::MessageView& message, const BadRequest& why,
                     const host::Delivery& delivery) {
  if (delivery.redelivered && member.rejected_before.contains(delivery.sequence)) {
    ++counters_.done_before;
    return;
  }
  std::string text(why.text);
  if (why.tag != 0) {
    text += " (" + std::to_string(why.tag) + ")";
  }
  const auto waits = [&delivery](const Unanswered& question) {
    return delivery.receipt && question.receipt == delivery.receipt;
  };
  if (std::any_of(member.unanswered.begin(), member.unanswered.end(), waits)) {
    static_cast<void>(member.session.keep_message());
    return;
  }
  Unanswered question{std::string(message.bytes()), why, std::move(text), delivery.receipt};
  if (!member.unanswered.empty() || !answer(member, question)) {
    static_cast<void>(member.session.keep_message());
    member.unanswered.push_back(std::move(question));
    member.overrun = member.overrun || member.unanswered.size() >= options_.waiting_reports_max;
    overrun_ = overrun_ || member.overrun;
  }
}

bool Gateway::answer(Member& member, const Unanswered& question) noexcept {
  wire::FieldIndexOf<2048> index;
  wire::index_message(question.message, index);
  const wire::MessageView message(question.message, index);
  const host::SendResult result = member.session.reject_business(
      message, question.why.reason, question.text, message.value_or_null(11));
  return !result.refused() || never_goes(result.status) ||
         result.status == SendStatus::RejectOfReject;
}

void Gateway::on_event(const host::Event& event) noexcept {
  log_.write(event);
}

// --- Commands ---

std::expected<void, base::Error> Gateway::store(const CommandRecord& command, std::int64_t utc_ns) {
  const auto owner = owner_of(command);
  if (owner && !members_[*owner].stored) {
    const AddMember member{*owner, members_[*owner].identity};
    if (auto stored = file_->append(write_command(member, utc_ns, bytes_)); !stored) {
      return stored;
    }
    members_[*owner].stored = true;
  }
  return file_->append(write_command(command, utc_ns, bytes_));
}

std::expected<void, base::Error> Gateway::perform(const CommandRecord& command, std::int64_t utc_ns,
                                                  const Origin& origin) {
  if (file_ != nullptr) {
    if (auto stored = store(command, utc_ns); !stored) {
      return stored;
    }
    // A symbol is opened at once, as no member is informed of it.
    if (waits_for_disk_ && !std::holds_alternative<OpenSymbol>(command)) {
      const StoredCommand record = write_command(command, utc_ns, bytes_);
      if (origin.session) {
        static_cast<void>(origin.session.keep_message());
      }
      pending_.push_back({record.type, utc_ns, std::string(record.body), origin});
      return {};
    }
  }
  carry_out(command, utc_ns);
  return {};
}

void Gateway::perform_or_log(const CommandRecord& command, std::int64_t utc_ns,
                             std::string_view session) {
  if (const auto performed = perform(command, utc_ns); !performed) {
    log_.write(Event::Severity::Error, session,
               "the exchange cannot store an event: " + performed.error().text(), "P116");
  }
}

void Gateway::carry_out_pending() {
  if (pending_.empty()) {
    return;
  }
  if (const auto flushed = file_->flush(); !flushed) {
    log_.write(Event::Severity::Error, {},
               "requests wait, as they cannot be stored: " + flushed.error().text(), "P116");
    return;
  }
  for (const Pending& pending : pending_) {
    const auto command = read_command({pending.type, pending.utc_ns, pending.body});
    AFFIX_ASSERT(command);
    carry_out(*command, pending.utc_ns);
    if (pending.origin.session) {
      pending.origin.session.finish_message(pending.origin.receipt);
    }
  }
  pending_.clear();
}

void Gateway::carry_out(const CommandRecord& command, std::int64_t utc_ns) {
  now_ns_ = utc_ns;
  std::visit([this](const auto& of) { carry_out(of); }, command);
}

template <typename Command>
void Gateway::carry_out(const MemberCommand<Command>& command) {
  std::deque<std::uint64_t>& executed = members_[command.command.owner].executed;
  if (executed.size() == executed_max) {
    executed.pop_front();
  }
  executed.push_back(command.key);
  carry_out(command.command);
}

void Gateway::open_symbol(std::string_view symbol, std::int64_t utc_ns) {
  if (!options_.symbols.empty() || matching_.find_instrument(symbol) || is_halted(symbol)) {
    return;
  }
  const bool known = matching_.known_instrument(symbol).has_value();
  if (known || matching_.instrument_count() < options_.symbols_max) {
    perform_or_log(OpenSymbol{symbol}, utc_ns, {});
  }
}

void Gateway::carry_out(const OpenSymbol& symbol) {
  if (const auto known = matching_.known_instrument(symbol.symbol)) {
    matching_.open_instrument(*known);
    return;
  }
  // If the symbol cannot be opened it stays unknown, which refuses the order.
  static_cast<void>(matching_.add_instrument(instrument_of(symbol.symbol)));
}

void Gateway::carry_out(const CloseSymbol& symbol) {
  if (const auto known = matching_.known_instrument(symbol.symbol)) {
    matching_.close_instrument(*known);
  }
}

// --- From the market data publisher ---

SendOutcome Gateway::on_news(const MarketDataNews& news) {
  const Member& member = members_[news.owner];
  const host::SendResult result = send(member, news, member.session.now().utc_ns);
  if (!result.refused()) {
    return SendOutcome::Sent;
  }
  if (!never_goes(result.status)) {
    return SendOutcome::NoRoom;
  }
  log_.write(Event::Severity::Warning, member.session.name(),
             "market data was not sent: " + std::string(to_text(result.status)), "P113");
  return SendOutcome::TooLarge;
}

void Gateway::on_ended(OwnerId owner, std::string_view request_id, MarketDataRefusal why) {
  refuse(members_[owner], {request_id, why, {}});
}

// --- From the matching engine ---

void Gateway::on_trade(const PublicTrade& trade) {
  publisher_.on_trade(trade, {now_ns_, 0});
}

void Gateway::on_book_changing(InstrumentId instrument) {
  publisher_.on_book_changing(instrument);
}

/// The rule of the faults for a message that is not sent yet, or null.
template <typename Message>
const FaultRule* Gateway::fault_of(const Member& member, const Message& message,
                                   const ReportStyle& style) const {
  std::array<char, 4096> buffer;
  wire::Encoder draft =
      member.dialect->write(member.session.draft(msg_type_of(message), buffer), message, style);
  const wire::EncodedMessage finished = draft.finish();
  return finished ? options_.faults->rules().match(FaultPlace::Answer, *finished) : nullptr;
}

template <typename Message>
host::SendResult Gateway::send(const Member& member, const Message& message,
                               std::int64_t utc_ns) const {
  if (!member.session) {
    return {};
  }
  const ReportStyle style{options_.id_prefix, base::UtcTime{utc_ns, 0}};
  const FaultRule* const fault =
      options_.faults == nullptr ? nullptr : fault_of(member, message, style);
  if (fault != nullptr && fault->action == FaultAction::Withhold) {
    return {};
  }
  wire::Encoder written =
      member.dialect->write(member.session.begin(msg_type_of(message)), message, style);
  const host::SendResult result = member.session.commit(written);
  if (fault != nullptr && fault->action == FaultAction::Repeat) {
    written = member.dialect->write(member.session.begin(msg_type_of(message)), message, style);
    return member.session.commit(written);
  }
  return result;
}

template <typename Report>
bool Gateway::send_report(Member& member, const Report& report, std::int64_t utc_ns) {
  // A session that queues it would lose it if its numbers are reset before the peer requests it.
  if (!member.session || !member.session.logged_on()) {
    return false;
  }
  const host::SendResult result = send(member, report, utc_ns);
  if (result.refused()) {
    if (never_goes(result.status)) {
      log_.write(Event::Severity::Error, member.session.name(),
                 "a report can never be sent: " + std::string(to_text(result.status)), "P117");
    }
    return never_goes(result.status);
  }
  if constexpr (requires { report.exec_id; }) {
    if (report.exec_id != 0) {
      member.sent_exec_id = report.exec_id;
      member.sent_without_id = 0;
      return true;
    }
  }
  ++member.sent_without_id;
  return true;
}

template <typename Stored, typename Report>
void Gateway::report(Member& member, const Report& report) {
  ++counters_.reports;
  if (recovering_) {
    if (member.sent_before.was_sent(report)) {
      return;
    }
  } else if (member.waiting.empty() && send_report(member, report, now_ns_)) {
    return;
  }
  member.waiting.emplace_back(Stored(report, now_ns_));
  ++counters_.reports_waiting;
  if (member.waiting.size() >= options_.waiting_reports_max && !member.overrun) {
    member.overrun = true;
    overrun_ = true;
  }
}

void Gateway::on_execution(const ExecutionReport& report) {
  this->report<StoredExecution>(members_[report.owner], report);
  if (report.exec_id == 0 || options_.drop_copies.empty()) {
    return;
  }
  for (std::size_t owner = 0; owner < members_.size(); ++owner) {
    if (members_[owner].copies && owner != report.owner) {
      this->report<StoredExecution>(members_[owner], report);
    }
  }
}

void Gateway::on_cancel_reject(const CancelReject& reject) {
  report<StoredReject>(members_[reject.owner], reject);
}

void Gateway::send_waiting(Member& member) noexcept {
  while (!member.unanswered.empty() && answer(member, member.unanswered.front())) {
    member.session.finish_message(member.unanswered.front().receipt);
    member.unanswered.pop_front();
  }
  while (!member.waiting.empty()) {
    const bool sent = std::visit(
        [&](const auto& stored) { return send_report(member, stored.view(), stored.utc_ns); },
        member.waiting.front());
    if (!sent) {
      return;
    }
    member.waiting.pop_front();
    --counters_.reports_waiting;
  }
  member.overrun = false;
}

void Gateway::end_overrun(std::int64_t utc_ns) {
  overrun_ = false;
  for (std::size_t owner = 0; owner < members_.size(); ++owner) {
    Member& member = members_[owner];
    if (!member.overrun) {
      continue;
    }
    const std::string_view name =
        member.session ? member.session.name() : std::string_view(member.identity);
    log_.write(Event::Severity::Error, name,
               "too many reports wait for it: its open orders are cancelled", "P118");
    perform_or_log(CancelAll{static_cast<OwnerId>(owner), Reason::ReportsUnread}, utc_ns, name);
    if (member.session && member.session.logged_on()) {
      member.session.logout(to_text(Reason::ReportsUnread));
    }
  }
  // The reports made here are in the queues already, so this need not run again for them.
  overrun_ = false;
}

}  // namespace affix::inline v0::tools::exchange
