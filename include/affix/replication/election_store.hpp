// SPDX-License-Identifier: MIT
// Interface of the store that holds one small entry for each failover group: a register with
// compare-and-set and a watch. Nothing on the path of a message needs it.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/waker.hpp"
#include "affix/replication/election_entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::replication {

/// The kinds of requests to the store.
enum class RequestKind : std::uint8_t {
  Read,       ///< The present entry, as of a moment within the request.
  Promote,    ///< Replace the entry by one with a greater epoch.
  ChangeSet,  ///< Replace the entry by one of the same epoch: another set, or a renewed lease.
};

/// A request for one group. For the store both writes are the same: it replaces the entry if its
/// revision is the expected one, and else changes nothing.
struct StoreRequest {
  std::string group = {};                ///< An election name.
  RequestKind kind = RequestKind::Read;  ///< Repeated in the answer.
  Entry entry = {};                      ///< The new entry; not of a Read.
  /// Revision of the entry that is replaced; 0: there must be none. Not of a Read.
  std::uint64_t expected_revision = 0;
};

/// Tells answers to requests from news.
enum class AnswerKind : std::uint8_t {
  Read,       ///< A Read.
  Promote,    ///< A Promote.
  ChangeSet,  ///< A ChangeSet.
  Changed,    ///< No request: the watch has seen another entry.
};

/// The kind of answer to a request of that kind.
[[nodiscard]] AnswerKind answer_to(RequestKind kind) noexcept;

/// The result of a request.
enum class Outcome : std::uint8_t {
  Done,         ///< Read, or written.
  Conflict,     ///< Not written: the revision is another one; the answer has the present entry.
  Unknown,      ///< Written or not, or yet to be written: the answer was lost. Read again.
  Unreachable,  ///< Certainly not done: no endpoint was reached, or the store has refused it.
  Damaged,      ///< The store has a value that is no entry; nothing was written.
};

/// An answer, or news of the watch.
struct Answer {
  std::string group = {};              ///< Failover group that was asked about.
  AnswerKind kind = AnswerKind::Read;  ///< What it answers.
  Outcome outcome = Outcome::Done;     ///< Whether it was done.
  /// The entry after a Done, the present one after a Conflict or Changed; else empty.
  Entry entry = {};
  /// The entry's revision: positive, and greater after each write. 0: the store has no entry.
  std::uint64_t revision = 0;
  /// Which endpoint or file failed and why, after Unknown, Unreachable and Damaged.
  base::Error error = {};
};

/// Descriptions; static storage.
[[nodiscard]] const char* to_text(RequestKind kind) noexcept;
/// One word; static storage.
[[nodiscard]] const char* to_text(AnswerKind kind) noexcept;
/// A few words for operators; static storage.
[[nodiscard]] const char* to_text(Outcome outcome) noexcept;

/// A store as one process sees it. All calls come from one thread, the owner's, and none of them
/// blocks: a store that waits for a network or a disk does so in a thread of its own.
///
/// Its promises: a write takes effect at one moment, between the call and any later time if its
/// outcome is Unknown, and never if it is Conflict or Unreachable. It takes effect only if the
/// entry's revision then is the expected one. Revisions of a group never repeat. A Read returns
/// what was there at a moment between its call and its answer. If an entry that is watched changes,
/// and this process can reach the store, a Changed with that entry or a later one follows; entries
/// in between may be left out, and a Changed may be older than an answer that was taken before it.
class ElectionStore {
 public:
  ElectionStore(const ElectionStore&) = delete;
  ElectionStore& operator=(const ElectionStore&) = delete;
  /// Abandons what is outstanding; a write may still take effect.
  virtual ~ElectionStore() = default;

  /// Begins a request; exactly one answer follows, within a time that the store bounds. At most one
  /// request of a group is outstanding. Allocates.
  virtual void ask(StoreRequest request) = 0;

  /// Reports the changes of a group's entry from now on, the first time also the entry that is
  /// there. Repeated calls change nothing. Allocates.
  virtual void watch(std::string_view group) = 0;

  /// The next answer in order of arrival; nullopt: none has arrived. Does not block.
  [[nodiscard]] virtual std::optional<Answer> take() = 0;

  /// The store in words, for reports: "etcd http://10.0.0.1:2379, http://10.0.0.2:2379".
  [[nodiscard]] virtual std::string place() const = 0;

  /// Wakes this waker whenever take() has something new; null: nobody. Call it before the first
  /// request. The waker outlives the store, or is taken back.
  virtual void wake_with(net::Waker* waker) = 0;

 protected:
  ElectionStore() = default;
};

}  // namespace affix::inline v0::replication
