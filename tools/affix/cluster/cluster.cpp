// SPDX-License-Identifier: MIT
// Puts the answers of several nodes together.
#include "cluster/cluster.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace affix::inline v0::tools::cluster {

namespace {

using Json = nlohmann::ordered_json;

/// A member of a JSON object; a default if it is missing or of another type, since the port may be
/// of another version.
template <typename T>
T member(const Json& object, const char* name, T otherwise = {}) {
  const auto found = object.find(name);
  if (found == object.end()) {
    return otherwise;
  }
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() ? found->get<std::string>() : otherwise;
  } else if constexpr (std::is_same_v<T, bool>) {
    return found->is_boolean() ? found->get<bool>() : otherwise;
  } else {
    return found->is_number() ? found->get<T>() : otherwise;
  }
}

std::string lag_text(const Json& row) {
  if (!member<bool>(row, "connected")) {
    return "not connected";
  }
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%llu bytes, %.1f ms%s%s",
                static_cast<unsigned long long>(member<std::uint64_t>(row, "lag_bytes")),
                member<double>(row, "lag_ms"),
                member<bool>(row, "in_gate") ? "" : ", not waited for",
                member<bool>(row, "late") ? ", late" : "");
  return text.data();
}

/// Lags by group and standby, as the primary of the highest epoch sees them.
using Lags = std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, std::string>>;

void take_row(const std::string& address, const Json& row, ClusterView& view, Lags& lags) {
  MemberView seen;
  seen.node = member<std::string>(row, "node");
  seen.address = address;
  seen.group = member<std::string>(row, "group");
  seen.role = member<std::string>(row, "role");
  seen.primary = member<std::string>(row, "primary");
  seen.in_sync = member<std::string>(row, "in_sync");
  seen.epoch = member<std::uint64_t>(row, "epoch");
  seen.alone = member<bool>(row, "alone");
  seen.note = member<std::string>(row, "why_standby");
  if (seen.note.empty()) {
    seen.note = "output " + member<std::string>(row, "output");
  }
  seen.store = member<std::string>(row, "store");
  const std::string standby = member<std::string>(row, "standby");
  if (seen.leads() && !standby.empty()) {
    auto& [epoch, lag] = lags[{seen.group, standby}];
    if (seen.epoch >= epoch) {
      epoch = seen.epoch;
      lag = lag_text(row);
    }
  }
  // The primary has a row for each of its standbys.
  if (view.find(seen.group, seen.node) == nullptr) {
    view.members.push_back(std::move(seen));
  }
}

bool is_listed(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == name) {
      return true;
    }
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

/// A member's row of a table, one text for each column.
std::vector<std::string> cells_of(const MemberView& one) {
  std::string note = one.note + (one.alone ? "; ALONE" : "");
  if (one.store != "done") {
    note += "; election store: " + one.store;
  }
  return {one.group,
          one.node,
          one.role,
          std::to_string(one.epoch),
          is_listed(one.in_sync, one.node) ? "in sync" : "not in sync",
          one.leads()       ? "-"
          : one.lag.empty() ? "unknown"
                            : one.lag,
          std::move(note)};
}

base::Error no_primary(const std::string& group, const ClusterView& view) {
  std::string text = "no node that answers leads failover group " + group;
  if (std::ranges::none_of(view.members,
                           [&](const MemberView& one) { return one.group == group; })) {
    text = "no node that answers has a failover group " + group;
  }
  if (!view.silent.empty()) {
    text += "; " + view.silent.front().address + " does not answer";
  }
  return {base::ErrorCode::NotFound, std::move(text), {}, "R304"};
}

/// Gives the primary its order. An answer that it has begun is what is expected.
std::expected<void, base::Error> order(const Changing& changing, const MemberView& primary,
                                       std::vector<std::string> arguments) {
  const auto answer = changing.ask(primary.address, "demote", arguments);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  const auto status = member<std::string>(*answer, "status");
  if (status == "done" || status == "begun") {
    return {};
  }
  const auto code = member<std::string>(*answer, "code");
  return std::unexpected(base::Error{base::ErrorCode::Denied,
                                     "node " + primary.node +
                                         " refuses: " + member<std::string>(*answer, "text") +
                                         (code.empty() ? "" : " (" + code + ")"),
                                     primary.address, "R305"});
}

/// Looks until `is_done` or the patience ends.
template <typename IsDone>
std::expected<ClusterView, base::Error> await(const Changing& changing, const std::string& what,
                                              IsDone is_done) {
  const std::int64_t end_ns = changing.steady_ns() + changing.patience_ns;
  for (;;) {
    ClusterView view = look(changing.addresses, changing.ask);
    if (is_done(view)) {
      return view;
    }
    if (changing.steady_ns() >= end_ns) {
      return std::unexpected(base::Error{
          base::ErrorCode::Io, what + " has not happened in time: see affix cluster", {}, "R306"});
    }
    changing.pause();
  }
}

}  // namespace

const MemberView* ClusterView::primary_of(std::string_view group) const noexcept {
  const MemberView* found = nullptr;
  for (const MemberView& one : members) {
    if (one.group == group && one.leads() && (found == nullptr || one.epoch > found->epoch)) {
      found = &one;
    }
  }
  return found;
}

const MemberView* ClusterView::find(std::string_view group, std::string_view node) const noexcept {
  const auto found = std::ranges::find_if(
      members, [&](const MemberView& one) { return one.group == group && one.node == node; });
  return found == members.end() ? nullptr : &*found;
}

ClusterView look(const std::vector<std::string>& addresses, const AskNode& ask) {
  ClusterView view;
  Lags lags;
  for (const std::string& address : addresses) {
    const auto answer = ask(address, "get_replication", {});
    if (!answer) {
      view.silent.push_back({address, answer.error()});
      continue;
    }
    if (member<std::string>(*answer, "status") != "done") {
      view.silent.push_back(
          {address,
           {base::ErrorCode::Denied, member<std::string>(*answer, "text"), address, "R305"}});
      continue;
    }
    const auto rows = answer->find("rows");
    if (rows != answer->end() && rows->is_array()) {
      for (const Json& row : *rows) {
        if (row.is_object()) {
          take_row(address, row, view, lags);
        }
      }
    }
  }
  for (MemberView& one : view.members) {
    if (const auto lag = lags.find({one.group, one.node}); lag != lags.end() && !one.leads()) {
      one.lag = lag->second.second;
    }
  }
  std::ranges::sort(view.members, [](const MemberView& left, const MemberView& right) {
    const auto key = [](const MemberView& one) {
      return std::tuple(std::string_view(one.group), !one.leads(), std::string_view(one.node),
                        std::string_view(one.address));
    };
    return key(left) < key(right);
  });
  return view;
}

std::string text_of(const ClusterView& view) {
  std::vector<std::vector<std::string>> lines{
      {"GROUP", "NODE", "ROLE", "EPOCH", "IN SYNC", "BEHIND", "STATE"}};
  std::ranges::transform(view.members, std::back_inserter(lines), cells_of);
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t column = 0; column < line.size(); ++column) {
      widths[column] = std::max(widths[column], line[column].size());
    }
  }
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t column = 0; column + 1 < line.size(); ++column) {
      text += line[column] + std::string(widths[column] - line[column].size() + 2, ' ');
    }
    text += line.back() + "\n";
  }
  std::set<std::string> groups;
  for (const MemberView& one : view.members) {
    if (view.primary_of(one.group) == nullptr && groups.insert(one.group).second) {
      text += "NO NODE that answers leads " + one.group + "\n";
    }
  }
  for (const SilentNode& silent : view.silent) {
    text += silent.address + " does not answer: " + silent.error.text() + "\n";
  }
  return text;
}

std::string json_of(const ClusterView& view) {
  Json all{{"members", Json::array()}, {"silent", Json::array()}};
  for (const MemberView& one : view.members) {
    all["members"].push_back({{"group", one.group},
                              {"node", one.node},
                              {"address", one.address},
                              {"role", one.role},
                              {"epoch", one.epoch},
                              {"primary", one.primary},
                              {"in_sync", one.in_sync},
                              {"alone", one.alone},
                              {"state", one.note},
                              {"behind", one.lag},
                              {"store", one.store}});
  }
  for (const SilentNode& silent : view.silent) {
    all["silent"].push_back({{"address", silent.address}, {"error", silent.error.text()}});
  }
  return all.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::expected<std::string, base::Error> move_group(const Changing& changing,
                                                   const std::string& group,
                                                   const std::string& node) {
  const ClusterView before = look(changing.addresses, changing.ask);
  const MemberView* const primary = before.primary_of(group);
  if (primary == nullptr) {
    return std::unexpected(no_primary(group, before));
  }
  if (primary->node == node) {
    return "node " + node + " leads failover group " + group + " already";
  }
  // Without its port nobody could see that it leads.
  if (before.find(group, node) == nullptr) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound,
                    "no node '" + node + "' that answers has failover group " + group,
                    {},
                    "R304"});
  }
  if (auto ordered = order(changing, *primary, {group, node}); !ordered) {
    return std::unexpected(std::move(ordered.error()));
  }
  const auto after =
      await(changing, "the hand-over of " + group + " to " + node, [&](const ClusterView& view) {
        const MemberView* const leads = view.primary_of(group);
        return leads != nullptr && leads->node == node;
      });
  if (!after) {
    return std::unexpected(after.error());
  }
  return "failover group " + group + ": " + primary->node + " -> " + node + ", epoch " +
         std::to_string(after->primary_of(group)->epoch);
}

std::expected<std::string, base::Error> drain_node(const Changing& changing,
                                                   const std::string& node) {
  const ClusterView before = look(changing.addresses, changing.ask);
  if (std::ranges::none_of(before.members,
                           [&](const MemberView& one) { return one.node == node; })) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound,
                    "no node '" + node + "' answers, or it has no failover group",
                    {},
                    "R304"});
  }
  std::string text;
  for (const MemberView& one : before.members) {
    const MemberView* const primary = before.primary_of(one.group);
    if (primary != &one || one.node != node) {
      continue;
    }
    if (auto ordered = order(changing, one, {one.group}); !ordered) {
      return std::unexpected(std::move(ordered.error()));
    }
    const auto after =
        await(changing, "the hand-over of " + one.group, [&](const ClusterView& view) {
          const MemberView* const leads = view.primary_of(one.group);
          return leads != nullptr && leads->node != node;
        });
    if (!after) {
      return std::unexpected(after.error());
    }
    const MemberView* const leads = after->primary_of(one.group);
    text += "failover group " + one.group + ": " + node + " -> " + leads->node + ", epoch " +
            std::to_string(leads->epoch) + "\n";
  }
  return text.empty() ? "node " + node + " leads no failover group\n" : text;
}

}  // namespace affix::inline v0::tools::cluster
