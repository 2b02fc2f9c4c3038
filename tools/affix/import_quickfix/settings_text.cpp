// SPDX-License-Identifier: MIT
// Parses lines into sections and settings.
#include "import_quickfix/settings_text.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::import_quickfix {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_printable(std::string_view text) noexcept {
  return std::ranges::none_of(text, [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && letter != '\t') || code == 0x7F;
  });
}

class Reader {
 public:
  void read_line(std::string_view line, std::size_t number) {
    if (line.empty() || line.front() == '#') {
      return;
    }
    if (!is_printable(line)) {
      result_.problems.push_back({number, "the line has control characters", "Q102"});
    } else if (line.front() == '[') {
      begin_section(line, number);
    } else {
      read_setting(line, number);
    }
  }

  [[nodiscard]] SettingsText take() { return std::move(result_); }

 private:
  enum class Place { Outside, Defaults, Session, Unknown };

  void begin_section(std::string_view line, std::size_t number) {
    const std::string_view name =
        line.back() == ']' ? base::trimmed(line.substr(1, line.size() - 2)) : std::string_view();
    if (base::is_same_word(name, "DEFAULT")) {
      if (result_.defaults.line != 0) {
        warn(number, "a second [DEFAULT]: its settings are added to those of the first one");
      } else {
        result_.defaults.line = number;
      }
      place_ = Place::Defaults;
    } else if (base::is_same_word(name, "SESSION")) {
      result_.sessions.push_back({number, {}});
      place_ = Place::Session;
    } else if (line.back() != ']') {
      result_.problems.push_back({number, "a section is written [DEFAULT] or [SESSION]", "Q102"});
      place_ = Place::Unknown;
    } else {
      warn(number, "[" + std::string(name) + "] is not a section that QuickFIX has; it is ignored");
      place_ = Place::Unknown;
    }
  }

  void read_setting(std::string_view line, std::size_t number) {
    const std::size_t equals = line.find('=');
    const std::string_view name = base::trimmed(line.substr(0, std::min(equals, line.size())));
    if (equals == std::string_view::npos || name.empty()) {
      // Only one word of it, as the rest may be a secret.
      const std::string_view word =
          line.substr(0, std::min(line.find_first_of(" \t:="), line.size()));
      warn(number, "'" + std::string(word) + "' is neither [SECTION] nor name=value");
      return;
    }
    if (place_ == Place::Outside) {
      warn(number, "'" + std::string(name) + "' stands before the first section");
    }
    if (place_ != Place::Defaults && place_ != Place::Session) {
      return;
    }
    Section& section = place_ == Place::Defaults ? result_.defaults : result_.sessions.back();
    Setting setting{std::string(name), std::string(base::trimmed(line.substr(equals + 1))), number};
    const auto same = std::ranges::find_if(section.settings, [&](const Setting& earlier) {
      return base::is_same_word(earlier.name, setting.name);
    });
    if (same == section.settings.end()) {
      section.settings.push_back(std::move(setting));
      return;
    }
    warn(number, "'" + setting.name + "' is given twice, first on line " +
                     std::to_string(same->line) + "; the last one counts");
    *same = std::move(setting);
  }

  void warn(std::size_t number, std::string text) {
    result_.warnings.push_back({number, std::move(text), "Q103"});
  }

  SettingsText result_;
  Place place_ = Place::Outside;
};

}  // namespace

const Setting* Section::find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      settings, [name](const Setting& setting) { return base::is_same_word(setting.name, name); });
  return found == settings.end() ? nullptr : &*found;
}

SettingsText read_settings(std::string_view text) {
  Reader reader;
  if (text.starts_with(byte_order_mark)) {
    text.remove_prefix(byte_order_mark.size());
  }
  for (std::size_t number = 1; !text.empty(); ++number) {
    reader.read_line(base::trimmed(base::take_part(text, '\n')), number);
  }
  return reader.take();
}

}  // namespace affix::inline v0::tools::import_quickfix
