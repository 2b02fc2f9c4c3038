// SPDX-License-Identifier: MIT
// Keeps sockets open beyond the end of their process: systemd's descriptor store, or the program
// affix-keep. The next process takes them and continues in the middle of their streams. Knows
// nothing of what the sockets carry.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::keeper {

/// Maximum size of a name, of a descriptor or an instance.
inline constexpr std::size_t name_bytes_max = 200;

/// True: 1 to name_bytes_max printable ASCII characters without ':', as systemd requires.
[[nodiscard]] bool is_name(std::string_view name) noexcept;

/// True if `where` names the descriptor store of systemd, and not the socket of affix-keep.
[[nodiscard]] constexpr bool is_systemd(std::string_view where) noexcept {
  return where == "SYSTEMD";
}

/// A descriptor that was held, and the name under which.
struct Kept {
  std::string name;    ///< As given to Keeper::hold().
  net::Socket socket;  ///< The caller's own duplicate, close-on-exec.
};

/// Result of a request to a keeper.
enum class Held : std::uint8_t {
  Yes,      ///< Handed over; next_refused() names it later if the keeper had no room.
  Busy,     ///< Not handed over, since the keeper does not read: repeat it later.
  Lost,     ///< The keeper has ended: nothing is held. See try_again().
  Invalid,  ///< The name is not one, the descriptor neither a TCP socket nor a file, or take() has
            ///< not succeeded.
};

/// Result of Keeper::try_again().
enum class Again : std::uint8_t {
  Owner,   ///< Connected as the owner, and nothing is held: hold everything anew.
  NotYet,  ///< There is no keeper, or it has not answered yet: repeat it later.
  Taken,   ///< Another process is the owner now. It may have these sockets: stop using them.
};

/// Receives notice that a process waits in line.
class Line {
 public:
  /// The keeper's owner is the process `owner`. Called by take(), once for each owner at least.
  virtual void on_waiting(std::uint32_t owner) = 0;

 protected:
  Line() noexcept = default;
  /// The base has no state.
  Line(const Line&) noexcept = default;
  /// The base has no state.
  Line& operator=(const Line&) noexcept = default;
  ~Line() = default;
};

/// Behaviour of open_keeper() if another process is the instance's owner.
enum class WhenOwned : std::uint8_t {
  Refuse,     ///< take() reports an error.
  Wait,       ///< Waits in line; take() returns when the owner has ended. Not under systemd. Keep
              ///< calling take(): a process that does not answer there loses its turn.
  WaitFirst,  ///< The same, before all that only Wait.
};

/// Connection of an instance's owner to its keeper. Closing it, by the destructor or the end of the
/// process, hands everything that is held to the next owner. Any thread: calls are serialised. Only
/// take() waits for the keeper; the others cost one or two system calls, and their duration does
/// not depend on it.
class Keeper {
 public:
  Keeper() noexcept = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  virtual ~Keeper() = default;

  /// Call it once, at start: makes this process the owner and returns duplicates of everything that
  /// is held, sockets only. The keeper continues to hold its own. Waits for at most 5 s, or as long
  /// as open_keeper() was told. Allocates.
  /// Locked: another process is the owner; after WhenOwned::Wait this process stays in line, and
  /// take() may be called again; a signal ends the wait early. Denied: the keeper refuses this
  /// user, or its version is another. Limit: it has no room, or this process no free descriptors.
  /// Io: it did not answer, or its connection ended.
  /// Before it waits in line it calls `line`, unless that is null.
  [[nodiscard]] virtual std::expected<std::vector<Kept>, base::Error> take(Line* line) = 0;

  /// The same for a caller that does not need to know the owner.
  [[nodiscard]] std::expected<std::vector<Kept>, base::Error> take() { return take(nullptr); }

  /// Steady time (CLOCK_MONOTONIC) at which the owner before this one ended, as the keeper saw it;
  /// 0: unknown, as there was none, or as nobody says it: systemd does not. After take(). As long
  /// as this owner runs it does not change.
  [[nodiscard]] virtual std::int64_t owner_ended_ns() const noexcept { return 0; }

  /// Gives the keeper a duplicate of a TCP socket, or of a file such as memory of memfd_create();
  /// it replaces one that has the same name. Of the owner only, after take(). Does not allocate.
  [[nodiscard]] virtual Held hold(std::string_view name, int descriptor) noexcept = 0;

  /// The keeper closes its duplicate; an unknown name is no fault. Does not allocate.
  [[nodiscard]] virtual Held drop(std::string_view name) noexcept = 0;

  /// Name of a descriptor for which the keeper turned out to have no room, once each; nullopt: no
  /// further one is known. Call it from time to time. systemd reports none: it logs them.
  [[nodiscard]] virtual std::optional<std::string> next_refused() = 0;

  /// True: the keeper has ended or ended the connection, and nothing is held. One system call.
  [[nodiscard]] virtual bool lost() noexcept = 0;

  /// After lost(): connects again as the owner, without waiting; call it until it returns Owner or
  /// Taken.
  [[nodiscard]] virtual Again try_again() noexcept = 0;
};

/// Time for which take() waits for a keeper's answer, unless open_keeper() was told another.
inline constexpr std::int64_t keeper_patience_ns = 5'000'000'000;

/// Connects to the keeper `where`: the path of the socket of affix-keep, or "SYSTEMD" for the
/// descriptor store of this process's service manager. Does not wait. `instance` is a name, the
/// same in every process that continues these sessions; under systemd a service has a store of its
/// own, so a process opens one keeper only. Reads the variables NOTIFY_SOCKET and LISTEN_*; call it
/// before something else removes them. NotFound: there is no keeper, or no service manager. Denied:
/// the keeper runs as another user. InvalidArgument: `where` or `instance` cannot be one.
[[nodiscard]] std::expected<std::unique_ptr<Keeper>, base::Error> open_keeper(
    std::string_view where, std::string_view instance, WhenOwned when_owned = WhenOwned::Refuse,
    std::int64_t patience_ns = keeper_patience_ns);

/// The owner's end of a keeper that is not there yet: lost() is true until try_again() has found
/// it. `where` is a path. InvalidArgument: as above.
[[nodiscard]] std::expected<std::unique_ptr<Keeper>, base::Error> make_absent_keeper(
    std::string_view where, std::string_view instance);

/// The same with systemd's descriptor store, for a program that has removed NOTIFY_SOCKET from its
/// environment; `notify_socket` was its value, as in service::ServiceNotice::socket().
[[nodiscard]] std::expected<std::unique_ptr<Keeper>, base::Error> open_systemd_keeper(
    std::string notify_socket);

}  // namespace affix::inline v0::keeper
