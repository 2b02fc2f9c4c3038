// SPDX-License-Identifier: MIT
// The part of a connection's past that goes with it from the logon gate to its session.
#pragma once

#include "engine/address_counts.hpp"

#include <string>

namespace affix::inline v0::engine {

/// Facts about a peer that go with its connection to the session's worker.
struct PeerInfo {
  std::string peer;      ///< Its address and name, as text.
  AddressPlace place{};  ///< Counted for its address until this object is destroyed.
};

}  // namespace affix::inline v0::engine
