// SPDX-License-Identifier: MIT
// Values that the shipper's worker and the control thread exchange without a lock.
#pragma once

#include "affix/replication/shipper.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace affix::inline v0::replication {

/// Values that a Shipper's worker and the control thread share. The control thread writes `gate`
/// alone, and the worker everything else.
struct ControlShare {
  /// How far a standby is behind, as of the worker's last turn.
  struct Lag {
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::int64_t> ns{0};
  };

  /// The number of the gate, which rises with each that is set, above its mask.
  using NumberedMask = std::uint64_t;

  static constexpr unsigned mask_bits = 32;

  [[nodiscard]] static constexpr NumberedMask numbered(std::uint64_t number,
                                                       StandbyMask mask) noexcept {
    return (number << mask_bits) | mask;
  }

  std::atomic<NumberedMask> gate{0};
  std::atomic<StandbyMask> caught_up{0};
  std::atomic<NumberedMask> covered{0};  ///< With the number of the gate that it is true of.
  std::atomic<StandbyMask> late{0};
  std::atomic<StandbyMask> connected{0};
  std::atomic<std::uint64_t> fenced_epoch{0};
  std::array<Lag, standbys_max> lags;
};

}  // namespace affix::inline v0::replication
