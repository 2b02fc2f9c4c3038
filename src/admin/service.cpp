// SPDX-License-Identifier: MIT
// Opens the port, runs its loop, and handles connections.
#include "admin/service.hpp"

#include "affix/os/thread_precedence.hpp"
#include "affix/tls/tls_endpoint.hpp"

#include "config/configuration_checks.hpp"
#include "os/cores.hpp"

#include <algorithm>
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
constexpr engine::CrossThreadSenderOptions sender_options{.ring_bytes = 64 * 1024,
                                                          .message_bytes = 256};

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
  auto reactor = net::make_reactor(net::default_reactor(),
                                   has_tls ? tls::options_beneath_tls(options) : options);
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

}  // namespace

std::optional<std::size_t> LogLimit::admit(std::int64_t now_ns) noexcept {
  if (now_ns - second_ns_ >= base::ns_per_second) {
    second_ns_ = now_ns;
    lines_ = 0;
  }
  if (lines_ == lines_max) {
    ++left_out_;
    return std::nullopt;
  }
  ++lines_;
  return std::exchange(left_out_, 0);
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
  auto sender = engine.open_cross_thread_sender(sender_options);
  if (!sender) {
    return std::unexpected(sender.error());
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
    program.log(Severity::Warning, word.session,
                "administration: " + word.text() +
                    (word.stopped ? " starts with sending stopped: the kill switch is set ("
                                  : " may send: the kill switch was released before this start (") +
                    kill_switch->path() + ")",
                "A109");
  }
  return std::unique_ptr<Service>(
      new Service(settings, engine, program, options, std::move(*tokens), std::move(*sender),
                  std::move(*kill_switch), std::move(listening->reactor), listening->address));
}

Service::Service(const config::ManagementSettings& settings, engine::Engine& engine,
                 Program& program, const ServerOptions& options, Tokens tokens,
                 engine::CrossThreadSender sender, KillSwitchFile kill_switch,
                 std::unique_ptr<net::Reactor> reactor, const net::Address& address)
    : settings_(settings),
      program_(program),
      options_(options),
      tokens_(std::move(tokens)),
      local_role_(role_without_token(settings, address)),
      reactor_(std::move(reactor)),
      address_(address),
      context_(engine, program, std::move(sender), reactor_->waker(), std::move(kill_switch)),
      clients_(reactor_->options().connections_max),
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
  // If the core is not allowed the thread stays where it was, as workers do.
  os::pin_this_thread(settings_.management_server_cpu_core_id);
  while (!stop_.load(std::memory_order_acquire)) {
    const base::Now now = reactor_->now();
    reactor_->poll(now, net::Wait::block_until(next_look_ns(now.steady_ns)), *this);
    const std::int64_t steady_ns = reactor_->now().steady_ns;
    for (Client& client : clients_) {
      if (client.open) {
        check_client(client, steady_ns);
      }
    }
  }
}

std::int64_t Service::next_look_ns(std::int64_t now_ns) const noexcept {
  std::int64_t next = now_ns + idle_look_ns;
  for (const Client& client : clients_) {
    if (!client.open) {
      continue;
    }
    if (client.under_way) {
      const UnderWay& command = *client.under_way;
      next = std::min(
          next, now_ns < command.claim_until_ns ? command.claim_until_ns : command.finish_until_ns);
    }
    if (client.held_until_ns != 0) {
      next = std::min(next, client.held_until_ns);
    }
    if (client.tap && !client.is_busy()) {
      next = std::min(next, now_ns + tap_look_ns);
    }
  }
  return next;
}

// --- Connections ---

bool Service::make_place() {
  const auto places = static_cast<std::size_t>(settings_.management_connections_max);
  // Connections without a token leave a quarter of the places to those with one.
  const std::size_t strangers_max = std::max<std::size_t>(places - places / 4, 1);
  std::size_t all = 0;
  std::size_t strangers = 0;
  Client* quietest = nullptr;
  for (Client& client : clients_) {
    if (!client.open || client.closing) {
      continue;
    }
    ++all;
    if (!client.has_shown_token) {
      ++strangers;
      if (!client.is_busy() && !client.tap &&
          (quietest == nullptr || client.heard_ns < quietest->heard_ns)) {
        quietest = &client;
      }
    }
  }
  if (all < places && strangers < strangers_max) {
    return true;
  }
  if (quietest == nullptr) {
    return false;
  }
  drop(*quietest, "closed to admit a new connection");
  return true;
}

void Service::on_accepted(net::ListenerId /*listener*/, net::ConnectionId connection,
                          const net::Address& peer) noexcept {
  const std::int64_t now_ns = reactor_->now().steady_ns;
  const bool has_place = make_place();
  Client& newcomer = client(connection);
  newcomer = Client();
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

void Service::on_closed(net::ConnectionId connection, net::CloseReason /*reason*/,
                        int /*error_number*/) noexcept {
  forget(client(connection));
}

void Service::on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept {
  log(Severity::Warning, "TLS with " + client(connection).peer + ": " + std::string(fault.text),
      fault.code);
}

void Service::on_accept_paused(net::ListenerId /*listener*/, net::AcceptPause pause) noexcept {
  log(Severity::Warning, std::string("no connection is accepted: ") + net::to_text(pause),
      net::code_of(pause));
}

void Service::drop(Client& client, std::string_view why) {
  log(Severity::Info, "connection of " + client.peer + " " + std::string(why), "A107");
  reactor_->close(client.id);
  forget(client);
}

void Service::forget(Client& client) {
  if (client.under_way) {
    bool begun = false;
    for (WorkerTask* const task : client.under_way->pending.tasks) {
      begun = !task->withdraw() || begun;
      task->let_go();
    }
    if (begun && client.command->changes_state) {
      // Its caller is gone and cannot get the answer.
      static_cast<void>(audit(client, Answer::begun("its connection was lost before the answer")));
    }
  }
  client = Client();
}

void Service::on_drained(net::ConnectionId connection) noexcept {
  Client& drained = client(connection);
  drained.parked = false;
  drained.unread_ns = 0;
  push_output(drained);
  settle(drained);
}

void Service::push_output(Client& client) {
  constexpr std::size_t piece_max = 32 * 1024;
  while (client.open && !client.parked && client.sent < client.output.size()) {
    const std::string_view piece = std::string_view(client.output).substr(client.sent, piece_max);
    switch (reactor_->send(client.id, piece)) {
      case net::SendResult::Sent:
        client.sent += piece.size();
        break;
      case net::SendResult::Parked:
        client.sent += piece.size();
        client.parked = true;
        break;
      case net::SendResult::Overflow:
        client.parked = true;  // on_drained() follows, since output is parked.
        break;
      case net::SendResult::Closed:
        // No more output can reach it. on_closed() may not follow: reading stays paused while the
        // peer has output to read, and only reading detects the end.
        reactor_->close(client.id);
        forget(client);
        return;
    }
  }
  if (client.parked && client.unread_ns == 0) {
    client.unread_ns = reactor_->now().steady_ns;
  }
  if (client.sent == client.output.size()) {
    client.output = std::string();
    client.sent = 0;
    if (client.closing && client.open) {
      // Parked output leaves first.
      reactor_->close_after_flush(client.id, reactor_->now().steady_ns + close_ns);
    }
  }
}

void Service::settle(Client& client) {
  const bool wants = client.open && !client.closing && (client.tap || !client.is_busy());
  if (wants && client.reading_paused) {
    client.reading_paused = false;
    reactor_->resume_reading(client.id);
  } else if (!wants && client.open && !client.closing && !client.reading_paused) {
    client.reading_paused = true;
    reactor_->pause_reading(client.id);
  }
}

std::optional<std::string> Service::limited_line(std::string_view text) {
  const std::optional<std::size_t> left_out = log_limit_.admit(reactor_->now().steady_ns);
  if (!left_out) {
    return std::nullopt;
  }
  std::string line = "administration: " + std::string(text);
  if (*left_out != 0) {
    line += " (" + std::to_string(*left_out) + " lines were left out before this one)";
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

void Service::check_client(Client& client, std::int64_t now_ns) {
  if (client.held_until_ns != 0 && now_ns >= client.held_until_ns) {
    client.held_until_ns = 0;
    client.closing = true;
    answer(client, Answer::refused("no such token", "A106"));
    return;
  }
  if (client.under_way) {
    look_at_command(client, now_ns);
  }
  if (client.open && client.tap) {
    look_at_tap(client);
  }
  if (client.open) {
    look_at_limits(client, now_ns);
  }
}

void Service::look_at_command(Client& client, std::int64_t now_ns) {
  UnderWay& command = *client.under_way;
  std::vector<TaskEnd> ends;
  for (WorkerTask* const task : command.pending.tasks) {
    WorkerTask::State state = task->state();
    if (state == WorkerTask::State::Waiting && now_ns >= command.claim_until_ns &&
        task->withdraw()) {
      state = WorkerTask::State::Withdrawn;
    } else if (state == WorkerTask::State::Waiting) {
      state = task->state();  // A thread may have claimed it meanwhile.
    }
    switch (state) {
      case WorkerTask::State::Done:
        ends.push_back(TaskEnd::Done);
        break;
      case WorkerTask::State::Withdrawn:
      case WorkerTask::State::Dropped:
        ends.push_back(TaskEnd::Withdrawn);
        break;
      case WorkerTask::State::Waiting:
      case WorkerTask::State::Claimed:
      case WorkerTask::State::Free:
        if (now_ns < command.finish_until_ns) {
          return;
        }
        ends.push_back(TaskEnd::Begun);
        break;
    }
  }
  UnderWay ended = std::move(command);
  client.under_way.reset();
  Answer made = ended.pending.finish(ends);
  for (WorkerTask* const task : ended.pending.tasks) {
    task->let_go();
  }
  if (ended.tap_request && made.status() == AnswerStatus::Done) {
    start_tap(client, *ended.tap_request);
  } else {
    answer(client, made);
  }
}

void Service::look_at_limits(Client& client, std::int64_t now_ns) {
  if (client.unread_ns != 0 && now_ns - client.unread_ns >= options_.unread_ns) {
    drop(client, "closed: it does not read what it asked for");
  } else if (client.role == Role::None && !client.closing &&
             now_ns - client.came_ns >= options_.stranger_ns) {
    drop(client, "closed: it has not authenticated");
  } else if (!client.under_way && !client.tap && !client.closing &&
             now_ns - client.heard_ns >= options_.silent_ns) {
    drop(client, "closed: idle for too long");
  }
}

}  // namespace affix::inline v0::admin
