// SPDX-License-Identifier: MIT
// Options of `affix log`, and the walk over the records.
#include "log/command.hpp"

#include "affix/wire/index.hpp"

#include "log/journal_merge.hpp"
#include "log/order_filter.hpp"
#include "log/record_text.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace affix::inline v0::tools::log {

namespace {

/// Larger than what the engine takes, so that whatever it stored can be shown.
using LogIndex = wire::FieldIndexOf<16'384>;

bool is_heartbeat(const wire::MessageView& message) noexcept {
  return message.type() == wire::MsgType("0") || message.type() == wire::MsgType("1");
}

class Printer {
 public:
  Printer(const LogOptions& options, std::FILE* out)
      : options_(options), out_(out), index_(std::make_unique<LogIndex>()) {
    if (!options.order.empty()) {
      order_.emplace(options.order);
    }
  }

  void print(const journal::Record& record, const std::string& session) {
    const bool message = !record.bytes.empty() && record.kind != journal::Kind::Event &&
                         record.kind != journal::Kind::Resent;
    if (message) {
      wire::index_message(record.bytes, *index_);
    } else {
      index_->clear();
    }
    const wire::MessageView view(record.bytes, *index_);
    if ((order_ && (!message || !order_->matches(view))) ||
        (options_.hide_heartbeats && message && is_heartbeat(view))) {
      return;
    }
    if (!message || !options_.fields) {
      std::fprintf(out_, "%s %s\n", session.c_str(), record_line(record).c_str());
      return;
    }
    names_.turn_to(view, session);
    std::fprintf(out_, "%s %s %s\n", session.c_str(), head_of(record).c_str(),
                 std::string(names_.type()).c_str());
    std::fputs(field_lines(view, names_).c_str(), out_);
  }

  /// Why names are missing.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept {
    return names_.problems();
  }

 private:
  static std::string head_of(const journal::Record& record) {
    return time_text(record.utc_ns) + ' ' + std::string(direction_text(record.kind)) + ' ' +
           std::to_string(record.sequence);
  }

  const LogOptions& options_;
  std::FILE* out_;
  std::unique_ptr<LogIndex> index_;
  std::optional<OrderFilter> order_;
  MessageNames names_;
};

}  // namespace

int print_journals(const LogOptions& options, std::FILE* out) {
  std::vector<std::string> directories;
  for (const std::string& path : options.paths) {
    const auto found = find_journals(path);
    if (!found) {
      std::fprintf(stderr, "%s\n", found.error().text().c_str());
      return 1;
    }
    directories.insert(directories.end(), found->begin(), found->end());
  }
  auto merge = JournalMerge::open(directories);
  if (!merge) {
    std::fprintf(stderr, "%s\n", merge.error().text().c_str());
    return 1;
  }
  Printer printer(options, out);
  while (const auto merged = merge->next()) {
    printer.print(merged->record, merge->identities()[merged->source]);
  }
  for (const std::string& problem : printer.problems()) {
    std::fprintf(stderr, "names are missing: %s\n", problem.c_str());
  }
  const std::vector<base::Error> damage = merge->damage();
  for (const base::Error& error : damage) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
  }
  return damage.empty() ? 0 : 1;
}

void add_command(CLI::App& program, int& status) {
  auto options = std::make_shared<LogOptions>();
  CLI::App* const command =
      program.add_subcommand("log", "Read journals: every message of both directions, by time");
  command->add_option("path", options->paths, "Journals, or directories of them")->required();
  command->add_option("--order", options->order,
                      "Only the messages of the order with this ClOrdID, under all its names");
  command->add_flag(
      "--fields", options->fields,
      "A line per field, with names from the standard dictionaries; AFFIX_DICTIONARIES "
      "names another directory of them");
  command->add_flag("--hide-heartbeats", options->hide_heartbeats,
                    "Leave out Heartbeat and TestRequest");
  command->callback([options, &status] { status = print_journals(*options, stdout); });
}

}  // namespace affix::inline v0::tools::log
