// SPDX-License-Identifier: MIT
// Looks up in journals whether messages that an earlier run received without marking them as
// processed were forwarded or rejected before it ended.
#pragma once

#include "affix/host/application.hpp"

#include "serve/forwarded_message.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace affix::inline v0::tools::serve {

/// For the messages of one session. A message is forwarded before it is marked as processed, so of
/// the redelivered ones only those in work when the process died may have been sent already; the
/// journal of the receiving session then has them, unless the power failed. Made when the first of
/// them is redelivered, before anything new of that session is forwarded; reads each journal once
/// from that message's time on, and blocks on the disk meanwhile. For the thread of both sessions'
/// worker.
class EarlierRun {
 public:
  enum class Answer : std::uint8_t {
    NotSent,
    Sent,
    Unknown,  ///< The journal may have lost records at its end, segments of that time were archived
              ///< or removed, or there is none.
  };

  /// `oldest` is the receipt of the first redelivered message of `from`.
  EarlierRun(host::SessionHandle from, host::Receipt oldest);

  /// True if `from` has sent its peer a Reject for the message with this number.
  [[nodiscard]] bool was_rejected(std::uint64_t sequence) const {
    return rejected_.contains(sequence);
  }

  /// Whether `to` has sent a copy of `message`, which `from` received. Each sent copy answers one
  /// call only. Secret values do not distinguish messages, since either journal may mask them.
  [[nodiscard]] Answer look_up(host::SessionHandle to, const wire::MessageView& message,
                               Routing routing);

 private:
  /// Messages that one session sent since the first redelivered message.
  struct Sent {
    std::unordered_map<std::string, std::size_t> copies;  ///< By content.
    /// Processed messages of the other side, by the content of their copies; counted on first use.
    std::optional<std::unordered_map<std::string, std::size_t>> processed;
    std::vector<std::uint32_t> own_tags;     ///< Header fields of every message of the session.
    std::vector<std::uint32_t> secret_tags;  ///< Of both sessions.
    bool incomplete = false;
  };

  [[nodiscard]] Sent& sent_by(host::SessionHandle to);

  /// Content of the copy of `message` that `to` sends, with masks in place of secret values.
  [[nodiscard]] std::string content_for(const Sent& sent, host::SessionHandle to,
                                        const wire::MessageView& message, Routing routing) const;

  /// Number of processed messages with this content, which may be the source of copies.
  [[nodiscard]] std::size_t count_processed(Sent& sent, host::SessionHandle to,
                                            const std::string& content, Routing routing) const;

  host::SessionHandle from_;
  std::int64_t since_utc_ns_ = 0;
  std::unordered_map<std::string, Sent> sent_;  // By journal.
  std::unordered_set<std::uint64_t> rejected_;
};

}  // namespace affix::inline v0::tools::serve
