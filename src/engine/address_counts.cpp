// SPDX-License-Identifier: MIT
// Counts connections by address.
#include "engine/address_counts.hpp"

#include <utility>

namespace affix::inline v0::engine {

namespace {

/// A peer with an IPv6 address has its whole 64-bit network, and may use any address in it.
constexpr std::size_t network_bytes = 8;

std::string key_of(const net::Address& address) {
  const std::string_view host = address.host_bytes();
  return std::string(address.is_ipv6() ? host.substr(0, network_bytes) : host);
}

}  // namespace

AddressPlace& AddressPlace::operator=(AddressPlace&& other) noexcept {
  if (this != &other) {
    give_back();
    counts_ = std::move(other.counts_);
    key_ = std::move(other.key_);
    before_logon_ = other.before_logon_;
  }
  return *this;
}

void AddressPlace::pass_gate() noexcept {
  if (counts_ != nullptr && std::exchange(before_logon_, false)) {
    counts_->pass_gate(key_);
  }
}

void AddressPlace::give_back() noexcept {
  if (const std::shared_ptr<AddressCounts> counts = std::exchange(counts_, nullptr)) {
    counts->leave(key_, before_logon_);
  }
}

AddressCounts::Entry AddressCounts::enter(const net::Address& address, const Limits& limits) {
  std::string key = key_of(address);
  const std::lock_guard guard(mutex_);
  const auto known = counts_.find(key);
  const Count now = known == counts_.end() ? Count() : known->second;
  if (limits.all != 0 && now.all >= limits.all) {
    return {{}, "too many connections from its address"};
  }
  if (limits.before_logon != 0 && now.before_logon >= limits.before_logon) {
    return {{}, "too many connections from its address that have not logged on"};
  }
  Count& count = known == counts_.end() ? counts_[key] : known->second;
  ++count.all;
  ++count.before_logon;
  return {AddressPlace(shared_from_this(), std::move(key)), {}};
}

std::size_t AddressCounts::addresses() const {
  const std::lock_guard guard(mutex_);
  return counts_.size();
}

void AddressCounts::leave(const std::string& key, bool before_logon) noexcept {
  const std::lock_guard guard(mutex_);
  const auto found = counts_.find(key);
  if (found == counts_.end()) {
    return;
  }
  found->second.before_logon -= before_logon ? 1 : 0;
  if (--found->second.all == 0) {
    counts_.erase(found);
  }
}

void AddressCounts::pass_gate(const std::string& key) noexcept {
  const std::lock_guard guard(mutex_);
  if (const auto found = counts_.find(key); found != counts_.end()) {
    --found->second.before_logon;
  }
}

}  // namespace affix::inline v0::engine
