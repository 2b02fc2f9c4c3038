// SPDX-License-Identifier: MIT
// The administration port: accepts operators' commands over TCP on its own thread and passes them
// to the threads that execute them. docs/reference/admin.md describes the protocol.
#pragma once

#include "affix/admin/program.hpp"
#include "affix/base/error.hpp"
#include "affix/config/management_settings.hpp"
#include "affix/engine/engine.hpp"
#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>

namespace affix::inline v0::admin {

class Service;

/// Options that configuration files do not have.
struct ServerOptions {
  std::int64_t claim_ns = 700 * base::ns_per_ms;  ///< Maximum time until a worker starts a command.
  std::int64_t finish_ns = 950 * base::ns_per_ms;  ///< Maximum time until it ends; then "begun".
  std::int64_t wrong_token_ns = 500 * base::ns_per_ms;  ///< Delay of the answer to a wrong token.
  std::int64_t stranger_ns = 30 * base::ns_per_second;  ///< Until a connection without role closes.
  std::int64_t silent_ns = 3'600 * base::ns_per_second;  ///< The same time without input.
  std::int64_t unread_ns = 30 * base::ns_per_second;     ///< The same without reading output.
  std::size_t answer_bytes_max = std::size_t{4} << 20;   ///< Per answer; longer ones are cut.
};

/// Owns the port and its two threads. Memory is bounded per connection: one line and one answer.
/// Not copied, not moved.
class Server {
 public:
  /// Opens the port and starts its threads. `engine` and `program` must outlive it. Destroy it when
  /// no thread drives the engine any more: pending worker tasks are then dropped. Errors:
  /// settings that Engine::open() would refuse, the address, the port in use, TLS files, unreadable
  /// or too short tokens, no courier.
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
