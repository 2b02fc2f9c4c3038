// SPDX-License-Identifier: MIT
// Plays scenarios against any acceptor elsewhere: real connections, real time.
#pragma once

#include "affix/net/address.hpp"

#include "stage.hpp"

namespace affix::conformance {

[[nodiscard]] std::unique_ptr<Stage> make_address_stage(const net::Address& address);

}  // namespace affix::conformance
