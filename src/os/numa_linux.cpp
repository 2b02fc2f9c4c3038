// SPDX-License-Identifier: MIT
// Reads a node's cores from system files; the policy is one system call, which is all that a
// library would add.
#include "affix/base/text.hpp"

#include "os/numa.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <linux/mempolicy.h>
#include <optional>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::os {

namespace {

constexpr std::int64_t nodes_max = 1024;

base::Error fault(base::ErrorCode code, std::string message) {
  return {code, std::move(message), "[ENGINE] numa_bind_node", "E102"};
}

/// "0-3,8": numbers and ranges, as the kernel writes them.
std::optional<cpu_set_t> parse_cores(std::string_view list) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  while (!list.empty() && base::is_digit(list.front())) {
    unsigned first = 0;
    const char* const end = list.data() + list.size();
    auto parsed = std::from_chars(list.data(), end, first);
    unsigned last = first;
    if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '-') {
      parsed = std::from_chars(parsed.ptr + 1, end, last);
    }
    if (parsed.ec != std::errc{} || last < first || last >= CPU_SETSIZE) {
      return std::nullopt;
    }
    for (unsigned core = first; core <= last; ++core) {
      CPU_SET(core, &cores);
    }
    list.remove_prefix(static_cast<std::size_t>(parsed.ptr - list.data()));
    list.remove_prefix(list.starts_with(',') ? 1 : 0);
  }
  return cores;
}

std::optional<cpu_set_t> cores_of(std::int64_t node) {
  std::ifstream file("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
  std::string list;
  return std::getline(file, list) ? parse_cores(list) : std::nullopt;
}

/// Each thread has a set of its own.
std::expected<void, base::Error> run_on(const cpu_set_t& cores) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string name = task.path().filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec != std::errc{}) {
      continue;
    }
    cpu_set_t allowed;
    if (::sched_getaffinity(thread, sizeof allowed, &allowed) != 0) {
      continue;  // It has ended meanwhile.
    }
    CPU_AND(&allowed, &allowed, &cores);
    if (CPU_COUNT(&allowed) == 0) {
      return std::unexpected(fault(base::ErrorCode::InvalidArgument,
                                   "none of the node's cores may be used by the process"));
    }
    if (::sched_setaffinity(thread, sizeof allowed, &allowed) != 0 && errno != ESRCH) {
      return std::unexpected(
          base::make_system_error("sched_setaffinity", errno, "[ENGINE] numa_bind_node"));
    }
  }
  if (error) {
    return std::unexpected(base::make_system_error("opendir", error.value(), "/proc/self/task"));
  }
  return {};
}

std::expected<void, base::Error> allocate_on(std::int64_t node) {
  constexpr std::size_t word_bits = 8 * sizeof(unsigned long);
  std::array<unsigned long, nodes_max / word_bits> nodes{};
  const auto number = static_cast<std::size_t>(node);
  nodes[number / word_bits] = 1UL << number % word_bits;
  // The kernel uses one bit less than the given number.
  if (::syscall(SYS_set_mempolicy, MPOL_BIND, nodes.data(), nodes_max + 1) != 0) {
    const int error_number = errno;
    base::Error error =
        base::make_system_error("set_mempolicy", error_number, "[ENGINE] numa_aware_allocations");
    error.code = error_number == ENOSYS ? base::ErrorCode::Unsupported : error.code;
    return std::unexpected(std::move(error));
  }
  return {};
}

}  // namespace

std::expected<void, base::Error> bind_to_numa_node(std::int64_t node, bool allocates) {
  if (node < 0) {
    return {};
  }
  const std::optional<cpu_set_t> cores = node < nodes_max ? cores_of(node) : std::nullopt;
  if (!cores) {
    return std::unexpected(
        fault(base::ErrorCode::InvalidArgument, "there is no NUMA node " + std::to_string(node)));
  }
  if (auto bound = run_on(*cores); !bound) {
    return bound;
  }
  return allocates ? allocate_on(node) : std::expected<void, base::Error>();
}

}  // namespace affix::inline v0::os
