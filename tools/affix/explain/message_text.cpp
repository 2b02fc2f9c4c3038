// SPDX-License-Identifier: MIT
// Writes rows of the table of messages.
#include "explain/message_text.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::size_t columns_max = 100;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// "  name:  words", with later lines below the words.
void append_part(std::string& out, std::string_view name, const std::string& words) {
  constexpr std::size_t width = 11;
  std::string line = "  " + std::string(name) + ":";
  line.append(width - line.size(), ' ');
  bool is_new = true;
  std::string_view rest = words;
  while (!rest.empty()) {
    const std::size_t end = rest.find(' ');
    const std::string_view word = rest.substr(0, end);
    if (!is_new && line.size() + 1 + word.size() > columns_max) {
      out += line + '\n';
      line.assign(width, ' ');
      is_new = true;
    }
    line += (is_new ? "" : " ") + std::string(word);
    is_new = false;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  out += line + '\n';
}

}  // namespace

std::string plain_text(std::string_view markdown) {
  std::string plain;
  while (!markdown.empty()) {
    const std::size_t open = markdown.find('[');
    const std::size_t middle = markdown.find("](", open);
    const std::size_t close =
        middle == std::string_view::npos ? middle : markdown.find(')', middle);
    // Brackets of a group's name, "[ENGINE]", are no link.
    if (close == std::string_view::npos || markdown.substr(open, middle - open).contains(']')) {
      const std::size_t end = open == std::string_view::npos ? open : open + 1;
      plain += markdown.substr(0, end);
      markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end);
      continue;
    }
    std::string_view page = markdown.substr(middle + 2, close - middle - 2);
    page = page.substr(0, page.find('#'));
    const bool is_above = page.starts_with("../");
    plain += markdown.substr(0, open);
    plain += markdown.substr(open + 1, middle - open - 1);
    plain += " (docs/" +
             (is_above ? std::string(page.substr(3)) : "reference/" + std::string(page)) + ")";
    markdown.remove_prefix(close + 1);
  }
  std::erase(plain, '`');
  return plain;
}

std::string explanation(const MessageRow& row) {
  std::string out = std::string(row.code.text()) + ", " + to_text(row.kind) + "\n";
  for (const std::string_view text : lines_of(row.texts)) {
    append_part(out, "text", std::string(text));
  }
  append_part(out, "meaning", plain_text(row.meaning));
  append_part(out, "cause", plain_text(row.cause));
  append_part(out, "action", plain_text(row.action));
  return out;
}

std::string message_list(const std::vector<const MessageRow*>& rows) {
  std::string out;
  for (const MessageRow* const row : rows) {
    out += std::string(row->code.text()) + "  " + std::string(lines_of(row->texts).front()) + "\n";
  }
  return out;
}

std::string messages_json(const std::vector<const MessageRow*>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const MessageRow* const row : rows) {
    nlohmann::ordered_json object;
    object["code"] = row->code.text();
    object["kind"] = to_text(row->kind);
    object["texts"] = lines_of(row->texts);
    object["meaning"] = plain_text(row->meaning);
    object["cause"] = plain_text(row->cause);
    object["action"] = plain_text(row->action);
    all.push_back(std::move(object));
  }
  return all.dump(2) + "\n";
}

}  // namespace affix::inline v0::tools::explain
