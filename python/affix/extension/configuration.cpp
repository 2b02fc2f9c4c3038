// SPDX-License-Identifier: MIT
// Configurations of files and texts, with every problem of one in the exception.
#include "configuration.hpp"

#include "affix/config/configuration_catalogue.hpp"
#include "affix/engine/checked_configuration.hpp"

#include "raise.hpp"
#include "values.hpp"

#include <nanobind/stl/string.h>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

void raise_problems(const config::Problems& problems) {
  nb::list texts;
  for (const base::Error& problem : problems) {
    texts.append(problem.text());
  }
  raise("ConfigurationError", config::text_of(problems), "problems", texts);
}

namespace {

config::Configuration configuration_of(const std::string& text, const std::string& where) {
  auto parsed = config::parse_configuration(text, where);
  if (!parsed) {
    raise_problems(parsed.error());
  }
  return std::move(*parsed);
}

config::Configuration configuration_in(const std::string& path) {
  auto loaded = config::load_configuration(path);
  if (!loaded) {
    raise_problems(loaded.error());
  }
  return std::move(*loaded);
}

}  // namespace

void bind_configuration(nb::module_& module) {
  nb::class_<config::Configuration>(module, "Configuration",
                                    "A checked configuration, of a file or a text.")
      .def_static("load", configuration_in, "path"_a)
      .def_static("parse", configuration_of, "text"_a, "where"_a = "configuration")
      .def_prop_ro("sessions", [](const config::Configuration& self) {
        nb::list all;
        for (const config::SessionSettings& session : self.sessions) {
          nb::dict keys;
          keys["name"] = session.name;
          keys["begin_string"] = session.begin_string;
          keys["dictionary"] = session.dictionary;
          keys["transport_dictionary"] = session.transport_dictionary;
          all.append(keys);
        }
        return all;
      });

  module.def(
      "configuration_keys",
      [] {
        nb::list all;
        for (const config::KeyDescription& key : config::describe_keys()) {
          nb::list kinds;
          for (const config::GroupKind kind : key.kinds) {
            kinds.append(text_of(config::to_text(kind)));
          }
          all.append(nb::make_tuple(text_of(key.name), kinds, text_of(key.standard),
                                    text_of(key.allowed), text_of(key.meaning)));
        }
        return all;
      },
      nb::sig("def configuration_keys() -> list[tuple[str, list[str], str, str, str]]"),
      "Every key: its name, the kinds of groups that have it, its default, its values and its "
      "meaning.");
}

}  // namespace affix::python
