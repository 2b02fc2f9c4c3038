// SPDX-License-Identifier: MIT
// A parsed document: pugixml's tree with its text, and typed reading of attributes.
#pragma once

#include "affix/dictionary/load_limits.hpp"

#include "dictionary/problems.hpp"

#include <pugixml.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::dictionary {

class XmlTree {
 public:
  XmlTree() = default;
  XmlTree(const XmlTree&) = delete;
  XmlTree& operator=(const XmlTree&) = delete;

  /// Accepts any text. False when it is refused or no XML; `problems` give the reason.
  [[nodiscard]] bool parse(std::string_view text, const LoadLimits& limits, Problems& problems);

  [[nodiscard]] pugi::xml_node root() const { return document_.document_element(); }

 private:
  std::string text_;  // Parsed in place: the tree's strings are in it.
  pugi::xml_document document_;
};

/// Byte offset of an element, for Problems.
[[nodiscard]] inline std::uint32_t place_of(const pugi::xml_node& node) {
  return static_cast<std::uint32_t>(node.offset_debug());
}

/// Name without its namespace prefix.
[[nodiscard]] std::string_view local_name(const pugi::xml_node& node);

[[nodiscard]] inline std::string_view text_of(const pugi::xml_node& node, const char* attribute) {
  return node.attribute(attribute).value();
}

[[nodiscard]] inline bool has(const pugi::xml_node& node, const char* attribute) {
  return !node.attribute(attribute).empty();
}

/// The whole of `text` as a number; digits only, with optional blanks around them.
[[nodiscard]] std::optional<std::uint32_t> number_in(std::string_view text);

}  // namespace affix::inline v0::dictionary
