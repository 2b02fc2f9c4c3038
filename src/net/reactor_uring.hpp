// SPDX-License-Identifier: MIT
// The reactor on io_uring: multishot receives read input into buffers that the kernel chooses, and
// one system call sends the output of all connections; see docs/internals/net.md. One class in
// three files: reactor_uring.cpp has the ring and turns, uring_input.cpp receiving,
// uring_output.cpp sending.
#pragma once

#include "affix/base/enum_set.hpp"

#include "net/connection_options.hpp"
#include "net/socket_reactor.hpp"
#include "net/uring_buffers.hpp"

#include <cstdint>
#include <expected>
#include <liburing.h>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

class UringReactor final : public SocketReactor {
 public:
  /// `options` must have been checked. Unsupported: the kernel refuses.
  [[nodiscard]] static std::expected<std::unique_ptr<Reactor>, base::Error> make(
      const ReactorOptions& options);

  ~UringReactor() override;

  /// Unsupported: received bytes may still be on their way through the ring.
  [[nodiscard]] std::expected<DetachedConnection, base::Error> release(
      ConnectionId connection, std::string_view unconsumed) override;
  void submit() noexcept override;

  [[nodiscard]] std::string_view name() const noexcept override { return "io_uring"; }

  /// An epoll with an event that the ring signals, and the waker's. The ring itself is not readable
  /// while its completions are deferred to its thread, and it signals no event for one that another
  /// event caused.
  [[nodiscard]] int descriptor() noexcept override;

  [[nodiscard]] std::int64_t begin_rest() noexcept override;

 private:
  /// Origin of a completion; in its user data with slot and generation.
  enum class Operation : std::uint8_t { Receive, Send, Connect, Accept, Wake, Cancel, Stamps };

  /// Requests in progress for a slot. Belongs to the slot's present connection.
  struct Flight {
    /// The kernel has not completed them. Cancel: of the receive, since reading was paused; Stamps:
    /// the report that output has left.
    base::EnumSet<Operation> begun;
    bool unsubmitted = false;  ///< Has output, and is in unsubmitted_.
    bool ended = false;        ///< The stream ended, with `end_error`; not reported yet.
    int end_error = 0;
    std::uint16_t held = UringBuffers::none;  ///< First of the buffers not delivered yet.
    std::uint16_t held_last = UringBuffers::none;
  };

  /// Copy of a completion, kept while handlers run.
  struct Completion {
    std::uint64_t mark;
    std::int32_t result;
    std::uint32_t flags;
  };

  explicit UringReactor(const ReactorOptions& options) : SocketReactor(options) {}

  [[nodiscard]] std::expected<void, base::Error> open();

  // The ring and turns (reactor_uring.cpp).
  [[nodiscard]] static std::uint64_t mark_of(Operation operation, std::uint32_t slot,
                                             std::uint32_t generation) noexcept;
  [[nodiscard]] std::uint64_t mark_of(Operation operation, std::uint32_t slot) const noexcept;
  [[nodiscard]] io_uring_sqe& next_entry() noexcept;
  void enable() noexcept;
  [[nodiscard]] std::uint32_t take_events(const Wait& wait, std::int64_t timeout_ns,
                                          Handler& handler) noexcept override;
  void resume_starved() noexcept;
  void enter(std::int64_t timeout_ns) noexcept;
  [[nodiscard]] bool has_deferred() const noexcept;
  void dispatch(const Completion& completion, Handler& handler) noexcept;
  void dispatch_slot(Operation operation, std::uint32_t slot, const Completion& completion,
                     Handler& handler) noexcept;
  [[nodiscard]] bool watch(std::uint32_t slot) noexcept override;
  void unwatch(std::uint32_t slot) noexcept override;
  [[nodiscard]] bool watch_listener(std::uint32_t listener, bool wanted) noexcept override;
  void unwatch_listener(std::uint32_t listener) noexcept override;
  void watch_waker() noexcept;
  void cancel_all(int fd) noexcept;

  // Receiving (uring_input.cpp).
  void receive(std::uint32_t slot) noexcept;
  void stop_receiving(std::uint32_t slot) noexcept;
  [[nodiscard]] UringBuffers::Rest received_in(std::uint32_t slot, std::uint16_t buffer,
                                               std::int32_t result) noexcept;
  void on_received(std::uint32_t slot, const Completion& completion, Handler& handler) noexcept;
  void on_received_end(std::uint32_t slot, int error_number, Handler& handler) noexcept;
  void hold(std::uint32_t slot, std::uint16_t buffer) noexcept;
  [[nodiscard]] bool deliver_held(std::uint32_t slot, Handler& handler) noexcept override;
  [[nodiscard]] bool deliver_buffer(std::uint32_t slot, std::uint16_t buffer,
                                    Handler& handler) noexcept;
  void read_out(std::uint32_t slot, Handler& handler) noexcept override;
  void release_held(Flight& flight) noexcept;

  // Sending (uring_output.cpp).
  [[nodiscard]] SendResult send_accepted(std::uint32_t slot,
                                         std::span<const std::string_view> pieces,
                                         std::size_t total) noexcept override;
  void want_to_send(std::uint32_t slot) noexcept;
  void prepare_sends() noexcept;
  void on_sent(std::uint32_t slot, const Completion& completion, Handler& handler) noexcept;

  enum class Ring : std::uint8_t {
    None,
    Disabled,  ///< Takes requests, which begin when it is enabled.
    Enabled,   ///< By the first turn; its thread is the ring's only one.
  };

  io_uring ring_{};
  Ring ring_state_ = Ring::None;
  UringBuffers buffers_;
  Socket both_;           // See descriptor().
  Socket events_;         // Signalled for every completion, once descriptor() was called.
  bool starved_ = false;  // Connections wait for a buffer before they receive.
  // The kernel reads it when a receive with stamps begins: no name, room for the stamps.
  msghdr stamped_layout_{.msg_name = nullptr,
                         .msg_namelen = 0,
                         .msg_iov = nullptr,
                         .msg_iovlen = 0,
                         .msg_control = nullptr,
                         .msg_controllen = stamp_control_bytes,
                         .msg_flags = 0};
  std::vector<Flight> flights_;             // By slot.
  std::vector<std::uint32_t> unsubmitted_;  // Slots with output not submitted yet.
  std::vector<Completion> completions_;
};

}  // namespace affix::inline v0::net
