// SPDX-License-Identifier: MIT
// The share of the machine that a process may use: processors that its threads may run on, and the
// processor time that its cgroup allows. Read once, at start-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::os {

/// Reads the text of system files: from this machine, or from a test's folder.
class SystemTexts {
 public:
  virtual ~SystemTexts() = default;

  /// Returns the contents of the file at an absolute path, or nothing if unreadable. Allocates.
  [[nodiscard]] virtual std::optional<std::string> text(std::string_view path) const = 0;
};

/// Processor time that a cgroup allows in each period.
struct ProcessorQuota {
  std::int64_t quota_us = 0;   ///< Microseconds in each period; above 0.
  std::int64_t period_us = 0;  ///< Microseconds; above 0.

  /// The quota as a number of processors, which may be a fraction.
  [[nodiscard]] double processors() const noexcept {
    return static_cast<double>(quota_us) / static_cast<double>(period_us);
  }
};

/// Parses `cpu.max`: `50000 100000`, or `max 100000`. Nothing: no limit, or another form.
[[nodiscard]] std::optional<ProcessorQuota> quota_of(std::string_view text) noexcept;

/// The tightest quota of the process's cgroup and its ancestors, in cgroups v1 or v2. Nothing: none
/// is set, or no file could be read. Reads files, allocates.
[[nodiscard]] std::optional<ProcessorQuota> processor_quota(const SystemTexts& files);

/// Processors and processor time that a process may use.
struct ProcessorShare {
  std::size_t processors = 1;           ///< Processors that its threads may run on; at least 1.
  std::optional<ProcessorQuota> quota;  ///< Quota of its cgroup; nothing: no limit.

  /// Maximum number of threads that can run at one time: the quota rounded to whole cores, at least
  /// one.
  [[nodiscard]] std::size_t cores() const noexcept;

  /// Explains the number of cores: `1 processor`, or `4 processors, of whose time a cgroup allows
  /// 150000 us in each 100000 us`. Allocates.
  [[nodiscard]] std::string why() const;
};

/// Share of the calling thread and the threads it starts. System calls, reads files, allocates.
[[nodiscard]] ProcessorShare processor_share();

}  // namespace affix::inline v0::os
