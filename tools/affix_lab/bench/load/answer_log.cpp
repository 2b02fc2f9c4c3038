// SPDX-License-Identifier: MIT
// Writes the rows as text.
#include "bench/load/answer_log.hpp"

#include <fstream>

namespace affix::inline v0::tools::bench {

std::expected<void, base::Error> AnswerLog::write(const std::string& path) const {
  std::ofstream file(path, std::ios::trunc);
  file << "event,session,due_ns,written_ns,answered_ns\n";
  for (const Row& row : rows_) {
    file << (row.event == LoggedEvent::Order ? "order," : "logon,") << row.session << ','
         << row.due_ns << ',' << row.written_ns << ',' << row.answered_ns << '\n';
  }
  file.close();
  if (!file) {
    return std::unexpected(base::Error{base::ErrorCode::Io, "cannot be written", path, "L101"});
  }
  return {};
}

}  // namespace affix::inline v0::tools::bench
