// SPDX-License-Identifier: MIT
// A peer of a cluster: an ordinary engine that knows the addresses of all nodes, and an application
// that sends orders and takes answers.
#pragma once

#include "affix/engine/engine.hpp"

#include "simulation/cluster_node.hpp"
#include "simulation/virtual_disk.hpp"
#include "simulation/wire_record.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace affix::simulation {

class Trader final : public host::Application {
 public:
  Trader(ClusterWorld& world, std::size_t number);
  ~Trader() override;

  void start();
  void kill(std::size_t last_bytes = 0);
  void bury();

  void arm_kill(std::uint32_t points) noexcept { points_left_ = points; }

  bool die_here(std::size_t bytes = 0);

  [[nodiscard]] bool dead() const noexcept { return engine_ != nullptr && dead_; }

  [[nodiscard]] bool alive() const noexcept { return engine_ != nullptr && !dead_; }

  [[nodiscard]] testing::NodeId node() const noexcept { return node_; }

  [[nodiscard]] host::SessionHandle session() const { return engine_->sessions().front(); }

  [[nodiscard]] bool logged_on() const { return alive() && session().logged_on(); }

  [[nodiscard]] WireRecord& wire() noexcept { return wire_; }

  /// Sends up to this many orders, as long as they are accepted.
  void order(std::uint32_t count);

  /// Of all lives.
  [[nodiscard]] std::uint64_t logons() const noexcept { return logons_; }

  // host::Application
  void on_logon(host::SessionHandle /*session*/) noexcept override { ++logons_; }

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;

  void on_turn_end() noexcept override { die_here(); }

  void on_event(const host::Event& event) noexcept override;

 private:
  void turn();
  void note(const std::string& text) const;
  void watch_link(std::string_view event);

  ClusterWorld& world_;
  const std::size_t number_;
  Ledger& ledger_;
  testing::NodeId node_;
  VirtualDisk disk_;
  config::Configuration configuration_;
  WireRecord wire_;
  std::unique_ptr<engine::Engine> engine_;
  std::uint64_t logons_ = 0;
  std::uint64_t link_ = 0;            // Of the connection at hand that a node dialed; 0: none.
  std::uint64_t logged_on_link_ = 0;  // The newest one with a logon.
  std::uint32_t points_left_ = 0;
  bool dead_ = false;
};

}  // namespace affix::simulation
