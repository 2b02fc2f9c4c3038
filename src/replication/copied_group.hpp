// SPDX-License-Identifier: MIT
// A Standby's state of a group that another node leads: its copies, the streams of the
// primary's workers, and the conversation about history. Private to replication.
#pragma once

#include "affix/journal/record.hpp"
#include "affix/net/handler.hpp"
#include "affix/replication/standby.hpp"

#include "replication/copy.hpp"
#include "replication/frame.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::replication {

/// A journal of a stream.
struct InboundTap {
  bool used = false;
  Copy* copy = nullptr;  ///< Null: this node has no such journal; its stores are passed over.
  // Where it joins the stream.
  journal::Position at = {};
  std::uint64_t reserve = 0;
  std::uint32_t unprocessed_expected = 0;
  std::vector<journal::Position> unprocessed{};
};

/// The stream of one of the primary's workers.
struct InboundStream {
  enum class Phase : std::uint8_t {
    Down,
    Accepted,   ///< The primary has to say whether it goes on with the stream.
    Permitted,  ///< History may be fetched.
    Wanted,     ///< It was, and the stream was asked for.
    Beginning,  ///< Journal frames come.
    Joining,    ///< The connection waits unread until all copies are where the stream begins.
    Live,
  };

  Phase phase = Phase::Down;
  net::ConnectionId connection{};
  std::uint64_t id = 0;          ///< The stream that `place` is of; 0: none.
  std::uint64_t greeted_id = 0;  ///< The primary's stream.
  std::uint64_t place = 0;       ///< All of it before this is in the copies.
  std::uint64_t answered = 0;    ///< The last acknowledgement.
  std::uint32_t journals_left = 0;
  std::optional<std::uint32_t> unfinished_tap{};  ///< More of its positions follow.
  std::vector<InboundTap> taps{};
  std::vector<std::uint32_t> joining{};  ///< Taps whose copies are not yet where they join.
  bool paused = false;
  std::int64_t paused_since_ns = 0;
  std::int64_t heard_ns = 0;
  std::int64_t spoke_ns = 0;

  // A record in parts.
  std::string part{};
  RecordFrame part_of{};
  std::uint64_t part_frames_bytes = 0;

  // AckWhen::Flushed.
  std::vector<Copy*> dirty{};
  std::vector<std::pair<Copy*, journal::Position>> flushing{};
  std::optional<std::uint64_t> flushing_place{};

  [[nodiscard]] bool is_up() const noexcept { return phase != Phase::Down; }
};

/// The conversation with the primary about history: one question at a time.
struct HistoryClient {
  enum class Phase : std::uint8_t { Down, Dialing, Greeting, Ready, Asked, Fetching };

  Phase phase = Phase::Down;
  net::ConnectionId connection{};
  std::int64_t redial_ns = 0;
  std::int64_t asked_ns = 0;     ///< When the last question was sent, or the connection begun.
  std::int64_t heard_ns = 0;     ///< When bytes came last.
  Copy* copy = nullptr;          ///< The subject of the question, or of the next one.
  journal::Position fetch_at{};  ///< Where history of `copy` goes on; invalid: at its begin.
  std::optional<journal::format::Header> header{};
  std::string records{};
};

struct CopiedGroup {
  std::string name{};
  std::uint64_t epoch = 0;
  Node primary{};
  AckWhen ack_when = AckWhen::Stored;
  std::vector<std::unique_ptr<Copy>> copies{};            ///< Sorted by identity.
  std::vector<std::unique_ptr<InboundStream>> streams{};  ///< By worker.
  HistoryClient client{};
  std::size_t next_copy = 0;  ///< Where the search for the next question begins.
  std::int64_t seen_ns = 0;   ///< Last sign of the primary.
  std::int64_t refuse_until_ns = 0;
  std::size_t settling = 0;    ///< Copies in the present round of marks; 0: there is none.
  std::int64_t settle_ns = 0;  ///< The next one begins then at the earliest.
  std::uint64_t higher_told = 0;
  bool whole = true;
  bool out_told = false;
  bool gone_told = false;
  bool connected_told = false;
  bool sync_told = false;
  bool all_open = false;  ///< No copy is Closed.

  [[nodiscard]] Copy* find(std::string_view identity) const noexcept;

  /// All streams are live, and all of their journals have joined them.
  [[nodiscard]] bool has_joined() const noexcept {
    return !streams.empty() && std::ranges::all_of(streams, [](const auto& stream) {
      return stream->phase == InboundStream::Phase::Live && stream->joining.empty() &&
             !stream->unfinished_tap;
    });
  }
};

}  // namespace affix::inline v0::replication
