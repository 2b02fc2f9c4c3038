// SPDX-License-Identifier: MIT
// A Standby's inside: its connections, the groups that it copies and those that it serves. Private
// to replication.
#pragma once

#include "affix/net/reactor.hpp"
#include "affix/replication/standby.hpp"

#include "replication/copied_group.hpp"
#include "replication/frame.hpp"
#include "replication/history_server.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace affix::inline v0::replication {

class Standby::Groups final : public net::Handler {
 public:
  Groups(StandbyOptions options, net::Reactor& reactor, Dialer& dialer);
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups();

  void turn(const net::Wait& wait) noexcept;
  bool prepare() noexcept;

  struct Release {
    std::string group;
  };

  struct Serve {
    ServedGroup group;
  };

  struct StopServing {
    std::string group;
  };

  struct Promise {
    std::string group;
    std::uint64_t epoch = 0;
    /// Of the former primary, which has not noticed yet.
    std::vector<net::ConnectionId> refused = {};
  };

  using Command = std::variant<GroupCopy, Release, Serve, StopServing, Promise>;

  void post(Command command);
  [[nodiscard]] std::vector<News> take_news();

  // --- net::Handler ---

  void on_accepted(net::ListenerId listener, net::ConnectionId id,
                   const net::Address& peer) noexcept override;
  void on_connected(net::ConnectionId id) noexcept override;
  void on_connect_failed(net::ConnectionId id, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId id,
                                     base::PaddedBytes bytes) noexcept override;
  void on_drained(net::ConnectionId id) noexcept override;
  void on_tls_fault(net::ConnectionId id, base::CodedText fault) noexcept override;
  void on_closed(net::ConnectionId id, net::CloseReason reason, int error_number) noexcept override;

 private:
  using Stream = InboundStream;
  using Phase = InboundStream::Phase;

  struct Connection {
    enum class Kind : std::uint8_t {
      Free,
      Fresh,    ///< Its Hello has not come.
      Live,     ///< A primary's.
      Server,   ///< A standby's that asks for history.
      Client,   ///< Ours for history.
      Closing,  ///< Nothing that comes from it matters.
    };

    Kind kind = Kind::Free;
    net::ConnectionId id{};
    CopiedGroup* group = nullptr;  ///< Live, Client.
    Stream* stream = nullptr;      ///< Live.
    std::string served{};          ///< Server: the group.
    std::unique_ptr<HistoryServer> server{};
    std::string output{};  ///< Server: whole frames to send.
    bool parked = false;
    std::int64_t since_ns = 0;
  };

  /// The effect of a frame on its connection.
  enum class Taken : std::uint8_t {
    Done,
    Paused,    ///< The rest waits unread.
    Closed,    ///< It is not this one's any more.
    Violated,  ///< The frame breaks the protocol.
  };

  // Commands.
  void run_commands();
  void run(GroupCopy& wanted);
  void run(Release& release);
  void run(Serve& serve);
  void run(StopServing& stop);
  void run(Promise& promise);
  void tell_promised(Promise& promise);
  void on_refused_gone(net::ConnectionId id);
  void remake_copies(CopiedGroup& group, std::vector<JournalCopy>& wanted);
  [[nodiscard]] CopiedGroup* find_group(std::string_view name) noexcept;
  [[nodiscard]] ServedGroup* find_served(std::string_view name) noexcept;
  [[nodiscard]] std::uint64_t promised(std::string_view group) const noexcept;
  void tell(News news);
  void tell(CopiedGroup& group, NewsKind kind);
  void tell_failed(CopiedGroup& group, std::string why, base::MessageCode code, bool kept = false);

  // Connections.
  [[nodiscard]] Connection* find(net::ConnectionId id) noexcept;
  Connection& enter(net::ConnectionId id, Connection::Kind kind);
  void send(Connection& connection, std::string_view frames) noexcept;
  void flush(Connection& connection) noexcept;
  void close(Connection& connection) noexcept;
  void part(Connection& connection, std::string_view last_frame) noexcept;
  void say_goodbye(Connection& connection, Goodbye reason) noexcept;
  void refuse(Connection& connection, Refusal reason, std::uint64_t epoch = 0) noexcept;
  [[nodiscard]] Taken take(Connection& connection, const FrameView& frame) noexcept;
  [[nodiscard]] Taken take_hello(Connection& connection, std::string_view payload) noexcept;
  void greet_live(Connection& connection, const Hello& hello) noexcept;
  void greet_history(Connection& connection, const Hello& hello) noexcept;
  [[nodiscard]] Taken take_question(Connection& connection, const FrameView& frame) noexcept;

  // Streams.
  [[nodiscard]] Taken take_live(Connection& connection, const FrameView& frame) noexcept;
  [[nodiscard]] Taken take_control(Connection& connection, const FrameView& frame) noexcept;
  [[nodiscard]] Taken take_stream(Connection& connection, const FrameView& frame) noexcept;
  [[nodiscard]] Taken take_journal(Connection& connection, std::string_view payload) noexcept;
  [[nodiscard]] Taken take_unprocessed(Connection& connection, std::string_view payload) noexcept;
  [[nodiscard]] Taken begin_tap(Connection& connection, std::uint32_t id) noexcept;
  [[nodiscard]] Taken take_part(Connection& connection, const FrameView& frame) noexcept;
  [[nodiscard]] Taken apply(Connection& connection, Copy& copy, journal::Followed result) noexcept;
  void answer(Connection& connection) noexcept;
  void answer_flushed(Connection& connection) noexcept;
  void touch(Stream& stream, Copy& copy);
  void forget_stream(CopiedGroup& group, Stream& stream) noexcept;
  void set_down(CopiedGroup& group, Stream& stream) noexcept;
  void lose(CopiedGroup& group, Stream& stream, Goodbye reason, Copy* copy) noexcept;
  void pause(Connection& connection) noexcept;
  void gone(CopiedGroup& group, GoneHow how);
  void note_streams(CopiedGroup& group);
  void try_join(CopiedGroup& group, Stream& stream) noexcept;
  /// False: the copy is somewhere else.
  [[nodiscard]] bool join_copy(CopiedGroup& group, Stream& stream, InboundTap& tap) noexcept;

  // History of groups that this node copies.
  [[nodiscard]] bool drive(CopiedGroup& group);
  [[nodiscard]] bool open_copies(CopiedGroup& group);
  [[nodiscard]] bool may_fetch(const CopiedGroup& group) const noexcept;
  void want_streams(CopiedGroup& group) noexcept;
  [[nodiscard]] Copy* next_to_fetch(CopiedGroup& group, bool fetches);
  void ask_next(CopiedGroup& group, bool fetches);
  [[nodiscard]] Taken take_history(Connection& connection, const FrameView& frame) noexcept;
  [[nodiscard]] bool take_answer(CopiedGroup& group, std::string_view payload);
  [[nodiscard]] bool take_piece(CopiedGroup& group, std::string_view payload);
  void store_piece(CopiedGroup& group, Copy& copy, PieceState state, journal::Position next);
  void hang_up(CopiedGroup& group) noexcept;
  void fail_copy(CopiedGroup& group, Copy& copy, Goodbye reason, std::string why,
                 base::MessageCode code);

  // Time.
  void watch(CopiedGroup& group);
  void wait_until(std::int64_t ns) noexcept;
  [[nodiscard]] bool work_on_copies();
  void vouch_for_marks(CopiedGroup& group);
  void take_settled();

  const StandbyOptions options_;
  net::Reactor& reactor_;
  Dialer& dialer_;
  std::size_t send_bytes_max_;
  std::int64_t now_ns_ = 0;
  std::int64_t next_fault_ns_ = 0;  // From when a connection's fault is told again.
  std::int64_t deadline_ns_ = 0;
  std::vector<Connection> connections_ = {};  // By slot.
  OpenCopies open_;  // Before the groups, whose copies leave it when they are destroyed.
  std::vector<std::unique_ptr<CopiedGroup>> groups_;
  std::vector<ServedGroup> served_ = {};
  std::vector<Promise> promises_ = {};   // Of each group, the highest.
  std::vector<Promise> promising_ = {};  // Not told yet.
  std::vector<Copy*> touched_;
  std::int64_t writable_ns_ = 0;
  std::string scratch_ = {};  // Frames to send at once.

  std::mutex mutex_;  // Of the two below.
  std::vector<Command> commands_ = {};
  std::vector<News> news_ = {};
};

}  // namespace affix::inline v0::replication
