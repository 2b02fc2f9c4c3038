// SPDX-License-Identifier: MIT
// Random options and rates. Every kind of fault is omitted for half of the seeds: faults hidden by
// a frequent one appear without it.
#include "simulation/plan.hpp"

#include "affix/config/words.hpp"

#include "simulation/dice.hpp"

#include <algorithm>

namespace affix::simulation {

namespace {

constexpr std::string_view venue_address = "10.0.0.1";
constexpr std::int64_t venue_port = 5'001;
constexpr std::int64_t outbox_bytes = 32 * 1024;

void choose_session(Dice& dice, Plan& plan, Who who) {
  config::SessionSettings& session = plan.sessions[static_cast<int>(who)];
  // The choices below override it.
  plan.profiles[static_cast<int>(who)] =
      dice.pick({"standard", "standard", "standard", "quickfix", "cme", "24x7"});
  session = config::settings_of_profile(plan.profiles[static_cast<int>(who)]).value();
  session.sender_comp_id = who == Who::Venue ? "VENUE" : "FIRM";
  session.target_comp_id = who == Who::Venue ? "FIRM" : "VENUE";
  session.name = session.target_comp_id;
  session.heartbeat_interval_seconds = plan.heartbeat_seconds;
  session.heartbeat_interval_seconds_min = 1;
  session.heartbeat_interval_seconds_max = 30;
  session.logon_include_next_expected_seq_no = dice.chance(400);
  session.include_last_processed_seqnum_in_header = dice.chance(300);
  session.timestamp_subseconds_precision =
      dice.pick({wire::TimePrecision::Nanos, wire::TimePrecision::Micros,
                 wire::TimePrecision::Millis, wire::TimePrecision::Seconds});
  session.receive_grace_percent = dice.pick({10, 20, 50});
  session.test_answer =
      dice.pick({session::TestAnswer::AnyMessage, session::TestAnswer::MatchingHeartbeat});
  session.fault_logout =
      dice.pick({session::FaultLogout::AwaitAnswer, session::FaultLogout::CloseAtOnce});
  session.refused_logon_number = dice.pick(
      {session::RefusalNumber::Keep, session::RefusalNumber::Keep, session::RefusalNumber::Take});
  session.logon_timeout_seconds = dice.between(1, 5);
  session.logout_timeout_seconds = dice.between(1, 5);
  session.output_timeout_seconds = dice.between(2, 10);
  session.max_resend_range = dice.pick({0, 1, 3, 50, 10'000});
  session.resend_request_end = dice.pick({session::ResendEnd::Infinity, session::ResendEnd::Gap});
  session.resend_attempts_max = dice.between(1, 4);
  session.include_t97_during_resends = dice.chance(200);
  session.outgoing_resend_request_expire_in_secs = dice.pick({1, 3, 10});
  session.max_message_bytes = 4'096;
  session.max_serialised_file_size = dice.pick({64 * 1024, 128 * 1024, 1024 * 1024});
  session.sequence_reserve = 0;  // No power is lost here, and a flush costs more than a step.
  session.skipped_in_resend =
      dice.pick({session::SkippedInResend::AskAgain, session::SkippedInResend::AwaitExpiry});
  session.resend_repeats_max = dice.pick({0, 8, 32});
  session.second_logon = dice.pick({config::SecondLogon::Refuse, config::SecondLogon::Probe});
  session.second_logon_probe_milliseconds = dice.pick({10, 2'000});
  session.reset_start = dice.pick({session::ResetStart::AtOnce, session::ResetStart::InSync});
  session.mid_session_reset =
      dice.pick({session::MidSessionReset::Accept, session::MidSessionReset::AcceptInSync});
  session.daily_reset_utc = dice.chance(60) ? "09:00:20" : "";
  const bool gap_fills_only = dice.chance(40);
  session.replay_messages_on_incoming_resend_request = !gap_fills_only;
  if (dice.chance(40)) {
    session.resend_policy = dice.pick({"8:GAP_FILL", "*:YOUNGER_THAN_1s,D:REPLAY"});
  }
  plan.may_lose[static_cast<int>(who)] = gap_fills_only || !session.resend_policy.empty();
}

/// Options that reset at every session's begin or end would lose queued messages: the engine
/// refuses them.
void choose_queues(Dice& dice, Plan& plan) {
  for (const Who who : {Who::Venue, Who::Firm}) {
    config::SessionSettings& session = plan.sessions[static_cast<int>(who)];
    const bool resets_at_once =
        !session.daily_reset_utc.empty() && session.reset_start == session::ResetStart::AtOnce;
    const bool loses = plan.may_lose[static_cast<int>(who)] || session.reset_on_disconnect ||
                       session.reset_on_logout || session.logon_reset_sequence_numbers ||
                       resets_at_once;
    session.send_while_disconnected =
        loses ? session::SendWhileDown::Refuse
              : dice.pick({session::SendWhileDown::Refuse, session::SendWhileDown::Refuse,
                           session::SendWhileDown::Queue});
    session.send_queue_max = dice.pick({3, 1'000});
  }
}

/// Options that have no effect unless both sides have them.
void choose_resets(Dice& dice, Plan& plan) {
  const bool by_logon = dice.chance(100);
  const bool by_logout = by_logon && dice.chance(300);
  const bool by_disconnect = dice.chance(60);
  plan.sessions[static_cast<int>(Who::Firm)].logon_reset_sequence_numbers = by_logon;
  for (config::SessionSettings& session : plan.sessions) {
    session.reset_on_logout = by_logout;
    session.reset_on_disconnect = by_disconnect;
  }
}

void choose_acts(Dice& dice, Plan& plan) {
  const auto set = [&](Act act, std::uint32_t weight) {
    plan.weights[static_cast<std::size_t>(act)] = weight;
  };
  // From a rare fault during much trade to almost only faults.
  const std::uint32_t harshness = dice.pick({1U, 3U, 10U});
  const auto sometimes = [&](Act act, std::uint32_t most) {
    set(act, dice.chance(500) ? harshness * (1 + static_cast<std::uint32_t>(dice.below(most))) : 0);
  };
  set(Act::Send, 100 + static_cast<std::uint32_t>(dice.below(100)));
  sometimes(Act::Cut, 20);
  sometimes(Act::Silence, 8);
  sometimes(Act::Corrupt, 15);
  sometimes(Act::Kill, 6);
  sometimes(Act::ArmKill, 10);
  sometimes(Act::StepClock, 6);
  sometimes(Act::Stall, 8);
  sometimes(Act::Conditions, 10);
  sometimes(Act::RefuseConnect, 5);
  sometimes(Act::Reset, 8);
  sometimes(Act::Logout, 8);
  sometimes(Act::TestPeer, 10);
  sometimes(Act::Stranger, 40);
  sometimes(Act::LoseKeeper, 4);
}

/// Nothing but trade, kills and successors that go on.
void make_gentle(Dice& dice, Plan& plan) {
  const std::uint32_t send = plan.weights[static_cast<std::size_t>(Act::Send)];
  const std::uint32_t test = plan.weights[static_cast<std::size_t>(Act::TestPeer)];
  plan.weights = {};
  const auto set = [&](Act act, std::uint32_t weight) {
    plan.weights[static_cast<std::size_t>(act)] = weight;
  };
  set(Act::Send, send);
  set(Act::TestPeer, test);
  set(Act::Kill, 1 + static_cast<std::uint32_t>(dice.below(20)));
  set(Act::ArmKill, 1 + static_cast<std::uint32_t>(dice.below(40)));
  set(Act::Conditions, static_cast<std::uint32_t>(dice.below(10)));
  plan.gentle = true;
  plan.has_keeper[0] = plan.has_keeper[1] = true;
  plan.continues_in_thousand = 1'000;
  plan.command_in_thousand = 0;
  // The peers' waits must not time out while a successor is about to start.
  plan.heartbeat_seconds = dice.pick({5, 30});
  plan.act_interval_ns = dice.pick<std::int64_t>({20'000'000, 300'000'000, 4'000'000'000});
  plan.burst_max = dice.pick({1U, 5U});
  for (config::SessionSettings& session : plan.sessions) {
    session.heartbeat_interval_seconds = plan.heartbeat_seconds;
    session.daily_reset_utc.clear();
    session.reset_on_logout = session.reset_on_disconnect = false;
    session.logon_reset_sequence_numbers = false;
    session.output_timeout_seconds = 10;
    // A killed process may have read the TestRequest, and a resend only fills its number.
    session.test_answer = session::TestAnswer::AnyMessage;
    // The same with a ResendRequest: its sender asks again.
    session.resend_attempts_max = std::max<std::int64_t>(session.resend_attempts_max, 3);
  }
}

}  // namespace

const char* to_text(Act act) noexcept {
  constexpr const char* names[act_count] = {
      "send",     "cut",        "silence",   "corrupt",    "kill",
      "arm kill", "step clock", "stall",     "conditions", "refuse connect",
      "reset",    "logout",     "test peer", "stranger",   "lose keeper"};
  return names[static_cast<std::size_t>(act)];
}

Plan make_plan(std::uint64_t seed) {
  Dice dice(seed);
  Plan plan;
  plan.seed = seed;
  plan.heartbeat_seconds = dice.pick({1, 5, 30});
  choose_session(dice, plan, Who::Venue);
  choose_session(dice, plan, Who::Firm);
  const std::string version = dice.pick({"FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.2", "FIX.4.3",
                                         "FIX.4.4", "FIX.4.4", "FIX.4.4", "FIXT.1.1", "FIXT.1.1"});
  for (config::SessionSettings& session : plan.sessions) {
    session.begin_string = version;
    session.default_app_ver_id = version == "FIXT.1.1" ? "9" : "";
  }
  plan.sessions[static_cast<int>(Who::Firm)].additional_static_header_tags =
      std::to_string(credential_tag) + "=" + std::string(credential);
  choose_resets(dice, plan);
  choose_acts(dice, plan);
  for (bool& has : plan.has_keeper) {
    has = dice.chance(600);
  }
  plan.continues_in_thousand = dice.pick({300U, 900U, 1'000U});
  if (version == "FIX.4.0") {
    plan.sessions[0].daily_reset_utc = plan.sessions[1].daily_reset_utc = "";
    // There is no ResetSeqNumFlag: both sides need a command, and none can request a reset during a
    // session.
    plan.weights[static_cast<std::size_t>(Act::Reset)] = 0;
    plan.sessions[0].logon_reset_sequence_numbers = plan.sessions[1].logon_reset_sequence_numbers;
  }
  for (const Who who : {Who::Venue, Who::Firm}) {
    // QuickFIX lets a Reject ahead of a gap consume the number of a missing message.
    plan.may_lose[static_cast<int>(other(who))] |=
        plan.profiles[static_cast<int>(who)] == "quickfix";
  }
  choose_queues(dice, plan);
  plan.tx_buffer_bytes = dice.pick({64U * 1024, 1024U * 1024});
  plan.act_interval_ns = dice.pick<std::int64_t>({500'000, 20'000'000, 300'000'000, 4'000'000'000});
  plan.calm_every = static_cast<std::uint64_t>(dice.pick({300, 1'000, 3'000}));
  plan.answers_in_thousand = dice.pick({0U, 100U, 500U});
  plan.burst_max = dice.pick({1U, 5U, 40U});
  plan.text_bytes_max = dice.pick({20U, 200U, 1'500U});
  plan.command_in_thousand = dice.pick({0U, 0U, 10U});
  plan.reconnect_ms = dice.pick({1, 10, 100});
  if (dice.chance(250)) {
    make_gentle(dice, plan);
  }
  plan.may_reset =
      plan.weights[static_cast<std::size_t>(Act::Reset)] != 0 || plan.command_in_thousand != 0;
  for (const config::SessionSettings& session : plan.sessions) {
    plan.may_reset = plan.may_reset || session.reset_on_disconnect || session.reset_on_logout ||
                     session.logon_reset_sequence_numbers || !session.daily_reset_utc.empty();
    plan.may_reject = plan.may_reject || session.profile == config::Profile::Quickfix;
  }
  // A SendingTime far off; a ResendRequest for numbers that have started over since.
  plan.may_reject = plan.may_reject || plan.may_reset ||
                    plan.weights[static_cast<std::size_t>(Act::StepClock)] != 0;
  for (const config::SessionSettings& session : plan.sessions) {
    const std::int64_t wait =
        session.logon_timeout_seconds + session.logout_timeout_seconds + 20 +
        2 * session.output_timeout_seconds +
        (session.resend_attempts_max + 2) * session.outgoing_resend_request_expire_in_secs;
    plan.longest_wait_seconds = std::max(plan.longest_wait_seconds, wait);
  }
  plan.longest_wait_seconds = 4 * (plan.longest_wait_seconds + 4 * plan.heartbeat_seconds);
  return plan;
}

config::Configuration configuration_of(const Plan& plan, Who who, const std::string& directory) {
  config::Configuration configuration;
  config::SessionSettings session = plan.sessions[static_cast<int>(who)];
  session.journal_path = directory + "/" + to_text(who);
  if (who == Who::Venue) {
    config::ServerSettings server;
    server.name = "SERVER";
    server.nic_address = venue_address;
    server.accept_port = venue_port;
    server.max_connections_before_logon = 4;
    server.tx_encode_buffer_capacity = outbox_bytes;
    server.rx_buffer_capacity = outbox_bytes;
    configuration.servers.push_back(server);
    session.instance = server.name;
    configuration.sessions.push_back(session);
    session.name = session.target_comp_id = "MALLORY";
    session.reset_on_disconnect = false;
    session.logon_reset_sequence_numbers = false;
    configuration.sessions.push_back(session);
    return configuration;
  }
  config::ClientSettings client;
  client.name = "CLIENT";
  client.primary_address = venue_address;
  client.primary_port = venue_port;
  client.connect_timeout_milliseconds = 2'000;
  client.reconnect_milliseconds = plan.reconnect_ms;
  client.reconnect_milliseconds_max = 2'000;
  client.tx_encode_buffer_capacity = outbox_bytes;
  client.rx_buffer_capacity = outbox_bytes;
  configuration.clients.push_back(client);
  session.instance = client.name;
  configuration.sessions.push_back(session);
  return configuration;
}

std::string text_of(const Plan& plan) {
  std::string text = "seed " + std::to_string(plan.seed) + ": " + plan.sessions[0].begin_string +
                     ", heartbeat " + std::to_string(plan.heartbeat_seconds) + " s, an act every " +
                     std::to_string(plan.act_interval_ns / 1'000) + " us\n";
  for (const Who who : {Who::Venue, Who::Firm}) {
    const config::SessionSettings& session = plan.sessions[static_cast<int>(who)];
    const auto word = [&session](std::string_view key) { return config::value_of(session, key); };
    text += "  " + std::string(to_text(who)) + ": " + plan.profiles[static_cast<int>(who)] +
            ", 789=" + (session.logon_include_next_expected_seq_no ? "yes" : "no") +
            ", resends of " + std::to_string(session.max_resend_range) + " to " +
            word("resend_request_end") + ", attempts " +
            std::to_string(session.resend_attempts_max) +
            (session.replay_messages_on_incoming_resend_request ? "" : ", gap fills only") +
            (session.resend_policy.empty() ? "" : ", resends " + session.resend_policy) +
            ", second Logon " + word("second_logon") + ", resets " + word("reset_start") + "/" +
            word("mid_session_reset") + ", down " + word("send_while_disconnected") +
            (session.daily_reset_utc.empty() ? "" : ", daily reset") +
            (session.logon_reset_sequence_numbers ? ", reset on logon" : "") +
            (session.reset_on_logout ? ", reset on logout" : "") +
            (session.reset_on_disconnect ? ", reset on disconnect" : "") +
            ", refused Logon's number: " + word("refused_logon_number") + ", " +
            word("fault_logout") + ", " + word("test_answer") + "\n";
  }
  if (plan.has_keeper[0] || plan.has_keeper[1]) {
    text += std::string("  keepers:") + (plan.has_keeper[0] ? " venue" : "") +
            (plan.has_keeper[1] ? " firm" : "") + ", successors continue in " +
            std::to_string(plan.continues_in_thousand) + " of 1000 cases" +
            (plan.gentle ? ", no other fault" : "") + "\n";
  }
  text += "  acts:";
  for (std::size_t act = 0; act < act_count; ++act) {
    if (plan.weights[act] != 0) {
      text += " " + std::string(to_text(static_cast<Act>(act))) + "=" +
              std::to_string(plan.weights[act]);
    }
  }
  return text + "\n";
}

}  // namespace affix::simulation
