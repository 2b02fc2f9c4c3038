// SPDX-License-Identifier: MIT
// Prints the catalogue of keys in several forms.
#include "config/key_text.hpp"

#include <algorithm>
#include <string_view>

namespace affix::inline v0::tools::config {

namespace {

/// Removes Markdown's marks, which are of no use in a terminal: links become their words, code
/// loses its quotes.
std::string plain(std::string_view markdown) {
  std::string text;
  for (std::size_t at = 0; at < markdown.size(); ++at) {
    const char c = markdown[at];
    if (c == ']' && at + 1 < markdown.size() && markdown[at + 1] == '(') {
      at = std::min(markdown.find(')', at), markdown.size() - 1);
    } else if (c != '`' && c != '[') {
      text += c;
    }
  }
  return text;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

}  // namespace

std::string explanation(const affix::config::KeyDescription& key) {
  std::string kinds;
  for (const affix::config::GroupKind kind : key.kinds) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(affix::config::to_text(kind));
  }
  std::string text = std::string(key.name) + "\n";
  text += "  groups   " + kinds + "\n";
  text += "  default  " + (key.standard.empty() ? std::string("none") : key.standard) + "\n";
  text += "  allowed  " + key.allowed;
  if (!key.units.empty()) {
    text += ", or with a unit: " + std::string(key.units);
  }
  text += "\n  reload   " + std::string(key.reload);
  text += "\n  meaning  " + plain(key.meaning) + "\n";
  return text;
}

std::string key_list(const std::vector<affix::config::KeyDescription>& keys) {
  std::string text;
  std::string_view section;
  for (const affix::config::KeyDescription& key : keys) {
    if (key.section != section) {
      section = key.section;
      text += (text.empty() ? "" : "\n") + std::string(section) + "\n";
    }
    text += "  " + std::string(key.name) +
            (key.standard.empty() ? std::string() : "=" + key.standard) + "\n";
  }
  return text;
}

std::string reference_tables(const std::vector<affix::config::KeyDescription>& keys) {
  std::string text;
  std::string_view section;
  for (const affix::config::KeyDescription& key : keys) {
    if (key.section != section) {
      section = key.section;
      text += (text.empty() ? "## " : "\n## ") + std::string(section) +
              "\n\n| key | default | allowed | meaning |\n|---|---|---|---|\n";
    }
    const std::string standard = code(key.standard);
    text += "| " + code(key.name) + " | " + standard + " | " + key.allowed + " | " +
            std::string(key.meaning) + " |\n";
  }
  return text;
}

}  // namespace affix::inline v0::tools::config
