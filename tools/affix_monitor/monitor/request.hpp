// SPDX-License-Identifier: MIT
// A request and its answer for the monitor's handlers: without sockets and HTTP library, so that
// tests and fuzzers need none.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

inline constexpr std::size_t target_bytes_max = 8'000;
inline constexpr std::size_t body_bytes_max = 64 * 1024;
inline constexpr std::size_t parameters_max = 64;

/// Facts about a request. Owns everything.
struct Request {
  std::string method;  ///< "GET", "HEAD", "POST"; anything else is refused.
  std::string path;    ///< Decoded, without the query.
  std::vector<std::pair<std::string, std::string>> query{};  ///< Decoded, in their order.
  std::string body{};

  std::string host{};
  std::string origin{};      ///< Empty: the client sent none, as programs do.
  std::string fetch_site{};  ///< Sec-Fetch-Site; empty: none.
  std::string authorization{};
  std::string content_type{};
  std::string if_none_match{};
  std::string peer{};  ///< The client's address as text.
};

struct Answer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
};

/// `{"error": text, "code": code}`.
[[nodiscard]] Answer refuse(int status, std::string_view text, base::MessageCode code);
[[nodiscard]] Answer refuse(int status, const base::Error& error);

/// Parses path and query of a request line. Errors: too long, no path, an invalid escape, control
/// characters, too many parameters.
[[nodiscard]] std::expected<Request, base::Error> request_of_target(std::string_view target);

/// Parameters of one request. A handler names the known ones, reads each once, and then checks
/// error().
class Parameters {
 public:
  /// `known`: the allowed names; a `*` after one allows several values.
  Parameters(const Request& request, std::initializer_list<std::string_view> known);

  /// Empty if missing.
  [[nodiscard]] std::string text(std::string_view name) const;

  /// All values of a parameter that allows several.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;

  /// `fallback` if missing. An error for a value outside least..most, or no number.
  [[nodiscard]] long long number(std::string_view name, long long fallback, long long least,
                                 long long most);

  /// "1" is true; "0" and a missing parameter are false.
  [[nodiscard]] bool flag(std::string_view name);

  /// A time: nanoseconds since 1970, or `2026-01-31T09:30:00.5Z`, with a space for T, without
  /// seconds or the time of day. `upper`: its last moment.
  [[nodiscard]] std::optional<long long> time(std::string_view name, bool upper);

  void set_error(std::string text);

  /// The first error; empty: none.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  const Request& request_;
  std::string error_;
};

/// Text valid in JSON: replaces bytes that are not UTF-8 one by one, keeps control characters.
[[nodiscard]] std::string as_utf8(std::string_view bytes);

/// `2026-01-31T09:30:00.123456789Z`.
[[nodiscard]] std::string iso_time(long long utc_ns);

}  // namespace affix::inline v0::tools::monitor
