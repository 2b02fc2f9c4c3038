// SPDX-License-Identifier: MIT
// The ring, its turn, and its requests.
#include "affix/base/assert.hpp"

#include "net/reactor_uring.hpp"

#include <algorithm>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::net {

namespace {

// Entries that may wait for submission; when they are used up, they are submitted early.
constexpr unsigned entries = 1024;

// Buffers for input. Those with the kernel are all that one connection can take in a burst before
// its reading pauses, and others replace them while it does.
constexpr std::uint32_t buffers_with_kernel = 256;
constexpr std::uint32_t buffer_count = 4 * buffers_with_kernel;
constexpr std::uint32_t buffer_bytes_max = 32 * 1024;

/// A read is never larger than the buffer that it is copied to.
std::uint32_t buffer_bytes(const ReactorOptions& options) noexcept {
  const std::uint32_t bytes = std::min(options.rx_buffer_capacity, buffer_bytes_max);
  return options.read_bytes_max == 0 ? bytes : std::min(bytes, options.read_bytes_max);
}

constexpr unsigned operation_shift = 56;
constexpr unsigned slot_shift = 32;
constexpr std::uint32_t slot_mask = 0xff'ffff;

// Cancels all requests that `which` (and `fd`) names, and returns when they have released their
// sockets: when their completions exist, which is deferred too.
void cancel(io_uring& ring, std::uint32_t which, int fd) noexcept {
  io_uring_sync_cancel_reg request{};
  request.fd = fd;
  request.flags = which | IORING_ASYNC_CANCEL_ALL;
  request.timeout.tv_sec = -1;
  request.timeout.tv_nsec = -1;
  static_cast<void>(::io_uring_register_sync_cancel(&ring, &request));
  static_cast<void>(::io_uring_get_events(&ring));
}

}  // namespace

std::expected<std::unique_ptr<Reactor>, base::Error> UringReactor::make(
    const ReactorOptions& options) {
  std::unique_ptr<UringReactor> reactor(new UringReactor(options));
  if (auto opened = reactor->open(); !opened) {
    return std::unexpected(std::move(opened.error()));
  }
  return std::unique_ptr<Reactor>(std::move(reactor));
}

UringReactor::~UringReactor() {
  if (ring_state_ == Ring::None) {
    return;
  }
  if (ring_state_ == Ring::Enabled) {
    // Closing the ring ends its requests some time later, and until then they hold sockets open, so
    // a port could not be bound again.
    cancel(ring_, IORING_ASYNC_CANCEL_ANY, -1);
  }
  // Before the buffers are freed, so that nothing writes to them.
  ::io_uring_queue_exit(&ring_);
}

std::expected<void, base::Error> UringReactor::open() {
  io_uring_params params{};
  // Disabled until the first turn: from then on, the thread that runs it is the ring's only one.
  // Deferred: the kernel's share of the work is done in our turns and interrupts nothing; the flag
  // shows whether there is any, so that a spinning turn without events needs no system call.
  params.flags = IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                 IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CQSIZE |
                 IORING_SETUP_CLAMP;
  params.cq_entries = std::max(4 * entries, 2 * options_.connections_max);
  if (const int result = ::io_uring_queue_init_params(entries, &ring_, &params); result < 0) {
    base::Error error = base::make_system_error("io_uring_setup", -result, "reactor");
    error.code = base::ErrorCode::Unsupported;
    return std::unexpected(std::move(error));
  }
  ring_state_ = Ring::Disabled;
  if (auto opened = open_slots(); !opened) {
    return opened;
  }
  if (auto opened = buffers_.open(ring_, buffers_with_kernel, buffer_count, buffer_bytes(options_),
                                  options_.pages);
      !opened) {
    return opened;
  }
  flights_.resize(options_.connections_max);
  unsubmitted_.reserve(options_.connections_max);
  completions_.resize(options_.events_per_turn);
  watch_waker();
  return {};
}

std::uint64_t UringReactor::mark_of(Operation operation, std::uint32_t slot,
                                    std::uint32_t generation) noexcept {
  return static_cast<std::uint64_t>(operation) << operation_shift |
         std::uint64_t{slot} << slot_shift | generation;
}

std::uint64_t UringReactor::mark_of(Operation operation, std::uint32_t slot) const noexcept {
  return mark_of(operation, slot, connections_[slot].generation);
}

io_uring_sqe& UringReactor::next_entry() noexcept {
  io_uring_sqe* entry = ::io_uring_get_sqe(&ring_);
  if (entry == nullptr) {
    enable();
    static_cast<void>(::io_uring_submit(&ring_));
    entry = ::io_uring_get_sqe(&ring_);
  }
  AFFIX_ASSERT(entry != nullptr);
  return *entry;
}

void UringReactor::enable() noexcept {
  if (std::exchange(ring_state_, Ring::Enabled) != Ring::Enabled) {
    // Debian 12's liburing declares io_uring_enable_rings() but does not export it.
    const long result =
        ::syscall(__NR_io_uring_register, ring_.ring_fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0);
    AFFIX_ASSERT(result == 0);
  }
}

std::uint32_t UringReactor::take_events(const Wait& /*wait*/, std::int64_t timeout_ns,
                                        Handler& handler) noexcept {
  enable();
  resume_starved();
  prepare_sends();
  if (timeout_ns > 0 && (::io_uring_cq_ready(&ring_) != 0 || !waker_.enter_block())) {
    timeout_ns = 0;
  }
  enter(timeout_ns);
  // Copies, since requests of handlers may free space in the ring that still holds them.
  io_uring_cqe* ready[64];
  std::size_t count = 0;
  while (count < completions_.size()) {
    const auto room =
        static_cast<unsigned>(std::min(std::size(ready), completions_.size() - count));
    const unsigned taken = ::io_uring_peek_batch_cqe(&ring_, ready, room);
    if (taken == 0) {
      break;
    }
    for (unsigned index = 0; index < taken; ++index) {
      completions_[count++] = {ready[index]->user_data, ready[index]->res, ready[index]->flags};
    }
    ::io_uring_cq_advance(&ring_, taken);
  }
  for (std::size_t index = 0; index < count; ++index) {
    dispatch(completions_[index], handler);
  }
  return static_cast<std::uint32_t>(count);
}

int UringReactor::descriptor() noexcept {
  if (both_.is_open()) {
    return both_.fd();
  }
  Socket both(::epoll_create1(EPOLL_CLOEXEC));
  Socket events(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!both.is_open() || !events.is_open()) {
    return -1;
  }
  for (const int each : {events.fd(), waker_.fd()}) {
    epoll_event event{};
    event.events = EPOLLIN;
    if (::epoll_ctl(both.fd(), EPOLL_CTL_ADD, each, &event) != 0) {
      return -1;
    }
  }
  if (::io_uring_register_eventfd(&ring_, events.fd()) != 0) {
    return -1;
  }
  events_ = std::move(events);
  both_ = std::move(both);
  return both_.fd();
}

// Nobody enters the ring until the next turn, so requests of this one begin here.
std::int64_t UringReactor::begin_rest() noexcept {
  enable();
  resume_starved();
  prepare_sends();
  if (::io_uring_sq_ready(&ring_) != 0) {
    static_cast<void>(::io_uring_submit(&ring_));
  }
  // First, so that what comes after the look at the ring, or at the waker, is signalled.
  std::uint64_t count = 0;
  static_cast<void>(!::read(events_.fd(), &count, sizeof count));
  static_cast<void>(!::read(waker_.fd(), &count, sizeof count));
  const bool rests = !has_deferred() && ::io_uring_cq_ready(&ring_) == 0;
  return rests ? SocketReactor::begin_rest() : 0;
}

// Begins the receives that had no buffer, once there are some.
void UringReactor::resume_starved() noexcept {
  if (starved_ && !buffers_.used_up()) {
    starved_ = false;
    for (const std::uint32_t slot : used_) {
      static_cast<void>(watch(slot));
    }
  }
}

void UringReactor::enter(std::int64_t timeout_ns) noexcept {
  if (timeout_ns > 0) {
    __kernel_timespec wait{.tv_sec = timeout_ns / base::ns_per_second,
                           .tv_nsec = timeout_ns % base::ns_per_second};
    io_uring_cqe* first = nullptr;
    static_cast<void>(::io_uring_submit_and_wait_timeout(&ring_, &first, 1, &wait, nullptr));
    return;
  }
  if (has_deferred() || ::io_uring_sq_ready(&ring_) != 0) {
    static_cast<void>(::io_uring_submit_and_get_events(&ring_));
  }
}

// The kernel has completions that it hands over when the ring is entered.
bool UringReactor::has_deferred() const noexcept {
  const unsigned flags = __atomic_load_n(ring_.sq.kflags, __ATOMIC_ACQUIRE);
  return (flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
}

void UringReactor::dispatch(const Completion& completion, Handler& handler) noexcept {
  const auto operation = static_cast<Operation>(completion.mark >> operation_shift);
  const auto slot = static_cast<std::uint32_t>(completion.mark >> slot_shift) & slot_mask;
  const auto generation = static_cast<std::uint32_t>(completion.mark);
  if ((completion.flags & IORING_CQE_F_BUFFER) != 0) {
    buffers_.note_taken();
  }
  switch (operation) {
    case Operation::Wake:
      if ((completion.flags & IORING_CQE_F_MORE) == 0) {
        watch_waker();
      }
      return;
    case Operation::Accept:
      // A listener that was removed, or pauses.
      if (listeners_[slot].generation == generation && listeners_[slot].watched) {
        listeners_[slot].watched = false;
        accept_from(slot, handler);
        if (listeners_[slot].generation == generation && !listeners_[slot].resting) {
          static_cast<void>(watch_listener(slot, true));
        }
      }
      return;
    case Operation::Cancel:
      return;
    case Operation::Receive:
    case Operation::Send:
    case Operation::Connect:
    case Operation::Stamps:
      break;
  }
  const bool lives = connections_[slot].generation == generation &&
                     connections_[slot].phase != Connection::Phase::Free;
  if (lives) {
    dispatch_slot(operation, slot, completion, handler);
  } else if ((completion.flags & IORING_CQE_F_BUFFER) != 0) {
    buffers_.give_back(static_cast<std::uint16_t>(completion.flags >> IORING_CQE_BUFFER_SHIFT));
  }
}

void UringReactor::dispatch_slot(Operation operation, std::uint32_t slot,
                                 const Completion& completion, Handler& handler) noexcept {
  if (operation == Operation::Receive) {
    on_received(slot, completion, handler);
  } else if (operation == Operation::Send) {
    on_sent(slot, completion, handler);
  } else if (operation == Operation::Stamps) {
    if ((completion.flags & IORING_CQE_F_MORE) == 0) {
      flights_[slot].begun.remove(Operation::Stamps);
    }
    const std::uint32_t generation = connections_[slot].generation;
    static_cast<void>(take_transmit_stamps(slot, handler));
    if (completion.result >= 0 && connections_[slot].generation == generation) {
      static_cast<void>(watch(slot));
    }
  } else {
    flights_[slot].begun.remove(Operation::Connect);
    if (connections_[slot].phase == Connection::Phase::Connecting) {
      finish_connect(slot, connect_error(slot), handler);
    }
  }
}

bool UringReactor::watch(std::uint32_t slot) noexcept {
  const Connection& connection = connections_[slot];
  Flight& flight = flights_[slot];
  if (connection.phase == Connection::Phase::Connecting) {
    if (flight.begun.add(Operation::Connect)) {
      io_uring_sqe& entry = next_entry();
      ::io_uring_prep_poll_add(&entry, connection.socket.fd(), POLLOUT);
      ::io_uring_sqe_set_data64(&entry, mark_of(Operation::Connect, slot));
    }
    return true;
  }
  if (connection.transmit_stamped && connection.phase != Connection::Phase::Free &&
      flight.begun.add(Operation::Stamps)) {
    io_uring_sqe& entry = next_entry();
    // With no other event requested, it reports the error queue, which has the stamps.
    ::io_uring_prep_poll_multishot(&entry, connection.socket.fd(), POLLERR);
    ::io_uring_sqe_set_data64(&entry, mark_of(Operation::Stamps, slot));
  }
  const bool open = connection.phase == Connection::Phase::Open;
  if (!open) {
    release_held(flight);  // No longer needed.
  }
  const bool wants_input = open ? !connection.paused && !flight.ended : !connection.input_ended;
  const bool receiving = flight.begun.has(Operation::Receive);
  if (wants_input && !receiving) {
    // Held input comes first: receiving more of a connection that pauses again and again would take
    // the buffers of all others.
    if (flight.held == UringBuffers::none) {
      receive(slot);
    }
  } else if (!wants_input && receiving && !flight.begun.has(Operation::Cancel)) {
    stop_receiving(slot);
  }
  if (!connection.output.empty()) {
    want_to_send(slot);
  }
  return true;
}

std::expected<DetachedConnection, base::Error> UringReactor::release(
    ConnectionId /*connection*/, std::string_view /*unconsumed*/) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "a connection cannot leave an io_uring", "release", "E107"});
}

void UringReactor::unwatch(std::uint32_t slot) noexcept {
  Flight& flight = flights_[slot];
  if (!flight.begun.empty()) {
    cancel_all(connections_[slot].socket.fd());
  }
  release_held(flight);
  const bool unsubmitted = flight.unsubmitted;
  flight = Flight{};
  // Its place in the list stays; the list's processing decides whether there is work.
  flight.unsubmitted = unsubmitted;
}

bool UringReactor::watch_listener(std::uint32_t listener, bool wanted) noexcept {
  ListenerSlot& slot = listeners_[listener];
  if (wanted && !slot.watched) {
    io_uring_sqe& entry = next_entry();
    ::io_uring_prep_poll_add(&entry, slot.listener->socket().fd(), POLLIN);
    ::io_uring_sqe_set_data64(&entry, mark_of(Operation::Accept, listener, slot.generation));
    slot.watched = true;
  }
  // A paused listener gets at most one more peer, and no new request.
  return true;
}

void UringReactor::unwatch_listener(std::uint32_t listener) noexcept {
  if (listeners_[listener].watched) {
    cancel_all(listeners_[listener].listener->socket().fd());
  }
}

void UringReactor::watch_waker() noexcept {
  io_uring_sqe& entry = next_entry();
  ::io_uring_prep_poll_multishot(&entry, waker_.fd(), POLLIN);
  ::io_uring_sqe_set_data64(&entry, mark_of(Operation::Wake, 0, 0));
}

// A request holds its socket open, and its memory in use, until it has ended. Requests not
// submitted yet count too: their descriptor might be reused by then.
void UringReactor::cancel_all(int fd) noexcept {
  enable();
  if (::io_uring_sq_ready(&ring_) != 0) {
    static_cast<void>(::io_uring_submit(&ring_));
  }
  cancel(ring_, IORING_ASYNC_CANCEL_FD, fd);
}

}  // namespace affix::inline v0::net
