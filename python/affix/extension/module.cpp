// SPDX-License-Identifier: MIT
// The extension module affix._affix: what affix/__init__.py and its neighbours build on.
#include "affix/base/version.hpp"
#include "affix/dictionary/load.hpp"
#include "affix/dictionary/walk.hpp"

#include "codec.hpp"
#include "configuration.hpp"
#include "engine.hpp"
#include "log.hpp"
#include "message.hpp"
#include "raise.hpp"
#include "receiver.hpp"
#include "settings.hpp"
#include "threaded_engine.hpp"
#include "values.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <optional>
#include <string>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {
namespace {

dictionary::Dictionary load(const std::string& path) {
  dictionary::Loaded loaded = dictionary::load(path);
  if (!loaded) {
    raise("DictionaryError", dictionary::make_error(loaded.problems, path).sentence());
  }
  return std::move(*loaded.dictionary);
}

void append_fields(nb::list& all, const dictionary::Dictionary& of) {
  for (const dictionary::Field& field : of.fields()) {
    nb::list values;
    for (const dictionary::Value& value : field.values) {
      values.append(nb::make_tuple(text_of(value.code), text_of(value.name)));
    }
    all.append(
        nb::make_tuple(field.tag, text_of(field.name), dictionary::to_text(field.type), values));
  }
}

/// The input of a stub generator: (tag, name, type, [(code, name)]).
nb::list fields_of(const Codec& codec) {
  nb::list all;
  for (const dictionary::Dictionary* const each : {codec.transport(), codec.dictionary()}) {
    if (each == nullptr || (each == codec.dictionary() && all.size() != 0 &&
                            codec.transport() == codec.dictionary())) {
      continue;
    }
    append_fields(all, *each);
  }
  return all;
}

/// The fields and messages of a file, which is only read: the quickest way to names.
nb::tuple names_in(const std::string& path) {
  const dictionary::Dictionary read = load(path);
  nb::list fields;
  append_fields(fields, read);
  nb::list messages;
  for (const dictionary::Message& message : read.messages()) {
    messages.append(nb::make_tuple(text_of(message.name), text_of(message.type)));
  }
  return nb::make_tuple(fields, messages);
}

/// A member: (name, tag, required, members), with members of a group's entries only.
nb::list members_of(const dictionary::Dictionary& of, std::span<const dictionary::Member> members);

nb::tuple member_of(const dictionary::Dictionary& of, const dictionary::FlatMember& flat) {
  nb::object inner = nb::none();
  if (flat.member.kind == dictionary::MemberKind::Group) {
    inner = members_of(of, of.group(flat.member).members);
  }
  return nb::make_tuple(text_of(of.name(flat.member)), of.tag(flat.member), flat.required, inner);
}

nb::list members_of(const dictionary::Dictionary& of, std::span<const dictionary::Member> members) {
  nb::list all;
  for (const dictionary::FlatMember& flat : dictionary::flatten(of, members)) {
    all.append(member_of(of, flat));
  }
  return all;
}

nb::list messages_of(const Codec& codec) {
  nb::list all;
  for (const dictionary::Dictionary* const each : {codec.transport(), codec.dictionary()}) {
    if (each == nullptr || (each == codec.dictionary() && all.size() != 0 &&
                            codec.transport() == codec.dictionary())) {
      continue;
    }
    for (const dictionary::Message& message : each->messages()) {
      all.append(nb::make_tuple(text_of(message.name), text_of(message.type),
                                members_of(*each, message.members)));
    }
  }
  return all;
}

/// Members of one message, as those of messages_of(); None for an unknown type.
nb::object members_of_message(const Codec& codec, const std::string& type) {
  for (const dictionary::Dictionary* const each : {codec.dictionary(), codec.transport()}) {
    if (each != nullptr) {
      if (const dictionary::Message* const message = each->find_message_by_type(type)) {
        return members_of(*each, message->members);
      }
    }
  }
  return nb::none();
}

nb::tuple header_and_trailer_of(const Codec& codec) {
  const dictionary::Dictionary* const transport = codec.transport();
  if (transport == nullptr) {
    return nb::make_tuple(nb::list(), nb::list());
  }
  return nb::make_tuple(members_of(*transport, transport->header()),
                        members_of(*transport, transport->trailer()));
}

void bind_codec(nb::module_& module) {
  nb::class_<Codec>(module, "Codec", nb::is_weak_referenceable(),
                    "Reads and writes messages, with the names, groups and rules of a dictionary "
                    "if it has one.")
      .def(nb::init<>())
      .def(
          "__init__",
          [](Codec* self, const std::string& path, const std::optional<std::string>& transport) {
            dictionary::Dictionary application = load(path);
            new (self) Codec(std::move(application),
                             transport ? std::optional(load(*transport)) : std::nullopt);
          },
          "path"_a, "transport"_a.none() = nb::none(),
          nb::sig("def __init__(self, path: str, transport: str | None = None) -> None"))
      .def(
          "parse",
          [](nb::pointer_and_handle<Codec> self, nb::handle data, bool defective) {
            return parse(self.h, data, defective);
          },
          "data"_a, "defective"_a = false,
          nb::sig("def parse(self, data: typing_extensions.Buffer, defective: bool = False) -> "
                  "Message"),
          "A view of one whole message. Raises ParseError for anything else, unless `defective` "
          "is set: then Message.defect says what is wrong.")
      .def("encode", &Codec::encode, "type"_a, "fields"_a.none() = nb::none(),
           "header"_a.none() = nb::none(), "begin_string"_a = "",
           nb::sig("def encode(self, type: str, fields: Fields | None = None, header: Fields | "
                   "None = None, begin_string: str = '') -> bytes"),
           "A whole message. `fields` is a dict, or pairs, in the order of the message; a list of "
           "such is a repeating group, and None leaves a field out. Adds 8, 9, 35 and 10.")
      .def("encode_body", &Codec::encode_body, "fields"_a,
           nb::sig("def encode_body(self, fields: Fields, /) -> bytes"),
           "The fields alone, each with its SOH.")
      .def(
          "tag",
          [](const Codec& self, nb::handle field) {
            const std::uint32_t tag = self.tag_of(field.ptr());
            if (tag == 0) {
              throw_error();
            }
            return tag;
          },
          "field"_a, nb::sig("def tag(self, field: int | str, /) -> int"), "The tag of a name.")
      .def(
          "type_of",
          [](const Codec& self, nb::str name) { return text_of(self.type_of(name.ptr())); },
          "message"_a, "MsgType (35) of a message's name, or of itself.")
      .def(
          "field_name",
          [](const Codec& self, std::uint32_t tag) { return text_of(self.field_name(tag)); },
          "tag"_a, "The name of a tag; empty without one.")
      .def(
          "message_name",
          [](const Codec& self, const std::string& type) {
            return text_of(self.message_name(type));
          },
          "type"_a, "The name of a MsgType; empty without one.")
      .def_prop_ro("begin_string", &Codec::begin_string, "BeginString (8) of its messages.")
      .def_prop_ro("has_dictionary", [](const Codec& self) { return self.dictionary() != nullptr; })
      .def("_fields", fields_of,
           nb::sig("def _fields(self) -> list[tuple[int, str, str, list[tuple[str, str]]]]"))
      .def("_header_and_trailer", header_and_trailer_of,
           nb::sig("def _header_and_trailer(self) -> tuple[list[typing.Any], list[typing.Any]]"))
      .def("_members", members_of_message, "type"_a,
           nb::sig("def _members(self, type: str, /) -> list[typing.Any] | None"))
      .def("_messages", messages_of,
           nb::sig("def _messages(self) -> list[tuple[str, str, list[typing.Any]]]"));
}

}  // namespace
}  // namespace affix::python

NB_MODULE(_affix, module) {
  // The module's types live as long as the process; what a program still holds then is its own.
  nb::set_leak_warnings(false);
  module.attr("__version__") = affix::base::version;
  affix::python::bind_codec(module);
  module.def(
      "dictionary_names", affix::python::names_in, "path"_a,
      nb::sig("def dictionary_names(path: str) -> tuple[list[tuple[int, str, str, "
              "list[tuple[str, str]]]], list[tuple[str, str]]]"),
      "Fields as (tag, name, type, values) and messages as (name, MsgType) of a dictionary.");
  affix::python::bind_messages(module);
  affix::python::bind_receiver(module);
  affix::python::bind_log(module);
  affix::python::bind_configuration(module);
  affix::python::bind_engine(module);
  affix::python::bind_threaded_engine(module);
  affix::python::bind_quickfix_settings(module);
}
