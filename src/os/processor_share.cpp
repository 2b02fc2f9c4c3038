// SPDX-License-Identifier: MIT
// Reads the scheduler's mask, and the limits of both versions of cgroups.
#include "affix/os/processor_share.hpp"

#include "affix/base/text.hpp"

#include "os/cores.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace affix::inline v0::os {

namespace {

constexpr std::string_view cgroup_root = "/sys/fs/cgroup";

class ThisMachine final : public SystemTexts {
 public:
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const override {
    std::ifstream file{std::string(path)};
    std::ostringstream all;
    if (!file || !(all << file.rdbuf())) {
      return std::nullopt;
    }
    return all.str();
  }
};

std::string_view without_space(std::string_view text) noexcept {
  return base::trimmed(text, " \t\r\n");
}

/// A positive number and nothing else.
std::optional<std::int64_t> amount_of(std::string_view text) noexcept {
  const auto amount = base::parse_number(text);
  return amount && *amount > 0 ? amount : std::nullopt;
}

bool has_word(std::string_view list, std::string_view word) noexcept {
  while (!list.empty()) {
    if (base::take_part(list, ',') == word) {
      return true;
    }
  }
  return false;
}

/// The process's cgroups that limit processor time, in either version.
struct Groups {
  std::optional<std::string> unified;  ///< Below the root of version 2.
  std::optional<std::string> first;    ///< Below `cpu` of version 1.
};

/// From /proc/self/cgroup: `0::/user.slice` of version 2, `4:cpu,cpuacct:/docker` of version 1.
Groups groups_of(std::string_view text) {
  Groups groups;
  while (!text.empty()) {
    std::string_view line = base::take_part(text, '\n');
    const std::string_view number = base::take_part(line, ':');
    const std::string_view controllers = base::take_part(line, ':');
    // A group outside the process's view is written with dots, and must not be looked
    // for.
    if (!line.starts_with('/') || line.find("/..") != std::string_view::npos) {
      continue;
    }
    if (number == "0" && controllers.empty()) {
      groups.unified = line;
    } else if (has_word(controllers, "cpu")) {
      groups.first = line;
    }
  }
  return groups;
}

std::optional<ProcessorQuota> first_kind_quota(const SystemTexts& files,
                                               const std::string& folder) {
  const auto quota = files.text(folder + "/cpu.cfs_quota_us");  // -1: no limit.
  const auto period = files.text(folder + "/cpu.cfs_period_us");
  const auto quota_us = quota ? amount_of(without_space(*quota)) : std::nullopt;
  const auto period_us = period ? amount_of(without_space(*period)) : std::nullopt;
  if (!quota_us || !period_us) {
    return std::nullopt;
  }
  return ProcessorQuota{.quota_us = *quota_us, .period_us = *period_us};
}

/// The tightest limit that `quota_in` finds in the folder `root` + `group` and its parents up to
/// `root`: a container may see its own group as the root, whatever its name outside.
template <typename QuotaIn>
std::optional<ProcessorQuota> tightest(const std::string& root, std::string group,
                                       QuotaIn quota_in) {
  std::optional<ProcessorQuota> found;
  for (;;) {
    while (group.ends_with('/')) {
      group.pop_back();
    }
    const std::optional<ProcessorQuota> one = quota_in(root + group);
    if (one && (!found || one->processors() < found->processors())) {
      found = one;
    }
    if (group.empty()) {
      return found;
    }
    group.resize(group.rfind('/'));
  }
}

}  // namespace

std::optional<ProcessorQuota> quota_of(std::string_view text) noexcept {
  std::string_view rest = without_space(text);
  const auto quota_us = amount_of(base::take_part(rest, ' '));
  const auto period_us = amount_of(rest);
  if (!quota_us || !period_us) {
    return std::nullopt;
  }
  return ProcessorQuota{.quota_us = *quota_us, .period_us = *period_us};
}

std::optional<ProcessorQuota> processor_quota(const SystemTexts& files) {
  const Groups groups = groups_of(files.text("/proc/self/cgroup").value_or(""));
  const std::string root(cgroup_root);
  const auto unified =
      tightest(root, groups.unified.value_or(""),
               [&files](const std::string& folder) -> std::optional<ProcessorQuota> {
                 const auto text = files.text(folder + "/cpu.max");
                 return text ? quota_of(*text) : std::nullopt;
               });
  const auto first =
      tightest(root + "/cpu", groups.first.value_or(""),
               [&files](const std::string& folder) { return first_kind_quota(files, folder); });
  if (unified && first) {
    return unified->processors() <= first->processors() ? unified : first;
  }
  return unified ? unified : first;
}

std::size_t ProcessorShare::cores() const noexcept {
  if (!quota) {
    return processors;
  }
  const double rounded = std::round(quota->processors());
  return rounded >= static_cast<double>(processors)
             ? processors
             : std::max<std::size_t>(static_cast<std::size_t>(rounded), 1);
}

std::string ProcessorShare::why() const {
  std::string text = std::to_string(processors) + (processors == 1 ? " processor" : " processors");
  if (quota) {
    text += std::string(", of ") + (processors == 1 ? "which" : "whose time") +
            " a cgroup allows " + std::to_string(quota->quota_us) + " us in each " +
            std::to_string(quota->period_us) + " us";
  }
  return text;
}

ProcessorShare processor_share() {
  return {.processors = allowed_processors(), .quota = processor_quota(ThisMachine())};
}

}  // namespace affix::inline v0::os
