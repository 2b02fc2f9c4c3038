// SPDX-License-Identifier: MIT
// The administration port: accepts operators' commands over TCP on its own thread and passes them
// to the threads that execute them. docs/reference/admin.md describes the protocol.
#pragma once

#include "affix/admin/program.hpp"
#include "affix/admin/server_options.hpp"
#include "affix/base/error.hpp"
#include "affix/config/management_settings.hpp"
#include "affix/engine/engine.hpp"
#include "affix/net/address.hpp"

#include <expected>
#include <memory>

namespace affix::inline v0::admin {

class Service;

/// Owns the port and its two threads. Memory is bounded per connection: one line and one answer.
/// Not copied, not moved.
class Server {
 public:
  /// Opens the port and starts its threads. `engine` and `program` must outlive it. Destroy it when
  /// no thread drives the engine any more: pending worker tasks are then dropped. Errors:
  /// settings that Engine::open() would refuse, the address, the port in use, TLS files, unreadable
  /// or too short tokens, no sender.
  [[nodiscard]] static std::expected<std::unique_ptr<Server>, base::Error> open(
      const config::ManagementSettings& settings, engine::Engine& engine, Program& program,
      const ServerOptions& options = {});

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Closes every connection and joins the threads.
  ~Server();

  /// The listening address, with the port that the kernel chose.
  [[nodiscard]] const net::Address& address() const noexcept;

 private:
  explicit Server(std::unique_ptr<Service> service);

  std::unique_ptr<Service> service_;
};

}  // namespace affix::inline v0::admin
