// SPDX-License-Identifier: MIT
// The commands of `affix config`.
#include "config/command.hpp"

#include "affix/config/configuration_catalogue.hpp"
#include "affix/config/effective_configuration.hpp"
#include "affix/engine/checked_configuration.hpp"
#include "affix/tls/password_hash.hpp"

#include "config/hash_password.hpp"
#include "config/json_text.hpp"
#include "config/key_text.hpp"
#include "config/purpose.hpp"
#include "process/configuration_option.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::config {

namespace {

void print(const std::string& text, std::FILE* to = stdout) {
  std::fwrite(text.data(), 1, text.size(), to);
}

enum class Form : std::uint8_t { Text, Json };

int refuse(const affix::config::Problems& problems) {
  print(affix::config::text_of(problems), stderr);
  return 1;
}

/// `wanted` is a word of --for; empty: derive the purpose from the groups.
int check(const std::string& path, const std::string& wanted, Form form) {
  const auto checked = engine::load_checked_configuration(
      path, wanted.empty() ? &check_as_found : check_for(purpose_of(wanted)));
  if (form == Form::Json) {
    if (!checked) {
      print(check_json(path, checked.error(), {}, nullptr));
      return 1;
    }
    affix::config::Problems all = affix::config::errors_of(checked->configuration.warnings);
    all.insert(all.end(), checked->file_warnings.begin(), checked->file_warnings.end());
    print(check_json(path, {}, all, &checked->configuration));
    return 0;
  }
  if (!checked) {
    return refuse(checked.error());
  }
  const affix::config::Configuration& configuration = checked->configuration;
  affix::config::Problems warnings = affix::config::errors_of(configuration.warnings);
  warnings.insert(warnings.end(), checked->file_warnings.begin(), checked->file_warnings.end());
  for (const base::Error& warning : warnings) {
    print("warning: " + warning.text() + "\n", stderr);
  }
  const auto counted = [](std::size_t number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  const Purpose purpose = wanted.empty() ? purpose_of(configuration) : purpose_of(wanted);
  print(path + ": sound" +
        (purpose == Purpose::Engine ? "" : " for " + std::string(command_of(purpose))) + ", " +
        counted(configuration.clients.size(), "client group") + ", " +
        counted(configuration.servers.size(), "server group") + ", " +
        counted(configuration.sessions.size(), "session") + "\n");
  return 0;
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const affix::config::KeyDescription& key : affix::config::describe_keys()) {
    names.emplace_back(key.name);
  }
  return names;
}

int explain(const std::string& name, Form form) {
  std::vector<affix::config::KeyDescription> keys = affix::config::describe_keys();
  if (form == Form::Json) {
    std::erase_if(keys, [&name](const affix::config::KeyDescription& key) {
      return !name.empty() && key.name != name;
    });
    print(keys_json(keys));
    return keys.empty() ? 1 : 0;
  }
  if (name.empty()) {
    print(key_list(keys));
    return 0;
  }
  bool found = false;
  for (const affix::config::KeyDescription& key : keys) {
    if (key.name == name) {
      print((found ? "\n" : "") + explanation(key));
      found = true;
    }
  }
  if (const std::string ours(affix::config::keys_in_place_of(name)); !ours.empty()) {
    print(name + "\n  is of llfix's files, and becomes here: " + ours + "\n");
    return 0;
  }
  if (!found) {
    const std::string nearest(affix::config::nearest_key(name));
    print("there is no key '" + name + "'" +
              (nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?") + " [P129]\n",
          stderr);
  }
  return found ? 0 : 1;
}

std::string origin_text(const affix::config::EffectiveValue& value) {
  return value.origin == affix::config::Origin::Group      ? value.where
         : value.origin == affix::config::Origin::Defaults ? "defaults " + value.where
                                                           : name_of(value.origin);
}

int show(const std::string& path, bool only_said, Form form) {
  const auto groups = affix::config::load_effective_configuration(path);
  if (!groups) {
    return refuse(groups.error());
  }
  if (form == Form::Json) {
    print(show_json(*groups, only_said));
    return 0;
  }
  std::string text;
  for (const affix::config::EffectiveGroup& group : *groups) {
    text += (text.empty() ? "" : "\n") + std::string("[") + group.name + "]  # " +
            std::string(affix::config::to_text(group.kind)) +
            (group.where.empty() ? std::string() : ", " + group.where) + "\n";
    for (const affix::config::EffectiveValue& value : group.values) {
      if (!only_said || value.origin != affix::config::Origin::Standard) {
        text += std::string(value.key) + "=" + value.value + "  # " + origin_text(value) + "\n";
      }
    }
  }
  print(text);
  return 0;
}

}  // namespace

void add_command(Command program) {
  Command config =
      program.add_command("config", "Check and show configuration files, explain their keys");
  config.require_command();
  auto argument = std::make_shared<std::string>();
  auto only_said = std::make_shared<bool>(false);
  auto json = std::make_shared<bool>(false);
  const auto form = [json] { return *json ? Form::Json : Form::Text; };

  Command checking =
      config.add_command("check", "Report every problem of a file; exit code 1 if there is one");
  add_configuration_option(checking, *argument, "Configuration file");
  auto purpose = std::make_shared<std::string>();
  checking
      .add_option("--for", *purpose,
                  "Program that is to run with it, whose own checks are made too; by default "
                  "serve when an application group or routes say so, otherwise any (engine)")
      .one_of({std::begin(purpose_words), std::end(purpose_words)});
  checking.add_flag("--json", *json, "One object: problems, warnings, and what the file has");
  checking.on_run([argument, purpose, form] { return check(*argument, *purpose, form()); });

  Command explaining =
      config.add_command("explain", "Explain a key, or list all keys with their defaults");
  explaining.add_option("key", *argument, "Key; none: all are listed").suggests(&key_names);
  explaining.add_flag("--json", *json, "An array of keys");
  explaining.on_run([argument, form] { return explain(*argument, form()); });

  Command showing = config.add_command(
      "show", "Show the effective values of a file and where each was set; secrets are not shown");
  add_configuration_option(showing, *argument, "Configuration file");
  showing.add_flag("--changed", *only_said, "Leave out values that are the default");
  showing.add_flag("--json", *json, "An array of groups");
  showing.on_run([argument, only_said, form] { return show(*argument, *only_said, form()); });

  auto iterations = std::make_shared<std::uint32_t>(tls::PasswordHash::iterations_default);
  Command hashing = config.add_command(
      "hash-password",
      "Read a password from standard input, print a value for logon_password_hash");
  hashing.add_option("--iterations", *iterations, "Cost of comparing: 4,000 take about 1 ms")
      .between(tls::PasswordHash::iterations_min, tls::PasswordHash::iterations_max)
      .with_default();
  hashing.on_run([iterations] { return hash_password(*iterations); });

  Command referring =
      config.add_command("reference", "Tables of all keys, as the reference has them");
  referring.on_run([] {
    print(reference_tables(affix::config::describe_keys()));
    return 0;
  });
}

}  // namespace affix::inline v0::tools::config
