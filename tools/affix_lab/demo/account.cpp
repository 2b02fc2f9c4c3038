// SPDX-License-Identifier: MIT
// Compares messages by number along a session, and by id from end to end.
#include "demo/account.hpp"

#include "affix/base/text.hpp"
#include "affix/journal/reader.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/header_tags.hpp"

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace affix::inline v0::tools::demo {

namespace {

using affix::journal::Kind;
using affix::journal::Record;

/// Messages of the session itself: they are not resent, and a gap fill stands for them.
bool is_of_session(std::string_view type) noexcept {
  return type.empty() || (type.size() == 1 && std::string_view("012345A").contains(type.front()));
}

KeptMessage taken_apart(const Record& record) {
  KeptMessage message;
  message.number = record.sequence;
  std::string_view rest = record.bytes;
  while (!rest.empty()) {
    const std::string_view field = base::take_part(rest, '\x01');
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const auto tag = wire::parse_integer<std::uint32_t>(field.substr(0, equals)).value_or(0);
    const std::string_view value = field.substr(equals + 1);
    if (tag == 35) {
      message.type = value;
    } else if (tag == 11) {
      message.order = value;
    } else if (tag == 17) {
      message.id = value;
    }
    if (!wire::is_header_tag(tag) && !wire::is_trailer_tag(tag)) {
      (message.content += field) += '|';
    }
  }
  if (message.type != "8") {
    message.id = message.order;
  }
  return message;
}

std::string told(const KeptMessage& message) {
  return "35=" + message.type + (message.order.empty() ? "" : " 11=" + message.order) +
         (message.type == "8" ? " 17=" + message.id : "") +
         " (34=" + std::to_string(message.number) + ")";
}

std::string key_of(std::string_view type, std::string_view text) {
  std::string key(type);
  key += ' ';
  key += text;
  return key;
}

bool same_record(const Record& one, const Record& other) noexcept {
  return one.kind == other.kind && one.event == other.event && one.utc_ns == other.utc_ns &&
         one.sequence == other.sequence && one.number_after == other.number_after &&
         one.position == other.position && one.bytes == other.bytes;
}

}  // namespace

std::expected<SessionRecords, base::Error> read_records(const std::string& directory,
                                                        std::string name) {
  auto reader = affix::journal::Reader::open(directory);
  if (!reader) {
    return std::unexpected(std::move(reader.error()));
  }
  SessionRecords records;
  records.name = std::move(name);
  std::unordered_map<std::uint64_t, KeptMessage> held;
  while (const auto record = reader->next()) {
    if (record->kind == Kind::Event) {
      if (record->event != affix::journal::EventType::Remark) {
        records.next_sent = record->sequence;
        records.next_received = record->number_after;
      }
    } else if (record->kind == Kind::Sent) {
      records.next_sent = record->number_after;
    } else if (record->kind == Kind::Received) {
      records.next_received = record->number_after;
    }
    if (record->kind == Kind::Event || record->kind == Kind::Resent) {
      continue;
    }
    KeptMessage message = taken_apart(*record);
    if (record->kind == Kind::Held) {
      held.insert_or_assign(record->sequence, std::move(message));
      continue;
    }
    if (record->kind == Kind::Received && record->bytes.empty()) {
      // It was held ahead of a gap, and its turn has come; a gap fill has nothing.
      auto before = held.extract(record->sequence);
      if (before.empty()) {
        continue;
      }
      message = std::move(before.mapped());
    }
    if (!is_of_session(message.type)) {
      (record->kind == Kind::Sent ? records.sent : records.received).push_back(std::move(message));
    }
  }
  if (reader->damage()) {
    return std::unexpected(*reader->damage());
  }
  return records;
}

void Account::add(std::uint64_t& count, std::initializer_list<std::string_view> pieces) {
  if (++count <= told_max) {
    std::string& text = differences.emplace_back();
    for (const std::string_view piece : pieces) {
      text += piece;
    }
  }
}

void Account::compare_direction(const SessionRecords& from, const SessionRecords& to) {
  std::map<std::uint64_t, const KeptMessage*> by_number;
  for (const KeptMessage& message : from.sent) {
    if (const auto [at, is_new] = by_number.emplace(message.number, &message); !is_new) {
      add(other,
          {from.name, " has sent a number twice: ", told(*at->second), " and ", told(message)});
    }
  }
  std::unordered_set<std::uint64_t> arrived;
  for (const KeptMessage& message : to.received) {
    const auto sent = by_number.find(message.number);
    if (!arrived.insert(message.number).second) {
      add(other, {to.name, " has received a number twice: ", told(message)});
    } else if (sent == by_number.end()) {
      add(other, {to.name, " has received what ", from.name, " has not sent: ", told(message)});
    } else if (sent->second->type != message.type || sent->second->content != message.content) {
      add(other, {"a number has two contents: ", from.name, " has sent ", told(*sent->second), ", ",
                  to.name, " has received ", told(message)});
    }
  }
  for (const auto& [number, message] : by_number) {
    if (!arrived.contains(number)) {
      add(other, {to.name, " lacks what ", from.name, " has sent: ", told(*message)});
    }
  }
  if (from.next_sent == to.next_received) {
    ++numbers;
  } else {
    add(other, {from.name, " goes on with number ", std::to_string(from.next_sent), ", and ",
                to.name, " expects ", std::to_string(to.next_received)});
  }
}

void Account::compare_sides(const SessionRecords& one, const SessionRecords& another) {
  compare_direction(one, another);
  compare_direction(another, one);
}

void Account::compare_messages(const std::vector<KeptMessage>& sent, const std::string& sender,
                               const std::vector<KeptMessage>& received,
                               const std::string& receiver) {
  // How many copies are on their way, of each content.
  std::unordered_map<std::string, std::int64_t> open;
  for (const KeptMessage& message : sent) {
    ++open[key_of(message.type, message.content)];
  }
  std::unordered_map<std::string, const KeptMessage*> by_id;
  for (const KeptMessage& message : received) {
    if (const auto found = open.find(key_of(message.type, message.content)); found == open.end()) {
      add(other, {receiver, " has received what ", sender, " has not sent: ", told(message)});
    } else if (--found->second < 0) {
      add(other,
          {receiver, " has received twice what ", sender, " has sent once: ", told(message)});
    }
    // "0" is the ExecID of reports about no execution, such as answers to a status request.
    if (message.id.empty() || message.id == "0") {
      continue;
    }
    const auto [first, is_new] = by_id.emplace(key_of(message.type, message.id), &message);
    if (!is_new && first->second->content != message.content) {
      add(other, {receiver, " has received two contents with one id: ", told(*first->second),
                  " and ", told(message)});
    }
  }
  for (const KeptMessage& message : sent) {
    if (std::int64_t& left = open[key_of(message.type, message.content)]; left > 0) {
      --left;
      add(lost, {receiver, " lacks what ", sender, " has sent: ", told(message)});
    }
  }
}

void Account::compare_ends(const SessionRecords& trader, const SessionRecords& exchange) {
  requests += trader.sent.size();
  reports += exchange.sent.size();
  compare_messages(trader.sent, trader.name, exchange.received, exchange.name);
  compare_messages(exchange.sent, exchange.name, trader.received, trader.name);
  std::unordered_set<std::string_view> answered;
  for (const KeptMessage& message : trader.received) {
    answered.insert(message.order);
  }
  for (const KeptMessage& message : trader.sent) {
    if (!answered.contains(message.order)) {
      add(unanswered, {trader.name, " has no answer to ", told(message)});
    }
  }
}

void Account::compare_copies(const std::string& one, const std::string& another,
                             std::string_view name) {
  auto first = affix::journal::Reader::open(one);
  auto second = affix::journal::Reader::open(another);
  if (!first || !second) {
    add(other, {(first ? second : first).error().text()});
    return;
  }
  for (std::uint64_t count = 0;; ++count) {
    const auto left = first->next();
    const auto right = second->next();
    if (left.has_value() != right.has_value() || (left && !same_record(*left, *right))) {
      add(other, {"the copies of journal ", name, " differ from record ", std::to_string(count + 1),
                  " on: ", one, ", ", another});
      return;
    }
    if (!left) {
      copied_records += count;
      break;
    }
  }
  for (const auto* const reader : {&*first, &*second}) {
    if (const auto& damage = reader->damage()) {
      add(other, {damage->text()});
      return;
    }
  }
  ++copies;
}

}  // namespace affix::inline v0::tools::demo
