// SPDX-License-Identifier: MIT
// Starts the parts that both demonstrations share: configuration files, and the exchange.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"

#include "process/child_process.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::tools::demo {

/// Longest time until a program says where it listens, and until it has ended in order.
inline constexpr std::int64_t start_timeout_ns = 10 * base::ns_per_second;
inline constexpr std::int64_t stop_timeout_ns = 15 * base::ns_per_second;

/// Removes the parts of an earlier run, since a run begins with empty journals, and makes the
/// directory.
[[nodiscard]] std::expected<void, base::Error> make_empty(const std::string& directory,
                                                          const std::vector<std::string>& parts);

/// Writes the file `directory/name` and returns its path.
[[nodiscard]] std::expected<std::string, base::Error> write_configuration(
    const std::string& directory, const std::string& name, const std::string& text);

/// Starts a program that the kernel ends with SIGTERM if this one is killed.
[[nodiscard]] std::expected<ChildProcess, base::Error> start_mortal(
    std::vector<std::string> arguments);

/// The exchange in a process of its own, and its port.
struct Exchange {
  ChildProcess process;
  std::string port;
};

[[nodiscard]] std::expected<Exchange, base::Error> start_exchange(const std::string& directory);

}  // namespace affix::inline v0::tools::demo
