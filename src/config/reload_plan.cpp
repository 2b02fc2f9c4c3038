// SPDX-License-Identifier: MIT
// Compares key by key, with the tables of the file reader.
#include "config/reload_plan.hpp"

#include "config/address_keys.hpp"
#include "config/key_tables.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace affix::inline v0::config {

namespace {

struct ChangedKey {
  std::string_view name;
  KeyReload reload;
};

/// The keys that the two differ in.
template <typename Settings>
std::vector<ChangedKey> changed_keys(const Settings& one, const Settings& other) {
  std::vector<ChangedKey> changed;
  for_each_table<Settings>([&](const auto keys) {
    for (const auto& key : keys) {
      if (!same_value(key, one, other)) {
        changed.push_back({key.name, key.reload});
      }
    }
  });
  return changed;
}

class Planner {
 public:
  Planner(const Configuration& running, const Configuration& wanted)
      : running_(running), wanted_(wanted) {}

  std::expected<ReloadPlan, Problems> plan() {
    compare_engines();
    compare_servers();
    compare_clients();
    compare_sessions();
    compare_templates();
    compare_failovers();
    if (!problems_.empty()) {
      return std::unexpected(std::move(problems_));
    }
    return std::move(plan_);
  }

 private:
  void refuse(const std::string& group, std::string_view what) {
    problems_.push_back(
        {base::ErrorCode::InvalidArgument, std::string(what), "[" + group + "]", "E201"});
  }

  void refuse_fixed(const std::string& group, const std::vector<ChangedKey>& keys) {
    for (const ChangedKey& key : keys) {
      if (key.reload == KeyReload::Refused) {
        refuse(group,
               "key '" + std::string(key.name) + "' cannot be changed while the engine runs");
      }
    }
  }

  void compare_engines() { refuse_fixed("ENGINE", changed_keys(running_.engine, wanted_.engine)); }

  /// Calls `compare` with each group that is in both; refuses others.
  template <typename Group, typename Compare>
  void pair_groups(const std::vector<Group>& running, const std::vector<Group>& wanted,
                   Compare compare) {
    for (const Group& group : running) {
      if (find_group(wanted, group.name) == nullptr) {
        refuse(group.name, "this group cannot go while the engine runs");
      }
    }
    for (std::size_t place = 0; place < wanted.size(); ++place) {
      const Group* const same = find_group(running, wanted[place].name);
      if (same == nullptr) {
        refuse(wanted[place].name, "this group is new, and cannot come while the engine runs");
      } else {
        compare(*same, wanted[place], place);
      }
    }
  }

  template <typename Group>
  static const Group* find_group(const std::vector<Group>& groups, const std::string& name) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return group.name == name; });
    return found == groups.end() ? nullptr : &*found;
  }

  void compare_servers() {
    pair_groups(
        running_.servers, wanted_.servers,
        [this](const ServerSettings& one, const ServerSettings& other, std::size_t place) {
          const auto keys = changed_keys(one, other);
          if (std::ranges::find(keys, KeyReload::InPlace, &ChangedKey::reload) != keys.end()) {
            plan_.servers.push_back(place);
            std::ranges::move(check_address_keys(other), std::back_inserter(problems_));
          }
          refuse_fixed(other.name, keys);
        });
  }

  void compare_clients() {
    pair_groups(running_.clients, wanted_.clients,
                [this](const ClientSettings& one, const ClientSettings& other, std::size_t) {
                  refuse_fixed(other.name, changed_keys(one, other));
                });
  }

  void compare_failovers() {
    pair_groups(running_.failovers, wanted_.failovers,
                [this](const FailoverSettings& one, const FailoverSettings& other, std::size_t) {
                  refuse_fixed(other.name, changed_keys(one, other));
                });
  }

  void compare_sessions() {
    std::unordered_map<std::string_view, std::size_t> by_name;
    for (std::size_t place = 0; place < running_.sessions.size(); ++place) {
      by_name.emplace(running_.sessions[place].name, place);
    }
    std::vector<bool> stays(running_.sessions.size(), false);
    for (std::size_t place = 0; place < wanted_.sessions.size(); ++place) {
      const SessionSettings& session = wanted_.sessions[place];
      const auto same = by_name.find(session.name);
      if (same == by_name.end() || !same_identity(running_.sessions[same->second], session)) {
        plan_.added.push_back(place);
        continue;
      }
      stays[same->second] = true;
      compare_session(same->second, place);
    }
    for (std::size_t place = 0; place < stays.size(); ++place) {
      if (!stays[place]) {
        plan_.removed.push_back(place);
      }
    }
  }

  /// Sessions of a template leave with it, and are made again from the template that replaces it.
  void compare_templates() {
    for (const SessionSettings& one : running_.templates) {
      const SessionSettings* const same = find_group(wanted_.templates, one.name);
      if (same == nullptr || !changed_keys(one, *same).empty()) {
        plan_.ended_templates.push_back(one.name);
      }
    }
    plan_.new_templates = std::any_of(wanted_.templates.begin(), wanted_.templates.end(),
                                      [this](const SessionSettings& one) {
                                        return find_group(running_.templates, one.name) == nullptr;
                                      });
    const auto room = [](const Configuration& configuration) {
      std::int64_t sum = 0;
      for (const SessionSettings& one : configuration.templates) {
        sum += one.template_sessions_max;
      }
      return sum;
    };
    if (room(wanted_) > room(running_)) {
      refuse(wanted_.templates.back().name,
             "key 'template_sessions_max': all templates together can have no more sessions than "
             "before while the engine runs");
    }
  }

  void compare_session(std::size_t running, std::size_t wanted) {
    const SessionSettings& one = running_.sessions[running];
    const SessionSettings& other = wanted_.sessions[wanted];
    ChangedSession changed{.running = running, .wanted = wanted};
    const auto keys = changed_keys(one, other);
    refuse_fixed(other.name, keys);
    for (const ChangedKey& key : keys) {
      if (key.reload == KeyReload::Switches) {
        changed.switched = true;
      } else if (key.reload != KeyReload::WithOthers) {
        changed.keys.push_back(key.name);
        changed.restart = changed.restart || key.reload != KeyReload::InPlace;
      }
    }
    if (changed.switched || !changed.keys.empty()) {
      plan_.changed.push_back(std::move(changed));
    }
  }

  const Configuration& running_;
  const Configuration& wanted_;
  ReloadPlan plan_;
  Problems problems_;
};

}  // namespace

bool same_identity(const SessionSettings& one, const SessionSettings& other) noexcept {
  return one.begin_string == other.begin_string && one.sender_comp_id == other.sender_comp_id &&
         one.target_comp_id == other.target_comp_id && one.sender_sub_id == other.sender_sub_id &&
         one.target_sub_id == other.target_sub_id &&
         one.sender_location_id == other.sender_location_id &&
         one.target_location_id == other.target_location_id;
}

std::expected<ReloadPlan, Problems> plan_reload(const Configuration& running,
                                                const Configuration& wanted) {
  return Planner(running, wanted).plan();
}

}  // namespace affix::inline v0::config
