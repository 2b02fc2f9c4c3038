// SPDX-License-Identifier: MIT
// Names of fields, messages and values in scenarios and reports, from the dictionary of a
// scenario's version.
#pragma once

#include "affix/dictionary/model.hpp"

#include "certify/version.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::certify {

/// Names of one version; its dictionaries are read when a name is first asked for. Empty results if
/// none could be read. Any number of threads may use it.
class VersionNames {
 public:
  VersionNames(std::string directory, const Version& version)
      : directory_(std::move(directory)), version_(version) {}

  /// Tag of a field, by its name.
  [[nodiscard]] std::optional<std::uint32_t> tag(std::string_view name) const;

  /// MsgType of a message, by its name; empty: unknown.
  [[nodiscard]] std::string_view type(std::string_view name) const;

  /// "OrdStatus (39)", or "39".
  [[nodiscard]] std::string field(std::string_view tag) const;

  /// "ExecutionReport (8)", or "8".
  [[nodiscard]] std::string message(std::string_view type) const;

  /// "FILLED (2)", or "2".
  [[nodiscard]] std::string value(std::string_view tag, std::string_view code) const;

  /// "2" for (39, "FILLED"). The text itself if it names no value of the field.
  [[nodiscard]] std::string_view code(std::uint32_t tag, std::string_view name) const;

  /// True if values of the field are compared as numbers.
  [[nodiscard]] bool is_numeric(std::uint32_t tag) const;

  /// True if the field counts entries of a group.
  [[nodiscard]] bool is_counter(std::uint32_t tag) const;

  /// Reason why there are no names; empty: there are.
  [[nodiscard]] const std::string& problem() const;

 private:
  struct Read {
    std::array<std::optional<dictionary::Dictionary>, 2> dictionaries;  ///< Application, transport.
    std::string problem;

    void add(const std::string& path);
  };

  [[nodiscard]] const Read& read() const;
  [[nodiscard]] const dictionary::Field* find(std::uint32_t tag) const;

  std::string directory_;
  const Version& version_;
  mutable std::once_flag once_;
  mutable Read read_;
};

/// Names of all versions.
class Names {
 public:
  explicit Names(const std::string& directory);

  /// Lives as long as this.
  [[nodiscard]] const VersionNames& of(const Version& version) const;

 private:
  std::array<std::unique_ptr<VersionNames>, version_count> versions_;
};

}  // namespace affix::inline v0::certify
