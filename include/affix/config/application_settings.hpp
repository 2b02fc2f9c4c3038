// SPDX-License-Identifier: MIT
// The keys of the [APPLICATION] and route groups, for the program `affix serve`. The engine itself
// ignores them.
#pragma once

#include "affix/config/choices.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::config {

/// The [APPLICATION] group.
struct ApplicationSettings {
  ServedApplication application = ServedApplication::Echo;
  std::string plugin_file;      ///< Path of the shared object; for application PLUGIN.
  std::string plugin_settings;  ///< Passed to the plug-in unchanged.
  std::string drop_copy_from;   ///< Comma-separated session groups; empty: all but the receivers.
  std::string drop_copy_to;
};

/// A route group: selects the messages that the application ROUTER passes to one session.
struct RouteSettings {
  std::string name;
  std::string route_from;      ///< Comma-separated session groups; empty: any.
  std::int64_t route_tag = 0;  ///< Tag of the field to compare; 0: none.
  std::string route_values;    ///< Accepted values of that field, comma-separated.
  std::string route_to;        ///< A session group.
};

}  // namespace affix::inline v0::config
