// SPDX-License-Identifier: MIT
// A plug-in built with settings that change the sizes of classes.
#include "affix/engine/plugin.hpp"

namespace {

constexpr affix::engine::Plugin plugin{.layout = affix::engine::plugin_layout + 1};

}  // namespace

const affix::engine::Plugin* affix_plugin() noexcept {
  return &plugin;
}
