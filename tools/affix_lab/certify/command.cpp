// SPDX-License-Identifier: MIT
// Options and exit codes of `affix certify`.
#include "certify/command.hpp"

#include "affix/certify/orchestra.hpp"
#include "affix/certify/run.hpp"

#include "certify/picture.hpp"
#include "certify/recording.hpp"
#include "certify/standard_scenarios.hpp"
#include "dictionary/standard.hpp"
#include "log/merge.hpp"
#include "log/message_names.hpp"
#include "log/open_sources.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::certify {

namespace {

using affix::certify::CompIds;
using affix::certify::Result;
using affix::certify::SessionChoice;

struct CommandOptions {
  affix::certify::RunOptions run;
  std::string begin_string = "FIX.4.4";
  CompIds ids;
  std::vector<std::string> sessions;
  std::vector<std::string> peers;
  std::vector<std::string> variables;
  double patience_seconds = 3;
  double connect_seconds = 10;
  double longest_wait_seconds = 60;
  std::string junit;
  std::string html;
  bool quiet = false;
};

/// Splits at the first `delimiter`; false if there is none, or nothing before it.
bool split_at(std::string_view text, char delimiter, std::string& first, std::string& second) {
  const std::size_t at = text.find(delimiter);
  if (at == std::string_view::npos || at == 0) {
    return false;
  }
  first = text.substr(0, at);
  second = text.substr(at + 1);
  return true;
}

/// "FIX.4.4:SENDER:TARGET", then ",NAME=VALUE" any number of times.
bool read_session(std::string_view text, SessionChoice& session) {
  const std::size_t comma = text.find(',');
  std::string rest;
  if (!split_at(text.substr(0, comma), ':', session.version, rest) ||
      !split_at(std::string(rest), ':', session.ids.sender, session.ids.target) ||
      session.ids.target.empty()) {
    return false;
  }
  text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    auto& variable = session.variables.emplace_back();
    if (!split_at(text.substr(0, end), '=', variable.first, variable.second)) {
      return false;
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return true;
}

bool is_session(const std::string& text) {
  SessionChoice session;
  return read_session(text, session);
}

/// "NAME=SENDER:TARGET".
bool read_peer(const std::string& text, std::string& name, CompIds& ids) {
  std::string rest;
  return split_at(text, '=', name, rest) && split_at(rest, ':', ids.sender, ids.target) &&
         !ids.target.empty();
}

bool is_peer(const std::string& text) {
  std::string name;
  CompIds ids;
  return read_peer(text, name, ids);
}

bool is_variable(const std::string& text) {
  return text.find('=') != std::string::npos && text.front() != '=';
}

std::int64_t nanoseconds_of(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e9);
}

/// A port of all interfaces, or HOST:PORT.
std::string listen_address(const std::string& text) {
  return text.empty() || text.find(':') != std::string::npos ? text : "*:" + text;
}

/// Prints failures as they come.
class Progress final : public affix::certify::RunProgress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet) {}

  void on_listening(const std::string& address) override {
    // A script that starts the engine waits for this line.
    std::printf("listening on %s\n", address.c_str());
    std::fflush(stdout);
  }

  void on_result(const Result& result) override {
    if (result.outcome == affix::certify::Outcome::Failed && !quiet_) {
      std::printf("FAILED %s\n", failure_text(result).c_str());
      std::fflush(stdout);
    }
  }

 private:
  bool quiet_;
};

bool write_file(const std::string& path, const std::string& text) {
  if (path.empty()) {
    return true;
  }
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  written = file != nullptr && std::fclose(file) == 0 && written;
  if (!written) {
    std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
  }
  return written;
}

void complete(CommandOptions& options) {
  affix::certify::RunOptions& run = options.run;
  for (std::string& path : run.paths) {
    path = find_scenarios(path);
  }
  run.listen = listen_address(run.listen);
  run.dictionaries = dictionary::standard_directory();
  run.patience_ns = nanoseconds_of(options.patience_seconds);
  run.longest_wait_ns = nanoseconds_of(options.longest_wait_seconds);
  run.connect_ns = nanoseconds_of(options.connect_seconds);
  for (const std::string& text : options.sessions) {
    static_cast<void>(read_session(text, run.sessions.emplace_back()));
  }
  if (run.sessions.empty()) {
    run.sessions.push_back({options.begin_string, options.ids});
  }
  for (const std::string& text : options.peers) {
    std::string name;
    CompIds ids;
    static_cast<void>(read_peer(text, name, ids));
    run.peers[name] = ids;
  }
  for (const std::string& text : options.variables) {
    auto& variable = run.variables.emplace_back();
    static_cast<void>(split_at(text, '=', variable.first, variable.second));
  }
}

int run(CommandOptions options) {
  if (options.run.address.empty() == options.run.listen.empty()) {
    refuse_without("--address or --listen");
  }
  complete(options);
  Progress progress(options.quiet);
  const auto results = affix::certify::run(options.run, &progress);
  if (!results) {
    std::fputs(results.error().c_str(), stderr);
    return 2;
  }
  if (const affix::certify::Totals totals = affix::certify::totals_of(*results);
      totals.passed + totals.failed == 0) {
    std::fputs("no scenario can be played against this engine\n", stderr);
    return 2;
  }
  std::fputs(picture_of(*results).c_str(), stdout);
  std::printf("%s\n", summary_of(*results).c_str());
  if (!write_file(options.junit, junit_text(*results)) ||
      !write_file(options.html, html_page(*results))) {
    return 2;
  }
  return affix::certify::totals_of(*results).failed == 0 ? 0 : 1;
}

void add_run_command(Command parent) {
  auto options = std::make_shared<CommandOptions>();
  affix::certify::RunOptions& run_options = options->run;
  Command command = parent.add_command("run", "Play scenarios against an engine");
  command
      .add_option("SCENARIOS", run_options.paths,
                  "Files, directories of *.scenario, or names of those supplied, such as session")
      .required();
  const Option address =
      command.add_option("--address", run_options.address, "HOST:PORT of an acceptor");
  command
      .add_option("--listen", run_options.listen,
                  "PORT, or HOST:PORT, to which an initiator connects; 0: any, which is printed")
      .excludes(address);
  command
      .add_option("--begin-string", options->begin_string,
                  "FIX version: FIX.4.0 ... FIX.4.4, FIX.5.0, FIX.5.0SP1, FIX.5.0SP2")
      .with_default();
  command.add_option("--sender", options->ids.sender, "SenderCompID of the scenarios' peer")
      .with_default();
  command.add_option("--target", options->ids.target, "Its TargetCompID: the engine's CompID")
      .with_default();
  command
      .add_option("--session", options->sessions,
                  "VERSION:SENDER:TARGET[,NAME=VALUE...] in place of these three; repeat it: "
                  "sessions are played at the same time")
      .one_value()
      .checked(&is_session, "VERSION:SENDER:TARGET is wanted");
  command
      .add_option("--peer", options->peers,
                  "NAME=SENDER:TARGET of a scenario's further counterparty; repeat it")
      .one_value()
      .checked(&is_peer, "NAME=SENDER:TARGET is wanted");
  command
      .add_option("--set", options->variables,
                  "NAME=VALUE of a scenario's variable, such as symbol=IBM; repeat it")
      .one_value()
      .checked(&is_variable, "NAME=VALUE is wanted");
  command.add_option("--scenario", run_options.ids, "Only scenarios of this id; repeat it")
      .one_value();
  command.add_option("--skip", run_options.skipped, "Not scenarios of this id; repeat it")
      .one_value();
  command.add_flag("--keeps-numbers", run_options.keeps_numbers,
                   "The engine keeps its numbers between connections: the first Logon of a "
                   "scenario resets them (141=Y). Without it, each Logon must reset them");
  command.add_option("--restart", run_options.restart_command,
                     "Shell command that kills the engine and starts it again; it ends when the "
                     "engine can be connected to. Without it, scenarios that need it are skipped");
  command.add_option("--restart-without-memory", run_options.restart_without_memory_command,
                     "The same, with nothing of what the engine has stored");
  command
      .add_option("--patience", options->patience_seconds, "Seconds to wait for expected messages")
      .between_decimals(0.01, 3600.0)
      .with_default();
  command
      .add_option("--connect-timeout", options->connect_seconds, "Seconds to wait for a connection")
      .between_decimals(0.01, 3600.0)
      .with_default();
  command
      .add_option("--longest-wait", options->longest_wait_seconds,
                  "Seconds; scenarios that wait longer for something not to happen are skipped")
      .between_decimals(0.01, 100'000.0)
      .with_default();
  command.add_option("--fragments", run_options.fragment_bytes,
                     "Sends the peers' bytes in pieces of this size");
  command.add_option("--junit", options->junit, "File for the results as JUnit XML");
  command.add_option("--html", options->html, "File for a page with every message of each step");
  command.add_flag("--quiet", options->quiet, "Prints no failure, only marks and totals");
  command.on_run([options] { return run(*options); });
}

struct RecordCommandOptions {
  RecordOptions record;
  std::vector<std::string> sources;
  std::vector<std::string> dictionaries;
  std::string out;
};

/// Adds all messages of files, journals and captures, merged by time. False: one cannot be read.
bool add_messages(const std::vector<std::string>& sources, Recording& recording) {
  log::Merge merge;
  for (const std::string& path : sources) {
    const auto found = log::find_sources(path);
    if (!found) {
      std::fprintf(stderr, "%s\n", found.error().text().c_str());
      return false;
    }
    for (const log::Found& each : *found) {
      auto source = log::open_source(each, {}, {});
      if (!source) {
        std::fprintf(stderr, "%s\n", source.error().text().c_str());
        return false;
      }
      merge.add(std::move(*source));
    }
  }
  while (const auto entry = merge.next()) {
    if (entry->kind == log::EntryKind::Message && !entry->bytes.empty()) {
      recording.add(entry->bytes, entry->utc_ns);
    }
  }
  for (const std::string& problem : merge.problems()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
  }
  return merge.problems().empty();
}

int record(const RecordCommandOptions& options) {
  RecordOptions record = options.record;
  record.source = options.sources.front();
  Recording recording(std::move(record));
  log::MessageNames names;
  for (const std::string& path : options.dictionaries) {
    if (!names.add_dictionary(path)) {
      std::fprintf(stderr, "%s\n", names.problems().back().c_str());
      return 2;
    }
  }
  if (!add_messages(options.sources, recording)) {
    return 2;
  }
  const auto text = recording.text(names);
  if (!text) {
    std::fprintf(stderr, "%s: %s\n", options.sources.front().c_str(), text.error().c_str());
    return 2;
  }
  if (options.out.empty()) {
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  return write_file(options.out, *text) ? 0 : 2;
}

void add_record_command(Command parent) {
  auto options = std::make_shared<RecordCommandOptions>();
  Command command = parent.add_command(
      "record", "Make a scenario of live sessions, with times, ids and prices as variables");
  command
      .add_option("SOURCES", options->sources,
                  "Journals, text logs or captures, as affix log reads them, merged by time")
      .required();
  command.add_option("--engine", options->record.engine,
                     "CompID of the engine under test, whose answers are expected; the other side "
                     "is played (the side that answers the first Logon)");
  command.add_option("--id", options->record.id, "The scenario's id").with_default();
  command.add_option("--title", options->record.title, "Its title").with_default();
  command.add_option("--dictionary", options->dictionaries, "Dictionary of the names; repeat it")
      .one_value();
  command.add_option("--out", options->out, "File for the scenario; without it, standard output");
  command.on_run([options] { return record(*options); });
}

struct OrchestraCommandOptions {
  std::string file;
  std::vector<std::string> states;
  std::string out;
};

int make_from_orchestra(const OrchestraCommandOptions& options) {
  affix::certify::OrchestraOptions orchestra{.dictionaries = dictionary::standard_directory(),
                                             .file = options.file};
  for (const std::string& text : options.states) {
    std::string name;
    std::string value;
    static_cast<void>(split_at(text, '=', name, value));
    orchestra.states[name.substr(name.starts_with('$') ? 1 : 0)] = value;
  }
  const auto made = affix::certify::scenarios_of_orchestra_file(options.file, orchestra);
  if (!made) {
    std::fputs(made.error().c_str(), stderr);
    return 2;
  }
  for (const std::string& unmade : made->unmade) {
    std::fprintf(stderr, "not made: %s\n", unmade.c_str());
  }
  if (made->count == 0) {
    std::fprintf(stderr, "%s: no scenario can be made of it\n", options.file.c_str());
    return 2;
  }
  if (options.out.empty()) {
    std::fputs(made->text.c_str(), stdout);
    return 0;
  }
  return write_file(options.out, made->text) ? 0 : 2;
}

void add_orchestra_command(Command parent) {
  auto options = std::make_shared<OrchestraCommandOptions>();
  Command command = parent.add_command(
      "orchestra", "Make scenarios of the workflow in a FIX Orchestra file: one for each answer");
  command.add_option("FILE", options->file, "FIX Orchestra file with responses").required();
  command
      .add_option("--state", options->states,
                  "NAME=VALUE of a state that conditions name, such as Market.Phase=Open; "
                  "NAME= for one that does not exist; repeat it")
      .one_value()
      .checked(&is_variable, "NAME=VALUE is wanted");
  command.add_option("--out", options->out, "File for the scenarios; without it, standard output");
  command.on_run([options] { return make_from_orchestra(*options); });
}

}  // namespace

void add_command(Command program) {
  Command command =
      program.add_command("certify", "Play scenarios against any FIX engine, as its counterparty");
  command.require_command();
  add_run_command(command);
  add_record_command(command);
  add_orchestra_command(command);
}

}  // namespace affix::inline v0::tools::certify
