// SPDX-License-Identifier: MIT
// The log's thread, and the requests to it.
#include "affix/service/event_log.hpp"

#include "affix/net/waker.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/thread_precedence.hpp"

#include "service/log_lines.hpp"
#include "service/log_queue.hpp"
#include "service/repeated_lines.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <utility>
#include <vector>

namespace affix::inline v0::service {

namespace {

/// Maximum time that a line waits before it is written.
constexpr std::int64_t pause_ns = 20 * base::ns_per_ms;

/// Blocks signals for this thread, and for threads that it starts meanwhile.
class SignalsAside {
 public:
  SignalsAside() {
    sigset_t all;
    sigfillset(&all);
    static_cast<void>(::pthread_sigmask(SIG_SETMASK, &all, &before_));
  }

  SignalsAside(const SignalsAside&) = delete;
  SignalsAside& operator=(const SignalsAside&) = delete;

  ~SignalsAside() { static_cast<void>(::pthread_sigmask(SIG_SETMASK, &before_, nullptr)); }

 private:
  sigset_t before_{};
};

}  // namespace

class EventLog::Writer {
 public:
  Writer(std::unique_ptr<LogSink> sink, std::unique_ptr<LogSink> audit, Severity least,
         std::string_view program)
      : program_(program), sink_(std::move(sink)), audit_(std::move(audit)), least_(least) {}

  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  ~Writer() {
    if (thread_.joinable()) {
      ending_.store(true, std::memory_order_release);
      waker_.wake();
      thread_.join();
    }
  }

  [[nodiscard]] std::expected<void, base::Error> start() {
    auto opened = waker_.open();
    if (opened) {
      const SignalsAside aside;
      thread_ = std::thread([this] { run(); });
    }
    return opened;
  }

  /// `utc_ns` 0: now.
  void write(Severity severity, std::string_view session, std::string_view text,
             std::int64_t utc_ns, base::MessageCode code) noexcept {
    queue_.push({.utc_ns = utc_ns != 0 ? utc_ns : now_utc_ns(),
                 .severity = severity,
                 .session = session,
                 .text = text,
                 .code = code});
    // The writer wakes at once if lines fill the queue faster than pause_ns allows.
    constexpr std::uint64_t half = LogQueue::places / 2;
    if (severity == Severity::Error || queue_.claimed() % half == 0) {
      waker_.wake();
    }
  }

  std::expected<void, base::Error> audit(const LogRecord& record) {
    if (audit_named_.load(std::memory_order_acquire) &&
        record.severity >= least_.load(std::memory_order_relaxed)) {
      write(record.severity, record.session, record.text, record.utc_ns, record.code);
    }
    const std::lock_guard lock(mutex_);
    LogSink& sink = audit_ != nullptr ? *audit_ : *sink_;
    if (audit_ == nullptr) {
      take_queued();  // Earlier lines are written before it.
    }
    if (!sink.write(record)) {
      unwritten_.fetch_add(1, std::memory_order_relaxed);
      return std::unexpected(base::Error{base::ErrorCode::Limit,
                                         "no room is left for lines that wait for it, and this one "
                                         "is lost",
                                         sink.place(), "A110"});
    }
    return sink.flush();
  }

  void flush() {
    const std::uint64_t wanted = queue_.claimed();
    waker_.wake();
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return written_ >= wanted; });
  }

  [[nodiscard]] std::uint64_t position() const noexcept { return queue_.claimed(); }

  [[nodiscard]] bool has_passed_on(std::uint64_t position) const noexcept {
    return passed_on_.load(std::memory_order_relaxed) >= position;
  }

  std::expected<void, base::Error> reopen() {
    flush();
    const std::lock_guard lock(mutex_);
    write_summaries(RepeatedLines::Due::All);
    auto log = sink_->reopen();
    auto audit = audit_ != nullptr ? audit_->reopen() : std::expected<void, base::Error>();
    return log ? audit : log;
  }

  void change(std::unique_ptr<LogSink> sink, std::unique_ptr<LogSink> audit) {
    flush();
    const std::lock_guard lock(mutex_);
    write_summaries(RepeatedLines::Due::All);
    if (!sink_->flush()) {
      unwritten_.fetch_add(sink_->waiting(), std::memory_order_relaxed);
    }
    sink_ = std::move(sink);
    take_audit(std::move(audit));
  }

  void take_audit(std::unique_ptr<LogSink> audit) {
    if (audit_ != nullptr && !audit_->flush()) {
      unwritten_.fetch_add(audit_->waiting(), std::memory_order_relaxed);
    }
    audit_ = std::move(audit);
    audit_named_.store(audit_ != nullptr, std::memory_order_release);
  }

  [[nodiscard]] std::atomic<Severity>& least() noexcept { return least_; }

  [[nodiscard]] const std::string& program() const noexcept { return program_; }

  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return queue_.dropped() + unwritten_.load(std::memory_order_relaxed);
  }

  [[nodiscard]] std::uint64_t waiting() {
    const std::lock_guard lock(mutex_);
    return sink_->waiting() + (audit_ != nullptr ? audit_->waiting() : 0);
  }

  [[nodiscard]] std::string place() {
    const std::lock_guard lock(mutex_);
    return sink_->place();
  }

 private:
  [[nodiscard]] static std::int64_t now_utc_ns() noexcept {
    return os::read_clock_ns(CLOCK_REALTIME);
  }

  void run() {
    os::name_this_thread("affix-log");
    os::give_way_to_workers();
    bool ending = false;
    while (!ending) {
      waker_.block(pause_ns);
      ending = ending_.load(std::memory_order_acquire);
      write_down(ending ? RepeatedLines::Due::All : RepeatedLines::Due::Before);
    }
    for (const LogSink* const sink : {sink_.get(), audit_.get()}) {
      if (sink != nullptr && sink->waiting() != 0) {
        std::fprintf(stderr, "%s: log: %s: %llu lines are lost [E121]\n", program_.c_str(),
                     last_trouble_.c_str(), static_cast<unsigned long long>(sink->waiting()));
      }
    }
  }

  /// Threads may queue lines late, and each line has the time of its turn: so the queued lines are
  /// written in the order of these times, and lines of one time in the order in which they were
  /// queued.
  void take_queued() {
    const std::int64_t now_ns = os::now().steady_ns;
    for (;;) {
      batch_.clear();
      while (batch_.size() < batch_max) {
        const auto record = queue_.front(batch_.size());
        if (!record) {
          break;
        }
        batch_.push_back({*record, batch_.size()});
      }
      if (batch_.empty()) {
        return;
      }
      std::ranges::sort(batch_, {}, [](const Queued& queued) {
        return std::pair(queued.record.utc_ns, queued.place);
      });
      for (const Queued& queued : batch_) {
        if (repeated_.admits(queued.record, now_ns)) {
          put(queued.record);
        }
      }
      for (std::size_t released = 0; released < batch_.size(); ++released) {
        queue_.release();
      }
      written_ += batch_.size();
    }
  }

  void write_down(RepeatedLines::Due due) {
    const std::lock_guard lock(mutex_);
    take_queued();
    write_summaries(due);
    if (const std::uint64_t dropped = queue_.dropped(); dropped != reported_dropped_) {
      say(std::to_string(dropped - std::exchange(reported_dropped_, dropped)) +
              " lines were dropped: more came than could be written",
          "E119");
    }
    if (const std::uint64_t lost = unwritten_.load(std::memory_order_relaxed);
        lost != reported_lost_ && trouble_.empty()) {
      say(std::to_string(lost - std::exchange(reported_lost_, lost)) + " lines were lost: " +
              (last_trouble_.empty() ? "they could not be sent" : last_trouble_),
          "E121");
    }
    bring(*sink_, trouble_);
    if (sink_->waiting() == 0) {
      // Relaxed: the value stands for itself; no other data is read after it.
      passed_on_.store(written_, std::memory_order_relaxed);
    }
    if (audit_ != nullptr) {
      bring(*audit_, audit_trouble_);
    }
    news_.notify_all();
  }

  /// Passes waiting lines to the system; reports once that this fails, and once that it works
  /// again.
  void bring(LogSink& sink, std::string& trouble) {
    const auto brought = sink.flush();
    if (!brought && trouble.empty()) {
      trouble = last_trouble_ = brought.error().text();
      // The log itself cannot record it.
      std::fprintf(stderr, "%s: log: %s: lines are kept until there is room [E120]\n",
                   program_.c_str(), trouble.c_str());
    } else if (brought && !trouble.empty()) {
      say("lines could not be written for a while (" + std::exchange(trouble, {}) +
              "), and those that were kept came late",
          "E120");
      static_cast<void>(sink_->flush());
    }
  }

  void write_summaries(RepeatedLines::Due due) {
    while (const auto summary = repeated_.summary(os::now().steady_ns, due)) {
      put(*summary);
    }
  }

  void say(const std::string& text, base::MessageCode code) {
    put({.utc_ns = now_utc_ns(),
         .severity = Severity::Warning,
         .session = {},
         .text = text,
         .code = code});
  }

  void put(const LogRecord& record) {
    if (!sink_->write(record)) {
      unwritten_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  /// A line of the queue, and its distance from the oldest.
  struct Queued {
    LogRecord record;
    std::size_t place;
  };

  /// Small enough that threads that log meanwhile find free places.
  static constexpr std::size_t batch_max = LogQueue::places / 4;

  const std::string program_;
  LogQueue queue_;
  std::vector<Queued> batch_;
  net::Waker waker_;
  // Guards the sinks, the queue's reading end, and the state that flush() waits for; threads that
  // log never take it.
  std::mutex mutex_;
  std::condition_variable news_;
  std::unique_ptr<LogSink> sink_;
  std::unique_ptr<LogSink> audit_;  // Null: the audit trail is in the log.
  std::atomic<bool> audit_named_{audit_ != nullptr};
  RepeatedLines repeated_;
  std::uint64_t written_ = 0;
  std::atomic<std::uint64_t> passed_on_{0};  // Lines of the queue that the system has.
  std::uint64_t reported_dropped_ = 0;       // For the queue.
  std::uint64_t reported_lost_ = 0;          // For the sinks.
  std::string trouble_;        // Reason why the sink fails at present; empty: it works.
  std::string audit_trouble_;  // The same for the audit trail.
  std::string last_trouble_;   // The last reason.
  std::atomic<std::uint64_t> unwritten_{0};
  std::atomic<Severity> least_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

namespace {

SinkOrError sink_of(const config::EngineSettings& settings, const std::string& program) {
  const LogForm form =
      settings.log_format == config::LogFormat::Json ? LogForm::Json : LogForm::Text;
  if (settings.log_destination == config::LogDestination::Syslog) {
    return open_syslog(program);
  }
  if (settings.log_destination == config::LogDestination::Journald) {
    return open_journald(program);
  }
  if (settings.log_file.empty()) {
    return log_to_standard_error(form);
  }
  return open_log_file({.path = settings.log_file,
                        .bytes_max = static_cast<std::uint64_t>(settings.log_file_bytes_max),
                        .kept = static_cast<std::uint32_t>(settings.log_files_kept)},
                       form);
}

/// Null: the audit trail goes to the log. Its file is never rotated here, so that size limits end
/// no trail.
SinkOrError audit_sink_of(const config::EngineSettings& settings) {
  if (settings.audit_file.empty()) {
    return nullptr;
  }
  return open_log_file(
      {.path = settings.audit_file, .durability = LogDurability::Disk},
      settings.log_format == config::LogFormat::Json ? LogForm::Json : LogForm::Text);
}

struct Sinks {
  std::unique_ptr<LogSink> log;
  std::unique_ptr<LogSink> audit;
};

std::expected<Sinks, base::Error> open_sinks(const config::EngineSettings& settings,
                                             const std::string& program) {
  auto log = sink_of(settings, program);
  if (!log) {
    return std::unexpected(std::move(log.error()));
  }
  auto audit = audit_sink_of(settings);
  if (!audit) {
    return std::unexpected(std::move(audit.error()));
  }
  return Sinks{std::move(*log), std::move(*audit)};
}

}  // namespace

std::expected<EventLog, base::Error> EventLog::open(const config::EngineSettings& settings,
                                                    const std::string& program) {
  auto sinks = open_sinks(settings, program);
  if (!sinks) {
    return std::unexpected(std::move(sinks.error()));
  }
  return make(std::move(sinks->log), severity_of(settings.log_level), std::move(sinks->audit),
              program);
}

std::expected<EventLog, base::Error> EventLog::make(std::unique_ptr<LogSink> sink, Severity least,
                                                    std::unique_ptr<LogSink> audit,
                                                    std::string_view program) {
  auto writer = std::make_unique<Writer>(std::move(sink), std::move(audit), least, program);
  if (auto started = writer->start(); !started) {
    return std::unexpected(std::move(started.error()));
  }
  return EventLog(std::move(writer));
}

EventLog::EventLog(std::unique_ptr<Writer> writer) noexcept : writer_(std::move(writer)) {}

EventLog::EventLog(EventLog&&) noexcept = default;
EventLog& EventLog::operator=(EventLog&&) noexcept = default;
EventLog::~EventLog() = default;

void EventLog::write(Severity severity, std::string_view session, std::string_view text,
                     base::MessageCode code) noexcept {
  if (severity >= writer_->least().load(std::memory_order_relaxed)) {
    writer_->write(severity, session, text, 0, code);
  }
}

void EventLog::write(const host::Event& event) noexcept {
  if (event.severity >= writer_->least().load(std::memory_order_relaxed)) {
    writer_->write(event.severity, event.session, event.text, event.utc_ns, event.code);
  }
}

std::expected<void, base::Error> EventLog::audit(Severity severity, std::string_view session,
                                                 std::string_view text, base::MessageCode code) {
  return writer_->audit({.utc_ns = os::read_clock_ns(CLOCK_REALTIME),
                         .severity = severity,
                         .session = session,
                         .text = text,
                         .code = code});
}

void EventLog::set_level(Severity least) noexcept {
  writer_->least().store(least, std::memory_order_relaxed);
}

EventLog::Severity EventLog::level() const noexcept {
  return writer_->least().load(std::memory_order_relaxed);
}

void EventLog::flush() {
  writer_->flush();
}

std::uint64_t EventLog::position() const noexcept {
  return writer_->position();
}

bool EventLog::has_passed_on(std::uint64_t position) const noexcept {
  return writer_->has_passed_on(position);
}

std::expected<void, base::Error> EventLog::reopen() {
  return writer_->reopen();
}

std::expected<void, base::Error> EventLog::change(const config::EngineSettings& settings) {
  auto sinks = open_sinks(settings, writer_->program());
  if (!sinks) {
    return std::unexpected(std::move(sinks.error()));
  }
  writer_->change(std::move(sinks->log), std::move(sinks->audit));
  set_level(severity_of(settings.log_level));
  return {};
}

std::uint64_t EventLog::dropped() const noexcept {
  return writer_->dropped();
}

std::uint64_t EventLog::waiting() const {
  return writer_->waiting();
}

std::string EventLog::place() const {
  return writer_->place();
}

}  // namespace affix::inline v0::service
