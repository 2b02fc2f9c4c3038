// SPDX-License-Identifier: MIT
// The messages in bytes that arrive in pieces of any size. Private to testing.
#pragma once

#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::testing {

/// One thread.
class MessageInput {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }

  /// A new connection begins.
  void clear() noexcept {
    bytes_.clear();
    framer_.reset();
  }

  /// Passes each whole message to `take`, indexed, and the error of bytes that are none to
  /// `on_garbled`. Ends at an incomplete message, or when `take` returns false: that message
  /// is passed again.
  template <typename OnGarbled, typename Take>
  void take(const OnGarbled& on_garbled, const Take& take) {
    std::string_view rest = bytes_;
    for (;;) {
      const wire::Frame frame = framer_.next(rest);
      if (frame.status == wire::FrameStatus::Partial) {
        break;
      }
      if (frame.status == wire::FrameStatus::Skip) {
        on_garbled(frame.error);
      } else {
        const std::string_view message = rest.substr(0, frame.size);
        wire::index_message(message, *index_);
        if (!take(wire::MessageView(message, *index_))) {
          framer_.reset();
          break;
        }
      }
      rest.remove_prefix(frame.size);
    }
    bytes_.erase(0, bytes_.size() - rest.size());
  }

 private:
  static constexpr std::uint32_t fields_max = 1024;

  wire::Framer framer_;
  std::string bytes_;
  std::unique_ptr<wire::FieldIndexOf<fields_max>> index_ =
      std::make_unique<wire::FieldIndexOf<fields_max>>();
};

}  // namespace affix::inline v0::testing
