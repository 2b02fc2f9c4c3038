// SPDX-License-Identifier: MIT
// The exchange's door: sessions on one side, the matching engine on the other. One thread. What a
// member asks for is in the command file before it is done, so that a new process does it again:
// the same book, the same reports with the same ids, and those go out that had not.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/session_handle.hpp"

#include "exchange/book/matching_engine.hpp"
#include "exchange/market_data/publisher.hpp"
#include "exchange/messages/dialect.hpp"
#include "exchange/recovery/command_file.hpp"
#include "exchange/recovery/command_record.hpp"
#include "exchange/recovery/exchange_state.hpp"
#include "exchange/recovery/sent_reports.hpp"
#include "exchange/recovery/stored_report.hpp"
#include "process/event_log.hpp"

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

/// At a start, open orders of a member whose session is not there.
enum class AbsentOrders : std::uint8_t {
  Cancel,          ///< It was taken out of the configuration.
  Keep,            ///< A template makes it at its next Logon.
  KeepUnlessLost,  ///< The same, unless it was logged on when the exchange was killed.
};

struct GatewayOptions {
  /// Symbols that are traded. Empty: any symbol that is asked for, up to `symbols_max`.
  std::vector<std::string> symbols;
  std::size_t symbols_max = 10'000;
  /// Reports that wait for a member that is away or does not read. When there are as many, its open
  /// orders are cancelled and it is logged out, so that nothing more can happen to it: none of its
  /// reports is lost.
  std::size_t waiting_reports_max = 100'000;
  MarketDataLimits market_data;
  /// Begins every OrderID, ExecID and trade id, so that two runs of the exchange give no id twice.
  /// A command file keeps the one that it was begun with.
  std::string id_prefix;
  /// Names of sessions whose open orders are cancelled when they are lost, as they are when the
  /// exchange is killed.
  std::unordered_set<std::string> cancel_when_lost;
  AbsentOrders absent_orders = AbsentOrders::Cancel;
  /// A command file is begun anew when it has so many bytes, and is eight times as long as at its
  /// beginning.
  std::uint64_t book_bytes = 64 * 1024 * 1024;
};

struct GatewayCounters {
  std::uint64_t messages = 0;
  std::uint64_t reports = 0;
  std::uint64_t bad_requests = 0;
  std::uint64_t reports_waiting = 0;
  std::uint64_t done_before = 0;  ///< Messages that came again and had been dealt with.
  std::size_t members_logged_on = 0;
};

class Gateway final : public engine::Application, private EventSink, private MarketDataSink {
 public:
  /// `log` outlives the gateway. Then either begin() or recover().
  Gateway(GatewayOptions options, EventLog& log);

  /// Begins with an empty book, and nothing will survive the process.
  void begin();

  /// Does again what the file says was done, finds out from the journals of `sessions`, which are
  /// all that there are, which reports they had, and keeps the file from then on. Before the
  /// engine's first turn. Errors: those of CommandFile and of the journals; nothing has changed
  /// then.
  [[nodiscard]] std::expected<void, base::Error> recover(
      std::unique_ptr<CommandFile> file, const std::vector<engine::SessionHandle>& sessions);

  [[nodiscard]] const GatewayCounters& counters() const noexcept { return counters_; }

  [[nodiscard]] const MatchingEngine& matching() const noexcept { return matching_; }

  [[nodiscard]] const MarketDataPublisher& market_data() const noexcept { return publisher_; }

  engine::Redelivery redelivery(engine::SessionHandle session) noexcept override;
  void on_session_added(engine::SessionHandle session) noexcept override;
  void on_logon(engine::SessionHandle session) noexcept override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;
  void on_output_room(engine::SessionHandle session) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;
  void on_cancel_orders(engine::SessionHandle session) noexcept override;
  void on_turn_end() noexcept override;
  void on_event(const engine::Event& event) noexcept override;

 private:
  /// A message that cannot be a command, until its member has the answer.
  struct Unanswered {
    std::string message;
    BadRequest why;
    std::string text;
    engine::Receipt receipt;
  };

  /// The message that a command came with. Its session keeps it until the command is carried out.
  struct Origin {
    engine::SessionHandle session;
    engine::Receipt receipt;
  };

  struct Member {
    engine::SessionHandle session;  ///< Empty: there is none for it.
    const Dialect* dialect = nullptr;
    std::string identity;  ///< Its session's journal directory; the session's name without one.
    bool stored = false;   ///< The file knows its identity.
    bool logged_on = false;
    bool overrun = false;  ///< As many reports wait as may.
    std::deque<StoredReport> waiting;
    std::deque<Unanswered> unanswered;
    std::deque<std::uint64_t> executed;  ///< Keys of its newest commands.
    // What its session's journal says of the reports that were sent.
    journal::Position sent_until;
    std::uint64_t sent_exec_id = 0;
    std::uint64_t sent_without_id = 0;
    // Of an earlier run.
    bool journal_read = false;
    SentFilter sent_before;
    std::unordered_set<std::uint64_t> executed_before;
    std::unordered_set<std::uint64_t> rejected_before;
  };

  /// A command that is in the file and waits for the file to be on the disk.
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
  [[nodiscard]] OwnerId member_of(engine::SessionHandle session);
  void attach(OwnerId owner, engine::SessionHandle session);
  void add_member(OwnerId owner, std::string_view identity);

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
            const engine::Delivery& delivery);
  void take(Member& member, const MarketDataRequest& request, const engine::Delivery& delivery);
  void refuse(const Member& member, const MarketDataReject& reject);
  void reject(Member& member, const wire::MessageView& message, const BadRequest& why,
              const engine::Delivery& delivery);

  // Reports.
  template <typename Message>
  [[nodiscard]] engine::SendResult send(const Member& member, const Message& message,
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
      const std::vector<engine::SessionHandle>& sessions, std::uint64_t first_exec_id);
  [[nodiscard]] std::expected<void, base::Error> read_journal(Member& member,
                                                              std::uint64_t first_exec_id);
  void drop_sent();
  void settle(std::int64_t utc_ns);
  [[nodiscard]] ExchangeState state() const;
  [[nodiscard]] std::expected<void, base::Error> begin_file();
  void renew_file() noexcept;

  GatewayOptions options_;
  EventLog& log_;
  std::deque<Member> members_;  // By OwnerId; a session's user pointer is its OwnerId + 1.
  std::unordered_map<std::string, OwnerId> owner_of_;  // By identity.
  MatchingEngine matching_;
  MarketDataPublisher publisher_;
  std::int64_t now_ns_ = 0;  // When the command under way came.
  bool recovering_ = false;
  bool overrun_ = false;  // Of some member.
  std::unique_ptr<CommandFile> file_;
  std::uint64_t renew_at_bytes_ = 0;
  bool waits_for_disk_ = false;
  std::vector<Pending> pending_;
  std::string bytes_;  // Of one record, kept for its memory.
  GatewayCounters counters_;
};

}  // namespace affix::inline v0::tools::exchange
