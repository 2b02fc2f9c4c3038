// SPDX-License-Identifier: MIT
// Connects sessions with the matching engine. One thread. A member's command is in the command file
// before it is executed, so that a new process executes it again: with the same book and the same
// reports with the same ids, of which it sends those not sent yet.
#pragma once

#include "affix/host/application.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/service/event_log.hpp"

#include "exchange/book/matching_engine.hpp"
#include "exchange/faults/fault_source.hpp"
#include "exchange/market_data/publisher.hpp"
#include "exchange/messages/dialect.hpp"
#include "exchange/recovery/command_file.hpp"
#include "exchange/recovery/command_record.hpp"
#include "exchange/recovery/exchange_state.hpp"
#include "exchange/recovery/sent_reports.hpp"
#include "exchange/recovery/stored_report.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// At the start, treatment of open orders of a member without a session.
enum class AbsentOrders : std::uint8_t {
  Cancel,          ///< Removed from the configuration: cancel.
  Keep,            ///< A template creates it at its next Logon: keep.
  KeepUnlessLost,  ///< Keep, unless it was logged on when the exchange was killed.
};

struct GatewayOptions {
  /// Traded symbols. Empty: any requested symbol, up to `symbols_max`.
  std::vector<std::string> symbols;
  std::size_t symbols_max = 10'000;
  /// Maximum number of reports that wait for a member that is away or does not read. When it is
  /// reached, the member's open orders are cancelled and it is logged out, so that nothing more can
  /// happen to it: none of its reports is lost.
  std::size_t waiting_reports_max = 100'000;
  MarketDataLimits market_data;
  /// Prefix of every OrderID, ExecID and trade id, so that ids of two runs of the exchange differ.
  /// A command file keeps the one that it was begun with.
  std::string id_prefix;
  /// Names of sessions whose open orders are cancelled when the session is lost, such as when the
  /// exchange is killed.
  std::unordered_set<std::string> cancel_when_lost;
  /// Names of sessions that get a copy of every member's reports with an ExecID.
  std::unordered_set<std::string> drop_copies{};
  AbsentOrders absent_orders = AbsentOrders::Cancel;
  /// Faults of this exchange, or null. Outlives it.
  FaultSource* faults = nullptr;
  /// A new command file is begun when this has been reached, and eight times the size at its
  /// beginning.
  std::uint64_t book_bytes = 64 * 1024 * 1024;
};

struct GatewayCounters {
  std::uint64_t messages = 0;
  std::uint64_t reports = 0;
  std::uint64_t bad_requests = 0;
  std::uint64_t reports_waiting = 0;
  std::uint64_t done_before = 0;  ///< Redelivered messages that had been executed.
  std::size_t members_logged_on = 0;
};

class Gateway final : public host::Application, private EventSink, private MarketDataSink {
 public:
  /// `log` outlives the gateway. Call either begin() or recover() next.
  Gateway(GatewayOptions options, service::EventLog& log);

  /// Begins with an empty book; nothing survives the process.
  void begin();

  /// Executes the file's commands again, reads in the journals of `sessions`, the complete list,
  /// which reports were sent, and writes to the file from then on. Call before the engine's first
  /// turn. Errors: those of CommandFile and of the journals; then nothing has changed.
  [[nodiscard]] std::expected<void, base::Error> recover(
      std::unique_ptr<CommandFile> file, const std::vector<host::SessionHandle>& sessions);

  [[nodiscard]] const GatewayCounters& counters() const noexcept { return counters_; }

  [[nodiscard]] const MatchingEngine& matching() const noexcept { return matching_; }

  [[nodiscard]] const MarketDataPublisher& market_data() const noexcept { return publisher_; }

  host::Redelivery redelivery(host::SessionHandle session) noexcept override;
  void on_session_added(host::SessionHandle session) noexcept override;
  void on_logon(host::SessionHandle session) noexcept override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_output_room(host::SessionHandle session) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_cancel_orders(host::SessionHandle session) noexcept override;
  void on_turn_end() noexcept override;
  void on_wake() noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  /// A message that cannot be a command, until its member gets the answer.
  struct Unanswered {
    std::string message;
    BadRequest why;
    std::string text;
    host::Receipt receipt;
  };

  /// The message of a command. Its session keeps it until the command is executed.
  struct Origin {
    host::SessionHandle session;
    host::Receipt receipt;
  };

  struct Member {
    host::SessionHandle session;  ///< Empty: it has none.
    const Dialect* dialect = nullptr;
    std::string identity;  ///< Its session's journal directory; without one, the session's name.
    bool stored = false;   ///< The file has its identity.
    bool copies = false;   ///< It gets copies of all reports.
    bool logged_on = false;
    bool overrun = false;  ///< The maximum number of reports waits.
    std::deque<StoredReport> waiting;
    std::deque<Unanswered> unanswered;
    std::deque<std::uint64_t> executed;  ///< Keys of its newest commands.
    // Sent reports according to its session's journal.
    affix::journal::Position sent_until;
    std::uint64_t sent_exec_id = 0;
    std::uint64_t sent_without_id = 0;
    // From an earlier run.
    bool journal_read = false;
    SentFilter sent_before;
    std::unordered_set<std::uint64_t> executed_before;
    std::unordered_set<std::uint64_t> rejected_before;
  };

  /// A command in the file that waits until the file is on the disk.
  struct Pending {
    char type;
    std::int64_t utc_ns;
    std::string body;
    Origin origin;
  };

  // EventSink
  void on_execution(const ExecutionReport& report) override;
  void on_cancel_reject(const CancelReject& reject) override;
  void on_trade(const PublicTrade& trade) override;
  void on_book_changing(InstrumentId instrument) override;

  // MarketDataSink
  [[nodiscard]] SendOutcome on_news(const MarketDataNews& news) override;
  void on_ended(OwnerId owner, std::string_view request_id, MarketDataRefusal why) override;

  // Members.
  [[nodiscard]] OwnerId member_of(host::SessionHandle session);
  void attach(OwnerId owner, host::SessionHandle session);
  void add_member(OwnerId owner, std::string_view identity);

  // Faults.
  void take_faults();
  [[nodiscard]] bool is_halted(std::string_view symbol) const;
  [[nodiscard]] bool falls_to_fault(Member& member, const wire::MessageView& message);
  void reject_by_fault(Member& member, const wire::MessageView& message);
  template <typename Message>
  [[nodiscard]] const FaultRule* fault_of(const Member& member, const Message& message,
                                          const ReportStyle& style) const;

  // Commands.
  [[nodiscard]] std::expected<void, base::Error> perform(const CommandRecord& command,
                                                         std::int64_t utc_ns,
                                                         const Origin& origin = {});
  [[nodiscard]] std::expected<void, base::Error> store(const CommandRecord& command,
                                                       std::int64_t utc_ns);
  void perform_or_log(const CommandRecord& command, std::int64_t utc_ns, std::string_view session);
  void carry_out(const CommandRecord& command, std::int64_t utc_ns);
  template <typename Command>
  void carry_out(const MemberCommand<Command>& command);

  void carry_out(const NewOrder& order) { matching_.submit(order); }

  void carry_out(const CancelOrder& cancel) { matching_.cancel(cancel); }

  void carry_out(const ReplaceOrder& replace) { matching_.replace(replace); }

  void carry_out(const StatusRequest& status) { matching_.report_status(status); }

  void carry_out(const CancelAll& all) { matching_.owner_gone(all.owner, all.reason); }

  void carry_out(const OpenSymbol& symbol);
  void carry_out(const CloseSymbol& symbol);

  void carry_out(const NoteSession& note) { members_[note.owner].logged_on = note.logged_on; }

  void carry_out(const AddMember& member) { add_member(member.owner, member.identity); }

  void carry_out_pending();
  void open_symbol(std::string_view symbol, std::int64_t utc_ns);
  template <typename Command>
  void take(Member& member, Command command, const wire::MessageView& message,
            const host::Delivery& delivery);
  void take(Member& member, const MarketDataRequest& request, const host::Delivery& delivery);
  void take(Member& member, const MassCancel& request, const host::Delivery& delivery);
  void refuse(const Member& member, const MarketDataReject& reject);
  void reject(Member& member, const wire::MessageView& message, const BadRequest& why,
              const host::Delivery& delivery);

  // Reports.
  template <typename Message>
  [[nodiscard]] host::SendResult send(const Member& member, const Message& message,
                                      std::int64_t utc_ns) const;
  template <typename Report>
  [[nodiscard]] bool send_report(Member& member, const Report& report, std::int64_t utc_ns);
  template <typename Stored, typename Report>
  void report(Member& member, const Report& report);
  void send_waiting(Member& member) noexcept;
  [[nodiscard]] bool answer(Member& member, const Unanswered& question) noexcept;
  void end_overrun(std::int64_t utc_ns);

  // gateway_recovery.cpp
  void restore(ExchangeState& state);
  [[nodiscard]] std::expected<void, base::Error> read_journals(
      const std::vector<host::SessionHandle>& sessions, std::uint64_t first_exec_id);
  [[nodiscard]] std::expected<void, base::Error> read_journal(Member& member,
                                                              std::uint64_t first_exec_id);
  void drop_sent();
  void settle(std::int64_t utc_ns);
  [[nodiscard]] ExchangeState state() const;
  [[nodiscard]] std::expected<void, base::Error> begin_file();
  void renew_file() noexcept;

  GatewayOptions options_;
  service::EventLog& log_;
  std::deque<Member> members_;  // By OwnerId; a session's user pointer is its OwnerId + 1.
  std::unordered_map<std::string, OwnerId> owner_of_;  // By identity.
  MatchingEngine matching_;
  MarketDataPublisher publisher_;
  std::vector<std::string> halted_;  // Symbols closed by the faults.
  std::uint64_t faulty_rejects_ = 0;
  std::uint64_t mass_cancels_ = 0;  // Answered in this run.
  std::int64_t now_ns_ = 0;         // Arrival of the current command.
  bool recovering_ = false;
  bool overrun_ = false;  // For some member.
  std::unique_ptr<CommandFile> file_;
  std::uint64_t renew_at_bytes_ = 0;
  bool waits_for_disk_ = false;
  std::vector<Pending> pending_;
  std::string bytes_;  // Of one record; reused.
  GatewayCounters counters_;
};

}  // namespace affix::inline v0::tools::exchange
