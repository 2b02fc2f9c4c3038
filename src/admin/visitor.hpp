// SPDX-License-Identifier: MIT
// One connection to the administration port.
#pragma once

#include "affix/admin/command.hpp"
#include "affix/admin/request.hpp"
#include "affix/journal/reader.hpp"
#include "affix/net/handler.hpp"

#include "admin/desk.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::admin {

/// A command whose answer is awaited.
struct UnderWay {
  Pending pending;
  std::optional<TapWish> wish;  ///< Its `pending` is moved to here.
  std::int64_t claim_until_ns = 0;
  std::int64_t finish_until_ns = 0;
};

/// Records as they are written.
struct Tap {
  std::string session;
  engine::SessionHandle handle;
  journal::Reader reader;
};

struct Visitor {
  net::ConnectionId id;
  bool open = false;
  std::string peer;
  Role role = Role::None;
  std::string name;  ///< Whose token it has shown; empty: one that names nobody, or none.
  bool has_shown_token = false;
  std::int64_t came_ns = 0;
  std::int64_t heard_ns = 0;   ///< When it said something last, or came.
  std::int64_t unread_ns = 0;  ///< Since when it has not read what waits; 0: nothing waits.

  Request request;  ///< The command at hand.
  const CommandDescription* command = nullptr;
  std::vector<std::string> words;
  std::optional<UnderWay> under_way;
  std::optional<Tap> tap;
  std::int64_t held_until_ns = 0;  ///< Its token was wrong: it is answered then; 0: no.

  std::string output;    ///< What it is to get.
  std::size_t sent = 0;  ///< So much of it the transport has.
  bool parked = false;   ///< The transport waits for the peer.
  bool reading_paused = false;
  bool closing = false;  ///< It is closed when it has all of `output`.

  /// It is to be told something before it may say more.
  [[nodiscard]] bool is_busy() const noexcept {
    return under_way || held_until_ns != 0 || closing || sent < output.size() || parked;
  }
};

}  // namespace affix::inline v0::admin
