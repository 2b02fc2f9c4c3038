// SPDX-License-Identifier: MIT
// Maps paths to files, with headers that restrict the browser to them.
#include "monitor/page_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> types{
    {{".html", "text/html; charset=utf-8"},
     {".js", "text/javascript; charset=utf-8"},
     {".css", "text/css; charset=utf-8"},
     {".svg", "image/svg+xml"},
     {".png", "image/png"},
     {".ico", "image/x-icon"},
     {".webmanifest", "application/manifest+json"}}};

std::string_view type_of(std::string_view name) noexcept {
  for (const auto& [ending, type] : types) {
    if (name.ends_with(ending)) {
      return type;
    }
  }
  return {};
}

/// Words of letters, digits, `-`, `_` and single dots, with slashes between.
bool is_plain(std::string_view name) noexcept {
  const bool letters = std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ||
           c == '/';
  });
  return letters && !name.empty() && name.find("..") == std::string_view::npos &&
         name.find("//") == std::string_view::npos && name.front() != '/' && name.front() != '.' &&
         name.find("/.") == std::string_view::npos;
}

/// Browsers ask for /favicon.ico beside a file that names no icon.
std::string_view name_of(std::string_view path) noexcept {
  if (path == "/") {
    return "index.html";
  }
  return path == "/favicon.ico" ? "icon.svg" : path.substr(1);
}

}  // namespace

Answer answer_page(const Request& request, const std::string& directory) {
  const std::string name(name_of(request.path));
  const std::string_view type = type_of(name);
  if (type.empty() || !is_plain(name)) {
    return refuse(404, "there is nothing at this path", "M122");
  }
  Answer answer;
  answer.content_type = type;
  answer.headers = {{"Cache-Control", "no-cache"}};
  if (!directory.empty()) {
    std::ifstream file(directory + "/" + name, std::ios::binary);
    if (!file) {
      return refuse(404, "there is nothing at this path", "M122");
    }
    answer.body.assign(std::istreambuf_iterator<char>(file), {});
    return answer;
  }
  const auto files = page_files();
  const auto found = std::ranges::find(files, name, &PageFile::name);
  if (found == files.end()) {
    return refuse(404, "there is nothing at this path", "M122");
  }
  answer.headers.emplace_back("ETag", found->etag);
  if (request.if_none_match == found->etag) {
    answer.status = 304;
  } else {
    answer.body = found->bytes;
  }
  return answer;
}

}  // namespace affix::inline v0::tools::monitor
