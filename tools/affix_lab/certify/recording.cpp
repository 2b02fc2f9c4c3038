// SPDX-License-Identifier: MIT
// Writes recorded messages as steps.
#include "certify/recording.hpp"

#include "affix/wire/convert.hpp"
#include "affix/wire/index.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <optional>
#include <utility>

namespace affix::inline v0::tools::certify {

namespace {

constexpr char soh = '\x01';

/// Written by the player: 8, 9, 35, 34, 49, 56, 52, 43, 122, 97, 369, 10.
constexpr std::array<std::string_view, 12> of_the_session{"8",  "9",  "35",  "34", "49",  "56",
                                                          "52", "43", "122", "97", "369", "10"};

/// Ids that one of the sides makes up: ClOrdID, OrderID, ExecID, ExecRefID, OrigClOrdID, ListID,
/// QuoteID, QuoteReqID, SecondaryOrderID, MDReqID, MDEntryID, SecurityReqID, ClOrdLinkID,
/// SecondaryExecID, TradeRequestID, TradeReportID, TradeReportRefID, TrdMatchID, TradeID,
/// MassActionReportID, SecondaryClOrdID.
constexpr std::array<std::string_view, 21> id_tags{
    "11",  "37",  "17",  "19",  "41",  "66",  "117", "131",  "198",  "262", "278",
    "320", "583", "527", "568", "571", "572", "880", "1003", "1369", "526"};

/// Price, LastPx, AvgPx, StopPx, BidPx, OfferPx, MDEntryPx.
constexpr std::array<std::string_view, 7> price_tags{"44", "31", "6", "99", "132", "133", "270"};

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& tags, std::string_view tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

std::string field_value(std::string_view message, std::string_view tag) {
  const std::string begin = std::string(tag) + "=";
  std::size_t at = message.starts_with(begin) ? 0 : message.find(soh + begin);
  if (at == std::string_view::npos) {
    return {};
  }
  at += (at == 0 ? 0 : 1) + begin.size();
  return std::string(message.substr(at, message.find(soh, at) - at));
}

bool is_session_message(std::string_view type) {
  return type.size() == 1 && std::string_view("01245A").contains(type.front());
}

/// "4.4" for 8=FIX.4.4, "5.0SP2" for 1137=9 of a FIXT Logon.
std::string version_of_logon(std::string_view logon) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> application{
      {{"7", "5.0"}, {"8", "5.0SP1"}, {"9", "5.0SP2"}}};
  const std::string begin = field_value(logon, "8");
  const std::string version = field_value(logon, "1137");
  for (const auto& [code, name] : application) {
    if (begin == "FIXT.1.1" && code == version) {
      return std::string(name);
    }
  }
  constexpr std::string_view prefix = "FIX.";
  return begin.starts_with(prefix) ? begin.substr(prefix.size()) : "5.0SP2";
}

/// Number at the end of the ExecID; nothing: there is none.
std::optional<std::uint64_t> exec_number(std::string_view message) {
  const std::string id = field_value(message, "17");
  const std::size_t before = id.find_last_not_of("0123456789");
  const std::string_view digits =
      std::string_view(id).substr(before == std::string::npos ? 0 : before + 1);
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return fault == std::errc() && number != 0 ? std::optional(number) : std::nullopt;
}

/// The queue that has the smallest ExecID; without any, the first one that has a message.
template <typename Sessions>
auto next_session(Sessions& sessions) {
  auto* best = &sessions.begin()->second;
  std::optional<std::uint64_t> least;
  for (auto& [name, messages] : sessions) {
    best = best->empty() ? &messages : best;
    for (const auto& message : messages) {
      const auto number = exec_number(message.bytes);
      if (number && (!least || *number < *least)) {
        least = number;
        best = &messages;
      }
    }
  }
  return best;
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

/// A value that is expected and has a character that a scenario cannot have in a value.
std::string pattern(std::string_view value) {
  std::string text(value);
  std::ranges::replace_if(
      text, [](char character) { return std::string_view("|<>$*?[]").contains(character); }, '?');
  return "<like " + text + ">";
}

}  // namespace

void Recording::add(std::string_view bytes, std::int64_t utc_ns) {
  // A message that was sent again was recorded before.
  if (field_value(bytes, "43") != "Y") {
    messages_.push_back({std::string(bytes), utc_ns});
  }
}

/// Within one time only each session's own order is known, and a fill may stand before the order
/// that caused it. The session with the smallest ExecID left goes on until that is reached.
void Recording::put_in_order(const std::string& engine) {
  for (std::size_t begin = 0; begin < messages_.size();) {
    std::size_t end = begin + 1;
    // A log without times has only its own order.
    while (end < messages_.size() && messages_[begin].utc_ns != 0 &&
           messages_[end].utc_ns == messages_[begin].utc_ns) {
      ++end;
    }
    std::map<std::string, std::deque<Message>> sessions;
    for (std::size_t at = begin; at < end; ++at) {
      const std::string sender = field_value(messages_[at].bytes, "49");
      sessions[sender == engine ? field_value(messages_[at].bytes, "56") : sender].push_back(
          std::move(messages_[at]));
    }
    for (std::size_t at = begin; at < end; ++at) {
      std::deque<Message>& next = *next_session(sessions);
      messages_[at] = std::move(next.front());
      next.pop_front();
    }
    begin = end;
  }
}

/// The side that answers the first Logon.
std::string Recording::choose_engine() const {
  for (const Message& message : messages_) {
    if (field_value(message.bytes, "35") == "A") {
      return field_value(message.bytes, "56");
    }
  }
  return {};
}

/// A, B, C, ... in the order of their Logons; further ones are P27 and so on.
std::string Recording::peer_of(const std::string& comp_id) {
  const auto found = peers_.find(comp_id);
  if (found != peers_.end()) {
    return found->second;
  }
  constexpr std::size_t letters = 26;
  const std::size_t number = peers_.size();
  std::string name = number < letters
                         ? std::string(1, static_cast<char>('A' + static_cast<int>(number)))
                         : "P" + std::to_string(number + 1);
  return peers_.emplace(comp_id, std::move(name)).first->second;
}

std::expected<std::string, std::string> Recording::text(log::MessageNames& names) {
  const std::string engine = options_.engine.empty() ? choose_engine() : options_.engine;
  put_in_order(engine);
  std::string version;
  std::string first_peer;
  bool accepts = true;
  for (const auto& [message, utc_ns] : messages_) {
    const std::string sender = field_value(message, "49");
    const std::string target = field_value(message, "56");
    if (sender != engine && target != engine) {
      continue;
    }
    const bool sent = target == engine;
    const std::string comp_id = sent ? sender : target;
    const std::string type = field_value(message, "35");
    if (type == "A" && !peers_.contains(comp_id)) {
      accepts = peers_.empty() ? sent : accepts;
      first_peer = peers_.empty() ? comp_id : first_peer;
      version = version.empty() ? version_of_logon(message) : version;
      const std::string name = peer_of(comp_id);
      steps_ += (name == "A" ? "" : name + " ") +
                "logon HeartBtInt=" + field_value(message, "108") + "\n";
      continue;
    }
    if (!peers_.contains(comp_id) || is_session_message(type)) {
      continue;
    }
    add_step(message, sent, peer_of(comp_id), names);
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
  for (const auto& [comp_id, name] : peers_) {
    text += name == "A" ? "" : "peer " + name + " as " + comp_id + " to " + engine + "\n";
  }
  return text + steps_;
}

void Recording::add_step(std::string_view message, bool sent, const std::string& peer,
                         log::MessageNames& names) {
  wire::FieldIndexOf<2048> index;
  wire::index_message(message, index);
  names.turn_to(wire::MessageView(message, index), peer);
  const std::string type = field_value(message, "35");
  std::string pieces = names.type().empty() ? "35=" + type : std::string(names.type());
  std::map<std::string, int, std::less<>> occurrences;
  fresh_.clear();
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
  steps_ += fresh_ + (peer == "A" ? "" : peer + " ") + (sent ? "> " : "< ") + pieces + "\n";
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
  if (is_among(id_tags, tag)) {
    return id_text(name, value, sent);
  }
  if (is_among(price_tags, tag)) {
    return price_text(name, value, sent);
  }
  if (sent) {
    return literal(value);
  }
  return value.find_first_of("|<>$*") == std::string_view::npos ? std::string(value)
                                                                : pattern(value);
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
  fresh_ += "let " + variable + " = <fresh>\n";
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
