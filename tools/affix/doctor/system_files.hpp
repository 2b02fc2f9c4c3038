// SPDX-License-Identifier: MIT
// Files of /proc and /sys, of this machine or below a folder that stands for its root.
#pragma once

#include "affix/engine/processor_share.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::doctor {

class SystemFiles final : public engine::SystemTexts {
 public:
  /// Paths are below `root`; empty: this machine's.
  explicit SystemFiles(std::string root = {});

  /// The file's first 64 KiB without white space at the end; nothing when it cannot be read.
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const override;

  /// The file's number; nothing when it holds anything else.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view path) const;

  /// What lies in the folder, sorted, at most 65,536 names; none when it cannot be read.
  [[nodiscard]] std::vector<std::string> names(std::string_view folder) const;

  [[nodiscard]] bool is_this_machine() const noexcept { return root_.empty(); }

 private:
  std::string root_;
};

}  // namespace affix::inline v0::tools::doctor
