// SPDX-License-Identifier: MIT
// The administration port's thread: connections, lines, answers, and results of other threads.
#pragma once

#include "affix/admin/program.hpp"
#include "affix/admin/server_options.hpp"
#include "affix/admin/tokens.hpp"
#include "affix/config/management_settings.hpp"
#include "affix/engine/engine.hpp"
#include "affix/net/reactor.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "admin/client.hpp"
#include "admin/command_context.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace affix::inline v0::admin {

/// Limits log lines per second, and counts the omitted ones.
class LogLimit {
 public:
  /// Number of lines omitted since the last one that was admitted; nullopt: this line is omitted,
  /// too.
  [[nodiscard]] std::optional<std::size_t> admit(std::int64_t now_ns) noexcept;

 private:
  static constexpr std::size_t lines_max = 20;

  std::int64_t second_ns_ = 0;
  std::size_t lines_ = 0;
  std::size_t left_out_ = 0;
};

class Service final : private net::Handler {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<Service>, base::Error> open(
      const config::ManagementSettings& settings, engine::Engine& engine, Program& program,
      const ServerOptions& options);

  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  [[nodiscard]] const net::Address& address() const noexcept { return address_; }

 private:
  Service(const config::ManagementSettings& settings, engine::Engine& engine, Program& program,
          const ServerOptions& options, Tokens tokens, engine::CrossThreadSender sender,
          KillSwitchFile kill_switch, std::unique_ptr<net::Reactor> reactor,
          const net::Address& address);

  void run() noexcept;
  [[nodiscard]] std::int64_t next_look_ns(std::int64_t now_ns) const noexcept;

  // net::Handler
  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

  [[nodiscard]] Client& client(net::ConnectionId connection) noexcept {
    return clients_[connection.slot];
  }

  [[nodiscard]] bool make_place();
  void drop(Client& client, std::string_view why);
  void forget(Client& client);

  void take_line(Client& client, std::string_view line);
  void take_request(Client& client);
  void take_step(Client& client, ConnectionStep step);
  void take_token(Client& client);
  void start_tap(Client& client, TapRequest& tap_request);
  void begin(Client& client, Outcome outcome);
  void answer(Client& client, const Answer& made);
  /// Error: it could not be recorded.
  [[nodiscard]] std::expected<void, base::Error> audit(const Client& client, const Answer& answer);
  [[nodiscard]] std::string said_by(const Client& client) const;

  void check_client(Client& client, std::int64_t now_ns);
  void look_at_command(Client& client, std::int64_t now_ns);
  void look_at_tap(Client& client);
  void end_tap(Client& client, std::string_view why);
  void look_at_limits(Client& client, std::int64_t now_ns);
  void push_output(Client& client);

  /// Resumes reading when nothing prevents it.
  void settle(Client& client);
  void log(host::Event::Severity severity, std::string_view text, base::MessageCode code);
  /// Does the same for the audit trail: admitted and refused connections.
  void audit_access(host::Event::Severity severity, std::string_view text, base::MessageCode code);
  [[nodiscard]] std::optional<std::string> limited_line(std::string_view text);

  const config::ManagementSettings settings_;
  Program& program_;
  const ServerOptions options_;
  const Tokens tokens_;
  const Role local_role_;
  std::unique_ptr<net::Reactor> reactor_;  // Before the context, whose tasks wake it.
  const net::Address address_;
  CommandContext context_;
  std::vector<Client> clients_;  // By slot.
  LogLimit log_limit_;
  std::atomic<bool> stop_{false};
  std::thread thread_;  // Last: it starts when all other members exist.
};

}  // namespace affix::inline v0::admin
