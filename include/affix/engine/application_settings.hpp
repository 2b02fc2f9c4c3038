// SPDX-License-Identifier: MIT
// What a configuration file says about the application of the program `affix serve`. The engine
// itself does not look at it.
#pragma once

#include <cstdint>
#include <string>

namespace affix::inline v0::engine {

/// The [APPLICATION] group.
struct ApplicationSettings {
  std::string application = "ECHO";
  std::string plugin_file;      ///< Of application PLUGIN.
  std::string plugin_settings;  ///< Handed to the plug-in as it stands.
  std::string drop_copy_from;   ///< Session groups, commas between; empty: all but the receivers.
  std::string drop_copy_to;
};

/// A route group: which messages the application ROUTER passes to which session.
struct RouteSettings {
  std::string name;
  std::string route_from;      ///< Session groups, commas between; empty: any.
  std::int64_t route_tag = 0;  ///< Field that decides; 0: none does.
  std::string route_values;    ///< Its values, commas between.
  std::string route_to;        ///< A session group.
};

}  // namespace affix::inline v0::engine
