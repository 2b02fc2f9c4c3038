// SPDX-License-Identifier: MIT
// Maps ClOrdIDs to orders. Names stay known after they were replaced or their order ended, so that
// reuse is noticed; when the table is full the name retired longest ago is forgotten first.
#pragma once

#include "order/slot_pool.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools {

/// Longest ClOrdID that is stored. FIX has no limit; longer ones are refused, never truncated.
inline constexpr std::size_t cl_ord_id_bytes_max = 63;

/// Number of a session, whose ClOrdIDs are separate from all others'.
using OwnerId = std::uint32_t;

/// Names in a fixed number of slots, in hash chains of slot numbers. One thread. Allocates while it
/// grows to `capacity`, never afterwards.
class ClOrdIdTable {
 public:
  using NameSlot = SlotPool<int>::Slot;
  using OrderSlot = std::uint32_t;

  static constexpr NameSlot no_name = SlotPool<int>::no_slot;

  explicit ClOrdIdTable(std::size_t capacity);

  /// The slot of `name` for `owner`, or no_name.
  [[nodiscard]] NameSlot find(OwnerId owner, std::string_view name) const noexcept;

  /// Adds a name that find() has not found, 1 to cl_ord_id_bytes_max bytes long. no_name: the table
  /// is full; call forget_oldest() and try again.
  [[nodiscard]] NameSlot insert(OwnerId owner, std::string_view name, OrderSlot order);

  /// Allows the table to forget the name. Once per name.
  void retire(NameSlot name) noexcept;

  /// Forgets the name retired longest ago and returns its order; nullopt if no name is retired.
  std::optional<OrderSlot> forget_oldest() noexcept;

  /// Valid until the name is forgotten.
  [[nodiscard]] std::string_view text(NameSlot name) const noexcept { return names_[name].view(); }

  [[nodiscard]] OrderSlot order(NameSlot name) const noexcept { return names_[name].order; }

  [[nodiscard]] OwnerId owner(NameSlot name) const noexcept { return names_[name].owner; }

  /// Calls `on_name(NameSlot)` for each retired name, the oldest first.
  template <typename OnName>
  void each_retired(OnName on_name) const {
    for (NameSlot name = oldest_retired_; name != no_name; name = names_[name].next_retired) {
      on_name(name);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return names_.in_use(); }

  [[nodiscard]] std::size_t capacity() const noexcept { return names_.capacity(); }

 private:
  struct Name {
    std::array<char, cl_ord_id_bytes_max> bytes;
    std::uint8_t size;
    OwnerId owner;
    OrderSlot order;
    std::uint32_t hash;
    NameSlot next_in_chain;
    NameSlot next_retired;

    [[nodiscard]] std::string_view view() const noexcept { return {bytes.data(), size}; }
  };

  [[nodiscard]] static std::uint32_t hash_of(OwnerId owner, std::string_view name) noexcept;

  [[nodiscard]] std::size_t chain_of(std::uint32_t hash) const noexcept {
    return hash & (chains_.size() - 1);
  }

  void unlink(NameSlot name) noexcept;

  SlotPool<Name> names_;
  std::vector<NameSlot> chains_;  // First name of each chain; their number is a power of two.
  NameSlot oldest_retired_ = no_name;
  NameSlot newest_retired_ = no_name;
};

}  // namespace affix::inline v0::tools
