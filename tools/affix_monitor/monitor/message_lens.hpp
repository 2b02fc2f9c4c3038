// SPDX-License-Identifier: MIT
// Makes records readable: removes secrets, and adds names from the session's dictionary.
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

/// A record that may be shown. Views are valid until the lens is used for another.
struct SeenRecord {
  log::Entry entry;
  wire::MessageView message;  ///< Without fields if the record has none.
  const log::MessageNames* names = nullptr;
  std::string id;  ///< `SESSION/SEGMENT:OFFSET`, with the session's name in the fleet.
};

/// One thread. Loads a dictionary on first use.
class MessageLens {
 public:
  explicit MessageLens(const Fleet& fleet);
  ~MessageLens();

  /// `session` is the name in the fleet.
  [[nodiscard]] SeenRecord look(const affix::journal::Record& record, const std::string& session);

 private:
  struct Glass;

  [[nodiscard]] Glass& glass_of(const std::string& session);

  /// Larger than the engine's limit, so that any stored message can be shown.
  using Index = wire::FieldIndexOf<16'384>;

  const Fleet& fleet_;
  std::unique_ptr<Index> index_;
  std::map<std::string, std::unique_ptr<log::MessageNames>, std::less<>> names_;  // By files.
  std::map<std::string, std::unique_ptr<Glass>, std::less<>> glasses_;            // By session.
};

[[nodiscard]] std::string message_id(std::string_view session, affix::journal::Position position);

/// The session and position of an id; an invalid position: it is not an id.
struct MessagePlace {
  std::string session;
  affix::journal::Position position;
};

[[nodiscard]] MessagePlace place_of_id(std::string_view id);

/// Contents of a reject.
struct Rejection {
  bool rejects = false;
  std::string reason;
  std::uint64_t sequence = 0;  ///< MsgSeqNum of the other side's message; 0: not given.
  std::string cl_ord_id;       ///< Its ClOrdID; empty: not given.
};

[[nodiscard]] Rejection rejection_of(const SeenRecord& seen);

/// The members of a message in docs/reference/monitor-api.md, except rejects and rejected_by; and
/// the list of its fields with their group depths.
[[nodiscard]] nlohmann::ordered_json message_json(const SeenRecord& seen);
[[nodiscard]] nlohmann::ordered_json fields_json(const SeenRecord& seen);

}  // namespace affix::inline v0::tools::monitor
