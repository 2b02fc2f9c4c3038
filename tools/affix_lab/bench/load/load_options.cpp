// SPDX-License-Identifier: MIT
// Checks a run's options, and names its sessions.
#include "bench/load/load_options.hpp"

#include <bit>
#include <sstream>

namespace affix::inline v0::tools::bench {

namespace {

constexpr std::uint32_t sessions_max = 100'000;
constexpr std::uint32_t window_max = 1U << 20;

struct Rule {
  bool met;
  const char* option;
  const char* text;
};

}  // namespace

std::vector<std::string> targets_of(const LoadOptions& options) {
  std::vector<std::string> targets;
  std::istringstream places(options.target);
  for (std::string place; std::getline(places, place, ',');) {
    targets.push_back(place);
  }
  return targets;
}

std::string numbered(const std::string& pattern, std::uint64_t number) {
  const std::size_t place = pattern.find("{}");
  return place == std::string::npos
             ? pattern
             : pattern.substr(0, place) + std::to_string(number) + pattern.substr(place + 2);
}

LoadIdentity identity_of(const LoadOptions& options, std::uint64_t number) {
  LoadIdentity identity = options.identity;
  for (std::string* text : {&identity.sender_comp_id, &identity.target_comp_id, &identity.username,
                            &identity.password}) {
    *text = numbered(*text, number);
  }
  return identity;
}

std::expected<void, base::Error> check(const LoadOptions& options) {
  const std::uint32_t sessions = options.sessions + options.hostile.sessions();
  const bool distinct = options.identity.sender_comp_id.find("{}") != std::string::npos ||
                        options.identity.target_comp_id.find("{}") != std::string::npos;
  const LoadSessionOptions& session = options.session;
  const std::size_t targets = targets_of(options).size();
  const Rule rules[] = {
      {targets >= 1, "--target", "HOST:PORT"},
      {targets == 1 || (!session.raw && options.storm_rate == 0 && options.hostile.total() == 0),
       "--target", "several are for sessions, without a storm and hostile peers"},
      {options.silence_seconds > 0, "--silence-milliseconds", "more than 0"},
      {options.sessions >= 1 && sessions <= sessions_max && options.hostile.total() <= sessions_max,
       "--sessions", "1 to 100000, hostile peers included"},
      {session.raw || sessions == 1 || distinct, "--sender",
       "several sessions need `{}` in --sender or --target-comp-id, for their numbers"},
      {std::has_single_bit(session.window) && session.window <= window_max, "--window",
       "a power of two up to 1048576"},
      {options.per_write >= 1 && options.per_write <= session.window, "--per-write",
       "1 to the window"},
      {options.rate >= 0 && options.rate <= 1e9, "--rate", "0 (no pace) to 1000000000 a second"},
      {options.messages != 0 || options.seconds > 0, "--messages",
       "how many, or --seconds, how long"},
      {options.seconds >= 0 && options.seconds <= 1e7, "--seconds", "0 to 10000000"},
      {options.rounds >= 1 && options.rounds <= 10'000, "--rounds", "1 to 10000"},
      {options.storm_rate >= 0 && options.storm_rate <= 1e6, "--reconnect-storm",
       "0 to 1000000 a second"},
      {options.hostile.resending == 0 || options.resend_messages >= 1, "--resend-messages",
       "1 or more"},
      {!session.raw || (options.storm_rate == 0 && options.hostile.total() == 0), "--raw",
       "has no sessions that could be resumed: no storm, no hostile peers"},
      {options.logon_timeout_seconds > 0 && options.answer_timeout_seconds > 0, "--logon-timeout",
       "and --answer-timeout are more than 0 seconds"},
      {session.next_sender_seq >= 1 && session.next_target_seq >= 1, "--next-sender-seq",
       "and --next-target-seq are 1 or more"},
      {options.identity.heartbeat_seconds >= 0 && options.identity.heartbeat_seconds <= 86'400,
       "--heartbeat", "0 to 86400 seconds"},
  };
  for (const Rule& rule : rules) {
    if (!rule.met) {
      return std::unexpected(
          base::Error{base::ErrorCode::InvalidArgument, rule.text, rule.option, "L102"});
    }
  }
  return {};
}

}  // namespace affix::inline v0::tools::bench
