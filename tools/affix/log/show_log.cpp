// SPDX-License-Identifier: MIT
// Combines sources, filter, printer and statistics.
#include "log/show_log.hpp"

#include "affix/wire/index.hpp"

#include "log/merge.hpp"
#include "log/open_sources.hpp"
#include "log/order_trace.hpp"
#include "log/print_styles.hpp"
#include "log/redaction.hpp"
#include "log/statistics.hpp"
#include "process/standard_output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <time.h>
#include <utility>

namespace affix::inline v0::tools::log {

namespace {

/// Larger than the engine's limit, so that any stored message can be shown.
using LogIndex = wire::FieldIndexOf<16'384>;

/// Maximum passes that search for further names: more than any real order needs, and a limit for
/// any log.
constexpr int order_passes_max = 32;

/// With more names than this, separate searches are not worth it.
constexpr std::size_t needles_max = 16;

constexpr long follow_pause_ns = 50'000'000;

/// Passes without new entries before a followed directory is searched for new sessions.
constexpr int passes_between_searches = 20;

/// The requested file, or the given stream.
class Output {
 public:
  Output(const std::string& path, std::FILE* given)
      : file_(path.empty() ? given : std::fopen(path.c_str(), "wb")), owned_(!path.empty()) {}

  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  ~Output() {
    if (owned_ && file_ != nullptr) {
      std::fclose(file_);
    }
  }

  [[nodiscard]] bool open() const noexcept { return file_ != nullptr; }

  void write(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), file_); }

  /// False when a write failed.
  [[nodiscard]] bool flush() noexcept { return std::fflush(file_) == 0 && std::ferror(file_) == 0; }

 private:
  std::FILE* file_;
  bool owned_;
};

class Show {
 public:
  Show(const LogOptions& options, Filter filter, Output& out)
      : options_(options),
        filter_(std::move(filter)),
        raw_(filter_.raw()),
        out_(out),
        redaction_(options.secret_tags),
        printer_(make_printer(options.print)),
        index_(std::make_unique<LogIndex>()) {
    if (!options.order.empty()) {
      order_.emplace(options.order);
    }
    names_wanted_ = options.statistics || !options.order.empty() ||
                    (options.print.style != Style::Line && options.print.style != Style::Raw) ||
                    !options.filter.types.empty() || !options.filter.conditions.empty();
  }

  [[nodiscard]] bool load_dictionaries() {
    bool loaded = true;
    for (const std::string& path : options_.dictionaries) {
      loaded = names_.add_dictionary(path) && loaded;
    }
    return loaded;
  }

  [[nodiscard]] int run();

 private:
  struct Looked {
    Entry entry;
    wire::MessageView message;
    bool wanted = false;
  };

  [[nodiscard]] bool open_sources(Merge& merge);
  [[nodiscard]] bool open_path(const std::string& path, Merge& merge);
  [[nodiscard]] Looked look_at(Entry entry);
  [[nodiscard]] bool learn_order();
  void show(const Looked& looked);
  void follow(Merge& merge);
  void report_problems(const Merge& merge);
  void report_nothing_shown();
  void finish();

  const LogOptions& options_;
  Filter filter_;
  RawFilter raw_;
  Output& out_;
  Redaction redaction_;
  std::unique_ptr<Printer> printer_;
  std::unique_ptr<LogIndex> index_;
  std::optional<OrderTrace> order_;
  Statistics statistics_;
  MessageNames names_;
  bool names_wanted_ = false;
  std::set<std::string> opened_;
  std::size_t reported_ = 0;
  std::size_t shown_ = 0;    ///< Entries selected, printed or counted.
  bool reads_text_ = false;  ///< A file other than a journal was opened.
  int status_ = 0;
};

/// The filter options as given; empty: there are none.
std::string words_of(const FilterOptions& filter) {
  std::string words;
  const auto add = [&words](std::string_view option, const std::string& value) {
    if (!value.empty()) {
      words += (words.empty() ? "" : " ") + std::string(option) + " " + value;
    }
  };
  const auto add_all = [&add](std::string_view option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      add(option, value);
    }
  };
  add("--from", filter.from);
  add("--to", filter.to);
  add("--direction", filter.direction);
  add_all("--type", filter.types);
  add_all("--where", filter.conditions);
  add_all("--session", filter.sessions);
  add_all("--grep", filter.texts);
  return words;
}

bool Show::open_path(const std::string& path, Merge& merge) {
  const auto found = find_sources(path);
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().text().c_str());
    return false;
  }
  bool opened = true;
  for (const Found& one : *found) {
    if (!opened_.insert(one.path).second) {
      continue;
    }
    auto source = open_source(one, {options_.own_comp_id, options_.follow}, raw_);
    reads_text_ = reads_text_ || one.kind == Found::Kind::File;
    if (source) {
      merge.add(std::move(*source));
      continue;
    }
    std::fprintf(stderr, "%s\n", source.error().text().c_str());
    opened = false;
  }
  return opened;
}

bool Show::open_sources(Merge& merge) {
  opened_.clear();
  bool opened = true;
  for (const std::string& path : options_.paths) {
    opened = open_path(path, merge) && opened;
  }
  return opened;
}

Show::Looked Show::look_at(Entry entry) {
  if (entry.is_message()) {
    wire::index_message(entry.bytes, *index_);
    entry.bytes = redaction_.message(entry.bytes, *index_);
  } else {
    index_->clear();
    entry.bytes = redaction_.text(entry.bytes);
  }
  Looked looked{entry, wire::MessageView(entry.bytes, *index_), false};
  if (names_wanted_ && entry.is_message()) {
    names_.turn_to(looked.message, std::string(entry.session));
  }
  looked.wanted = filter_.matches(entry, looked.message, names_);
  return looked;
}

// Reads everything until no new name of the order appears: entries before the known name are found
// by later names.
bool Show::learn_order() {
  const RawFilter before = raw_;
  bool read = true;
  for (int pass = 0; pass < order_passes_max; ++pass) {
    std::vector<std::string> needles = order_->needles();
    raw_ = before;
    if (needles.size() <= needles_max && before.alternatives.empty()) {
      raw_.alternatives = std::move(needles);
    }
    raw_.keep_logons = false;
    Merge merge;
    read = open_sources(merge);
    while (const auto entry = merge.next()) {
      const Looked looked = look_at(*entry);
      if (looked.wanted && looked.entry.is_message()) {
        static_cast<void>(order_->matches(looked.message));
      }
    }
    if (!order_->grew()) {
      break;
    }
  }
  raw_ = before;
  return read;
}

void Show::show(const Looked& looked) {
  if (!looked.wanted) {
    return;
  }
  std::string remark;
  if (order_) {
    if (!looked.entry.is_message() || !order_->matches(looked.message)) {
      return;
    }
    remark = order_->remark_on(looked.entry, looked.message, names_);
  }
  ++shown_;
  if (options_.statistics) {
    statistics_.add(looked.entry, looked.message, names_);
  } else {
    out_.write(printer_->text_of({looked.entry, looked.message, names_, remark}));
  }
}

void Show::report_problems(const Merge& merge) {
  const std::vector<std::string> problems = merge.problems();
  for (; reported_ < problems.size(); ++reported_) {
    std::fprintf(stderr, "%s\n", problems[reported_].c_str());
    status_ = 1;
  }
}

// Memory-mapped journals give no notification when they grow, so they are polled.
void Show::follow(Merge& merge) {
  for (int pass = 1; out_.flush(); ++pass) {
    const timespec pause{0, follow_pause_ns};
    nanosleep(&pause, nullptr);
    if (pass % passes_between_searches == 0) {
      for (const std::string& path : options_.paths) {
        const auto found =
            path == "-" ? std::vector<Found>{} : find_sources(path).value_or(std::vector<Found>{});
        for (const Found& one : found) {
          if (!opened_.contains(one.path)) {
            static_cast<void>(open_path(path, merge));
            break;
          }
        }
      }
    }
    while (const auto entry = merge.next()) {
      show(look_at(*entry));
    }
    report_problems(merge);
  }
}

/// Reports that nothing was shown: a misspelt filter, or a file that is no log, must not look like
/// a quiet day. The summary of an order reports it itself.
void Show::report_nothing_shown() {
  const std::string filters = words_of(options_.filter);
  if (!filters.empty()) {
    std::fprintf(stderr, "nothing fits %s [P102]\n", filters.c_str());
    status_ = 1;
  } else if (reads_text_) {
    std::fprintf(stderr,
                 "no FIX message in the input, or Heartbeats alone (--heartbeats) [P102]\n");
    status_ = 1;
  } else {
    std::fprintf(stderr, "no message, or Heartbeats alone (--heartbeats) [P102]\n");
  }
}

void Show::finish() {
  if (shown_ == 0 && status_ == 0 && !order_ && !options_.follow) {
    report_nothing_shown();
  }
  if (options_.statistics) {
    out_.write(options_.print.style == Style::Json ? statistics_.json() : statistics_.text());
  } else if (order_ && options_.print.style != Style::Json && options_.print.style != Style::Raw) {
    out_.write(order_->summary());
  }
  for (const std::string& problem : names_.problems()) {
    std::fprintf(stderr, "names are missing: %s [P127]\n", problem.c_str());
  }
  if (!out_.flush()) {
    std::fprintf(stderr, "the output cannot be written: %s [P128]\n", std::strerror(errno));
    status_ = status_ == 0 ? output_status : status_;
  }
}

int Show::run() {
  const bool once = options_.follow || std::find(options_.paths.begin(), options_.paths.end(),
                                                 "-") != options_.paths.end();
  if (order_ && !once && !learn_order()) {
    return 1;
  }
  Merge merge;
  if (!open_sources(merge)) {
    status_ = 1;
    if (merge.size() == 0) {
      return 1;
    }
  }
  if (!options_.statistics) {
    out_.write(printer_->heading());
  }
  while (const auto entry = merge.next()) {
    show(look_at(*entry));
  }
  report_problems(merge);
  if (options_.follow) {
    follow(merge);
  }
  finish();
  return status_;
}

}  // namespace

int show_log(const LogOptions& options, std::FILE* out) {
  auto filter = Filter::make(options.filter);
  if (!filter) {
    std::fprintf(stderr, "%s\n", filter.error().text().c_str());
    return 2;
  }
  Output output(options.out, out);
  if (!output.open()) {
    std::fprintf(stderr, "%s\n",
                 base::make_system_error("open", errno, options.out).text().c_str());
    return 1;
  }
  Show show(options, std::move(*filter), output);
  if (!show.load_dictionaries()) {
    // Reported with the other missing names after everything else.
    std::fprintf(stderr, "a dictionary could not be read [P127]\n");
  }
  return show.run();
}

}  // namespace affix::inline v0::tools::log
