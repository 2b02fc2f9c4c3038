// SPDX-License-Identifier: MIT
// What one seed decides before anything happens: version and options of both sides, which faults
// there will be and how often, how much is traded.
#pragma once

#include "affix/engine/configuration.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix::simulation {

/// The two parties: who accepts and who connects.
enum class Who : std::uint8_t { Venue, Firm };

[[nodiscard]] constexpr Who other(Who who) noexcept {
  return who == Who::Venue ? Who::Firm : Who::Venue;
}

[[nodiscard]] constexpr const char* to_text(Who who) noexcept {
  return who == Who::Venue ? "venue" : "firm";
}

/// What is done to the world between two things that happen by themselves.
enum class Act : std::uint8_t {
  Send,           ///< An application sends some messages.
  Cut,            ///< A connection is reset at some byte.
  Silence,        ///< A connection becomes half-open.
  Corrupt,        ///< A byte on its way is changed.
  Kill,           ///< A process is killed between two turns.
  ArmKill,        ///< It will be killed in the middle of a turn, in a callback or a send.
  StepClock,      ///< A wall clock is set.
  Stall,          ///< A process is not scheduled for a while.
  Conditions,     ///< Delay, pieces and window of the network change.
  RefuseConnect,  ///< Connects are refused, or not answered, or all is well again.
  Reset,          ///< An application resets the numbers.
  Logout,         ///< An application logs out.
  TestPeer,
  Stranger,  ///< Somebody else connects or says something.
};

inline constexpr std::size_t act_count = 14;

[[nodiscard]] const char* to_text(Act act) noexcept;

struct Plan {
  std::uint64_t seed = 0;
  std::array<std::uint32_t, act_count> weights{};  ///< By Act; 0 = never.
  std::int64_t act_interval_ns = 0;                ///< Mean time between two acts.
  std::uint64_t calm_every = 0;                    ///< Steps between two quiet times.
  std::uint32_t answers_in_thousand = 0;           ///< How often a message is answered by another.
  std::uint32_t burst_max = 1;
  std::uint32_t text_bytes_max = 0;
  std::uint32_t command_in_thousand = 0;  ///< How often a callback gives a command.
  std::int64_t reconnect_ms = 0;
  std::int64_t heartbeat_seconds = 0;
  std::int64_t longest_wait_seconds = 0;  ///< What the options allow recovery to take, generously.
  bool may_lose[2] = {};    ///< By Who: it answers some resend requests with gap fills, so what was
                            ///< lost stays lost.
  bool may_reject = false;  ///< Something can happen that a correct peer answers with a Reject.
  std::uint32_t tx_buffer_bytes = 0;    ///< What is parked for a peer that does not read.
  std::string profiles[2];              ///< By Who: what its options start from.
  engine::SessionSettings sessions[2];  ///< By Who.
};

[[nodiscard]] Plan make_plan(std::uint64_t seed);

/// Name, address and journals of a party. The venue has a second session, for a stranger.
[[nodiscard]] engine::Configuration configuration_of(const Plan& plan, Who who,
                                                     const std::string& directory);

/// The plan in some lines, for the head of a trace.
[[nodiscard]] std::string text_of(const Plan& plan);

/// Carried by every message of the firm's, so that the venue's application knows an impostor.
inline constexpr std::uint32_t credential_tag = 9'999;
inline constexpr std::string_view credential = "genuine";

}  // namespace affix::simulation
