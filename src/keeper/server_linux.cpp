// SPDX-License-Identifier: MIT
// Tables of connections and instances, and their turns on epoll.
#include "affix/base/time.hpp"
#include "affix/keeper/server.hpp"
#include "affix/net/socket.hpp"
#include "affix/os/file_descriptor.hpp"

#include "keeper/entry_table.hpp"
#include "keeper/packet.hpp"
#include "keeper/server_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::inline v0::keeper {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// A process that connects and says nothing occupies a place for this long.
constexpr std::int64_t silence_ns = 5 * base::ns_per_second;

/// A process in line that hangs delays the next one for this long. One that waits as it should
/// answers at once.
constexpr std::int64_t answer_ns = 2 * base::ns_per_second;

/// Pause after the system had no descriptor, or too many were on their way.
constexpr std::int64_t pause_ns = 10 * base::ns_per_ms;

/// Packets of a connection in a turn, so that none delays the others.
constexpr int share = 64;

enum class ClientState : std::uint8_t {
  Free,
  Silent,   ///< No Hello yet.
  Waiting,  ///< For another owner's end.
  Offered,  ///< It is the next owner if it answers. It has been given nothing.
  Taking,   ///< The owner, which gets the entries.
  Owner,
};

struct Client {
  ClientState state = ClientState::Free;
  net::Socket socket{};
  pid_t process = 0;
  std::size_t instance = none;
  std::uint8_t flags = 0;       ///< Of its Hello.
  std::int64_t due_ns = never;  ///< Silent, Offered: closes; Taking: sends again.
  std::uint64_t line = 0;       ///< Waiting: the least is the first.
  std::size_t place = none;     ///< Taking: of the next entry; none: nothing was sent.
};

struct Instance {
  std::size_t name_size = 0;  ///< 0: free.
  std::array<char, name_bytes_max> name_bytes{};
  std::size_t owner = none;
  std::int64_t expires_ns = never;
  std::int64_t ended_ns = never;  ///< When its last owner ended; never: it had none.

  [[nodiscard]] std::string_view name() const noexcept { return {name_bytes.data(), name_size}; }
};

bool has_hung_up(const net::Socket& socket) noexcept {
  pollfd asked{.fd = socket.fd(), .events = 0, .revents = 0};
  return ::poll(&asked, 1, 0) == 1;
}

class PacketServer final : public Server {
 public:
  PacketServer(const ServerOptions& options, ServerReports& reports, ServerSocket socket,
               os::FileDescriptor epoll)
      : keep_ns_(options.keep_ns),
        reports_(reports),
        socket_(std::move(socket)),
        epoll_(std::move(epoll)),
        entries_(options.entries),
        clients_(server_connections_max),
        instances_(server_connections_max) {}

  ~PacketServer() override { ::unlink(socket_.path.c_str()); }

  PacketServer(const PacketServer&) = delete;
  PacketServer& operator=(const PacketServer&) = delete;

  [[nodiscard]] int descriptor() const noexcept override { return epoll_.number(); }

  void turn(std::int64_t steady_ns) noexcept override;
  [[nodiscard]] std::int64_t next_turn_ns() const noexcept override;

  /// False: errno says why.
  [[nodiscard]] bool watch_listener(bool is_new) noexcept {
    return watch(socket_.listener, none, EPOLLIN, is_new);
  }

 private:
  [[nodiscard]] bool watch(const net::Socket& socket, std::size_t number, std::uint32_t events,
                           bool is_new) const noexcept;
  void accept_share() noexcept;
  void accept_one(net::Socket socket) noexcept;
  void serve(std::size_t number, int packets) noexcept;
  void handle(std::size_t number, Packet packet) noexcept;
  void handle_hello(std::size_t number, const Message& message) noexcept;
  void handle_hold(std::size_t number, Packet packet) noexcept;
  void offer(std::size_t number) noexcept;
  void grant(std::size_t number) noexcept;
  void send_entries(std::size_t number) noexcept;
  [[nodiscard]] bool sent(std::size_t number, int error) noexcept;
  void refuse(std::size_t number, RefusedFor why, std::uint32_t figure) noexcept;
  void end(std::size_t number) noexcept;
  void end_ownership(std::size_t place) noexcept;
  void expire() noexcept;
  [[nodiscard]] std::size_t place_of(std::string_view name) noexcept;

  /// 0: it had no owner, or so long ago that nobody asks.
  [[nodiscard]] std::uint32_t ended_us_ago(const Instance& instance) const noexcept {
    if (instance.ended_ns == never) {
      return 0;
    }
    const std::int64_t us = (now_ns_ - instance.ended_ns) / base::ns_per_us;
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    return us > most ? 0 : static_cast<std::uint32_t>(std::max<std::int64_t>(us, 1));
  }

  void report(ServerReport what, const Client& client, std::size_t count) noexcept {
    const std::string_view name =
        client.instance == none ? std::string_view() : instances_[client.instance].name();
    reports_.report(what, name, client.process, count);
  }

  std::int64_t keep_ns_;
  ServerReports& reports_;
  ServerSocket socket_;
  os::FileDescriptor epoll_;
  EntryTable entries_;
  std::vector<Client> clients_;
  std::vector<Instance> instances_;
  std::int64_t now_ns_ = 0;
  std::int64_t accepts_ns_ = never;  ///< When the listener is watched again; never: it is.
  std::uint64_t last_line_ = 0;
};

void PacketServer::turn(std::int64_t steady_ns) noexcept {
  now_ns_ = steady_ns;
  if (accepts_ns_ <= now_ns_ && watch_listener(false)) {
    accepts_ns_ = never;
  }
  std::array<epoll_event, share> events;
  const int count = ::epoll_wait(epoll_.number(), events.data(), share, 0);
  for (int one = 0; one < count; ++one) {
    const std::uint64_t number = events[static_cast<std::size_t>(one)].data.u64;
    if (number == none) {
      accept_share();
    } else {
      // May be another connection by now, which has nothing to read or to send then.
      serve(number, share);
    }
  }
  expire();
}

std::int64_t PacketServer::next_turn_ns() const noexcept {
  std::int64_t next = accepts_ns_;
  for (const Client& client : clients_) {
    next = std::min(next, client.due_ns);
  }
  for (const Instance& instance : instances_) {
    next = std::min(next, instance.expires_ns);
  }
  return next;
}

bool PacketServer::watch(const net::Socket& socket, std::size_t number, std::uint32_t events,
                         bool is_new) const noexcept {
  epoll_event event{};
  event.events = events;
  event.data.u64 = number;
  return ::epoll_ctl(epoll_.number(), is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket.fd(),
                     &event) == 0;
}

void PacketServer::accept_share() noexcept {
  for (int one = 0; one < share; ++one) {
    net::Socket socket(
        ::accept4(socket_.listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.is_open()) {
      accept_one(std::move(socket));
      continue;
    }
    if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR) {
      // Without a descriptor the event would be reported for ever.
      static_cast<void>(watch(socket_.listener, none, 0, false));
      accepts_ns_ = now_ns_ + pause_ns;
    }
    return;
  }
}

void PacketServer::accept_one(net::Socket socket) noexcept {
  const PeerProcess peer = peer_process(socket);
  if (peer.user != ::geteuid()) {
    const auto own = static_cast<std::uint32_t>(::geteuid());
    static_cast<void>(send_packet(
        socket,
        make_message(MessageKind::Refused, {}, static_cast<std::uint8_t>(RefusedFor::User), own)));
    reports_.report(ServerReport::RefusedUser, {}, peer.process, peer.user);
    return;
  }
  const auto free = std::ranges::find(clients_, ClientState::Free, &Client::state);
  if (free == clients_.end()) {
    static_cast<void>(send_packet(
        socket, make_message(MessageKind::Refused, {}, static_cast<std::uint8_t>(RefusedFor::Full),
                             server_connections_max)));
    reports_.report(ServerReport::Full, {}, peer.process, server_connections_max);
    return;
  }
  const auto number = static_cast<std::size_t>(free - clients_.begin());
  if (watch(socket, number, EPOLLIN, true)) {
    *free = Client{.state = ClientState::Silent,
                   .socket = std::move(socket),
                   .process = peer.process,
                   .due_ns = now_ns_ + silence_ns};
  }
}

void PacketServer::serve(std::size_t number, int packets) noexcept {
  Client& client = clients_[number];
  if (client.state == ClientState::Taking) {
    send_entries(number);
  }
  for (int one = 0; one < packets && client.state != ClientState::Free; ++one) {
    Packet packet = receive_packet(client.socket);
    switch (packet.arrived) {
      case Arrived::Message:
        handle(number, std::move(packet));
        break;
      case Arrived::Nothing:
        return;
      case Arrived::Ended:
        end(number);
        return;
      case Arrived::Version:
        report(ServerReport::RefusedVersion, client, packet.message.version);
        refuse(number, RefusedFor::Version, protocol_version);
        return;
      case Arrived::Garbage:
        refuse(number, RefusedFor::Garbage, 0);
        return;
    }
  }
}

void PacketServer::handle(std::size_t number, Packet packet) noexcept {
  const Client& client = clients_[number];
  const bool owns = client.state == ClientState::Owner || client.state == ClientState::Taking;
  const bool has_descriptor = packet.socket.is_open() || packet.no_room;
  const MessageKind kind = packet.message.kind;
  if (kind == MessageKind::Hello && client.state == ClientState::Silent && !has_descriptor) {
    handle_hello(number, packet.message);
  } else if (kind == MessageKind::Here && client.state == ClientState::Offered && !has_descriptor) {
    grant(number);
  } else if (kind == MessageKind::Hold && owns && has_descriptor) {
    handle_hold(number, std::move(packet));
  } else if (kind == MessageKind::Drop && owns && !has_descriptor) {
    entries_.remove(client.instance, packet.message.name());
  } else {
    refuse(number, RefusedFor::Garbage, 0);
  }
}

void PacketServer::handle_hello(std::size_t number, const Message& message) noexcept {
  Client& client = clients_[number];
  client.due_ns = never;
  std::size_t place = place_of(message.name());
  if (place != none && instances_[place].owner != none &&
      has_hung_up(clients_[instances_[place].owner].socket)) {
    // It ended before this one came, and its event comes later: what it sent last counts.
    serve(instances_[place].owner, std::numeric_limits<int>::max());
    place = place_of(message.name());
  }
  if (place == none) {
    report(ServerReport::Full, client, instances_.size());
    refuse(number, RefusedFor::Full, static_cast<std::uint32_t>(instances_.size()));
    return;
  }
  client.instance = place;
  client.flags = message.detail;
  const Instance& instance = instances_[place];
  if (instance.owner == none) {
    if ((message.detail & hello_anew) != 0) {
      entries_.remove_all(place, false);
    }
    grant(number);
    return;
  }
  const auto owner = static_cast<std::uint32_t>(clients_[instance.owner].process);
  if ((message.detail & hello_waits) == 0) {
    report(ServerReport::RefusedInUse, client, owner);
    refuse(number, RefusedFor::InUse, owner);
    return;
  }
  client.state = ClientState::Waiting;
  client.line = ++last_line_;
  static_cast<void>(send_packet(client.socket, make_message(MessageKind::Waiting, {}, 0, owner)));
}

void PacketServer::handle_hold(std::size_t number, Packet packet) noexcept {
  const Client& client = clients_[number];
  const std::string_view name = packet.message.name();
  if (packet.socket.is_open() && may_be_kept(packet.socket.fd()) &&
      entries_.put(client.instance, name, std::move(packet.socket))) {
    return;
  }
  report(ServerReport::Full, client, entries_.size());
  // If the owner does not read, it learns of the first ones only.
  static_cast<void>(send_packet(client.socket, make_message(MessageKind::NotHeld, name)));
}

/// A process that hangs must not be given what it would not serve, and could not be taken from it.
void PacketServer::offer(std::size_t number) noexcept {
  Client& client = clients_[number];
  client.state = ClientState::Offered;
  client.due_ns = now_ns_ + answer_ns;
  Instance& instance = instances_[client.instance];
  instance.owner = number;
  instance.expires_ns = never;
  if (send_packet(client.socket, make_message(MessageKind::Offered)) != 0) {
    end(number);
  }
}

void PacketServer::grant(std::size_t number) noexcept {
  Client& client = clients_[number];
  client.state = ClientState::Taking;
  client.due_ns = never;
  client.place = none;
  Instance& instance = instances_[client.instance];
  instance.owner = number;
  instance.expires_ns = never;
  report(ServerReport::Owned, client, entries_.count(client.instance));
  send_entries(number);
}

void PacketServer::send_entries(std::size_t number) noexcept {
  Client& client = clients_[number];
  if (client.place == none) {
    const auto count = static_cast<std::uint32_t>(entries_.count(client.instance));
    if (!sent(number,
              send_packet(client.socket, make_message(MessageKind::Granted, {}, 0, count)))) {
      return;
    }
    client.place = 0;
  }
  for (client.place = entries_.next(client.instance, client.place); client.place < entries_.size();
       client.place = entries_.next(client.instance, client.place + 1)) {
    const EntryTable::Entry& entry = entries_.at(client.place);
    if (!sent(number, send_packet(client.socket, make_message(MessageKind::Entry, entry.name()),
                                  entry.socket.fd()))) {
      return;
    }
  }
  const std::uint32_t since_us = ended_us_ago(instances_[client.instance]);
  if (sent(number, send_packet(client.socket, make_message(MessageKind::End, {}, 0, since_us)))) {
    client.state = ClientState::Owner;
    client.due_ns = never;
    static_cast<void>(watch(client.socket, number, EPOLLIN, false));
  }
}

bool PacketServer::sent(std::size_t number, int error) noexcept {
  if (error == 0) {
    return true;
  }
  Client& client = clients_[number];
  if (is_full(error)) {
    // If the connection is not what is full, it stays writable: then time decides.
    const bool writable_later = error == EAGAIN;
    client.due_ns = writable_later ? never : now_ns_ + pause_ns;
    static_cast<void>(
        watch(client.socket, number, writable_later ? EPOLLIN | EPOLLOUT : EPOLLIN, false));
  } else {
    end(number);
  }
  return false;
}

void PacketServer::refuse(std::size_t number, RefusedFor why, std::uint32_t figure) noexcept {
  Client& client = clients_[number];
  if (why == RefusedFor::Garbage) {
    report(ServerReport::Garbage, client, 0);
  }
  static_cast<void>(
      send_packet(client.socket,
                  make_message(MessageKind::Refused, {}, static_cast<std::uint8_t>(why), figure)));
  end(number);
}

void PacketServer::end(std::size_t number) noexcept {
  Client& client = clients_[number];
  const ClientState state = client.state;
  const bool owned = state == ClientState::Owner || state == ClientState::Taking;
  const std::size_t place = client.instance;
  if (owned) {
    report(ServerReport::OwnerEnded, client, entries_.count(place));
  }
  client = Client{};
  if (state == ClientState::Owner) {
    instances_[place].ended_ns = now_ns_;  // One that was still taking has served nothing.
  }
  if (owned || state == ClientState::Offered) {
    end_ownership(place);
  }
}

void PacketServer::end_ownership(std::size_t place) noexcept {
  Instance& instance = instances_[place];
  instance.owner = none;
  const auto is_before = [](const Client& one, const Client& other) {
    const int rank = (one.flags & hello_first) - (other.flags & hello_first);
    return rank != 0 ? rank > 0 : one.line < other.line;
  };
  std::size_t first = none;
  for (std::size_t number = 0; number < clients_.size(); ++number) {
    const Client& client = clients_[number];
    if (client.state == ClientState::Waiting && client.instance == place &&
        (first == none || is_before(client, clients_[first]))) {
      first = number;
    }
  }
  if (first != none && (clients_[first].flags & hello_answers) != 0) {
    offer(first);
  } else if (first != none) {
    grant(first);
  } else if (entries_.count(place) == 0) {
    instance = Instance{};
  } else {
    instance.expires_ns = now_ns_ + keep_ns_;
  }
}

void PacketServer::expire() noexcept {
  for (std::size_t place = 0; place < instances_.size(); ++place) {
    Instance& instance = instances_[place];
    if (instance.expires_ns <= now_ns_) {
      const std::size_t count = entries_.remove_all(place, true);
      reports_.report(ServerReport::Expired, instance.name(), 0, count);
      instance = Instance{};
    }
  }
  for (std::size_t number = 0; number < clients_.size(); ++number) {
    const Client& client = clients_[number];
    if (client.due_ns <= now_ns_ && client.state == ClientState::Taking) {
      send_entries(number);
    } else if (client.due_ns <= now_ns_ && client.state == ClientState::Offered) {
      constexpr auto seconds = static_cast<std::uint32_t>(answer_ns / base::ns_per_second);
      report(ServerReport::Late, client, seconds);
      refuse(number, RefusedFor::Late, seconds);
    } else if (client.due_ns <= now_ns_) {
      end(number);
    }
  }
}

std::size_t PacketServer::place_of(std::string_view name) noexcept {
  auto found = std::ranges::find(instances_, name, &Instance::name);
  if (found == instances_.end()) {
    found = std::ranges::find(instances_, 0U, &Instance::name_size);
    if (found == instances_.end()) {
      return none;
    }
    found->name_size = name.size();
    std::ranges::copy(name, found->name_bytes.data());
  }
  return static_cast<std::size_t>(found - instances_.begin());
}

}  // namespace

std::expected<std::unique_ptr<Server>, base::Error> Server::open(const ServerOptions& options,
                                                                 ServerReports& reports) {
  auto socket = open_server_socket(options.socket);
  if (!socket) {
    return std::unexpected(std::move(socket.error()));
  }
  os::FileDescriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.is_open()) {
    return std::unexpected(base::make_system_error("epoll_create1", errno, options.socket));
  }
  auto server =
      std::make_unique<PacketServer>(options, reports, std::move(*socket), std::move(epoll));
  if (!server->watch_listener(true)) {
    return std::unexpected(base::make_system_error("epoll_ctl", errno, options.socket));
  }
  return server;
}

}  // namespace affix::inline v0::keeper
