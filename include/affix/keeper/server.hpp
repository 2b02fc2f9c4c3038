// SPDX-License-Identifier: MIT
// The keeper itself: holds descriptors for owners that connect to its socket. The program
// affix-keep is a loop around it.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::keeper {

/// Reports of a server to its program.
enum class ServerReport : std::uint8_t {
  Owned,       ///< A process is the owner now; count = entries that it gets.
  OwnerEnded,  ///< count = entries that are held for the next one.
  Expired,     ///< No owner came in time: count entries were closed.
  Full,  ///< No room for a descriptor (or it is neither a TCP socket nor a file), an instance or a
         ///< connection; count = places.
  RefusedUser,     ///< A process of another user; count = its user id.
  RefusedVersion,  ///< A process with another version of the protocol; count = that version.
  RefusedInUse,    ///< A process that did not want to wait; count = the owner's pid.
  Late,            ///< A process was the next one and did not answer; count = seconds that it had.
  Garbage,         ///< A process sent what is no message; its connection is closed.
};

/// Called within turn().
class ServerReports {
 public:
  ServerReports() noexcept = default;
  ServerReports(const ServerReports&) = delete;
  ServerReports& operator=(const ServerReports&) = delete;

  /// `instance` is empty if it is not known, `process` is a pid.
  virtual void report(ServerReport what, std::string_view instance, std::int64_t process,
                      std::size_t count) noexcept = 0;

 protected:
  ~ServerReports() = default;
};

/// Settings of a server.
struct ServerOptions {
  std::string socket;          ///< Path.
  std::size_t entries = 4096;  ///< Maximum number of descriptors, of all instances together.
  std::int64_t keep_ns = 60'000'000'000;  ///< How long entries are held without an owner.
};

/// Maximum number of connections of a server, and of its instances.
inline constexpr std::size_t server_connections_max = 256;

/// Descriptors that a server needs besides its entries.
inline constexpr std::size_t server_descriptors = server_connections_max + 16;

/// One thread. Allocates in open() only. Processes of another user are refused, the superuser's
/// too.
class Server {
 public:
  /// Creates the socket with mode 0600, and a file `<socket>.lock` beside it, by which a second
  /// server knows of this one. Replaces a socket that a killed server left. `reports` outlives the
  /// server. InvalidArgument: the path cannot be one, or other users may write to its directory.
  /// AlreadyExists: a server runs there, or something else than a socket has that name. Io and
  /// others: the system refused.
  [[nodiscard]] static std::expected<std::unique_ptr<Server>, base::Error> open(
      const ServerOptions& options, ServerReports& reports);

  Server() noexcept = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Closes everything without shutting connections down: those of living owners continue. Removes
  /// the socket.
  virtual ~Server() = default;

  /// Readable when a turn has something to do, for poll(). Remains the server's.
  [[nodiscard]] virtual int descriptor() const noexcept = 0;

  /// Does what there is to do, each connection a share of it, without waiting. `steady_ns` is the
  /// steady clock's, and never decreases.
  virtual void turn(std::int64_t steady_ns) noexcept = 0;

  /// When the next turn is needed even if nothing arrives, of the steady clock; max: never.
  [[nodiscard]] virtual std::int64_t next_turn_ns() const noexcept = 0;
};

}  // namespace affix::inline v0::keeper
