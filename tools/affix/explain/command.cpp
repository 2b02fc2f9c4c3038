// SPDX-License-Identifier: MIT
// The command line of `affix explain`.
#include "explain/command.hpp"

#include "explain/message_table.hpp"
#include "explain/message_text.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::explain {

namespace {

enum class Form : std::uint8_t { Text, Json };

constexpr int unknown_code_status = 2;

void print(const std::string& text, std::FILE* to) {
  std::fwrite(text.data(), 1, text.size(), to);
}

int explain(const std::vector<std::string>& words, Form form) {
  std::vector<const MessageRow*> rows;
  int status = 0;
  for (const std::string& word : words) {
    const base::MessageCode code = base::MessageCode::parse(word);
    if (const MessageRow* const row = code ? find_message(code) : nullptr; row != nullptr) {
      rows.push_back(row);
      continue;
    }
    std::string text = "affix explain: there is no code '" + word + "'; the nearest are";
    constexpr std::size_t shown_max = 3;
    const char* before = " ";
    for (const std::string& near : nearest_codes(word, shown_max)) {
      text += before + near;
      before = ", ";
    }
    print(text + " [P134]\n", stderr);
    status = unknown_code_status;
  }
  if (words.empty()) {
    rows = all_messages();
  }
  if (form == Form::Json) {
    print(messages_json(rows), stdout);
  } else if (words.empty()) {
    print(message_list(rows), stdout);
  } else {
    for (const MessageRow* const row : rows) {
      print((row == rows.front() ? "" : "\n") + explanation(*row), stdout);
    }
  }
  return status;
}

}  // namespace

void add_command(Command program) {
  Command command = program.add_command(
      "explain",
      "Print meaning, cause and action of the codes that messages have: a log line has its code "
      "after the level, an error at its end. Exit code 2: there is no such code");
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto json = std::make_shared<bool>(false);
  command.add_option("code", *words, "Codes such as S104 or c317; none: list all of them");
  command.add_flag("--json", *json, "Print JSON");
  command.on_run([words, json] { return explain(*words, *json ? Form::Json : Form::Text); });
}

}  // namespace affix::inline v0::tools::explain
