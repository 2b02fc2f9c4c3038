// SPDX-License-Identifier: MIT
// Journals, text logs of any engine and captures as an iterator: the sources of `affix log`.
#include "log.hpp"

#include "codec.hpp"
#include "collection.hpp"
#include "log/open_sources.hpp"
#include "log/source.hpp"
#include "message.hpp"
#include "raise.hpp"
#include "values.hpp"

#include <array>
#include <memory>
#include <nanobind/stl/string.h>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

namespace {

namespace log = affix::tools::log;

const char* kind_of(log::EntryKind kind) noexcept {
  switch (kind) {
    case log::EntryKind::Message:
      return "message";
    case log::EntryKind::Held:
      return "held";
    case log::EntryKind::Resent:
      return "resent";
    case log::EntryKind::Event:
      return "event";
  }
  return "event";
}

/// One entry, with bytes of its own.
struct LogEntry {
  std::string kind;
  nb::str session;
  nb::str event;
  nb::object direction;
  std::int64_t utc_ns = 0;
  std::uint64_t sequence = 0;
  bool processed = true;
  bool queued = false;
  nb::bytes bytes;
  nb::object codec;
  bool is_message = false;

  [[nodiscard]] std::array<nb::handle, 1> references() const noexcept { return {codec}; }

  [[nodiscard]] nb::object message() const {
    if (!is_message) {
      return nb::none();
    }
    return make_message(codec, bytes, {bytes.c_str(), bytes.size()});
  }
};

/// Source after source.
class LogReader {
 public:
  LogReader(nb::object codec, const std::string& path, std::string own_comp_id)
      : codec_(std::move(codec)), options_{.own_comp_id = std::move(own_comp_id)} {
    check_codec(codec_);
    auto found = log::find_sources(path);
    if (!found) {
      raise("LogError", found.error().text());
    }
    found_ = std::move(*found);
  }

  [[nodiscard]] nb::object next() {
    while (true) {
      if (source_ == nullptr) {
        if (at_ == found_.size()) {
          throw nb::stop_iteration();
        }
        auto opened = log::open_source(found_[at_++], options_, filter_);
        if (!opened) {
          raise("LogError", opened.error().text());
        }
        source_ = std::move(*opened);
      }
      if (const auto entry = source_->next()) {
        return nb::cast(made(*entry));
      }
      problems_.insert(problems_.end(), source_->problems().begin(), source_->problems().end());
      source_.reset();
    }
  }

  [[nodiscard]] std::array<nb::handle, 1> references() const noexcept { return {codec_}; }

  /// The unreadable parts so far.
  [[nodiscard]] nb::list problems() const {
    nb::list all;
    for (const std::string& problem : problems_) {
      all.append(text_of(problem));
    }
    if (source_ != nullptr) {
      for (const std::string& problem : source_->problems()) {
        all.append(text_of(problem));
      }
    }
    return all;
  }

 private:
  [[nodiscard]] LogEntry made(const log::Entry& entry) const {
    LogEntry made;
    made.kind = kind_of(entry.kind);
    made.session = text_of(entry.session);
    made.event = text_of(entry.event);
    made.direction =
        entry.direction == log::Direction::Unknown
            ? nb::none()
            : nb::object(nb::str(entry.direction == log::Direction::In ? "in" : "out"));
    made.utc_ns = entry.utc_ns;
    made.sequence = entry.sequence;
    made.processed = !entry.unprocessed;
    made.queued = entry.queued;
    made.bytes = nb::bytes(entry.bytes.data(), entry.bytes.size());
    made.codec = codec_;
    made.is_message = entry.is_message();
    return made;
  }

  nb::object codec_;
  log::OpenOptions options_;
  log::RawFilter filter_;
  std::vector<log::Found> found_;
  std::size_t at_ = 0;
  std::unique_ptr<log::Source> source_;
  std::vector<std::string> problems_;
};

template <typename Type>
PyType_Slot log_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<Type>)}, {0, nullptr}};

}  // namespace

void bind_log(nb::module_& module) {
  nb::class_<LogEntry>(module, "LogEntry", nb::type_slots(log_slots<LogEntry>),
                       "A message or an event of a journal or a log.")
      .def_ro("kind", &LogEntry::kind, "message, held (came ahead of a gap), resent or event.")
      .def_ro("session", &LogEntry::session, nb::sig("def session(self, /) -> str"),
              "The session, as its log names it.")
      .def_ro("event", &LogEntry::event, nb::sig("def event(self, /) -> str"),
              "The name of a journal's event, such as reset.")
      .def_ro("direction", &LogEntry::direction,
              nb::sig("def direction(self, /) -> typing.Literal['in', 'out'] | None"),
              "in, out, or None where the log does not say.")
      .def_ro("utc_ns", &LogEntry::utc_ns, "Nanoseconds since 1970; 0 if unknown.")
      .def_ro("sequence", &LogEntry::sequence, "MsgSeqNum; 0 if unknown.")
      .def_ro("processed", &LogEntry::processed, "False: the application has not processed it.")
      .def_ro("queued", &LogEntry::queued, "Stored without a connection, and not sent then.")
      .def_ro("bytes", &LogEntry::bytes, nb::sig("def bytes(self, /) -> builtins.bytes"),
              "The message, or an event's text.")
      .def_prop_ro("message", &LogEntry::message, nb::sig("def message(self, /) -> Message | None"),
                   "The message, unchecked: `defect` says whether it is garbled. None for an "
                   "event.")
      .def_prop_ro(
          "time",
          [](const LogEntry& self) {
            return self.utc_ns == 0 ? nb::none() : nb::steal(make_datetime({self.utc_ns, 0}));
          },
          nb::sig("def time(self, /) -> datetime.datetime | None"), "utc_ns as a datetime.");

  nb::class_<LogReader>(module, "LogReader", nb::type_slots(log_slots<LogReader>),
                        "Iterates over a log's entries.")
      .def(nb::init<nb::object, const std::string&, std::string>(), "codec"_a, "path"_a,
           "own_comp_id"_a = "",
           nb::sig("def __init__(self, codec: Codec, path: str, own_comp_id: str = '') -> None"))
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> LogReader"))
      .def("__next__", &LogReader::next, nb::sig("def __next__(self) -> LogEntry"))
      .def_prop_ro("problems", &LogReader::problems, nb::sig("def problems(self, /) -> list[str]"),
                   "What could not be read so far, a sentence each.");
}

}  // namespace affix::python
