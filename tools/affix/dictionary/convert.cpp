// SPDX-License-Identifier: MIT
// Converts dictionaries.
#include "dictionary/convert.hpp"

#include "affix/dictionary/canonical.hpp"
#include "affix/dictionary/model.hpp"

#include "dictionary/check.hpp"
#include "process/standard_output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace affix::inline v0::tools::dictionary {

namespace {

using affix::dictionary::Dictionary;

// Writes to a temporary name and renames, so that no other process reads a partial dictionary.
bool write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".writing";
  {
    std::ofstream file(draft, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) {
      std::fprintf(stderr, "%s: cannot be written: %s [P131]\n", path.c_str(),
                   std::strerror(errno));
      std::error_code ignored;
      std::filesystem::remove(draft, ignored);
      return false;
    }
  }
  std::error_code fault;
  std::filesystem::rename(draft, path, fault);
  if (fault) {
    std::fprintf(stderr, "%s: cannot be written: %s [P131]\n", path.c_str(),
                 fault.message().c_str());
    std::error_code ignored;
    std::filesystem::remove(draft, ignored);
  }
  return !fault;
}

}  // namespace

int convert(const ConvertOptions& options, std::FILE* out) {
  auto dictionary = open_dictionary(options.path, true, stderr);
  if (!dictionary) {
    return 1;
  }
  if (!options.version.empty()) {
    const auto version = affix::dictionary::version_from_text(options.version);
    if (!version) {
      std::fprintf(stderr,
                   "'%s' names no version of FIX; say for example FIX.4.4 or FIX.5.0SP2 [P131]\n",
                   options.version.c_str());
      return 1;
    }
    affix::dictionary::Parts parts = dictionary->parts();
    parts.version = *version;
    dictionary.emplace(std::move(parts));
  }
  const std::string text = affix::dictionary::write_canonical(*dictionary);
  if (options.output.empty()) {
    return std::fwrite(text.data(), 1, text.size(), out) == text.size() ? 0 : output_status;
  }
  return write_file(options.output, text) ? 0 : 1;
}

}  // namespace affix::inline v0::tools::dictionary
