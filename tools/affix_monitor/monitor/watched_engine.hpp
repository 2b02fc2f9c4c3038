// SPDX-License-Identifier: MIT
// One of the engines that a monitor watches: its configuration, observer and administration port.
// Engines are independent, so that none waits for another.
#pragma once

#include "affix/config/configuration.hpp"

#include "administration/admin_client.hpp"
#include "monitor/alert_service.hpp"
#include "monitor/roster.hpp"
#include "monitor/snapshot.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Its members outlive all users of it. Any thread.
struct WatchedEngine {
  std::string name;           ///< Letters, digits, `-`, `_` and `.`; unique.
  std::string configuration;  ///< The file.
  std::string counters_file;
  Roster roster{};
  std::unique_ptr<Observer> observer{};
  std::unique_ptr<AlertService> alert_service{};
  AdminPlace admin{};  ///< Address for actions and queries.

  /// True if the file or the engine has this session, by the engine's name for it.
  [[nodiscard]] bool knows(std::string_view session) const;
};

/// The engines that a request concerns and that its client may read.
using ChosenEngines = std::vector<WatchedEngine*>;

/// All engines, and the names of their sessions: `ENGINE:SESSION` with several engines, as each may
/// have a session of the same name. Const once it is made.
class Fleet {
 public:
  Fleet() = default;

  explicit Fleet(std::vector<std::unique_ptr<WatchedEngine>> engines)
      : engines_(std::move(engines)) {}

  [[nodiscard]] std::size_t size() const noexcept { return engines_.size(); }

  [[nodiscard]] bool several() const noexcept { return engines_.size() > 1; }

  [[nodiscard]] WatchedEngine& operator[](std::size_t number) const noexcept {
    return *engines_[number];
  }

  /// Null: there is no such engine.
  [[nodiscard]] WatchedEngine* find(std::string_view name) const noexcept;

  /// The session's name outside its engine.
  [[nodiscard]] std::string name_of(const WatchedEngine& engine, std::string_view session) const;

  struct Place {
    WatchedEngine* engine = nullptr;  ///< Null: no engine has such a session.
    std::string session;              ///< The engine's name for it.
  };

  /// The reverse; the engine need not have the session.
  [[nodiscard]] Place place_of(std::string_view name) const;

  /// Resolves an engine, a session, or both; with one engine, its name may be omitted. Errors:
  /// there are several and none is named, there is none of that name, or the session is another
  /// engine's.
  [[nodiscard]] std::expected<Place, base::Error> chosen_place(std::string_view engine,
                                                               std::string_view session) const;

 private:
  std::vector<std::unique_ptr<WatchedEngine>> engines_;
};

/// True if the text is valid as an engine's name.
[[nodiscard]] bool is_engine_name(std::string_view name) noexcept;

}  // namespace affix::inline v0::tools::monitor
