// SPDX-License-Identifier: MIT
// Reads secrets and certificate files.
#include "tls/tls_secrets.hpp"

#include "affix/base/text.hpp"
#include "affix/os/read_file.hpp"
#include "affix/os/this_process.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <utility>

namespace affix::inline v0::tls {

namespace {

constexpr std::size_t secret_bytes_max = std::size_t{1} << 20;

// 128 bits: a shorter key could be guessed from one recorded handshake. OpenSSL allows 256 bytes.
constexpr std::size_t key_bytes_min = 16;
constexpr std::size_t key_bytes_max = 256;

// PSK_MAX_IDENTITY_LEN of the oldest OpenSSL version that we build with.
constexpr std::size_t identity_bytes_max = 128;

/// The bytes; empty when the number of digits is odd.
std::string bytes_of_digits(std::string_view digits) {
  std::string bytes;
  if (digits.size() % 2 != 0) {
    return bytes;
  }
  // Reserved, so that growth leaves no copies of a key in memory.
  bytes.reserve(digits.size() / 2);
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    const int high = base::hexadecimal_value(digits[at]);
    const int low = base::hexadecimal_value(digits[at + 1]);
    if (high < 0 || low < 0) {
      OPENSSL_cleanse(bytes.data(), bytes.size());
      return {};
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

base::Error file_error(int error_number, const std::string& path, std::size_t bytes_max) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return {base::ErrorCode::NotFound, "there is no such file", path, "T102"};
    case EACCES:
    case EPERM:
      return {base::ErrorCode::Denied, "the file may not be read", path, "T102"};
    case EISDIR:
      return {base::ErrorCode::InvalidArgument, "is a directory", path, "T102"};
    case EFBIG:
      return {base::ErrorCode::Limit, "is larger than " + std::to_string(bytes_max) + " bytes",
              path, "T102"};
    default:
      return base::make_system_error("read", error_number, path);
  }
}

}  // namespace

SecretText::SecretText(SecretText&& other) noexcept {
  // Copied and overwritten, since a moved-from short string keeps its bytes.
  text_.assign(other.text_);
  other.overwrite();
}

SecretText& SecretText::operator=(SecretText&& other) noexcept {
  if (this != &other) {
    overwrite();
    text_.assign(other.text_);
    other.overwrite();
  }
  return *this;
}

SecretText::~SecretText() {
  overwrite();
}

void SecretText::overwrite() noexcept {
  OPENSSL_cleanse(text_.data(), text_.size());
  text_.clear();
}

std::expected<std::string, base::Error> read_whole_file(const std::string& path,
                                                        std::size_t bytes_max) {
  const os::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    return std::unexpected(file_error(errno, path, bytes_max));
  }
  auto text = os::read_open_file(file, bytes_max);
  if (!text) {
    return std::unexpected(file_error(text.error(), path, bytes_max));
  }
  return std::move(*text);
}

std::expected<SecretText, base::Error> read_secret(const TlsSecret& secret) {
  std::string text;
  if (secret.source == TlsSecret::Source::Environment) {
    const char* value = os::trusted_variable(secret.name.c_str());
    if (value == nullptr) {
      return std::unexpected(base::Error{
          base::ErrorCode::NotFound, "there is no such environment variable", secret.name, "T102"});
    }
    text = value;
  } else if (secret.source == TlsSecret::Source::File) {
    auto read = read_whole_file(secret.name, secret_bytes_max);
    if (!read) {
      return std::unexpected(std::move(read.error()));
    }
    text = std::move(*read);
  }
  while (text.ends_with('\n') || text.ends_with('\r')) {
    text.pop_back();
  }
  SecretText result(text);
  OPENSSL_cleanse(text.data(), text.size());
  return result;
}

std::expected<PresharedKeys, base::Error> PresharedKeys::parse(std::string_view text,
                                                               const std::string& where) {
  PresharedKeys keys;
  std::size_t number = 0;
  const auto fail = [&](std::string message) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged, std::move(message),
                                       where + ":" + std::to_string(number), "T112"});
  };
  while (!text.empty()) {
    const std::string_view line = base::trimmed(base::take_part(text, '\n'));
    ++number;
    if (line.empty() || line.front() == '#') {
      continue;
    }
    // The last colon: an identity may contain colons, a key none.
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon > identity_bytes_max) {
      return fail("a pre-shared key is written identity:key, the identity of 1 to 128 bytes");
    }
    const std::string identity(line.substr(0, colon));
    std::string key = bytes_of_digits(line.substr(colon + 1));
    SecretText owned(key);
    OPENSSL_cleanse(key.data(), key.size());
    if (owned.view().size() < key_bytes_min || owned.view().size() > key_bytes_max) {
      return fail("the key of '" + identity + "' is not 16 to 256 bytes in hexadecimal digits");
    }
    if (keys.find(identity) != nullptr) {
      return fail("the identity '" + identity + "' is given twice");
    }
    keys.entries_.push_back({identity, std::move(owned)});
  }
  if (keys.entries_.empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::Damaged, "holds no pre-shared key", where, "T103"});
  }
  return keys;
}

const PresharedKeys::Entry* PresharedKeys::find(std::string_view identity) const noexcept {
  const Entry* found = nullptr;
  for (const Entry& each : entries_) {
    const bool same = each.identity.size() == identity.size() &&
                      CRYPTO_memcmp(each.identity.data(), identity.data(), identity.size()) == 0;
    found = same ? &each : found;
  }
  return found;
}

}  // namespace affix::inline v0::tls
