// SPDX-License-Identifier: MIT
// The forms in which Linux writes its settings. Any text is taken; what has not the form is
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::doctor {

/// A decimal number and nothing else.
[[nodiscard]] std::optional<std::int64_t> number_of(std::string_view text) noexcept;

/// Words between white space.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

/// Processors of `0-3,8`, ascending, each once; an empty text has none. Numbers are below 8,192.
[[nodiscard]] std::optional<std::vector<std::int64_t>> processors_of(std::string_view text);

/// Processors as the kernel writes them: `0-3,8`.
[[nodiscard]] std::string text_of(const std::vector<std::int64_t>& processors);

/// The word that stands in the brackets: `madvise` of `always [madvise] never`. Empty: none does.
[[nodiscard]] std::string_view chosen_word(std::string_view text, char open = '[',
                                           char close = ']') noexcept;

/// The rest of the line that begins with `name`, without white space around it.
[[nodiscard]] std::optional<std::string_view> line_behind(std::string_view text,
                                                          std::string_view name) noexcept;

/// What the first number of a limit's line in /proc/PID/limits is.
struct ResourceLimit {
  bool is_unlimited = false;
  std::int64_t soft = 0;
};

/// The limit of that name (`Max open files`).
[[nodiscard]] std::optional<ResourceLimit> limit_of(std::string_view limits, std::string_view name);

/// The file system that a path lies on.
struct Mount {
  std::string point;
  std::string type;    ///< ext4, tmpfs, nfs4, ...
  std::string device;  ///< `major:minor`.
};

/// Of /proc/self/mountinfo. `path` is absolute. Nothing: no line is of a place above it.
[[nodiscard]] std::optional<Mount> mount_of(std::string_view mountinfo, std::string_view path);

}  // namespace affix::inline v0::tools::doctor
