// SPDX-License-Identifier: MIT
// Finds a group's kind by type, name or a telling key; copies entries of defaults groups.
#include "config/group_kinds.hpp"

#include "affix/base/text.hpp"

#include "config/foreign_keys.hpp"
#include "config/key_tables.hpp"
#include "config/near_miss.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace affix::inline v0::config {

namespace {

constexpr std::array kinds{GroupKind::Engine,  GroupKind::Client,      GroupKind::Server,
                           GroupKind::Session, GroupKind::Application, GroupKind::Route,
                           GroupKind::Failover};

/// Calls `visit` with each key table of the kind.
template <typename Visit>
void for_each_table_of(GroupKind kind, Visit&& visit) {
  switch (kind) {
    case GroupKind::Engine:
      return for_each_table<EngineSettings>(visit);
    case GroupKind::Client:
      return for_each_table<ClientSettings>(visit);
    case GroupKind::Server:
      return for_each_table<ServerSettings>(visit);
    case GroupKind::Session:
      return for_each_table<SessionSettings>(visit);
    case GroupKind::Application:
      return for_each_table<ApplicationSettings>(visit);
    case GroupKind::Route:
      return for_each_table<RouteSettings>(visit);
    case GroupKind::Failover:
      return for_each_table<FailoverSettings>(visit);
  }
}

std::vector<std::string_view> names_of(GroupKind kind) {
  std::vector<std::string_view> names{"type"};
  for_each_table_of(kind, [&names](const auto& table) {
    for (const auto& key : table) {
      names.push_back(key.name);
    }
  });
  return names;
}

bool has_own_key(GroupKind kind, std::string_view key) {
  bool found = false;
  for_each_table_of(kind, [&](const auto& table) {
    found = found || std::any_of(table.begin(), table.end(),
                                 [key](const auto& candidate) { return candidate.name == key; });
  });
  return found;
}

/// A key that identifies the kind of its group when nothing else does.
struct DecidingKey {
  std::string_view key;
  GroupKind kind;
};

constexpr std::array telling_keys{
    DecidingKey{"accept_port", GroupKind::Server},
    DecidingKey{"primary_address", GroupKind::Client},
    DecidingKey{"begin_string", GroupKind::Session},
    // Its version may be in a defaults group.
    DecidingKey{"target_comp_id", GroupKind::Session},
    DecidingKey{"application", GroupKind::Application},
    DecidingKey{"route_to", GroupKind::Route},
    DecidingKey{"replication_nodes", GroupKind::Failover},
};

/// Groups that inherit from a defaults group.
struct Heirs {
  bool all = false;
  GroupKind kind = GroupKind::Engine;  ///< Unless all.

  [[nodiscard]] bool include(GroupKind other) const noexcept { return all || kind == other; }
};

/// A group whose entries are inherited, where they lack them, by groups of one kind or by all.
struct Defaults {
  Heirs heirs;
  Group group;
};

/// Words of `type` or names: `defaults`, `session_defaults` and so on. Nullopt: any other word.
std::optional<Heirs> heirs_of(std::string_view word) {
  constexpr std::string_view ending = "_defaults";
  if (word == "defaults") {
    return Heirs{.all = true};
  }
  if (word.ends_with(ending)) {
    word.remove_suffix(ending.size());
    for (const GroupKind kind : kinds) {
      if (word == to_text(kind)) {
        return Heirs{.kind = kind};
      }
    }
  }
  return std::nullopt;
}

std::optional<GroupKind> kind_of_word(std::string_view word) {
  const auto* const found = std::find_if(kinds.begin(), kinds.end(),
                                         [word](GroupKind kind) { return to_text(kind) == word; });
  return found == kinds.end() ? std::nullopt : std::optional(*found);
}

/// Number of the group's keys that this kind has.
std::size_t keys_of_kind(const Group& group, GroupKind kind) {
  return static_cast<std::size_t>(
      std::count_if(group.entries.begin(), group.entries.end(),
                    [kind](const Entry& entry) { return has_own_key(kind, entry.key); }));
}

/// The kind that a telling key, or a likely misspelling of one, identifies. Of several kinds, the
/// one that has most of the keys, so that the stray key is reported.
std::optional<GroupKind> decided_kind(const Group& group) {
  std::optional<GroupKind> reported;
  std::size_t most = 0;
  for (const DecidingKey& telling : telling_keys) {
    const std::size_t count = keys_of_kind(group, telling.kind);
    if (group.find(telling.key) != nullptr && (!reported || count > most)) {
      reported = telling.kind;
      most = count;
    }
  }
  for (const DecidingKey& telling : telling_keys) {
    if (!reported && is_misspelt(group, telling.key)) {
      reported = telling.kind;
    }
  }
  return reported;
}

std::optional<GroupKind> kind_of(const Group& group, Report& report) {
  if (const Entry* type = group.find("type")) {
    const std::optional<GroupKind> kind = kind_of_word(base::lowered(type->value));
    if (!kind && !type->faulty) {
      report.add(type->line,
                 "type '" + type->value +
                     "' is not one of engine, client, server, session, application, "
                     "route, failover, or one of these with _defaults, or defaults",
                 "C202");
    }
    return kind;
  }
  for (const GroupKind kind : {GroupKind::Engine, GroupKind::Application}) {
    if (base::lowered(group.name) == to_text(kind)) {
      return kind;
    }
  }
  if (const std::optional<GroupKind> kind = decided_kind(group)) {
    return kind;
  }
  report.add(
      group.line,
      "group [" + group.name +
          "] has no type, accept_port, primary_address, begin_string, "
          "target_comp_id, application, route_to or replication_nodes, so its kind is unknown",
      "C201");
  return std::nullopt;
}

/// Reports keys that no kind has in their place, even if no group inherits them.
void check_keys(const Defaults& defaults, Report& report) {
  for (const Entry& entry : defaults.group.entries) {
    const bool known =
        entry.key == "type" || std::any_of(kinds.begin(), kinds.end(), [&](GroupKind kind) {
          return defaults.heirs.include(kind) && kind_has(kind, entry.key);
        });
    if (!known) {
      const GroupKind nearest = defaults.heirs.all ? GroupKind::Session : defaults.heirs.kind;
      report.add(entry.line,
                 "key '" + entry.key + "' is not known in [" + defaults.group.name + "]" +
                     suggestion_for(nearest, entry.key),
                 "C204");
    }
  }
}

void inherit(const Defaults& defaults, KnownGroup& known) {
  for (const Entry& entry : defaults.group.entries) {
    if (entry.key != "type" && known.group.find(entry.key) == nullptr &&
        kind_has(known.kind, entry.key)) {
      known.group.entries.push_back(entry);
      known.group.entries.back().inherited = true;
    }
  }
}

/// The engine exists without a group of its own, so its defaults need one.
void add_engine(const std::vector<Defaults>& all, std::vector<KnownGroup>& known) {
  for (const Defaults& defaults : all) {
    const bool concerned =
        defaults.heirs.include(GroupKind::Engine) &&
        std::any_of(defaults.group.entries.begin(), defaults.group.entries.end(),
                    [](const Entry& entry) { return has_own_key(GroupKind::Engine, entry.key); });
    const bool there = std::any_of(known.begin(), known.end(), [](const KnownGroup& group) {
      return group.kind == GroupKind::Engine;
    });
    if (concerned && !there) {
      known.push_back({GroupKind::Engine, {"ENGINE", defaults.group.line, {}}});
    }
  }
}

/// Of some kinds only one group is allowed: with two it would be unclear which counts.
void check_single(const std::vector<KnownGroup>& known, Report& report) {
  for (const GroupKind kind : {GroupKind::Engine, GroupKind::Application}) {
    const KnownGroup* first = nullptr;
    for (const KnownGroup& group : known) {
      if (group.kind == kind && first != nullptr) {
        report.add(group.group.line,
                   "[" + group.group.name + "] is a second " + std::string(to_text(kind)) +
                       " group, the first is on " +
                       report.reference_to(first->group.line, group.group.line),
                   "C203");
      }
      first = group.kind == kind && first == nullptr ? &group : first;
    }
  }
}

/// Each defaults group as one group of every kind that inherits from it.
std::vector<KnownGroup> probes_of(const std::vector<Defaults>& of_a_kind,
                                  const std::vector<Defaults>& of_all) {
  std::vector<KnownGroup> probes;
  for (const std::vector<Defaults>* all : {&of_a_kind, &of_all}) {
    for (const Defaults& defaults : *all) {
      for (const GroupKind kind : kinds) {
        if (defaults.heirs.include(kind)) {
          probes.push_back({kind, {defaults.group.name, defaults.group.line, {}}});
          inherit(defaults, probes.back());
        }
      }
    }
  }
  return probes;
}

}  // namespace

std::string_view to_text(GroupKind kind) noexcept {
  switch (kind) {
    case GroupKind::Engine:
      return "engine";
    case GroupKind::Client:
      return "client";
    case GroupKind::Server:
      return "server";
    case GroupKind::Session:
      return "session";
    case GroupKind::Application:
      return "application";
    case GroupKind::Route:
      return "route";
    case GroupKind::Failover:
      return "failover";
  }
  return "";
}

bool is_misspelt(const Group& group, std::string_view key) {
  return std::ranges::any_of(group.entries, [key](const Entry& entry) {
    const bool is_known =
        std::ranges::any_of(kinds, [&entry](GroupKind kind) { return kind_has(kind, entry.key); });
    return !is_known && nearest_name(entry.key, std::span(&key, 1)) == key;
  });
}

bool kind_has(GroupKind kind, std::string_view key) {
  const auto absent = absent_keys();
  return has_own_key(kind, key) ||
         std::any_of(absent.begin(), absent.end(),
                     [key](const AbsentKey& candidate) { return candidate.name == key; });
}

std::string suggestion_for(GroupKind kind, std::string_view key) {
  for (const GroupKind other : kinds) {
    if (has_own_key(other, key)) {
      return " (it is a key of " + std::string(to_text(other)) + " groups)";
    }
  }
  const std::vector<std::string_view> own = names_of(kind);
  std::string_view nearest = nearest_name(key, own);
  if (nearest.empty()) {
    nearest = nearest_key(key);
  }
  return nearest.empty() ? std::string() : " (did you mean '" + std::string(nearest) + "'?)";
}

std::string_view nearest_key(std::string_view name) {
  std::vector<std::string_view> names;
  for (const GroupKind kind : kinds) {
    std::ranges::copy(names_of(kind), std::back_inserter(names));
  }
  return nearest_name(name, names);
}

KnownGroups known_groups(std::vector<Group> groups, Report& report) {
  std::vector<KnownGroup> known;
  std::vector<Defaults> of_a_kind;
  std::vector<Defaults> of_all;
  for (Group& group : groups) {
    translate_foreign_keys(group, report);
    const Entry* const type = group.find("type");
    if (const auto heirs = heirs_of(base::lowered(type != nullptr ? type->value : group.name))) {
      std::vector<Defaults>& all = heirs->all ? of_all : of_a_kind;
      all.push_back({*heirs, std::move(group)});
      check_keys(all.back(), report);
    } else if (const std::optional<GroupKind> kind = kind_of(group, report)) {
      known.push_back({*kind, std::move(group)});
    }
  }
  add_engine(of_a_kind, known);
  add_engine(of_all, known);
  for (KnownGroup& group : known) {
    // Defaults of the kind take precedence over defaults for all.
    for (const Defaults& defaults : of_a_kind) {
      if (defaults.heirs.include(group.kind)) {
        inherit(defaults, group);
      }
    }
    for (const Defaults& defaults : of_all) {
      inherit(defaults, group);
    }
  }
  check_single(known, report);
  return {std::move(known), probes_of(of_a_kind, of_all)};
}

}  // namespace affix::inline v0::config
