// SPDX-License-Identifier: MIT
// A cross-thread sender's queues, one to each worker, and the records in them.
#pragma once

#include "affix/base/byte_ring.hpp"
#include "affix/engine/hand_over.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/net/waker.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/encoder.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// Maximum number of senders that exist at one time.
inline constexpr std::size_t cross_thread_senders_max = 64;

/// Maximum number of header fields that the caller adds to one message.
inline constexpr std::size_t cross_thread_header_max = 16;

/// Header of a record in a queue. The rest follows without gaps: for Send the type, the header
/// fields (tag and size as 32-bit numbers, then the value) and the body at `body_begin`; for the
/// others the text. In memory only, between threads of one process.
struct CommandHead {
  enum class Kind : std::uint8_t {
    Send,
    AcceptLogon,
    RefuseLogon,
    CheckLogon,
    Logout,
    Connect,
    Reset,
    TestPeer,
    FinishMessage,
    Redeliver,
    Call
  };

  host::SessionHandle session;
  std::uint64_t token = 0;  ///< Send: returned with the result. FinishMessage: the receipt.
  void (*function)(host::SessionHandle, void*) = nullptr;  ///< Call.
  void* context = nullptr;
  Kind kind = Kind::Call;
  std::uint8_t header_fields = 0;
  std::uint16_t type_size = 0;
  std::uint32_t text_size = 0;   ///< Type and header fields, or the text.
  std::uint32_t body_begin = 0;  ///< Offset from the record's front.
  std::uint32_t body_size = 0;
};

/// Written by the sender's thread, read by the workers'. Made for a sender, which gives them back;
/// a worker may still read them then.
class CrossThreadQueues {
 public:
  /// `wakers`: of each worker; they outlive it.
  CrossThreadQueues(std::vector<net::Waker*> wakers, const CrossThreadSenderOptions& options);

  [[nodiscard]] base::ByteRing& ring(std::size_t worker) noexcept { return *rings_[worker]; }

  [[nodiscard]] const CrossThreadSenderOptions& options() const noexcept { return options_; }

  /// False: a sender has them.
  [[nodiscard]] bool take() noexcept {
    // Acquire: the next sender's thread continues where the former one ended.
    return !taken_.exchange(true, std::memory_order_acquire);
  }

  void give_back() noexcept { taken_.store(false, std::memory_order_release); }

  // The sender's, which has the contracts.

  [[nodiscard]] const wire::Encoder& begin_message(
      host::SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header) noexcept;
  [[nodiscard]] HandOver commit_message(wire::EncodeError error, std::size_t size,
                                        std::uint64_t token) noexcept;
  [[nodiscard]] HandOver command(const CommandHead& head, std::string_view text) noexcept;

 private:
  void publish(std::size_t worker, const CommandHead& head, std::span<char> record,
               std::size_t size) noexcept;

  const CrossThreadSenderOptions options_;
  const std::vector<net::Waker*> wakers_;               // By worker.
  std::vector<std::unique_ptr<base::ByteRing>> rings_;  // By worker.
  wire::Encoder encoder_{std::span<char>()};            // For the last begin.
  CommandHead head_;                                    // For the last begin.
  std::span<char> record_;                              // For the last begin; empty: there was no
                                                        // room.
  HandOver refusal_ = HandOver::Full;                   // Reason why it is empty.
  std::atomic<bool> taken_{true};                       // Made for a sender.
};

}  // namespace affix::inline v0::engine
