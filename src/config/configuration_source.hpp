// SPDX-License-Identifier: MIT
// Source of a configuration: files and environment variables, the system's or a test's own.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>

namespace affix::inline v0::config {

/// Called at start-up and at a reload, by one thread; may block on the disk.
class ConfigurationSource {
 public:
  virtual ~ConfigurationSource() = default;

  /// The text of a file. NotFound: it cannot be opened. Limit: it has more than `bytes_max`. Io:
  /// it cannot be read.
  [[nodiscard]] virtual std::expected<std::string, base::Error> read(const std::string& path,
                                                                     std::size_t bytes_max) = 0;

  /// The value of an environment variable; nullopt when it is not set.
  [[nodiscard]] virtual std::optional<std::string> variable(const std::string& name) = 0;

 protected:
  ConfigurationSource() = default;
  ConfigurationSource(const ConfigurationSource&) = default;
  ConfigurationSource& operator=(const ConfigurationSource&) = default;
};

/// The system's files and the process's environment.
class SystemSource final : public ConfigurationSource {
 public:
  [[nodiscard]] std::expected<std::string, base::Error> read(const std::string& path,
                                                             std::size_t bytes_max) override;
  [[nodiscard]] std::optional<std::string> variable(const std::string& name) override;
};

}  // namespace affix::inline v0::config
