// SPDX-License-Identifier: MIT
// Counts a server group's connections per address, with a separate count of those before logon.
// Used by several threads: the logon gate adds a connection, the worker removes it when its
// session's connection ends.
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

/// One connection's part in the counts; its destructor gives it back. Moved, not copied.
class AddressPlace {
 public:
  AddressPlace() noexcept = default;
  AddressPlace(AddressPlace&& other) noexcept = default;
  AddressPlace& operator=(AddressPlace&& other) noexcept;
  AddressPlace(const AddressPlace&) = delete;
  AddressPlace& operator=(const AddressPlace&) = delete;

  ~AddressPlace() { give_back(); }

  /// Ends the count as "before logon": the connection's session is known.
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

/// Any thread. The lock is taken when a connection comes, logs on and goes, never for a message; an
/// address takes memory only while it has a connection.
class AddressCounts : public std::enable_shared_from_this<AddressCounts> {
 public:
  /// 0: no limit.
  struct Limits {
    std::size_t all = 0;
    std::size_t before_logon = 0;
  };

  /// Result of counting a new connection.
  struct Entry {
    AddressPlace place;
    std::string_view refusal;  ///< Empty: the connection is counted.
  };

  [[nodiscard]] Entry enter(const net::Address& address, const Limits& limits);

  /// Number of addresses that have a connection.
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
