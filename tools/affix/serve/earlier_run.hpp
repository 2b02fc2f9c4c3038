// SPDX-License-Identifier: MIT
// What journals know of messages that an earlier run of this program was handed and had not noted
// as dealt with: whether they were sent on, or rejected, before it ended.
#pragma once

#include "affix/engine/application.hpp"

#include "serve/forwarded_message.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace affix::inline v0::tools::serve {

/// About the messages of one session. A message is sent on before it is noted as dealt with, so of
/// those that come again only what was at hand when the process died may have been sent already;
/// the journal of the session that it goes to has it then, unless the power failed. Made when the
/// first of them comes, before anything new of that session is sent on; reads the journals from
/// that message's time on, once each, and blocks on the disk meanwhile. The thread of both
/// sessions' worker.
class EarlierRun {
 public:
  enum class Answer : std::uint8_t {
    NotSent,
    Sent,
    Unknown,  ///< The journal may have lost records at its end, or there is none.
  };

  /// `oldest` is the receipt of the first message of `from` that comes again.
  EarlierRun(engine::SessionHandle from, engine::Receipt oldest);

  /// `from` told its peer that it rejects the message of this number.
  [[nodiscard]] bool was_rejected(std::uint64_t sequence) const {
    return rejected_.contains(sequence);
  }

  /// `to` has sent it. Each copy that it has sent is the answer to one question.
  [[nodiscard]] Answer look_up(engine::SessionHandle to, const ForwardedMessage& message,
                               Routing routing);

 private:
  /// What one session sent since the first message.
  struct Sent {
    std::unordered_map<std::string, std::size_t> copies;  ///< By content.
    /// Messages of the other side that were dealt with, by the content that their copies have; not
    /// counted before it is needed.
    std::optional<std::unordered_map<std::string, std::size_t>> processed;
    bool incomplete = false;
  };

  [[nodiscard]] Sent& sent_by(engine::SessionHandle to);

  /// How many messages of this content were dealt with, so that copies may be theirs.
  [[nodiscard]] std::size_t count_processed(Sent& sent, engine::SessionHandle to,
                                            const std::string& content, Routing routing) const;

  engine::SessionHandle from_;
  std::int64_t since_utc_ns_ = 0;
  std::unordered_map<std::string, Sent> sent_;  // By journal.
  std::unordered_set<std::uint64_t> rejected_;
};

}  // namespace affix::inline v0::tools::serve
