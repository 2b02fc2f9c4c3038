// SPDX-License-Identifier: MIT
// Checks whether this machine provides the huge pages that `huge_pages` asks for.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/os/pages.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::config {

[[nodiscard]] inline os::Pages pages_of(const EngineSettings& settings) noexcept {
  return settings.huge_pages ? os::Pages::Huge : os::Pages::Small;
}

/// A warning for the log when `settings` ask for huge pages and the kernel will provide none. Reads
/// a system file.
[[nodiscard]] std::string huge_page_warning(const EngineSettings& settings);

/// Does the same with that file's text; empty if there is no file.
[[nodiscard]] std::string huge_page_warning(const EngineSettings& settings,
                                            std::string_view mode) noexcept;

}  // namespace affix::inline v0::config
