// SPDX-License-Identifier: MIT
// Who sends an order over loopback, and what of it is timed. No contender's own headers here, so
// that each may be compiled in its own version of C++: QuickFIX wants C++14, which has no
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

  /// The timed part: from the order's values to the kernel having its bytes. False: it was not
  /// sent.
  virtual bool send(std::uint64_t number) = 0;

  /// Between orders, not timed: keeps the way of the next one warm.
  virtual void warm() {}

  /// Between batches, not timed: timers, input.
  virtual void rest() {}
};

/// A plain send() of the same number of bytes, encoded before.
std::unique_ptr<Sender> make_raw_sender(std::uint16_t port);

/// The same by who reads the clock for the order's two times and copies its bytes into the pages of
/// a file in `directory`: what is left when session, codec and journal cost nothing. Null: `why`
/// says why.
std::unique_ptr<Sender> make_storing_sender(std::uint16_t port, const std::string& directory,
                                            std::string& why);

/// An engine's session, its order written field by field, or `prepared` once and its 34, 52, 11 and
/// 60 patched, stored in a mapped journal under `directory` and sent at once. Null: `why` says why.
std::unique_ptr<Sender> make_affix_sender(std::uint16_t port, const std::string& directory,
                                          const std::string& durability, bool prepared,
                                          std::string& why);

/// QuickFIX's initiator, the order in a Message that is filled anew each time; its file store under
/// `directory`, or with an empty one its memory store.
std::unique_ptr<Sender> make_quickfix_sender(std::uint16_t port, const std::string& directory,
                                             std::string& why);

}  // namespace affix_bench
