// SPDX-License-Identifier: MIT
// How an acceptor finds the session that a connection's first message names.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/wire/view.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::config {

/// The ids that every session has: BeginString and both CompIDs, from our point of view. Sessions
/// that differ only in their sub and location ids share a key.
[[nodiscard]] std::string identity_key(std::string_view begin_string, std::string_view sender,
                                       std::string_view target);
[[nodiscard]] std::string identity_key(const SessionSettings& settings);

/// Key that a peer's message names: its target is our sender. Allocates; once per connection.
[[nodiscard]] std::string identity_key(const wire::MessageView& message);

/// Ids that distinguish sessions of one key; empty where the session has none.
struct FinerIds {
  std::string sender_sub_id;
  std::string sender_location_id;
  std::string target_sub_id;
  std::string target_location_id;
};

[[nodiscard]] FinerIds finer_ids(const SessionSettings& settings);

/// Number of the session's sub and location ids, all of which the message must have; -1 when it
/// lacks one. A session without them matches any message: many counterparties put a user in
/// SenderSubID. The best fit is the session that the peer means.
[[nodiscard]] int identity_fit(const FinerIds& ids, const wire::MessageView& message) noexcept;

/// "FIX.4.4:BANK->VENUE" with sub and location ids where they are set: for logs, and as the
/// identity that the session's journal is bound to.
[[nodiscard]] std::string identity_text(const SessionSettings& settings);

/// Appends letters, digits, `.` and `_` of `text` as they are, other bytes as `%XX`: different
/// texts stay different, and the result is a valid file name.
void append_plain(std::string& name, std::string_view text);

/// The name of a session's journal directory, as FIX.4.4-BANK+DESK-VENUE: letters, digits, `.` and
/// `_` of an id are kept and other bytes become `%XX`, so that two identities never share a
/// directory.
[[nodiscard]] std::string directory_name(const SessionSettings& settings);

}  // namespace affix::inline v0::config
