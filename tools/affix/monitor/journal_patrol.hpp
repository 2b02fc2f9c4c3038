// SPDX-License-Identifier: MIT
// Reads on in every session's journal, a little at a time, so that damage is told by somebody who
// looked and not by the next start of the engine.
#pragma once

#include "affix/journal/record.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace affix::inline v0::tools::monitor {

/// One thread. Begins with the newest segment of each journal and goes on with what is written;
/// holds no file open between looks.
class JournalPatrol {
 public:
  /// What is wrong with the journal in `directory`: nothing, or a sentence. Reads for at most
  /// `patience_ns`, and goes on from there the next time. A journal that is not there yet is sound.
  [[nodiscard]] std::optional<std::string> look(const std::string& directory,
                                                std::int64_t patience_ns);

 private:
  std::map<std::string, journal::Position> read_to_;  // By directory.
};

}  // namespace affix::inline v0::tools::monitor
