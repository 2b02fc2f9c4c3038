// SPDX-License-Identifier: MIT
// Opens the port, runs its loop, and handles connections.
#include "admin/service.hpp"

#include "affix/os/thread_precedence.hpp"
#include "affix/tls/tls_endpoint.hpp"

#include "config/configuration_checks.hpp"

#include <algorithm>
#include <pthread.h>
#include <sched.h>
#include <utility>

namespace affix::inline v0::admin {

namespace {

using Severity = host::Event::Severity;

/// Connections beyond the served ones: room to refuse new ones with a message.
constexpr std::uint32_t turned_away_max = 8;

constexpr std::int64_t idle_look_ns = base::ns_per_second;
constexpr std::int64_t tap_look_ns = 50 * base::ns_per_ms;
constexpr std::int64_t close_ns = 2 * base::ns_per_second;

/// Commands are small, and so are the queues that take them to workers.
constexpr engine::CourierOptions courier_options{.ring_bytes = 64 * 1024, .message_bytes = 256};

net::ReactorOptions reactor_options(const config::ManagementSettings& settings) {
  net::ReactorOptions options;
  options.connections_max =
      static_cast<std::uint32_t>(settings.management_connections_max) + turned_away_max;
  options.listeners_max = 1;
  options.rx_buffer_capacity = 32 * 1024;
  options.tx_buffer_capacity = 128 * 1024;
  options.read_bytes_per_turn = 32 * 1024;
  return options;
}

tls::TlsSettings tls_settings(const config::ManagementSettings& settings) {
  tls::TlsSettings tls;
  tls.name = "ENGINE";
  tls.is_server = true;
  tls.certificates.push_back(
      {{}, settings.management_tls_certificate_file, settings.management_tls_key_file, {}});
  tls.ca_file = settings.management_tls_ca_file;
  tls.peer_proof = tls.ca_file.empty() ? tls::TlsPeerProof::None : tls::TlsPeerProof::Certificate;
  return tls;
}

struct Listening {
  std::unique_ptr<net::Reactor> reactor;
  net::Address address;
};

std::expected<Listening, base::Error> listen(const config::ManagementSettings& settings) {
  const auto address = config::management_address_of(settings);
  if (!address) {
    return std::unexpected(address.error());
  }
  const bool has_tls = !settings.management_tls_certificate_file.empty();
  const net::ReactorOptions options = reactor_options(settings);
  auto reactor = net::make_reactor("epoll", has_tls ? tls::options_beneath_tls(options) : options);
  if (!reactor) {
    return std::unexpected(reactor.error());
  }
  if (!has_tls) {
    const auto listening = (*reactor)->listen(*address, {});
    if (!listening) {
      return std::unexpected(listening.error());
    }
    return Listening{std::move(*reactor), listening->address};
  }
  const auto endpoint = tls::TlsEndpoint::open(tls_settings(settings));
  if (!endpoint) {
    return std::unexpected(endpoint.error());
  }
  auto secured = tls::make_tls_reactor(std::move(*reactor));
  if (!secured) {
    return std::unexpected(secured.error());
  }
  const auto listening = (*secured)->listen_tls(*address, {}, *endpoint);
  if (!listening) {
    return std::unexpected(listening.error());
  }
  return Listening{std::move(*secured), listening->address};
}

/// Beyond loopback there is no role without a token.
Role role_without_token(const config::ManagementSettings& settings, const net::Address& address) {
  if (!address.is_loopback() || settings.management_local_role == config::LocalRole::None) {
    return Role::None;
  }
  return settings.management_local_role == config::LocalRole::Operate ? Role::Operate : Role::Read;
}

void pin(std::int64_t core) noexcept {
  if (core < 0 || core >= CPU_SETSIZE) {
    return;
  }
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  // If the core is not allowed the thread stays where it was, as workers do.
  static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof cores, &cores));
}

}  // namespace

bool LogLimit::admits(std::int64_t now_ns, std::size_t& left_out) noexcept {
  if (now_ns - second_ns_ >= base::ns_per_second) {
    second_ns_ = now_ns;
    lines_ = 0;
  }
  if (lines_ == lines_max) {
    ++left_out_;
    return false;
  }
  ++lines_;
  left_out = std::exchange(left_out_, 0);
  return true;
}

std::expected<std::unique_ptr<Service>, base::Error> Service::open(
    const config::ManagementSettings& settings, engine::Engine& engine, Program& program,
    const ServerOptions& options) {
  // A program may open a port with settings that no file expresses and no engine has checked.
  if (auto checked = config::check_open_port(settings); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  auto tokens = Tokens::read(settings);
  if (!tokens) {
    return std::unexpected(tokens.error());
  }
  auto courier = engine.open_courier(courier_options);
  if (!courier) {
    return std::unexpected(courier.error());
  }
  auto kill_switch = KillSwitchFile::open(settings.kill_switch_file);
  if (!kill_switch) {
    return std::unexpected(kill_switch.error());
  }
  auto listening = listen(settings);
  if (!listening) {
    return std::unexpected(listening.error());
  }
  kill_switch->apply_to(engine);
  for (const KillSwitchFile::Word& word : kill_switch->words()) {
    program.log(
        Severity::Warning, word.session,
        "administration: " + word.text() +
            (word.stopped
                 ? " begins with sending stopped, as operators have said before this start ("
                 : " may send, as operators have said before this start (") +
            kill_switch->path() + ")",
        "A109");
  }
  return std::unique_ptr<Service>(
      new Service(settings, engine, program, options, std::move(*tokens), std::move(*courier),
                  std::move(*kill_switch), std::move(listening->reactor), listening->address));
}

Service::Service(const config::ManagementSettings& settings, engine::Engine& engine,
                 Program& program, const ServerOptions& options, Tokens tokens,
                 engine::Courier courier, KillSwitchFile kill_switch,
                 std::unique_ptr<net::Reactor> reactor, const net::Address& address)
    : settings_(settings),
      program_(program),
      options_(options),
      tokens_(std::move(tokens)),
      local_role_(role_without_token(settings, address)),
      reactor_(std::move(reactor)),
      address_(address),
      desk_(engine, program, std::move(courier), reactor_->waker(), std::move(kill_switch)),
      visitors_(reactor_->options().connections_max),
      thread_([this] { run(); }) {}

Service::~Service() {
  // Release: the loop reads it with acquire, although no other data depends on it.
  stop_.store(true, std::memory_order_release);
  reactor_->waker().wake();
  thread_.join();
}

void Service::run() noexcept {
  os::name_this_thread("affix-admin");
  // An operator does not notice a short delay, and no message waits for an answer.
  os::give_way_to_workers();
  pin(settings_.management_server_cpu_core_id);
  while (!stop_.load(std::memory_order_acquire)) {
    const base::Now now = reactor_->now();
    reactor_->poll(now, net::Wait::block_until(next_look_ns(now.steady_ns)), *this);
    const std::int64_t steady_ns = reactor_->now().steady_ns;
    for (Visitor& visitor : visitors_) {
      if (visitor.open) {
        look_after(visitor, steady_ns);
      }
    }
  }
}

std::int64_t Service::next_look_ns(std::int64_t now_ns) const noexcept {
  std::int64_t next = now_ns + idle_look_ns;
  for (const Visitor& visitor : visitors_) {
    if (!visitor.open) {
      continue;
    }
    if (visitor.under_way) {
      const UnderWay& command = *visitor.under_way;
      next = std::min(
          next, now_ns < command.claim_until_ns ? command.claim_until_ns : command.finish_until_ns);
    }
    if (visitor.held_until_ns != 0) {
      next = std::min(next, visitor.held_until_ns);
    }
    if (visitor.tap && !visitor.is_busy()) {
      next = std::min(next, now_ns + tap_look_ns);
    }
  }
  return next;
}

// --- Connections ---

bool Service::make_place(std::int64_t now_ns) {
  const auto places = static_cast<std::size_t>(settings_.management_connections_max);
  // Connections without a token leave a quarter of the places to those with one.
  const std::size_t strangers_max = std::max<std::size_t>(places - places / 4, 1);
  std::size_t all = 0;
  std::size_t strangers = 0;
  Visitor* quietest = nullptr;
  for (Visitor& visitor : visitors_) {
    if (!visitor.open || visitor.closing) {
      continue;
    }
    ++all;
    if (!visitor.has_shown_token) {
      ++strangers;
      if (!visitor.is_busy() && !visitor.tap &&
          (quietest == nullptr || visitor.heard_ns < quietest->heard_ns)) {
        quietest = &visitor;
      }
    }
  }
  if (all < places && strangers < strangers_max) {
    return true;
  }
  static_cast<void>(now_ns);
  if (quietest == nullptr) {
    return false;
  }
  drop(*quietest, "closed: its place was needed for a newcomer");
  return true;
}

void Service::on_accepted(net::ListenerId listener, net::ConnectionId connection,
                          const net::Address& peer) noexcept {
  static_cast<void>(listener);
  const std::int64_t now_ns = reactor_->now().steady_ns;
  const bool has_place = make_place(now_ns);
  Visitor& newcomer = visitor(connection);
  newcomer = Visitor();
  newcomer.id = connection;
  newcomer.open = true;
  newcomer.peer = peer.text();
  newcomer.came_ns = newcomer.heard_ns = now_ns;
  newcomer.role = local_role_;
  if (!has_place) {
    newcomer.output =
        text_of(Answer::refused("too many connections", "A107"), options_.answer_bytes_max);
    newcomer.closing = true;
    log(Severity::Warning,
        "connection of " + newcomer.peer + " refused: management_connections_max is met", "A107");
    push_output(newcomer);
  }
}

void Service::on_connected(net::ConnectionId connection) noexcept {
  static_cast<void>(connection);
}

void Service::on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                                int error_number) noexcept {
  static_cast<void>(connection);
  static_cast<void>(failure);
  static_cast<void>(error_number);
}

void Service::on_closed(net::ConnectionId connection, net::CloseReason reason,
                        int error_number) noexcept {
  static_cast<void>(reason);
  static_cast<void>(error_number);
  forget(visitor(connection));
}

void Service::on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept {
  log(Severity::Warning, "TLS with " + visitor(connection).peer + ": " + std::string(fault.text),
      fault.code);
}

void Service::on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept {
  static_cast<void>(listener);
  log(Severity::Warning, std::string("no connection is accepted: ") + net::to_text(pause),
      net::code_of(pause));
}

void Service::drop(Visitor& visitor, std::string_view why) {
  log(Severity::Info, "connection of " + visitor.peer + " " + std::string(why), "A107");
  reactor_->close(visitor.id);
  forget(visitor);
}

void Service::forget(Visitor& visitor) {
  if (visitor.under_way) {
    bool begun = false;
    for (Errand* const errand : visitor.under_way->pending.errands) {
      begun = !errand->withdraw() || begun;
      errand->let_go();
    }
    if (begun && visitor.command->role == Role::Operate) {
      // Its caller is gone and cannot get the answer.
      static_cast<void>(audit(visitor, Answer::begun("its connection was lost before the answer")));
    }
  }
  visitor = Visitor();
}

void Service::on_drained(net::ConnectionId connection) noexcept {
  Visitor& drained = visitor(connection);
  drained.parked = false;
  drained.unread_ns = 0;
  push_output(drained);
  settle(drained);
}

void Service::push_output(Visitor& visitor) {
  constexpr std::size_t piece_max = 32 * 1024;
  while (visitor.open && !visitor.parked && visitor.sent < visitor.output.size()) {
    const std::string_view piece = std::string_view(visitor.output).substr(visitor.sent, piece_max);
    switch (reactor_->send(visitor.id, piece)) {
      case net::SendResult::Sent:
        visitor.sent += piece.size();
        break;
      case net::SendResult::Parked:
        visitor.sent += piece.size();
        visitor.parked = true;
        break;
      case net::SendResult::Overflow:
        visitor.parked = true;  // on_drained() follows, since output is parked.
        break;
      case net::SendResult::Closed:
        // No more output can reach it. on_closed() may not follow: reading stays paused while the
        // peer has output to read, and only reading detects the end.
        reactor_->close(visitor.id);
        forget(visitor);
        return;
    }
  }
  if (visitor.parked && visitor.unread_ns == 0) {
    visitor.unread_ns = reactor_->now().steady_ns;
  }
  if (visitor.sent == visitor.output.size()) {
    visitor.output = std::string();
    visitor.sent = 0;
    if (visitor.closing && visitor.open) {
      // Parked output leaves first.
      reactor_->close_after_flush(visitor.id, reactor_->now().steady_ns + close_ns);
    }
  }
}

void Service::settle(Visitor& visitor) {
  const bool wants = visitor.open && !visitor.closing && (visitor.tap || !visitor.is_busy());
  if (wants && visitor.reading_paused) {
    visitor.reading_paused = false;
    reactor_->resume_reading(visitor.id);
  } else if (!wants && visitor.open && !visitor.closing && !visitor.reading_paused) {
    visitor.reading_paused = true;
    reactor_->pause_reading(visitor.id);
  }
}

std::optional<std::string> Service::limited_line(std::string_view text) {
  std::size_t left_out = 0;
  if (!log_limit_.admits(reactor_->now().steady_ns, left_out)) {
    return std::nullopt;
  }
  std::string line = "administration: " + std::string(text);
  if (left_out != 0) {
    line += " (" + std::to_string(left_out) + " lines were left out before this one)";
  }
  return line;
}

void Service::log(Severity severity, std::string_view text, base::MessageCode code) {
  if (const auto line = limited_line(text)) {
    program_.log(severity, {}, *line, code);
  }
}

void Service::audit_access(Severity severity, std::string_view text, base::MessageCode code) {
  if (const auto line = limited_line(text)) {
    // No command waits here; the program itself logs that it could not record the line.
    static_cast<void>(program_.audit(severity, {}, *line, code));
  }
}

// --- Once a turn ---

void Service::look_after(Visitor& visitor, std::int64_t now_ns) {
  if (visitor.held_until_ns != 0 && now_ns >= visitor.held_until_ns) {
    visitor.held_until_ns = 0;
    visitor.closing = true;
    answer(visitor, Answer::refused("no such token", "A106"));
    return;
  }
  if (visitor.under_way) {
    look_at_command(visitor, now_ns);
  }
  if (visitor.open && visitor.tap) {
    look_at_tap(visitor);
  }
  if (visitor.open) {
    look_at_limits(visitor, now_ns);
  }
}

void Service::look_at_command(Visitor& visitor, std::int64_t now_ns) {
  UnderWay& command = *visitor.under_way;
  std::vector<ErrandEnd> ends;
  for (Errand* const errand : command.pending.errands) {
    Errand::State state = errand->state();
    if (state == Errand::State::Waiting && now_ns >= command.claim_until_ns && errand->withdraw()) {
      state = Errand::State::Withdrawn;
    } else if (state == Errand::State::Waiting) {
      state = errand->state();  // A thread may have claimed it meanwhile.
    }
    switch (state) {
      case Errand::State::Done:
        ends.push_back(ErrandEnd::Done);
        break;
      case Errand::State::Withdrawn:
      case Errand::State::Dropped:
        ends.push_back(ErrandEnd::Withdrawn);
        break;
      case Errand::State::Waiting:
      case Errand::State::Claimed:
      case Errand::State::Free:
        if (now_ns < command.finish_until_ns) {
          return;
        }
        ends.push_back(ErrandEnd::Begun);
        break;
    }
  }
  UnderWay ended = std::move(command);
  visitor.under_way.reset();
  Answer made = ended.pending.finish(ends);
  for (Errand* const errand : ended.pending.errands) {
    errand->let_go();
  }
  if (ended.wish && made.status() == AnswerStatus::Done) {
    start_tap(visitor, *ended.wish);
  } else {
    answer(visitor, made);
  }
}

void Service::look_at_limits(Visitor& visitor, std::int64_t now_ns) {
  if (visitor.unread_ns != 0 && now_ns - visitor.unread_ns >= options_.unread_ns) {
    drop(visitor, "closed: it does not read what it asked for");
  } else if (visitor.role == Role::None && !visitor.closing &&
             now_ns - visitor.came_ns >= options_.stranger_ns) {
    drop(visitor, "closed: it has not said who it is");
  } else if (!visitor.under_way && !visitor.tap && !visitor.closing &&
             now_ns - visitor.heard_ns >= options_.silent_ns) {
    drop(visitor, "closed: it has said nothing for long");
  }
}

}  // namespace affix::inline v0::admin
