// SPDX-License-Identifier: MIT
// Writes and reads messages in the form of scenarios. Does not use affix's encoder and index,
// which are under test.
#include "certify/message_text.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"

#include "certify/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

namespace affix::inline v0::certify {

namespace {

constexpr char soh = '\x01';

/// Header fields that precede the body, after those that every message has.
constexpr std::array<std::string_view, 16> further_header{"43",  "97",  "50",   "57",  "115", "116",
                                                          "122", "128", "129",  "142", "143", "144",
                                                          "145", "369", "1128", "1129"};

bool is_further_header(std::string_view tag) {
  return std::ranges::find(further_header, tag) != further_header.end();
}

unsigned sum_of(std::string_view bytes) {
  unsigned sum = 0;
  for (const char byte : bytes) {
    sum += static_cast<unsigned char>(byte);
  }
  return sum % 256;
}

std::string three_digits(unsigned number) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "%03u", number);
  return text.data();
}

/// Value of a placeholder; nothing: it is none.
std::optional<std::string> placeholder(std::string_view name, const Meaning& meaning) {
  constexpr std::string_view now = "now";
  if (name == now) {
    return time_text(meaning.utc_ns, *meaning.version);
  }
  if (name.starts_with(now)) {
    // "-121s", "+5s", "-300ms".
    name.remove_prefix(now.size());
    const auto offset = duration_in(name.starts_with('+') ? name.substr(1) : name);
    return offset ? std::optional(time_text(meaning.utc_ns + *offset, *meaning.version))
                  : std::nullopt;
  }
  if (name == "date") {
    constexpr std::size_t date_size = 8;
    return time_text(meaning.utc_ns, *meaning.version).substr(0, date_size);
  }
  if (name == "end") {
    return std::string(meaning.version->resend_to_end);
  }
  if (name == "begin") {
    return std::string(meaning.version->begin_string);
  }
  if (name == "long") {
    constexpr std::size_t long_size = 8192;
    return std::string(long_size, 'x');
  }
  if (name == "us") {
    return meaning.identity.us;
  }
  if (name == "them") {
    return meaning.identity.them;
  }
  if (name == "fresh" && meaning.fresh_count != nullptr) {
    return std::string(meaning.fresh_prefix) + std::to_string(++*meaning.fresh_count);
  }
  return std::nullopt;
}

/// Removes a variable's name, `name` or `{name}`, from behind its `$`; empty: there is none.
std::string_view take_variable(std::string_view& text) {
  if (text.starts_with('{')) {
    const std::size_t close = text.find('}');
    if (close == std::string_view::npos || !is_name(text.substr(1, close - 1))) {
      return {};
    }
    const std::string_view name = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    return name;
  }
  std::size_t size = 0;
  while (size < text.size() && is_name(text.substr(0, size + 1))) {
    ++size;
  }
  const std::string_view name = text.substr(0, size);
  text.remove_prefix(size);
  return name;
}

std::string replace_orders(std::string_view text, const Version& version) {
  std::string result;
  constexpr std::string_view macro = "order(";
  while (!text.empty()) {
    const std::size_t at = text.find(macro);
    const std::size_t close = text.find(')', at);
    result += text.substr(0, at);
    if (at == std::string_view::npos || close == std::string_view::npos) {
      result += at == std::string_view::npos ? std::string_view() : text.substr(at);
      break;
    }
    const std::string_view id = text.substr(at + macro.size(), close - at - macro.size());
    std::string_view order = version.order;
    order.remove_suffix(1);  // Its last `|`.
    result += "11=" + std::string(id) + "|" + std::string(order);
    text.remove_prefix(close + 1);
  }
  return result;
}

/// Removes the first piece of that field from `pieces`, and returns its value.
std::optional<std::string> take(std::vector<Piece>& pieces, std::string_view tag,
                                const Meaning& meaning) {
  const auto at = std::ranges::find(pieces, tag, &Piece::tag);
  if (at == pieces.end()) {
    return std::nullopt;
  }
  std::string value = written_value(*at, meaning);
  pieces.erase(at);
  return value;
}

class Body {
 public:
  void add(std::string_view tag, std::string_view value) {
    if (value != "<none>") {
      bytes_ += std::string(tag) + "=" + std::string(value) + soh;
    }
  }

  void add_piece(const Piece& piece, const Meaning& meaning) {
    if (piece.tag.empty()) {
      bytes_ += expand(piece.value, meaning) + soh;
    } else {
      add(piece.tag, written_value(piece, meaning));
    }
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Makes the counter of the first group one too large.
void count_wrongly(std::vector<Piece>& pieces, const Meaning& meaning) {
  for (Piece& piece : pieces) {
    const auto tag = number_in(piece.tag);
    if (tag && meaning.names != nullptr &&
        meaning.names->is_counter(static_cast<std::uint32_t>(*tag))) {
      const auto count = number_in(written_value(piece, meaning));
      piece.value = std::to_string(count.value_or(0) + 1);
      return;
    }
  }
}

/// "270[2]" as tag and occurrence.
void take_occurrence(std::string_view& field, Piece& piece) {
  const std::size_t open = field.find('[');
  if (open == std::string_view::npos || !field.ends_with(']')) {
    return;
  }
  if (const auto number = number_in(field.substr(open + 1, field.size() - open - 2))) {
    piece.occurrence = static_cast<std::size_t>(*number);
    field = field.substr(0, open);
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Finds the number of a field that is given by name. The error is a text.
std::expected<void, std::string> resolve(std::string_view field, Piece& piece,
                                         const Meaning& meaning) {
  const bool absent = field.starts_with('!');
  field.remove_prefix(absent ? 1 : 0);
  take_occurrence(field, piece);
  // Names of fields begin with a capital letter; any other text is sent as it is.
  const bool named = is_name(field) && field.front() >= 'A' && field.front() <= 'Z';
  if (is_number(field) || !named) {
    piece.tag = field;
    return {};
  }
  const auto tag = meaning.names == nullptr ? std::nullopt : meaning.names->tag(field);
  if (!tag) {
    return std::unexpected("FIX " + std::string(meaning.version->name) + " has no field " +
                           std::string(field) +
                           (meaning.names == nullptr || meaning.names->problem().empty()
                                ? std::string()
                                : "; " + meaning.names->problem()));
  }
  piece.tag = std::to_string(*tag);
  piece.by_name = true;
  return {};
}

}  // namespace

std::string expand(std::string_view text, const Meaning& meaning) {
  std::string result;
  while (!text.empty()) {
    const std::size_t at = text.find_first_of("$<");
    result += text.substr(0, at);
    if (at == std::string_view::npos) {
      break;
    }
    text.remove_prefix(at);
    if (text.starts_with("$$")) {
      result += '$';
      text.remove_prefix(2);
      continue;
    }
    if (text.front() == '$') {
      text.remove_prefix(1);
      const std::string_view name = take_variable(text);
      const auto found = meaning.variables == nullptr ? Variables::const_iterator()
                                                      : meaning.variables->find(name);
      const bool known = meaning.variables != nullptr && found != meaning.variables->end();
      result += known ? found->second : "$" + std::string(name);
      continue;
    }
    const std::size_t close = text.find('>');
    const auto value = close == std::string_view::npos
                           ? std::nullopt
                           : placeholder(text.substr(1, close - 1), meaning);
    result += value.value_or("<");
    text.remove_prefix(value ? close + 1 : 1);
  }
  return result;
}

std::string_view missing_variable(std::string_view text, const Variables& variables) {
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$')) {
    text.remove_prefix(at + 1);
    if (text.starts_with('$')) {
      text.remove_prefix(1);
      continue;
    }
    if (const std::string_view name = take_variable(text);
        !name.empty() && !variables.contains(name)) {
      return name;
    }
  }
  return {};
}

std::string written_value(const Piece& piece, const Meaning& meaning) {
  if (piece.literal) {
    return piece.value;
  }
  std::string value = expand(piece.value, meaning);
  const auto tag = number_in(piece.tag);
  if (piece.by_name && meaning.names != nullptr && tag) {
    return std::string(meaning.names->code(static_cast<std::uint32_t>(*tag), value));
  }
  return value;
}

std::expected<std::vector<Piece>, std::string> pieces_of(std::string_view text,
                                                         const Meaning& meaning) {
  const std::string replaced = replace_orders(text, *meaning.version);
  std::string_view rest = replaced;
  std::vector<Piece> pieces;
  while (!rest.empty()) {
    const std::size_t end = rest.find('|');
    const std::string_view whole = base::trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t equals = whole.find('=');
    Piece piece;
    if (equals != std::string_view::npos || whole.starts_with('!')) {
      if (auto resolved = resolve(whole.substr(0, equals), piece, meaning); !resolved) {
        return std::unexpected(std::move(resolved.error()));
      }
      piece.value =
          whole.starts_with('!') ? std::string_view("<absent>") : whole.substr(equals + 1);
    } else if (pieces.empty() && is_name(whole)) {
      const std::string_view type =
          meaning.names == nullptr ? std::string_view() : meaning.names->type(whole);
      if (type.empty()) {
        return std::unexpected("FIX " + std::string(meaning.version->name) + " has no message " +
                               std::string(whole) +
                               (meaning.names == nullptr || meaning.names->problem().empty()
                                    ? std::string()
                                    : "; " + meaning.names->problem()));
      }
      piece.tag = "35";
      piece.value = type;
    } else {
      piece.value = whole;
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::string time_text(std::int64_t utc_ns, const Version& version) {
  const std::time_t seconds = utc_ns / affix::base::ns_per_second;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text;
  std::strftime(text.data(), text.size(), "%Y%m%d-%H:%M:%S", &parts);
  std::string result = text.data();
  if (version.begin_string != "FIX.4.0" && version.begin_string != "FIX.4.1") {
    const auto ms = utc_ns % affix::base::ns_per_second / affix::base::ns_per_ms;
    result += "." + three_digits(static_cast<unsigned>(ms));
  }
  return result;
}

std::vector<std::pair<std::string_view, std::string_view>> fields_of(std::string_view message) {
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  while (!message.empty()) {
    const std::size_t end = message.find(soh);
    const std::string_view piece = message.substr(0, end);
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos) {
      fields.emplace_back("", piece);
    } else {
      fields.emplace_back(piece.substr(0, equals), piece.substr(equals + 1));
    }
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
  }
  return fields;
}

Written write_message(std::vector<Piece> pieces, const Meaning& meaning, std::uint64_t sequence,
                      SendFault fault) {
  const auto begin =
      take(pieces, "8", meaning).value_or(std::string(meaning.version->begin_string));
  const auto length = take(pieces, "9", meaning);
  const auto sum = take(pieces, "10", meaning);
  const auto type = take(pieces, "35", meaning).value_or("<none>");
  const auto number = take(pieces, "34", meaning);
  if (type == "A" && meaning.version->is_fixt() &&
      std::ranges::find(pieces, "1137", &Piece::tag) == pieces.end()) {
    pieces.push_back({.tag = "1137", .value = std::string(meaning.version->appl_ver_id)});
  }
  if (fault == SendFault::Group) {
    count_wrongly(pieces, meaning);
  }
  Body body;
  body.add("35", type);
  body.add("34", number.value_or(std::to_string(sequence)));
  body.add("49", take(pieces, "49", meaning).value_or(meaning.identity.us));
  body.add("56", take(pieces, "56", meaning).value_or(meaning.identity.them));
  body.add("52", take(pieces, "52", meaning).value_or(time_text(meaning.utc_ns, *meaning.version)));
  for (const Piece& piece : pieces) {
    if (is_further_header(piece.tag)) {
      body.add_piece(piece, meaning);
    }
  }
  for (const Piece& piece : pieces) {
    if (!is_further_header(piece.tag)) {
      body.add_piece(piece, meaning);
    }
  }
  Body message;
  message.add("8", begin);
  const std::size_t size = body.bytes().size() - (fault == SendFault::Length ? 1 : 0);
  message.add("9", length.value_or(std::to_string(size)));
  const unsigned right = sum_of(message.bytes() + body.bytes());
  Body trailer;
  trailer.add("10",
              sum.value_or(three_digits((right + (fault == SendFault::Checksum ? 1U : 0U)) % 256)));
  return {message.bytes() + body.bytes() + trailer.bytes(), !number};
}

std::string resent(std::string_view message, const Meaning& meaning) {
  std::vector<Piece> pieces;
  std::string sent;
  for (const auto& [tag, value] : fields_of(message)) {
    if (tag == "52") {
      sent = value;
    } else if (tag != "9" && tag != "10" && tag != "43" && tag != "122") {
      pieces.push_back({.tag = std::string(tag), .literal = true, .value = std::string(value)});
    }
  }
  pieces.push_back({.tag = "43", .value = "Y"});
  pieces.push_back({.tag = "122", .value = std::move(sent)});
  return write_message(std::move(pieces), meaning, 0).bytes;
}

TypeAndBody type_and_body(const std::vector<Piece>& pieces, const Meaning& meaning) {
  TypeAndBody result;
  Body body;
  for (const Piece& piece : pieces) {
    if (piece.tag == "35") {
      result.type = written_value(piece, meaning);
    } else {
      body.add_piece(piece, meaning);
    }
  }
  result.body = body.bytes();
  return result;
}

std::string write_raw(std::string_view text, const Meaning& meaning) {
  std::string bytes = expand(replace_orders(text, *meaning.version), meaning);
  std::ranges::replace(bytes, '|', soh);
  constexpr std::string_view length_place = "9=<length>";
  constexpr std::string_view sum_place = "10=<sum>";
  if (const std::size_t at = bytes.find(length_place); at != std::string::npos) {
    const std::size_t begin = at + length_place.size() + 1;
    const std::size_t end = std::min(bytes.find("\x01"
                                                "10=",
                                                begin - 1),
                                     bytes.size() - 1) +
                            1;
    const std::string length = "9=" + std::to_string(end - begin);
    bytes.replace(at, length_place.size(), length);
  }
  if (const std::size_t at = bytes.find(sum_place); at != std::string::npos) {
    bytes.replace(at, sum_place.size(), "10=" + three_digits(sum_of(bytes.substr(0, at))));
  }
  return bytes;
}

std::optional<std::string> value_of(std::string_view message, std::string_view tag,
                                    std::size_t occurrence) {
  for (const auto& [name, value] : fields_of(message)) {
    if (name == tag && --occurrence == 0) {
      return std::string(value);
    }
  }
  return std::nullopt;
}

std::string form_fault(std::string_view message, const Meaning& meaning) {
  const auto fields = fields_of(message);
  constexpr std::size_t least = 8;  // 8, 9, 35, 34, 49, 56, 52, 10.
  if (fields.size() < least || fields[0].first != "8" || fields[1].first != "9" ||
      fields[2].first != "35" || fields.back().first != "10") {
    return "8, 9, 35 and 10 are not where they belong";
  }
  const std::size_t body = fields[0].second.size() + fields[1].second.size() + 6;
  constexpr std::size_t trailer_size = 7;
  // Zeros may precede: it is an integer.
  if (number_in(fields[1].second) != message.size() - body - trailer_size) {
    return "BodyLength is wrong";
  }
  const std::string_view summed = message.substr(0, message.size() - trailer_size);
  if (fields.back().second != three_digits(sum_of(summed))) {
    return "CheckSum is wrong";
  }
  if (fields[0].second != meaning.version->begin_string) {
    return "BeginString is not the session's";
  }
  if (value_of(message, "49") != meaning.identity.them ||
      value_of(message, "56") != meaning.identity.us) {
    return "CompIDs are not the session's";
  }
  constexpr std::size_t whole_seconds = 17;
  const std::string time = value_of(message, "52").value_or("");
  const bool seconds_only = meaning.version->begin_string < std::string_view("FIX.4.2");
  if (time.size() < whole_seconds || (seconds_only && time.size() != whole_seconds)) {
    return "SendingTime is not of the version's form";
  }
  return {};
}

std::string readable(std::string_view bytes) {
  std::string text(bytes);
  std::ranges::replace(text, soh, '|');
  return text;
}

}  // namespace affix::inline v0::certify
