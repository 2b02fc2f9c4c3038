// SPDX-License-Identifier: MIT
// Recovers the state of an earlier run: executes its commands again, compares the reports with
// those sent to members, and handles the differences.
#include "affix/os/clock.hpp"

#include "exchange/gateway.hpp"
#include "process/run_prefix.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::exchange {

namespace {

using host::Event;

/// A new file is begun when it has grown by this factor.
constexpr std::uint64_t renew_factor = 8;

}  // namespace

void Gateway::restore(ExchangeState& state) {
  options_.id_prefix = state.id_prefix;
  for (const SavedTrade& trade : state.trades) {
    publisher_.on_trade({.instrument = trade.instrument,
                         .symbol = matching_.symbol(trade.instrument),
                         .match_id = trade.match_id,
                         .price = trade.price,
                         .quantity = trade.quantity},
                        {trade.utc_ns, 0});
  }
  for (SavedMember& saved : state.members) {
    const auto owner = static_cast<OwnerId>(members_.size());
    add_member(owner, saved.identity);
    Member& member = members_[owner];
    member.sent_until = saved.sent_until;
    member.sent_exec_id = saved.sent_exec_id;
    member.sent_without_id = saved.sent_without_id;
    member.logged_on = saved.logged_on;
    member.executed.assign(saved.executed.begin(), saved.executed.end());
    member.waiting.assign(std::make_move_iterator(saved.waiting.begin()),
                          std::make_move_iterator(saved.waiting.end()));
  }
}

std::expected<void, base::Error> Gateway::read_journal(Member& member,
                                                       std::uint64_t first_exec_id) {
  // Also for a session that does not exist: without a journal, its identity is a name and no
  // directory.
  auto sent = read_sent_reports(member.identity, member.sent_until, options_.id_prefix);
  if (!sent) {
    if (sent.error().code == base::ErrorCode::NotFound) {
      return {};
    }
    return std::unexpected(std::move(sent.error()));
  }
  if (!sent->kept) {
    log_.write(Event::Severity::Warning, member.identity,
               "this journal keeps no messages: its session's orders do not outlive the exchange",
               "P119");
    return {};
  }
  if (sent->last_exec_id <= member.sent_exec_id) {
    // No report with an id came after the known ones; others may have.
    sent->without_id -= std::min(sent->without_id, member.sent_without_id);
    sent->last_exec_id = 0;
  }
  for (const StoredReport& report : member.waiting) {
    if (const auto* execution = std::get_if<StoredExecution>(&report);
        execution != nullptr && execution->report.exec_id != 0) {
      first_exec_id = std::min(first_exec_id, execution->report.exec_id);
    }
  }
  member.sent_before = SentFilter(*sent, first_exec_id);
  member.rejected_before = std::move(sent->rejected);
  member.sent_until = sent->end;
  member.sent_exec_id = 0;
  member.sent_without_id = 0;
  member.journal_read = true;
  return {};
}

std::expected<void, base::Error> Gateway::read_journals(
    const std::vector<host::SessionHandle>& sessions, std::uint64_t first_exec_id) {
  for (const host::SessionHandle session : sessions) {
    static_cast<void>(member_of(session));
  }
  for (Member& member : members_) {
    if (auto read = read_journal(member, first_exec_id); !read) {
      return read;
    }
  }
  return {};
}

void Gateway::drop_sent() {
  for (Member& member : members_) {
    std::deque<StoredReport> before = std::exchange(member.waiting, {});
    for (StoredReport& report : before) {
      const bool sent = std::visit(
          [&member](const auto& stored) { return member.sent_before.was_sent(stored.view()); },
          report);
      if (!sent) {
        member.waiting.push_back(std::move(report));
      }
    }
  }
}

void Gateway::settle(std::int64_t utc_ns) {
  // Records were lost by a power loss, but members have reports about them.
  bool lost = false;
  for (const Member& member : members_) {
    lost = lost || member.sent_before.last_exec_id() > matching_.last_exec_id();
    // From here on everything is new.
  }
  if (lost) {
    log_.write(Event::Severity::Error, {},
               "the exchange's records end before the reports that its members were sent, as after "
               "a power "
               "loss: all open orders are cancelled",
               "P123");
    std::string fresh = run_prefix();
    options_.id_prefix = fresh == options_.id_prefix ? "1" + fresh : fresh;
  }
  for (std::size_t at = 0; at < members_.size(); ++at) {
    Member& member = members_[at];
    const auto owner = static_cast<OwnerId>(at);
    member.sent_before = SentFilter();
    if (lost) {
      carry_out(CancelAll{owner, Reason::RecordsLost}, utc_ns);
    }
    const bool lost_absent =
        member.logged_on && options_.absent_orders == AbsentOrders::KeepUnlessLost;
    if (!member.session && options_.absent_orders == AbsentOrders::Cancel) {
      carry_out(CancelAll{owner, Reason::SessionGone}, utc_ns);
    } else if (!member.journal_read) {
      // Its numbers start over, and the reports that it received are unknown.
      member.waiting.clear();
      carry_out(CancelAll{owner, Reason::NothingStored}, utc_ns);
    } else if (member.session ? member.logged_on && options_.cancel_when_lost.contains(
                                                        std::string(member.session.name()))
                              : lost_absent) {
      carry_out(CancelAll{owner, Reason::OwnerGone}, utc_ns);
    }
    member.logged_on = false;
    member.executed_before.insert(member.executed.begin(), member.executed.end());
  }
  if (!options_.symbols.empty()) {
    for (InstrumentId instrument = 0; instrument < matching_.instrument_count(); ++instrument) {
      const std::string symbol(matching_.symbol(instrument));
      if (std::find(options_.symbols.begin(), options_.symbols.end(), symbol) ==
          options_.symbols.end()) {
        carry_out(CloseSymbol{symbol}, utc_ns);
      }
    }
    for (const std::string& symbol : options_.symbols) {
      carry_out(OpenSymbol{symbol}, utc_ns);
    }
  }
}

std::expected<void, base::Error> Gateway::recover(
    std::unique_ptr<CommandFile> file, const std::vector<host::SessionHandle>& sessions) {
  auto contents = file->read();
  if (!contents) {
    return std::unexpected(std::move(contents.error()));
  }
  const std::vector<StoredCommand>& records = (*contents)->records;
  std::size_t at = 0;
  recovering_ = true;
  if (!records.empty()) {
    auto read = read_state(records);
    if (!read) {
      read.error().where = file->directory();
      return std::unexpected(std::move(read.error()));
    }
    at = read->count;
    if (auto restored = matching_.restore(read->state.book); !restored) {
      restored.error().where = file->directory();
      return restored;
    }
    restore(read->state);
  }
  const auto damaged = [&](std::size_t record) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "record " + std::to_string(record + 1) + " is no command",
                                       file->directory(), "P122"});
  };
  // Members first: a new session must not get the number of one in a later record.
  std::vector<CommandRecord> commands;
  for (std::size_t record = at; record < records.size(); ++record) {
    const auto command = read_command(records[record]);
    if (!command) {
      return damaged(record);
    }
    if (const auto* member = std::get_if<AddMember>(&*command)) {
      carry_out(*member);
    }
    commands.push_back(*command);
  }
  if (auto sent = read_journals(sessions, matching_.last_exec_id() + 1); !sent) {
    return sent;
  }
  drop_sent();
  for (const CommandRecord& command : commands) {
    if (const auto owner = owner_of(command); owner && *owner >= members_.size()) {
      return damaged(at);
    }
    if (!std::holds_alternative<AddMember>(command)) {
      carry_out(command, records[at].utc_ns);
    }
    ++at;
  }
  if ((*contents)->cut_bytes != 0) {
    log_.write(Event::Severity::Warning, {},
               std::to_string((*contents)->cut_bytes) +
                   " bytes of a record that was never finished are left out",
               "P121");
  }
  settle(os::read_clock_ns(CLOCK_REALTIME));
  recovering_ = false;
  counters_ = {};
  for (const Member& member : members_) {
    counters_.reports_waiting += member.waiting.size();
  }
  matching_.reset_counters();
  if (!records.empty()) {
    log_.write(Event::Severity::Info, {},
               std::to_string(matching_.open_orders()) + " open orders and " +
                   std::to_string(counters_.reports_waiting) + " waiting reports of an earlier run",
               "P114");
  }
  file_ = std::move(file);
  waits_for_disk_ = file_->safety() == CommandSafety::OnFlush;
  return begin_file();
}

ExchangeState Gateway::state() const {
  ExchangeState state;
  state.id_prefix = options_.id_prefix;
  state.book = matching_.save();
  for (const Member& member : members_) {
    state.members.push_back({.identity = member.identity,
                             .sent_until = member.sent_until,
                             .sent_exec_id = member.sent_exec_id,
                             .sent_without_id = member.sent_without_id,
                             .logged_on = member.logged_on,
                             .waiting = {member.waiting.begin(), member.waiting.end()},
                             .executed = {member.executed.begin(), member.executed.end()}});
  }
  publisher_.each_last_trade([&state](InstrumentId instrument, std::uint64_t match_id,
                                      base::Decimal price, base::Decimal quantity,
                                      base::UtcTime time) {
    state.trades.push_back({instrument, match_id, price, quantity, time.ns});
  });
  return state;
}

std::expected<void, base::Error> Gateway::begin_file() {
  const StateRecords records(state());
  auto begun = file_->begin(records.records());
  if (begun) {
    for (Member& member : members_) {
      member.stored = true;
    }
    renew_at_bytes_ = std::max(options_.book_bytes, file_->size() * renew_factor);
  }
  return begun;
}

void Gateway::renew_file() noexcept {
  if (const auto begun = begin_file(); !begun) {
    log_.write(Event::Severity::Warning, {},
               "the exchange's file grows on, as no new one can be begun: " + begun.error().text(),
               "P116");
    renew_at_bytes_ = file_->size() * 2;
  }
}

}  // namespace affix::inline v0::tools::exchange
