// SPDX-License-Identifier: MIT
// How much of the machine a process may use: processors that its threads may run on, and the
// processor time that its cgroup may have. Read once, at start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// Where the text of a system's file comes from: this machine, or a test's folder.
class SystemTexts {
 public:
  virtual ~SystemTexts() = default;

  /// What the file at an absolute path holds; nothing when it cannot be read. Allocates.
  [[nodiscard]] virtual std::optional<std::string> text(std::string_view path) const = 0;
};

/// Processor time that a cgroup may have in each period.
struct ProcessorQuota {
  std::int64_t quota_us = 0;   ///< Microseconds in each period; above 0.
  std::int64_t period_us = 0;  ///< Microseconds; above 0.

  /// As a number of processors, which may be a fraction.
  [[nodiscard]] double processors() const noexcept {
    return static_cast<double>(quota_us) / static_cast<double>(period_us);
  }
};

/// Of `cpu.max`: `50000 100000`, or `max 100000`. Nothing: no limit, or not of that form.
[[nodiscard]] std::optional<ProcessorQuota> quota_of(std::string_view text) noexcept;

/// The tightest quota of the process's cgroup and those above it, of either kind of cgroups.
/// Nothing: there is none, or no file tells. Reads files, allocates.
[[nodiscard]] std::optional<ProcessorQuota> processor_quota(const SystemTexts& files);

/// What a process may use.
struct ProcessorShare {
  std::size_t processors = 1;           ///< That its threads may run on; at least 1.
  std::optional<ProcessorQuota> quota;  ///< Of its cgroup; nothing: it may have all their time.

  /// So many threads at most are at work at one time: quotas are rounded to whole cores, of which
  /// there is always one.
  [[nodiscard]] std::size_t cores() const noexcept;

  /// In words why there are no more: `1 processor`, or `4 processors, of whose time a cgroup allows
  /// 150000 us in each 100000 us`. Allocates.
  [[nodiscard]] std::string why() const;
};

/// Of the calling thread, and so of those that it starts. System calls, reads files, allocates.
[[nodiscard]] ProcessorShare processor_share();

}  // namespace affix::inline v0::engine
