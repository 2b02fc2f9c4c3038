// SPDX-License-Identifier: MIT
// answers FOLDER...: what the codec says of each file below the folders, as a number for each: that
// of one platform must be that of every other. Every kernel of the machine is asked, and every
// conversion, of the whole file and of each of its fields.
#include "affix/base/crc32c.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/kernel.hpp"

#include "support/index_reference.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::platforms {
namespace {

constexpr auto picos = wire::TimePrecision::Picos;

/// FNV-1a of all that was said.
class Digest {
 public:
  void add(std::string_view text) noexcept {
    for (const char each : text) {
      value_ = (value_ ^ static_cast<unsigned char>(each)) * 0x100'0000'01b3;
    }
    value_ = (value_ ^ text.size()) * 0x100'0000'01b3;
  }

  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf2'9ce4'8422'2325;
};

template <typename Parse, typename Format>
void say_conversion(Digest& digest, std::string_view text, Parse parse, Format format) {
  const auto value = parse(text);
  if (!value) {
    digest.add(wire::to_text(value.error()));
    return;
  }
  char out[128];
  digest.add({out, format(*value, out)});
}

template <typename T>
void say_integer(Digest& digest, std::string_view text) {
  say_conversion(
      digest, text, [](std::string_view t) { return wire::parse_integer<T>(t); },
      [](T value, char* out) { return wire::format_integer(value, out); });
}

void say_conversions(Digest& digest, std::string_view text) {
  say_integer<std::int8_t>(digest, text);
  say_integer<std::uint16_t>(digest, text);
  say_integer<std::int32_t>(digest, text);
  say_integer<std::int64_t>(digest, text);
  say_integer<std::uint64_t>(digest, text);
  say_conversion(digest, text, wire::parse_decimal,
                 [](auto value, char* out) { return wire::format_decimal(value, out); });
  say_conversion(digest, text, wire::parse_utc_time,
                 [](auto value, char* out) { return wire::format_utc_time(value, picos, out); });
  say_conversion(digest, text, wire::parse_date,
                 [](auto value, char* out) { return wire::format_date(value, out); });
  say_conversion(digest, text, wire::parse_zoned_time, [](const auto& value, char* out) {
    return wire::format_zoned_time(value, picos, out);
  });
  say_conversion(digest, text, wire::parse_month_year,
                 [](auto value, char* out) { return wire::format_month_year(value, out); });
  say_conversion(digest, text, wire::parse_tenor,
                 [](auto value, char* out) { return wire::format_tenor(value, out); });
  say_conversion(digest, text, wire::parse_time_of_day,
                 [](auto value, char* out) { return wire::format_time_of_day(value, picos, out); });
  const auto boolean = wire::parse_boolean(text);
  digest.add(boolean ? (*boolean ? "Y" : "N") : wire::to_text(boolean.error()));
}

/// Of the whole index, and of the values of its fields if it is one.
void say_index(Digest& digest, std::string_view message) {
  const auto index = std::make_unique<wire::FieldIndexOf<512>>();
  wire::index_message(message, *index, wire::DataFields());
  digest.add(support::result_of(*index).text());
  for (std::uint32_t field = 0; field < index->count; ++field) {
    say_conversions(
        digest, message.substr(index->begins[field], index->ends[field] - index->begins[field]));
  }
}

void say_frames(Digest& digest, std::string_view stream) {
  wire::Framer framer;
  while (true) {
    const wire::Frame frame = framer.next(stream);
    digest.add(std::to_string(static_cast<int>(frame.status)) + ' ' +
               std::to_string(static_cast<int>(frame.error)) + ' ' + std::to_string(frame.size));
    if (frame.status == wire::FrameStatus::Partial) {
      return;
    }
    if (frame.status == wire::FrameStatus::Complete) {
      say_index(digest, stream.substr(0, frame.size));
    }
    stream.remove_prefix(frame.size);
  }
}

std::uint64_t answers_to(std::string_view bytes) {
  Digest digest;
  say_index(digest, bytes);
  say_frames(digest, bytes);
  say_conversions(digest, bytes);
  digest.add(std::to_string(base::crc32c(bytes)));
  return digest.value();
}

/// False: the kernels of this machine differ.
bool print_answers(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::uint64_t first = 0;
  for (const wire::Kernel kernel : {wire::Kernel::Scalar, wire::Kernel::Sse42, wire::Kernel::Avx2,
                                    wire::Kernel::Avx512, wire::Kernel::Neon}) {
    if (!wire::kernel_available(kernel) || !wire::force_kernel(kernel)) {
      continue;
    }
    const std::uint64_t answers = answers_to(bytes);
    if (kernel == wire::Kernel::Scalar) {
      first = answers;
    } else if (answers != first) {
      std::fprintf(stderr, "%s: %s differs from the scalar kernel\n", file.c_str(),
                   wire::to_text(kernel));
      return false;
    }
  }
  std::printf("%016" PRIx64 " %s\n", first, file.lexically_relative(folder).c_str());
  return true;
}

}  // namespace
}  // namespace affix::platforms

int main(int count, char** arguments) {
  bool same = count > 1;
  for (int argument = 1; argument < count; ++argument) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[argument])) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      same = affix::platforms::print_answers(arguments[argument], file) && same;
    }
  }
  return same ? 0 : 1;
}
