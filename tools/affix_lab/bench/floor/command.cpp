// SPDX-License-Identifier: MIT
// The raw baseline as a program: the engine's reactor and socket options around FloorHandler.
#include "bench/floor/command.hpp"

#include "affix/config/configuration.hpp"
#include "affix/net/reactor.hpp"
#include "affix/service/stop_signals.hpp"

#include "bench/floor/floor_handler.hpp"

#include <cinttypes>
#include <cstdio>
#include <memory>

namespace affix::inline v0::tools::bench {

namespace {

// Maximum delay before a signal is noticed while nothing arrives.
constexpr std::int64_t look_ns = 100 * base::ns_per_ms;

struct FloorOptions {
  std::string listen = "127.0.0.1:0";
  std::string reactor = "epoll";
  bool spin = false;
  bool sink = false;
  std::string store;
};

int fail_floor(const base::Error& error) {
  std::fprintf(stderr, "affix-lab bench floor: %s\n", error.text().c_str());
  return 2;
}

int run(const FloorOptions& options) {
  const auto address = net::Address::parse(options.listen);
  if (!address) {
    return fail_floor(address.error());
  }
  // The defaults of an engine's server group.
  const affix::config::ServerSettings settings;
  net::ReactorOptions limits;
  limits.rx_buffer_capacity = static_cast<std::uint32_t>(settings.rx_buffer_capacity);
  limits.tx_buffer_capacity = 64 * 1024 * 1024;
  net::SocketOptions socket;
  socket.receive_buffer_bytes = static_cast<std::uint32_t>(settings.socket_rx_size);
  socket.send_buffer_bytes = static_cast<std::uint32_t>(settings.socket_tx_size);
  auto reactor = net::make_reactor(options.reactor, limits);
  if (!reactor) {
    return fail_floor(reactor.error());
  }
  const auto listening = (*reactor)->listen(*address, socket);
  if (!listening) {
    return fail_floor(listening.error());
  }
  FloorHandler handler(**reactor, !options.sink, options.store);
  std::printf("listening on %s\n", listening->address.text().c_str());
  std::fflush(stdout);
  const service::StopSignals signals;
  while (!service::StopSignals::requested()) {
    const base::Now now = (*reactor)->now();
    const net::Wait wait =
        options.spin ? net::Wait::spin() : net::Wait::block_until(now.steady_ns + look_ns);
    static_cast<void>((*reactor)->poll(now, wait, handler));
  }
  std::printf("%" PRIu64 " messages counted\n", handler.messages());
  return 0;
}

}  // namespace

void add_floor_command(Command bench) {
  auto options = std::make_shared<FloorOptions>();
  Command command = bench.add_command(
      "floor", "Count messages by BodyLength and answer each read with as many reports, unread");
  command.add_option("--listen", options->listen, "Numeric address; port 0: the kernel chooses")
      .with_default();
  command.add_option("--reactor", options->reactor, "How the kernel is asked about sockets")
      .one_of({"epoll", "poll", "io_uring"})
      .with_default();
  command.add_flag("--spin,!--block", options->spin, "Look at the sockets without sleeping");
  command.add_flag("--sink", options->sink, "Answer nothing");
  command
      .add_option("--store", options->store,
                  "Directory: copy what is received and sent into a file there, which goes with "
                  "its connection")
      .existing_directory();
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::bench
