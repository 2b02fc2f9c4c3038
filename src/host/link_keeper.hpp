// SPDX-License-Identifier: MIT
// Interface of sessions to what keeps their connections for a later process.
#pragma once

#include "affix/net/socket.hpp"

#include "host/link_record.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::host {

/// Shared by an engine's workers: every function is called by any of their threads. None waits for
/// another process.
class LinkKeeper {
 public:
  LinkKeeper(const LinkKeeper&) = delete;
  LinkKeeper& operator=(const LinkKeeper&) = delete;

  /// A row for a connection that begins; null: there is none left, and the connection is not kept.
  [[nodiscard]] virtual LinkRecord* take(std::uint64_t identity, std::string_view name,
                                         std::uint32_t role) noexcept = 0;

  /// The row's session is logged on: `duplicate` of its socket is to outlive the process. A system
  /// call.
  virtual void hold(const LinkRecord& row, net::Socket duplicate) noexcept = 0;

  /// The row's connection has ended, or is not kept after all; the row is free from here on. A
  /// system call if it was held.
  virtual void drop(LinkRecord& row) noexcept = 0;

 protected:
  LinkKeeper() = default;
  ~LinkKeeper() = default;
};

}  // namespace affix::inline v0::host
