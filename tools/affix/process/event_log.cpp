// SPDX-License-Identifier: MIT
// The thread that writes a log, and what is asked of it.
#include "process/event_log.hpp"

#include "affix/net/clock.hpp"
#include "affix/net/waker.hpp"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools {

namespace {

/// How old a line may become before it is written.
constexpr int pause_ms = 20;

/// No signal is this thread's to take, nor that of a thread it starts meanwhile.
class SignalsAside {
 public:
  SignalsAside() {
    sigset_t all;
    ::sigfillset(&all);
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
  Writer(std::unique_ptr<LogSink> sink, Severity least) : sink_(std::move(sink)), least_(least) {}

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
             std::int64_t utc_ns) noexcept {
    queue_.push({.utc_ns = utc_ns != 0 ? utc_ns : net::read_clock_ns(CLOCK_REALTIME),
                 .severity = severity,
                 .session = session,
                 .text = text});
    if (severity == Severity::Error) {
      waker_.wake();
    }
  }

  void flush() {
    const std::uint64_t wanted = queue_.claimed();
    waker_.wake();
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return written_ >= wanted; });
  }

  std::expected<void, base::Error> reopen() {
    flush();
    const std::lock_guard lock(mutex_);
    return sink_->reopen();
  }

  void change(std::unique_ptr<LogSink> sink) {
    flush();
    const std::lock_guard lock(mutex_);
    sink_ = std::move(sink);
  }

  [[nodiscard]] std::atomic<Severity>& least() noexcept { return least_; }

  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return queue_.dropped() + unwritten_.load(std::memory_order_relaxed);
  }

  [[nodiscard]] std::string place() {
    const std::lock_guard lock(mutex_);
    return sink_->place();
  }

 private:
  void run() {
    bool ending = false;
    while (!ending) {
      wait();
      ending = ending_.load(std::memory_order_acquire);
      write_down();
    }
  }

  void wait() noexcept {
    if (waker_.enter_block()) {
      pollfd woken{.fd = waker_.fd(), .events = POLLIN, .revents = 0};
      if (::poll(&woken, 1, pause_ms) > 0) {
        std::uint64_t count = 0;
        static_cast<void>(!::read(waker_.fd(), &count, sizeof count));
      }
    }
    static_cast<void>(waker_.take());
  }

  void write_down() {
    const std::lock_guard lock(mutex_);
    const std::uint64_t before = written_;
    LogRecord record;
    while (queue_.front(record)) {
      note(sink_->write(record));
      queue_.release();
      ++written_;
    }
    if (const std::uint64_t dropped = queue_.dropped(); dropped != told_) {
      const std::string text = std::to_string(dropped - std::exchange(told_, dropped)) +
                               " lines were dropped: more came than could be written";
      note(sink_->write({.utc_ns = net::read_clock_ns(CLOCK_REALTIME),
                         .severity = Severity::Warning,
                         .session = {},
                         .text = text}));
    } else if (written_ == before) {
      return;
    }
    note(sink_->flush());
    news_.notify_all();
  }

  void note(bool written) noexcept {
    if (!written) {
      unwritten_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  LogQueue queue_;
  net::Waker waker_;
  std::mutex mutex_;  // Of the sink, and of what flush() waits for; those who log never take it.
  std::condition_variable news_;
  std::unique_ptr<LogSink> sink_;
  std::uint64_t written_ = 0;
  std::uint64_t told_ = 0;  // Of the queue's dropped records.
  std::atomic<std::uint64_t> unwritten_{0};
  std::atomic<Severity> least_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

namespace {

SinkOrError sink_of(const engine::EngineSettings& settings) {
  constexpr const char* program = "affix";
  const LogForm form = settings.log_format == "JSON" ? LogForm::Json : LogForm::Text;
  if (settings.log_destination == "SYSLOG") {
    return open_syslog(program);
  }
  if (settings.log_destination == "JOURNALD") {
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

}  // namespace

std::expected<EventLog, base::Error> EventLog::open(const engine::EngineSettings& settings) {
  auto sink = sink_of(settings);
  if (!sink) {
    return std::unexpected(std::move(sink.error()));
  }
  return make(std::move(*sink), severity_of(settings.log_level));
}

std::expected<EventLog, base::Error> EventLog::make(std::unique_ptr<LogSink> sink, Severity least) {
  auto writer = std::make_unique<Writer>(std::move(sink), least);
  if (auto started = writer->start(); !started) {
    return std::unexpected(std::move(started.error()));
  }
  return EventLog(std::move(writer));
}

EventLog::EventLog(std::unique_ptr<Writer> writer) noexcept : writer_(std::move(writer)) {}

EventLog::EventLog(EventLog&&) noexcept = default;
EventLog& EventLog::operator=(EventLog&&) noexcept = default;
EventLog::~EventLog() = default;

void EventLog::write(Severity severity, std::string_view session, std::string_view text) noexcept {
  if (severity >= writer_->least().load(std::memory_order_relaxed)) {
    writer_->write(severity, session, text, 0);
  }
}

void EventLog::write(const engine::Event& event) noexcept {
  if (event.severity >= writer_->least().load(std::memory_order_relaxed)) {
    writer_->write(event.severity, event.session, event.text, event.utc_ns);
  }
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

std::expected<void, base::Error> EventLog::reopen() {
  return writer_->reopen();
}

std::expected<void, base::Error> EventLog::change(const engine::EngineSettings& settings) {
  auto sink = sink_of(settings);
  if (!sink) {
    return std::unexpected(std::move(sink.error()));
  }
  writer_->change(std::move(*sink));
  set_level(severity_of(settings.log_level));
  return {};
}

std::uint64_t EventLog::dropped() const noexcept {
  return writer_->dropped();
}

std::string EventLog::place() const {
  return writer_->place();
}

}  // namespace affix::inline v0::tools
