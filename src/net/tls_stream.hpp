// SPDX-License-Identifier: MIT
// One connection's TLS: bytes of the wire in and out, bytes of the application out and in. Knows no
// socket and no reactor, so it moves from one to another as it is.
#pragma once

#include "affix/net/tls_peer.hpp"

#include "net/tls_context.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::net {

/// Bytes for the wire, collected until they are sent; one for all streams of a reactor.
class TlsOutput {
 public:
  /// Address space until it is used.
  explicit TlsOutput(std::size_t capacity)
      : bytes_(std::make_unique_for_overwrite<char[]>(capacity)), capacity_(capacity) {}

  /// False, and nothing is taken: it is full.
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
  enum class Status : std::uint8_t {
    Open,    ///< All that could be done is done; with more input there may be more.
    Done,    ///< Of the handshake: it is over, and the peer has proved who it is.
    Ended,   ///< The peer has ended its stream in order.
    Failed,  ///< Nothing more will come of it; fault() says why.
  };

  struct Read {
    std::size_t bytes = 0;
    Status status = Status::Open;
  };

  /// Null: no memory. The peer's certificate is judged at `utc_ns`.
  [[nodiscard]] static std::unique_ptr<TlsStream> make(std::shared_ptr<const TlsContext> context,
                                                       std::int64_t utc_ns);

  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;
  ~TlsStream() = default;

  // All of these take what they use from the front of `input` and append to `output`.

  /// Goes on with the handshake. Done is told once.
  [[nodiscard]] Status shake_hands(std::string_view& input, TlsOutput& output) noexcept;

  /// Decrypts into `room`, as much as it holds. Open with fewer bytes than that: all input is used.
  [[nodiscard]] Read read(std::string_view& input, std::span<char> room,
                          TlsOutput& output) noexcept;

  /// Encrypts all of `plain`. False: fault().
  [[nodiscard]] bool write(std::string_view plain, TlsOutput& output) noexcept;

  /// Our close_notify. Nothing can be written afterwards.
  void end(TlsOutput& output) noexcept;

  /// Decrypted bytes wait, or bytes of a record that is not whole.
  [[nodiscard]] bool has_pending() const noexcept;

  /// After Done.
  [[nodiscard]] const TlsPeer& peer() const noexcept { return peer_; }

  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

  /// The protocol's limit on a record.
  static constexpr std::size_t record_bytes_max = 16 * 1024;

  /// Most bytes that write() makes of so many.
  [[nodiscard]] static constexpr std::size_t encrypted_size_max(std::size_t plain) noexcept {
    return plain + (plain / record_bytes_max + 1) * record_overhead_max;
  }

 private:
  explicit TlsStream(std::shared_ptr<const TlsContext> context) : context_(std::move(context)) {}

  // More than any cipher of TLS 1.2 or 1.3 adds to a record: 5 header, 16 vector, 48 MAC, 16
  // padding, 1 type.
  static constexpr std::size_t record_overhead_max = 96;

  // TLS 1.3 wants a new key before 2^24.5 records of AES-GCM (RFC 8446, 5.5). TLS 1.2 has no such
  // means but a new connection.
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
  // Where the wire is during a call.
  std::string_view* input_ = nullptr;
  TlsOutput* output_ = nullptr;
  std::uint64_t records_written_ = 0;
  bool shaken_ = false;
  TlsPeer peer_;
  std::string fault_;
};

}  // namespace affix::inline v0::net
