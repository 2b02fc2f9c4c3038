// SPDX-License-Identifier: MIT
// Failover groups: what this node is in each of them, and changes of their primary.
#include "affix/base/time.hpp"
#include "affix/replication/member.hpp"

#include "admin/command_table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::admin {

namespace {

/// Milliseconds with three decimals.
double milliseconds(std::int64_t ns) noexcept {
  const std::int64_t microseconds = ns / base::ns_per_us;
  return static_cast<double>(microseconds) / 1e3;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ",") + name;
  }
  return text;
}

/// One word or sentence about the store.
std::string store_text(const replication::Standing& standing) {
  const std::string state = replication::to_text(standing.store);
  return standing.store_error.message.empty() ? state : state + ": " + standing.store_error.text();
}

std::string why_text(const replication::Standing& standing) {
  return standing.role == replication::Role::Standby ? replication::to_text(standing.why_standby)
                                                     : std::string();
}

std::string output_text(const replication::Standing& standing) {
  return standing.role == replication::Role::Standby ? std::string()
                                                     : replication::to_text(standing.output);
}

/// The connection of one standby: a row of the group for each, and one if there is none.
void add_rows(Answer& answer, const engine::FailoverStanding& group) {
  const replication::Standing& standing = group.standing;
  std::vector<engine::StandbyStanding> standbys = group.standbys;
  if (standbys.empty()) {
    standbys.emplace_back();
  }
  for (const engine::StandbyStanding& standby : standbys) {
    answer.add({group.group, std::string(replication::to_text(standing.role)),
                whole(standing.epoch), standing.primary, joined(standing.in_sync),
                engine::is_alone(standing), output_text(standing), why_text(standing), standby.node,
                standby.connected, standby.in_gate, standby.late, whole(standby.lag_bytes),
                milliseconds(standby.lag_ns), group.node, standing.handing_over_to,
                store_text(standing)});
  }
}

Outcome get_replication(CommandContext& context, const Words& /*words*/) {
  // The control thread may hold the groups while it waits for the disk.
  return context.ask_disk([&engine = context.engine()] {
    Answer answer =
        Answer::table({"group", "role", "epoch", "primary", "in_sync", "alone", "output",
                       "why_standby", "standby", "connected", "in_gate", "late", "lag_bytes",
                       "lag_ms", "node", "handing_over_to", "store"});
    for (const engine::FailoverStanding& group : engine.failover_standings()) {
      add_rows(answer, group);
    }
    return answer;
  });
}

Answer answer_of(const std::expected<replication::WishAnswer, base::Error>& wish,
                 const char* begun) {
  if (!wish) {
    return Answer::refused(wish.error().sentence(), wish.error().message_code);
  }
  if (*wish == replication::WishAnswer::Begun) {
    return Answer::begun(begun, "R303");
  }
  return Answer::refused(replication::to_text(*wish), replication::code_of(*wish));
}

Outcome promote(CommandContext& context, const Words& words) {
  const replication::Loss loss =
      words[1].empty() ? replication::Loss::Refused : replication::Loss::Accepted;
  return context.ask_disk([&engine = context.engine(), group = words[0], loss] {
    return answer_of(engine.promote(group, loss),
                     "this node tries to lead the group: get_replication shows what becomes of it");
  });
}

Outcome demote(CommandContext& context, const Words& words) {
  return context.ask_disk([&engine = context.engine(), group = words[0], node = words[1]] {
    return answer_of(engine.hand_over(group, node),
                     "the group is being handed over: get_replication shows what becomes of it");
  });
}

constexpr ArgumentDescription failover_group_argument{.name = "failover_group",
                                                      .kind = ArgumentKind::FailoverGroup};
constexpr std::array promote_arguments{failover_group_argument,
                                       ArgumentDescription{.name = "--accept-loss",
                                                           .kind = ArgumentKind::Choice,
                                                           .optional = true,
                                                           .choices = "--accept-loss"}};
constexpr std::array demote_arguments{
    failover_group_argument,
    ArgumentDescription{.name = "node", .kind = ArgumentKind::Node, .optional = true}};

constexpr auto failover_rows = in_section(
    "Failover",
    std::array{
        CommandRow{
            {.name = "get_replication",
             .summary =
                 "Show this node's part in each failover group, and how far its standbys are "
                 "behind",
             .detail = "A group that this node leads has a row for each standby. `in_sync` are the "
                       "nodes that may take over, `in_gate`: output waits for this standby, "
                       "`alone`: no other node may take over, `why_standby`: why this node does "
                       "not lead, `store`: the last answer of the election store."},
            &get_replication},
        CommandRow{{.name = "promote",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = promote_arguments,
                    .summary = "Let this node lead a failover group whose primary is gone",
                    .detail = "Refused while the primary lives: ask that one to `demote`. Without "
                              "`--accept-loss` only a node that is in sync can lead; with it, "
                              "messages that only another node has are lost, and their numbers "
                              "may be used again."},
                   &promote},
        CommandRow{{.name = "demote",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = demote_arguments,
                    .summary = "Hand a failover group that this node leads over to another node",
                    .detail = "Without a name to the first standby that is in sync. Nothing is "
                              "lost: the node takes no more input, and the other leads when it "
                              "has everything. If that takes longer than 5 s this node goes on."},
                   &demote},
    });

}  // namespace

std::span<const CommandRow> failover_commands() noexcept {
  return failover_rows;
}

}  // namespace affix::inline v0::admin
