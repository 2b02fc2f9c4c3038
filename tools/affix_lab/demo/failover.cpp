// SPDX-License-Identifier: MIT
// Watches the nodes while the traders' client runs, and does to them what the time demands.
#include "demo/failover.hpp"

#include "affix/base/text.hpp"
#include "affix/config/configuration.hpp"
#include "affix/engine/engine.hpp"
#include "affix/os/clock.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/stop_signals.hpp"

#include "demo/account.hpp"
#include "demo/answer_times.hpp"
#include "demo/failover_cluster.hpp"
#include "demo/failover_picture.hpp"
#include "demo/trading.hpp"
#include "trade/client.hpp"
#include "trade/progress.hpp"
#include "trade/redrawn_lines.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <poll.h>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::demo {

namespace {

using counters::FailoverCounter;
using counters::StandbyCounter;

constexpr std::size_t node_count = FailoverCluster::node_count;

/// Until what is on its way at the end has arrived everywhere.
constexpr std::int64_t settle_ns = 10 * base::ns_per_second;
constexpr int settle_nap_ms = 50;
constexpr std::int64_t line_ns = base::ns_per_second;

std::string name_of(std::size_t node) {
  return std::string(node_names[node]);
}

std::int64_t nanoseconds(double seconds) {
  return static_cast<std::int64_t>(seconds * static_cast<double>(base::ns_per_second));
}

bool stopped() {
  return service::StopSignals::requested();
}

class FailoverRun {
 public:
  FailoverRun(const FailoverOptions& options, FailoverCluster& cluster)
      : options_(options), cluster_(cluster), lines_(stdout) {}

  int run();

 private:
  [[nodiscard]] std::expected<void, base::Error> run_traders();
  void tick(const trade::Client& client);
  void begin(const trade::ClientState& state);
  void act(std::int64_t elapsed_ns);
  void watch();
  void watch_node(std::size_t node, const NodeReading& reading);
  void note(std::string text, char mark = ' ');
  void show(const trade::Client& client);
  [[nodiscard]] std::string more_of(std::size_t node) const;
  [[nodiscard]] bool in_sync(std::size_t node) const;
  [[nodiscard]] Account make_account() const;
  /// Nobody leads, and nobody can.
  [[nodiscard]] bool is_hopeless() const;
  [[nodiscard]] bool may_end();
  [[nodiscard]] Account settled_account();
  int report(const Account& account) const;
  static void print_account(const Account& account);
  void show_journals() const;

  const FailoverOptions& options_;
  FailoverCluster& cluster_;
  trade::RedrawnLines lines_;
  std::vector<std::string> trader_journals_;
  std::vector<std::string> names_;
  std::optional<AnswerTimes> answers_;
  std::int64_t begin_steady_ns_ = 0;
  std::int64_t end_deadline_ns_ = 0;
  std::int64_t next_line_ns_ = 0;
  std::array<NodeReading, node_count> readings_;
  std::array<std::uint64_t, node_count> led_epochs_{};  // That were noted.
  std::array<bool, node_count> end_noted_{};
  bool etcd_end_noted_ = false;
  bool exchange_end_noted_ = false;
  std::optional<std::size_t> killed_;
  std::int64_t killed_at_ns_ = 0;
  bool has_returned_ = false;
  bool is_back_ = false;  // In sync again.
  bool answer_noted_ = false;
  std::optional<base::Error> return_error_;
  FailoverPicture picture_;
  trade::ClientState state_;
  std::string round_trips_;
};

void FailoverRun::note(std::string text, char mark) {
  const PictureEvent event{.at_ns = picture_.elapsed_ns, .text = std::move(text), .mark = mark};
  if (!lines_.is_terminal()) {
    std::printf("%s\n", event_line(event).c_str());
    std::fflush(stdout);
  }
  picture_.events.push_back(event);
}

void FailoverRun::begin(const trade::ClientState& state) {
  const base::Now now = os::now();
  begin_steady_ns_ = now.steady_ns - state.elapsed_ns;
  answers_.emplace(trader_journals_, now.utc_ns - state.elapsed_ns);
}

void FailoverRun::tick(const trade::Client& client) {
  state_ = client.state();
  if (begin_steady_ns_ == 0) {
    if (state_.elapsed_ns == 0) {
      return;
    }
    begin(state_);
  }
  picture_.elapsed_ns = os::now().steady_ns - begin_steady_ns_;
  answers_->follow();
  act(picture_.elapsed_ns);
  watch();
  show(client);
}

void FailoverRun::act(std::int64_t elapsed_ns) {
  if (!killed_ && elapsed_ns >= nanoseconds(options_.kill_after_seconds)) {
    // Nobody could take over from a primary that is alone.
    killed_ = cluster_.whole_primary();
    if (killed_) {
      killed_at_ns_ = elapsed_ns;
      answers_->note_kill(os::now().utc_ns);
      const pid_t process = cluster_.kill_node(*killed_);
      note("kill -9 of " + name_of(*killed_) + ", process " + std::to_string(process), 'X');
    }
  }
  if (killed_ && !has_returned_ &&
      elapsed_ns >= killed_at_ns_ + nanoseconds(options_.return_after_seconds)) {
    has_returned_ = true;
    if (auto returned = cluster_.return_node(*killed_); !returned) {
      return_error_ = std::move(returned.error());
    }
    note(name_of(*killed_) + " is started again", 'R');
  }
}

bool FailoverRun::in_sync(std::size_t node) const {
  for (const NodeReading& reading : readings_) {
    if (reading.leads()) {
      std::string_view names = reading.group->in_sync;
      while (!names.empty()) {
        if (base::take_part(names, ',') == node_names[node]) {
          return true;
        }
      }
    }
  }
  return false;
}

void FailoverRun::watch() {
  for (std::size_t node = 0; node < node_count; ++node) {
    readings_[node] = cluster_.read(node);
  }
  for (std::size_t node = 0; node < node_count; ++node) {
    watch_node(node, readings_[node]);
  }
  if (killed_ && !answer_noted_) {
    if (const auto first = answers_->first_after_kill()) {
      answer_noted_ = true;
      note("the next request is answered, " + trade::duration_text(*first) + " after the kill");
    }
  }
  if (has_returned_ && !is_back_ && in_sync(*killed_)) {
    is_back_ = true;
    note(name_of(*killed_) + " has everything and is in sync again");
  }
  if (!cluster_.etcd_runs() && !std::exchange(etcd_end_noted_, true)) {
    note("etcd has ended");
  }
  if (!cluster_.exchange_runs() && !std::exchange(exchange_end_noted_, true)) {
    note("the exchange has ended");
  }
}

void FailoverRun::watch_node(std::size_t node, const NodeReading& reading) {
  if (reading.ended && !std::exchange(end_noted_[node], true)) {
    note(name_of(node) + " has ended");
  }
  if (!reading.leads() || led_epochs_[node] == reading.epoch()) {
    return;
  }
  led_epochs_[node] = reading.epoch();
  note(name_of(node) + " leads, epoch " + std::to_string(reading.epoch()));
}

std::string FailoverRun::more_of(std::size_t node) const {
  const NodeReading& own = readings_[node];
  if (own.leads()) {
    return (*own.group)[FailoverCounter::OutputHeld] != 0 ? "output held"
           : (*own.group)[FailoverCounter::Alone] != 0    ? "alone"
                                                          : "";
  }
  for (const NodeReading& reading : readings_) {
    if (!own.group || !reading.leads()) {
      continue;
    }
    for (const counters::StandbyReading& standby : reading.group->standbys) {
      if (standby.name == node_names[node] && standby[StandbyCounter::Connected] != 0) {
        const auto lag_ns = static_cast<std::int64_t>(standby[StandbyCounter::LagTime]);
        return (in_sync(node) ? "in sync, " : "catching up, ") +
               std::to_string(standby[StandbyCounter::LagBytes]) + " bytes behind" +
               (lag_ns == 0 ? "" : ", " + trade::duration_text(lag_ns));
      }
    }
  }
  return {};
}

void FailoverRun::show(const trade::Client& client) {
  picture_.duration_ns = nanoseconds(options_.duration_seconds);
  picture_.nodes.clear();
  for (std::size_t node = 0; node < node_count; ++node) {
    const NodeReading& reading = readings_[node];
    picture_.nodes.push_back({.name = name_of(node),
                              .state = reading.killed    ? "killed"
                                       : reading.ended   ? "ended"
                                       : !reading.group  ? "starting"
                                       : reading.leads() ? "primary"
                                                         : "standby",
                              .epoch = reading.epoch(),
                              .more = more_of(node)});
  }
  picture_.etcd = cluster_.etcd_runs() ? "runs, port " + cluster_.places().etcd_port : "has ended";
  picture_.traders = state_.traders.size();
  picture_.traders_logged_on = static_cast<std::size_t>(
      std::ranges::count_if(state_.traders, &trade::TraderState::logged_on));
  picture_.answered = answers_->answered();
  picture_.waiting = state_.totals.outstanding;
  picture_.round_trips = trade::percentile_text(client.round_trips());
  picture_.bars = answers_->bars();
  if (lines_.is_terminal()) {
    lines_.draw(picture_of(picture_, lines_.columns()));
  } else if (picture_.elapsed_ns >= next_line_ns_) {
    next_line_ns_ = picture_.elapsed_ns + line_ns;
    std::printf("%s\n", line_of(picture_).c_str());
    std::fflush(stdout);
  }
}

Account FailoverRun::make_account() const {
  Account account;
  if (!killed_) {
    account.add(account.other, {"no node was killed, since the nodes were not in sync"});
  } else if (!has_returned_ || !in_sync(*killed_)) {
    account.add(account.other, {name_of(*killed_) + " is not in sync again"});
  }
  const std::string& directory = options_.directory;
  const auto exchange = journals_of(directory + "/exchange.ini", "SESSION_");
  std::array<std::vector<std::string>, node_count> desks;
  std::array<std::vector<std::string>, node_count> markets;
  std::size_t primary = 0;
  for (std::size_t node = 0; node < node_count; ++node) {
    const std::string file = directory + "/" + name_of(node) + ".ini";
    desks[node] = journals_of(file, "DESK_");
    markets[node] = journals_of(file, "MARKET_");
    primary = readings_[node].leads() ? node : primary;
  }
  const std::string at = " at " + name_of(primary);
  for (std::size_t one = 0; one < trader_journals_.size(); ++one) {
    const std::string& name = names_[one];
    const std::string desk_name = name + "'s session";
    const std::string market_name = name + "'s exchange session";
    const auto trader = read_records(trader_journals_[one], name);
    const auto desk = read_records(desks[primary][one], desk_name + at);
    const auto market = read_records(markets[primary][one], market_name + at);
    const auto member = read_records(exchange[one], name + " at the exchange");
    for (const auto* const records : {&trader, &desk, &market, &member}) {
      if (!*records) {
        account.add(account.other, {records->error().text()});
        return account;
      }
    }
    account.compare_sides(*trader, *desk);
    account.compare_sides(*market, *member);
    account.compare_ends(*trader, *member);
    account.compare_copies(desks[0][one], desks[1][one], desk_name);
    account.compare_copies(markets[0][one], markets[1][one], market_name);
  }
  // The client has a record of its own, of what each report must say.
  if (const std::uint64_t faulty = state_.totals.faulty_reports() + state_.business_rejects +
                                   state_.unreadable_reports + state_.refused_sends;
      faulty != 0) {
    account.add(account.other, {std::to_string(faulty) +
                                " reports contradict the traders' orders, or are refusals; see "
                                "traders.log"});
  }
  if (state_.totals.outstanding > account.unanswered) {
    account.add(account.other, {std::to_string(state_.totals.outstanding - account.unanswered) +
                                " requests were due and could not be sent"});
  }
  return account;
}

bool FailoverRun::is_hopeless() const {
  return !cluster_.etcd_runs() && std::ranges::none_of(readings_, &NodeReading::leads);
}

bool FailoverRun::may_end() {
  const std::int64_t now_ns = os::now().steady_ns;
  if (end_deadline_ns_ == 0) {
    end_deadline_ns_ = now_ns + settle_ns;
  }
  return is_hopeless() || now_ns > end_deadline_ns_ || make_account().difference_count() == 0;
}

std::expected<void, base::Error> FailoverRun::run_traders() {
  const auto path =
      write_configuration(options_.directory, "traders.ini",
                          traders_of_nodes_configuration(options_.directory, cluster_.places()));
  if (!path) {
    return std::unexpected(path.error());
  }
  const auto configuration = affix::config::load_configuration(*path);
  if (!configuration) {
    return std::unexpected(
        base::Error{.message = affix::config::text_of(configuration.error()), .where = {}});
  }
  trader_journals_ = journals_of(*path, "SESSION_");
  for (const auto& session : configuration->sessions) {
    names_.push_back(session.sender_comp_id);
  }
  auto log = service::EventLog::open(configuration->engine);
  if (!log) {
    return std::unexpected(std::move(log.error()));
  }
  trade::ClientOptions client_options = flow_of(options_.duration_seconds, options_.rate);
  client_options.may_end = [this] { return may_end(); };
  trade::Client client(std::move(client_options), *log);
  auto engine = engine::Engine::open(*configuration, client);
  if (!engine) {
    return std::unexpected(
        base::Error{.message = affix::config::text_of(engine.error()), .where = {}});
  }
  auto result = client.run(**engine, &stopped, [&] { tick(client); });
  state_ = client.state();
  round_trips_ = trade::percentile_text(client.round_trips());
  return result;
}

Account FailoverRun::settled_account() {
  const std::int64_t deadline_ns = os::now().steady_ns + settle_ns;
  for (;;) {
    watch();
    Account account = make_account();
    if (account.difference_count() == 0 || os::now().steady_ns > deadline_ns || stopped() ||
        is_hopeless()) {
      return account;
    }
    static_cast<void>(::poll(nullptr, 0, settle_nap_ms));
  }
}

int FailoverRun::run() {
  const std::size_t primary = cluster_.whole_primary().value_or(0);
  std::printf(
      "exchange    listens on 127.0.0.1:%s\n"
      "etcd        elects, on 127.0.0.1:%s\n"
      "nodes       %s leads, %s is its standby, in sync\n"
      "traders     four, FIX.4.4, FIX.4.2 and FIXT.1.1, %" PRId64
      " requests a second each, %g s\n"
      "            second %g: the node that leads is killed; second %g: it is started again\n\n",
      cluster_.places().exchange_port.c_str(), cluster_.places().etcd_port.c_str(),
      name_of(primary).c_str(), name_of(1 - primary).c_str(), options_.rate,
      options_.duration_seconds, options_.kill_after_seconds,
      options_.kill_after_seconds + options_.return_after_seconds);
  std::fflush(stdout);
  const auto traded = run_traders();
  lines_.finish();
  if (!traded) {
    std::fprintf(stderr, "%s\n", traded.error().text().c_str());
    return 1;
  }
  if (stopped()) {
    static_cast<void>(cluster_.stop());
    std::printf("\nstopped: everyone is logged out, and nothing was compared\n");
    return 0;
  }
  Account account = settled_account();
  if (return_error_) {
    account.add(account.other, {return_error_->text()});
  }
  if (const auto ended = cluster_.stop(); !ended) {
    account.add(account.other, {ended.error().text()});
  }
  return report(account);
}

void FailoverRun::print_account(const Account& account) {
  std::printf(
      "\nThe journals of the traders, of both nodes and of the exchange, compared:\n\n"
      "requests    %" PRIu64
      " sent by the traders; at the exchange each of them once\n"
      "reports     %" PRIu64
      " sent by the exchange; at the traders each of them once\n"
      "unanswered  0\n"
      "numbers     %" PRIu64
      " sequence numbers, the same on both sides of each session\n"
      "copies      %" PRIu64 " journals, %" PRIu64 " records, the same on both nodes\n",
      account.requests, account.reports, account.numbers, account.copies, account.copied_records);
}

void FailoverRun::show_journals() const {
  const char* const directory = options_.directory.c_str();
  std::printf(
      "\njournals    %s/traders, exchange, %s and %s: read them with\n"
      "            %s log %s/%s\n"
      "logs        %s/*.log\n",
      directory, name_of(0).c_str(), name_of(1).c_str(), reader_path().c_str(), directory,
      name_of(1).c_str(), directory);
}

int FailoverRun::report(const Account& account) const {
  const bool whole = account.difference_count() == 0 && account.requests != 0;
  if (whole) {
    print_account(account);
  }
  std::printf("round trip  %s\n", round_trips_.c_str());
  const auto first = answers_ ? answers_->first_after_kill() : std::nullopt;
  const auto last = answers_ ? answers_->last_after_kill() : std::nullopt;
  if (first && last) {
    std::printf("take-over   %s to the next answered request, %s to one of every trader\n",
                trade::duration_text(*first).c_str(), trade::duration_text(*last).c_str());
  } else {
    std::printf("take-over   not every trader has had an answer since the kill\n");
  }
  show_journals();
  if (whole) {
    std::printf("\nlost: nothing\n");
    return 0;
  }
  std::fflush(stdout);
  std::fprintf(stderr,
               "\nlost: %" PRIu64 " messages of %" PRIu64 " requests and %" PRIu64
               " reports; %" PRIu64 " requests without an answer, %" PRIu64
               " other differences [L109]\n",
               account.lost, account.requests, account.reports, account.unanswered, account.other);
  for (const std::string& difference : account.differences) {
    std::fprintf(stderr, "  %s\n", difference.c_str());
  }
  return 1;
}

}  // namespace

int run_failover(const FailoverOptions& options) {
  // From here on, so that a signal never leaves a process behind.
  const service::StopSignals signals;
  std::printf("starting an etcd, an exchange and two nodes\n");
  std::fflush(stdout);
  auto cluster = FailoverCluster::start(options.directory, &stopped);
  if (!cluster) {
    if (stopped()) {
      std::printf("stopped before anyone traded\n");
      return 0;
    }
    std::fprintf(stderr, "%s\n", cluster.error().text().c_str());
    return 1;
  }
  return FailoverRun(options, **cluster).run();
}

}  // namespace affix::inline v0::tools::demo
