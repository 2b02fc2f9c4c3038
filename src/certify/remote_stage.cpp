// SPDX-License-Identifier: MIT
// Waits for sockets in real time: expected messages have a few seconds, and unexpected ones are
// awaited for as long as the scenario says.
#include "certify/remote_stage.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "certify/message_text.hpp"
#include "certify/shell.hpp"
#include "certify/socket_line.hpp"

#include <algorithm>
#include <array>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::certify {

namespace {

/// Bytes on the way arrive within this time, on the networks that this is for.
constexpr std::int64_t settle_ns = 50 * base::ns_per_ms;
/// A wait may be for something that is no event of a socket, such as a Heartbeat that is due.
constexpr std::int64_t look_every_ns = 20 * base::ns_per_ms;

int milliseconds(std::int64_t ns) {
  return static_cast<int>((ns + base::ns_per_ms - 1) / base::ns_per_ms);
}

class RemoteStage final : public Stage {
 public:
  explicit RemoteStage(RemoteOptions options) : options_(std::move(options)) {}

  std::unique_ptr<Line> connect(const Identity& identity) override {
    if (options_.reception == nullptr) {
      for (const net::Address& address : options_.addresses) {
        if (auto line = SocketLine::connect(address, lines_, options_.connect_ns)) {
          return line;
        }
      }
      return nullptr;
    }
    net::Socket socket = options_.reception->wait(identity, options_.connect_ns);
    return socket.is_open() ? std::make_unique<SocketLine>(std::move(socket), lines_) : nullptr;
  }

  bool await(const std::function<bool()>& wanted, std::int64_t within_ns) override {
    const std::int64_t end =
        os::now().steady_ns + (within_ns == 0 ? options_.patience_ns : within_ns);
    while (!wanted()) {
      const std::int64_t left = end - os::now().steady_ns;
      if (left <= 0) {
        return wanted();
      }
      wait_for_sockets(std::min(left, look_every_ns));
    }
    return true;
  }

  void settle() override { advance(settle_ns); }

  void advance(std::int64_t ns) override {
    const std::int64_t end = os::now().steady_ns + ns;
    for (std::int64_t left = ns; left > 0; left = end - os::now().steady_ns) {
      // Unsent bytes leave meanwhile, even if the peer is not read.
      const bool unsent =
          std::ranges::any_of(lines_, [](const SocketLine* line) { return line->has_unsent(); });
      const std::int64_t slice = unsent ? std::min(left, look_every_ns) : left;
      static_cast<void>(::poll(nullptr, 0, milliseconds(slice)));
      for (SocketLine* const line : lines_) {
        line->flush();
      }
    }
  }

  void step_clock(std::int64_t) override {}

  std::int64_t utc_ns() const override { return os::now().utc_ns; }

  std::int64_t steady_ns() const override { return os::now().steady_ns; }

  Subject* subject() override { return nullptr; }

  std::string restart_engine(bool memory) override {
    const std::string& command =
        memory ? options_.restart_command : options_.restart_without_memory_command;
    const std::string fault = run_command(command, options_.connect_ns);
    return fault.empty() ? fault : "the engine was not restarted: " + fault;
  }

 private:
  void wait_for_sockets(std::int64_t ns) {
    std::vector<pollfd> sockets;
    for (const SocketLine* const line : lines_) {
      if (!line->is_over()) {
        const auto events = static_cast<short>(line->has_unsent() ? POLLIN | POLLOUT : POLLIN);
        sockets.push_back({line->fd(), events, 0});
      }
    }
    static_cast<void>(
        ::poll(sockets.data(), static_cast<nfds_t>(sockets.size()), milliseconds(ns)));
  }

  RemoteOptions options_;
  SocketLines lines_;
};

/// True if a complete Logon, or so much of one that the CompIDs are in it, names the session.
bool is_of(std::string_view begin, const Identity& identity) {
  return value_of(begin, "49") == identity.them && value_of(begin, "56") == identity.us;
}

}  // namespace

std::unique_ptr<Stage> make_remote_stage(RemoteOptions options) {
  return std::make_unique<RemoteStage>(std::move(options));
}

std::expected<std::unique_ptr<Reception>, std::string> Reception::open(const net::Address& address,
                                                                       bool one_session) {
  auto listener = net::Listener::open(address, {});
  if (!listener) {
    return std::unexpected(listener.error().text());
  }
  return std::unique_ptr<Reception>(new Reception(std::move(*listener), one_session));
}

void Reception::accept_all() {
  constexpr std::size_t waiting_max = 256;
  while (waiting_.size() < waiting_max) {
    const int fd =
        ::accept4(listener_.socket().fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
      break;
    }
    waiting_.push_back({net::Socket(fd), {}});
  }
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    std::array<char, 4096> bytes;
    const ssize_t size =
        ::recv(at->socket.fd(), bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
    if (size == 0) {
      at = waiting_.erase(at);
      continue;
    }
    if (size > 0) {
      at->begin.assign(bytes.data(), static_cast<std::size_t>(size));
    }
    ++at;
  }
}

net::Socket Reception::take_for(const Identity& identity) {
  const std::lock_guard lock(mutex_);
  accept_all();
  const auto found = std::ranges::find_if(
      waiting_, [&](const Waiting& each) { return one_session_ || is_of(each.begin, identity); });
  if (found == waiting_.end()) {
    return {};
  }
  net::Socket socket = std::move(found->socket);
  waiting_.erase(found);
  return socket;
}

net::Socket Reception::wait(const Identity& identity, std::int64_t within_ns) {
  const std::int64_t end = os::now().steady_ns + within_ns;
  for (;;) {
    net::Socket socket = take_for(identity);
    const std::int64_t left = end - os::now().steady_ns;
    if (socket.is_open() || left <= 0) {
      return socket;
    }
    // Connections may wait whose Logon is still on its way, or that another play is to take.
    pollfd listening{listener_.socket().fd(), POLLIN, 0};
    static_cast<void>(::poll(&listening, 1, milliseconds(std::min(left, look_every_ns))));
  }
}

}  // namespace affix::inline v0::certify
