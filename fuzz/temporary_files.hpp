// SPDX-License-Identifier: MIT
// Files for fuzz targets whose subject reads files.
#pragma once

#include "program_input.hpp"
#include "support/temporary_directory.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace affix_fuzz {

/// One directory, in memory if the system allows it, removed with this object. A target keeps one
/// for its process, as making it costs more than an input.
struct Directory : affix::support::TemporaryDirectory {
  Directory() : TemporaryDirectory(On::Memory) {}
};

/// Replaces the file's contents with these bytes.
inline void write_file(const std::string& path, std::string_view bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  require(file != nullptr);
  require(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
  std::fclose(file);
}

}  // namespace affix_fuzz
