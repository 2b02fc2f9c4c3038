// SPDX-License-Identifier: MIT
// Requests that never wait, and the one at start that does.
#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "keeper/packet.hpp"
#include "keeper/socket_keeper.hpp"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::keeper {

namespace {

enum class LinkState : std::uint8_t {
  Asking,   ///< Said Hello.
  Waiting,  ///< In line behind another owner.
  Owner,
  Lost,
};

/// A connected socket, or errno.
struct Connected {
  net::Socket socket{};
  int error = 0;
};

Connected connect_to(const sockaddr_un& address) noexcept {
  Connected made{
      .socket = net::Socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))};
  if (!made.socket.is_open() ||
      ::connect(made.socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
          0) {
    made.error = errno;
  }
  return made;
}

bool is_own_user(const net::Socket& socket) noexcept {
  return peer_process(socket).user == ::geteuid();
}

class SocketKeeper final : public Keeper {
 public:
  SocketKeeper(std::string path, const sockaddr_un& address, std::string_view instance,
               std::int64_t patience_ns)
      : path_(std::move(path)), address_(address), instance_(instance), patience_ns_(patience_ns) {}

  [[nodiscard]] std::expected<void, base::Error> connect(WhenOwned when_owned);

  using Keeper::take;
  [[nodiscard]] std::expected<std::vector<Kept>, base::Error> take(Line* line) override;

  [[nodiscard]] std::int64_t owner_ended_ns() const noexcept override { return owner_ended_ns_; }

  [[nodiscard]] Held hold(std::string_view name, int descriptor) noexcept override;
  [[nodiscard]] Held drop(std::string_view name) noexcept override;
  [[nodiscard]] std::optional<std::string> next_refused() override;
  [[nodiscard]] bool lost() noexcept override;
  [[nodiscard]] Again try_again() noexcept override;

 private:
  [[nodiscard]] Held send(const Message& message, int descriptor) noexcept;
  [[nodiscard]] bool has_ended() const noexcept;
  [[nodiscard]] std::unexpected<base::Error> lose(base::ErrorCode code, std::string message,
                                                  base::MessageCode message_code);
  [[nodiscard]] std::unexpected<base::Error> lose(const Message& refused);
  [[nodiscard]] std::unexpected<base::Error> no_answer();

  void end() noexcept {
    socket_.close();
    state_ = LinkState::Lost;
  }

  std::string path_;
  sockaddr_un address_;
  std::string instance_;
  const std::int64_t patience_ns_;
  std::mutex mutex_;
  LinkState state_ = LinkState::Lost;
  net::Socket socket_;
  std::uint32_t other_owner_ = 0;  ///< Waiting: its pid.
  std::int64_t owner_ended_ns_ = 0;
};

std::expected<void, base::Error> SocketKeeper::connect(WhenOwned when_owned) {
  Connected made = connect_to(address_);
  if (made.error != 0) {
    base::Error error = base::make_system_error("connect", made.error, path_);
    if (made.error == ENOENT || made.error == ECONNREFUSED) {
      error.code = base::ErrorCode::NotFound;
      error.message = "no keeper listens here";
      error.message_code = "K103";
    }
    return std::unexpected(std::move(error));
  }
  if (!is_own_user(made.socket)) {
    return lose(base::ErrorCode::Denied, "the keeper runs as another user", "K104");
  }
  socket_ = std::move(made.socket);
  state_ = LinkState::Asking;
  // If the keeper has refused already, take() reads why.
  const std::uint8_t flags =
      when_owned == WhenOwned::Refuse
          ? 0
          : static_cast<std::uint8_t>(hello_waits | hello_answers |
                                      (when_owned == WhenOwned::WaitFirst ? hello_first : 0));
  static_cast<void>(send_packet(socket_, make_message(MessageKind::Hello, instance_, flags)));
  return {};
}

std::expected<std::vector<Kept>, base::Error> SocketKeeper::take(Line* line) {
  const std::lock_guard lock(mutex_);
  std::vector<Kept> kept;
  std::int64_t deadline_ns = os::read_clock_ns(CLOCK_MONOTONIC) + patience_ns_;
  while (state_ != LinkState::Lost) {
    Packet packet = receive_packet(socket_);
    if (packet.arrived == Arrived::Nothing) {
      const std::int64_t rest_ns = deadline_ns - os::read_clock_ns(CLOCK_MONOTONIC);
      pollfd asked{.fd = socket_.fd(), .events = POLLIN, .revents = 0};
      const auto rest_ms = static_cast<int>(std::max<std::int64_t>(0, rest_ns / base::ns_per_ms));
      const int ready = ::poll(&asked, 1, rest_ms);
      if (ready == 0 || (ready < 0 && state_ == LinkState::Waiting)) {
        return no_answer();
      }
      continue;
    }
    if (packet.arrived != Arrived::Message) {
      return packet.arrived == Arrived::Ended
                 ? lose(base::ErrorCode::Io, "the keeper ended the connection", "K108")
                 : lose(base::ErrorCode::Denied, "the keeper is of another version", "K106");
    }
    if (packet.no_room) {
      return lose(base::ErrorCode::Limit,
                  "no descriptors are left for what the keeper holds (RLIMIT_NOFILE)", "K107");
    }
    switch (packet.message.kind) {
      case MessageKind::Granted:
        state_ = LinkState::Asking;
        kept.reserve(std::min<std::size_t>(packet.message.number, 65'536));
        deadline_ns = os::read_clock_ns(CLOCK_MONOTONIC) + patience_ns_;
        break;
      case MessageKind::Entry:
        kept.push_back({std::string(packet.message.name()), std::move(packet.socket)});
        break;
      case MessageKind::End:
        state_ = LinkState::Owner;
        if (packet.message.number != 0) {
          owner_ended_ns_ = os::read_clock_ns(CLOCK_MONOTONIC) -
                            std::int64_t{packet.message.number} * base::ns_per_us;
        }
        return kept;
      case MessageKind::Waiting:
        state_ = LinkState::Waiting;
        other_owner_ = packet.message.number;
        if (line != nullptr) {
          line->on_waiting(other_owner_);
        }
        break;
      case MessageKind::Offered:
        // If the keeper has ended, the next look says so.
        static_cast<void>(send_packet(socket_, make_message(MessageKind::Here)));
        break;
      case MessageKind::Refused:
        return lose(packet.message);
      default:
        return lose(base::ErrorCode::Denied, "the keeper is of another version", "K106");
    }
  }
  return lose(base::ErrorCode::Io, "the keeper ended the connection", "K108");
}

Held SocketKeeper::hold(std::string_view name, int descriptor) noexcept {
  return is_name(name) && may_be_kept(descriptor)
             ? send(make_message(MessageKind::Hold, name), descriptor)
             : Held::Invalid;
}

Held SocketKeeper::drop(std::string_view name) noexcept {
  return is_name(name) ? send(make_message(MessageKind::Drop, name), -1) : Held::Invalid;
}

std::optional<std::string> SocketKeeper::next_refused() {
  const std::lock_guard lock(mutex_);
  while (state_ == LinkState::Owner) {
    const Packet packet = receive_packet(socket_);
    if (packet.arrived == Arrived::Nothing) {
      break;
    }
    if (packet.arrived != Arrived::Message || packet.message.kind != MessageKind::NotHeld) {
      // It has ended, or says why it will.
      end();
      break;
    }
    return std::string(packet.message.name());
  }
  return std::nullopt;
}

bool SocketKeeper::lost() noexcept {
  const std::lock_guard lock(mutex_);
  // take() tells why it ended, if that has not been called.
  if (state_ == LinkState::Owner && has_ended()) {
    end();
  }
  return state_ == LinkState::Lost;
}

Again SocketKeeper::try_again() noexcept {
  const std::lock_guard lock(mutex_);
  if (state_ == LinkState::Lost) {
    Connected made = connect_to(address_);
    if (made.error != 0 || !is_own_user(made.socket) ||
        send_packet(made.socket, make_message(MessageKind::Hello, instance_, hello_anew)) != 0) {
      return Again::NotYet;
    }
    socket_ = std::move(made.socket);
    state_ = LinkState::Asking;
  }
  while (state_ == LinkState::Asking) {
    const Packet packet = receive_packet(socket_);
    if (packet.arrived == Arrived::Nothing) {
      return Again::NotYet;
    }
    if (packet.arrived != Arrived::Message || packet.message.kind == MessageKind::Refused) {
      end();
      const bool taken = packet.arrived == Arrived::Message &&
                         packet.message.detail == static_cast<std::uint8_t>(RefusedFor::InUse);
      return taken ? Again::Taken : Again::NotYet;
    }
    if (packet.message.kind == MessageKind::End) {
      state_ = LinkState::Owner;
    }
  }
  return state_ == LinkState::Owner ? Again::Owner : Again::NotYet;
}

Held SocketKeeper::send(const Message& message, int descriptor) noexcept {
  const std::lock_guard lock(mutex_);
  if (state_ != LinkState::Owner) {
    return state_ == LinkState::Lost ? Held::Lost : Held::Invalid;
  }
  const int error = send_packet(socket_, message, descriptor);
  if (error == 0) {
    return Held::Yes;
  }
  if (is_full(error)) {
    return Held::Busy;
  }
  end();
  return Held::Lost;
}

bool SocketKeeper::has_ended() const noexcept {
  pollfd asked{.fd = socket_.fd(), .events = 0, .revents = 0};
  return ::poll(&asked, 1, 0) == 1;
}

std::unexpected<base::Error> SocketKeeper::lose(base::ErrorCode code, std::string message,
                                                base::MessageCode message_code) {
  end();
  return std::unexpected(base::Error{code, std::move(message), path_, message_code});
}

std::unexpected<base::Error> SocketKeeper::lose(const Message& refused) {
  const std::string number = std::to_string(refused.number);
  switch (static_cast<RefusedFor>(refused.detail)) {
    case RefusedFor::User:
      return lose(base::ErrorCode::Denied, "the keeper serves user " + number + " only", "K104");
    case RefusedFor::Version:
      return lose(base::ErrorCode::Denied, "the keeper has version " + number + " of the protocol",
                  "K106");
    case RefusedFor::InUse:
      return lose(base::ErrorCode::Locked,
                  "instance " + instance_ + " is in use by process " + number, "K105");
    case RefusedFor::Full:
      return lose(base::ErrorCode::Limit,
                  "the keeper has " + number + " connections, and no room for another", "K107");
    case RefusedFor::Late:
      return lose(base::ErrorCode::Io,
                  "the keeper has waited " + number + " s for an answer of this process", "K109");
    case RefusedFor::Garbage:
      break;
  }
  return lose(base::ErrorCode::Denied, "the keeper does not understand this process", "K106");
}

std::unexpected<base::Error> SocketKeeper::no_answer() {
  if (state_ != LinkState::Waiting) {
    return lose(base::ErrorCode::Io, "the keeper does not answer", "K108");
  }
  return std::unexpected(
      base::Error{base::ErrorCode::Locked,
                  "instance " + instance_ + " is in use by process " + std::to_string(other_owner_),
                  path_, "K105"});
}

std::expected<std::unique_ptr<SocketKeeper>, base::Error> make(std::string path,
                                                               std::string_view instance,
                                                               std::int64_t patience_ns) {
  const auto address = address_of(path);
  if (!address) {
    return base::invalid_argument("'" + path + "' is not a path of 1 to 107 bytes", "K101");
  }
  return std::make_unique<SocketKeeper>(std::move(path), *address, instance, patience_ns);
}

}  // namespace

std::expected<std::unique_ptr<Keeper>, base::Error> open_socket_keeper(std::string path,
                                                                       std::string_view instance,
                                                                       WhenOwned when_owned,
                                                                       std::int64_t patience_ns) {
  auto keeper = make(std::move(path), instance, patience_ns);
  if (!keeper) {
    return std::unexpected(std::move(keeper.error()));
  }
  if (auto connected = (*keeper)->connect(when_owned); !connected) {
    return std::unexpected(std::move(connected.error()));
  }
  return std::move(*keeper);
}

std::expected<std::unique_ptr<Keeper>, base::Error> make_absent_socket_keeper(
    std::string path, std::string_view instance) {
  return make(std::move(path), instance, keeper_patience_ns);
}

}  // namespace affix::inline v0::keeper
