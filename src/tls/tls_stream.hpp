// SPDX-License-Identifier: MIT
// TLS of one connection: bytes of the wire in and out, bytes of the application out and in. Knows
// no socket and no reactor, so it can move between reactors unchanged.
#pragma once

#include "affix/tls/tls_peer.hpp"

#include "tls/tls_context.hpp"
#include "tls/tls_status.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tls {

/// Bytes for the wire, collected until they are sent; one for all streams of a reactor.
class TlsOutput {
 public:
  /// Address space only, until it is used.
  explicit TlsOutput(std::size_t capacity)
      : bytes_(std::make_unique_for_overwrite<char[]>(capacity)), capacity_(capacity) {}

  /// False, without appending: it is full.
  [[nodiscard]] bool append(std::string_view bytes) noexcept;

  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }

  void clear() noexcept { size_ = 0; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

/// Not copied, not moved: OpenSSL holds its address. One thread at a time.
class TlsStream {
 public:
  using Status = TlsStatus;
  using Read = TlsRead;

  /// Null: no memory. The peer's certificate is verified for `utc_ns`.
  [[nodiscard]] static std::unique_ptr<TlsStream> make(std::shared_ptr<const TlsContext> context,
                                                       std::int64_t utc_ns);

  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;
  ~TlsStream() = default;

  // All of these consume the front of `input` and append to `output`.

  /// Continues the handshake. Returns Done once.
  [[nodiscard]] Status shake_hands(std::string_view& input, TlsOutput& output) noexcept;

  /// Decrypts into `room`, up to its size. Open with fewer bytes than that: all input is used.
  [[nodiscard]] Read read(std::string_view& input, std::span<char> room,
                          TlsOutput& output) noexcept;

  /// Encrypts all of `plain`. False: fault().
  [[nodiscard]] bool write(std::string_view plain, TlsOutput& output) noexcept;

  /// Sends our close_notify. Nothing can be written afterwards.
  void end(TlsOutput& output) noexcept;

  /// Decrypted bytes wait, or part of a record.
  [[nodiscard]] bool has_pending() const noexcept;

  /// After Done.
  [[nodiscard]] const TlsPeer& peer() const noexcept { return peer_; }

  [[nodiscard]] const TlsFault& fault() const noexcept { return fault_; }

  /// The protocol's limit on a record.
  static constexpr std::size_t record_bytes_max = 16 * 1024;

  /// Maximum number of bytes that write() makes from `plain` bytes.
  [[nodiscard]] static constexpr std::size_t encrypted_size_max(std::size_t plain) noexcept {
    return plain + (plain / record_bytes_max + 1) * record_overhead_max;
  }

 private:
  explicit TlsStream(std::shared_ptr<const TlsContext> context) : context_(std::move(context)) {}

  // Exceeds the overhead of a record in any cipher of TLS 1.2 or 1.3: 5 header, 16 vector, 48 MAC,
  // 16 padding, 1 type.
  static constexpr std::size_t record_overhead_max = 96;

  // TLS 1.3 requires a new key before 2^24.5 records of AES-GCM (RFC 8446, 5.5). TLS 1.2 would need
  // a new connection.
  static constexpr std::uint64_t records_per_key_max = std::uint64_t{1} << 23;

  static int read_wire(BIO* bio, char* place, int size) noexcept;
  static int write_wire(BIO* bio, const char* bytes, int size) noexcept;
  static long control_wire(BIO* bio, int command, long number, void* pointer) noexcept;

  [[nodiscard]] Status status_of(int result) noexcept;
  void fail();
  void learn_peer();

  std::shared_ptr<const TlsContext> context_;
  HandshakeNotes notes_;
  OwnedBioMethod method_;
  OwnedSsl ssl_;
  // Input of the wire during a call.
  std::string_view* input_ = nullptr;
  TlsOutput* output_ = nullptr;
  std::uint64_t records_written_ = 0;
  bool shaken_ = false;
  TlsPeer peer_;
  TlsFault fault_;
};

}  // namespace affix::inline v0::tls
