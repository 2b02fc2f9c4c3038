// SPDX-License-Identifier: MIT
// Damage to the bytes of a file, as disks, crashes and people do it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace affix::support {

/// Damages `bytes` at, before or from `at`, which is one of them; returns a description.
template <typename Random>
std::string damage(std::string& bytes, std::size_t at, Random& random) {
  const std::size_t most = random() % 2 == 0 ? 64 : 3'000;
  const std::size_t count = std::min<std::size_t>(bytes.size() - at, 1 + random() % most);
  const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto to = from + static_cast<std::ptrdiff_t>(count);
  const std::string place = std::to_string(at);
  switch (random() % 6) {
    case 0:
      *from = static_cast<char>(*from ^ (1 << random() % 8));
      return "bit flipped at " + place;
    case 1:
      bytes.resize(at);
      return "cut at " + place;
    case 2:
      std::fill(from, to, '\0');
      return std::to_string(count) + " zeros from " + place;
    case 3:
      std::fill(from, bytes.end(), '\0');
      return "zeros from " + place;
    case 4:
      std::fill(bytes.begin(), from, '\0');
      return "zeros up to " + place;
    default:
      std::generate(from, to, [&random] { return static_cast<char>(random()); });
      return std::to_string(count) + " bytes changed from " + place;
  }
}

}  // namespace affix::support
