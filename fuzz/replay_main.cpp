// SPDX-License-Identifier: MIT
// main() of a fuzz target in builds without libFuzzer: feeds it every file of the given folders,
// once. An empty corpus is a failure, because a replay of nothing proves nothing.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

/// The block has exactly the size of the input, so that a sanitizer sees a read one byte past it.
void replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
  const auto exact = std::make_unique<std::uint8_t[]>(content.size());
  std::copy(content.begin(), content.end(), exact.get());
  LLVMFuzzerTestOneInput(exact.get(), content.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t replayed = 0;
  for (int index = 1; index < argc; ++index) {
    if (!std::filesystem::is_directory(argv[index])) {
      std::fprintf(stderr, "%s: not a corpus folder\n", argv[index]);
      return 1;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[index])) {
      if (entry.is_regular_file()) {
        replay(entry.path());
        ++replayed;
      }
    }
  }
  std::printf("replayed %zu inputs\n", replayed);
  return replayed == 0 ? 1 : 0;
}
