// SPDX-License-Identifier: MIT
// A received message as it is sent on: its body as it came, and of the header what belongs to the
// message and not to its session.
#pragma once

#include "affix/engine/session_handle.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::serve {

/// How the header fields that route third parties' messages are carried over.
enum class Routing : std::uint8_t {
  Answer,  ///< 115, 116, 144 become 128, 129, 145 and the other way round: back to who sent it.
  Onward,  ///< 128, 129, 145 have been followed and go; 115 is the sender, unless it is there.
};

/// What a sender is told of a message that does not go on: behind a name, and instead of one.
inline constexpr std::string_view unreachable_text = " cannot be reached";
inline constexpr std::string_view no_route_text = "no route for this message";

/// Views into the message that came, or into a copy of it. No allocation but in content().
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

  /// What tells it from others in the journal of the session that sent it: the same as content_of()
  /// of the message that was made of it. PossResend (97) does not count.
  [[nodiscard]] std::string content() const;
};

/// `message`, which `from` received, as it goes out on `to`.
[[nodiscard]] ForwardedMessage forwarded(engine::SessionHandle from,
                                         const wire::MessageView& message, bool possible_resend,
                                         engine::SessionHandle to, Routing routing) noexcept;

/// Of a message that a session has sent.
[[nodiscard]] std::string content_of(const wire::MessageView& sent);

}  // namespace affix::inline v0::tools::serve
