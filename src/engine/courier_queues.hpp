// SPDX-License-Identifier: MIT
// A courier's queues, one to each worker, and the records in them.
#pragma once

#include "affix/base/byte_ring.hpp"
#include "affix/engine/courier.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace affix::inline v0::engine {

class Worker;

/// Maximum number of couriers that exist at one time.
inline constexpr std::size_t couriers_max = 64;

/// Maximum number of header fields that the caller adds to one message.
inline constexpr std::size_t courier_header_max = 16;

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

/// Written by the courier's thread, read by the workers'.
class CourierQueues {
 public:
  /// `workers` outlive it.
  CourierQueues(const std::vector<Worker*>& workers, const CourierOptions& options);

  [[nodiscard]] base::ByteRing& ring(std::size_t worker) noexcept { return *rings_[worker]; }

  [[nodiscard]] const CourierOptions& options() const noexcept { return options_; }

  // The courier's; courier.cpp has the contracts.

  [[nodiscard]] const wire::Encoder& open(
      host::SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header) noexcept;
  [[nodiscard]] HandOver close(wire::EncodeError error, std::size_t size,
                               std::uint64_t token) noexcept;
  [[nodiscard]] HandOver command(const CommandHead& head, std::string_view text) noexcept;

 private:
  void publish(std::size_t worker, const CommandHead& head, std::span<char> record,
               std::size_t size) noexcept;

  const CourierOptions options_;
  const std::vector<Worker*> workers_;
  std::vector<std::unique_ptr<base::ByteRing>> rings_;  // By worker.
  wire::Encoder encoder_{std::span<char>()};            // For the last begin.
  CommandHead head_;                                    // For the last begin.
  std::span<char> record_;                              // For the last begin; empty: there was no
                                                        // room.
  HandOver refusal_ = HandOver::Full;                   // Reason why it is empty.
};

/// Makes couriers and keeps their queues as long as the engine lives: a worker may still read the
/// queue of a destroyed courier. Any thread; takes a lock, but never for a message.
class CourierDesk {
 public:
  explicit CourierDesk(std::vector<Worker*> workers) : workers_(std::move(workers)) {}

  /// Nullopt when there are couriers_max couriers, or would be if their options differed.
  [[nodiscard]] std::optional<Courier> open(const CourierOptions& options);

  void give_back(CourierQueues& queues) noexcept;

 private:
  const std::vector<Worker*> workers_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CourierQueues>> all_;
  std::vector<CourierQueues*> free_;
};

}  // namespace affix::inline v0::engine
