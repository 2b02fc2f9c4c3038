// SPDX-License-Identifier: MIT
// The table of commands: the rows of every subject, one after another.
#include "admin/command_table.hpp"

#include "affix/base/text.hpp"

namespace affix::inline v0::admin {

namespace {

constexpr std::array subjects{
    &engine_commands,   &session_commands,    &control_commands, &change_commands,
    &number_commands,   &message_commands,    &latency_commands, &sending_commands,
    &failover_commands, &connection_commands,
};

}  // namespace

const char* to_text(Role role) noexcept {
  switch (role) {
    case Role::None:
      return "none";
    case Role::Read:
      return "read";
    case Role::Operate:
      return "operate";
  }
  return "unknown";
}

std::vector<CommandDescription> commands() {
  std::vector<CommandDescription> all;
  for (const auto subject : subjects) {
    for (const CommandRow& row : subject()) {
      all.push_back(row.description);
    }
  }
  return all;
}

const CommandRow* find_row(std::string_view name) noexcept {
  for (const auto subject : subjects) {
    for (const CommandRow& row : subject()) {
      if (base::is_same_word(name, row.description.name)) {
        return &row;
      }
    }
  }
  return nullptr;
}

const CommandDescription* find_command(std::string_view name) noexcept {
  const CommandRow* const row = find_row(name);
  return row == nullptr ? nullptr : &row->description;
}

}  // namespace affix::inline v0::admin
