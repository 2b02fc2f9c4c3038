// SPDX-License-Identifier: MIT
// One of the two sides: an application with a whole real engine below it, over real journals, that
// can be killed anywhere and started again.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/testing/virtual_network.hpp"

#include "simulation/channel.hpp"
#include "simulation/dice.hpp"
#include "simulation/plan.hpp"
#include "simulation/wire_record.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace affix::simulation {

class Party final : public engine::Application {
 public:
  Party(const Plan& plan, Who who, const std::string& directory, Dice& dice, Referee& referee,
        testing::VirtualNetwork& network, Channel& outgoing, Channel& incoming);
  ~Party() override;

  /// Opens the engine over what is on the disk.
  void start();

  /// The process dies where it is. bury() removes it, which cannot be done from inside it.
  void kill();
  void bury();

  /// It dies at the n-th point where it can from now on.
  void arm_kill(std::uint32_t points) noexcept { points_left_ = points; }

  /// It has died, and waits for bury().
  [[nodiscard]] bool dead() const noexcept { return engine_ != nullptr && dead_; }

  [[nodiscard]] bool alive() const noexcept { return engine_ != nullptr && !dead_; }

  [[nodiscard]] engine::SessionHandle session() const { return engine_->sessions().front(); }

  /// What it sends while disconnected is sent after the next logon.
  [[nodiscard]] bool queues() const noexcept {
    return plan_.sessions[static_cast<int>(who_)].send_while_disconnected == "QUEUE";
  }

  [[nodiscard]] bool logged_on() const { return alive() && session().logged_on(); }

  [[nodiscard]] testing::NodeId node() const noexcept { return node_; }

  [[nodiscard]] WireRecord& wire() noexcept { return wire_; }

  [[nodiscard]] std::uint64_t lives() const noexcept { return lives_; }

  /// So many messages, if they are taken.
  void send(std::uint32_t count);

  /// Somewhere the process may die. True: it has, and its code is to have no effect any more.
  bool die_here();

  /// Reads its journals from outside: whole, and no number given twice.
  void audit();

  /// Quiet: the application does nothing of its own accord.
  bool quiet = false;

  // engine::Application
  [[nodiscard]] engine::LogonAnswer on_logon_request(
      engine::SessionHandle session, const wire::MessageView& logon) noexcept override;
  void on_logon(engine::SessionHandle session) noexcept override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;

  /// One side at the start, the other after its logon.
  [[nodiscard]] engine::Redelivery redelivery(engine::SessionHandle session) noexcept override {
    static_cast<void>(session);
    return who_ == Who::Venue ? engine::Redelivery::AtStart : engine::Redelivery::AfterLogon;
  }

  void on_output_room(engine::SessionHandle session) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;
  void on_turn_end() noexcept override;
  void on_event(const engine::Event& event) noexcept override;

 private:
  void turn();
  void learn_numbers();
  bool send_one(engine::SessionHandle session);
  void give_command(engine::SessionHandle session);
  void note(const std::string& text) const;
  void read_business(const wire::MessageView& message, const engine::Delivery& delivery);

  const Plan& plan_;
  const Who who_;
  engine::Configuration configuration_;
  Dice& dice_;
  Referee& referee_;
  testing::VirtualNetwork& network_;
  Channel& outgoing_;
  Channel& incoming_;
  WireRecord wire_;
  testing::NodeId node_;
  std::unique_ptr<engine::Engine> engine_;
  std::uint64_t lives_ = 0;
  std::uint64_t next_outgoing_ = 1;  // As last seen, also by the life before.
  std::uint32_t points_left_ = 0;
  bool dead_ = false;
  bool open_ = false;  // Between on_logon() and on_logout().
  bool first_turn_ = false;
};

/// The text that message `id` of a party carries, in every life.
[[nodiscard]] std::string text_of_message(std::uint64_t id, std::uint32_t bytes_max);

}  // namespace affix::simulation
