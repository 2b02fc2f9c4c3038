// SPDX-License-Identifier: MIT
// The sessions of a configuration, for a program that does not run them.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/session_hours.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::tools::monitor {

struct WatchedSession {
  affix::config::SessionSettings settings;
  std::string instance;  ///< Also if the file omits it.
  affix::config::SessionHours hours;
  std::string journal;  ///< Its directory; empty: none on disk.
  bool initiator = false;
};

/// Const after construction; any thread.
class Roster {
 public:
  /// Errors: problems with time zones and holidays files. Relative paths of the configuration start
  /// at `base`, or, if that is empty, at the working directory.
  [[nodiscard]] static std::expected<Roster, affix::config::Problems> of(
      const affix::config::Configuration& configuration, std::string base = {});

  /// Resolves a path of the configuration or of its engine.
  [[nodiscard]] std::string resolve(const std::string& path) const;

  [[nodiscard]] const std::vector<WatchedSession>& sessions() const noexcept { return sessions_; }

  /// Null for a session that is not in the file. A session made from a template, `CLIENTS/C17`, is
  /// not in the file; find_template finds its template.
  [[nodiscard]] const WatchedSession* find(std::string_view name) const noexcept;
  [[nodiscard]] const affix::config::SessionSettings* find_template(
      std::string_view name) const noexcept;

  /// Settings of the session, or of the template that it was made from; null: the file has neither.
  [[nodiscard]] const affix::config::SessionSettings* find_settings(
      std::string_view name) const noexcept;

  /// Directories whose disks are watched: of journals, of the log.
  struct Place {
    std::string path;
    std::string used;  ///< "journals", "log", "counters".
  };

  [[nodiscard]] const std::vector<Place>& places() const noexcept { return places_; }

 private:
  struct NameHash {
    using is_transparent = void;

    [[nodiscard]] std::size_t operator()(std::string_view name) const noexcept {
      return std::hash<std::string_view>()(name);
    }
  };

  void add_place(std::string path, const char* used);

  std::string base_;
  std::vector<WatchedSession> sessions_;
  std::unordered_map<std::string, std::size_t, NameHash, std::equal_to<>> by_name_;
  std::vector<affix::config::SessionSettings> templates_;
  std::vector<Place> places_;
};

}  // namespace affix::inline v0::tools::monitor
