// SPDX-License-Identifier: MIT
// Writes lines of fractions.
#include "measure/distribution.hpp"

#include <fstream>
#include <iomanip>

namespace affix::inline v0::tools {

std::vector<double> distribution_fractions() {
  constexpr int nines = 6;
  constexpr int steps = 9;
  std::vector<double> fractions;
  double left = 1;
  for (int nine = 0; nine < nines; ++nine) {
    for (int step = 0; step < steps; ++step) {
      fractions.push_back(1 - left * (1 - step / 10.0));
    }
    left /= 10;
  }
  fractions.push_back(1 - left);
  fractions.push_back(1);
  return fractions;
}

std::expected<void, base::Error> write_distribution(
    const std::string& path, const std::vector<DistributionColumn>& columns) {
  std::ofstream file(path, std::ios::trunc);
  file << "fraction";
  for (const DistributionColumn& column : columns) {
    file << ',' << column.name;
  }
  file << '\n' << std::fixed << std::setprecision(7);
  for (const double fraction : distribution_fractions()) {
    file << fraction;
    for (const DistributionColumn& column : columns) {
      file << ',' << column.histogram->value_at(fraction);
    }
    file << '\n';
  }
  file.close();
  if (!file) {
    return std::unexpected(base::Error{base::ErrorCode::Io, "cannot be written", path, "L101"});
  }
  return {};
}

}  // namespace affix::inline v0::tools
