// SPDX-License-Identifier: MIT
// Who a connection's first message says it is for: how an acceptor finds the session.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/wire/view.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::engine {

/// What every session has: its BeginString and the CompIDs of both sides, from our point of view.
/// Sessions that differ in their sub and location ids only share a key.
[[nodiscard]] std::string identity_key(std::string_view begin_string, std::string_view sender,
                                       std::string_view target);
[[nodiscard]] std::string identity_key(const SessionSettings& settings);

/// The key that a peer's message is for: its target is our sender. Allocates; once per connection.
[[nodiscard]] std::string identity_key(const wire::MessageView& message);

/// What tells sessions of one key apart; empty where the session has none.
struct FinerIds {
  std::string sender_sub_id;
  std::string sender_location_id;
  std::string target_sub_id;
  std::string target_location_id;
};

[[nodiscard]] FinerIds finer_ids(const SessionSettings& settings);

/// How many of the session's sub and location ids the message names, all of which it must; -1 when
/// it does not. A session without them takes any: many counterparties put a user in SenderSubID.
/// The best fit is the session meant.
[[nodiscard]] int identity_fit(const FinerIds& ids, const wire::MessageView& message) noexcept;

/// "FIX.4.4:BANK->VENUE" with sub and location ids where they are set: for logs, and the identity
/// that the session's journal is bound to.
[[nodiscard]] std::string identity_text(const SessionSettings& settings);

/// Letters, digits, `.` and `_` of `text` as they are, other bytes as `%XX`: what it is told apart
/// by stays apart, and a file may be called so.
void append_plain(std::string& name, std::string_view text);

/// The name of a session's journal directory, as FIX.4.4-BANK+DESK-VENUE: letters, digits, `.` and
/// `_` of an id are kept and other bytes become `%XX`, so that two identities never share a
/// directory.
[[nodiscard]] std::string directory_name(const SessionSettings& settings);

}  // namespace affix::inline v0::engine
