// SPDX-License-Identifier: MIT
// A sender of orders over loopback, and its timed part. Without the contenders' own headers, so
// that each can be compiled in its own version of C++: QuickFIX needs C++14, which has no
// nodiscard.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace affix_bench {

/// A contender, connected and logged on. One thread.
class Sender {
 public:
  Sender() = default;
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  virtual ~Sender() = default;

  /// The timed part: from the order's values until the kernel has its bytes. False: it was not
  /// sent.
  virtual bool send(std::uint64_t number) = 0;

  /// Between orders, not timed: keeps the next one's code and data in the caches.
  virtual void warm() {}

  /// Between batches, not timed: timers, input.
  virtual void rest() {}
};

/// A plain send() of the same number of bytes, encoded before.
std::unique_ptr<Sender> make_raw_sender(std::uint16_t port);

/// The same with a clock reading for the order's two times and a copy of its bytes into the pages
/// of a file in `directory`: the cost if session, codec and journal were free. Null: `why` has the
/// reason.
std::unique_ptr<Sender> make_storing_sender(std::uint16_t port, const std::string& directory,
                                            std::string& why);

/// An engine's session, its order written field by field, or `prepared` with 34, 52, 11 and 60
/// patched, stored in a mapped journal under `directory`, sent at once. Null: `why` has the reason.
std::unique_ptr<Sender> make_affix_sender(std::uint16_t port, const std::string& directory,
                                          const std::string& durability, bool prepared,
                                          std::string& why);

/// QuickFIX's initiator, with the order in a Message filled each time; its file store under
/// `directory`, or its memory store if that is empty.
std::unique_ptr<Sender> make_quickfix_sender(std::uint16_t port, const std::string& directory,
                                             std::string& why);

}  // namespace affix_bench
