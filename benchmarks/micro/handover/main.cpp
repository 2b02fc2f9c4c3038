// SPDX-License-Identifier: MIT
// ./dev bench handover: cost of handing a command to a worker, and time until the worker has
// carried it out; and the time that a callback thread adds to a message. Timed on the calling
// thread's core; the worker has another.
#include "affix/engine/engine.hpp"

#include "../harness.hpp"
#include "callbacks.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sched.h>
#include <thread>

namespace affix_bench {

namespace {

using namespace affix;

/// Only counts.
class Counting final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}

  void on_cross_thread_result(host::SessionHandle, std::uint64_t,
                              const host::SendResult&) noexcept override {
    done.store(done.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  std::atomic<std::uint64_t> done{0};
};

/// An engine with one worker on its own thread, and a session without a peer: the worker refuses a
/// message for it at once, so that the hand-over is what is timed.
class Rig {
 public:
  Rig(affix::config::WaitMode wait_mode, int core) {
    config::Configuration configuration;
    configuration.servers.emplace_back();
    configuration.servers.back().name = "SERVER";
    configuration.servers.back().nic_address = "127.0.0.1";
    configuration.servers.back().wait_mode = wait_mode;
    configuration.servers.back().cpu_core_id = core;
    configuration.sessions.emplace_back();
    config::SessionSettings& session = configuration.sessions.back();
    session.name = "FIRM";
    session.instance = "SERVER";
    session.begin_string = "FIX.4.4";
    session.sender_comp_id = "VENUE";
    session.target_comp_id = "FIRM";
    session.durability = affix::journal::Durability::Memory;
    auto opened = engine::Engine::open(configuration, application_);
    if (!opened) {
      std::fputs(config::text_of(opened.error()).c_str(), stderr);
      std::exit(1);
    }
    engine_ = std::move(*opened);
    sender_.emplace(
        std::move(*engine_->open_cross_thread_sender({.ring_bytes = std::size_t{1} << 22})));
    thread_ = std::thread([this] { engine_->run(); });
  }

  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  ~Rig() {
    engine_->request_stop();
    thread_.join();
    sender_.reset();
  }

  void send() {
    for (;;) {
      wire::Encoder order = sender_->begin(engine_->sessions().front(), "D");
      order.text(11, "order-000017");
      order.text(55, "ACME");
      order.character(54, '1');
      order.integer(38, 100);
      order.character(40, '2');
      order.decimal(44, base::Decimal{1025, -2});
      if (sender_->commit(order) == engine::HandOver::Queued) {
        ++given_;
        return;
      }
    }
  }

  void await_all() const {
    while (application_.done.load(std::memory_order_acquire) != given_) {
    }
  }

 private:
  Counting application_;
  std::unique_ptr<engine::Engine> engine_;
  std::optional<engine::CrossThreadSender> sender_;
  std::thread thread_;
  std::uint64_t given_ = 0;
};

/// The engine under measurement: one at a time, since the spinning worker of another would use the
/// same core.
class Place {
 public:
  explicit Place(int core) : core_(core) {}

  [[nodiscard]] Rig& rig(affix::config::WaitMode wait_mode) {
    if (rig_ == nullptr || wait_mode_ != wait_mode) {
      rig_.reset();
      rig_ = std::make_unique<Rig>(wait_mode, core_);
      wait_mode_ = wait_mode;
    }
    return *rig_;
  }

 private:
  const int core_;
  std::unique_ptr<Rig> rig_;
  affix::config::WaitMode wait_mode_ = affix::config::WaitMode::Block;
};

Benchmark handover(const char* name, const char* about, affix::config::WaitMode wait_mode,
                   const std::shared_ptr<Place>& place) {
  Benchmark benchmark{name, about, {}};
  benchmark.contenders.push_back({"enqueue",
                                  [place, wait_mode](std::size_t count) {
                                    Rig& rig = place->rig(wait_mode);
                                    for (std::size_t at = 0; at < count; ++at) {
                                      rig.send();
                                    }
                                  },
                                  {},
                                  [place, wait_mode] { place->rig(wait_mode).await_all(); }});
  benchmark.contenders.push_back({"to_result",
                                  [place, wait_mode](std::size_t count) {
                                    Rig& rig = place->rig(wait_mode);
                                    for (std::size_t at = 0; at < count; ++at) {
                                      rig.send();
                                      rig.await_all();
                                    }
                                  },
                                  {},
                                  [place, wait_mode] { place->rig(wait_mode).await_all(); }});
  return benchmark;
}

/// The first core that the process may use: the harness uses the last.
int first_core() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return 0;
  }
  int core = 0;
  while (core < CPU_SETSIZE - 1 && !CPU_ISSET(static_cast<std::size_t>(core), &allowed)) {
    ++core;
  }
  return core;
}

}  // namespace

}  // namespace affix_bench

int main(int argc, char** argv) {
  using namespace affix_bench;
  const Options options = parse_options(argc, argv);
  const int core = first_core();
  const auto place = std::make_shared<Place>(core);
  return run_benchmarks(
      options,
      {handover("handover_spin",
                "a message of 6 fields encoded into the queue of a spinning worker: one after the "
                "other, and each one's result awaited",
                affix::config::WaitMode::Spin, place),
       handover("handover_block",
                "the same with a worker that sleeps in the kernel when it has nothing to do",
                affix::config::WaitMode::Block, place),
       callbacks(core)});
}
