// SPDX-License-Identifier: MIT
// Parses within limits, and reads attributes.

#include "dictionary/xml_tree.hpp"

#include "affix/base/text.hpp"

#include "dictionary/xml_text.hpp"

#include <cstddef>
#include <utility>

namespace affix::inline v0::dictionary {

bool XmlTree::parse(std::string_view text, const LoadLimits& limits, Problems& problems) {
  if (text.size() > limits.bytes_max) {
    problems.error(whole_file, {},
                   "larger than " + std::to_string(limits.bytes_max) + " bytes (bytes_max)",
                   "D102");
    return false;
  }
  text_ = to_utf8(text, problems);
  if (!problems.has_errors()) {
    check_markup(text_, limits, problems);
  }
  if (problems.has_errors()) {
    return false;
  }
  constexpr unsigned options = pugi::parse_escapes | pugi::parse_wconv_attribute | pugi::parse_eol;
  const pugi::xml_parse_result result =
      document_.load_buffer_inplace(text_.data(), text_.size(), options, pugi::encoding_utf8);
  if (!result) {
    std::string fault = std::string("no well-formed XML: ") + result.description();
    if (result.status == pugi::status_end_element_mismatch) {
      // The parser worked in place and has changed the text.
      Problems reported_before(1);
      const std::string whole = to_utf8(text, reported_before);
      const std::string open = open_element(whole, limits, problems);
      fault += open.empty() ? "" : "; " + open;
    }
    problems.error(static_cast<std::uint32_t>(result.offset), {}, std::move(fault), "D103");
    return false;
  }
  if (root().empty()) {
    problems.error(whole_file, {}, "no XML element", "D103");
    return false;
  }
  if (!root().next_sibling().empty()) {
    problems.error(place_of(root().next_sibling()), {}, "a second element after the root", "D103");
    return false;
  }
  return true;
}

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::optional<std::uint32_t> number_in(std::string_view text) {
  return base::parse_number<std::uint32_t>(base::trimmed(text, " \t\r\n"));
}

}  // namespace affix::inline v0::dictionary
