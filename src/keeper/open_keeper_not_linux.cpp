// SPDX-License-Identifier: MIT
// Only Linux has local sockets that keep messages apart and tell who has sent them.
#include "affix/keeper/keeper.hpp"

#include <string>

namespace affix::inline v0::keeper {

namespace {

std::unexpected<base::Error> only_linux(std::string_view where) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "a keeper of connections is there on Linux only",
                                     std::string(where), "K309"});
}

}  // namespace

std::expected<std::unique_ptr<Keeper>, base::Error> make_absent_keeper(
    std::string_view where, std::string_view /*instance*/) {
  return only_linux(where);
}

std::expected<std::unique_ptr<Keeper>, base::Error> open_keeper(std::string_view where,
                                                                std::string_view /*instance*/,
                                                                WhenOwned /*when_owned*/,
                                                                std::int64_t /*patience_ns*/) {
  return only_linux(where);
}

}  // namespace affix::inline v0::keeper
