// SPDX-License-Identifier: MIT
// TLS between another reactor and the owner of this one: stands in the middle of every call and
// every event. What is plain is handed on as it is; of what is not, this keeps a stream for each
// slot of the reactor beneath.
// One class over four files: tls_transport.cpp turns and what begins, tls_hand_over.cpp connections
// that come from another reactor or go there, tls_transport_input.cpp input and what ends,
// tls_transport_output.cpp output and closing.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/net/tls_reactor.hpp"

#include "net/block_pool.hpp"
#include "net/kept_input.hpp"
#include "net/tls_stream.hpp"

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

namespace affix::inline v0::net {

class TlsTransport final : public TlsReactor, private Handler {
 public:
  /// `beneath` has room for what options_beneath_tls() asks for.
  [[nodiscard]] static std::expected<std::unique_ptr<TlsReactor>, base::Error> make(
      std::unique_ptr<Reactor> beneath);

  // Reactor and TlsReactor.
  [[nodiscard]] base::Now now() noexcept override { return beneath_->now(); }

  [[nodiscard]] base::Now now_again() noexcept override { return beneath_->now_again(); }

  [[nodiscard]] const ReactorOptions& options() const noexcept override { return options_; }

  Turn poll(base::Now now, const Wait& wait, Handler& handler) noexcept override;
  [[nodiscard]] std::expected<Listening, base::Error> listen(const Address& address,
                                                             const SocketOptions& options) override;
  [[nodiscard]] std::expected<ListenerId, base::Error> add_listener(Listener listener) override;

  void rest_listener(ListenerId listener, std::int64_t until_ns) noexcept override {
    beneath_->rest_listener(listener, until_ns);
  }

  bool remove_listener(ListenerId listener) noexcept override;
  [[nodiscard]] std::expected<ConnectionId, base::Error> connect(const Address& address,
                                                                 const SocketOptions& options,
                                                                 std::int64_t deadline_ns) override;
  [[nodiscard]] std::expected<DetachedConnection, base::Error> release(
      ConnectionId connection, std::string_view unconsumed) override;
  using Reactor::adopt;
  [[nodiscard]] std::expected<ConnectionId, base::Error> adopt(
      DetachedConnection connection) override;
  [[nodiscard]] SendResult send(ConnectionId connection,
                                std::span<const std::string_view> pieces) noexcept override;
  void submit() noexcept override;
  bool close(ConnectionId connection) noexcept override;
  bool close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept override;
  bool pause_reading(ConnectionId connection) noexcept override;
  bool resume_reading(ConnectionId connection) noexcept override;
  [[nodiscard]] std::size_t parked_bytes(ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<Address> local_address(
      ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<Address> peer_address(
      ConnectionId connection) const noexcept override;
  [[nodiscard]] std::int64_t received_ns(ConnectionId connection) const noexcept override;
  [[nodiscard]] std::uint32_t connection_count() const noexcept override;

  [[nodiscard]] Waker& waker() noexcept override { return beneath_->waker(); }

  [[nodiscard]] std::string_view name() const noexcept override { return beneath_->name(); }

  [[nodiscard]] std::expected<Listening, base::Error> listen_tls(
      const Address& address, const SocketOptions& options,
      std::shared_ptr<const TlsEndpoint> endpoint) override;
  [[nodiscard]] std::expected<ConnectionId, base::Error> connect_tls(
      const Address& address, const SocketOptions& options, std::int64_t deadline_ns,
      std::shared_ptr<const TlsEndpoint> endpoint) override;
  void begin_preamble(ConnectionId connection) noexcept override;
  void end_preamble(ConnectionId connection) noexcept override;
  [[nodiscard]] const TlsPeer* tls_peer(ConnectionId connection) const noexcept override;

  /// Room in the output beneath that is kept for the protocol's own messages: an alert, a new key,
  /// a server's whole handshake.
  static constexpr std::size_t own_output_bytes = 32 * 1024;

 private:
  /// What is kept of a slot of the reactor beneath.
  struct Secured {
    enum class Phase : std::uint8_t {
      Plain,       ///< No TLS, or the slot is free: everything is handed on.
      Connecting,  ///< TCP does not stand yet.
      Handshaking,
      Open,
      Closing,  ///< The owner has asked for the end and hears of it.
      Failing,  ///< TLS failed; the peer is being told, and the owner hears of the end then.
      Ended,    ///< The owner believes it gone; only the reactor beneath still flushes.
    };

    std::uint32_t generation = 0;
    Phase phase = Phase::Plain;
    bool initiated = false;   ///< By connect_tls(), and on_connected() has not been told yet.
    bool preamble = false;    ///< The owner reads what comes before the handshake.
    bool heard = false;       ///< The peer has said something.
    bool paused = false;      ///< The owner wants no input.
    bool redeliver = false;   ///< Reading was resumed, and what is kept comes first.
    bool broken = false;      ///< A send failed; the next turn tells.
    bool queued = false;      ///< Its slot is in the list of things to do at the next turn.
    bool wants_room = false;  ///< A send was refused, and the owner waits to hear of room.
    KeptInput plain;          ///< Decrypted and unconsumed.
    std::unique_ptr<TlsStream> stream;
    std::shared_ptr<const TlsEndpoint> endpoint;  ///< While Connecting.
  };

  /// A secured connection on its way to another reactor.
  struct Detached final : ConnectionLayer {
    std::unique_ptr<TlsStream> stream;
    std::string plain;  ///< Decrypted and not consumed.
  };

  struct TlsListener {
    ListenerId id;
    std::shared_ptr<const TlsEndpoint> endpoint;
  };

  TlsTransport(std::unique_ptr<Reactor> beneath, std::uint32_t plain_capacity);

  [[nodiscard]] std::expected<void, base::Error> open();

  // Handler: what the reactor beneath tells.
  void on_accepted(ListenerId listener, ConnectionId connection,
                   const Address& peer) noexcept override;
  void on_connected(ConnectionId connection) noexcept override;
  void on_connect_failed(ConnectionId connection, ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_drained(ConnectionId connection) noexcept override;
  void on_closed(ConnectionId connection, CloseReason reason, int error_number) noexcept override;
  void on_accept_paused(ListenerId listener, AcceptPause pause) noexcept override;

  // Turns (tls_transport.cpp).
  [[nodiscard]] std::uint32_t end_late_handshakes(std::int64_t now_ns) noexcept;
  [[nodiscard]] std::uint32_t do_pending() noexcept;
  void tell_of_room() noexcept;
  void queue(std::uint32_t slot) noexcept;

  // Slots (tls_transport.cpp). Null: plain, or dead.
  [[nodiscard]] Secured* find(ConnectionId connection) noexcept;
  [[nodiscard]] const Secured* find(ConnectionId connection) const noexcept;
  void enter(ConnectionId connection, Secured::Phase phase, bool initiated) noexcept;
  void forget(std::uint32_t slot) noexcept;
  [[nodiscard]] bool begin_handshake(ConnectionId connection, const TlsEndpoint& endpoint) noexcept;
  [[nodiscard]] bool lives(ConnectionId connection, Secured::Phase phase) const noexcept;

  // Input (tls_transport_input.cpp).
  void go_on_shaking_hands(ConnectionId connection, std::string_view& input) noexcept;
  void take_input(ConnectionId connection, std::string_view& input) noexcept;
  [[nodiscard]] bool deliver(ConnectionId connection, char* begin, std::uint32_t size) noexcept;
  void on_peer_end(ConnectionId connection) noexcept;
  void fail(ConnectionId connection, std::string_view why) noexcept;
  void give_up(ConnectionId connection, std::string_view why) noexcept;
  void tell_end(ConnectionId connection, bool initiated, CloseReason reason,
                int error_number) noexcept;

  // Output (tls_transport_output.cpp).
  /// Gives the reactor beneath what is in output_.
  SendResult flush_output(ConnectionId connection) noexcept;
  [[nodiscard]] bool encrypt(TlsStream& stream, std::span<const std::string_view> pieces) noexcept;

  std::unique_ptr<Reactor> beneath_;
  ReactorOptions options_;  // As beneath, with less output.
  std::vector<Secured> secured_;
  std::vector<TlsListener> listeners_;
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint32_t> pending_now_;
  std::vector<std::uint32_t> wanting_room_;
  base::DeadlineHeap deadlines_;  // Of handshakes, by slot.
  BlockPool plain_blocks_;
  BlockPool stage_pool_;
  char* stage_ = nullptr;  // All connections decrypt into it when they have nothing kept.
  TlsOutput output_;
  std::unique_ptr<char[]> gathered_;  // Small pieces that become one record.
  Handler* handler_ = nullptr;        // During a turn.
  // During on_bytes(): whose bytes they are, and what of them is not decrypted yet.
  ConnectionId at_hand_;
  std::string_view* input_at_hand_ = nullptr;
};

}  // namespace affix::inline v0::net
