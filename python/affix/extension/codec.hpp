// SPDX-License-Identifier: MIT
// The tools that read and write messages: an index that is used again for each, the pairs of
// length and data fields, and a dictionary's names, groups and rules if there is one.
#pragma once

#include "affix/dictionary/data_fields.hpp"
#include "affix/dictionary/model.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/groups.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "values.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::python {

class Message;

/// The index of one message at a time, which grows for messages with more fields.
class GrowingIndex {
 public:
  GrowingIndex();

  /// Indexes `bytes`. Allocates when a message has more fields than any before it.
  void fill(std::string_view bytes, const wire::DataFields& data_fields);

  [[nodiscard]] const wire::FieldIndex& index() const noexcept { return *index_; }

 private:
  void grow(std::uint32_t capacity);

  std::unique_ptr<wire::FieldIndex> index_;
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint8_t> marks_;
};

/// A group of a dictionary, with what its description views.
struct DescribedGroup {
  wire::GroupDescription description;
  std::vector<std::uint32_t> members;
  std::vector<std::unique_ptr<DescribedGroup>> parts;
  std::vector<wire::GroupDescription> nested;
};

/// One dictionary, or none. All under the GIL.
class Codec {
 public:
  /// Reads and writes every version, by tags.
  Codec();

  /// With a dictionary's names; in FIXT `transport` has header and trailer. Throws a Python
  /// exception if the dictionary cannot be compiled.
  Codec(dictionary::Dictionary dictionary, std::optional<dictionary::Dictionary> transport);

  /// The index of `message`, which is filled again if another message was read since.
  [[nodiscard]] const wire::FieldIndex& index_of(const Message& message);

  /// The message is going away.
  void forget(const Message& message) noexcept {
    if (indexed_ == &message) {
      indexed_ = nullptr;
    }
  }

  /// A tag of an int, or of a field's name. 0 with an exception set.
  [[nodiscard]] std::uint32_t tag_of(PyObject* key) const noexcept;

  /// "D" of "D" or "NewOrderSingle". Valid as long as the object.
  [[nodiscard]] std::string_view type_of(PyObject* type) const;

  /// The group with this counter in messages of that type. Null: the dictionary has none there.
  [[nodiscard]] const wire::GroupDescription* group_of(std::string_view type,
                                                       std::uint32_t counter_tag);

  /// Writes the fields of a dict, or of an iterable of pairs. False with an exception set.
  [[nodiscard]] bool write_fields(wire::Encoder& encoder, PyObject* fields) const;

  /// A whole message, as bytes. `fields` may be None.
  [[nodiscard]] nanobind::bytes encode(nanobind::handle type, nanobind::handle fields,
                                       nanobind::handle header, std::string_view begin_string);

  /// The fields alone, each with its SOH, for a session that adds the rest.
  [[nodiscard]] nanobind::bytes encode_body(nanobind::handle fields);

  [[nodiscard]] const dictionary::Dictionary* dictionary() const noexcept {
    return dictionary_ ? &*dictionary_ : nullptr;
  }

  [[nodiscard]] const dictionary::Dictionary* transport() const noexcept {
    return transport_ ? &*transport_ : dictionary();
  }

  [[nodiscard]] const dictionary::Validator* validator() const noexcept {
    return validator_ ? &*validator_ : nullptr;
  }

  [[nodiscard]] const wire::DataFields& data_fields() const noexcept { return data_fields_; }

  [[nodiscard]] const PythonTypes& types() const noexcept { return types_; }

  /// "ClOrdID" for 11, or an empty view.
  [[nodiscard]] std::string_view field_name(std::uint32_t tag) const noexcept;
  [[nodiscard]] std::string_view message_name(std::string_view type) const noexcept;

  /// Of the dictionary; FIX.4.4 without one.
  [[nodiscard]] const std::string& begin_string() const noexcept { return begin_string_; }

 private:
  [[nodiscard]] bool write_field(wire::Encoder& encoder, PyObject* key, PyObject* value) const;
  [[nodiscard]] bool write_group(wire::Encoder& encoder, std::uint32_t counter_tag,
                                 PyObject* entries) const;
  [[nodiscard]] std::unique_ptr<DescribedGroup> describe(const dictionary::Dictionary& of,
                                                         const dictionary::Group& group) const;
  void add_names(const dictionary::Dictionary& of);
  [[nodiscard]] nanobind::bytes write(nanobind::handle type, nanobind::handle fields,
                                      nanobind::handle header, std::string_view begin_string,
                                      bool body_only);

  PythonTypes types_;
  wire::DataFields data_fields_;
  std::map<std::uint32_t, std::uint32_t> lengths_;  // By data tag.
  GrowingIndex index_;
  const Message* indexed_ = nullptr;
  std::vector<char> output_;
  std::optional<dictionary::Dictionary> dictionary_;
  std::optional<dictionary::Dictionary> transport_;
  std::optional<dictionary::Validator> validator_;
  nanobind::dict tags_;  // By name.
  std::map<std::pair<std::string, std::uint32_t>, std::unique_ptr<DescribedGroup>> groups_;
  std::string begin_string_ = "FIX.4.4";
};

}  // namespace affix::python
