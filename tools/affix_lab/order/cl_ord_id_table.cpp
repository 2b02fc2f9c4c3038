// SPDX-License-Identifier: MIT
// Hash chains over pooled names, and a queue of retired ones.
#include "order/cl_ord_id_table.hpp"

#include "affix/base/assert.hpp"

#include <bit>
#include <cstring>

namespace affix::inline v0::tools {

ClOrdIdTable::ClOrdIdTable(std::size_t capacity)
    : names_(capacity), chains_(std::bit_ceil(capacity), no_name) {}

std::uint32_t ClOrdIdTable::hash_of(OwnerId owner, std::string_view name) noexcept {
  // Eight bytes at a time: ClOrdIDs are often a prefix and a counter, so each multiplication is
  // followed by folding in the high half, where the effect of the counter's last digits would
  // otherwise stay.
  constexpr std::uint64_t odd = 0x9E37'79B9'7F4A'7C15U;
  std::uint64_t state = (std::uint64_t{owner} << 32U | name.size()) * odd;
  const auto mix = [&state](std::uint64_t word) {
    state = (state ^ word) * odd;
    state ^= state >> 32U;
  };
  const char* bytes = name.data();
  std::size_t left = name.size();
  std::uint64_t word = 0;
  for (; left >= sizeof(word); left -= sizeof(word), bytes += sizeof(word)) {
    std::memcpy(&word, bytes, sizeof(word));
    mix(word);
  }
  if (left > 0) {
    word = 0;
    std::memcpy(&word, bytes, left);
    mix(word);
  }
  return static_cast<std::uint32_t>(state ^ (state >> 29U));
}

ClOrdIdTable::NameSlot ClOrdIdTable::find(OwnerId owner, std::string_view name) const noexcept {
  const std::uint32_t hash = hash_of(owner, name);
  for (NameSlot slot = chains_[chain_of(hash)]; slot != no_name;) {
    const Name& candidate = names_[slot];
    if (candidate.hash == hash && candidate.owner == owner && candidate.view() == name) {
      return slot;
    }
    slot = candidate.next_in_chain;
  }
  return no_name;
}

ClOrdIdTable::NameSlot ClOrdIdTable::insert(OwnerId owner, std::string_view name, OrderSlot order) {
  AFFIX_ASSERT(!name.empty() && name.size() <= cl_ord_id_bytes_max);
  const NameSlot slot = names_.take();
  if (slot == no_name) {
    return no_name;
  }
  Name& added = names_[slot];
  std::memcpy(added.bytes.data(), name.data(), name.size());
  added.size = static_cast<std::uint8_t>(name.size());
  added.owner = owner;
  added.order = order;
  added.hash = hash_of(owner, name);
  added.next_retired = no_name;
  NameSlot& first = chains_[chain_of(added.hash)];
  added.next_in_chain = first;
  first = slot;
  return slot;
}

void ClOrdIdTable::retire(NameSlot name) noexcept {
  AFFIX_DEBUG_ASSERT(names_[name].next_retired == no_name && name != newest_retired_);
  if (newest_retired_ == no_name) {
    oldest_retired_ = name;
  } else {
    names_[newest_retired_].next_retired = name;
  }
  newest_retired_ = name;
}

std::optional<ClOrdIdTable::OrderSlot> ClOrdIdTable::forget_oldest() noexcept {
  const NameSlot slot = oldest_retired_;
  if (slot == no_name) {
    return std::nullopt;
  }
  oldest_retired_ = names_[slot].next_retired;
  if (oldest_retired_ == no_name) {
    newest_retired_ = no_name;
  }
  unlink(slot);
  names_.give_back(slot);
  return names_[slot].order;
}

void ClOrdIdTable::unlink(NameSlot name) noexcept {
  NameSlot* link = &chains_[chain_of(names_[name].hash)];
  while (*link != name) {
    AFFIX_DEBUG_ASSERT(*link != no_name);
    link = &names_[*link].next_in_chain;
  }
  *link = names_[name].next_in_chain;
}

}  // namespace affix::inline v0::tools
