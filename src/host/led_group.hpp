// SPDX-License-Identifier: MIT
// A failover group that this node leads, as the sessions of one worker see it: the shipper of their
// stores, and what the control thread permits.
#pragma once

#include "affix/config/choices.hpp"
#include "affix/net/waker.hpp"
#include "affix/replication/shipper.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace affix::inline v0::host {

/// Whether a group's sessions may take input and send.
enum class Intake : std::uint8_t {
  Open,
  Stopped,  ///< Another node is about to lead the group: nothing may be stored any more.
};

/// The control thread's permission for the sessions of one group, on all workers. It writes,
/// workers read, and it wakes them afterwards.
class GroupPermit {
 public:
  /// Nothing may leave from this steady time on; INT64_MAX: no such time; 0: nothing may leave.
  void speak_until(std::int64_t steady_ns) noexcept {
    speak_until_ns_.store(steady_ns, std::memory_order_release);
  }

  void set_intake(Intake intake) noexcept { intake_.store(intake, std::memory_order_release); }

  [[nodiscard]] std::int64_t speak_until_ns() const noexcept {
    return speak_until_ns_.load(std::memory_order_acquire);
  }

  [[nodiscard]] Intake intake() const noexcept { return intake_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::int64_t> speak_until_ns_{0};
  std::atomic<Intake> intake_{Intake::Open};
};

/// For one worker's thread, except where Shipper says otherwise.
class LedGroup {
 public:
  /// `control` is woken when a hand-over may go on; null: nobody.
  LedGroup(std::unique_ptr<replication::Shipper> shipper, config::Replication mode,
           std::shared_ptr<const GroupPermit> permit, net::Waker* control) noexcept
      : shipper_(std::move(shipper)), permit_(std::move(permit)), control_(control), mode_(mode) {}

  [[nodiscard]] replication::Shipper& shipper() const noexcept { return *shipper_; }

  [[nodiscard]] config::Replication mode() const noexcept { return mode_; }

  [[nodiscard]] Intake intake() const noexcept { return permit_->intake(); }

  /// The place of everything that is stored now.
  [[nodiscard]] replication::Place stored() const noexcept { return shipper_->stored(); }

  /// Output that was stored before this place may leave at `now_ns` of the steady clock. It may go
  /// back. nullopt: none may leave, not even what was free before, since another node may lead.
  [[nodiscard]] std::optional<replication::Place> released(std::int64_t now_ns) const noexcept {
    if (now_ns >= permit_->speak_until_ns() || shipper_->fenced()) [[unlikely]] {
      return std::nullopt;
    }
    if (mode_ == config::Replication::Async && shipper_->is_reserve_known()) [[likely]] {
      // The standbys know the numbers that are in use, so that none is used twice.
      return stored();
    }
    return shipper_->released();
  }

  /// As of the last take_progress().
  [[nodiscard]] Intake seen_intake() const noexcept { return seen_.intake; }

  /// The sessions follow this, and everything that they stored before was shipped. The worker's
  /// thread, after Shipper::end_turn().
  void publish_intake() noexcept {
    const replication::Place released = shipper_->released();
    const bool told = seen_.intake == obeyed_intake();
    if (told && (seen_.intake == Intake::Open || released == told_released_)) [[likely]] {
      return;
    }
    told_released_ = released;
    // Release: whoever sees it sees the shipper's figures of that turn.
    obeyed_.store(seen_.intake, std::memory_order_release);
    if (control_ != nullptr) {
      control_->wake();  // A standby may have everything now.
    }
  }

  /// As published last; the control thread.
  [[nodiscard]] Intake obeyed_intake() const noexcept {
    return obeyed_.load(std::memory_order_acquire);
  }

  /// True if released() may be another than at the last call, so that waiting output is to be
  /// looked at.
  [[nodiscard]] bool take_progress() noexcept {
    const Seen now{shipper_->released(), permit_->speak_until_ns(), permit_->intake()};
    return std::exchange(seen_, now) != now;
  }

 private:
  struct Seen {
    replication::Place released = 0;
    std::int64_t speak_until_ns = 0;
    Intake intake = Intake::Open;

    friend bool operator==(const Seen&, const Seen&) = default;
  };

  std::unique_ptr<replication::Shipper> shipper_;
  std::shared_ptr<const GroupPermit> permit_;
  net::Waker* control_;
  const config::Replication mode_;
  Seen seen_;
  std::atomic<Intake> obeyed_{Intake::Open};
  replication::Place told_released_ = 0;  // When the control thread was last woken.
};

}  // namespace affix::inline v0::host
