// SPDX-License-Identifier: MIT
// Uses a virtual network with a node for the engine, and one for each peer.
#include "virtual_stage.hpp"

#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "engine_subject.hpp"

#include <optional>

namespace affix::conformance {

namespace {

using base::ns_per_ms;
using base::ns_per_us;

constexpr std::uint16_t port = 5001;

class VirtualLine final : public certify::Line {
 public:
  explicit VirtualLine(testing::VirtualPeer& peer) : peer_(peer) {}

  void send(std::string_view bytes) override { peer_.send(bytes); }

  std::string take() override {
    std::string bytes;
    for (const std::string& message : peer_.take_messages()) {
      bytes += message;
    }
    return bytes;
  }

  bool ended() override { return peer_.state() != testing::PeerState::Connected; }

  void close() override { peer_.close(); }

 private:
  testing::VirtualPeer& peer_;
};

class VirtualStage final : public Stage {
 public:
  [[nodiscard]] static std::unique_ptr<VirtualStage> make(const Scenario& scenario, Role role,
                                                          const Version& version,
                                                          const Identity& identity,
                                                          std::string& error) {
    std::unique_ptr<VirtualStage> stage(new VirtualStage);
    testing::VirtualNetwork& network = stage->network_;
    network.conditions.delay_ns = ns_per_us;
    stage->node_ = network.add_node();
    if (role == Role::Initiator) {
      // The engine's node is the first of the network, and its only peer the second.
      stage->add_peer();
      if (!stage->peers_.front()->listen(stage->peer_address())) {
        error = "the peer cannot listen";
        return nullptr;
      }
    }
    stage->subject_.emplace(scenario, role, version, identity,
                            role == Role::Acceptor ? "10.0.0.1" : "10.0.0.2", port,
                            [&network, node = stage->node_](const net::ReactorOptions& options) {
                              return network.make_reactor(node, options);
                            });
    stage->role_ = role;
    error = stage->subject_->open();
    network.set_turn(stage->node_, [&subject = *stage->subject_] {
      subject.engine().poll(testing::VirtualNetwork::never_ns);
      subject.engine().prepare_journals();
    });
    return error.empty() ? std::move(stage) : nullptr;
  }

  std::unique_ptr<certify::Line> connect(const Identity& /*identity*/) override {
    if (role_ == Role::Acceptor) {
      add_peer();
      peers_.back()->connect(net::Address::parse("10.0.0.1:" + std::to_string(port)).value());
    }
    testing::VirtualPeer& peer = *peers_.back();
    // An initiator reconnects after a pause.
    constexpr int tries_max = 100;
    for (int tries = 0; tries < tries_max; ++tries) {
      settle();
      if (peer.state() == testing::PeerState::Connected) {
        return std::make_unique<VirtualLine>(peer);
      }
      network_.run(10 * ns_per_ms);
    }
    return nullptr;
  }

  bool await(const std::function<bool()>& wanted, std::int64_t within_ns) override {
    constexpr std::int64_t slices = 100;
    settle();
    for (std::int64_t slice = 0; slice < slices && within_ns != 0 && !wanted(); ++slice) {
      network_.run(within_ns / slices);
    }
    return wanted();
  }

  void settle() override {
    // Many round trips, and far below any timer of a scenario.
    network_.run(100 * ns_per_us);
  }

  void advance(std::int64_t ns) override { network_.run(ns); }

  void step_clock(std::int64_t ns) override { network_.step_utc(node_, ns); }

  std::int64_t utc_ns() const override { return network_.now(node_).utc_ns; }

  std::int64_t steady_ns() const override { return network_.now(node_).steady_ns; }

  Subject* subject() override {
    network_.wake(node_);  // Runs a turn to execute the command.
    return &*subject_;
  }

  std::string restart_engine(bool memory) override {
    network_.wake(node_);
    return subject_->kill(memory);
  }

 private:
  VirtualStage() = default;

  void add_peer() { peers_.push_back(std::make_unique<testing::VirtualPeer>(network_)); }

  [[nodiscard]] static net::Address peer_address() {
    return net::Address::parse("10.0.0.2:" + std::to_string(port)).value();
  }

  testing::VirtualNetwork network_;
  testing::NodeId node_{};
  Role role_ = Role::Acceptor;
  std::vector<std::unique_ptr<testing::VirtualPeer>> peers_;
  std::optional<EngineSubject> subject_;
};

}  // namespace

std::unique_ptr<Stage> make_virtual_stage(const Scenario& scenario, Role role,
                                          const Version& version, const Identity& identity,
                                          std::string& error) {
  return VirtualStage::make(scenario, role, version, identity, error);
}

}  // namespace affix::conformance
