// SPDX-License-Identifier: MIT
// The engines' settings, their turns, and the other process.
#include "engine_orders.hpp"

#include "affix/counters/counter_reader.hpp"
#include "affix/engine/engine.hpp"
#include "affix/testing/virtual_network.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace affix_counts {

namespace {

using namespace affix;
using testing::VirtualNetwork;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

class Counting final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    ++arrived;
  }

  unsigned long long arrived = 0;
};

config::SessionSettings session_of(const char* us, const char* them) {
  config::SessionSettings session;
  session.name = them;
  session.begin_string = "FIX.4.4";
  session.sender_comp_id = us;
  session.target_comp_id = them;
  session.durability = affix::journal::Durability::Memory;
  return session;
}

config::Configuration venue_settings() {
  config::Configuration configuration;
  config::ServerSettings server;
  server.name = "SERVER";
  server.nic_address = "10.0.0.1";
  server.accept_port = 5001;
  configuration.servers.push_back(server);
  configuration.sessions.push_back(session_of("VENUE", "FIRM"));
  configuration.sessions.back().instance = "SERVER";
  return configuration;
}

config::Configuration firm_settings() {
  config::Configuration configuration;
  config::ClientSettings client;
  client.name = "CLIENT";
  client.primary_address = "10.0.0.1";
  client.primary_port = 5001;
  configuration.clients.push_back(client);
  configuration.sessions.push_back(session_of("FIRM", "VENUE"));
  configuration.sessions.back().instance = "CLIENT";
  return configuration;
}

std::unique_ptr<engine::Engine> start(VirtualNetwork& network, testing::NodeId node,
                                      const config::Configuration& settings,
                                      host::Application& application) {
  auto opened = engine::Engine::open(
      settings, application, network.make_reactor(node, engine::Engine::reactor_options(settings)));
  if (!opened) {
    give_up(config::text_of(opened.error()));
  }
  network.set_turn(node,
                   [engine = opened->get()] { engine->poll(testing::VirtualNetwork::never_ns); });
  return std::move(*opened);
}

}  // namespace

struct EngineOrders::Parts {
  VirtualNetwork network;
  testing::NodeId venue_node = network.add_node();
  testing::NodeId firm_node = network.add_node();
  Counting venue_application;
  Counting firm_application;
  std::unique_ptr<engine::Engine> venue =
      start(network, venue_node, venue_settings(), venue_application);
  std::unique_ptr<engine::Engine> firm =
      start(network, firm_node, firm_settings(), firm_application);
};

EngineOrders::EngineOrders() : parts_(std::make_unique<Parts>()) {
  if (!parts_->network.run(base::ns_per_second) || !parts_->firm->sessions().front().logged_on()) {
    give_up("no logon");
  }
}

EngineOrders::~EngineOrders() = default;

void EngineOrders::order() {
  const unsigned long long before = parts_->venue_application.arrived;
  const host::SessionHandle session = parts_->firm->sessions().front();
  wire::Encoder order = session.begin("D");
  order.text(11, "ORDER-1");
  order.text(55, "ACME");
  order.character(54, '1');
  order.integer(38, 100);
  if (!session.commit(order).sent()) {
    give_up("an order was refused");
  }
  const std::int64_t give_up_ns = parts_->network.steady_ns() + base::ns_per_second;
  while (parts_->venue_application.arrived == before) {
    if (!parts_->network.step(give_up_ns)) {
      give_up("an order was lost");
    }
  }
}

unsigned long long EngineOrders::arrived() const noexcept {
  return parts_->venue_application.arrived;
}

const std::string& EngineOrders::counters_path() const noexcept {
  return parts_->venue->counters_path();
}

CountersWatcher::CountersWatcher(const std::string& path) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) {
    give_up("no pipe");
  }
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    give_up("no other process");
  }
  if (process_ == 0) {
    // Killed, never ended in order: it shares the measuring program's files and output.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) {
      ::_exit(1);
    }
    auto reader = counters::CounterReader::open(path);
    for (bool first = true; reader && reader->read().sessions.size() == 1; first = false) {
      if (first && ::write(ends[1], "r", 1) != 1) {
        break;
      }
    }
    ::_exit(1);
  }
  ::close(ends[1]);
  char read = 0;
  if (::read(ends[0], &read, 1) != 1) {
    give_up("the counters cannot be read: " + path);
  }
  ::close(ends[0]);
}

CountersWatcher::~CountersWatcher() {
  if (process_ > 0) {
    static_cast<void>(::kill(process_, SIGKILL));
    static_cast<void>(::waitpid(process_, nullptr, 0));
  }
}

bool CountersWatcher::watches() const noexcept {
  int status = 0;
  return ::waitpid(process_, &status, WNOHANG) == 0;
}

}  // namespace affix_counts
