// SPDX-License-Identifier: MIT
// TLS between another reactor and the owner of this one: forwards every call and every
// event. Plain connections pass unchanged; for secured ones it keeps a stream for each
// slot of the reactor beneath. One class in four files: tls_transport.cpp has turns and
// beginnings, tls_hand_over.cpp connections that change reactors,
// tls_transport_input.cpp input and endings, tls_transport_output.cpp output and
// closing.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/base/enum_set.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "net/block_pool.hpp"
#include "net/kept_input.hpp"
#include "tls/tls_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tls {

class TlsTransport final : public TlsReactor, private net::Handler {
 public:
  /// `beneath` has the room that options_beneath_tls() asks for.
  [[nodiscard]] static std::expected<std::unique_ptr<TlsReactor>, base::Error> make(
      std::unique_ptr<net::Reactor> beneath);

  // Reactor and TlsReactor.
  [[nodiscard]] base::Now now() noexcept override { return beneath_->now(); }

  [[nodiscard]] base::Now now_again() noexcept override { return beneath_->now_again(); }

  [[nodiscard]] const net::ReactorOptions& options() const noexcept override { return options_; }

  net::Turn poll(base::Now now, const net::Wait& wait, net::Handler& handler) noexcept override;
  [[nodiscard]] std::expected<net::Listening, base::Error> listen(
      const net::Address& address, const net::SocketOptions& options) override;
  [[nodiscard]] std::expected<net::ListenerId, base::Error> add_listener(
      net::Listener listener) override;

  void rest_listener(net::ListenerId listener, std::int64_t until_ns) noexcept override {
    beneath_->rest_listener(listener, until_ns);
  }

  void end_rest(net::ListenerId listener) noexcept override { beneath_->end_rest(listener); }

  bool remove_listener(net::ListenerId listener) noexcept override;
  [[nodiscard]] std::expected<net::ConnectionId, base::Error> connect(
      const net::Address& address, const net::SocketOptions& options,
      std::int64_t deadline_ns) override;
  [[nodiscard]] std::expected<net::DetachedConnection, base::Error> release(
      net::ConnectionId connection, std::string_view unconsumed) override;
  using net::Reactor::adopt;
  [[nodiscard]] std::expected<net::ConnectionId, base::Error> adopt(
      net::DetachedConnection connection) override;
  [[nodiscard]] std::expected<net::Socket, base::Error> share(
      net::ConnectionId connection) override;

  bool leave(net::ConnectionId connection) noexcept override { return beneath_->leave(connection); }

  [[nodiscard]] std::expected<net::Socket, base::Error> share(net::ListenerId listener) override {
    return beneath_->share(listener);
  }

  [[nodiscard]] std::expected<net::StreamPosition, base::Error> stream_position(
      const net::Socket& shared, net::Opened opened) override {
    return beneath_->stream_position(shared, opened);
  }

  [[nodiscard]] net::SendResult send(net::ConnectionId connection,
                                     std::span<const std::string_view> pieces) noexcept override;
  void submit() noexcept override;
  bool close(net::ConnectionId connection) noexcept override;
  bool close_after_flush(net::ConnectionId connection, std::int64_t deadline_ns) noexcept override;
  bool pause_reading(net::ConnectionId connection) noexcept override;
  bool resume_reading(net::ConnectionId connection) noexcept override;
  [[nodiscard]] std::size_t parked_bytes(net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<net::Address> local_address(
      net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<net::Address> peer_address(
      net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::int64_t received_ns(net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::uint64_t output_position(net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::uint32_t connection_count() const noexcept override;

  [[nodiscard]] int descriptor() noexcept override { return beneath_->descriptor(); }

  [[nodiscard]] std::int64_t begin_rest() noexcept override;

  [[nodiscard]] net::Waker& waker() noexcept override { return beneath_->waker(); }

  [[nodiscard]] std::string_view name() const noexcept override { return beneath_->name(); }

  [[nodiscard]] std::expected<net::Listening, base::Error> listen_tls(
      const net::Address& address, const net::SocketOptions& options,
      std::shared_ptr<const TlsEndpoint> endpoint) override;
  [[nodiscard]] std::expected<net::ConnectionId, base::Error> connect_tls(
      const net::Address& address, const net::SocketOptions& options, std::int64_t deadline_ns,
      std::shared_ptr<const TlsEndpoint> endpoint) override;
  void begin_preamble(net::ConnectionId connection) noexcept override;
  void end_preamble(net::ConnectionId connection) noexcept override;
  [[nodiscard]] const TlsPeer* tls_peer(net::ConnectionId connection) const noexcept override;

  /// Output room beneath reserved for TLS itself: an alert, a new key, a server's whole
  /// handshake.
  static constexpr std::size_t own_output_bytes = 32 * 1024;

 private:
  /// State of a slot of the reactor beneath.
  struct Secured {
    enum class Phase : std::uint8_t {
      Plain,       ///< No TLS, or the slot is free: forwards everything.
      Connecting,  ///< TCP is not connected yet.
      Handshaking,
      Open,
      Closing,  ///< The owner has asked to close, and will get the event.
      Failing,  ///< TLS failed; an alert is being sent, and then the owner gets the event.
      Ended,    ///< The owner has seen the end; only the reactor beneath still flushes.
    };

    enum class Reading : std::uint8_t {
      On,
      Paused,   ///< The owner wants no input.
      Resumed,  ///< As On, but kept bytes come first.
    };

    /// Work of a later turn for the slot.
    enum class Due : std::uint8_t {
      Turn,     ///< The slot is in the list of work for the next turn.
      Failure,  ///< A send failed, which is to be reported.
      Room,     ///< A send was refused, and the owner waits for on_drained().
    };

    std::uint32_t generation = 0;
    Phase phase = Phase::Plain;
    Reading reading = Reading::On;
    base::EnumSet<Due> due;
    bool initiated = false;  ///< By connect_tls(), before on_connected().
    bool preamble = false;   ///< The owner reads the bytes before the handshake.
    bool heard = false;      ///< The peer has sent something.
    net::KeptInput plain;    ///< Decrypted and unconsumed.
    std::unique_ptr<TlsStream> stream;
    std::shared_ptr<const TlsEndpoint> endpoint;  ///< While Connecting.
  };

  /// A secured connection on its way to another reactor.
  struct Detached final : net::ConnectionLayer {
    std::unique_ptr<TlsStream> stream;
    std::string plain;  ///< Decrypted and not consumed.
  };

  struct TlsListener {
    net::ListenerId id;
    std::shared_ptr<const TlsEndpoint> endpoint;
  };

  TlsTransport(std::unique_ptr<net::Reactor> beneath, std::uint32_t plain_capacity);

  [[nodiscard]] std::expected<void, base::Error> open();

  // Handler: events of the reactor beneath.
  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_transmitted(net::ConnectionId connection, std::uint64_t position,
                      std::int64_t utc_ns) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

  // Turns (tls_transport.cpp).
  [[nodiscard]] std::uint32_t end_late_handshakes(std::int64_t now_ns) noexcept;
  [[nodiscard]] std::uint32_t do_pending() noexcept;
  void report_room() noexcept;
  void queue(std::uint32_t slot) noexcept;

  // Slots (tls_transport.cpp). Null: plain, or dead.
  [[nodiscard]] Secured* find(net::ConnectionId connection) noexcept;
  [[nodiscard]] const Secured* find(net::ConnectionId connection) const noexcept;
  void enter(net::ConnectionId connection, Secured::Phase phase, bool initiated) noexcept;
  void forget(std::uint32_t slot) noexcept;
  [[nodiscard]] bool begin_handshake(net::ConnectionId connection,
                                     const TlsEndpoint& endpoint) noexcept;
  [[nodiscard]] bool lives(net::ConnectionId connection, Secured::Phase phase) const noexcept;

  // Input (tls_transport_input.cpp).
  void go_on_shaking_hands(net::ConnectionId connection, std::string_view& input) noexcept;
  void take_input(net::ConnectionId connection, std::string_view& input) noexcept;
  [[nodiscard]] bool deliver(net::ConnectionId connection, char* begin,
                             std::uint32_t size) noexcept;
  void on_peer_end(net::ConnectionId connection) noexcept;
  void fail(net::ConnectionId connection, const TlsFault& why) noexcept;
  void give_up(net::ConnectionId connection, base::CodedText why) noexcept;
  void report_end(net::ConnectionId connection, bool initiated, net::CloseReason reason,
                  int error_number) noexcept;

  // Output (tls_transport_output.cpp).
  /// Passes output_ to the reactor beneath.
  net::SendResult flush_output(net::ConnectionId connection) noexcept;
  [[nodiscard]] bool encrypt(TlsStream& stream, std::span<const std::string_view> pieces) noexcept;

  std::unique_ptr<net::Reactor> beneath_;
  net::ReactorOptions options_;  // As beneath, with less output.
  std::vector<Secured> secured_;
  std::vector<TlsListener> listeners_;
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint32_t> pending_now_;
  std::vector<std::uint32_t> wanting_room_;
  base::DeadlineHeap deadlines_;  // Of handshakes, by slot.
  net::BlockPool plain_blocks_;
  net::BlockPool stage_pool_;
  char* stage_ = nullptr;  // Decryption buffer of all connections without kept bytes.
  TlsOutput output_;
  std::unique_ptr<char[]> gathered_;  // Small pieces that become one record.
  net::Handler* handler_ = nullptr;   // During a turn.
  // During on_bytes(): their connection, and the bytes that are not decrypted yet.
  net::ConnectionId at_hand_;
  std::string_view* input_at_hand_ = nullptr;
};

}  // namespace affix::inline v0::tls
