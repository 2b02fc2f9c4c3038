// SPDX-License-Identifier: MIT
// A system file has the kernel's mode in brackets: `always [madvise] never`.
#include "config/huge_pages.hpp"

#include <fstream>

namespace affix::inline v0::config {

std::string huge_page_warning(const EngineSettings& settings) {
  std::string mode;
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::getline(file, mode);
  return huge_page_warning(settings, mode);
}

std::string huge_page_warning(const EngineSettings& settings, std::string_view mode) noexcept {
  if (!settings.huge_pages || mode.find("[always]") != std::string_view::npos ||
      mode.find("[madvise]") != std::string_view::npos) {
    return {};
  }
  return "no huge pages, so small ones are used: transparent_hugepage of this kernel is " +
         (mode.empty() ? std::string("not there") : "'" + std::string(mode) + "'");
}

}  // namespace affix::inline v0::config
