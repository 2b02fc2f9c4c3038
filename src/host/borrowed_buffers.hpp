// SPDX-License-Identifier: MIT
// The memory that a session works with: buffers that it borrows from its worker's pool while it is
// busy, and the little that it keeps at rest.
#pragma once

#include "affix/session/memory.hpp"
#include "affix/session/out.hpp"

#include "host/deferred_actions.hpp"
#include "host/session_buffers.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace affix::inline v0::host {

/// One thread. Returns its buffers at the latest when it ends; the pool outlives the loan.
class BorrowedBuffers {
 public:
  /// `throttle_limit`: number of messages whose times the protocol remembers. Allocates.
  explicit BorrowedBuffers(std::size_t throttle_limit) : throttle_times_(throttle_limit) {}

  BorrowedBuffers(const BorrowedBuffers&) = delete;
  BorrowedBuffers& operator=(const BorrowedBuffers&) = delete;

  ~BorrowedBuffers() { give_back(); }

  /// The pool has buffers for it. Call first.
  void set_pool(BufferPool& pool) noexcept { pool_ = &pool; }

  [[nodiscard]] BufferPool& pool() const noexcept { return *pool_; }

  /// It has buffers; the functions below that use them require it.
  [[nodiscard]] bool borrowed() const noexcept { return buffers_ != nullptr; }

  /// The pool has so many that it is better to keep them.
  [[nodiscard]] bool may_keep() const noexcept { return pool_->suffices(); }

  /// Requires that it has none.
  void borrow() noexcept { buffers_ = &pool_->lend(); }

  /// Returns them, if it has any. None of them is in use.
  void give_back() noexcept {
    if (buffers_ != nullptr) {
      pool_->give_back(*std::exchange(buffers_, nullptr));
    }
  }

  // --- Memory ---

  /// For constructing the protocol before it has buffers; never worked in.
  [[nodiscard]] session::SessionMemory memory_at_rest() noexcept;

  /// The protocol's part of the buffers, and the session's own `data_fields`, which outlive it.
  [[nodiscard]] session::SessionMemory memory(const wire::DataFields& data_fields) noexcept;

  [[nodiscard]] std::span<char> outbox() const noexcept { return buffers_->outbox; }

  [[nodiscard]] std::span<session::Action> actions() const noexcept { return buffers_->actions; }

  /// For a copy of a message without its secrets.
  [[nodiscard]] std::span<char> secret_copy() const noexcept { return buffers_->secret_copy; }

  // --- Deferred actions ---

  [[nodiscard]] bool has_deferred() const noexcept { return !deferred_.empty(); }

  /// Keeps an action until take_deferred(). Allocates when the buffers have no room for it.
  void defer(const session::Action& action) { deferred_.add(buffers_->deferred, action); }

  /// Calls `execute` with each, in order, as DeferredActions::take() does.
  template <typename Execute>
  void take_deferred(Execute execute) {
    deferred_.take(buffers_->deferred, execute);
  }

 private:
  BufferPool* pool_ = nullptr;
  SessionBuffers* buffers_ = nullptr;  // Null: at rest.
  DeferredActions deferred_;           // In the buffers, and beyond them.
  std::vector<std::int64_t> throttle_times_;
};

}  // namespace affix::inline v0::host
