// SPDX-License-Identifier: MIT
// The table of versions.
#include "certify/version.hpp"

#include <array>

namespace affix::inline v0::certify {

namespace {

constexpr std::string_view order_40 = "21=1|55=ACME|54=1|38=100|40=1|";
constexpr std::string_view order_42 = "21=1|55=ACME|54=1|60=<now>|38=100|40=1|";
constexpr std::string_view order_44 = "55=ACME|54=1|60=<now>|38=100|40=1|";

constexpr std::array<Version, version_count> table{{
    {"4.0", "FIX.4.0", "", "FIX40.xml", order_40, "999999"},
    {"4.1", "FIX.4.1", "", "FIX41.xml", order_40, "999999"},
    {"4.2", "FIX.4.2", "", "FIX42.xml", order_42, "0"},
    {"4.3", "FIX.4.3", "", "FIX43.xml", order_42, "0"},
    {"4.4", "FIX.4.4", "", "FIX44.xml", order_44, "0"},
    {"5.0", "FIXT.1.1", "7", "FIX50.xml", order_44, "0"},
    {"5.0SP1", "FIXT.1.1", "8", "FIX50SP1.xml", order_44, "0"},
    {"5.0SP2", "FIXT.1.1", "9", "FIX50SP2.xml", order_44, "0"},
}};

}  // namespace

std::span<const Version> all_versions() noexcept {
  return table;
}

const Version* find_version(std::string_view name) noexcept {
  for (const Version& version : table) {
    if (version.name == name) {
      return &version;
    }
  }
  return nullptr;
}

}  // namespace affix::inline v0::certify
