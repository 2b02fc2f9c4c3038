// SPDX-License-Identifier: MIT
// Selects each program's own checks.
#include "config/purpose.hpp"

#include "affix/service/admin_port.hpp"

#include "process/configuration_checks.hpp"
#include "serve/configuration_check.hpp"
#include "serve/plugin.hpp"

#include <algorithm>
#include <iterator>

namespace affix::inline v0::tools::config {

namespace {

/// Loads the plug-in's file, and so runs its initialisation code: only on explicit request.
std::vector<affix::config::Finding> check_for_serve(
    const affix::config::Configuration& configuration) {
  std::vector<affix::config::Finding> problems = serve::check_for_serving(configuration);
  const affix::config::ApplicationSettings& settings = configuration.application;
  if (settings.application == affix::config::ServedApplication::Plugin) {
    if (const auto fits = serve::LoadedPlugin::check(settings.plugin_file); !fits) {
      problems.push_back({.kind = affix::config::GroupKind::Application,
                          .group = "APPLICATION",
                          .key = "plugin_file",
                          .message = "key 'plugin_file': " + fits.error().text(),
                          .error = fits.error().code});
    }
  }
  return problems;
}

}  // namespace

std::string_view command_of(Purpose purpose) noexcept {
  switch (purpose) {
    case Purpose::Engine:
      return {};
    case Purpose::Serve:
      return "affix serve";
    case Purpose::Exchange:
      return "affix-lab exchange";
    case Purpose::Trade:
      return "affix-lab trade";
    case Purpose::Monitor:
      return "affix-monitor";
  }
  return {};
}

Purpose purpose_of(std::string_view word) noexcept {
  const auto* const found = std::ranges::find(purpose_words, word);
  return static_cast<Purpose>(found - std::begin(purpose_words));
}

Purpose purpose_of(const affix::config::Configuration& configuration) noexcept {
  return configuration.application.application != affix::config::ServedApplication::Echo ||
                 !configuration.routes.empty()
             ? Purpose::Serve
             : Purpose::Engine;
}

engine::FurtherCheck check_for(Purpose purpose) noexcept {
  switch (purpose) {
    case Purpose::Engine:
      return &service::check_tokens;
    case Purpose::Serve:
      return &check_for_serve;
    case Purpose::Exchange:
      return &check_for_exchange;
    case Purpose::Trade:
      return &check_for_trade;
    case Purpose::Monitor:
      return &check_for_monitor;
  }
  return nullptr;
}

std::vector<affix::config::Finding> check_as_found(
    const affix::config::Configuration& configuration) {
  return purpose_of(configuration) == Purpose::Serve ? serve::check_for_serving(configuration)
                                                     : service::check_tokens(configuration);
}

}  // namespace affix::inline v0::tools::config
