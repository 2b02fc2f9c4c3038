// SPDX-License-Identifier: MIT
// Combines and splits names.
#include "monitor/watched_engine.hpp"

#include <algorithm>
#include <cctype>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr char separator = ':';
constexpr std::size_t name_bytes_max = 64;

}  // namespace

bool WatchedEngine::knows(std::string_view session) const {
  const auto snapshot = observer->snapshot();
  return roster.find(session) != nullptr ||
         (snapshot != nullptr && snapshot->find(session) != nullptr);
}

WatchedEngine* Fleet::find(std::string_view name) const noexcept {
  const auto found =
      std::ranges::find_if(engines_, [&](const auto& engine) { return engine->name == name; });
  return found == engines_.end() ? nullptr : found->get();
}

std::string Fleet::name_of(const WatchedEngine& engine, std::string_view session) const {
  return several() ? engine.name + separator + std::string(session) : std::string(session);
}

Fleet::Place Fleet::place_of(std::string_view name) const {
  if (!several()) {
    return {engines_.empty() ? nullptr : engines_.front().get(), std::string(name)};
  }
  const std::size_t end = name.find(separator);
  if (end == std::string_view::npos) {
    return {};
  }
  return {find(name.substr(0, end)), std::string(name.substr(end + 1))};
}

std::expected<Fleet::Place, base::Error> Fleet::chosen_place(std::string_view engine,
                                                             std::string_view session) const {
  WatchedEngine* const named = engine.empty() ? nullptr : find(engine);
  if (!engine.empty() && named == nullptr) {
    return base::invalid_argument("there is no engine '" + std::string(engine) + "'", "M128");
  }
  if (session.empty()) {
    if (named == nullptr && several()) {
      return base::invalid_argument("`engine` must name one of the engines", "M128");
    }
    return Place{named != nullptr || engines_.empty() ? named : engines_.front().get(), {}};
  }
  Place place = place_of(session);
  if (engines_.empty()) {
    return Place{nullptr, std::string(session)};
  }
  if (place.engine == nullptr) {
    return base::invalid_argument("there are several engines: write the session as ENGINE:NAME",
                                  "M128");
  }
  if (named != nullptr && named != place.engine) {
    return base::invalid_argument("the session is another engine's", "M128");
  }
  return place;
}

bool is_engine_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= name_bytes_max &&
         std::ranges::all_of(name, [](char letter) {
           return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
                  letter == '_' || letter == '.';
         });
}

}  // namespace affix::inline v0::tools::monitor
