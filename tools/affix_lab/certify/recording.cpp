// SPDX-License-Identifier: MIT
// Writes recorded messages as steps.
#include "certify/recording.hpp"

#include "affix/wire/convert.hpp"
#include "affix/wire/index.hpp"

#include "certify/execution_order.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace affix::inline v0::tools::certify {

namespace {

constexpr char soh = '\x01';

/// Written by the player: 8, 9, 35, 34, 49, 56, 52, 43, 122, 97, 369, 10.
constexpr std::array<std::string_view, 12> of_the_session{"8",  "9",  "35",  "34", "49",  "56",
                                                          "52", "43", "122", "97", "369", "10"};

/// Price, LastPx, AvgPx, StopPx, BidPx, OfferPx, MDEntryPx.
constexpr std::array<std::string_view, 7> price_tags{"44", "31", "6", "99", "132", "133", "270"};

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& tags, std::string_view tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

/// "4.4" for 8=FIX.4.4, "5.0SP2" for 1137=9 of a FIXT Logon.
std::string version_of_logon(std::string_view logon) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> application{
      {{"7", "5.0"}, {"8", "5.0SP1"}, {"9", "5.0SP2"}}};
  const std::string_view begin = field_value(logon, "8");
  const std::string_view version = field_value(logon, "1137");
  for (const auto& [code, name] : application) {
    if (begin == "FIXT.1.1" && code == version) {
      return std::string(name);
    }
  }
  constexpr std::string_view prefix = "FIX.";
  return begin.starts_with(prefix) ? std::string(begin.substr(prefix.size())) : "5.0SP2";
}

/// A value that is sent: a dollar sign begins no variable.
std::string literal(std::string_view value) {
  std::string text;
  for (const char character : value) {
    text += character;
    if (character == '$') {
      text += '$';
    }
  }
  return text;
}

/// Later names are those of the message, of the session with `comp_id`.
void turn_to(std::string_view message, log::MessageNames& names, const std::string& comp_id) {
  wire::FieldIndexOf<2048> index;
  wire::index_message(message, index);
  names.turn_to(wire::MessageView(message, index), comp_id);
}

bool is_control(char character) {
  return static_cast<unsigned char>(character) < ' ' || character == '\x7f';
}

/// True if the value stands for itself where a scenario expects it: it has no character with a
/// meaning, and nothing at its ends that is removed.
bool is_plain(std::string_view value) {
  return value.find_first_of("|<>$*") == std::string_view::npos &&
         std::ranges::none_of(value, is_control) && !value.starts_with(' ') &&
         !value.ends_with(' ');
}

/// An expected value that is not plain.
std::string pattern(std::string_view value) {
  std::string text(value);
  std::ranges::replace_if(
      text,
      [](char character) {
        return is_control(character) || std::string_view("|<>$*?[]").contains(character);
      },
      '?');
  if (text.starts_with(' ')) {
    text.front() = '?';
  }
  if (text.ends_with(' ')) {
    text.back() = '?';
  }
  return "<like " + text + ">";
}

}  // namespace

void Recording::add(std::string_view bytes, std::int64_t utc_ns) {
  // A message that was sent again was recorded before.
  if (field_value(bytes, "43") != "Y") {
    messages_.push_back({std::string(bytes), utc_ns});
  }
}

/// The side that answers the first Logon.
std::string Recording::choose_engine() const {
  for (const RecordedMessage& message : messages_) {
    if (field_value(message.bytes, "35") == "A") {
      return std::string(field_value(message.bytes, "56"));
    }
  }
  return {};
}

/// A, B, C, ... in the order of their Logons; further ones are P27 and so on.
Recording::Peer& Recording::add_peer(const std::string& comp_id) {
  constexpr std::size_t letters = 26;
  const std::size_t number = peers_.size();
  std::string name = number < letters
                         ? std::string(1, static_cast<char>('A' + static_cast<int>(number)))
                         : "P" + std::to_string(number + 1);
  return peers_.emplace(comp_id, Peer{std::move(name)}).first->second;
}

/// At the first Logon the player resets the numbers by itself.
void Recording::add_logon(std::string_view logon, Peer& peer, bool is_first) {
  const std::string begin = peer.name == "A" ? "" : peer.name + " ";
  const bool resets = !is_first && field_value(logon, "141") == "Y";
  steps_ += std::exchange(logouts_, {});
  if (!is_first && (peer.is_on || resets)) {
    steps_ += begin + (resets ? "restart without memory\n" : "disconnect\n");
  }
  steps_ += begin + "logon HeartBtInt=" + std::string(field_value(logon, "108")) +
            (resets ? " | ResetSeqNumFlag=Y\n" : "\n");
  peer.is_on = true;
}

void Recording::add_logout(Peer& peer, bool sent) {
  if (!std::exchange(peer.is_on, false)) {
    return;  // The answer to a Logout.
  }
  const std::string begin = peer.name == "A" ? "" : peer.name + " ";
  logouts_ += sent ? begin + "logout\n" : begin + "< Logout\n" + begin + "> Logout\n";
}

std::expected<std::string, std::string> Recording::text(log::MessageNames& names) {
  const std::string engine = options_.engine.empty() ? choose_engine() : options_.engine;
  std::string version;
  std::string first_peer;
  bool accepts = true;
  for (const auto& [message, utc_ns] : in_execution_order(std::move(messages_), engine)) {
    const bool sent = field_value(message, "56") == engine;
    const std::string comp_id(field_value(message, sent ? "49" : "56"));
    const std::string_view type = field_value(message, "35");
    const auto known = peers_.find(comp_id);
    if (type == "A") {
      turn_to(message, names, comp_id);  // It has the DefaultApplVerID.
      if (known == peers_.end()) {
        accepts = peers_.empty() ? sent : accepts;
        first_peer = peers_.empty() ? comp_id : first_peer;
        version = version.empty() ? version_of_logon(message) : version;
        add_logon(message, add_peer(comp_id), true);
      } else if (sent == accepts) {  // The other Logon of a pair is its answer.
        add_logon(message, known->second, false);
      }
    } else if (known == peers_.end()) {
      continue;  // Before the session's first Logon that is here.
    } else if (type == "5") {
      add_logout(known->second, sent);
    } else {
      steps_ += std::exchange(logouts_, {});
      add_step(message, sent, comp_id, names);
    }
  }
  if (!problem_.empty()) {
    return std::unexpected(problem_);
  }
  if (peers_.empty()) {
    return std::unexpected(engine.empty() ? "there is no Logon, with which a session begins"
                                          : "there is no Logon of a session with " + engine);
  }
  std::string text = "# Recorded" + (options_.source.empty() ? "" : " from " + options_.source) +
                     ". To play it:\n# affix certify run FILE " +
                     (accepts ? "--address HOST:PORT" : "--listen PORT") + " --begin-string FIX." +
                     version + " --sender " + first_peer + " --target " + engine + "\n" +
                     defaults_ + "\nscenario " + options_.id + ": " + options_.title + "\nrole " +
                     (accepts ? "acceptor" : "initiator") + "\nversions " + version +
                     "\napplication\n";
  for (const auto& [comp_id, peer] : peers_) {
    text += peer.name == "A" ? "" : "peer " + peer.name + " as " + comp_id + " to " + engine + "\n";
  }
  return text + steps_;
}

void Recording::add_step(std::string_view message, bool sent, const std::string& comp_id,
                         log::MessageNames& names) {
  turn_to(message, names, comp_id);
  std::string pieces = names.type().empty() ? "35=" + std::string(field_value(message, "35"))
                                            : std::string(names.type());
  std::map<std::string, int, std::less<>> occurrences;
  variables_.clear();
  while (!message.empty()) {
    const std::size_t end = std::min(message.find(soh), message.size());
    const std::string_view field = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string_view tag = field.substr(0, equals);
    if (is_among(of_the_session, tag)) {
      continue;
    }
    std::uint32_t number = 0;
    std::from_chars(tag.data(), tag.data() + tag.size(), number);
    const std::string_view name = names.field(number);
    pieces += " | " + std::string(name.empty() ? tag : name);
    if (const int occurrence = ++occurrences[std::string(tag)]; occurrence > 1) {
      pieces += "[" + std::to_string(occurrence) + "]";
    }
    pieces += "=" + field_text(tag, field.substr(equals + 1), sent, names);
  }
  const std::string& peer = peers_.at(comp_id).name;
  steps_ += variables_ + (peer == "A" ? "" : peer + " ") + (sent ? "> " : "< ") + pieces + "\n";
}

std::string Recording::field_text(std::string_view tag, std::string_view value, bool sent,
                                  const log::MessageNames& names) {
  std::uint32_t number = 0;
  std::from_chars(tag.data(), tag.data() + tag.size(), number);
  std::string name(names.field(number));
  name = name.empty() ? "Field" + std::string(tag) : name;
  if (wire::parse_utc_time(value)) {
    return sent ? "<now>" : "<time>";
  }
  if (const auto known = ids_.find(value); known != ids_.end()) {
    return "$" + known->second;
  }
  if (is_id(tag)) {
    return id_text(name, value, sent);
  }
  if (is_among(price_tags, tag)) {
    return price_text(name, value, sent);
  }
  if (sent) {
    return sent_text(name, value);
  }
  return is_plain(value) ? std::string(value) : pattern(value);
}

/// Fields are divided before variables are replaced, so a variable's value may have what divides
/// them.
std::string Recording::sent_text(std::string_view name, std::string_view value) {
  const bool has_ends = value.starts_with(' ') || value.ends_with(' ');
  if (has_ends || std::ranges::any_of(value, is_control)) {
    problem_ = "the value of " + std::string(name) + " of a message that " +
               "is to be sent again has a control character, or a space at an end, which no " +
               "scenario can have";
  }
  if (!value.contains('|')) {
    return literal(value);
  }
  const std::string variable =
      std::string(name) + "_" + std::to_string(++counts_[std::string(name)]);
  variables_ += "let " + variable + " = " + literal(value) + "\n";
  return "$" + variable;
}

std::string Recording::id_text(std::string_view name, std::string_view value, bool sent) {
  // Texts that stand for no id.
  if (value == "0" || value == "NONE") {
    return std::string(value);
  }
  const std::string variable =
      std::string(name) + "_" + std::to_string(++counts_[std::string(name)]);
  ids_.emplace(value, variable);
  if (!sent) {
    return "<keep " + variable + ">";
  }
  variables_ += "let " + variable + " = <fresh>\n";
  return "$" + variable;
}

std::string Recording::price_text(std::string_view name, std::string_view value, bool sent) {
  const auto number = wire::parse_decimal(value);
  if (!number || number->zero()) {
    return literal(value);
  }
  // The same price has another text where the engine writes more digits.
  std::array<char, wire::decimal_room> digits;
  const std::string plain(digits.data(), wire::format_decimal(number->normalized(), digits.data()));
  if (const auto known = prices_.find(plain); known != prices_.end()) {
    return "$" + known->second;
  }
  if (!sent) {
    return std::string(value);
  }
  const std::string variable =
      std::string(name) + "_" + std::to_string(++counts_[std::string(name)]);
  prices_.emplace(plain, variable);
  defaults_ += "let " + variable + " = " + plain + "\n";
  return "$" + variable;
}

}  // namespace affix::inline v0::tools::certify
