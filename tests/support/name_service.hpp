// SPDX-License-Identifier: MIT
// A name service whose answers a test sets, for the addresses of a client group.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"

#include "config/client_addresses.hpp"

#include <expected>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::support {

/// The next answer, and the number of questions so far.
struct NameService {
  std::mutex mutex;
  std::expected<std::vector<net::Address>, base::Error> answer;
  int questions = 0;
};

inline NameService& name_service() {
  static NameService instance;
  return instance;
}

/// Look-up function of config::ClientAddresses.
inline std::expected<std::vector<net::Address>, base::Error> answered(std::string_view /*text*/) {
  const std::lock_guard lock(name_service().mutex);
  ++name_service().questions;
  return name_service().answer;
}

inline void answer_with(std::expected<std::vector<net::Address>, base::Error> answer) {
  const std::lock_guard lock(name_service().mutex);
  name_service().answer = std::move(answer);
}

inline net::Address parsed_address(const std::string& text) {
  return net::Address::parse(text).value();
}

inline std::vector<std::string> texts_of(const config::ClientAddresses& addresses) {
  std::vector<std::string> texts;
  for (const config::ClientAddress& each : addresses.addresses()) {
    texts.push_back(each.address.text());
  }
  return texts;
}

}  // namespace affix::support
