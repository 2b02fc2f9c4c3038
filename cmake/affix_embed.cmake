# The files of a directory as a C++ source, written at build time: cmake -DDIRECTORY=... -DOUTPUT=... -P affix_embed.cmake
# It defines affix::tools::monitor::page_files(), declared in tools/affix_monitor/monitor/page_files.hpp.

file(GLOB_RECURSE names RELATIVE "${DIRECTORY}" "${DIRECTORY}/*")
list(SORT names)
set(arrays "")
set(entries "")
set(number 0)
foreach(name IN LISTS names)
  file(READ "${DIRECTORY}/${name}" bytes HEX)
  file(SHA256 "${DIRECTORY}/${name}" hash)
  string(SUBSTRING "${hash}" 0 16 hash)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  # Lines of forty bytes: a compiler takes them, and so does a debugger.
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes
                       "${bytes}")
  string(APPEND arrays "constexpr unsigned char bytes_${number}[] = {\n${bytes}0};\n")
  string(APPEND entries
         "    {\"${name}\", {reinterpret_cast<const char*>(bytes_${number}), ${size}}, \"\\\"${hash}\\\"\"},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: MIT
// The page's files; made by cmake/affix_embed.cmake.
#include \"monitor/page_files.hpp\"

#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

${arrays}
}  // namespace

std::span<const PageFile> page_files() noexcept {
  static const std::vector<PageFile> files{
${entries}  };
  return files;
}

}  // namespace affix::inline v0::tools::monitor
")
