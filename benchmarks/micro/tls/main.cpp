// SPDX-License-Identifier: MIT
// affix_bench_tls: cost of encryption on the reactors. Both ends of each connection are on one
// reactor and one thread, over loopback, so that a figure has no waiting in it.
#include "affix/os/clock.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "../harness.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix_bench {
namespace {
namespace net = affix::net;
namespace os = affix::os;
namespace tls = affix::tls;

constexpr std::int64_t patience_ns = 10 * affix::base::ns_per_second;
constexpr const char* keys_variable = "AFFIX_BENCH_TLS_KEYS";

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "affix_bench_tls: %s\n", why.c_str());
  std::exit(1);
}

template <typename Value>
Value value_of(std::expected<Value, affix::base::Error> result) {
  if (!result) {
    give_up(result.error().text());
  }
  return std::move(*result);
}

enum class Encryption : std::uint8_t { None, Beside, Tls12, Tls13 };

/// A pre-shared key, since it needs no files; the cost of a record depends on the cipher alone.
std::shared_ptr<tls::TlsEndpoint> endpoint(bool is_server, tls::TlsVersion version) {
  tls::TlsSettings settings;
  settings.is_server = is_server;
  settings.version_min = version;
  settings.version_max = version;
  settings.peer_proof = tls::TlsPeerProof::PresharedKey;
  settings.preshared_keys = {tls::TlsSecret::Source::Environment, keys_variable};
  settings.ciphers = "DHE-PSK-AES128-GCM-SHA256";
  settings.cipher_suites = "TLS_AES_128_GCM_SHA256";
  return value_of(tls::TlsEndpoint::open(settings));
}

/// Two ends of one connection, and the bytes that each has received.
class Link final : private net::Handler {
 public:
  Link(const char* reactor_name, Encryption encryption) {
    auto beneath = value_of(net::make_reactor(reactor_name, tls::options_beneath_tls({})));
    if (encryption == Encryption::None) {
      reactor_ = std::move(beneath);
      join_plain();
      return;
    }
    auto secured = value_of(tls::make_tls_reactor(std::move(beneath)));
    tls::TlsReactor& tls = *secured;
    reactor_ = std::move(secured);
    if (encryption == Encryption::Beside) {
      join_plain();
      return;
    }
    const tls::TlsVersion version =
        encryption == Encryption::Tls12 ? tls::TlsVersion::Tls12 : tls::TlsVersion::Tls13;
    const net::Listening listening =
        value_of(tls.listen_tls(anywhere(), {}, endpoint(true, version)));
    static_cast<void>(value_of(tls.connect_tls(
        listening.address, {}, os::now().steady_ns + patience_ns, endpoint(false, version))));
    wait_until_joined();
  }

  /// `bytes` there and back.
  void round_trip(std::string_view bytes) {
    send(*client_, bytes);
    wait_for(*server_, bytes.size());
    send(*server_, bytes);
    wait_for(*client_, bytes.size());
  }

  /// `bytes` there.
  void one_way(std::string_view bytes) {
    send(*client_, bytes);
    wait_for(*server_, bytes.size());
  }

 private:
  static net::Address anywhere() { return value_of(net::Address::parse("127.0.0.1:0")); }

  void join_plain() {
    const net::Listening listening = value_of(reactor_->listen(anywhere(), {}));
    static_cast<void>(
        value_of(reactor_->connect(listening.address, {}, os::now().steady_ns + patience_ns)));
    wait_until_joined();
  }

  void wait_until_joined() {
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (!client_ || !server_) {
      if (os::now().steady_ns > give_up_ns) {
        give_up("the connection does not come about");
      }
      turn();
    }
    // A client of TLS 1.3 is done before its server is.
    round_trip("hello");
  }

  void send(net::ConnectionId connection, std::string_view bytes) {
    if (const net::SendResult result = reactor_->send(connection, bytes);
        result != net::SendResult::Sent && result != net::SendResult::Parked) {
      give_up(net::to_text(result));
    }
    reactor_->submit();
  }

  void turn() { static_cast<void>(reactor_->poll(os::now(), net::Wait::spin(), *this)); }

  void wait_for(net::ConnectionId connection, std::size_t bytes) {
    std::size_t& received = connection == *client_ ? client_received_ : server_received_;
    while (received < bytes) {
      turn();
    }
    received -= bytes;
  }

  void on_accepted(net::ListenerId, net::ConnectionId connection,
                   const net::Address&) noexcept override {
    server_ = connection;
  }

  void on_connected(net::ConnectionId connection) noexcept override { client_ = connection; }

  void on_connect_failed(net::ConnectionId, net::ConnectFailure failure, int) noexcept override {
    give_up(net::to_text(failure));
  }

  std::size_t on_bytes(net::ConnectionId connection,
                       affix::base::PaddedBytes bytes) noexcept override {
    (client_ == connection ? client_received_ : server_received_) += bytes.size;
    return bytes.size;
  }

  void on_tls_fault(net::ConnectionId, affix::base::CodedText fault) noexcept override {
    give_up(std::string(fault.text));
  }

  void on_drained(net::ConnectionId) noexcept override {}

  void on_closed(net::ConnectionId, net::CloseReason reason, int) noexcept override {
    give_up(net::to_text(reason));
  }

  std::unique_ptr<net::Reactor> reactor_;
  std::optional<net::ConnectionId> client_;
  std::optional<net::ConnectionId> server_;
  std::size_t client_received_ = 0;
  std::size_t server_received_ = 0;
};

struct Kind {
  const char* name;
  Encryption encryption;
};

constexpr Kind kinds[] = {{"plain", Encryption::None},
                          {"plain_beside", Encryption::Beside},
                          {"tls13", Encryption::Tls13},
                          {"tls12", Encryption::Tls12}};

Benchmark benchmark_of(std::string name, std::string about, const char* reactor,
                       const std::string& bytes, bool both_ways) {
  Benchmark benchmark{std::move(name), std::move(about), {}};
  for (const Kind& kind : kinds) {
    const auto link = std::make_shared<Link>(reactor, kind.encryption);
    benchmark.contenders.push_back({kind.name,
                                    [link, bytes, both_ways](std::size_t count) {
                                      for (std::size_t at = 0; at < count; ++at) {
                                        if (both_ways) {
                                          link->round_trip(bytes);
                                        } else {
                                          link->one_way(bytes);
                                        }
                                      }
                                    },
                                    {},
                                    {}});
  }
  return benchmark;
}

}  // namespace
}  // namespace affix_bench

int main(int argc, char** argv) {
  using namespace affix_bench;
  const Options options = parse_options(argc, argv);
  if (!tls::has_tls()) {
    give_up("this build has no TLS");
  }
  ::setenv(keys_variable, "bench:000102030405060708090a0b0c0d0e0f", 1);
  const std::string message(200, 'x');
  const std::string batch(16 * 1024, 'x');
  std::vector<Benchmark> benchmarks;
  for (const char* reactor : {"epoll", "io_uring"}) {
    if (const auto there = net::make_reactor(reactor, {}); !there) {
      std::fprintf(stderr, "affix_bench_tls: without %s: %s\n", reactor,
                   there.error().text().c_str());
      continue;
    }
    const std::string name(reactor);
    benchmarks.push_back(benchmark_of("round_trip_" + name,
                                      "200 bytes there and back, both ends on one thread", reactor,
                                      message, true));
    benchmarks.push_back(benchmark_of("batch_" + name,
                                      "16 KiB one way, about 80 messages, both ends on one thread",
                                      reactor, batch, false));
  }
  return run_benchmarks(options, benchmarks);
}
