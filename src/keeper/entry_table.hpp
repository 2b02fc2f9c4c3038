// SPDX-License-Identifier: MIT
// The descriptors that a server holds, by instance and name. Of fixed size.
#pragma once

#include "affix/net/socket.hpp"

#include "keeper/protocol.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace affix::inline v0::keeper {

/// Allocates in the constructor only. A search compares a number of each entry: few
/// microseconds, whenever a connection begins or ends.
class EntryTable {
 public:
  explicit EntryTable(std::size_t size) : hashes_(size), entries_(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return hashes_.size(); }

  /// Replaces an entry of the same name. False: the table is full; `socket` is closed.
  [[nodiscard]] bool put(std::size_t instance, std::string_view name, net::Socket socket) noexcept;

  /// Closes it. False: there is none of that name.
  bool remove(std::size_t instance, std::string_view name) noexcept;

  /// Closes all of the instance; `end_connections` shuts connections down, so that their peers know
  /// even if another process has a duplicate. Returns how many there were.
  std::size_t remove_all(std::size_t instance, bool end_connections) noexcept;

  [[nodiscard]] std::size_t count(std::size_t instance) const noexcept;

  struct Entry {
    std::size_t instance = 0;
    net::Socket socket{};
    std::size_t name_size = 0;
    std::array<char, name_bytes_max> name_bytes{};

    [[nodiscard]] std::string_view name() const noexcept { return {name_bytes.data(), name_size}; }
  };

  /// Place of the first entry of the instance at or after `place`; size() if there is none.
  [[nodiscard]] std::size_t next(std::size_t instance, std::size_t place) const noexcept;

  /// At a place that next() returned.
  [[nodiscard]] const Entry& at(std::size_t place) const noexcept { return entries_[place]; }

 private:
  [[nodiscard]] std::size_t find(std::size_t instance, std::string_view name) const noexcept;
  void clear(std::size_t place) noexcept;

  std::vector<std::uint64_t> hashes_;  ///< 0: the place is free.
  std::vector<Entry> entries_;
};

}  // namespace affix::inline v0::keeper
