// SPDX-License-Identifier: MIT
// Which keys of the application group go together, and the sessions that it and routes name.
#include "engine/application_checks.hpp"

#include "engine/list_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace affix::inline v0::engine {

namespace {

class ApplicationCheck {
 public:
  ApplicationCheck(const Configuration& configuration, Report& report)
      : configuration_(configuration), report_(report) {}

  void check(const Group& group, const ApplicationSettings& settings) {
    const auto serves = [&](std::string_view key, std::string_view word, bool needed) {
      const Entry* const entry = group.find(key);
      if (needed && settings.application == word && (entry == nullptr || entry->value.empty())) {
        report_.add(group.line, "[" + group.name + "]: application " + std::string(word) +
                                    " needs key '" + std::string(key) + "'");
      } else if (entry != nullptr && !entry->value.empty() && settings.application != word) {
        report_.add(entry->line, "key '" + std::string(key) + "' is for application " +
                                     std::string(word) + ", and this is " + settings.application);
      }
    };
    serves("plugin_file", "PLUGIN", true);
    serves("plugin_settings", "PLUGIN", false);
    serves("drop_copy_to", "DROP_COPY", true);
    serves("drop_copy_from", "DROP_COPY", false);
    check_sessions(group, "drop_copy_to");
    check_sessions(group, "drop_copy_from");
    if (settings.application == "ROUTER" && configuration_.routes.empty()) {
      report_.add(group.line, "[" + group.name + "]: application ROUTER needs a route group");
    }
  }

  void check(const Group& group, const RouteSettings& settings) {
    check_sessions(group, "route_from");
    check_sessions(group, "route_to");
    if (settings.route_to.find(',') != std::string::npos) {
      report_.add(group.find("route_to")->line, "key 'route_to' names more than one session");
    }
    if ((settings.route_tag == 0) != settings.route_values.empty()) {
      report_.add(group.line,
                  "[" + group.name + "]: keys 'route_tag' and 'route_values' need each other");
    }
    if (configuration_.application.application != "ROUTER") {
      report_.add(group.line, "[" + group.name + "] is a route, and the application is " +
                                  configuration_.application.application + ", not ROUTER");
    }
  }

 private:
  void check_sessions(const Group& group, std::string_view key) {
    const Entry* const entry = group.find(key);
    if (entry == nullptr) {
      return;
    }
    for (std::string_view rest = entry->value; !rest.empty();) {
      const std::string_view name = take_piece(rest);
      if (std::none_of(configuration_.sessions.begin(), configuration_.sessions.end(),
                       [name](const SessionSettings& session) { return session.name == name; })) {
        report_.add(entry->line, "key '" + std::string(key) + "': '" + std::string(name) +
                                     "' is no session group");
      }
    }
  }

  const Configuration& configuration_;
  Report& report_;
};

}  // namespace

void check_application(const std::vector<KnownGroup>& groups, const Configuration& configuration,
                       Report& report) {
  ApplicationCheck checks(configuration, report);
  auto route = configuration.routes.begin();
  for (const KnownGroup& known : groups) {
    if (known.kind == GroupKind::Application) {
      checks.check(known.group, configuration.application);
    } else if (known.kind == GroupKind::Route) {
      checks.check(known.group, *route++);
    }
  }
}

}  // namespace affix::inline v0::engine
