// SPDX-License-Identifier: MIT
// Details of one session: its effective configuration, and when its schedule opens and closes next.
#pragma once

#include "monitor/request.hpp"
#include "monitor/watched_engine.hpp"

#include <cstdint>

namespace affix::inline v0::tools::monitor {

/// The engine's present values, if its administration port accepts the request's token, or none
/// over loopback; otherwise those of the monitor's file, with the reason. Waits for the port like
/// ask_admin().
[[nodiscard]] Answer answer_session(const Request& request, const Fleet& fleet,
                                    const ChosenEngines& engines, std::int64_t utc_ns);

}  // namespace affix::inline v0::tools::monitor
