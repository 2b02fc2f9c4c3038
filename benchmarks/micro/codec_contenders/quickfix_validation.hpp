// SPDX-License-Identifier: MIT
// QuickFIX's dictionary validation as a contender, behind plain functions, because its headers
// compile only as C++14. One Message is reused per thread, which a QuickFIX session does not do:
// QuickFIX at its best.
#pragma once

#include <cstddef>

namespace affix_bench {

/// Two files read by QuickFIX, with all checks on, which is its sessions' default.
class QuickfixDictionaries {
 public:
  /// Both paths end with 0. Exits the program when a file cannot be read, since there is nothing to
  /// measure.
  QuickfixDictionaries(const char* transport, const char* application);
  QuickfixDictionaries(const QuickfixDictionaries&) = delete;
  QuickfixDictionaries& operator=(const QuickfixDictionaries&) = delete;
  ~QuickfixDictionaries();

  struct Parts;

  const Parts& parts() const { return *parts_; }

 private:
  Parts* parts_;
};

/// QuickFIX's objection to a message, as its session would put it into a Reject.
struct QuickfixVerdict {
  int reason;  ///< 373; -1: none; -2: the message is garbled.
  int tag;     ///< 371; -1: none.
};

/// Message::setString with both dictionaries (which the groups need), then
/// DataDictionary::validate.
QuickfixVerdict quickfix_parse_and_validate(const QuickfixDictionaries& dictionaries,
                                            const char* bytes, std::size_t size);

/// Message::setString alone.
bool quickfix_parse_with(const QuickfixDictionaries& dictionaries, const char* bytes,
                         std::size_t size);

}  // namespace affix_bench
