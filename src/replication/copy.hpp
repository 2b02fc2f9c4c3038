// SPDX-License-Identifier: MIT
// One copy of a journal: opened, planted, cut and set aside as its primary's history demands. Knows
// no connection. Private to replication.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/journal.hpp"
#include "affix/replication/standby.hpp"

#include "replication/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::replication {

/// The open copies, for the thread that prepares and flushes them. A journal is worked on while the
/// mutex is held, and closed by another thread only then.
struct OpenCopies {
  std::mutex mutex;
  std::vector<journal::Journal*> journals;
  std::mutex settled_mutex;  ///< Of what follows; after `mutex`, and held for a moment only.
  std::vector<std::pair<journal::Journal*, journal::SettledMarks>> settled;
};

/// Marks of a copy that may outlive a power loss when all copies are flushed up to some store.
struct SettlingMarks {
  journal::Position until;  ///< The copy's own part of that.
  journal::SettledMarks marks;
};

struct InboundStream;

class Copy {
 public:
  enum class State : std::uint8_t {
    Closed,   ///< Not looked at yet.
    Missing,  ///< There is no journal on this disk.
    Open,
    Broken,  ///< It cannot be opened or changed; tried again at `retry_ns`.
  };

  /// Its standing beside its primary's journal.
  enum class Standing : std::uint8_t {
    Unknown,  ///< The primary has not been asked since it was opened.
    Kept,     ///< The primary has said that it is a part of its journal.
    Useless,  ///< The next question asks for a new one.
  };

  Copy(JournalCopy described, OpenCopies& open);
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy();

  [[nodiscard]] const std::string& identity() const noexcept { return described_.identity; }

  [[nodiscard]] State state() const noexcept { return state_; }

  /// Null unless it is open.
  [[nodiscard]] journal::Journal* journal() const noexcept { return journal_.get(); }

  /// Why it is Broken, or was begun anew last.
  [[nodiscard]] const base::Error& fault() const noexcept { return fault_; }

  /// Opens it, if it exists; a damaged one is set aside, and is Missing then. Blocks on the disk.
  void open();

  /// The question for the primary about it.
  [[nodiscard]] HistoryAsk ask() const;

  /// Does what the primary answered. False: it is Broken. Blocks on the disk.
  [[nodiscard]] bool obey(const HistoryAnswer& answer, std::string_view label);

  /// Where history begins for it: at its oldest unprocessed record, so that marks which it missed
  /// are set before later segments say that everything before them is processed.
  [[nodiscard]] journal::Position history_begin() const noexcept;

  /// Stores a piece of history that begins at `from`, up to `until` if that is valid.
  [[nodiscard]] journal::Followed store(journal::Position from,
                                        const std::optional<journal::format::Header>& header,
                                        std::string_view records, journal::Position until);

  /// False: the segment of a record at `position` is not kept here any more. Reads the directory.
  [[nodiscard]] bool keeps(journal::Position position) const;

  [[nodiscard]] bool is_kept() const noexcept { return standing_ == Standing::Kept; }

  /// The primary has all that it has.
  void keep() noexcept { standing_ = Standing::Kept; }

  /// The primary is asked again.
  void doubt() noexcept {
    if (standing_ == Standing::Kept) {
      standing_ = Standing::Unknown;
    }
  }

  /// Gives up what it has.
  void distrust() noexcept { standing_ = Standing::Useless; }

  /// Makes it Broken, or closes it to be opened again.
  void fail(base::Error fault);
  void close() noexcept;

  /// Gives the journal away; it is Closed then.
  [[nodiscard]] std::unique_ptr<journal::Journal> take() noexcept;

  // Its group's notes about it.
  bool at_end = false;   ///< History has nothing more, or the primary has no such journal.
  bool touched = false;  ///< It is in the list of those that may need preparation.
  bool dirty = false;    ///< It was written since its stream's last flush was begun.
  std::optional<SettlingMarks> settling{};  ///< In its group's present round.
  std::uint32_t cuts = 0;                   ///< Answers that changed it since it was kept.
  std::int64_t retry_ns = 0;                ///< History is not asked before.
  journal::Position target;         ///< Where a stream goes on; valid while it has to get there.
  InboundStream* stream = nullptr;  ///< The stream that it follows; null: none.
  std::uint32_t tap = 0;            ///< Its id there.

 private:
  void leave_list() noexcept;

  JournalCopy described_;
  OpenCopies& open_;
  std::unique_ptr<journal::Journal> journal_;
  State state_ = State::Closed;
  Standing standing_ = Standing::Unknown;
  base::Error fault_;
};

}  // namespace affix::inline v0::replication
