// SPDX-License-Identifier: MIT
// Reads journals from outside, from the segment that contains a given time.
#include "serve/earlier_run.hpp"

#include "affix/host/receipt_position.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/journal/reader.hpp"
#include "affix/session/admin.hpp"
#include "affix/session/secrets.hpp"

#include <array>
#include <charconv>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

/// A wall clock may have been set back slightly between two records.
constexpr std::int64_t clock_slack_ns = 10 * base::ns_per_second;

constexpr std::uint32_t first_segment = 1;

constexpr std::uint32_t ref_seq_num_tag = 45;
constexpr std::uint32_t text_tag = 58;
constexpr std::uint32_t on_behalf_of_tag = 115;

struct ReaderSince {
  affix::journal::Reader reader;
  bool whole = false;  ///< No record of that time on is missing before its first one.
};

/// A reader at the first record of the newest segment that begins before `since_utc_ns`, or of the
/// oldest one.
std::optional<ReaderSince> reader_since(host::SessionHandle session, std::int64_t since_utc_ns) {
  auto reader = affix::journal::Reader::open(std::string(session.journal_directory()));
  if (!reader) {
    return std::nullopt;
  }
  const std::uint32_t oldest = reader->segment();
  for (std::uint32_t segment = host::SessionControls(session).sight().journal_end.segment;
       segment >= oldest; --segment) {
    if (!reader->seek({segment, 0})) {
      continue;
    }
    const std::optional<affix::journal::Record> first = reader->next();
    if (first && first->utc_ns < since_utc_ns && reader->seek({segment, 0})) {
      return ReaderSince{std::move(*reader), true};
    }
  }
  if (!reader->seek({oldest, 0})) {
    return std::nullopt;
  }
  // Others were archived or removed, unless it is the journal's first one.
  return ReaderSince{std::move(*reader), oldest == first_segment};
}

/// Reads a session's journal from a time on. False: it could not be read to its end, or what it had
/// of that time is not all there.
bool read_since(host::SessionHandle session, std::int64_t since_utc_ns,
                const std::function<void(const affix::journal::Record&)>& take) {
  if (session.journal_directory().empty()) {
    return false;
  }
  std::optional<ReaderSince> since = reader_since(session, since_utc_ns);
  if (!since) {
    return false;
  }
  while (const std::optional<affix::journal::Record> record = since->reader.next()) {
    if (record->utc_ns >= since_utc_ns) {
      take(*record);
    }
  }
  return since->whole && !since->reader.damage();
}

/// Excludes a Reject forwarded for another session, whose 45 is a number of that session.
bool is_own_reject(const wire::MessageView& sent) noexcept {
  const std::string_view text = sent.value_or_null(text_tag);
  return sent.index().count > 2 && session::is_reject(sent.type()) &&
         (sent.type() == "3" || !sent.has(on_behalf_of_tag)) &&
         (text.ends_with(unreachable_text) || text == no_route_text);
}

/// Excludes session messages, and messages of which only the number was kept.
bool is_application(const wire::MessageView& message) noexcept {
  return message.index().count > 2 && !session::is_admin(message.type());
}

/// For the largest message that an engine accepts.
using Index = wire::FieldIndexOf<4096>;

/// A message with masks in place of its secret values.
class MaskedMessage {
 public:
  MaskedMessage(const wire::MessageView& message, session::SecretTags further,
                const wire::DataFields& data_fields) {
    if (!session::holds_secret(message, further)) {
      return;
    }
    bytes_.resize(message.bytes().size());
    const std::string_view copy =
        session::copy_without_secrets(message, bytes_, further, data_fields);
    if (!copy.empty()) {
      index_ = std::make_unique<Index>();
      wire::index_message(copy, *index_, data_fields);
      view_.emplace(copy, *index_);
    }
  }

  /// `message` itself if it has no secret.
  [[nodiscard]] const wire::MessageView& or_same(const wire::MessageView& message) const noexcept {
    return view_ ? *view_ : message;
  }

 private:
  std::string bytes_;
  std::unique_ptr<Index> index_;
  std::optional<wire::MessageView> view_;
};

/// The tags of fields that the session writes into the header of every message.
std::vector<std::uint32_t> own_tags_of(host::SessionHandle session) {
  constexpr std::size_t header_bytes_max = 4'096;  // Several times that of a session's options.
  std::array<char, header_bytes_max> buffer;
  wire::Encoder draft = session.draft("0", buffer);
  const wire::EncodedMessage encoded = draft.finish();
  if (!encoded) {
    return {};
  }
  const auto index = std::make_unique<Index>();
  wire::index_message(*encoded, *index);
  return {index->tags, index->tags + index->count};
}

}  // namespace

EarlierRun::EarlierRun(host::SessionHandle from, host::Receipt oldest) : from_(from) {
  auto reader = affix::journal::Reader::open(std::string(from.journal_directory()));
  if (reader && reader->seek(host::position_of(oldest))) {
    if (const std::optional<affix::journal::Record> record = reader->next()) {
      since_utc_ns_ = record->utc_ns - clock_slack_ns;
    }
  }
  const auto index = std::make_unique<Index>();
  static_cast<void>(read_since(from, since_utc_ns_, [&](const affix::journal::Record& record) {
    if (record.kind != affix::journal::Kind::Sent) {
      return;
    }
    wire::index_message(record.bytes, *index);
    const wire::MessageView message(record.bytes, *index);
    if (is_own_reject(message)) {
      const std::string_view number = message.value_or_null(ref_seq_num_tag);
      std::uint64_t sequence = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), sequence).ec ==
          std::errc()) {
        rejected_.insert(sequence);
      }
    }
  }));
}

EarlierRun::Sent& EarlierRun::sent_by(host::SessionHandle to) {
  const auto [entry, made] = sent_.try_emplace(std::string(to.journal_directory()));
  Sent& sent = entry->second;
  if (!made) {
    return sent;
  }
  sent.own_tags = own_tags_of(to);
  for (const host::SessionHandle session : {from_, to}) {
    const session::SecretTags tags = host::SessionControls(session).secret_tags();
    sent.secret_tags.insert(sent.secret_tags.end(), tags.begin(), tags.end());
  }
  const auto index = std::make_unique<Index>();
  const bool whole = read_since(to, since_utc_ns_, [&](const affix::journal::Record& record) {
    if (record.kind == affix::journal::Kind::Event &&
        record.event == affix::journal::EventType::NumbersSet) {
      sent.incomplete = true;  // An operator set the numbers, or a power loss removed the end.
    }
    if (record.kind != affix::journal::Kind::Sent) {
      return;
    }
    if (record.message_omitted) {
      sent.incomplete = true;
      return;
    }
    wire::index_message(record.bytes, *index);
    const wire::MessageView message(record.bytes, *index);
    if (is_application(message)) {
      const MaskedMessage masked(message, sent.secret_tags, to.data_fields());
      ++sent.copies[content_of(masked.or_same(message), sent.own_tags)];
    }
  });
  sent.incomplete = sent.incomplete || !whole;
  return sent;
}

std::string EarlierRun::content_for(const Sent& sent, host::SessionHandle to,
                                    const wire::MessageView& message, Routing routing) const {
  const MaskedMessage masked(message, sent.secret_tags, from_.data_fields());
  return forwarded(from_, masked.or_same(message), false, to, routing).content(sent.own_tags);
}

std::size_t EarlierRun::count_processed(Sent& sent, host::SessionHandle to,
                                        const std::string& content, Routing routing) const {
  if (!sent.processed) {
    sent.processed.emplace();
    const auto index = std::make_unique<Index>();
    static_cast<void>(read_since(from_, since_utc_ns_, [&](const affix::journal::Record& record) {
      if (record.kind != affix::journal::Kind::Received || !record.processed ||
          record.message_omitted) {
        return;
      }
      wire::index_message(record.bytes, *index);
      const wire::MessageView message(record.bytes, *index);
      if (is_application(message) && !was_rejected(record.sequence)) {
        ++(*sent.processed)[content_for(sent, to, message, routing)];
      }
    }));
  }
  const auto found = sent.processed->find(content);
  return found == sent.processed->end() ? 0 : found->second;
}

EarlierRun::Answer EarlierRun::look_up(host::SessionHandle to, const wire::MessageView& message,
                                       Routing routing) {
  Sent& sent = sent_by(to);
  const std::string content = content_for(sent, to, message, routing);
  const auto found = sent.copies.find(content);
  if (found != sent.copies.end() && found->second != 0) {
    // An equal message that was processed also has a copy there.
    if (found->second > count_processed(sent, to, content, routing)) {
      --found->second;
      return Answer::Sent;
    }
  }
  return sent.incomplete ? Answer::Unknown : Answer::NotSent;
}

}  // namespace affix::inline v0::tools::serve
