// SPDX-License-Identifier: MIT
// Names of versions in messages and in files.

#include "affix/dictionary/parts.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace affix::inline v0::dictionary {

std::string Version::name() const {
  if (is_latest && extension_pack == 0) {
    return "FIX.Latest";
  }
  std::string name = is_latest ? "FIX.Latest" : is_transport ? "FIXT." : "FIX.";
  if (!is_latest) {
    name += std::to_string(major) + "." + std::to_string(minor);
    if (service_pack != 0) {
      name += "SP" + std::to_string(service_pack);
    }
  }
  if (extension_pack != 0) {
    name += "_EP" + std::to_string(extension_pack);
  }
  return name;
}

std::string Version::begin_string() const {
  if (is_transport) {
    return "FIXT." + std::to_string(major) + "." + std::to_string(minor);
  }
  if (is_latest || major >= 5) {
    return "FIXT.1.1";
  }
  return "FIX." + std::to_string(major) + "." + std::to_string(minor);
}

std::string_view Version::appl_ver_id() const noexcept {
  if (is_transport) {
    return {};
  }
  if (is_latest) {
    return "10";
  }
  if (major == 4 && minor <= 4) {
    constexpr std::string_view ids = "23456";
    return ids.substr(minor, 1);
  }
  if (major == 5 && minor == 0 && service_pack <= 2) {
    constexpr std::string_view ids = "789";
    return ids.substr(service_pack, 1);
  }
  return {};
}

bool Version::is_known() const noexcept {
  return is_transport ? major == 1 && minor == 1 : !appl_ver_id().empty();
}

namespace {

// Takes a number off the front of `text`; nullopt, leaving `text` unchanged, if there is none.
std::optional<std::uint16_t> take_number(std::string_view& text) noexcept {
  std::uint16_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{}) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Takes `mark` and the number after it off the front; 0 when `mark` is missing, nullopt when no
// number follows it.
std::optional<std::uint16_t> take_marked(std::string_view& text, std::string_view mark) noexcept {
  if (!text.starts_with(mark)) {
    return std::uint16_t{0};
  }
  text.remove_prefix(mark.size());
  return take_number(text);
}

}  // namespace

std::optional<Version> version_from_text(std::string_view text) noexcept {
  constexpr std::string_view latest = "FIX.Latest";
  Version version;
  if (text.starts_with(latest)) {
    text.remove_prefix(latest.size());
    version = {.is_transport = false,
               .is_latest = true,
               .major = 5,
               .minor = 0,
               .service_pack = 2,
               .extension_pack = 0};
  } else {
    version.is_transport = text.starts_with("FIXT.");
    if (!version.is_transport && !text.starts_with("FIX.")) {
      return std::nullopt;
    }
    text.remove_prefix(text.find('.') + 1);
    const auto major = take_number(text);
    const auto minor = text.starts_with('.') ? take_marked(text, ".") : std::nullopt;
    const auto service_pack = take_marked(text, "SP");
    if (!major || !minor || !service_pack) {
      return std::nullopt;
    }
    version.major = *major;
    version.minor = *minor;
    version.service_pack = *service_pack;
  }
  const auto extension_pack = take_marked(text, "_EP");
  if (!extension_pack || !text.empty()) {
    return std::nullopt;
  }
  version.extension_pack = *extension_pack;
  return version;
}

}  // namespace affix::inline v0::dictionary
