// SPDX-License-Identifier: MIT
// The owner's end of a connection to affix-keep.
#pragma once

#include "affix/keeper/keeper.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::keeper {

/// open_keeper() has the contract.
[[nodiscard]] std::expected<std::unique_ptr<Keeper>, base::Error> open_socket_keeper(
    std::string path, std::string_view instance, WhenOwned when_owned, std::int64_t patience_ns);

/// make_absent_keeper() has the contract.
[[nodiscard]] std::expected<std::unique_ptr<Keeper>, base::Error> make_absent_socket_keeper(
    std::string path, std::string_view instance);

}  // namespace affix::inline v0::keeper
