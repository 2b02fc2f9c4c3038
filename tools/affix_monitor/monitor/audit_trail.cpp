// SPDX-License-Identifier: MIT
// Uses the log's sinks for each line.
#include "monitor/audit_trail.hpp"

#include "affix/service/log_sink.hpp"

namespace affix::inline v0::tools::monitor {

std::expected<void, base::Error> AuditTrail::write(std::int64_t utc_ns, std::string_view session,
                                                   std::string_view text) const {
  auto sink =
      path_.empty()
          ? service::SinkOrError(service::log_to_standard_error(service::LogForm::Text))
          : service::open_log_file({.path = path_, .durability = service::LogDurability::Disk},
                                   service::LogForm::Text);
  if (!sink) {
    return std::unexpected(std::move(sink.error()));
  }
  if (!(*sink)->write({.utc_ns = utc_ns,
                       .severity = host::Event::Severity::Info,
                       .session = session,
                       .text = text,
                       .code = "M119"})) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "there is no room for it", path_, "M115"});
  }
  return (*sink)->flush();
}

}  // namespace affix::inline v0::tools::monitor
