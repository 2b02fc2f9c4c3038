// SPDX-License-Identifier: MIT
// Any bytes as frames: for the decoder, for a Standby as a primary's stream, as a primary's answers
// about history or as another standby's questions, and for a Shipper as a standby's answers. The
// first byte says which, and how many frames of an honest conversation come before them; the
// second, how large the pieces are in which they arrive. No bytes may end the process, or leave a
// copy that does not open.
#include "affix/journal/copying.hpp"
#include "affix/replication.hpp"

#include "replication/frame.hpp"
#include "replication/history_server.hpp"
#include "temporary_files.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace {

namespace base = affix::base;
namespace journal = affix::journal;
namespace net = affix::net;
namespace replication = affix::replication;
using affix_fuzz::require;
using replication::FrameType;

constexpr const char* identity = "FIX.4.4:US->P";

const std::string& directory() {
  static const affix_fuzz::Directory only;
  return only.path();
}

/// A reactor with a connection whose peer is the input, and one that this node dials for history.
class InputReactor final : public net::Reactor {
 public:
  base::Now now() noexcept override { return {++steady_ns, steady_ns}; }

  const net::ReactorOptions& options() const noexcept override { return options_; }

  net::Turn poll(base::Now, const net::Wait&, net::Handler& handler) noexcept override {
    if (std::exchange(accepts, false)) {
      open = true;
      handler.on_accepted({}, id, {});
    }
    if (std::exchange(connects, false)) {
      handler.on_connected(history_id);
    }
    deliver([&](base::PaddedBytes bytes) { return handler.on_bytes(id, bytes); });
    if (history_open && !history_unread.empty()) {
      const std::string bytes = history_unread + std::string(base::PaddedBytes::padding, '\xA5');
      const std::size_t used = handler.on_bytes(
          history_id, base::PaddedBytes(std::string_view(bytes).substr(0, history_unread.size())));
      require(used <= history_unread.size());
      history_unread.erase(0, used);
    }
    return {};
  }

  /// Passes what is unread; what is not consumed stays.
  template <typename OnBytes>
  void deliver(const OnBytes& on_bytes) {
    if (!open || paused || unread.empty()) {
      return;
    }
    // A copy with exactly the padding that is promised.
    std::string bytes = unread + std::string(base::PaddedBytes::padding, '\xA5');
    const std::size_t used =
        on_bytes(base::PaddedBytes(std::string_view(bytes).substr(0, unread.size())));
    require(used <= unread.size());
    unread.erase(0, used);
    require(unread.size() < replication::frame_bytes_max || paused || !open);
  }

  std::expected<net::ListenerId, base::Error> add_listener(net::Listener) override {
    return std::unexpected(base::Error{});
  }

  bool remove_listener(net::ListenerId) noexcept override { return false; }

  std::expected<net::ConnectionId, base::Error> connect(const net::Address&,
                                                        const net::SocketOptions&,
                                                        std::int64_t) override {
    return std::unexpected(base::Error{});
  }

  std::expected<net::DetachedConnection, base::Error> release(net::ConnectionId,
                                                              std::string_view) override {
    return std::unexpected(base::Error{});
  }

  std::expected<net::ConnectionId, base::Error> adopt(net::DetachedConnection) override {
    return std::unexpected(base::Error{});
  }

  net::SendResult send(net::ConnectionId to,
                       std::span<const std::string_view> pieces) noexcept override {
    if (to == history_id ? !history_open : !open) {
      return net::SendResult::Closed;
    }
    for (const std::string_view piece : pieces) {
      (to == history_id ? history_sent : sent) += piece;
    }
    return net::SendResult::Sent;
  }

  bool close(net::ConnectionId which) noexcept override {
    return std::exchange(which == history_id ? history_open : open, false);
  }

  bool close_after_flush(net::ConnectionId which, std::int64_t) noexcept override {
    return close(which);
  }

  bool pause_reading(net::ConnectionId) noexcept override { return paused = true; }

  bool resume_reading(net::ConnectionId) noexcept override {
    paused = false;
    return true;
  }

  std::size_t parked_bytes(net::ConnectionId) const noexcept override { return 0; }

  std::optional<net::Address> local_address(net::ConnectionId) const noexcept override {
    return std::nullopt;
  }

  std::optional<net::Address> peer_address(net::ConnectionId) const noexcept override {
    return std::nullopt;
  }

  std::uint32_t connection_count() const noexcept override { return open ? 1 : 0; }

  net::Waker& waker() noexcept override { return waker_; }

  std::string_view name() const noexcept override { return "input"; }

  static constexpr net::ConnectionId id{0, 1};
  static constexpr net::ConnectionId history_id{1, 1};
  std::int64_t steady_ns = 1;
  bool accepts = false;
  bool open = false;
  bool paused = false;
  std::string unread;
  std::string sent;
  bool connects = false;
  bool history_open = false;
  std::string history_unread;
  std::string history_sent;

 private:
  net::ReactorOptions options_;
  net::Waker waker_;
};

class InputDialer final : public replication::Dialer {
 public:
  explicit InputDialer(InputReactor& reactor) : reactor_(reactor) {}

  std::expected<net::ConnectionId, base::Error> dial(const replication::Node& node,
                                                     std::int64_t) override {
    if (node.name == "standby") {
      reactor_.open = true;
      return InputReactor::id;
    }
    reactor_.history_open = true;
    reactor_.connects = true;
    reactor_.history_unread.clear();
    return InputReactor::history_id;
  }

 private:
  InputReactor& reactor_;
};

/// Frames that say what they were read as, and none that is longer than its length.
void read_alone(std::string_view bytes) {
  while (!bytes.empty()) {
    const replication::FrameView frame = replication::first_frame(bytes);
    if (frame.state != replication::FrameView::State::Whole) {
      return;
    }
    require(frame.size >= 8 && frame.size <= bytes.size() && frame.size % 8 == 0);
    const std::string_view payload = frame.payload;
    std::string again;
    if (const auto hello = replication::read_hello(payload)) {
      replication::put_hello(again, *hello);
      require(replication::read_hello(std::string_view(again).substr(8)) == hello);
    }
    static_cast<void>(replication::read_accepted(payload));
    static_cast<void>(replication::read_refused(payload));
    static_cast<void>(replication::read_place(payload));
    static_cast<void>(replication::read_begin(payload));
    static_cast<void>(replication::read_goodbye(payload));
    static_cast<void>(replication::read_gone(payload));
    static_cast<void>(replication::read_mark(payload));
    static_cast<void>(replication::read_reserve(payload));
    static_cast<void>(replication::read_segment(payload));
    if (const auto begin = replication::read_journal(payload)) {
      again.clear();
      replication::put_journal(again, *begin);
      require(replication::read_journal(std::string_view(again).substr(8)) == begin);
    }
    if (const auto positions = replication::read_unprocessed(payload)) {
      require(positions->positions.size() <= replication::positions_per_frame);
    }
    if (const auto record = replication::read_record(payload)) {
      require(record->bytes.size() == record->total);
    }
    if (const auto part = replication::read_record_part(payload)) {
      require(part->offset + part->bytes.size() <= part->total);
    }
    if (const auto ask = replication::read_ask(payload)) {
      again.clear();
      replication::put_ask(again, *ask);
      require(replication::read_ask(std::string_view(again).substr(8)) == ask);
    }
    if (const auto answer = replication::read_answer(payload)) {
      require((answer->kind == replication::HistoryAnswerKind::Anew) == answer->header.has_value());
    }
    if (const auto fetch = replication::read_fetch(payload)) {
      again.clear();
      replication::put_fetch(again, *fetch);
      require(replication::read_fetch(std::string_view(again).substr(8)) == fetch);
    }
    if (const auto piece = replication::read_piece(payload)) {
      require(piece->bytes.size() <= payload.size());
    }
    bytes.remove_prefix(frame.size);
  }
}

journal::Options options_of(const char* name) {
  journal::Options options;
  options.directory = directory() + "/" + name;
  options.identity = identity;
  options.first_segment_bytes = 16 * 1024;
  options.max_segment_bytes = 16 * 1024;
  options.sequence_reserve = 0;
  return options;
}

std::string hello_of(replication::Purpose purpose, const char* group) {
  std::string out;
  replication::put_hello(out, {.purpose = purpose,
                               .epoch = 7,
                               .stream = 77,
                               .cluster = "cluster",
                               .from = "primary",
                               .to = "standby",
                               .group = group});
  return out;
}

enum class Role : std::uint8_t { Stream, Answers, Questions };

/// Answers a Standby's questions about history as a primary does.
void answer_questions(InputReactor& reactor, replication::HistoryServer& server,
                      const replication::ServedGroup& served) {
  std::string questions = std::exchange(reactor.history_sent, {});
  std::string_view rest = questions;
  for (;;) {
    const replication::FrameView frame = replication::first_frame(rest);
    if (frame.state != replication::FrameView::State::Whole) {
      return;
    }
    rest.remove_prefix(frame.size);
    if (frame.type == FrameType::Hello) {
      replication::put_accepted(reactor.history_unread, {.epoch = 7});
    } else if (frame.type == FrameType::Ask) {
      server.answer(served, *replication::read_ask(frame.payload), reactor.history_unread);
    } else {
      server.answer(served, *replication::read_fetch(frame.payload), reactor.history_unread);
    }
  }
}

void forget_files() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory(), ignored)) {
    std::filesystem::remove_all(entry.path(), ignored);
  }
}

void play_to_standby(std::string_view bytes, std::size_t piece, unsigned honest, Role role) {
  forget_files();
  const journal::Options primary_options = options_of("primary");
  auto primary = journal::Journal::open(primary_options);
  require(primary.has_value() &&
          (*primary)->append_sent(1, 1, "message") == journal::AppendResult::Appended);
  const replication::ServedGroup served{"group", 7, {{identity, primary_options.directory}}};
  replication::HistoryServer server;
  {
    InputReactor reactor;
    InputDialer dialer(reactor);
    auto made =
        replication::Standby::make({.cluster = "cluster", .node = "standby"}, reactor, dialer);
    require(made.has_value());
    replication::Standby& standby = **made;
    standby.follow({.group = "group",
                    .epoch = 7,
                    .primary = {"primary", {}},
                    .journals = {{identity, options_of("copy")}}});
    standby.serve("served", 7, {{identity, primary_options.directory}});
    reactor.accepts = true;
    const auto turn = [&] {
      standby.turn(net::Wait::spin());
      reactor.steady_ns += base::ns_per_ms;
      if (role == Role::Stream) {
        answer_questions(reactor, server, served);
      }
    };
    turn();
    if (honest > 0) {
      reactor.unread += role == Role::Questions ? hello_of(replication::Purpose::History, "served")
                                                : hello_of(replication::Purpose::Live, "group");
      turn();
    }
    if (honest > 1 && role != Role::Questions) {
      replication::put_plain(reactor.unread, FrameType::MayFetch);
      for (int turns = 0; turns < 8; ++turns) {
        turn();
      }
    }
    if (honest > 2 && role == Role::Stream) {
      replication::put_begin(reactor.unread, {0, 1});
      replication::put_journal(reactor.unread,
                               {.tap = 0, .at = (*primary)->end(), .identity = identity});
      turn();
    }
    if (honest > 2 && role == Role::Answers) {
      replication::put_accepted(reactor.history_unread, {.epoch = 7});
      turn();
    }
    while (!bytes.empty() && reactor.open) {
      const std::string_view next = bytes.substr(0, piece);
      bytes.remove_prefix(next.size());
      (role == Role::Answers ? reactor.history_unread : reactor.unread) += next;
      turn();
    }
    standby.release("group");
    turn();
    read_alone(reactor.sent);
    read_alone(reactor.history_sent);
  }
  // Whatever came, the copy opens, or is not there.
  journal::Options copy = options_of("copy");
  copy.role = journal::JournalRole::Copy;
  const auto opened = journal::Journal::open(copy);
  require(opened.has_value() || opened.error().code == base::ErrorCode::NotFound);
}

void play_to_shipper(std::string_view bytes, std::size_t piece, unsigned honest) {
  forget_files();
  auto primary = journal::Journal::open(options_of("primary"));
  require(primary.has_value());
  InputReactor reactor;
  InputDialer dialer(reactor);
  auto made = replication::Shipper::make({.cluster = "cluster",
                                          .node = "primary",
                                          .group = "group",
                                          .epoch = 7,
                                          .standbys = {{"standby", {}}},
                                          .backlog_bytes = replication::backlog_bytes_min},
                                         reactor, dialer);
  require(made.has_value());
  replication::Shipper& shipper = **made;
  static_cast<void>(shipper.add(**primary, identity));
  const auto turn = [&] {
    require((*primary)->append_sent((*primary)->next_outgoing(), 1, "message") ==
            journal::AppendResult::Appended);
    reactor.deliver([&](base::PaddedBytes input) { return shipper.on_bytes(reactor.id, input); });
    shipper.end_turn(reactor.now());
    require(shipper.released() <= shipper.stored());
    reactor.steady_ns += base::ns_per_ms;
  };
  shipper.end_turn(reactor.now());
  shipper.on_connected(reactor.id);
  if (honest > 0) {
    replication::put_accepted(reactor.unread, {});
    turn();
  }
  if (honest > 1) {
    replication::put_plain(reactor.unread, FrameType::Want);
    turn();
  }
  shipper.set_gate(honest > 2 ? 1 : 0);
  while (!bytes.empty() && reactor.open) {
    const std::string_view next = bytes.substr(0, piece);
    bytes.remove_prefix(next.size());
    reactor.unread += next;
    turn();
  }
  read_alone(reactor.sent);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 128 * 1024) {
    return 0;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t piece = data[1] == 0 ? bytes.size() + 1 : std::size_t{data[1]} * 16;
  const unsigned honest = data[0] / 4 % 4;
  switch (data[0] % 4) {
    case 0:
      if (honest == 0) {
        read_alone(bytes);
      } else {
        play_to_standby(bytes, piece, honest, Role::Answers);
      }
      break;
    case 1:
      play_to_standby(bytes, piece, honest, Role::Stream);
      break;
    case 2:
      play_to_standby(bytes, piece, honest, Role::Questions);
      break;
    default:
      play_to_shipper(bytes, piece, honest);
      break;
  }
  return 0;
}
