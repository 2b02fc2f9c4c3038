// SPDX-License-Identifier: MIT
// Names of versions as messages and people write them.

#include "affix/dictionary/model.hpp"

#include <string>
#include <string_view>

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

}  // namespace affix::inline v0::dictionary
