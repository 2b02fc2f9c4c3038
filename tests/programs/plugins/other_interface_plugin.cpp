// SPDX-License-Identifier: MIT
// A plug-in built for an earlier or later version of affix.
#include "affix/engine/plugin.hpp"

namespace {

constexpr affix::engine::Plugin plugin{.abi = affix::engine::plugin_abi + 1};

}  // namespace

const affix::engine::Plugin* affix_plugin() noexcept {
  return &plugin;
}
