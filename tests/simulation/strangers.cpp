// SPDX-License-Identifier: MIT
// Sends wrong numbers, wrong order, wrong bytes.
#include "simulation/strangers.hpp"

#include <array>
#include <string_view>

namespace affix::simulation {

using testing::PeerState;
using testing::VirtualPeer;

Strangers::Strangers(const Plan& plan, Dice& dice, Referee& referee,
                     testing::VirtualNetwork& network)
    : dice_(dice),
      referee_(referee),
      version_(plan.sessions[0].begin_string),
      venue_(net::Address::parse("10.0.0.1:5001").value()),
      firm_(network),
      mallory_(network),
      noise_(network),
      venue_peer_(network) {
  for (VirtualPeer* const peer : {&firm_, &mallory_, &noise_}) {
    peer->begin_string = version_;
    peer->target = "VENUE";
  }
  firm_.sender = "FIRM";
  mallory_.sender = "MALLORY";
  noise_.sender = "NOBODY";
  venue_peer_.begin_string = version_;
  venue_peer_.sender = "VENUE";
  venue_peer_.target = "FIRM";
}

void Strangers::note(const char* who, const std::string& what) const {
  if (referee_.tracing()) {
    referee_.note(std::string(who) + ": " + what);
  }
}

void Strangers::act(std::uint64_t expected) {
  switch (dice_.below(6)) {
    case 0:
      impersonate_firm(expected);
      break;
    case 1:
      make_noise();
      break;
    case 2:
      impersonate_venue();
      break;
    default:
      act_as_mallory();
      break;
  }
}

void Strangers::leave() {
  for (VirtualPeer* const peer : {&firm_, &mallory_, &noise_, &venue_peer_}) {
    peer->reads = true;
    peer->close();
    static_cast<void>(peer->take_messages());
  }
  venue_peer_.stop_listening();
}

void Strangers::make_room() {
  venue_peer_.stop_listening();
}

/// True if connected; otherwise begins to connect.
bool Strangers::ready(VirtualPeer& peer) {
  switch (peer.state()) {
    case PeerState::Connected:
      return true;
    case PeerState::Connecting:
      return false;
    default:
      peer.connect(venue_);
      return false;
  }
}

std::string Strangers::garbage() {
  std::string bytes;
  const std::size_t size = 1 + dice_.below(200);
  while (bytes.size() < size) {
    bytes += dice_.chance(100) ? std::string(
                                     "8=FIX.4.4\x01"
                                     "9=10\x01")
                               : std::string(1, static_cast<char>(dice_.below(256)));
  }
  return bytes;
}

std::string Strangers::logon_fields() {
  std::string fields = "98=0|108=" + std::to_string(dice_.pick({0, 1, 30, 5'000}));
  fields += dice_.chance(200) ? "|141=Y" : "";
  fields += dice_.chance(200) ? "|789=" + std::to_string(dice_.below(20)) : "";
  fields += version_ == "FIXT.1.1" ? "|1137=9" : "";
  return fields;
}

void Strangers::impersonate_firm(std::uint64_t expected) {
  if (!ready(firm_)) {
    return;
  }
  const std::uint64_t number = dice_.pick({expected, expected, std::uint64_t{1}, expected + 5});
  switch (dice_.below(5)) {
    case 0:
      note("false firm", "sends an order first");
      firm_.send(firm_.message("D", "11=1|58=stolen", number));
      break;
    case 1:
      note("false firm", "sends garbage");
      firm_.send(garbage());
      break;
    case 2:
      note("false firm", "goes");
      firm_.close();
      break;
    default:
      note("false firm", "sends a Logon with number " + std::to_string(number));
      firm_.send(firm_.message("A", logon_fields(), number));
      break;
  }
  static_cast<void>(firm_.take_messages());
}

void Strangers::make_noise() {
  if (!ready(noise_)) {
    return;
  }
  if (dice_.chance(200)) {
    noise_.reset();
  } else if (dice_.chance(500)) {
    noise_.send(garbage());
  } else {
    noise_.say("A", logon_fields());
  }
  static_cast<void>(noise_.take_messages());
}

/// Listens at the venue's address while the venue is down. Never sends anything that the firm would
/// accept.
void Strangers::impersonate_venue() {
  if (venue_peer_.state() != PeerState::Connected) {
    venue_peer_.close();
    if (venue_peer_.listen(venue_)) {
      note("false venue", "listens");
    }
    return;
  }
  switch (dice_.below(4)) {
    case 0:
      venue_peer_.send(garbage());
      break;
    case 1:
      note("false venue", "sends an order first");
      venue_peer_.send(venue_peer_.message("D", "11=1|58=stolen", 1));
      break;
    case 2:
      note("false venue", "refuses");
      venue_peer_.send(venue_peer_.message("5", "58=go away", 1));
      break;
    default:
      venue_peer_.close();
      venue_peer_.stop_listening();
      break;
  }
  static_cast<void>(venue_peer_.take_messages());
}

void Strangers::act_as_mallory() {
  if (!ready(mallory_)) {
    return;
  }
  switch (dice_.below(12)) {
    case 0:
      mallory_.send(garbage());
      break;
    case 1:
      mallory_.reset();
      break;
    case 2:
      mallory_.close();
      break;
    case 3:
      mallory_.reads = !mallory_.reads;
      break;
    case 4: {
      std::string message = mallory_.message("D", "11=2|58=corrupt", 0);
      message[dice_.below(message.size())] ^= 4;
      mallory_.send(message);
      break;
    }
    default:
      say_as_mallory();
      break;
  }
  static_cast<void>(mallory_.take_messages());
}

void Strangers::say_as_mallory() {
  static constexpr std::array<std::string_view, 9> types{"A", "A", "0", "1", "2",
                                                         "2", "4", "5", "D"};
  const std::string_view type = types[dice_.below(types.size())];
  std::string fields = dice_.chance(100) ? "43=Y|122=20260105-09:00:00|" : "";
  if (type == "A") {
    fields += logon_fields();
  } else if (type == "1") {
    fields += "112=" + std::string(1 + dice_.below(1'000), 'x');
  } else if (type == "2") {
    fields += "7=" + std::to_string(dice_.below(40)) + "|16=" + std::to_string(dice_.below(40));
  } else if (type == "4") {
    fields += (dice_.chance(500) ? "123=Y|36=" : "36=") + std::to_string(dice_.below(60));
  } else if (type == "D") {
    fields += "11=7|58=" + std::string(1 + dice_.below(3'000), 'y');
  }
  // Usually the next number; otherwise a past or future one.
  const std::uint64_t number =
      dice_.chance(800) ? 0 : 1 + dice_.below(mallory_.next_sequence + dice_.below(20));
  mallory_.send(mallory_.message(type, fields, number));
  if (dice_.chance(50)) {
    mallory_.next_sequence = 1 + dice_.below(2 * mallory_.next_sequence);
  }
}

}  // namespace affix::simulation
