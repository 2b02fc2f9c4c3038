// SPDX-License-Identifier: MIT
// Records made readable: without their secrets, with the names of the session's own dictionary.
#pragma once

#include "affix/journal/record.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "log/entry.hpp"
#include "log/message_names.hpp"
#include "log/redaction.hpp"
#include "monitor/watched_engine.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::monitor {

/// A record as it may be shown. Views live until the lens looks at another.
struct SeenRecord {
  log::Entry entry;
  wire::MessageView message;  ///< Without fields when the record has none.
  const log::MessageNames* names = nullptr;
  std::string id;  ///< `SESSION/SEGMENT:OFFSET`, with the session as the fleet calls it.
};

/// One thread. Loads a dictionary when it is first needed.
class MessageLens {
 public:
  explicit MessageLens(const Fleet& fleet);
  ~MessageLens();

  /// `session` as the fleet calls it.
  [[nodiscard]] SeenRecord look(const journal::Record& record, const std::string& session);

 private:
  struct Glass;

  [[nodiscard]] Glass& glass_of(const std::string& session);

  /// Larger than what the engine takes, so that whatever it stored can be shown.
  using Index = wire::FieldIndexOf<16'384>;

  const Fleet& fleet_;
  std::unique_ptr<Index> index_;
  std::map<std::string, std::unique_ptr<log::MessageNames>, std::less<>> names_;  // By files.
  std::map<std::string, std::unique_ptr<Glass>, std::less<>> glasses_;            // By session.
};

[[nodiscard]] std::string message_id(std::string_view session, journal::Position position);

/// The session and position that an id names; an invalid position: it is none.
struct MessagePlace {
  std::string session;
  journal::Position position;
};

[[nodiscard]] MessagePlace place_of_id(std::string_view id);

/// What a message rejects, if it does.
struct Rejection {
  bool rejects = false;
  std::string reason;
  std::uint64_t sequence = 0;  ///< MsgSeqNum of the other side's message; 0: not said.
  std::string cl_ord_id;       ///< Its ClOrdID; empty: not said.
};

[[nodiscard]] Rejection rejection_of(const SeenRecord& seen);

/// The members of docs/reference/monitor-api.md that each message has, but for rejects and
/// rejected_by; and the list of its fields with groups by depth.
[[nodiscard]] nlohmann::ordered_json message_json(const SeenRecord& seen);
[[nodiscard]] nlohmann::ordered_json fields_json(const SeenRecord& seen);

}  // namespace affix::inline v0::tools::monitor
