// SPDX-License-Identifier: MIT
// A session's connection as a later process would continue it: keeps its row up to date. Without a
// row, which is the case unless the engine has a keeper, it only counts the bytes sent.
#pragma once

#include "affix/journal/record.hpp"
#include "affix/session/state.hpp"

#include "host/link_keeper.hpp"
#include "host/link_record.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace affix::inline v0::host {

/// One thread. Makes no system call and allocates nothing.
class KeptLink {
 public:
  /// A connection begins. `row` is for it until end(); null: it cannot be continued.
  void begin(LinkRecord* row) noexcept {
    row_ = row;
    sent_ = 0;
    unstored_until_ = 0;
  }

  /// The connection that has begun is kept from here on, for another node, by `keeper`.
  void pass_to(const std::shared_ptr<LinkKeeper>& keeper, LinkRecord* row) noexcept {
    passed_to_ = keeper;
    row_ = row;
  }

  /// Has the connection for another node; null: none has.
  [[nodiscard]] LinkKeeper* passed_to() const noexcept { return passed_to_.get(); }

  /// Lets the other node take it, or nobody any more.
  void end_passing() noexcept { passed_to_.reset(); }

  /// Another node's connection is continued, of which `position` bytes are with the kernel. It is
  /// not kept.
  void begin_at(std::uint64_t position) noexcept {
    row_ = nullptr;
    sent_ = position;
    unstored_until_ = 0;
  }

  /// An earlier process's connection is continued, of which `position` bytes are with the kernel,
  /// or will be before any other. Call it before the first of those is sent. `from` is the one of
  /// the row's places that explains the kernel's count: the other is of a send that never began.
  /// `worker` is the number of the session's.
  void begin_at(LinkRecord* row, std::size_t worker, const OutputPlace& from,
                std::uint64_t position) noexcept {
    row->worker = static_cast<std::uint16_t>(worker);
    if (row->place() != from) {
      row->set_place(from);
    }
    row_ = row;
    sent_ = position;
    unstored_until_ = from.unstored_until;
  }

  [[nodiscard]] bool kept() const noexcept { return row_ != nullptr; }

  [[nodiscard]] LinkRecord* row() const noexcept { return row_; }

  /// Notes the contents of the Logons, and the number of the session's worker.
  void note_logon(const session::SessionState& state, std::size_t worker, std::uint8_t cancel_terms,
                  std::uint32_t cancel_grace_ms) noexcept {
    row_->worker = static_cast<std::uint16_t>(worker);
    row_->cancel_terms = cancel_terms;
    row_->cancel_grace_ms = cancel_grace_ms;
    const session::ApplVerIdText& version = state.logon.appl_ver_id;
    row_->heartbeat_interval_ns = state.heartbeat_interval_ns;
    row_->peer_message_bytes_max = state.peer_message_bytes_max;
    row_->appl_ver_id = version.bytes;
    row_->appl_ver_id_size = version.size;
  }

  /// Call before each send: `waiting` bytes of output have not been sent, of which the first
  /// `unstored` end with one that the journal does not have; its records end at `journal_end`.
  void before_send(const session::SessionState& state, std::size_t waiting, std::size_t unstored,
                   journal::Position journal_end) noexcept {
    if (unstored != 0) {
      unstored_until_ = sent_ + unstored;
    }
    const session::ReplayState& replay = state.replay;
    const session::GapState& gap = state.gap;
    row_->set_place({.next_outgoing = state.next_outgoing,
                     .position = sent_ + waiting,
                     .unstored_until = unstored_until_,
                     .next_expected = state.next_expected,
                     .journal_end = journal::packed(journal_end),
                     .replay_from = replay.from,
                     .replay_next = replay.next,
                     .replay_to = replay.to,
                     .waiting_from = replay.waiting_from,
                     .waiting_to = replay.waiting_to,
                     .gap_highest = gap.highest,
                     .gap_asked_from = gap.asked_from,
                     .gap_asked_to = gap.asked_to});
    // A logout or a reset under way is not continued.
    const LinkStage stage =
        state.phase == session::Phase::Active ? LinkStage::Active : LinkStage::Taken;
    if (row_->stage.load(std::memory_order_relaxed) != stage) {
      row_->stage.store(stage, std::memory_order_release);
    }
  }

  /// The transport has taken that many bytes.
  void on_sent(std::size_t bytes) noexcept { sent_ += bytes; }

  /// The connection is ending: no later process continues it.
  void give_up() noexcept {
    if (row_ != nullptr) {
      row_->stage.store(LinkStage::Taken, std::memory_order_release);
    }
  }

  /// The connection has ended. Returns its row, which is the caller's.
  [[nodiscard]] LinkRecord* end() noexcept { return std::exchange(row_, nullptr); }

 private:
  LinkRecord* row_ = nullptr;
  std::shared_ptr<LinkKeeper> passed_to_;
  std::uint64_t sent_ = 0;  // Bytes of this connection that the transport has taken.
  std::uint64_t unstored_until_ = 0;
};

}  // namespace affix::inline v0::host
