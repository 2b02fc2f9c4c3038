// SPDX-License-Identifier: MIT
// Any bytes as lines of the administration port: a request within its limits or a refusal, words
// bound or refused, and answers that stay one line of JSON for any contents.
#include "affix/admin/answer.hpp"
#include "affix/admin/command.hpp"
#include "affix/admin/request.hpp"

#include "program_input.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using affix_fuzz::require;

namespace admin = affix::admin;

class Groups final : public admin::GroupNames {
 public:
  [[nodiscard]] bool is_instance(std::string_view name) const override { return name == "I"; }

  [[nodiscard]] bool is_session(std::string_view name) const override { return name == "S"; }

  [[nodiscard]] std::string_view instance_of(std::string_view session) const override {
    return session == "S" ? "I" : "";
  }

  [[nodiscard]] std::string_view only_session_of(std::string_view instance) const override {
    return instance == "I" ? "S" : "";
  }
};

bool is_one_line(const std::string& text) {
  return text.ends_with('\n') && std::count(text.begin(), text.end(), '\n') == 1;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char byte) { return static_cast<unsigned char>(byte) < 0x20; });
}

void check_request(const admin::Request& request) {
  require(request.arguments.size() <= admin::request_arguments_max);
  require(request.id.size() <= 128 && !has_control(request.id));
  require(!has_control(request.command));
  for (const std::string& argument : request.arguments) {
    require(!has_control(argument) && argument.size() <= admin::request_bytes_max);
  }
  const admin::CommandDescription* const command = admin::find_command(request.command);
  if (command == nullptr) {
    return;
  }
  const auto words = admin::bind_arguments(*command, request.arguments, Groups());
  if (words) {
    require(words->size() == command->arguments.size());
  } else {
    require(words.error().message.find(command->name) != std::string::npos);
  }
}

void check_answers(std::string_view line, const std::string& id) {
  admin::Answer answer = admin::Answer::table({"what", "number"});
  answer.add({std::string(line), std::int64_t{1}});
  answer.set_text(std::string(line));
  require(is_one_line(admin::json_of(answer, id, 1 << 16)));
  const std::string text = admin::text_of(answer, 1 << 16);
  require(std::count(text.begin(), text.end(), '\n') == 3);
  require(std::none_of(text.begin(), text.end(), [](char byte) {
    return byte != '\n' && static_cast<unsigned char>(byte) < 0x20;
  }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(bytes), size);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const auto request = admin::parse_request(line);
    if (request) {
      check_request(*request);
    } else {
      require(!request.error().text.empty() && !has_control(request.error().text));
    }
    if (line.size() <= admin::request_bytes_max) {
      check_answers(line, request ? request->id : request.error().id);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}
