// SPDX-License-Identifier: MIT
// What is asked for of one session at a time: its effective configuration, and when its schedule
// opens and closes next.
#pragma once

#include "monitor/request.hpp"
#include "monitor/watched_engine.hpp"

#include <cstdint>

namespace affix::inline v0::tools::monitor {

/// As the engine says it now, where its administration port answers the request's token, or none
/// over loopback; else as the monitor's file says it, with the reason. Waits for the port as
/// ask_admin() does.
[[nodiscard]] Answer answer_session(const Request& request, const Fleet& fleet,
                                    const ChosenEngines& engines, std::int64_t utc_ns);

}  // namespace affix::inline v0::tools::monitor
