// SPDX-License-Identifier: MIT
// QuickFIX as a contender of the session benchmark: its Session over its memory store, logged on,
// behind plain functions, because its headers compile only as C++14. No dictionary, no log, no
// socket: what it sends ends in a string. One receiver and one sender for the whole program.
#pragma once

#include "quickfix_codec.hpp"

#include <cstddef>
#include <cstdint>

namespace affix_bench {

/// Session::next of a copy of the bytes, which are a message for TRADER1 from EXCHANGE (FIX.4.4).
void quickfix_receive(const char* bytes, std::size_t size);

/// Sets or reads the next number that the receiver expects.
void quickfix_expect(std::uint64_t sequence);
std::uint64_t quickfix_expected();

/// Number of application messages that the receiver has delivered.
std::uint64_t quickfix_delivered();

/// Sets the fields of `order` (its number and SendingTime are the session's) and sends it from
/// CLIENT1 to EXECUTOR (FIXT.1.1). Returns the sent bytes: valid until the next call, terminated.
const char* quickfix_send(const QuickfixOrder& order);

}  // namespace affix_bench
