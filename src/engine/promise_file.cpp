// SPDX-License-Identifier: MIT
// Text, lock and replacement of the files.
#include "engine/promise_file.hpp"

#include "affix/base/text.hpp"
#include "affix/os/read_file.hpp"
#include "affix/os/replace_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/file.h>
#include <system_error>
#include <utility>

namespace affix::inline v0::engine {

namespace {

constexpr std::size_t text_bytes_max = 256;

constexpr std::string_view first_line = "affix promise 1\n";

constexpr std::string_view hex_digits = "0123456789abcdef";

/// The rest of the line that begins with `key`, which is taken off the front of `text`.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view key) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(key)) {
    return std::nullopt;
  }
  const std::string_view value = text.substr(key.size(), end - key.size());
  text.remove_prefix(end + 1);
  return value;
}

std::optional<journal::BootId> boot_of(std::string_view text) {
  journal::BootId boot{};
  if (text.size() != 2 * sizeof(boot.bytes)) {
    return std::nullopt;
  }
  for (std::size_t at = 0; at < sizeof(boot.bytes); ++at) {
    const int high = base::hexadecimal_value(text[2 * at]);
    const int low = base::hexadecimal_value(text[2 * at + 1]);
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    boot.bytes[at] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return boot;
}

}  // namespace

std::string to_text(const Remembered& remembered) {
  std::string text(first_line);
  text += "epoch " + std::to_string(remembered.promised);
  text += "\nheld " + std::to_string(remembered.held);
  text += "\nled " + std::to_string(remembered.led) + "\nboot ";
  for (const std::uint8_t byte : remembered.boot.bytes) {
    text += hex_digits[byte >> 4];
    text += hex_digits[byte & 15];
  }
  text += remembered.closed ? "\nclosed yes\n" : "\nclosed no\n";
  return text;
}

std::expected<Remembered, base::Error> parse_remembered(std::string_view text) {
  const std::string_view whole = text;
  const auto head = take_line(text, first_line.substr(0, first_line.size() - 1));
  const auto epoch = take_line(text, "epoch ");
  const auto held = take_line(text, "held ");
  const auto led = take_line(text, "led ");
  const auto boot = take_line(text, "boot ");
  const auto closed = take_line(text, "closed ");
  const auto number = epoch ? base::parse_number<std::uint64_t>(*epoch) : std::nullopt;
  const auto of_journals = held ? base::parse_number<std::uint64_t>(*held) : std::nullopt;
  const auto of_sessions = led ? base::parse_number<std::uint64_t>(*led) : std::nullopt;
  const auto id = boot ? boot_of(*boot) : std::nullopt;
  if (head && number && of_journals && of_sessions && id && closed && text.empty()) {
    Remembered remembered{.promised = *number,
                          .held = *of_journals,
                          .led = *of_sessions,
                          .boot = *id,
                          .closed = *closed == "yes"};
    // Also refuses what means the same and was not written like this.
    if (to_text(remembered) == whole) {
      return remembered;
    }
  }
  return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                     "is no promise of an epoch, so the node cannot know what it "
                                     "may acknowledge",
                                     {},
                                     "E304"});
}

std::expected<PromiseFiles, base::Error> PromiseFiles::open(std::string directory) {
  std::error_code fault;
  std::filesystem::create_directories(directory, fault);
  const std::string path = directory + "/lock";
  os::FileDescriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.is_open()) {
    base::Error error = base::make_system_error("open", errno, path);
    error.message_code = "E304";
    return std::unexpected(std::move(error));
  }
  if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
    return std::unexpected(base::Error{base::ErrorCode::Locked,
                                       "key 'failover_directory': another process has it",
                                       directory, "E304"});
  }
  return PromiseFiles(std::move(directory), std::move(lock));
}

std::string PromiseFiles::path_of(std::string_view group) const {
  return directory_ + "/" + std::string(group) + ".promise";
}

std::expected<Remembered, base::Error> PromiseFiles::read(std::string_view group) const {
  const std::string path = path_of(group);
  auto text = os::read_file(path, text_bytes_max);
  if (!text) {
    if (text.error().code == base::ErrorCode::NotFound) {
      return Remembered{};
    }
    text.error().message_code = "E304";
    return std::unexpected(std::move(text.error()));
  }
  auto remembered = parse_remembered(*text);
  if (!remembered) {
    remembered.error().where = path;
  }
  return remembered;
}

std::expected<void, base::Error> PromiseFiles::write(std::string_view group,
                                                     const Remembered& remembered) const {
  auto written = os::replace_file(path_of(group), to_text(remembered), 0600);
  if (!written) {
    written.error().message_code = "E304";
  }
  return written;
}

}  // namespace affix::inline v0::engine
