// SPDX-License-Identifier: MIT
// Decisions derived from a seed in advance: version and options of both sides, kinds and rates of
// faults, amount of trade.
#pragma once

#include "affix/config/configuration.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace affix::simulation {

/// The two parties: acceptor and initiator.
enum class Who : std::uint8_t { Venue, Firm };

[[nodiscard]] constexpr Who other(Who who) noexcept {
  return who == Who::Venue ? Who::Firm : Who::Venue;
}

[[nodiscard]] constexpr const char* to_text(Who who) noexcept {
  return who == Who::Venue ? "venue" : "firm";
}

/// Actions of the simulation between spontaneous events.
enum class Act : std::uint8_t {
  Send,           ///< An application sends some messages.
  Cut,            ///< A connection is reset at some byte.
  Silence,        ///< A connection becomes half-open.
  Corrupt,        ///< A byte in transit is changed.
  Kill,           ///< A process is killed between two turns.
  ArmKill,        ///< It will be killed within a turn, in a callback or a send.
  StepClock,      ///< A wall clock is set.
  Stall,          ///< A process gets no processor time for a while.
  Conditions,     ///< Changes delay, pieces and window of the network.
  RefuseConnect,  ///< Connects are refused, or not answered, or work again.
  Reset,          ///< An application resets the numbers.
  Logout,         ///< An application logs out.
  TestPeer,
  Stranger,    ///< A stranger connects or sends something.
  LoseKeeper,  ///< A keeper ends with what it holds, or is back.
};

inline constexpr std::size_t act_count = 15;

[[nodiscard]] const char* to_text(Act act) noexcept;

struct Plan {
  std::uint64_t seed = 0;
  std::array<std::uint32_t, act_count> weights{};  ///< By Act; 0 = never.
  std::int64_t act_interval_ns = 0;                ///< Mean time between two acts.
  std::uint64_t calm_every = 0;                    ///< Steps between two quiet times.
  std::uint32_t answers_in_thousand = 0;           ///< Rate at which a message is answered by
                                                   ///< another.
  std::uint32_t burst_max = 1;
  std::uint32_t text_bytes_max = 0;
  std::uint32_t command_in_thousand = 0;  ///< Rate at which a callback gives a command.
  std::int64_t reconnect_ms = 0;
  std::int64_t heartbeat_seconds = 0;
  std::int64_t longest_wait_seconds = 0;  ///< Maximum time that the options allow for recovery,
                                          ///< with a margin.
  bool may_lose[2] = {};    ///< By Who: it answers some resend requests with gap fills, so lost
                            ///< messages stay lost.
  bool may_reject = false;  ///< Events are possible that a correct peer answers with a Reject.
  bool may_reset = false;   ///< Numbers may start over.
  bool has_keeper[2] = {};  ///< By Who: its connections outlive its processes.
  /// Rate at which a killed process's successor gets its connections; else they end with it.
  std::uint32_t continues_in_thousand = 0;
  /// There is no fault but kills, and the successors get all connections: so none ends.
  bool gentle = false;
  std::uint32_t tx_buffer_bytes = 0;    ///< Limit of output parked for a peer that does not read.
  std::string profiles[2];              ///< By Who: base of its options.
  config::SessionSettings sessions[2];  ///< By Who.
};

[[nodiscard]] Plan make_plan(std::uint64_t seed);

/// Name, address and journals of a party. The venue has a second session, for a stranger.
[[nodiscard]] config::Configuration configuration_of(const Plan& plan, Who who,
                                                     const std::string& directory);

/// The plan in a few lines, for the head of a trace.
[[nodiscard]] std::string text_of(const Plan& plan);

/// Carried by every message of the firm, so that the venue's application detects an impostor.
inline constexpr std::uint32_t credential_tag = 9'999;
inline constexpr std::string_view credential = "genuine";

}  // namespace affix::simulation
