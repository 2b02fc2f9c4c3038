// SPDX-License-Identifier: MIT
// Application messages sent on from one session to another, byte for byte but for their headers.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::tools::serve {

/// How the header fields that route third parties' messages are carried over.
enum class Routing : std::uint8_t {
  Answer,  ///< 115, 116, 144 become 128, 129, 145 and the other way round: back to who sent it.
  Onward,  ///< 128, 129, 145 have been followed and go; 115 is the sender, unless it is there.
};

/// Keeps messages that a session does not take for the time being, in order and within a bound,
/// until it does. What waits hangs on the receiving session's user pointer, which nobody else may
/// use. Sender and receiver of a message are sessions of one worker; different workers may forward
/// at the same time. No allocation for a message that goes out at once.
class Forwarder {
 public:
  static constexpr std::size_t waiting_bytes_max = std::size_t{64} << 20;  ///< For each session.

  enum class Outcome : std::uint8_t {
    Sent,     ///< Or numbered and stored for the next logon.
    Waiting,  ///< Goes out with on_room().
    Refused,  ///< The session is not logged on, is stopped, or cannot encode it; nothing goes out.
    Full,     ///< waiting_bytes_max are waiting; nothing goes out.
  };

  /// A message that was told to be waiting, and does not go out after all.
  struct Lost {
    engine::SessionHandle from;
    std::uint64_t sequence = 0;  ///< Its number from there.
    std::string type;
  };

  explicit Forwarder(std::size_t bytes_max = waiting_bytes_max) noexcept : bytes_max_(bytes_max) {}

  /// Sends `message`, which `from` received, on `to`. What may have been sent before says so with
  /// PossResend (97).
  Outcome forward(engine::SessionHandle from, const wire::MessageView& message,
                  const engine::Delivery& delivery, engine::SessionHandle to, Routing routing);

  /// The session may take messages again: sends what waits for it. What it refused for good.
  std::vector<Lost> on_room(engine::SessionHandle to);

  /// What waits for the session is not sent any more.
  std::vector<Lost> drop(engine::SessionHandle to);

 private:
  /// What is sent, as views into the message that came or into a copy of it.
  struct Piece {
    std::string_view type;
    std::string_view body;  ///< Encoded fields.
    std::array<session::ExtraHeaderField, 9> header;
    std::size_t header_count = 0;

    void add(std::uint32_t tag, std::string_view value) noexcept;
  };

  struct HeaderCopy {
    std::uint32_t tag = 0;
    std::string value;
  };

  struct Copy {
    Lost origin;
    std::string body;
    std::vector<HeaderCopy> header;

    [[nodiscard]] std::size_t bytes() const noexcept { return origin.type.size() + body.size(); }
  };

  struct Queue {
    std::deque<Copy> copies;
    std::size_t bytes = 0;
  };

  static Piece piece_of(engine::SessionHandle from, const wire::MessageView& message,
                        const engine::Delivery& delivery, engine::SessionHandle to,
                        Routing routing);
  static Piece piece_of(const Copy& copy);
  static engine::SendStatus send(const Piece& piece, engine::SessionHandle to);
  Queue& queue_of(engine::SessionHandle to);

  std::size_t bytes_max_;
  std::mutex mutex_;  // Of queues_ alone: a queue itself is its worker's.
  std::unordered_map<const void*, std::unique_ptr<Queue>> queues_;  // Those that are not empty.
};

[[nodiscard]] const char* to_text(Forwarder::Outcome outcome) noexcept;

}  // namespace affix::inline v0::tools::serve
