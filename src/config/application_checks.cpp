// SPDX-License-Identifier: MIT
// Checks combinations of the application group's keys, and the sessions that it and routes name.
#include "config/group_checks.hpp"
#include "config/list_text.hpp"
#include "config/value_checks.hpp"

#include <string>
#include <string_view>
#include <unordered_set>

namespace affix::inline v0::config {

namespace {

class ApplicationCheck {
 public:
  ApplicationCheck(const Configuration& configuration, Findings& findings)
      : configuration_(configuration), findings_(findings) {
    for (const SessionSettings& session : configuration.sessions) {
      sessions_.insert(session.name);
    }
  }

  void check(const ApplicationSettings& settings) {
    findings_.look_at(GroupKind::Application, "APPLICATION");
    check_values(settings, ApplicationSettings(), findings_);
    const auto serves = [&](std::string_view key, const std::string& value, ServedApplication whose,
                            bool needed) {
      ApplicationSettings other;
      other.application = whose;
      const std::string word = value_text("application", other);
      if (!findings_.stand({"application", key})) {
        return;
      }
      if (needed && settings.application == whose && value.empty()) {
        findings_.wrong_as_said({}, "application " + word + " needs key '" + std::string(key) + "'",
                                "C401");
      } else if (!value.empty() && settings.application != whose) {
        findings_.wrong_as_said(key,
                                "key '" + std::string(key) + "' is for application " + word +
                                    ", and this is " + value_text("application", settings),
                                "C401");
      }
    };
    serves("plugin_file", settings.plugin_file, ServedApplication::Plugin, true);
    serves("plugin_settings", settings.plugin_settings, ServedApplication::Plugin, false);
    serves("drop_copy_to", settings.drop_copy_to, ServedApplication::DropCopy, true);
    serves("drop_copy_from", settings.drop_copy_from, ServedApplication::DropCopy, false);
    check_sessions("drop_copy_to", settings.drop_copy_to);
    check_sessions("drop_copy_from", settings.drop_copy_from);
    if (settings.application == ServedApplication::Router && configuration_.routes.empty()) {
      findings_.wrong_as_said({}, "application ROUTER needs a route group", "C405");
    }
  }

  void check(const RouteSettings& settings) {
    findings_.look_at(GroupKind::Route, settings.name);
    check_values(settings, RouteSettings(), findings_);
    if (settings.route_to.empty()) {
      findings_.missing("route_to");
    }
    check_sessions("route_from", settings.route_from);
    check_sessions("route_to", settings.route_to);
    if (settings.route_to.find(',') != std::string::npos) {
      findings_.wrong_as_said("route_to", "key 'route_to' names more than one session", "C405");
    }
    if (findings_.stand({"route_tag", "route_values"}) &&
        (settings.route_tag == 0) != settings.route_values.empty()) {
      findings_.wrong_as_said({}, "keys 'route_tag' and 'route_values' need each other", "C405");
    }
    if (findings_.stand(GroupKind::Application, "APPLICATION", {"application"}) &&
        configuration_.application.application != ServedApplication::Router) {
      findings_.wrong_as_said({},
                              "is a route, and the application is " +
                                  value_text("application", configuration_.application) +
                                  ", not ROUTER",
                              "C401");
    }
  }

 private:
  void check_sessions(std::string_view key, std::string_view names) {
    if (!findings_.stand({key})) {
      return;
    }
    while (!names.empty()) {
      const std::string_view name = take_piece(names);
      if (!sessions_.contains(name)) {
        findings_.wrong_together(key, "'" + std::string(name) + "' is not a session group", "C405");
      }
    }
  }

  const Configuration& configuration_;
  Findings& findings_;
  std::unordered_set<std::string_view> sessions_;
};

}  // namespace

void check_application(const Configuration& configuration, Findings& findings) {
  ApplicationCheck checks(configuration, findings);
  checks.check(configuration.application);
  for (const RouteSettings& route : configuration.routes) {
    checks.check(route);
  }
}

}  // namespace affix::inline v0::config
