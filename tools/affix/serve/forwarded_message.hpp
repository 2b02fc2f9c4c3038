// SPDX-License-Identifier: MIT
// A received message as it is forwarded: its body unchanged, and the header fields that belong to
// the message and not to its session.
#pragma once

#include "affix/host/session_handle.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::serve {

/// How the header fields that route messages of third parties are mapped.
enum class Routing : std::uint8_t {
  Answer,  ///< 115, 116, 144 become 128, 129, 145 and the other way round: back to the sender.
  Onward,  ///< 128, 129, 145 have been used and are dropped; 115 is the sender, unless already set.
};

/// Text for the sender of a message that is not forwarded, after a name; and text without a name.
inline constexpr std::string_view unreachable_text = " cannot be reached";
inline constexpr std::string_view no_route_text = "no route for this message";

/// Views into the received message, or into a copy of it. Only content() allocates.
struct ForwardedMessage {
  std::string_view type;
  std::string_view body;  ///< Encoded fields.
  std::array<session::ExtraHeaderField, 9> header;
  std::size_t header_count = 0;

  void add(std::uint32_t tag, std::string_view value) noexcept;

  /// Ascending by tag.
  [[nodiscard]] std::span<const session::ExtraHeaderField> header_fields() const noexcept {
    return std::span(header).first(header_count);
  }

  /// Distinguishes it from others in the journal of the sending session: equals content_of() of the
  /// message made from it. Ignores PossResend (97), and `own_tags` in the header.
  [[nodiscard]] std::string content(std::span<const std::uint32_t> own_tags) const;
};

/// `message`, received by `from`, as it is sent on `to`.
[[nodiscard]] ForwardedMessage forwarded(host::SessionHandle from, const wire::MessageView& message,
                                         bool possible_resend, host::SessionHandle to,
                                         Routing routing) noexcept;

/// Content of a message that a session has sent. `own_tags`: header fields that the session writes
/// into every message, which no forwarded message brings.
[[nodiscard]] std::string content_of(const wire::MessageView& sent,
                                     std::span<const std::uint32_t> own_tags);

/// True if `stored`, read from the journal of `from`, has a mask in place of a secret value.
[[nodiscard]] bool lacks_secret(host::SessionHandle from, const wire::MessageView& stored) noexcept;

}  // namespace affix::inline v0::tools::serve
