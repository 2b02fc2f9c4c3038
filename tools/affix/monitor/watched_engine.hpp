// SPDX-License-Identifier: MIT
// One of the engines that a monitor watches: what its configuration says, who observes it, and what
// is done to it. Engines know nothing of each other, so that none of them waits for another.
#pragma once

#include "affix/engine/configuration.hpp"

#include "monitor/admin_client.hpp"
#include "monitor/alert_desk.hpp"
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

/// The places in it outlive all that looks at it. Any thread.
struct WatchedEngine {
  std::string name;           ///< Letters, digits, `-`, `_` and `.`; no other has it.
  std::string configuration;  ///< The file.
  std::string counters_file;
  Roster roster{};
  std::unique_ptr<Observer> observer{};
  std::unique_ptr<AlertDesk> alert_desk{};
  AdminPlace admin{};  ///< Where actions and questions go.

  /// The file or the engine has such a session, as the engine calls it.
  [[nodiscard]] bool knows(std::string_view session) const;
};

/// Those that a request is about, and that whoever makes it may see.
using ChosenEngines = std::vector<WatchedEngine*>;

/// All of them, and the names of their sessions: `ENGINE:SESSION` where there are several engines,
/// for each may have a session of the same name. Const once it is made.
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

  /// Null: there is none of that name.
  [[nodiscard]] WatchedEngine* find(std::string_view name) const noexcept;

  /// As everything but the engine itself calls the session.
  [[nodiscard]] std::string name_of(const WatchedEngine& engine, std::string_view session) const;

  struct Place {
    WatchedEngine* engine = nullptr;  ///< Null: none of these has such a session.
    std::string session;              ///< As the engine calls it.
  };

  /// The other way round; the engine need not have the session.
  [[nodiscard]] Place place_of(std::string_view name) const;

  /// What somebody means who names an engine, a session, or both; of one engine nobody has to name
  /// it. The error is a sentence: there are several and none is named, there is none of that name,
  /// or the session is another engine's.
  [[nodiscard]] std::expected<Place, std::string> chosen_place(std::string_view engine,
                                                               std::string_view session) const;

 private:
  std::vector<std::unique_ptr<WatchedEngine>> engines_;
};

/// What is allowed as an engine's name.
[[nodiscard]] bool is_engine_name(std::string_view name) noexcept;

}  // namespace affix::inline v0::tools::monitor
