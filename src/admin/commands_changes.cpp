// SPDX-License-Identifier: MIT
// Commands that add, remove and change sessions. They wait for the disk, so another thread passes
// them to the engine, which carries them out in any case.
#include "affix/base/text.hpp"
#include "affix/config/configuration.hpp"

#include "admin/command_table.hpp"

#include <algorithm>

namespace affix::inline v0::admin {

namespace {

using config::Problems;
using engine::Change;

/// Time for which an answer waits for an accepted change to be done.
constexpr std::int64_t settle_ns = 150 * base::ns_per_ms;

constexpr std::size_t name_bytes_max = 64;

/// Problems in one line, each with its code.
Answer refused_for(const Problems& problems) {
  if (problems.size() == 1) {
    return Answer::refused(problems.front().sentence(), problems.front().message_code);
  }
  std::string text;
  for (const base::Error& problem : problems) {
    text += (text.empty() ? "" : "; ") + problem.text();
  }
  return Answer::refused(std::move(text));
}

Answer answer_of(const std::expected<Change, Problems>& change) {
  if (!change) {
    return refused_for(change.error());
  }
  const bool done = change->wait(settle_ns);
  Answer answer = Answer::table({"session", "change", "keys", "done", "forced"});
  for (const engine::SessionChange& one : change->sessions()) {
    answer.add(
        {one.session, std::string(engine::to_text(one.kind)), one.keys, one.done, one.forced});
  }
  std::string text = answer.rows().empty() ? "nothing to change"
                     : done                ? "it has happened"
                                           : "it is accepted and under way";
  for (const base::Error& warning : change->warnings()) {
    text += "; warning: " + warning.text();
  }
  answer.set_text(std::move(text));
  return answer;
}

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= name_bytes_max &&
         std::all_of(name.begin(), name.end(), [](char byte) {
           return base::is_digit(byte) || base::is_letter(byte) || byte == '_' || byte == '-' ||
                  byte == '.';
         });
}

/// Text that a group's lines must not have from outside, or empty.
std::string fault_in(std::string_view settings) {
  if (settings.find("${") != std::string_view::npos) {
    return "variables of the environment are for files";
  }
  while (!settings.empty()) {
    const std::string_view line = base::take_part(settings, '\n');
    const std::size_t equals = line.find('=');
    const std::string_view key = line.substr(0, std::min(equals, line.size()));
    if (equals == std::string_view::npos || key.find_first_of("[#") != std::string_view::npos) {
      return "'" + std::string(line) + "' is not key=value";
    }
    if (key == "include" || key == "type") {
      return "key '" + std::string(key) + "' is for files";
    }
  }
  return {};
}

Outcome enable_session(CommandContext& context, const Words& words) {
  return context.ask_disk([&engine = context.engine(), name = words[0]] {
    return answer_of(engine.enable_session(name));
  });
}

Outcome disable_session(CommandContext& context, const Words& words) {
  return context.ask_disk(
      [&engine = context.engine(), name = words[0], why = words[1], by = context.caller()] {
        return answer_of(engine.disable_session(name, why, by));
      });
}

Outcome add_session(CommandContext& context, const Words& words) {
  if (!is_name(words[0])) {
    return Answer::refused("a name has letters, digits, '_', '-' and '.', 64 at most", "A104");
  }
  if (const std::string fault = fault_in(words[1]); !fault.empty()) {
    return Answer::refused(fault, "A104");
  }
  return context.ask_disk(
      [&engine = context.engine(), text = "[" + words[0] + "]\n" + words[1] + "\n"] {
        auto sessions = config::parse_sessions(text, "add_session");
        if (!sessions) {
          return refused_for(sessions.error());
        }
        return answer_of(engine.add_sessions(std::move(*sessions)));
      });
}

Outcome remove_session(CommandContext& context, const Words& words) {
  return context.ask_disk([&engine = context.engine(), name = words[0], text = words[1]] {
    return answer_of(engine.remove_session(name, text));
  });
}

Outcome reload(CommandContext& context, const Words& /*words*/) {
  return context.ask_disk([&program = context.program()] { return answer_of(program.reload()); });
}

Outcome upgrade(CommandContext& context, const Words& words) {
  return context.ask_disk([&program = context.program(), path = words[0]] {
    if (const auto begun = program.upgrade(path); !begun) {
      return refused_for({begun.error()});
    }
    return Answer::done("a new process is started; the log says when it serves");
  });
}

constexpr std::array upgrade_arguments{
    ArgumentDescription{.name = "program", .kind = ArgumentKind::Text, .optional = true}};
constexpr std::array add_arguments{
    ArgumentDescription{.name = "name", .kind = ArgumentKind::Name},
    ArgumentDescription{.name = "settings", .kind = ArgumentKind::Settings}};

constexpr auto change_rows = in_section(
    "Coming, going and changing",
    std::array{
        CommandRow{{.name = "enable_session",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = session_arguments,
                    .summary = "Let a session connect, or accept its peer's connection, again"},
                   &enable_session},
        CommandRow{{.name = "disable_session",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = reason_arguments,
                    .summary = "Log a session out, and keep it disconnected until it is enabled",
                    .detail = "The peer gets a Logout with the reason as its Text (58). A later "
                              "Logon is refused."},
                   &disable_session},
        CommandRow{{.name = "add_session",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = add_arguments,
                    .summary = "Add a session to a client or server that runs",
                    .detail = "Settings are those of a session group, `key=value` each, with "
                              "quotes round a value with spaces: `add_session S9 instance=SERVER "
                              "begin_string=FIX.4.4 sender_comp_id=A target_comp_id=B`. The answer "
                              "ends with the warnings that a file's session would log. It is gone "
                              "with the program unless the file says it too."},
                   &add_session},
        CommandRow{{.name = "remove_session",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = reason_arguments,
                    .summary = "Log a session out and forget it; its journal stays"},
                   &remove_session},
        CommandRow{{.name = "reload",
                    .role = Role::Operate,
                    .changes_state = true,
                    .summary = "Apply the changes of the configuration file",
                    .detail = "All changes are applied, or none, with a list of all problems. The "
                              "TLS files are read again, too."},
                   &reload},
        CommandRow{{.name = "upgrade",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = upgrade_arguments,
                    .summary = "Hand the connections over to a new process, without a disconnect",
                    .detail = "Needs key `keeper`. The program is an absolute path of a file that "
                              "only its owner, root or the service's user, can write; without one "
                              "it is the running program's. It gets the same arguments, takes over "
                              "once it has loaded its configuration, and this process ends when "
                              "that one serves; if it fails, this one goes on."},
                   &upgrade},
    });

}  // namespace

std::span<const CommandRow> change_commands() noexcept {
  return change_rows;
}

}  // namespace affix::inline v0::admin
