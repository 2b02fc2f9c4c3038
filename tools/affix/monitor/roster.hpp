// SPDX-License-Identifier: MIT
// The sessions of a configuration, as somebody sees them who does not run them.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/engine/session_hours.hpp"

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
  engine::SessionSettings settings;
  std::string instance;  ///< Also where the file leaves it out.
  engine::SessionHours hours;
  std::string journal;  ///< Its directory; empty: none on disk.
  bool initiator = false;
};

/// Const after construction; any thread.
class Roster {
 public:
  /// Problems with time zones and holidays files.
  /// Relative paths of the configuration lead from `base`, or, where that is empty, from the
  /// working directory.
  [[nodiscard]] static std::expected<Roster, engine::Problems> of(
      const engine::Configuration& configuration, std::string base = {});

  /// Where a path of the configuration, or of its engine, leads.
  [[nodiscard]] std::string resolve(const std::string& path) const;

  [[nodiscard]] const std::vector<WatchedSession>& sessions() const noexcept { return sessions_; }

  /// Null for a session that the file does not have. One made from a template, `CLIENTS/C17`, is
  /// not in the file; find_template gives what it was made from.
  [[nodiscard]] const WatchedSession* find(std::string_view name) const noexcept;
  [[nodiscard]] const engine::SessionSettings* find_template(std::string_view name) const noexcept;

  /// Of the session, or of the template that it was made from; null: the file has neither.
  [[nodiscard]] const engine::SessionSettings* find_settings(std::string_view name) const noexcept;

  /// Directories whose disks matter: of journals, of the log.
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
  std::vector<engine::SessionSettings> templates_;
  std::vector<Place> places_;
};

}  // namespace affix::inline v0::tools::monitor
