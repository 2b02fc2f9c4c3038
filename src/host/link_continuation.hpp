// SPDX-License-Identifier: MIT
// Where an earlier process left a connection, from its row, the journal and the kernel's count.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/journal/journal.hpp"
#include "affix/session/secrets.hpp"
#include "affix/session/state.hpp"
#include "affix/wire/index.hpp"

#include "host/link_record.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::host {

/// How to continue a connection.
struct LinkContinuation {
  session::ContinuedState state{};
  OutputPlace place{};  ///< Of the row's two, the one from which the connection goes on.
  std::string rest{};   ///< Bytes to send before any others: stored, and not with the kernel.
  /// Messages of the peer whose answers that process may not have sent, in the order of their
  /// numbers.
  std::vector<std::string> unanswered{};
};

/// Reads what is needed of `journal`, whose files are in `directory` and which has no other writer.
/// `taken`: the number of bytes that the kernel has taken on this connection. An error says why the
/// connection cannot be continued; its text is static. `secret_tags` and `data_fields` as for
/// session::holds_mask() and wire::index_message(). Opens files; allocates.
[[nodiscard]] std::expected<LinkContinuation, base::CodedText> find_continuation(
    const LinkRecord& row, std::uint64_t taken, const journal::Journal& journal,
    const std::string& directory, session::SecretTags secret_tags,
    const wire::DataFields& data_fields);

/// The same for a connection that another node of this machine has passed on: it had sent all of
/// its output, and `journal` has everything that it had stored. Reads no file.
[[nodiscard]] std::expected<LinkContinuation, base::CodedText> find_passed(
    const LinkRecord& row, std::uint64_t taken, const journal::Journal& journal);

}  // namespace affix::inline v0::host
