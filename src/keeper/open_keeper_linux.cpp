// SPDX-License-Identifier: MIT
// Chooses between the kinds of keepers.
#include "affix/keeper/keeper.hpp"

#include "keeper/socket_keeper.hpp"

#include <cstdlib>
#include <utility>

namespace affix::inline v0::keeper {

namespace {

std::unexpected<base::Error> no_name(std::string_view instance) {
  return base::invalid_argument(
      "'" + std::string(instance) + "' is not a name of 1 to 200 printable characters without ':'",
      "K101");
}

}  // namespace

std::expected<std::unique_ptr<Keeper>, base::Error> make_absent_keeper(std::string_view where,
                                                                       std::string_view instance) {
  return is_name(instance) ? make_absent_socket_keeper(std::string(where), instance)
                           : no_name(instance);
}

std::expected<std::unique_ptr<Keeper>, base::Error> open_keeper(std::string_view where,
                                                                std::string_view instance,
                                                                WhenOwned when_owned,
                                                                std::int64_t patience_ns) {
  if (!is_name(instance)) {
    return no_name(instance);
  }
  if (is_systemd(where)) {
    const char* const socket = std::getenv("NOTIFY_SOCKET");
    return open_systemd_keeper(socket == nullptr ? std::string() : std::string(socket));
  }
  return open_socket_keeper(std::string(where), instance, when_owned, patience_ns);
}

}  // namespace affix::inline v0::keeper
