// SPDX-License-Identifier: MIT
// Buffers are anonymous mappings: reserved when a session is opened, backed by memory when used.
#include "host/session_buffers.hpp"

#include "affix/base/assert.hpp"
#include "affix/base/time.hpp"

#include "os/page_advice.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <type_traits>

namespace affix::inline v0::host {

namespace {

/// Room for the actions of several inputs, so that a callback may send many messages.
constexpr std::size_t actions_max = 128;

constexpr std::size_t held_bytes_max = 256 * 1024;
constexpr std::size_t held_messages_max = 1024;

/// Number of idle sets that stay warm, and the time for which the peak of busy ones counts.
constexpr std::size_t idle_kept = 16;
constexpr std::int64_t judged_every_ns = base::ns_per_second;

}  // namespace

/// One mapping: this struct, then the outbox, then the copy for secrets. Members that every session
/// uses for each message come first.
struct BufferPool::Layout {
  using Memory = session::SessionMemoryOf<held_bytes_max, held_messages_max, message_fields_max>;

  // Raw bytes, as actions are constructed where they are added.
  alignas(session::Action)
      std::array<std::byte, (actions_max + deferred_actions_max) * sizeof(session::Action)> actions;
  Memory memory;

  static_assert(std::is_trivially_destructible_v<Memory>);
  static_assert(alignof(Memory) <= os::bytes_of(os::Pages::Small));

  [[nodiscard]] static std::size_t outbox_offset() noexcept {
    return os::whole_pages(sizeof(Layout));
  }

  [[nodiscard]] static std::size_t bytes(const BufferSizes& sizes) noexcept {
    return os::whole_pages(outbox_offset() + os::whole_pages(sizes.outbox_bytes) +
                               os::whole_pages(sizes.secret_copy_bytes),
                           sizes.pages);
  }
};

BufferPool::~BufferPool() {
  for (const auto& buffers : sets_) {
    os::unmap_pages(buffers->actions.data(), Layout::bytes(sizes_));
  }
}

std::expected<BufferReservation, base::Error> BufferReservation::open(const BufferSizes& sizes) {
  const std::size_t bytes = BufferPool::Layout::bytes(sizes);
  // Small ones unless configured: a huge page would make 2 MiB resident for one message.
  void* const mapping = os::map_pages(bytes, sizes.pages);
  if (mapping == nullptr) {
    base::Error error = base::make_system_error("mmap", errno, "memory of a session");
    error.code = base::ErrorCode::NoSpace;
    return std::unexpected(std::move(error));
  }
  return BufferReservation(sizes, mapping);
}

BufferReservation::~BufferReservation() {
  if (mapping_ != nullptr) {
    os::unmap_pages(mapping_, BufferPool::Layout::bytes(sizes_));
  }
}

std::expected<void, base::Error> BufferPool::add() {
  auto reservation = BufferReservation::open(sizes_);
  if (!reservation) {
    return std::unexpected(std::move(reservation.error()));
  }
  adopt(std::move(*reservation));
  return {};
}

void BufferPool::adopt(BufferReservation reservation) {
  AFFIX_ASSERT(reservation.sizes() == sizes_);
  void* const mapping = std::exchange(reservation.mapping_, nullptr);
  auto buffers = std::make_unique<SessionBuffers>();
  char* const begin = static_cast<char*>(mapping);
  buffers->outbox = {begin + Layout::outbox_offset(), sizes_.outbox_bytes};
  buffers->secret_copy = {buffers->outbox.data() + os::whole_pages(sizes_.outbox_bytes),
                          sizes_.secret_copy_bytes};
  buffers->actions = {static_cast<session::Action*>(mapping), actions_max};
  buffers->deferred = {buffers->actions.data() + actions_max, deferred_actions_max};
  sets_.push_back(std::move(buffers));
  free_.reserve(sets_.size());
  free_.insert(free_.begin(), sets_.back().get());
  ++cold_;
}

BufferReservation BufferPool::take_out() noexcept {
  AFFIX_ASSERT(!free_.empty());
  SessionBuffers* const buffers = free_.front();
  free_.erase(free_.begin());
  cold_ -= std::min<std::size_t>(cold_, 1);
  least_idle_ = std::min(least_idle_, free_.size() - cold_);
  BufferReservation reservation(sizes_, buffers->actions.data());
  std::erase_if(sets_, [buffers](const auto& one) { return one.get() == buffers; });
  return reservation;
}

SessionBuffers& BufferPool::lend() noexcept {
  AFFIX_ASSERT(!free_.empty());
  SessionBuffers& buffers = *free_.back();
  if (free_.size() == cold_) {
    --cold_;
    // Default-initialised: its arrays stay pages that are never touched.
    Layout& layout = *::new (static_cast<void*>(buffers.actions.data())) Layout;
    buffers.memory = layout.memory.memory();
  }
  free_.pop_back();
  least_idle_ = std::min(least_idle_, free_.size() - cold_);
  return buffers;
}

void BufferPool::trim(std::int64_t now_ns) noexcept {
  if (now_ns - judged_ns_ >= judged_every_ns) {
    judged_ns_ = now_ns;
    surplus_ = least_idle_ - std::min(least_idle_, idle_kept);
    least_idle_ = free_.size() - cold_;
  }
  if (surplus_ == 0) [[likely]] {
    return;
  }
  --surplus_;
  if (free_.size() - cold_ > idle_kept) {
    // The set idle for longest. If the kernel refuses, its memory stays resident.
    void* const mapping = free_[cold_]->actions.data();
    os::empty_pages(mapping, Layout::bytes(sizes_));
    ++cold_;
    least_idle_ = std::min(least_idle_, free_.size() - cold_);
  }
}

}  // namespace affix::inline v0::host
