// SPDX-License-Identifier: MIT
// Lookups, typed reads, groups and validation of messages.
//
// Making a Python object may run a program's code, which may read another message with the same
// index: no view is held across it.
#include "message.hpp"

#include "affix/dictionary/rules.hpp"
#include "affix/wire/convert.hpp"

#include "collection.hpp"
#include "raise.hpp"

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

namespace {

/// Indexes count in 32 bits. BodyLength has nine digits at most, so nothing larger is a message.
constexpr std::size_t message_bytes_max = (std::size_t{1} << 31) - 1;

}  // namespace

// --- Message ---

Message::Message(nb::object codec, nb::object source, std::string_view bytes,
                 const std::uint64_t* live)
    : codec_(nb::inst_ptr<Codec>(codec)),
      data_(bytes.data()),
      size_(bytes.size()),
      live_(live),
      generation_(live != nullptr ? *live : 0),
      codec_object_(std::move(codec)),
      source_(std::move(source)) {}

Message::~Message() {
  release();
}

void Message::release() noexcept {
  codec_->forget(*this);
  static constexpr std::uint64_t never = 0;
  data_ = nullptr;
  size_ = 0;
  generation_ = 1;
  live_ = &never;
  // At last, since letting them go may run a program's code, which may use this message.
  const nb::object source = std::move(source_);
  const std::unique_ptr<Buffer> buffer = std::move(buffer_);
}

void Message::set_expired() noexcept {
  set_error("ExpiredError",
            "the bytes of this message are gone: copy() it before its buffer is used again");
}

void Message::check() const {
  if (!is_live()) {
    throw_error();
  }
}

Found Message::find(PyObject* field, std::string_view& value) const {
  const std::uint32_t tag = codec_->tag_of(field);
  if (tag == 0 || !is_live()) [[unlikely]] {
    return Found::Error;
  }
  value = view().value_or_null(tag);
  return value.data() != nullptr ? Found::Value : Found::Missing;
}

// --- Entries ---

GroupEntry::GroupEntry(nb::object message, const wire::GroupDescription& description,
                       std::uint32_t begin, std::uint32_t end)
    : object_(std::move(message)),
      message_(nb::inst_ptr<Message>(object_)),
      description_(&description),
      begin_(begin),
      end_(end) {}

wire::GroupEntry GroupEntry::entry() const {
  message_->check();
  const wire::MessageView view = message_->view();
  if (end_ > view.size()) {
    raise("ExpiredError", "the buffer of this message has changed");
  }
  return {view, *description_, begin_, end_};
}

Found GroupEntry::find(PyObject* field, std::string_view& value) const {
  const std::uint32_t tag = message_->codec().tag_of(field);
  if (tag == 0) {
    return Found::Error;
  }
  value = entry().value_or_null(tag);
  return value.data() != nullptr ? Found::Value : Found::Missing;
}

namespace {

// --- Reading fields, of messages and of entries ---

void set_missing(PyObject* field) {
  set_error("MissingFieldError", shown(field), "field", nb::borrow(field));
}

/// Calls what may throw, for slots of C.
template <typename Result, typename Call>
Result guarded(Result failed, Call call) noexcept {
  try {
    return call();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  return failed;
}

template <typename Fields>
PyObject* subscript(PyObject* self, PyObject* field) noexcept {
  return guarded(static_cast<PyObject*>(nullptr), [&]() -> PyObject* {
    std::string_view value;
    const Found found = nb::inst_ptr<Fields>(self)->find(field, value);
    if (found == Found::Value) [[likely]] {
      return make_text(value);
    }
    if (found == Found::Missing) {
      set_missing(field);
    }
    return nullptr;
  });
}

template <typename Fields>
int contains(PyObject* self, PyObject* field) noexcept {
  return guarded(-1, [&] {
    std::string_view value;
    const Found found = nb::inst_ptr<Fields>(self)->find(field, value);
    return found == Found::Error ? -1 : static_cast<int>(found == Found::Value);
  });
}

[[noreturn]] void raise_field(nb::handle field, std::string_view value, const char* type) {
  // The value first: to show the field may run a program's code, after which the view may be void.
  const std::string text = shown(text_of(value));
  raise("FieldError", shown(field) + " is no " + type + ": " + text, "field", nb::borrow(field));
}

nb::object as_text(const Codec&, nb::handle, std::string_view value) {
  return nb::steal(make_text(value));
}

nb::object as_bytes(const Codec&, nb::handle, std::string_view value) {
  return nb::bytes(value.data(), value.size());
}

nb::object as_integer(const Codec&, nb::handle field, std::string_view value) {
  const auto number = wire::parse_integer<std::int64_t>(value);
  if (!number) {
    raise_field(field, value, "integer");
  }
  return nb::int_(*number);
}

/// Digits beyond 64 bits stay exact: Decimal has no limit, so the text is checked by its form.
nb::object as_decimal(const Codec& codec, nb::handle field, std::string_view value) {
  const auto number = wire::parse_decimal(value);
  if (!number && number.error() != wire::FieldError::Range) {
    raise_field(field, value, "decimal");
  }
  return nb::steal(make_decimal(codec.types(), value));
}

nb::object as_boolean(const Codec&, nb::handle field, std::string_view value) {
  const auto parsed = wire::parse_boolean(value);
  if (!parsed) {
    raise_field(field, value, "boolean");
  }
  return nb::bool_(*parsed);
}

base::UtcTime utc_time_of(nb::handle field, std::string_view value) {
  const auto time = wire::parse_utc_time(value);
  if (!time) {
    raise_field(field, value, "UTC timestamp");
  }
  return *time;
}

nb::object as_utc_time(const Codec&, nb::handle field, std::string_view value) {
  return nb::steal(make_datetime(utc_time_of(field, value)));
}

nb::object as_utc_ns(const Codec&, nb::handle field, std::string_view value) {
  return nb::int_(utc_time_of(field, value).ns);
}

nb::object checked(nb::object value) {
  if (!value.is_valid()) {
    throw_error();
  }
  return value;
}

using Convert = nb::object (*)(const Codec&, nb::handle, std::string_view);

const Codec& codec_of(const Message& message) {
  return message.codec();
}

const Codec& codec_of(const GroupEntry& entry) {
  return entry.message().codec();
}

/// The value of a field; nothing if it is missing and something else will do.
template <typename Fields>
std::optional<std::string_view> value_of(const Fields& fields, nb::handle field, bool required) {
  std::string_view value;
  const Found found = fields.find(field.ptr(), value);
  if (found == Found::Missing && required) {
    set_missing(field.ptr());
    throw_error();
  }
  if (found == Found::Error) {
    throw_error();
  }
  return found == Found::Value ? std::optional(value) : std::nullopt;
}

template <typename Fields, Convert convert>
nb::object read(const Fields& fields, nb::handle field) {
  return checked(convert(codec_of(fields), field, *value_of(fields, field, true)));
}

template <typename Fields, Convert convert>
nb::object read_or(const Fields& fields, nb::handle field, nb::object otherwise) {
  const auto value = value_of(fields, field, false);
  return value ? checked(convert(codec_of(fields), field, *value)) : otherwise;
}

template <typename Fields>
nb::object scaled(const Fields& fields, nb::handle field, int places) {
  const std::string_view value = *value_of(fields, field, true);
  const auto number = wire::parse_decimal(value);
  const auto mantissa = number ? number->mantissa_at(-places) : std::nullopt;
  if (!mantissa) {
    raise_field(field, value, ("decimal of " + std::to_string(places) + " places").c_str());
  }
  return nb::int_(*mantissa);
}

template <typename Fields>
nb::tuple values(const Fields& fields, nb::args names) {
  nb::object result = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(names.size())));
  Py_ssize_t at = 0;
  for (const nb::handle name : names) {
    const auto value = value_of(fields, name, false);
    nb::object made = value ? checked(nb::steal(make_text(*value))) : nb::none();
    PyTuple_SET_ITEM(result.ptr(), at++, made.release().ptr());
  }
  return nb::borrow<nb::tuple>(result);
}

wire::MessageView view_of(const Message& message) {
  message.check();
  return message.view();
}

/// MsgType (35), empty where it is not the third field. Views the message's bytes.
std::string_view type_of(const Message& message) {
  const wire::MessageView view = view_of(message);
  return view.size() > 2 && view.tag_at(2) == 35 ? view.value_at(2) : std::string_view();
}

/// Positions of the fields.
std::pair<std::uint32_t, std::uint32_t> extent_of(const Message& message) {
  return {0, view_of(message).size()};
}

std::pair<std::uint32_t, std::uint32_t> extent_of(const GroupEntry& fields) {
  const wire::GroupEntry entry = fields.entry();
  return {entry.begin_position(), entry.end_position()};
}

const Message& message_of(const Message& message) {
  return message;
}

const Message& message_of(const GroupEntry& entry) {
  return entry.message();
}

/// The field at a position; throws if the message has lost it meanwhile.
wire::Field field_at(const Message& message, std::uint32_t position) {
  const wire::MessageView view = view_of(message);
  if (position >= view.size()) {
    raise("ExpiredError", "the buffer of this message has changed");
  }
  return view.field(position);
}

template <typename Fields>
nb::list items(const Fields& fields) {
  nb::list result;
  const auto [begin, end] = extent_of(fields);
  for (std::uint32_t at = begin; at < end; ++at) {
    const wire::Field field = field_at(message_of(fields), at);
    nb::object text = checked(nb::steal(make_text(field.value)));
    result.append(nb::make_tuple(field.tag, text));
  }
  return result;
}

// --- Groups ---

const wire::GroupDescription* nested_of(const wire::GroupDescription& group, std::uint32_t tag) {
  const auto found = std::ranges::find(group.nested, tag, &wire::GroupDescription::counter_tag);
  return found != group.nested.end() ? &*found : nullptr;
}

const wire::GroupDescription* description_of(const Message& message, std::uint32_t tag) {
  return message.codec().group_of(type_of(message), tag);
}

const wire::GroupDescription* description_of(const GroupEntry& entry, std::uint32_t tag) {
  return nested_of(entry.description(), tag);
}

wire::GroupView group_view(const Message& message, const wire::GroupDescription& description) {
  return view_of(message).group(description);
}

wire::GroupView group_view(const GroupEntry& entry, const wire::GroupDescription& description) {
  return entry.entry().group(description);
}

nb::object object_of(const Message& message) {
  return nb::find(message);
}

nb::object object_of(const GroupEntry& entry) {
  return entry.message_object();
}

/// A group with the positions of its entries.
struct Entries {
  const wire::GroupDescription* description = nullptr;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> extents;
  std::uint32_t end = 0;
};

template <typename Fields>
Entries entries_of(const Fields& fields, const wire::GroupDescription& description) {
  Entries result{.description = &description};
  const wire::GroupView group = group_view(fields, description);
  if (group.present()) {
    for (const wire::GroupEntry entry : group) {
      result.extents.emplace_back(entry.begin_position(), entry.end_position());
    }
    result.end = group.end_position();
  }
  return result;
}

template <typename Fields>
nb::list group(const Fields& fields, nb::handle counter) {
  const std::uint32_t tag = codec_of(fields).tag_of(counter.ptr());
  if (tag == 0) {
    throw_error();
  }
  const wire::GroupDescription* const description = description_of(fields, tag);
  if (description == nullptr) {
    raise("UnknownNameError", codec_of(fields).dictionary() == nullptr
                                  ? "groups are read with a dictionary"
                                  : "the dictionary has no group " + shown(counter) + " here");
  }
  nb::list result;
  const Entries entries = entries_of(fields, *description);
  for (const auto& [begin, end] : entries.extents) {
    result.append(GroupEntry(object_of(fields), *description, begin, end));
  }
  return result;
}

template <typename Fields>
nb::dict to_dict(const Fields& fields, bool names) {
  nb::dict result;
  const auto [begin, end] = extent_of(fields);
  for (std::uint32_t at = begin; at < end;) {
    const wire::Field field = field_at(message_of(fields), at);
    nb::object value;
    std::uint32_t next = at + 1;
    if (const wire::GroupDescription* const described = description_of(fields, field.tag)) {
      const Entries entries = entries_of(fields, *described);
      nb::list list;
      for (const auto& [from, to] : entries.extents) {
        list.append(to_dict(GroupEntry(object_of(fields), *described, from, to), names));
      }
      value = std::move(list);
      next = std::max(next, entries.end);
    } else {
      value = checked(nb::steal(make_text(field.value)));
    }
    const std::string_view name = names ? codec_of(fields).field_name(field.tag) : "";
    const nb::object key =
        name.empty() ? nb::object(nb::int_(field.tag)) : nb::object(text_of(name));
    if (!result.contains(key)) {
      result[key] = value;
    }
    at = next;
  }
  return result;
}

// --- Messages ---

std::string readable(std::string_view bytes) {
  std::string text(bytes);
  std::ranges::replace(text, wire::soh, '|');
  return text;
}

nb::object text_of_message(const Message& message) {
  message.check();
  return checked(nb::steal(make_text(readable(message.bytes()))));
}

nb::object type_of_message(const Message& message) {
  return checked(nb::steal(make_text(type_of(message))));
}

nb::object name_of_message(const Message& message) {
  const std::string_view type = type_of(message);
  const std::string_view name = message.codec().message_name(type);
  return checked(nb::steal(make_text(name.empty() ? type : name)));
}

nb::bytes bytes_of_message(const Message& message) {
  message.check();
  return nb::bytes(message.bytes().data(), message.bytes().size());
}

nb::object copy_of_message(const Message& message) {
  nb::bytes bytes = bytes_of_message(message);
  const std::string_view view(bytes.c_str(), bytes.size());
  nb::object copy = make_message(message.codec_object(), std::move(bytes), view);
  nb::inst_ptr<Message>(copy)->delivered = message.delivered;
  return copy;
}

/// A fault of a message, as Python sees it.
struct PythonViolation {
  std::string rule;
  std::string action;
  std::optional<std::int64_t> tag;
  std::uint16_t reason = 0;
  std::string text;
};

dictionary::Rules rules_named(const std::string& name) {
  if (name == "strict") {
    return dictionary::Rules::strict();
  }
  if (name == "tolerant") {
    return dictionary::Rules::tolerant();
  }
  if (name == "quickfix") {
    return dictionary::Rules::quickfix();
  }
  if (name == "all") {
    return dictionary::Rules::all();
  }
  throw nb::value_error("rules are 'strict', 'tolerant', 'quickfix' or 'all'");
}

std::optional<PythonViolation> validate(const Message& message, const std::string& rules) {
  const dictionary::Rules wanted = rules_named(rules);
  const Codec& codec = message.codec();
  if (codec.validator() == nullptr) {
    raise("UnknownNameError", "messages are validated with a dictionary");
  }
  const auto found = codec.validator()->validate(view_of(message), wanted);
  if (!found) {
    return std::nullopt;
  }
  PythonViolation violation{.rule = dictionary::to_text(found->rule),
                            .action = dictionary::to_text(found->action),
                            .tag = found->has_tag ? std::optional(found->tag) : std::nullopt,
                            .reason = found->reason,
                            .text = dictionary::to_text(found->rule)};
  std::ranges::replace(violation.text, '_', ' ');
  if (found->has_tag) {
    violation.text += ": " + std::to_string(found->tag);
    const std::string_view name =
        found->tag > 0 ? codec.field_name(static_cast<std::uint32_t>(found->tag)) : "";
    violation.text += name.empty() ? std::string() : " (" + std::string(name) + ")";
  }
  return violation;
}

nb::object defect_of(const Message& message) {
  const wire::FieldIndex& index = view_of(message).index();
  if (index.clean()) {
    return nb::none();
  }
  return nb::str(index.whole() ? wire::to_text(index.fault) : wire::to_text(index.defect));
}

/// Only codecs, receivers, sessions and logs make these: the slots below rely on whole objects.
PyObject* refuse_new(PyTypeObject* type, PyObject* /*arguments*/, PyObject* /*keywords*/) noexcept {
  PyErr_Format(PyExc_TypeError, "a program makes no %.200s: parse() does", type->tp_name);
  return nullptr;
}

template <typename Fields>
PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(refuse_new)},
                       {Py_mp_subscript, reinterpret_cast<void*>(subscript<Fields>)},
                       {Py_sq_contains, reinterpret_cast<void*>(contains<Fields>)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse<Fields>)},
                       {0, nullptr}};

template <typename Fields, Convert convert>
void bind_read(nb::class_<Fields>& type, const char* name, const char* signature,
               const char* signature_or, const char* text) {
  type.def(name, read<Fields, convert>, "field"_a, nb::sig(signature), text);
  type.def(name, read_or<Fields, convert>, "field"_a, "default"_a.none(), nb::sig(signature_or));
}

/// The common part of messages and entries of groups.
template <typename Fields>
void bind_fields(nb::class_<Fields>& type) {
  bind_read<Fields, as_text>(
      type, "get", "def get(self, field: int | str, /) -> str",
      "def get(self, field: int | str, /, default: T) -> str | T",
      "A field as text. Without a default, a missing field raises MissingFieldError.");
  bind_read<Fields, as_bytes>(type, "raw", "def raw(self, field: int | str, /) -> bytes",
                              "def raw(self, field: int | str, /, default: T) -> bytes | T",
                              "A field's bytes.");
  bind_read<Fields, as_integer>(type, "integer", "def integer(self, field: int | str, /) -> int",
                                "def integer(self, field: int | str, /, default: T) -> int | T",
                                "A field as an integer. Another text raises FieldError.");
  bind_read<Fields, as_decimal>(type, "decimal",
                                "def decimal(self, field: int | str, /) -> Decimal",
                                "def decimal(self, field: int | str, /, default: T) -> Decimal | T",
                                "A price or quantity, exactly as its digits are.");
  type.def("scaled", scaled<Fields>, "field"_a, "places"_a,
           nb::sig("def scaled(self, field: int | str, places: int, /) -> int"),
           "A price or quantity times 10 to the power of `places`, exactly. Raises FieldError if "
           "digits would be lost, or beyond 64 bits.");
  bind_read<Fields, as_boolean>(type, "boolean", "def boolean(self, field: int | str, /) -> bool",
                                "def boolean(self, field: int | str, /, default: T) -> bool | T",
                                "Y or N.");
  bind_read<Fields, as_utc_time>(
      type, "utc_time", "def utc_time(self, field: int | str, /) -> datetime.datetime",
      "def utc_time(self, field: int | str, /, default: T) -> datetime.datetime | T",
      "A UTCTimestamp, truncated to the microseconds of a datetime.");
  bind_read<Fields, as_utc_ns>(type, "utc_ns", "def utc_ns(self, field: int | str, /) -> int",
                               "def utc_ns(self, field: int | str, /, default: T) -> int | T",
                               "A UTCTimestamp as nanoseconds since 1970.");
  type.def("values", values<Fields>, "fields"_a,
           nb::sig("def values(self, *fields: int | str) -> tuple[str | None, ...]"),
           "Several fields as text in one call; None for each that is missing.");
  type.def("items", items<Fields>, nb::sig("def items(self) -> list[tuple[int, str]]"),
           "Every field in order, with those of groups.");
  type.def("group", group<Fields>, "counter"_a,
           nb::sig("def group(self, counter: int | str, /) -> list[GroupEntry]"),
           "The entries of a repeating group, named by its counter; none if it is absent. Needs a "
           "dictionary.");
  type.def("to_dict", to_dict<Fields>, "names"_a = true,
           nb::sig("def to_dict(self, names: bool = True) -> dict[int | str, typing.Any]"),
           "All fields by name, or by tag; a group is a list of such dicts. Of a repeated field "
           "outside groups, the first.");
}

}  // namespace

void check_codec(nb::handle codec) {
  if (!nb::isinstance<Codec>(codec) || !nb::inst_ready(codec)) {
    throw nb::type_error("a codec is an affix.Dictionary");
  }
}

nb::object make_message(nb::handle codec, nb::object source, std::string_view bytes,
                        const std::uint64_t* live) {
  if (bytes.size() > message_bytes_max) {
    raise("ParseError", "no message has 2 GiB");
  }
  nb::object object = nb::inst_alloc(nb::type<Message>());
  new (nb::inst_ptr<Message>(object)) Message(nb::borrow(codec), std::move(source), bytes, live);
  nb::inst_mark_ready(object);
  return object;
}

nb::object parse(nb::handle codec, nb::handle data, bool defective) {
  std::string_view bytes;
  std::unique_ptr<Buffer> buffer;
  if (PyBytes_CheckExact(data.ptr())) {
    bytes = {PyBytes_AS_STRING(data.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(data.ptr()))};
  } else {
    buffer = std::make_unique<Buffer>(data);
    bytes = buffer->bytes();
  }
  nb::object object = make_message(codec, nb::borrow(data), bytes);
  Message& message = *nb::inst_ptr<Message>(object);
  if (buffer != nullptr) {
    message.keep(std::move(buffer));
  }
  const wire::FieldIndex& index = message.view().index();
  if (!index.clean() && !defective) {
    const std::string text =
        index.whole() ? wire::to_text(index.fault) : wire::to_text(index.defect);
    const std::uint32_t at = index.whole() ? index.fault_at : index.defect_at;
    raise("ParseError", text + ", at byte " + std::to_string(at), "offset", nb::int_(at));
  }
  return object;
}

void bind_messages(nb::module_& module) {
  nb::class_<PythonViolation>(module, "Violation", "A fault of a message against its dictionary.")
      .def_ro("rule", &PythonViolation::rule, "Name of the broken rule: `required_missing`.")
      .def_ro("action", &PythonViolation::action, "REJECT or WARN.")
      .def_ro("tag", &PythonViolation::tag, "RefTagID (371), if a field is at fault.")
      .def_ro("reason", &PythonViolation::reason, "SessionRejectReason (373).")
      .def_prop_ro(
          "text", [](const PythonViolation& self) { return text_of(self.text); },
          "The fault for people.")
      .def("__str__", [](const PythonViolation& self) { return text_of(self.text); })
      .def("__repr__", [](const PythonViolation& self) {
        return text_of("<affix.Violation " + self.text + ">");
      });

  nb::class_<GroupEntry> entry(module, "GroupEntry", nb::type_slots(slots<GroupEntry>),
                               "One entry of a repeating group: its own fields, without those of "
                               "groups within it.");
  bind_fields(entry);

  nb::class_<Message> message(module, "Message", nb::type_slots(slots<Message>),
                              nb::is_weak_referenceable(),
                              "A view of one FIX message. It copies nothing: a field becomes a "
                              "Python object when it is asked for.");
  bind_fields(message);
  message
      .def(
          "__len__", [](const Message& self) { return view_of(self).size(); },
          "Number of fields, with 8, 9, 35 and 10.")
      .def(
          "__iter__", [](const Message& self) { return nb::iter(items(self)); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[tuple[int, str]]"))
      .def("__bytes__", bytes_of_message, "The message's bytes.")
      .def("__str__", text_of_message, nb::sig("def __str__(self) -> str"),
           "The message with | between its fields.")
      .def("__repr__",
           [](const Message& self) {
             return text_of("<affix.Message " +
                            (self.is_live() ? readable(self.bytes()) : (PyErr_Clear(), "expired")) +
                            ">");
           })
      .def("copy", copy_of_message, nb::sig("def copy(self) -> Message"),
           "The same message with bytes of its own, which never expire.")
      .def("release", &Message::release,
           "Lets the buffer go, as memoryview.release() does; later uses raise ExpiredError.")
      .def("validate", validate, "rules"_a = "strict",
           nb::sig("def validate(self, rules: str = 'strict') -> Violation | None"),
           "The first fault against the dictionary, or None. `rules`: strict, tolerant, quickfix "
           "or all.")
      .def_prop_ro("type", type_of_message, nb::sig("def type(self, /) -> str"), "MsgType (35).")
      .def_prop_ro("name", name_of_message, nb::sig("def name(self, /) -> str"),
                   "The message's name in the dictionary, else MsgType.")
      .def_prop_ro("defect", defect_of, nb::sig("def defect(self, /) -> str | None"),
                   "Why the message is garbled; None if it is not.")
      .def("_set_session",
           [](Message& self, nb::object session) { self.delivered.session = std::move(session); })
      .def_prop_ro(
          "session",
          [](const Message& self) {
            return self.delivered.session.is_valid() ? self.delivered.session : nb::none();
          },
          nb::sig("def session(self, /) -> typing.Any"), "The session that delivered it, or None.")
      .def_prop_ro(
          "possible_duplicate",
          [](const Message& self) { return self.delivered.possible_duplicate; },
          "It filled a gap; this is its first delivery.")
      .def_prop_ro(
          "possible_resend", [](const Message& self) { return self.delivered.possible_resend; },
          "The peer may have sent the same content under another number.")
      .def_prop_ro(
          "redelivered", [](const Message& self) { return self.delivered.redelivered; },
          "An earlier run of this program got it, and did not finish it.")
      .def_prop_ro("_receipt", [](const Message& self) { return self.delivered.receipt; });
}

}  // namespace affix::python
