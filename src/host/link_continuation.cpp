// SPDX-License-Identifier: MIT
// Walks the journal from the last noted place to where the kernel is.
#include "host/link_continuation.hpp"

#include "affix/base/time.hpp"
#include "affix/journal/reader.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "host/session_buffers.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace affix::inline v0::host {

namespace {

using Unfit = std::unexpected<base::CodedText>;

/// Output that can be waiting when a process ends, in memory of its own and of the transport, is
/// far below this.
constexpr std::uint64_t rest_bytes_max = std::uint64_t{64} << 20;

Unfit unfit(const char* why) {
  return Unfit(base::CodedText{why, "K301"});
}

/// The place from which the kernel's count can be explained; null: none.
const OutputPlace* choose_place(const LinkRecord& row, std::uint64_t taken) noexcept {
  if (taken >= row.place().unstored_until) {
    return &row.place();
  }
  // The last send has not begun: then the bytes before it are exactly those that the kernel has.
  const OutputPlace& before = row.place_before();
  return before.next_outgoing != 0 && taken == before.position ? &before : nullptr;
}

/// False: another process has written something else into the row.
bool is_sound(const LinkRecord& row, const OutputPlace& place) noexcept {
  constexpr std::int64_t interval_max_ns = 366 * 86'400 * base::ns_per_second;
  const bool resends = place.replay_to != 0;
  const bool waits = place.waiting_to != 0;
  const bool has_gap = place.gap_highest != 0;
  return row.heartbeat_interval_ns >= 0 && row.heartbeat_interval_ns <= interval_max_ns &&
         place.next_outgoing != 0 && place.next_expected != 0 &&
         (!resends ||
          (place.replay_from != 0 && place.replay_from <= place.replay_next &&
           place.replay_next <= place.replay_to + 1 && place.replay_to < place.next_outgoing)) &&
         (!waits || (resends && place.waiting_from != 0 && place.waiting_from <= place.waiting_to &&
                     place.waiting_to < place.next_outgoing)) &&
         (!has_gap || place.gap_asked_from <= place.gap_asked_to);
}

/// Reads messages of the journal.
class StoredMessages {
 public:
  StoredMessages(session::SecretTags secret_tags, const wire::DataFields& data_fields)
      : secret_tags_(secret_tags), data_fields_(data_fields), index_(std::make_unique<Index>()) {}

  /// True if the stored bytes are those that were sent: the journal masks secrets.
  [[nodiscard]] bool is_complete(const journal::Record& record) {
    return !record.message_omitted && !record.bytes.empty() &&
           !session::holds_mask(view(record.bytes), secret_tags_);
  }

  [[nodiscard]] bool is_answered_by_session(const journal::Record& record) {
    const wire::MsgType type = view(record.bytes).type();
    return type == "1" || type == "2" || type == "5";
  }

 private:
  using Index = wire::FieldIndexOf<message_fields_max>;

  wire::MessageView view(std::string_view bytes) {
    wire::index_message(bytes, *index_, data_fields_);
    return {bytes, *index_};
  }

  session::SecretTags secret_tags_;
  const wire::DataFields& data_fields_;
  std::unique_ptr<Index> index_;
};

/// Prepends stored messages until they reach back to the kernel's count.
std::expected<void, base::CodedText> add_before(LinkContinuation& found, const OutputPlace& place,
                                                std::uint64_t taken,
                                                const journal::Journal& journal,
                                                StoredMessages& messages) {
  std::uint64_t position = place.position;
  std::uint64_t number = place.next_outgoing;
  while (position > taken) {
    if (number <= 1 || place.position - taken > rest_bytes_max) {
      return unfit("bytes that were to be sent are not in the journal");
    }
    --number;
    journal::Replay stored = journal.replay(number, number);
    const std::optional<journal::Record> record = stored.next();
    if (!record || !messages.is_complete(*record) || record->bytes.size() > position) {
      return unfit("a message that was being sent is not in the journal as it was sent");
    }
    position -= record->bytes.size();
    const std::size_t from = position < taken ? taken - position : 0;
    found.rest.insert(0, record->bytes.substr(from));
  }
  return {};
}

/// The place from which to go on, and the session's state there.
std::expected<LinkContinuation, base::CodedText> begin_at_place(const LinkRecord& row,
                                                                std::uint64_t taken,
                                                                const journal::Journal& journal) {
  if (row.stage.load(std::memory_order_acquire) != LinkStage::Active) {
    return unfit("a logon, a logout or a reset was under way");
  }
  const OutputPlace* const place = choose_place(row, taken);
  if (place == nullptr) {
    return unfit("the connection ends within a resent message");
  }
  if (journal.next_outgoing() < place->next_outgoing ||
      journal.next_expected() < place->next_expected) {
    return unfit("the journal has lower numbers than the connection");
  }
  if (!is_sound(row, *place)) {
    return unfit("its row in the table of connections contradicts itself");
  }
  LinkContinuation found;
  found.place = *place;
  found.state.heartbeat_interval_ns = row.heartbeat_interval_ns;
  found.state.peer_message_bytes_max = row.peer_message_bytes_max;
  found.state.appl_ver_id.bytes = row.appl_ver_id;
  found.state.appl_ver_id.size =
      std::min<std::uint8_t>(row.appl_ver_id_size, sizeof row.appl_ver_id);
  found.state.replay = {.from = place->replay_from,
                        .to = place->replay_to,
                        .next = place->replay_next,
                        .waiting_from = place->waiting_from,
                        .waiting_to = place->waiting_to};
  found.state.gap = {.highest = place->gap_highest,
                     .asked_from = place->gap_asked_from,
                     .asked_to = place->gap_asked_to};
  return found;
}

}  // namespace

std::expected<LinkContinuation, base::CodedText> find_passed(const LinkRecord& row,
                                                             std::uint64_t taken,
                                                             const journal::Journal& journal) {
  auto found = begin_at_place(row, taken, journal);
  if (!found) {
    return found;
  }
  if (found->place.position != taken) {
    return unfit("the other node had output that has not left");
  }
  if (found->place.next_outgoing != journal.next_outgoing() ||
      found->place.next_expected != journal.next_expected()) {
    return unfit("the journal has other numbers than the connection");
  }
  return found;
}

std::expected<LinkContinuation, base::CodedText> find_continuation(
    const LinkRecord& row, std::uint64_t taken, const journal::Journal& journal,
    const std::string& directory, session::SecretTags secret_tags,
    const wire::DataFields& data_fields) {
  auto begun = begin_at_place(row, taken, journal);
  if (!begun) {
    return begun;
  }
  LinkContinuation found = std::move(*begun);
  const OutputPlace* const place = &found.place;
  StoredMessages messages(secret_tags, data_fields);
  if (auto added = add_before(found, *place, taken, journal, messages); !added) {
    return std::unexpected(added.error());
  }
  // From here on, what that process stored after the place.
  auto reader = journal::Reader::open(directory);
  if (!reader || !reader->seek(journal::unpacked(place->journal_end))) {
    return unfit("the journal's records since the last send cannot be read");
  }
  std::uint64_t position = place->position;
  std::uint64_t number = place->next_outgoing;
  std::uint64_t expected = place->next_expected;
  while (const std::optional<journal::Record> record = reader->next()) {
    switch (record->kind) {
      case journal::Kind::Sent: {
        if (record->sequence != number || !messages.is_complete(*record)) {
          return unfit("a message that was to be sent is not in the journal as it was sent");
        }
        if (record->unsent != 0 && found.state.queued_from == 0) {
          found.state.queued_from = number;  // By this process, before its first turn.
        }
        ++number;
        const std::uint64_t end = position + record->bytes.size();
        if (end > taken) {
          found.rest += record->bytes.substr(position < taken ? taken - position : 0);
        }
        position = end;
        break;
      }
      case journal::Kind::Received:
        expected = record->number_after;
        if (messages.is_answered_by_session(*record)) {
          found.unanswered.emplace_back(record->bytes);
        }
        break;
      case journal::Kind::Event:
        if (record->event != journal::EventType::Remark &&
            record->event != journal::EventType::TradingDay) {
          return unfit("the numbers were set or reset after the last send");
        }
        break;
      case journal::Kind::Held:
      case journal::Kind::Resent:
        break;
    }
  }
  if (reader->damage() || number != journal.next_outgoing() ||
      expected != journal.next_expected()) {
    return unfit("the journal's records since the last send do not lead to its numbers");
  }
  if (position < taken) {
    return unfit("the kernel has more bytes than the journal");
  }
  return found;
}

}  // namespace affix::inline v0::host
