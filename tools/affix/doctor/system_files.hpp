// SPDX-License-Identifier: MIT
// Files of /proc and /sys, of this machine or below a directory that represents its root.
#pragma once

#include "affix/os/processor_share.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::doctor {

class SystemFiles final : public os::SystemTexts {
 public:
  /// Paths are below `root`; empty: this machine's.
  explicit SystemFiles(std::string root = {});

  /// The file's first 64 KiB without trailing white space; nullopt if unreadable.
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const override;

  /// The number in the file; nullopt if it contains anything else.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view path) const;

  /// Names in the directory, sorted, at most 65,536; empty if unreadable.
  [[nodiscard]] std::vector<std::string> names(std::string_view folder) const;

  [[nodiscard]] bool is_this_machine() const noexcept { return root_.empty(); }

 private:
  std::string root_;
};

}  // namespace affix::inline v0::tools::doctor
