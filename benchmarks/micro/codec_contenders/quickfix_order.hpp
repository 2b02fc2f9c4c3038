// SPDX-License-Identifier: MIT
// The seed's NewOrderSingle as a QuickFIX user fills it in. For this folder's C++14 files only.
#pragma once

#include "quickfix_codec.hpp"

#include <cstdint>
#include <quickfix/Message.h>

namespace affix_bench {

FIX::UtcTimeStamp quickfix_time_stamp(std::int64_t time_ns);

/// Sets all body fields in a Message that has none of them.
void quickfix_set_order(FIX::Message& message, const QuickfixOrder& order);

}  // namespace affix_bench
