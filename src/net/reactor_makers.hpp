// SPDX-License-Identifier: MIT
// The reactors of this system. Private to net.
#pragma once

#include "affix/base/error.hpp"

#include <expected>
#include <memory>
#include <span>
#include <string_view>

namespace affix::inline v0::net {

class Reactor;
struct ReactorOptions;

struct ReactorMaker {
  std::string_view name;
  /// `options` must have been checked.
  std::expected<std::unique_ptr<Reactor>, base::Error> (*make)(const ReactorOptions& options);
};

[[nodiscard]] std::span<const ReactorMaker> reactor_makers() noexcept;

}  // namespace affix::inline v0::net
