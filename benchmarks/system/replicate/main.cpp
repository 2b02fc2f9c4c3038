// SPDX-License-Identifier: MIT
// Contenders of `./dev compare replicate` beside `affix-lab bench server`: the raw loop of a server
// and its replica, and a client of NATS JetStream.
#include "affix/config/configuration.hpp"
#include "affix/net/reactor.hpp"
#include "affix/service/stop_signals.hpp"

#include "measure/distribution.hpp"
#include "measure/measurement.hpp"
#include "publisher.hpp"
#include "raw_server.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace affix_bench {

namespace {

using affix::tools::LatencyHistogram;
using affix::tools::bench::ByteStore;

// Maximum delay before a signal is noticed while nothing arrives.
constexpr std::int64_t look_ns = 100 * base::ns_per_ms;

struct Options {
  std::string listen = "127.0.0.1:0";
  std::string directory;
  std::string replica;
  std::string target;
  std::string subject;
  std::string json;
  std::string distribution;
  double seconds = 1;
  double warm_up_seconds = 0.2;
  std::size_t bytes = 200;
  bool spin = false;
};

int fail(const std::string& text) {
  std::fprintf(stderr, "affix_bench_replicate: %s\n", text.c_str());
  return 2;
}

std::unique_ptr<net::Reactor> open_reactor() {
  // The defaults of an engine's server group.
  const affix::config::ServerSettings settings;
  net::ReactorOptions limits;
  limits.rx_buffer_capacity = static_cast<std::uint32_t>(settings.rx_buffer_capacity);
  limits.tx_buffer_capacity = 64 * 1024 * 1024;
  auto reactor = net::make_reactor("epoll", limits);
  return reactor ? std::move(*reactor) : nullptr;
}

void turn(net::Reactor& reactor, net::Handler& handler, bool spins) {
  const base::Now now = reactor.now();
  const net::Wait wait =
      spins ? net::Wait::spin() : net::Wait::block_until(now.steady_ns + look_ns);
  static_cast<void>(reactor.poll(now, wait, handler));
}

/// Says where it listens; false: it cannot.
bool listen(net::Reactor& reactor, const std::string& text) {
  const affix::config::ServerSettings settings;
  net::SocketOptions socket;
  socket.receive_buffer_bytes = static_cast<std::uint32_t>(settings.socket_rx_size);
  socket.send_buffer_bytes = static_cast<std::uint32_t>(settings.socket_tx_size);
  const auto address = net::Address::parse(text);
  const auto listening =
      address ? reactor.listen(*address, socket) : std::unexpected(address.error());
  if (!listening) {
    std::fprintf(stderr, "affix_bench_replicate: %s\n", listening.error().text().c_str());
    return false;
  }
  std::printf("listening on %s\n", listening->address.text().c_str());
  std::fflush(stdout);
  return true;
}

int serve(const Options& options) {
  auto reactor = open_reactor();
  auto store = ByteStore::make(options.directory);
  if (!reactor || !store) {
    return fail("no reactor, or no file in " + options.directory);
  }
  RawServer server(*reactor, std::move(*store));
  if (!options.replica.empty()) {
    const auto replica = net::Address::parse(options.replica);
    if (!replica || !server.connect_replica(*replica)) {
      return fail("no replica at " + options.replica);
    }
  }
  const affix::service::StopSignals signals;
  const auto goes_on = [&] {
    return !affix::service::StopSignals::requested() && !server.failed();
  };
  while (goes_on() && !server.ready()) {
    turn(*reactor, server, false);
  }
  if (!goes_on() || !listen(*reactor, options.listen)) {
    return server.failed() ? fail("the replica does not answer") : 2;
  }
  while (goes_on()) {
    turn(*reactor, server, options.spin);
    server.end_turn();
  }
  return server.failed() ? fail("the file is full, or the replica is gone") : 0;
}

int replicate(const Options& options) {
  auto reactor = open_reactor();
  auto store = ByteStore::make(options.directory);
  if (!reactor || !store) {
    return fail("no reactor, or no file in " + options.directory);
  }
  RawReplica replica(*reactor, std::move(*store));
  const affix::service::StopSignals signals;
  if (!listen(*reactor, options.listen)) {
    return 2;
  }
  while (!affix::service::StopSignals::requested() && !replica.failed()) {
    turn(*reactor, replica, options.spin);
  }
  return replica.failed() ? fail("the file is full") : 0;
}

int publish(const Options& options) {
  const auto target = net::Address::parse(options.target);
  if (!target) {
    return fail(target.error().text());
  }
  Publisher publisher(options.spin);
  const auto times = std::make_unique<LatencyHistogram>();
  const auto ns_of = [](double seconds) {
    return static_cast<std::int64_t>(seconds * static_cast<double>(base::ns_per_second));
  };
  const bool done =
      publisher.open(*target) &&
      publisher.publish(options.subject, options.bytes, ns_of(options.warm_up_seconds), *times);
  times->clear();
  if (!done || !publisher.publish(options.subject, options.bytes, ns_of(options.seconds), *times)) {
    return fail(publisher.error());
  }
  std::printf("%llu messages acknowledged, median %lld ns, p99 %lld ns\n",
              static_cast<unsigned long long>(times->count()),
              static_cast<long long>(times->value_at(0.5)),
              static_cast<long long>(times->value_at(0.99)));
  const auto written = affix::tools::write_measurements(
      options.json, {affix::tools::measurement_of("service", "nats_r3", *times)});
  const auto drawn =
      affix::tools::write_distribution(options.distribution, {{"service_ns", times.get()}});
  return written && drawn ? 0 : fail("the figures cannot be written");
}

int run(int count, char** arguments) {
  Options options;
  CLI::App program("The raw loop of replication, and a client of NATS JetStream",
                   "affix_bench_replicate");
  program.require_subcommand(1);
  CLI::App* const server =
      program.add_subcommand("server", "Store and answer, if asked after a replica has stored it");
  server->add_option("--listen", options.listen, "Numeric address")->capture_default_str();
  server->add_option("--directory", options.directory, "Where the file is")->required();
  server->add_option("--replica", options.replica, "HOST:PORT of a replica; without it none");
  server->add_flag("--spin", options.spin, "Look at the sockets without sleeping");
  CLI::App* const replica = program.add_subcommand("replica", "Store, and answer how far it is");
  replica->add_option("--listen", options.listen, "Numeric address")->capture_default_str();
  replica->add_option("--directory", options.directory, "Where the file is")->required();
  replica->add_flag("--spin", options.spin, "Look at the sockets without sleeping");
  CLI::App* const client = program.add_subcommand(
      "publish", "Publish one message after the other on a stream of NATS JetStream");
  client->add_option("--target", options.target, "127.0.0.1:PORT of the server")->required();
  client->add_option("--subject", options.subject, "Of the stream")->required();
  client->add_option("--bytes", options.bytes, "Of a message")->capture_default_str();
  client->add_option("--seconds", options.seconds, "That are measured")->capture_default_str();
  client->add_option("--warm-up-seconds", options.warm_up_seconds, "Before")->capture_default_str();
  client->add_flag("--spin", options.spin, "Look at the socket without sleeping");
  client->add_option("--json", options.json, "Write the figures to this file")->required();
  client
      ->add_option("--distribution", options.distribution,
                   "Write the percentile curve to this file")
      ->required();
  CLI11_PARSE(program, count, arguments);
  return *server ? serve(options) : *replica ? replicate(options) : publish(options);
}

}  // namespace

}  // namespace affix_bench

int main(int count, char** arguments) {
  return affix_bench::run(count, arguments);
}
