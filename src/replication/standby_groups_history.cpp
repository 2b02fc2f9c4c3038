// SPDX-License-Identifier: MIT
// Brings copies up to date from the primary's history: one question at a time for each group.
#include "replication/standby_groups.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::replication {

using journal::Followed;
using journal::Position;

namespace {

constexpr std::size_t copies_opened_per_turn = 4;
/// How soon history is asked again for what its primary has stored and not yet written to the file.
constexpr std::int64_t unwritten_retry_ns = 2 * base::ns_per_ms;
/// A primary that reads from a slow disk is not dead: longer than a silent stream may be.
constexpr std::int64_t beats_until_hung_up = 10;
/// Answers by which a copy may come nearer; more of them do not.
constexpr std::uint32_t cuts_max = 16;

/// True if a stream has gone on with it since it was asked about: at the begin it was where the
/// stream began. What history says about it is older, and would take back marks of the stream.
bool has_joined(const Copy& copy) noexcept {
  return copy.stream != nullptr && !copy.target.valid();
}

}  // namespace

/// True: there is more to do at once.
bool Standby::Groups::drive(CopiedGroup& group) {
  HistoryClient& client = group.client;
  const bool asks = client.phase != HistoryClient::Phase::Down &&
                    (client.phase != HistoryClient::Phase::Ready || client.copy != nullptr);
  if (group.all_open && !asks && group.has_joined()) [[likely]] {
    return false;  // No copy is looked at while the streams go on.
  }
  const bool more = open_copies(group);
  const bool fetches = may_fetch(group);
  if (client.phase != HistoryClient::Phase::Down && client.phase != HistoryClient::Phase::Ready) {
    const std::int64_t until = client.asked_ns + beats_until_hung_up * options_.beat_ns;
    if (now_ns_ >= until) {
      hang_up(group);
    } else {
      wait_until(until);
    }
  }
  if (client.phase == HistoryClient::Phase::Down) {
    if (next_to_fetch(group, fetches) == nullptr) {
      return more;
    }
    if (now_ns_ < client.redial_ns) {
      wait_until(client.redial_ns);
      return more;
    }
    const auto dialed =
        dialer_.dial(group.primary, now_ns_ + beats_until_hung_up * options_.beat_ns);
    if (!dialed) {
      client.redial_ns = now_ns_ + options_.redial_ns;
      wait_until(client.redial_ns);
      return more;
    }
    enter(*dialed, Connection::Kind::Client).group = &group;
    client.connection = *dialed;
    client.phase = HistoryClient::Phase::Dialing;
    client.asked_ns = now_ns_;
  } else if (client.phase == HistoryClient::Phase::Ready) {
    ask_next(group, fetches);
  }
  return more;
}

bool Standby::Groups::open_copies(CopiedGroup& group) {
  std::size_t opened = 0;
  if (group.all_open) {
    return false;
  }
  group.all_open = true;
  for (const auto& copy : group.copies) {
    const bool closed = copy->state() == Copy::State::Closed;
    const bool broken = copy->state() == Copy::State::Broken;
    if (!closed && !broken) {
      continue;
    }
    if (opened == copies_opened_per_turn || (broken && now_ns_ < copy->retry_ns)) {
      group.all_open = false;
      if (broken) {
        wait_until(copy->retry_ns);
      }
      continue;
    }
    ++opened;
    copy->open();
    if (copy->state() == Copy::State::Broken) {
      group.all_open = false;
      copy->retry_ns = now_ns_ + options_.retry_ns;
      wait_until(copy->retry_ns);
      tell_failed(group, "a copy is tried again: " + copy->fault().sentence(), "R133",
                  copy->fault().code == base::ErrorCode::NoSpace);
    }
  }
  return opened == copies_opened_per_turn;
}

/// True if history may be fetched for copies that follow no stream: all of the primary's workers
/// have said whether it may.
bool Standby::Groups::may_fetch(const CopiedGroup& group) const noexcept {
  const auto at_least = [](Phase least) {
    return [least](const std::unique_ptr<Stream>& stream) { return stream->phase >= least; };
  };
  return !group.streams.empty() && std::ranges::all_of(group.streams, at_least(Phase::Permitted)) &&
         std::ranges::any_of(group.streams, [](const std::unique_ptr<Stream>& stream) {
           return stream->phase == Phase::Permitted;
         });
}

/// The next copy that needs history; null: none, or none yet. Asks for streams when all copies have
/// got what there is.
Copy* Standby::Groups::next_to_fetch(CopiedGroup& group, bool fetches) {
  bool complete = true;
  Copy* next = nullptr;
  const std::size_t count = group.copies.size();
  for (std::size_t steps = 0; steps < count; ++steps) {
    Copy& copy = *group.copies[(group.next_copy + steps) % count];
    const bool unattached = copy.stream == nullptr && !copy.at_end;
    complete = complete && !unattached;
    if (!copy.target.valid() && !(fetches && unattached)) {
      continue;
    }
    if (copy.state() == Copy::State::Closed || copy.state() == Copy::State::Broken) {
      group.all_open = false;  // It is opened first.
      continue;
    }
    if (now_ns_ < copy.retry_ns) {
      wait_until(copy.retry_ns);
      continue;
    }
    group.next_copy = (group.next_copy + steps) % count;
    next = &copy;
    break;
  }
  if (next == nullptr && complete && fetches) {
    want_streams(group);
  }
  return next;
}

void Standby::Groups::want_streams(CopiedGroup& group) noexcept {
  for (const auto& stream : group.streams) {
    Connection* const connection = find(stream->connection);
    if (stream->phase != Phase::Permitted || connection == nullptr) {
      continue;
    }
    stream->phase = Phase::Wanted;
    stream->spoke_ns = now_ns_;
    scratch_.clear();
    put_plain(scratch_, FrameType::Want);
    send(*connection, scratch_);
  }
}

void Standby::Groups::ask_next(CopiedGroup& group, bool fetches) {
  HistoryClient& client = group.client;
  Connection* const connection = find(client.connection);
  if (connection == nullptr) {
    hang_up(group);
    return;
  }
  if (client.copy == nullptr) {
    client.copy = next_to_fetch(group, fetches);
    client.fetch_at = {};
  }
  Copy* const copy = client.copy;
  if (copy == nullptr) {
    return;
  }
  client.header.reset();
  client.records.clear();
  client.asked_ns = now_ns_;
  std::string question;
  if (!copy->is_kept() || copy->state() != Copy::State::Open) {
    client.phase = HistoryClient::Phase::Asked;
    put_ask(question, copy->ask());
  } else {
    client.phase = HistoryClient::Phase::Fetching;
    if (!client.fetch_at.valid()) {
      client.fetch_at = copy->history_begin();
    }
    put_fetch(question,
              {.at = client.fetch_at, .bytes_max = answer_bytes_max, .identity = copy->identity()});
  }
  send(*connection, question);
}

Standby::Groups::Taken Standby::Groups::take_history(Connection& connection,
                                                     const FrameView& frame) noexcept {
  CopiedGroup& group = *connection.group;
  HistoryClient& client = group.client;
  client.heard_ns = now_ns_;
  client.asked_ns = now_ns_;
  const net::ConnectionId before = connection.id;
  bool good = false;
  switch (frame.type) {
    case FrameType::Accepted:
      good = client.phase == HistoryClient::Phase::Greeting &&
             read_accepted(frame.payload).has_value();
      client.phase = HistoryClient::Phase::Ready;
      break;
    case FrameType::Refused:
      hang_up(group);
      return Taken::Closed;
    case FrameType::Answer:
      good = client.phase == HistoryClient::Phase::Asked && take_answer(group, frame.payload);
      break;
    case FrameType::Piece:
      good = client.phase == HistoryClient::Phase::Fetching && take_piece(group, frame.payload);
      break;
    default:
      break;
  }
  if (!good) {
    return Taken::Violated;
  }
  if (client.connection != before) {
    return Taken::Closed;
  }
  if (client.phase == HistoryClient::Phase::Ready) {
    ask_next(group, may_fetch(group));
  }
  return Taken::Done;
}

bool Standby::Groups::take_answer(CopiedGroup& group, std::string_view payload) {
  const auto answer = read_answer(payload);
  if (!answer) {
    return false;
  }
  HistoryClient& client = group.client;
  client.phase = HistoryClient::Phase::Ready;
  Copy& copy = *std::exchange(client.copy, nullptr);
  if (has_joined(copy)) {
    return true;
  }
  switch (answer->kind) {
    case HistoryAnswerKind::NotHere:
      copy.at_end = !copy.target.valid();
      copy.retry_ns = copy.at_end ? 0 : now_ns_ + options_.beat_ns;
      return true;
    case HistoryAnswerKind::Failed:
      fail_copy(group, copy, Goodbye::Diverged,
                "the primary cannot read its journal " + copy.identity(), "R132");
      return true;
    case HistoryAnswerKind::Keep:
    case HistoryAnswerKind::Cut:
    case HistoryAnswerKind::Anew:
      break;
  }
  if (answer->kind != HistoryAnswerKind::Keep && copy.state() == Copy::State::Open) {
    std::erase(touched_, &copy);
    copy.touched = false;
  }
  if (!copy.obey(*answer, "epoch-" + std::to_string(group.epoch))) {
    fail_copy(group, copy, Goodbye::Failed, "a copy is tried again: " + copy.fault().sentence(),
              "R133");
  } else if (copy.cuts > cuts_max) {
    copy.cuts = 0;
    copy.distrust();
    copy.retry_ns = now_ns_ + options_.retry_ns;
  } else if (copy.is_kept()) {
    // Its first piece follows at once.
    client.copy = &copy;
    client.fetch_at = {};
  }
  return true;
}

/// A copy that cannot be brought on is tried again after a while, and a stream does not wait for
/// it.
void Standby::Groups::fail_copy(CopiedGroup& group, Copy& copy, Goodbye reason, std::string why,
                                base::MessageCode code) {
  copy.retry_ns = now_ns_ + options_.retry_ns;
  if (copy.state() == Copy::State::Broken) {
    group.all_open = false;
  }
  if (Stream* const stream = copy.stream) {
    if (Connection* const connection = find(stream->connection)) {
      say_goodbye(*connection, reason);
    }
    set_down(group, *stream);
    forget_stream(group, *stream);
    group.refuse_until_ns = copy.retry_ns;
  }
  tell_failed(group, std::move(why), code);
}

bool Standby::Groups::take_piece(CopiedGroup& group, std::string_view payload) {
  const auto piece = read_piece(payload);
  HistoryClient& client = group.client;
  if (!piece || (piece->header && (client.header || !client.records.empty())) ||
      piece->bytes.size() > shipped_record_bytes_max - client.records.size()) {
    return false;
  }
  if (piece->header) {
    client.header = piece->header;
  }
  client.records += piece->bytes;
  if (piece->state == PieceState::Going) {
    return true;
  }
  client.phase = HistoryClient::Phase::Ready;
  Copy& copy = *std::exchange(client.copy, nullptr);
  if (copy.state() != Copy::State::Open || has_joined(copy)) {
    return true;
  }
  store_piece(group, copy, piece->state, piece->next);
  return true;
}

void Standby::Groups::store_piece(CopiedGroup& group, Copy& copy, PieceState state, Position next) {
  HistoryClient& client = group.client;
  const Followed stored = copy.store(client.fetch_at, client.header, client.records, copy.target);
  client.records = {};
  if (!std::exchange(copy.touched, true)) {
    touched_.push_back(&copy);
  }
  switch (stored) {
    case Followed::Stored:
    case Followed::AlreadyThere:
      break;
    case Followed::WrongPlace:
    case Followed::Damaged:
      // It was to be a part of the primary's journal, and is not.
      ++copy.cuts;
      copy.distrust();
      copy.retry_ns = copy.cuts > 1 ? now_ns_ + options_.retry_ns : 0;
      return;
    case Followed::NoSpace:
      fail_copy(group, copy, Goodbye::NoSpace, "the disk of the copies is full: " + copy.identity(),
                "R113");
      return;
    case Followed::Failed:
      copy.fail({base::ErrorCode::Io, "the disk failed", copy.identity(), "R116"});
      fail_copy(group, copy, Goodbye::Failed, copy.fault().sentence(), "R116");
      return;
  }
  const bool there = copy.target.valid() && copy.journal()->end() >= copy.target;
  switch (state) {
    case PieceState::Going:
    case PieceState::More:
      if (!there) {
        client.copy = &copy;
        client.fetch_at = next;
      }
      break;
    case PieceState::AtEnd:
      copy.cuts = 0;
      copy.at_end = !copy.target.valid();
      copy.retry_ns = copy.target.valid() && !there ? now_ns_ + unwritten_retry_ns : 0;
      break;
    case PieceState::Gone:
      if (client.fetch_at < copy.journal()->end()) {
        // The primary has let go of what it had processed.
        client.copy = &copy;
        client.fetch_at = copy.journal()->end();
        break;
      }
      copy.distrust();
      break;
    case PieceState::Damaged:
    case PieceState::Failed:
      copy.doubt();
      fail_copy(group, copy, Goodbye::Diverged,
                "the primary cannot read its journal " + copy.identity(), "R132");
      return;
  }
  if (there && copy.stream != nullptr) {
    try_join(group, *copy.stream);
  }
}

void Standby::Groups::hang_up(CopiedGroup& group) noexcept {
  HistoryClient& client = group.client;
  if (Connection* const connection = find(client.connection)) {
    close(*connection);
  }
  client = HistoryClient{.redial_ns = now_ns_ + options_.redial_ns, .heard_ns = client.heard_ns};
}

}  // namespace affix::inline v0::replication
