// SPDX-License-Identifier: MIT
// Commands about the contents of a session's journal. They read the journal from outside, on the
// thread that may wait for the disk; the worker is not affected.
#include "affix/config/resend_judge.hpp"
#include "affix/os/clock.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "admin/command_table.hpp"
#include "admin/journal_tail.hpp"
#include "admin/time_text.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace affix::inline v0::admin {

namespace {

constexpr std::uint64_t tail_count = 20;
constexpr std::uint64_t tail_count_max = 1'000;

/// Well within the time limit of an answer.
constexpr std::int64_t preview_ns = 600 * base::ns_per_ms;
constexpr std::size_t preview_numbers_max = 200'000;

constexpr std::uint32_t preview_fields_max = 2'048;
constexpr std::uint32_t msg_type_tag = 35;

std::string journal_of(CommandContext& context, const std::string& session) {
  const host::SessionHandle handle = context.engine().session(session);
  return handle ? std::string(handle.journal_directory()) : std::string();
}

Answer no_journal(const std::string& session) {
  return Answer::refused(session + " keeps no journal on disk", "A119");
}

/// Fate of a stored message in a resend.
struct Stored {
  std::string type;
  bool resent = false;
};

/// State of a scan for a resend; newest segment first, so numbers that a later reset assigned again
/// are known already.
class ResendScan {
 public:
  ResendScan(std::uint64_t from, std::uint64_t to, const config::SessionSettings& settings)
      : from_(from),
        to_(to == 0 ? UINT64_MAX : to),
        judge_(settings),
        index_(std::make_unique<wire::FieldIndexOf<preview_fields_max>>()) {}

  void take(const journal::Record& record) {
    if (record.kind == journal::Kind::Event) {
      if (record.event == journal::EventType::Reset ||
          (record.event == journal::EventType::NumbersSet && record.sequence < next_)) {
        // No resend goes back beyond it.
        in_segment_.clear();
        ends_here_ = true;
      }
      if (record.event != journal::EventType::Remark) {
        next_ = record.sequence;
      }
    } else if (record.kind == journal::Kind::Sent) {
      lowest_ = std::min(lowest_, record.sequence);
      next_ = record.number_after;
      if (record.sequence >= from_ && record.sequence <= to_) {
        in_segment_[record.sequence] = judged(record);
      }
    }
  }

  /// Called between segments.
  [[nodiscard]] bool go_back() {
    close_segment();
    return !ends_here_ && lowest_ > from_ && stored_.size() < preview_numbers_max;
  }

  [[nodiscard]] Answer answer(std::uint64_t next_outgoing, bool whole) {
    close_segment();
    if (from_ >= next_outgoing) {
      return Answer::refused("the next number is " + std::to_string(next_outgoing) +
                                 ": nothing from " + std::to_string(from_) + " on was sent",
                             "A119");
    }
    const std::uint64_t last = std::min(to_, next_outgoing - 1);
    Answer table = Answer::table({"from", "to", "what", "types"});
    std::uint64_t resent = 0;
    std::uint64_t number = from_;
    auto at = stored_.begin();
    while (number <= last) {
      at = stored_.lower_bound(number);
      const std::uint64_t begin = number;
      if (at == stored_.end() || !at->second.resent || at->first != number) {
        // Up to the next one that would be resent; one gap fill covers all before it.
        while (at != stored_.end() && !at->second.resent) {
          ++at;
        }
        number = at == stored_.end() ? last + 1 : std::min(at->first, last + 1);
        add(table, begin, number - 1, "gap fill", {});
        continue;
      }
      std::map<std::string, std::size_t> types;
      while (number <= last && at != stored_.end() && at->first == number && at->second.resent) {
        ++types[at->second.type];
        ++resent;
        ++number;
        ++at;
      }
      add(table, begin, number - 1, "resent", types);
    }
    table.set_text(std::to_string(resent) + " messages would be resent, " +
                   std::to_string(last - from_ + 1 - resent) + " numbers gap-filled" +
                   (whole ? "" : "; older parts of the journal were not read: too long"));
    return table;
  }

 private:
  [[nodiscard]] Stored judged(const journal::Record& record) {
    if (record.message_omitted) {
      return {};
    }
    wire::index_message(record.bytes, *index_);
    const wire::MessageView message(record.bytes, *index_);
    return {std::string(message.find(msg_type_tag).value_or(std::string_view())),
            judge_.allows(message, os::now().utc_ns)};
  }

  void close_segment() {
    // Existing entries are newer.
    stored_.merge(in_segment_);
    in_segment_.clear();
  }

  static void add(Answer& table, std::uint64_t from, std::uint64_t to, std::string what,
                  const std::map<std::string, std::size_t>& types) {
    std::string text;
    for (const auto& [type, count] : types) {
      text += (text.empty() ? "" : " ") + type + ":" + std::to_string(count);
    }
    table.add({static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), std::move(what),
               std::move(text)});
  }

  const std::uint64_t from_;
  const std::uint64_t to_;
  const config::ResendJudge judge_;
  std::unique_ptr<wire::FieldIndexOf<preview_fields_max>> index_;
  std::map<std::uint64_t, Stored> stored_;
  std::map<std::uint64_t, Stored> in_segment_;
  std::uint64_t next_ = 1;
  std::uint64_t lowest_ = UINT64_MAX;
  bool ends_here_ = false;
};

/// The outgoing number after the last record.
std::uint64_t next_outgoing_of(const std::string& directory) {
  const auto last = read_tail(directory, 1'000);
  std::uint64_t next = 1;
  if (last) {
    for (const KeptRecord& kept : *last) {
      if (kept.record.kind == journal::Kind::Sent) {
        next = kept.record.number_after;
      } else if (kept.record.kind == journal::Kind::Event) {
        next = kept.record.sequence;
      }
    }
  }
  return next;
}

Outcome preview_resend(CommandContext& context, const Words& words) {
  const std::string directory = journal_of(context, words[0]);
  if (directory.empty()) {
    return no_journal(words[0]);
  }
  const std::uint64_t from = std::max<std::uint64_t>(number_of(words[1]), 1);
  const std::uint64_t to = words[2].empty() ? 0 : number_of(words[2]);
  if (to != 0 && to < from) {
    return Answer::refused("<to> is before <from>", "A103");
  }
  const config::SessionSettings* const settings = context.settings_of(words[0]);
  if (settings == nullptr) {
    return Answer::busy(words[0] + " is coming; nothing has happened");
  }
  return context.ask_disk([directory, from, to, settings = *settings] {
    ResendScan scan(from, to, settings);
    const auto walked = walk_back(
        directory, os::now().steady_ns + preview_ns,
        [&](const journal::Record& record) { scan.take(record); }, [&] { return scan.go_back(); });
    return walked ? scan.answer(next_outgoing_of(directory), *walked)
                  : Answer::refused(walked.error().sentence(), walked.error().message_code);
  });
}

Outcome tail(CommandContext& context, const Words& words) {
  const std::string directory = journal_of(context, words[0]);
  if (directory.empty()) {
    return no_journal(words[0]);
  }
  const std::uint64_t count = words[1].empty() ? tail_count : number_of(words[1]);
  if (count > tail_count_max) {
    return Answer::refused("<count> is at most " + std::to_string(tail_count_max), "A103");
  }
  return context.ask_disk([directory, count] {
    const auto records = read_tail(directory, static_cast<std::size_t>(count));
    if (!records) {
      return Answer::refused(records.error().sentence(), records.error().message_code);
    }
    Answer answer = Answer::table(record_columns);
    for (const KeptRecord& kept : *records) {
      add_record(answer, kept.record, kept.bytes);
    }
    return answer;
  });
}

Outcome tap(CommandContext& context, const Words& words) {
  const std::string directory = journal_of(context, words[0]);
  if (directory.empty()) {
    return no_journal(words[0]);
  }
  // Reads the last segment once, to find its end.
  auto reader = std::make_shared<std::optional<journal::Reader>>();
  Outcome outcome = context.ask_disk([directory, reader] {
    auto opened = open_at_end(directory);
    if (!opened) {
      return Answer::refused(opened.error().sentence(), opened.error().message_code);
    }
    reader->emplace(std::move(*opened));
    return Answer::done();
  });
  if (std::holds_alternative<Answer>(outcome)) {
    return outcome;
  }
  return TapRequest{words[0], context.engine().session(words[0]),
                    std::get<Pending>(std::move(outcome)), std::move(reader)};
}

constexpr std::array preview_arguments{
    session_argument, ArgumentDescription{.name = "from", .kind = ArgumentKind::Number},
    ArgumentDescription{.name = "to", .kind = ArgumentKind::Number, .optional = true}};
constexpr std::array tail_arguments{
    session_argument,
    ArgumentDescription{.name = "count", .kind = ArgumentKind::Number, .optional = true}};

constexpr auto message_rows = in_section(
    "Messages",
    std::array{
        CommandRow{
            {.name = "preview_resend",
             .arguments = preview_arguments,
             .summary = "Show how a ResendRequest for these numbers would be answered",
             .detail =
                 "Reads the journal from outside. `to` 0, or none: up to the last number. Does not "
                 "know which messages the application would withhold (before_resend)."},
            &preview_resend},
        CommandRow{{.name = "tail",
                    .arguments = tail_arguments,
                    .summary = "Show the last records of a session's journal, 20 or `count`"},
                   &tail},
        CommandRow{
            {.name = "tap",
             .arguments = session_arguments,
             .summary = "Show every record of a session's journal from now on, as it is written",
             .detail = "Until the next line is sent, which is not a command then, or the session "
                       "is removed. Read from the journal: a slow reader costs the engine nothing "
                       "and misses nothing."},
            &tap},
    });

}  // namespace

std::span<const CommandRow> message_commands() noexcept {
  return message_rows;
}

}  // namespace affix::inline v0::admin
