// SPDX-License-Identifier: MIT
// The order in which an engine executed the requests of recorded sessions.
#pragma once

#include "certify/recorded_message.hpp"

#include <string_view>
#include <vector>

namespace affix::inline v0::tools::certify {

/// Puts messages, which are in the order of time, in an order in which they can be played again
/// with the same result. What was seen first on the way to an engine need not be executed first: a
/// capture has a request long before its answer, and other sessions' requests in between; several
/// journals have one time for all messages of a turn.
///
/// ExecIDs (17) that end with numbers, each higher than those before it on its session and no two
/// alike, number the engine's reports. Then reports are put in the order of their numbers, and each
/// request after the first answer to the request that was executed before it, or, if it was
/// refused, before its answer. An answer that has no number, such as a refusal, was executed before
/// the request whose report follows it on its session. Each session keeps the order of its answers
/// and of its requests, and no request comes before an answer that it came after. Without such
/// numbers the order stays. Messages of other sides than `engine` and its peers
/// are left out, and those for which is_kept_by_player() is true.
[[nodiscard]] std::vector<RecordedMessage> in_execution_order(std::vector<RecordedMessage> messages,
                                                              std::string_view engine);

}  // namespace affix::inline v0::tools::certify
