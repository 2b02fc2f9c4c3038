// SPDX-License-Identifier: MIT
// Options of `affix journal` and its four commands.
#include "journal/command.hpp"

#include "affix/base/time.hpp"
#include "affix/journal/repair.hpp"
#include "affix/journal/verify.hpp"
#include "affix/os/clock.hpp"

#include "journal/archive.hpp"
#include "journal/archive_verification.hpp"
#include "journal/verify_text.hpp"
#include "log/line_text.hpp"
#include "log/open_sources.hpp"
#include "log/show_log.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::journal {

namespace fs = std::filesystem;

namespace {

int fail(const base::Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 2;
}

std::expected<std::vector<std::string>, base::Error> journals_below(const std::string& path) {
  const auto found = log::find_sources(path);
  if (!found) {
    return std::unexpected(found.error());
  }
  std::vector<std::string> directories;
  for (const log::Found& one : *found) {
    if (one.kind == log::Found::Kind::Journal) {
      directories.push_back(one.path);
    }
  }
  if (directories.empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "holds no journal", path, "J222"});
  }
  return directories;
}

struct VerifyOptions {
  std::vector<std::string> paths;
  bool all = false;
  bool json = false;
};

/// Journals and archives at or below `path`; including a former journal's directory without
/// segments.
std::expected<std::vector<log::Found>, base::Error> verifiable_below(const std::string& path) {
  auto found = log::find_sources(path);
  if (found) {
    std::erase_if(*found, [](const log::Found& one) { return one.kind == log::Found::Kind::File; });
  }
  if (!found || found->empty()) {
    const auto emptied = affix::journal::verify(path);
    if (!emptied) {
      return std::unexpected(
          found ? base::Error{base::ErrorCode::NotFound, "holds no journal", path, "J222"}
                : found.error());
    }
    return std::vector<log::Found>{{log::Found::Kind::Journal, path}};
  }
  return found;
}

// 0: all valid; 1: damage; 2: something could not be read.
int verify_all(const VerifyOptions& options) {
  int status = 0;
  for (const std::string& path : options.paths) {
    const auto found = verifiable_below(path);
    if (!found) {
      status = fail(found.error());
      continue;
    }
    for (const log::Found& one : *found) {
      const auto verified = one.kind == log::Found::Kind::Archive
                                ? verify_archive(one.path)
                                : affix::journal::verify(one.path);
      if (!verified) {
        status = fail(verified.error());
        continue;
      }
      std::fputs((options.json ? json_of(*verified) : text_of(*verified, options.all)).c_str(),
                 stdout);
      status = std::max(status, verified->damaged() ? 1 : 0);
    }
  }
  return status;
}

// 0: repaired, or nothing to repair; 1: a dry run found faults, or some remain; 2: it is
// impossible.
int repair_one(affix::journal::RepairOptions options, bool json) {
  options.now_utc_ns = os::read_clock_ns(CLOCK_REALTIME);
  const auto repaired = affix::journal::repair(options);
  if (!repaired) {
    return fail(repaired.error());
  }
  std::fputs((json ? json_of(*repaired, options.apply) : text_of(*repaired, options.apply)).c_str(),
             stdout);
  if (!json && !options.apply && !repaired->segments.empty()) {
    std::puts("nothing was changed; --apply does it");
  }
  return !repaired->remaining.empty() || (!options.apply && !repaired->segments.empty()) ? 1 : 0;
}

struct ArchiveChoice {
  ArchiveOptions archive;
  std::string older_than;
  std::string before;
  std::string packing = "zstd";
};

/// "7d", "12h", "30m", "10s".
std::expected<std::int64_t, base::Error> read_age(const std::string& text) {
  static const std::map<char, std::int64_t> units{
      {'s', 1}, {'m', 60}, {'h', 3'600}, {'d', 86'400}, {'w', 7 * 86'400}};
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  const auto unit = units.find(*end);
  if (end == text.c_str() || number < 0 || number > 100'000'000 || unit == units.end() ||
      end[1] != '\0') {
    return base::invalid_argument(
        "'" + text + "' is not an age; write, for example, 30m, 12h, 7d or 2w", "J222");
  }
  return std::min<std::int64_t>(number * unit->second, INT64_MAX / base::ns_per_second) *
         base::ns_per_second;
}

std::expected<void, base::Error> settle(ArchiveChoice& choice) {
  ArchiveOptions& options = choice.archive;
  options.packing = choice.packing == "gzip"   ? Packing::Gzip
                    : choice.packing == "zstd" ? Packing::Zstd
                                               : Packing::None;
  if (!choice.older_than.empty()) {
    const auto age = read_age(choice.older_than);
    if (!age) {
      return std::unexpected(age.error());
    }
    options.closed_before_utc_ns = os::read_clock_ns(CLOCK_REALTIME) - *age;
  }
  if (!choice.before.empty()) {
    const std::string text =
        choice.before.find(':') == std::string::npos ? choice.before + " 00:00:00" : choice.before;
    const log::TimeRead time = log::read_time(text);
    if (time.size != text.size()) {
      return base::invalid_argument(
          "'" + choice.before +
              "' is not a time; write, for example, 2026-01-31 or 2026-01-31 12:00:00",
          "J222");
    }
    options.closed_before_utc_ns = time.utc_ns;
  }
  if (!options.closed_before_utc_ns && !options.keep_bytes && !options.keep_trading_days) {
    return base::invalid_argument(
        "select the segments: --older-than, --before, --keep-bytes or --keep-trading-days", "J222");
  }
  return {};
}

int archive_one(ArchiveOptions options, const fs::path& root, const std::string& directory) {
  options.source = directory;
  // The tree of archives mirrors the tree of journals.
  const fs::path below = fs::path(directory).lexically_relative(root);
  options.archive = (below.empty() || below == "." ? fs::path(options.archive)
                                                   : fs::path(options.archive) / below)
                        .string();
  const auto moved = archive(options);
  if (!moved) {
    return fail(moved.error());
  }
  for (const ArchivedSegment& one : *moved) {
    std::printf("%s segment %u, %llu bytes %s %s", directory.c_str(), one.number,
                static_cast<unsigned long long>(one.bytes),
                options.dry_run ? "would go to" : "went to", one.path.c_str());
    if (!options.dry_run) {
      std::printf(", %llu bytes", static_cast<unsigned long long>(one.packed_bytes));
    }
    std::printf("\n");
  }
  return 0;
}

int archive_all(ArchiveChoice& choice) {
  if (const auto settled = settle(choice); !settled) {
    return fail(settled.error());
  }
  const auto directories = journals_below(choice.archive.source);
  if (!directories) {
    return fail(directories.error());
  }
  const fs::path root = choice.archive.source;
  int status = 0;
  for (const std::string& directory : *directories) {
    status = std::max(status, archive_one(choice.archive, root, directory));
  }
  return status;
}

void add_verify(Command command) {
  Command verb = command.add_command(
      "verify",
      "Check every byte of journals; exit status 1 for damage, 2 for what cannot be read");
  const auto options = std::make_shared<VerifyOptions>();
  verb.add_option("paths", options->paths, "Journals, archives, or directories of them").required();
  verb.add_flag("--all", options->all, "A line for each segment, and notes");
  verb.add_flag("--json", options->json, "An object a line for each journal, with all of it");
  verb.on_run([options] { return verify_all(*options); });
}

void add_repair(Command command) {
  Command verb = command.add_command(
      "repair", "Say how a journal that opening refuses would be mended, or mend it");
  const auto options = std::make_shared<affix::journal::RepairOptions>();
  const auto next_outgoing = std::make_shared<std::uint64_t>(0);
  const auto json = std::make_shared<bool>(false);
  verb.add_option("path", options->directory, "One journal's directory").required();
  verb.add_flag("--apply", options->apply, "Do it; every damaged file is kept beside the new one");
  verb.add_option("--next-outgoing", *next_outgoing,
                  "The number to go on from where the last ones are lost; else the reserve that "
                  "the journal keeps");
  verb.add_option("--identity", options->identity,
                  "Session of the journal, if no segment names it: FIX.4.4:SENDER->TARGET");
  verb.add_flag("--json", *json, "One object, a line");
  verb.on_run([options, next_outgoing, json] {
    if (*next_outgoing != 0) {
      options->next_outgoing = *next_outgoing;
    }
    return repair_one(*options, *json);
  });
}

void add_archive(Command command) {
  Command verb = command.add_command(
      "archive", "Move closed segments into an archive, also beside a running engine");
  const auto choice = std::make_shared<ArchiveChoice>();
  verb.add_option("path", choice->archive.source, "A journal, or a directory of them").required();
  verb.add_option("archive", choice->archive.archive, "Where they go; `affix log` reads it")
      .required();
  verb.add_option("--older-than", choice->older_than, "Segments left before this: 12h, 7d, 2w");
  verb.add_option("--before", choice->before, "Segments left before this time or date, UTC");
  verb.add_option("--keep-bytes", choice->archive.keep_bytes, "The oldest, until so much is left");
  verb.add_option("--keep-trading-days", choice->archive.keep_trading_days,
                  "Segments of trading days before the last N, by the journal's own events");
  verb.add_option("--pack", choice->packing, "none, gzip or zstd")
      .one_of({"none", "gzip", "zstd"})
      .with_default();
  verb.add_flag("--dry-run", choice->archive.dry_run, "Only say what would be moved");
  verb.on_run([choice] { return archive_all(*choice); });
}

void add_export(Command command) {
  Command verb =
      command.add_command("export", "Write everything that journals hold, as text, JSON or raw");
  const auto options = std::make_shared<log::LogOptions>();
  const auto format = std::make_shared<std::string>("text");
  verb.add_option("paths", options->paths, "Journals, archives, or directories of them").required();
  verb.add_option("--format", *format,
                  "text: as affix log; json: an object a line; raw: the messages' bytes alone")
      .one_of({"text", "json", "raw"})
      .with_default();
  verb.add_option("--out", options->out, "A file; standard output otherwise");
  verb.on_run([options, format] {
    options->filter.heartbeats = true;
    options->print.style = *format == "json"  ? log::Style::Json
                           : *format == "raw" ? log::Style::Raw
                                              : log::Style::Line;
    return log::show_log(*options, stdout);
  });
}

}  // namespace

void add_command(Command program) {
  Command command = program.add_command("journal", "Verify, repair, archive, export journals");
  command.require_command();
  add_verify(command);
  add_repair(command);
  add_archive(command);
  add_export(command);
}

}  // namespace affix::inline v0::tools::journal
