// SPDX-License-Identifier: MIT
// Whether this machine gives the huge pages that `huge_pages` asks for.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/net/pages.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::engine {

[[nodiscard]] inline net::Pages pages_of(const EngineSettings& settings) noexcept {
  return settings.huge_pages ? net::Pages::Huge : net::Pages::Small;
}

/// A sentence for the log when `settings` ask for huge pages and the kernel will give none. Reads a
/// file of the system's.
[[nodiscard]] std::string huge_page_warning(const EngineSettings& settings);

/// The same of what that file holds; empty where there is none.
[[nodiscard]] std::string huge_page_warning(const EngineSettings& settings,
                                            std::string_view mode) noexcept;

}  // namespace affix::inline v0::engine
