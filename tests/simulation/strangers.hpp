// SPDX-License-Identifier: MIT
// All others on the network: an impostor of the firm, a counterparty of the venue that follows no
// rule, an impostor of the venue, and noise. They must not affect the two parties.
#pragma once

#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "simulation/dice.hpp"
#include "simulation/plan.hpp"
#include "simulation/referee.hpp"

#include <cstdint>
#include <string>

namespace affix::simulation {

class Strangers {
 public:
  Strangers(const Plan& plan, Dice& dice, Referee& referee, testing::VirtualNetwork& network);

  /// One of them acts. `expected` is the number that the venue expects from the firm.
  void act(std::uint64_t expected);

  /// The venue is about to return, so the impostor stops listening in its place.
  void make_room();

  /// All of them leave.
  void leave();

 private:
  void impersonate_firm(std::uint64_t expected);
  void act_as_mallory();
  void say_as_mallory();
  void impersonate_venue();
  void make_noise();
  [[nodiscard]] bool ready(testing::VirtualPeer& peer);
  [[nodiscard]] std::string garbage();
  [[nodiscard]] std::string logon_fields();
  void note(const char* who, const std::string& what) const;

  Dice& dice_;
  Referee& referee_;
  std::string version_;
  net::Address venue_;
  testing::VirtualPeer firm_;
  testing::VirtualPeer mallory_;
  testing::VirtualPeer noise_;
  testing::VirtualPeer venue_peer_;
};

}  // namespace affix::simulation
