// SPDX-License-Identifier: MIT
// The administration port: a thread of its own that takes operators' commands over TCP and has them
// carried out where they belong. docs/reference/admin.md says what it speaks.
#pragma once

#include "affix/admin/program.hpp"
#include "affix/base/error.hpp"
#include "affix/engine/engine.hpp"
#include "affix/engine/management_settings.hpp"
#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>

namespace affix::inline v0::admin {

class Service;

/// What configuration files do not say.
struct ServerOptions {
  std::int64_t claim_ns = 700 * base::ns_per_ms;   ///< So long another thread may take to begin.
  std::int64_t finish_ns = 950 * base::ns_per_ms;  ///< So long to have ended; then "begun".
  std::int64_t wrong_token_ns = 500 * base::ns_per_ms;   ///< Before a wrong token is answered.
  std::int64_t stranger_ns = 30 * base::ns_per_second;   ///< Without any role, before it is closed.
  std::int64_t silent_ns = 3'600 * base::ns_per_second;  ///< Without a word, the same.
  std::int64_t unread_ns = 30 * base::ns_per_second;    ///< Without reading what is sent, the same.
  std::size_t answer_bytes_max = std::size_t{4} << 20;  ///< Of one answer; what is longer is cut.
};

/// Owns the port and its two threads. Memory is bounded by the number of connections: one line, one
/// answer each. Not copied, not moved.
class Server {
 public:
  /// Opens the port and starts. `engine` and `program` outlive it, and nobody drives the engine any
  /// more when it is destroyed: what a worker has not come to by then it never will. Errors: the
  /// address, the port in use, TLS files, tokens that cannot be read or are too short, no courier.
  [[nodiscard]] static std::expected<std::unique_ptr<Server>, base::Error> open(
      const engine::ManagementSettings& settings, engine::Engine& engine, Program& program,
      const ServerOptions& options = {});

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Closes every connection and joins the threads.
  ~Server();

  /// Where it listens, with the port that the kernel chose.
  [[nodiscard]] const net::Address& address() const noexcept;

 private:
  explicit Server(std::unique_ptr<Service> service);

  std::unique_ptr<Service> service_;
};

}  // namespace affix::inline v0::admin
