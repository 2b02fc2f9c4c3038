// SPDX-License-Identifier: MIT
// The codec's index, its names and groups, and writing.
#include "codec.hpp"

#include "affix/dictionary/walk.hpp"
#include "affix/wire/value_text.hpp"

#include "message.hpp"
#include "raise.hpp"

#include <algorithm>

namespace nb = nanobind;

namespace affix::python {

namespace {

/// Fields of a long order; messages with more make the index grow once.
constexpr std::uint32_t fields_at_first = 256;

/// No message has more: BodyLength has at most nine digits.
constexpr std::uint32_t fields_max = 1U << 26;

constexpr std::size_t output_at_first = 4'096;

/// An encoder uses no more, for the same reason.
constexpr std::size_t output_max = 1'000'000'000;

/// A program's own class of names may have a repr() that raises.
void set_unknown(const char* why, PyObject* name) noexcept {
  try {
    set_error("UnknownNameError", why + shown(name));
  } catch (nb::python_error& error) {
    error.restore();
  }
}

/// Fields that can be read twice, since a message that outgrows its buffer is written again: what
/// an iterator gives is kept.
nb::object readable_twice(nb::handle fields) {
  return PyIter_Check(fields.ptr()) != 0 ? nb::steal(PySequence_List(fields.ptr()))
                                         : nb::borrow(fields);
}

/// The fields after the third one and before CheckSum.
std::string_view body_of(std::string_view message) {
  std::size_t begin = 0;
  for (int field = 0; field < 3; ++field) {
    begin = message.find(wire::soh, begin) + 1;
  }
  constexpr std::size_t trailer_bytes = 7;  // "10=NNN" and its SOH.
  return message.substr(begin, message.size() - trailer_bytes - begin);
}

}  // namespace

// --- The index ---

GrowingIndex::GrowingIndex() {
  grow(fields_at_first);
}

void GrowingIndex::grow(std::uint32_t capacity) {
  const std::size_t entries = capacity + wire::FieldIndex::slack;
  positions_.assign(3 * entries, 0);
  marks_.assign(capacity + wire::FieldIndex::mark_slack, 0);
  index_ = std::make_unique<wire::FieldIndex>();
  index_->tags = positions_.data();
  index_->compared_tags[1] = index_->tags;
  index_->begins = positions_.data() + entries;
  index_->ends = positions_.data() + 2 * entries;
  index_->marks = marks_.data();
  index_->clear();
  index_->capacity = capacity;
}

void GrowingIndex::fill(std::string_view bytes, const wire::DataFields& data_fields) {
  wire::index_message(bytes, *index_, data_fields);
  while (index_->defect == wire::MessageDefect::TooManyFields && index_->capacity < fields_max) {
    grow(index_->capacity * 4);
    wire::index_message(bytes, *index_, data_fields);
  }
}

const wire::FieldIndex& Codec::index_of(const Message& message) {
  if (indexed_ != &message) [[unlikely]] {
    indexed_ = nullptr;  // Memory may run out meanwhile.
    index_.fill(message.bytes(), data_fields_);
    indexed_ = &message;
  }
  return index_.index();
}

// --- Names ---

Codec::Codec() {
  // FIX's own pairs; tags of length fields have four digits at most.
  for (std::uint32_t length = 1; length < wire::DataFields::filter_end; ++length) {
    if (const std::uint32_t data = data_fields_.data_tag_of(length); data != 0) {
      lengths_.emplace(data, length);
    }
  }
}

Codec::Codec(dictionary::Dictionary dictionary, std::optional<dictionary::Dictionary> transport)
    : Codec() {
  dictionary_ = std::move(dictionary);
  transport_ = std::move(transport);
  auto compiled = transport_ ? dictionary::Validator::compile(*transport_, *dictionary_)
                             : dictionary::Validator::compile(*dictionary_);
  if (!compiled) {
    raise("DictionaryError", compiled.error().text());
  }
  validator_ = std::move(*compiled);
  begin_string_ = dictionary_->version().begin_string();
  add_names(*dictionary_);
  if (transport_) {
    add_names(*transport_);
  }
}

void Codec::add_names(const dictionary::Dictionary& of) {
  static_cast<void>(dictionary::add_data_fields(of, data_fields_));
  for (const dictionary::Field& field : of.fields()) {
    tags_[text_of(field.name)] = nb::int_(field.tag);
    if (field.length_tag != 0) {
      lengths_[field.tag] = field.length_tag;
    }
  }
}

std::uint32_t Codec::tag_of(PyObject* key) const noexcept {
  if (PyLong_Check(key)) {
    const long number = PyLong_AsLong(key);
    if (number >= 1 && number <= static_cast<long>(wire::tag_max)) {
      return static_cast<std::uint32_t>(number);
    }
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%R is no tag: 1 to 2147483647", key);
    return 0;
  }
  if (PyUnicode_Check(key)) {
    if (PyObject* const found = PyDict_GetItemWithError(tags_.ptr(), key)) {
      return static_cast<std::uint32_t>(PyLong_AsLong(found));
    }
    if (PyErr_Occurred() == nullptr) {
      set_unknown(dictionary_ ? "the dictionary has no field " : "no dictionary: ", key);
    }
    return 0;
  }
  PyErr_Format(PyExc_TypeError, "a field is named by its tag or its name, not by %.200s",
               Py_TYPE(key)->tp_name);
  return 0;
}

std::string_view Codec::type_of(PyObject* type) const {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(type, &size);
  if (text == nullptr) {
    throw_error();
  }
  const std::string_view given(text, static_cast<std::size_t>(size));
  for (const dictionary::Dictionary* const each : {dictionary(), transport()}) {
    if (each != nullptr && given.size() > 2) {
      if (const dictionary::Message* const message = each->find_message(given)) {
        return message->type;
      }
    }
  }
  return given;
}

std::string_view Codec::field_name(std::uint32_t tag) const noexcept {
  for (const dictionary::Dictionary* const each : {dictionary(), transport()}) {
    if (each != nullptr) {
      if (const dictionary::Field* const field = each->find_field(tag)) {
        return field->name;
      }
    }
  }
  return {};
}

std::string_view Codec::message_name(std::string_view type) const noexcept {
  for (const dictionary::Dictionary* const each : {dictionary(), transport()}) {
    if (each != nullptr) {
      if (const dictionary::Message* const message = each->find_message_by_type(type)) {
        return message->name;
      }
    }
  }
  return {};
}

// --- Groups ---

std::unique_ptr<DescribedGroup> Codec::describe(const dictionary::Dictionary& of,
                                                const dictionary::Group& group) const {
  auto described = std::make_unique<DescribedGroup>();
  for (const dictionary::FlatMember& flat : dictionary::flatten(of, group.members)) {
    described->members.push_back(of.tag(flat.member));
    if (flat.member.kind == dictionary::MemberKind::Group) {
      described->parts.push_back(describe(of, of.group(flat.member)));
      described->nested.push_back(described->parts.back()->description);
    }
  }
  described->description = {.counter_tag = of.counter(group).tag,
                            .first_tag = of.delimiter(group).tag,
                            .members = described->members,
                            .nested = described->nested};
  return described;
}

const wire::GroupDescription* Codec::group_of(std::string_view type, std::uint32_t counter_tag) {
  // A peer may send any tag; what is kept is bounded by the dictionary.
  const auto counts = [&](const dictionary::Dictionary* of) {
    const dictionary::Field* const field = of != nullptr ? of->find_field(counter_tag) : nullptr;
    return field != nullptr &&
           dictionary::value_class(field->type) <= dictionary::ValueClass::Natural;
  };
  if ((!counts(dictionary()) && !counts(transport())) || message_name(type).empty()) {
    return nullptr;
  }
  const std::pair key(std::string(type), counter_tag);
  if (const auto known = groups_.find(key); known != groups_.end()) {
    return known->second != nullptr ? &known->second->description : nullptr;
  }
  std::unique_ptr<DescribedGroup> described;
  const auto look = [&](const dictionary::Dictionary* of,
                        std::span<const dictionary::Member> members) {
    for (const dictionary::FlatMember& flat : dictionary::flatten(*of, members)) {
      if (described == nullptr && flat.member.kind == dictionary::MemberKind::Group &&
          of->tag(flat.member) == counter_tag) {
        described = describe(*of, of->group(flat.member));
      }
    }
  };
  for (const dictionary::Dictionary* const each : {dictionary(), transport()}) {
    if (each != nullptr) {
      if (const dictionary::Message* const message = each->find_message_by_type(type)) {
        look(each, message->members);
      }
      look(each, each->header());
    }
  }
  const auto& kept = groups_.emplace(key, std::move(described)).first->second;
  return kept != nullptr ? &kept->description : nullptr;
}

// --- Writing ---

bool Codec::write_field(wire::Encoder& encoder, PyObject* key, PyObject* value) const {
  const std::uint32_t tag = tag_of(key);
  if (tag == 0) {
    return false;
  }
  if (value == Py_None) {
    return true;
  }
  if (PyList_Check(value) || PyTuple_Check(value)) {
    return write_group(encoder, tag, value);
  }
  ValueText text;
  if (!text.set(types_, value)) {
    return false;
  }
  if (PyBytes_Check(value) && text.view().find(wire::soh) != std::string_view::npos) {
    // Raw data is read by its length, which therefore goes before it.
    if (const auto length = lengths_.find(tag); length != lengths_.end()) {
      encoder.data(wire::Tag::of(length->second), wire::Tag::of(tag), text.view());
      return true;
    }
  }
  encoder.text(wire::Tag::of(tag), text.view());
  return true;
}

bool Codec::write_group(wire::Encoder& encoder, std::uint32_t counter_tag,
                        PyObject* entries) const {
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(entries);
  encoder.integer(wire::Tag::of(counter_tag), static_cast<std::int64_t>(size));
  if (Py_EnterRecursiveCall(" in a repeating group") != 0) {
    return false;
  }
  bool good = true;
  for (Py_ssize_t at = 0; good && at < PySequence_Fast_GET_SIZE(entries); ++at) {
    const nb::object entry = nb::borrow(PySequence_Fast_GET_ITEM(entries, at));
    if (PyIter_Check(entry.ptr()) != 0) {
      PyErr_SetString(PyExc_TypeError, "a group's entry is a dict, or a list of pairs");
    }
    good = PyIter_Check(entry.ptr()) == 0 && write_fields(encoder, entry.ptr());
  }
  if (good && PySequence_Fast_GET_SIZE(entries) != size) {
    PyErr_SetString(PyExc_RuntimeError, "a group has changed while it was written");
    good = false;
  }
  Py_LeaveRecursiveCall();
  return good;
}

bool Codec::write_fields(wire::Encoder& encoder, PyObject* fields) const {
  if (PyDict_CheckExact(fields)) {
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(fields, &at, &key, &value) != 0) {
      // Making a text of a value may run a program's code, which may change the dict.
      const nb::object kept_key = nb::borrow(key);
      const nb::object kept_value = nb::borrow(value);
      if (!write_field(encoder, key, value)) {
        return false;
      }
    }
    return true;
  }
  nb::object items = nb::borrow(fields);
  if (!PyList_Check(fields) && !PyTuple_Check(fields) &&
      PyObject_HasAttrString(fields, "items") != 0) {
    items = nb::steal(PyMapping_Items(fields));
    if (!items.is_valid()) {
      return false;
    }
  }
  const nb::object sequence =
      nb::steal(PySequence_Fast(items.ptr(), "fields are a dict, or pairs of a tag and a value"));
  if (!sequence.is_valid()) {
    return false;
  }
  for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(sequence.ptr()); ++at) {
    const nb::object pair = nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), at));
    if (!PyTuple_Check(pair.ptr()) || PyTuple_GET_SIZE(pair.ptr()) != 2) {
      PyErr_SetString(PyExc_TypeError, "fields are a dict, or pairs of a tag and a value");
      return false;
    }
    if (!write_field(encoder, PyTuple_GET_ITEM(pair.ptr(), 0), PyTuple_GET_ITEM(pair.ptr(), 1))) {
      return false;
    }
  }
  return true;
}

/// Making a text of a value may run a program's code, which may write another message: the buffer
/// is this one's meanwhile.
nb::bytes Codec::write(nb::handle type, nb::handle fields, nb::handle header,
                       std::string_view begin_string, bool body_only) {
  const std::string_view wanted = type_of(type.ptr());
  const nb::object parts[] = {readable_twice(header), readable_twice(fields)};
  if (!parts[0].is_valid() || !parts[1].is_valid()) {
    throw_error();
  }
  std::vector<char> output = std::move(output_);
  output.resize(std::max(output.size(), output_at_first));
  while (true) {
    wire::Encoder encoder(output);
    encoder.begin(begin_string, wanted);
    for (const nb::object& part : parts) {
      if (!part.is_none() && !write_fields(encoder, part.ptr())) {
        throw_error();
      }
    }
    if (const wire::EncodedMessage message = encoder.finish()) {
      const std::string_view part = body_only ? body_of(*message) : *message;
      nb::bytes result(part.data(), part.size());
      output_ = std::move(output);
      return result;
    } else if (message.error() != wire::EncodeError::Overflow || output.size() > output_max) {
      const std::uint32_t tag = encoder.error_tag();
      raise("EncodeError", std::string(wire::error_text(encoder).view()), "tag",
            tag != 0 ? nb::object(nb::int_(tag)) : nb::none());
    }
    output.resize(output.size() * 2);
  }
}

nb::bytes Codec::encode(nb::handle type, nb::handle fields, nb::handle header,
                        std::string_view begin_string) {
  return write(type, fields, header, begin_string.empty() ? begin_string_ : begin_string, false);
}

nb::bytes Codec::encode_body(nb::handle fields) {
  return write(nb::str("0"), fields, nb::none(), begin_string_, true);
}

}  // namespace affix::python
