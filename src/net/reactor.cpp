// SPDX-License-Identifier: MIT
// Selects a reactor by name, and checks the limits for all of them.
#include "affix/net/reactor.hpp"

#include "net/reactor_makers.hpp"

#include <string>

namespace affix::inline v0::net {

namespace {

struct Range {
  const char* name;
  std::int64_t value;
  std::int64_t min;
  std::int64_t max;
};

constexpr std::int64_t gibibyte = 1024 * 1024 * 1024;
constexpr std::int64_t hour_ns = 3600 * base::ns_per_second;

}  // namespace

std::expected<void, base::Error> check(const ReactorOptions& options) {
  const Range ranges[] = {
      {"connections_max", options.connections_max, 1, 1 << 20},
      {"listeners_max", options.listeners_max, 1, 1 << 16},
      {"rx_buffer_capacity", options.rx_buffer_capacity, 64, gibibyte},
      {"tx_buffer_capacity", options.tx_buffer_capacity, 64, gibibyte},
      {"read_bytes_max", options.read_bytes_max, 0, gibibyte},
      {"read_bytes_per_turn", options.read_bytes_per_turn, 1, gibibyte},
      {"events_per_turn", options.events_per_turn, 1, 1 << 16},
      {"accepts_per_turn", options.accepts_per_turn, 1, 1 << 16},
      {"accept_retry_ns", options.accept_retry_ns, base::ns_per_ms, hour_ns},
      {"flush_timeout_ns", options.flush_timeout_ns, 0, hour_ns},
  };
  for (const Range& range : ranges) {
    if (range.value < range.min || range.value > range.max) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         std::to_string(range.value) + " is not within " +
                                             std::to_string(range.min) + " to " +
                                             std::to_string(range.max),
                                         range.name, "E107"});
    }
  }
  return {};
}

std::expected<Listening, base::Error> Reactor::listen(const Address& address,
                                                      const SocketOptions& options) {
  auto listener = Listener::open(address, options);
  if (!listener) {
    return std::unexpected(std::move(listener.error()));
  }
  const Address bound = listener->local_address();
  const auto id = add_listener(std::move(*listener));
  if (!id) {
    return std::unexpected(id.error());
  }
  return Listening{*id, bound};
}

std::expected<Socket, base::Error> Reactor::share(ConnectionId /*connection*/) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "this reactor has no sockets to share", "share", "P105"});
}

bool Reactor::leave(ConnectionId /*connection*/) noexcept {
  return false;
}

std::expected<Socket, base::Error> Reactor::share(ListenerId /*listener*/) {
  return share(ConnectionId{});
}

std::expected<StreamPosition, base::Error> Reactor::stream_position(const Socket& shared,
                                                                    Opened opened) {
  return net::stream_position(shared.fd(), opened);
}

std::uint64_t Reactor::output_position(ConnectionId /*connection*/) const noexcept {
  return 0;
}

std::int64_t Reactor::received_ns(ConnectionId /*connection*/) const noexcept {
  return 0;
}

const char* to_text(SendResult result) noexcept {
  switch (result) {
    case SendResult::Sent:
      return "sent";
    case SendResult::Parked:
      return "parked";
    case SendResult::Overflow:
      return "more output than the transmit buffer holds";
    case SendResult::Closed:
      return "closed";
  }
  return "unknown";
}

std::string_view default_reactor() noexcept {
  return reactor_makers().front().name;
}

std::expected<std::unique_ptr<Reactor>, base::Error> make_reactor(std::string_view name,
                                                                  const ReactorOptions& options) {
  if (auto checked = check(options); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  std::string there;
  for (const ReactorMaker& maker : reactor_makers()) {
    if (name == maker.name) {
      return maker.make(options);
    }
    there += (there.empty() ? "" : ", ") + std::string(maker.name);
  }
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "no such reactor here; there are: " + there, std::string(name),
                                     "E107"});
}

}  // namespace affix::inline v0::net
