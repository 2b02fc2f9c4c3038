// SPDX-License-Identifier: MIT
// One connection to the administration port.
#pragma once

#include "affix/admin/command.hpp"
#include "affix/admin/request.hpp"
#include "affix/journal/reader.hpp"
#include "affix/net/handler.hpp"

#include "admin/command_context.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::admin {

/// A command that waits for its answer.
struct UnderWay {
  Pending pending;
  std::optional<TapRequest> tap_request;  ///< Its `pending` is moved here.
  std::int64_t claim_until_ns = 0;
  std::int64_t finish_until_ns = 0;
};

/// A tap: shows records as they are written.
struct Tap {
  std::string session;
  host::SessionHandle handle;
  journal::Reader reader;
};

struct Client {
  net::ConnectionId id;
  bool open = false;
  std::string peer;
  Role role = Role::None;
  std::string name;  ///< Name of its token; empty: a token without a name, or none.
  bool has_shown_token = false;
  std::int64_t came_ns = 0;
  std::int64_t heard_ns = 0;   ///< Time of its last input, or of its connection.
  std::int64_t unread_ns = 0;  ///< Since when it has not read waiting output; 0: none waits.

  Request request;  ///< The present command.
  const CommandDescription* command = nullptr;
  std::vector<std::string> words;
  std::optional<UnderWay> under_way;
  std::optional<Tap> tap;
  std::int64_t held_until_ns = 0;  ///< Wrong token: delays the answer until then; 0: no.

  std::string output;    ///< Output for it.
  std::size_t sent = 0;  ///< Part of it that the transport has.
  bool parked = false;   ///< The transport waits for the peer.
  bool reading_paused = false;
  bool closing = false;  ///< It is closed once it has all of `output`.

  /// It must get an answer before it may send more.
  [[nodiscard]] bool is_busy() const noexcept {
    return under_way || held_until_ns != 0 || closing || sent < output.size() || parked;
  }
};

}  // namespace affix::inline v0::admin
