// SPDX-License-Identifier: MIT
// Keys of the engine, client and server groups, each set in a configuration file to a value other
// than its default: the effect on the process's sockets and threads according to the system.
#include "affix/journal/reader.hpp"
#include "affix/net/reactor.hpp"
#include "affix/wire/kernel.hpp"

#include "config/instance_options.hpp"
#include "support/has_message.hpp"
#include "support/raw_peer.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <thread>

namespace affix::support {
namespace {
template <typename Value = int>
Value option_of(int fd, int level, int name) {
  Value value{};
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(fd, level, name, &value, &size), 0) << errno;
  return value;
}

/// Sockets of this process.
std::vector<int> sockets() {
  std::vector<int> found;
  DIR* const directory = ::opendir("/proc/self/fd");
  while (const dirent* const entry = ::readdir(directory)) {
    const int fd = std::atoi(entry->d_name);
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM) {
      found.push_back(fd);
    }
  }
  ::closedir(directory);
  return found;
}

/// The connected TCP socket with this local port, or with this peer's port.
int socket_with(bool own, std::uint16_t port, int except = -1) {
  for (const int fd : sockets()) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    sockaddr_in peer{};
    socklen_t peer_size = sizeof peer;
    const bool connected = ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &peer_size) == 0;
    if (fd != except && connected &&
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
        ntohs(own ? address.sin_port : peer.sin_port) == port) {
      return fd;
    }
  }
  return -1;
}

class EngineGroupKeys : public ::testing::Test {
 protected:
  [[nodiscard]] std::string session(const std::string& lines = {}) const {
    return "[SESSION1]\nbegin_string=FIX.4.4\nsender_comp_id=US\ntarget_comp_id=THEM\n"
           "sequence_reserve=0\njournal_path=" +
           directory_.path() + "\n" + lines;
  }

  [[nodiscard]] static config::Configuration read(const std::string& text) {
    auto settings = config::parse_configuration(text, "test.cfg");
    EXPECT_TRUE(settings) << config::text_of(settings.error());
    return settings ? std::move(*settings) : config::Configuration();
  }

  /// A server with these lines, and a connected peer.
  void serve(const std::string& lines, bool logs_on = true) {
    engine_ = open_engine(
        read("[SERVER]\naccept_port=0\nnic_address=127.0.0.1\n" + lines + session()), application_);
    ASSERT_TRUE(engine_);
    peer_ = std::make_unique<RawPeer>(Engines{engine_.get()}, "THEM", "US");
    peer_->connect(port_of(*engine_));
    if (logs_on) {
      peer_->log_on();
    }
  }

  /// A client with these lines, connected.
  void dial(const std::string& lines) {
    net::SocketOptions options;
    auto listener = net::Listener::open(net::Address::parse("127.0.0.1:0").value(), options);
    ASSERT_TRUE(listener);
    port_ = listener->local_address().port();
    engine_ = open_engine(read("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" +
                               std::to_string(port_) + "\n" + lines + session()),
                          application_);
    ASSERT_TRUE(engine_);
    peer_ = std::make_unique<RawPeer>(Engines{engine_.get()}, "THEM", "US");
    peer_->accept(*listener);
  }

  /// The engine's socket: accepted, or connected.
  [[nodiscard]] int accepted() const { return socket_with(true, port_of(*engine_)); }

  [[nodiscard]] int dialed() const { return socket_with(false, port_); }

  TemporaryDirectory directory_;
  Recorder application_;
  std::uint16_t port_ = 0;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<RawPeer> peer_;
};

constexpr const char* socket_lines =
    "socket_rx_size=16384\nsocket_tx_size=32768\ndisable_nagle=false\nquick_ack=true\n"
    "nic_name=lo\n";

void expect_socket_lines(int fd) {
  ASSERT_GE(fd, 0);
  // The kernel doubles the requested size, and reports that.
  EXPECT_EQ(option_of(fd, SOL_SOCKET, SO_RCVBUF), 2 * 16'384);
  EXPECT_EQ(option_of(fd, SOL_SOCKET, SO_SNDBUF), 2 * 32'768);
  EXPECT_EQ(option_of(fd, IPPROTO_TCP, TCP_NODELAY), 0);
  EXPECT_EQ(option_of(fd, IPPROTO_TCP, TCP_QUICKACK), 1);
  char name[16] = {};
  socklen_t size = sizeof name;
  ASSERT_EQ(::getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, &size), 0);
  EXPECT_STREQ(name, "lo");
}

TEST_F(EngineGroupKeys, SocketsOfAServer) {
  // Before any answer, after which the kernel decides about acknowledgements itself.
  serve(socket_lines, false);
  ASSERT_TRUE(turn_until({engine_.get()}, [this] { return accepted() >= 0; }));
  expect_socket_lines(accepted());
}

/// Arrival time of the newest received message in the journal, UTC.
std::int64_t newest_received_ns(engine::Engine& engine) {
  auto reader = journal::Reader::open(std::string(engine.sessions().front().journal_directory()));
  EXPECT_TRUE(reader);
  std::int64_t newest_ns = 0;
  while (const auto record = reader->next()) {
    newest_ns = record->kind == journal::Kind::Received ? record->utc_ns : newest_ns;
  }
  return newest_ns;
}

/// Sends messages that the engine reads after they have arrived, until one has the kernel's stamp:
/// stamping begins some time after the first request.
void expect_stamps(engine::Engine& engine, RawPeer& peer) {
  bool stamped = false;
  for (int attempt = 0; attempt < 1'000 && !stamped; ++attempt) {
    const std::int64_t before_ns = os::now().utc_ns;
    peer.send("1", "112=when|");
    const std::int64_t arrived_ns = os::now().utc_ns;
    peer.expect("0");
    const std::int64_t reported_ns = newest_received_ns(engine);
    EXPECT_GE(reported_ns, before_ns);
    stamped = reported_ns <= arrived_ns;
  }
  EXPECT_TRUE(stamped);
}

TEST_F(EngineGroupKeys, ReceiveTimeStampsSayWhenAMessageArrived) {
  serve("receive_time_stamps=KERNEL\n");
  expect_stamps(*engine_, *peer_);
}

TEST_F(EngineGroupKeys, ReceiveTimeStampsWithIoUringAndOfAClient) {
  dial("receive_time_stamps=NETWORK_CARD\nreactor=IO_URING\n");
  peer_->expect("A");
  peer_->send_logon();
  expect_stamps(*engine_, *peer_);
}

TEST_F(EngineGroupKeys, WithoutReceiveTimeStampsAMessageCameWhenItWasSeen) {
  serve("");
  peer_->send("1", "112=when|");
  const std::int64_t arrived_ns = os::now().utc_ns;
  peer_->expect("0");
  EXPECT_GT(newest_received_ns(*engine_), arrived_ns);
}

TEST_F(EngineGroupKeys, SocketsOfAClient) {
  dial(socket_lines);
  expect_socket_lines(dialed());
}

TEST_F(EngineGroupKeys, DefaultsOfSockets) {
  serve("");
  EXPECT_EQ(option_of(accepted(), SOL_SOCKET, SO_RCVBUF), 2 * 212'992);
  EXPECT_EQ(option_of(accepted(), SOL_SOCKET, SO_SNDBUF), 2 * 212'992);
  EXPECT_EQ(option_of(accepted(), IPPROTO_TCP, TCP_NODELAY), 1);
}

TEST_F(EngineGroupKeys, NicAddressOfAServer) {
  engine_ = open_engine(read("[SERVER]\naccept_port=0\nnic_address=127.0.0.3\n" + session()),
                        application_);
  ASSERT_TRUE(engine_);
  EXPECT_EQ(engine_->listening_addresses().front().text(),
            "127.0.0.3:" + std::to_string(port_of(*engine_)));
}

TEST_F(EngineGroupKeys, NicAddressOfAClient) {
  dial("nic_address=127.0.0.2\n");
  sockaddr_in own{};
  socklen_t size = sizeof own;
  ASSERT_EQ(::getsockname(dialed(), reinterpret_cast<sockaddr*>(&own), &size), 0);
  EXPECT_EQ(ntohl(own.sin_addr.s_addr), 0x7F000002U);
}

TEST_F(EngineGroupKeys, PrimaryAndSecondaryAddress) {
  const auto listen = [](const char* host) {
    return net::Listener::open(net::Address::parse(std::string(host) + ":0").value(), {});
  };
  std::uint16_t deserted = 0;
  {
    const auto gone = listen("127.0.0.1");
    ASSERT_TRUE(gone);
    deserted = gone->local_address().port();
  }
  const auto listener = listen("127.0.0.4");
  ASSERT_TRUE(listener);
  engine_ = open_engine(
      read("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" + std::to_string(deserted) +
           "\nsecondary_address=127.0.0.4\nsecondary_port=" +
           std::to_string(listener->local_address().port()) + "\nreconnect_milliseconds=20\n" +
           session()),
      application_);
  ASSERT_TRUE(engine_);
  RawPeer peer({engine_.get()}, "THEM", "US");
  peer.accept(*listener);
  EXPECT_EQ(peer.expect("A")[49], "US");
}

TEST_F(EngineGroupKeys, PendingConnectionQueueSize) {
  engine_ = open_engine(read("[SERVER]\naccept_port=0\nnic_address=127.0.0.1\n"
                             "pending_connection_queue_size=7\n" +
                             session()),
                        application_);
  ASSERT_TRUE(engine_);
  for (const int fd : sockets()) {
    if (option_of(fd, SOL_SOCKET, SO_ACCEPTCONN) == 1) {
      // For a listener the kernel reports the length of its queue there.
      EXPECT_EQ(option_of<tcp_info>(fd, IPPROTO_TCP, TCP_INFO).tcpi_sacked, 7U);
      return;
    }
  }
  FAIL() << "nobody listens";
}

TEST_F(EngineGroupKeys, BuffersAndBatches) {
  const net::ReactorOptions options = engine::Engine::reactor_options(
      read("[SERVER]\naccept_port=0\nrx_buffer_capacity=1000000\n"
           "tx_encode_buffer_capacity=2000000\nmax_poll_events=777\nreceive_size=1000\n" +
           session()));
  EXPECT_EQ(options.rx_buffer_capacity, 1'000'000U);
  EXPECT_EQ(options.tx_buffer_capacity, 2'000'000U);
  EXPECT_EQ(options.events_per_turn, 777U);
  EXPECT_EQ(options.read_bytes_max, 1'000U);
}

TEST_F(EngineGroupKeys, FewEventsATurnAreTakenByTheAcceptorToo) {
  const config::Configuration configuration =
      read("[SERVER]\naccept_port=0\nworker_thread_count=2\nmax_poll_events=64\n" + session());
  EXPECT_EQ(engine::Engine::reactor_options(configuration).events_per_turn, 64U);
  EXPECT_EQ(config::acceptor_reactor_options(configuration).events_per_turn, 64U);
}

/// Bytes of one call of the handler: those of one read if nothing is left from before.
std::size_t largest_read(const char* reactor, std::uint32_t read_bytes_max) {
  class Reader final : public net::Handler {
   public:
    std::size_t largest = 0;
    std::size_t all = 0;

    std::size_t on_bytes(net::ConnectionId, base::PaddedBytes bytes) noexcept override {
      largest = std::max(largest, bytes.size);
      all += bytes.size;
      return bytes.size;
    }

    void on_drained(net::ConnectionId) noexcept override {}

    void on_closed(net::ConnectionId, net::CloseReason, int) noexcept override {}
  };

  net::ReactorOptions options;
  options.read_bytes_max = read_bytes_max;
  auto made = net::make_reactor(reactor, options);
  if (!made) {
    return read_bytes_max;  // Not in this build, or not supported by this kernel.
  }
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const net::Socket other(ends[1]);
  EXPECT_TRUE((*made)->adopt(net::Socket(ends[0]), {}));
  const std::string bytes(10'000, 'b');
  EXPECT_EQ(::send(other.fd(), bytes.data(), bytes.size(), 0), 10'000);
  Reader reader;
  for (int turn = 0; turn < 1'000 && reader.all < bytes.size(); ++turn) {
    const base::Now now = (*made)->now();
    (*made)->poll(now, net::Wait::block_until(now.steady_ns + base::ns_per_ms), reader);
  }
  EXPECT_EQ(reader.all, bytes.size());
  return reader.largest;
}

TEST(ReceiveSize, BoundsEveryRead) {
  for (const char* const reactor : {"epoll", "poll", "io_uring"}) {
    EXPECT_EQ(largest_read(reactor, 1'000), 1'000U) << reactor;
  }
  EXPECT_EQ(largest_read("epoll", 0), 10'000U);
}

TEST_F(EngineGroupKeys, AsyncIoTimeoutNanoseconds) {
  serve("async_io_timeout_nanoseconds=2000000\nworker_thread_count=1\n");
  if (engine_->worker_count() > 1) {
    GTEST_SKIP() << "several workers never wait long on one of them";
  }
  while (engine_->poll(0)) {
  }
  // Nothing is due for half a minute, yet a turn ends long before that.
  const std::int64_t begin_ns = os::now().steady_ns;
  engine_->poll(begin_ns + 25 * base::ns_per_second);
  EXPECT_LT(os::now().steady_ns - begin_ns, 10 * base::ns_per_second);
}

/// Runs the engine on its own thread and returns the processors that its callbacks may use.
TEST_F(EngineGroupKeys, CpuCoreIdPinsTheThread) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  std::size_t last = 0;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    last = CPU_ISSET(core, &allowed) ? core : last;
  }
  for (const bool is_server : {true, false}) {
    const std::string group = is_server ? "[SERVER]\naccept_port=0\nnic_address=127.0.0.1\n"
                                        : "[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=1\n";
    auto opened = engine::Engine::open(
        read(group + "cpu_core_id=" + std::to_string(last) + "\n" + session()), application_);
    ASSERT_TRUE(opened) << config::text_of(opened.error());
    cpu_set_t inside;
    CPU_ZERO(&inside);
    std::atomic<bool> looked = false;
    application_.when_woken = [&] {
      static_cast<void>(::sched_getaffinity(0, sizeof inside, &inside));
      looked = true;
    };
    std::thread runner([&] { (*opened)->run(); });
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (!looked && os::now().steady_ns < give_up_ns) {
      (*opened)->wake();
      std::this_thread::yield();
    }
    (*opened)->request_stop();
    runner.join();
    application_.when_woken = {};
    ASSERT_TRUE(looked);
    EXPECT_EQ(CPU_COUNT(&inside), 1);
    EXPECT_TRUE(CPU_ISSET(last, &inside));
  }
}

TEST_F(EngineGroupKeys, MissingCoresAreReportedEvenIfTheEngineIsStoppedAtOnce) {
  auto opened = engine::Engine::open(
      read("[ENGINE]\nmanagement_server_port=-1\nmanagement_server_cpu_core_id=4001\n"
           "[SERVER]\naccept_port=0\nnic_address=127.0.0.1\ncpu_core_id=4000\n" +
           session()),
      application_);
  ASSERT_TRUE(opened) << config::text_of(opened.error());
  (*opened)->request_stop();
  EXPECT_TRUE((*opened)->run());
  EXPECT_EQ(application_.times_heard("E127", "core 4000 "), 1) << application_.all_events();
  EXPECT_EQ(application_.times_heard("E127", "core 4001 "), 1) << application_.all_events();
}

/// Restores the state that the test finds.
class KernelKeys : public EngineGroupKeys {
 protected:
  ~KernelKeys() override { static_cast<void>(wire::force_kernel(before_)); }

  [[nodiscard]] auto open(const std::string& engine_lines, const std::string& session_lines = {}) {
    return engine::Engine::open(
        read("[ENGINE]\n" + engine_lines + "[SERVER]\naccept_port=0\nnic_address=127.0.0.1\n" +
             session(session_lines)),
        application_);
  }

  const wire::Kernel before_ = wire::active_kernel();
};

TEST_F(KernelKeys, AKernelIsNamed) {
  ASSERT_TRUE(open("kernel=SCALAR\n"));
  EXPECT_EQ(wire::active_kernel(), wire::Kernel::Scalar);
  ASSERT_TRUE(open("kernel=AUTO\n"));
  EXPECT_EQ(wire::active_kernel(), wire::Kernel::Scalar);  // Unchanged.
}

TEST_F(KernelKeys, OneThatCannotRunRefusesTheStart) {
  constexpr std::pair<const char*, wire::Kernel> all[] = {
      {"NEON", wire::Kernel::Neon}, {"AVX2", wire::Kernel::Avx2}, {"AVX512", wire::Kernel::Avx512}};
  for (const auto& [name, kernel] : all) {
    const auto opened = open(std::string("kernel=") + name + "\n");
    EXPECT_EQ(opened.has_value(), wire::kernel_available(kernel)) << name;
    if (!opened) {
      EXPECT_TRUE(has_message(config::text_of(opened.error()), "J109",
                              {std::string("[ENGINE] kernel=") + name}));
    }
  }
}

TEST_F(KernelKeys, ASessionsWishForAvx2IsCarriedOut) {
  ASSERT_TRUE(wire::force_kernel(wire::Kernel::Scalar));
  auto opened = open("", "enable_simd_avx2=true\n");
  ASSERT_TRUE(opened);
  if (wire::kernel_available(wire::Kernel::Avx2)) {
    EXPECT_EQ(wire::active_kernel(), wire::Kernel::Avx2);
  } else {
    (*opened)->poll(0);
    EXPECT_TRUE(application_.heard_code("E108", "enable_simd_avx2"));
  }
  opened->reset();
  auto named = open("kernel=SCALAR\n", "enable_simd_avx2=true\n");
  ASSERT_TRUE(named);
  EXPECT_EQ(wire::active_kernel(), wire::Kernel::Scalar);
  (*named)->poll(0);
  EXPECT_TRUE(application_.heard_code("E108", "kernel=SCALAR"));
}

// --- Files written for other engines ---

constexpr const char* server_file = R"(###############################
# THE ENGINE
[ENGINE]
log_level=DEBUG
log_file=log.txt
management_server_port=5042
management_server_nic_ip=127.0.0.1

###############################
# THE SERVER
[EXAMPLE_SERVER]
#cpu_core_id=2
accept_port=0
accept_timeout_seconds=5
send_try_count=0
receive_size=4096
async_io_timeout_nanoseconds=1000000

[SESSION1]
begin_string=FIXT.1.1
default_app_ver_id=7
sender_comp_id=EXECUTOR
target_comp_id=CLIENT1
enable_simd_avx2=false
replay_messages_on_incoming_resend_request=true
replay_message_cache_initial_size=10240
throttle_window_in_milliseconds=1000
throttle_limit=100
throttle_action=WAIT
sequence_store_file_path=client1/sequence.store
incoming_message_serialisation_path=client1/messages_incoming
outgoing_message_serialisation_path=client1/messages_outgoing

[SESSION2]
begin_string=FIX.4.2
sender_comp_id=EXECUTOR
target_comp_id=CLIENT2
throttle_limit=100
throttle_action=REJECT
throttler_reject_message=Too fast
)";

constexpr const char* client_file = R"([ENGINE]
log_level=DEBUG
log_file=log.txt

[EXAMPLE_CLIENT]
primary_address=127.0.0.1
primary_port=5001
secondary_address=127.0.0.1
secondary_port=5002
#nic_name=YOUR_NIC_NAME

[EXAMPLE_SESSION]
begin_string=FIX.4.2
sender_comp_id=CLIENT2
target_comp_id=EXECUTOR
heartbeat_interval_seconds=10
throttle_window_in_milliseconds=1000
throttle_limit=100
sequence_store_file_path=sequence.store
incoming_message_serialisation_path=messages_incoming
outgoing_message_serialisation_path=messages_outgoing
)";

TEST(FilesOfOtherEngines, LoadAndTradeUnchanged) {
  TemporaryDirectory directory;
  auto server = config::parse_configuration(server_file, "server.cfg");
  ASSERT_TRUE(server) << config::text_of(server.error());
  auto client = config::parse_configuration(client_file, "client.cfg");
  ASSERT_TRUE(client) << config::text_of(client.error());
  ASSERT_EQ(server->sessions.size(), 2U);
  EXPECT_EQ(server->warnings.size(), 3U);
  EXPECT_EQ(client->warnings.size(), 3U);
  // Only the directory of this test's journals and the kernel's port are changed.
  for (config::SessionSettings& one : server->sessions) {
    one.journal_path = directory.path("server");
  }
  client->sessions.front().journal_path = directory.path("client");
  Recorder venue_application;
  Recorder firm_application;
  const auto venue = open_engine(*server, venue_application);
  ASSERT_TRUE(venue);
  client->clients.front().primary_port = port_of(*venue);
  const auto firm = open_engine(*client, firm_application);
  ASSERT_TRUE(firm);
  ASSERT_TRUE(
      turn_until({venue.get(), firm.get()}, [&] { return firm->sessions().front().logged_on(); }));
  ASSERT_TRUE(send_order(firm->sessions().front(), "1").sent());
  ASSERT_TRUE(turn_until({venue.get(), firm.get()},
                         [&] { return venue_application.messages.size() == 1; }));
}

}  // namespace
}  // namespace affix::support
