// SPDX-License-Identifier: MIT
// One of the two sides: an application with a complete real engine, over real journals, that can be
// killed anywhere and restarted.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/testing/virtual_network.hpp"

#include "simulation/adoptions.hpp"
#include "simulation/channel.hpp"
#include "simulation/dice.hpp"
#include "simulation/plan.hpp"
#include "simulation/virtual_disk.hpp"
#include "simulation/wire_record.hpp"
#include "support/held_sockets.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace affix::simulation {

class Party final : public host::Application {
 public:
  Party(const Plan& plan, Who who, const std::string& directory, Dice& dice, Referee& referee,
        testing::VirtualNetwork& network, Channel& outgoing, Channel& incoming);
  ~Party() override;

  /// Opens the engine with the files on the disk.
  void start();

  /// Kills the process at this point. bury() removes it, which cannot be done from inside it. The
  /// kernel has taken `last_bytes` of a send under way. Its connections end, or its successor gets
  /// them.
  void kill(std::size_t last_bytes = 0);
  void bury();

  /// Kills it at the n-th possible point from now on.
  void arm_kill(std::uint32_t points) noexcept { points_left_ = points; }

  /// It is dead, and waits for bury().
  [[nodiscard]] bool dead() const noexcept { return engine_ != nullptr && dead_; }

  [[nodiscard]] bool alive() const noexcept { return engine_ != nullptr && !dead_; }

  [[nodiscard]] host::SessionHandle session() const { return engine_->sessions().front(); }

  /// True if messages sent while disconnected are sent after the next logon.
  [[nodiscard]] bool queues() const noexcept {
    return plan_.sessions[static_cast<int>(who_)].send_while_disconnected ==
           session::SendWhileDown::Queue;
  }

  [[nodiscard]] bool logged_on() const { return alive() && session().logged_on(); }

  [[nodiscard]] testing::NodeId node() const noexcept { return node_; }

  [[nodiscard]] WireRecord& wire() noexcept { return wire_; }

  [[nodiscard]] std::uint64_t lives() const noexcept { return lives_; }

  /// Sends up to this many messages, as long as they are accepted.
  void send(std::uint32_t count);

  /// Resets the numbers.
  void reset(host::SessionHandle session);

  /// A point at which the process may be killed, in a send of `bytes` if that is not 0. True: it
  /// was, and its code must have no further effect.
  bool die_here(std::size_t bytes = 0);

  /// The keeper ends, or is back if it had ended.
  void lose_keeper();

  /// The successor of the process that was killed last gets its connections.
  [[nodiscard]] bool will_continue() { return !held_.connections().empty(); }

  [[nodiscard]] const Adoptions& adoptions() const noexcept { return adoptions_; }

  /// Number of connections that its deaths have ended.
  [[nodiscard]] std::uint64_t breaks() const noexcept { return breaks_; }

  /// The other side; set it before the first turn.
  const Party* peer = nullptr;

  /// Reads its journals from outside: they are valid, and use no number twice.
  void audit();

  /// Quiet: the application takes no action by itself.
  bool quiet = false;

  // host::Application
  [[nodiscard]] host::LogonAnswer on_logon_request(
      host::SessionHandle session, const wire::MessageView& logon) noexcept override;
  void on_logon(host::SessionHandle session) noexcept override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;

  /// At the start on one side, after logon on the other.
  [[nodiscard]] host::Redelivery redelivery(host::SessionHandle session) noexcept override {
    static_cast<void>(session);
    return who_ == Who::Venue ? host::Redelivery::AtStart : host::Redelivery::AfterLogon;
  }

  void on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept override;
  void before_admin_send(host::SessionHandle session, std::string_view type,
                         wire::Encoder& message) noexcept override;
  [[nodiscard]] host::ResendDecision before_resend(
      host::SessionHandle session, const wire::MessageView& stored) noexcept override;
  void on_output_room(host::SessionHandle session) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_turn_end() noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  void turn();
  void judge_continuation(const host::Event& event);
  [[nodiscard]] bool may_refuse(std::string_view reason) const;
  void learn_numbers();
  bool send_one(host::SessionHandle session);
  void give_command(host::SessionHandle session);
  void note(const std::string& text) const;
  void read_business(const wire::MessageView& message, const host::Delivery& delivery);

  const Plan& plan_;
  const Who who_;
  Dice& dice_;
  Referee& referee_;
  testing::VirtualNetwork& network_;
  Channel& outgoing_;
  Channel& incoming_;
  WireRecord wire_;
  testing::NodeId node_;
  VirtualDisk disk_;
  config::Configuration configuration_;
  std::unique_ptr<engine::Engine> engine_;
  support::HeldSockets held_;
  Adoptions adoptions_;
  std::uint64_t breaks_ = 0;
  std::uint64_t breaks_seen_ = 0;  // Of the peer, when the session ended last.
  std::size_t left_ = 0;           // Connections that this process has to continue or to close.
  bool closed_one_ = false;        // A connection that was left, since the last logon.
  bool logs_on_ = false;           // In the turn with the logon.
  bool was_plain_ = false;         // When killed: logged on, with nothing under way but trade.
  std::uint64_t lives_ = 0;
  std::uint64_t next_outgoing_ = 1;  // Last value seen, also by an earlier life.
  std::uint32_t points_left_ = 0;
  bool dead_ = false;
  bool open_ = false;  // Between on_logon() and on_logout().
  bool first_turn_ = false;
  bool commanded_reset_ = false;  // Its event may come after messages with the new numbers.
};

/// The text in message `id` of a party, in every life.
[[nodiscard]] std::string text_of_message(std::uint64_t id, std::uint32_t bytes_max);

}  // namespace affix::simulation
