// SPDX-License-Identifier: MIT
// How many connections a server group has from each address, those that have not logged on apart.
// Several threads: the gate counts a connection in, and it leaves where its session ends.
#pragma once

#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace affix::inline v0::engine {

class AddressCounts;

/// One connection's part in the counts; given back when it is destroyed. Moved, not copied.
class AddressPlace {
 public:
  AddressPlace() noexcept = default;
  AddressPlace(AddressPlace&& other) noexcept = default;
  AddressPlace& operator=(AddressPlace&& other) noexcept;
  AddressPlace(const AddressPlace&) = delete;
  AddressPlace& operator=(const AddressPlace&) = delete;

  ~AddressPlace() { give_back(); }

  /// Its session is known: it does not wait for its Logon any more.
  void pass_gate() noexcept;

  void give_back() noexcept;

 private:
  friend class AddressCounts;

  AddressPlace(std::shared_ptr<AddressCounts> counts, std::string key) noexcept
      : counts_(std::move(counts)), key_(std::move(key)) {}

  std::shared_ptr<AddressCounts> counts_;  // Null: counted nowhere.
  std::string key_;
  bool before_logon_ = true;
};

/// Any thread. Its lock is met when a connection comes, logs on and goes, never by a message; an
/// address takes memory while it has a connection.
class AddressCounts : public std::enable_shared_from_this<AddressCounts> {
 public:
  /// 0: no limit.
  struct Limits {
    std::size_t all = 0;
    std::size_t before_logon = 0;
  };

  /// What became of one that came.
  struct Entry {
    AddressPlace place;
    std::string_view refusal;  ///< Empty: it is counted.
  };

  [[nodiscard]] Entry enter(const net::Address& address, const Limits& limits);

  /// Addresses that have a connection.
  [[nodiscard]] std::size_t addresses() const;

 private:
  friend class AddressPlace;

  struct Count {
    std::size_t all = 0;
    std::size_t before_logon = 0;
  };

  void leave(const std::string& key, bool before_logon) noexcept;
  void pass_gate(const std::string& key) noexcept;

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Count> counts_;
};

}  // namespace affix::inline v0::engine
