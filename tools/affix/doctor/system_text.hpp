// SPDX-License-Identifier: MIT
// Parses the formats in which Linux shows its settings. Accepts any text; returns nothing for other
// formats.
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

/// Processors in `0-3,8`, ascending, each once; an empty text has none. Numbers are below 8,192.
[[nodiscard]] std::optional<std::vector<std::int64_t>> processors_of(std::string_view text);

/// Processors in the kernel's format: `0-3,8`.
[[nodiscard]] std::string text_of(const std::vector<std::int64_t>& processors);

/// The word in the brackets: `madvise` in `always [madvise] never`. Empty: there is none.
[[nodiscard]] std::string_view chosen_word(std::string_view text, char open = '[',
                                           char close = ']') noexcept;

/// The rest of the line that begins with `name`, trimmed.
[[nodiscard]] std::optional<std::string_view> line_behind(std::string_view text,
                                                          std::string_view name) noexcept;

/// The first number in a limit's line in /proc/PID/limits.
struct ResourceLimit {
  bool is_unlimited = false;
  std::int64_t soft = 0;
};

/// The limit of that name (`Max open files`).
[[nodiscard]] std::optional<ResourceLimit> limit_of(std::string_view limits, std::string_view name);

/// The file system of a path.
struct Mount {
  std::string point;
  std::string type;    ///< ext4, tmpfs, nfs4, ...
  std::string device;  ///< `major:minor`.
};

/// Parses /proc/self/mountinfo. `path` is absolute. Nullopt: no line is for a directory above it.
[[nodiscard]] std::optional<Mount> mount_of(std::string_view mountinfo, std::string_view path);

}  // namespace affix::inline v0::tools::doctor
