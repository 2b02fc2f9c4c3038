// SPDX-License-Identifier: MIT
// Any bytes as a journal's segment files: reading, opening, replaying and appending after them must
// return a value or an error. The first byte says where a second segment begins and which checksums
// are corrected, so that the fuzzer gets past them.
#include "affix/base/crc32c.hpp"
#include "affix/journal.hpp"
#include "affix/journal/format.hpp"

#include "temporary_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace {

namespace journal = affix::journal;
namespace format = affix::journal::format;
using affix_fuzz::require;
using affix_fuzz::write_file;

constexpr std::size_t segment_bytes = 8 * 1024;

const std::string& directory() {
  static const affix_fuzz::Directory only;
  return only.path();
}

std::string segment_path(unsigned number) {
  return directory() + "/000000000" + std::to_string(number) + ".journal";
}

template <typename T>
T load(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

template <typename T>
void store(std::string& bytes, std::size_t at, const T& value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

void mend_header(std::string& bytes, std::uint32_t number) {
  auto header = load<format::Header>(bytes, 0);
  header.magic = format::magic;
  header.byte_order = format::byte_order_mark;
  header.version = format::version;
  header.records_offset = format::records_offset;
  header.segment_number = number;
  header.segment_bytes =
      std::max<std::uint64_t>(header.segment_bytes % (2 * segment_bytes), bytes.size());
  header.identity_bytes = 1;
  header.identity[0] = 'x';
  header.crc = 0;
  header.crc =
      affix::base::crc32c({reinterpret_cast<const char*>(&header) + 8, sizeof(header) - 8});
  store(bytes, 0, header);
  for (const std::size_t offset : format::state_offset) {
    auto state = load<format::State>(bytes, offset);
    state.crc =
        affix::base::crc32c({reinterpret_cast<const char*>(&state), offsetof(format::State, crc)});
    store(bytes, offset, state);
  }
}

void mend_records(std::string& bytes, std::uint32_t number) {
  std::size_t at = format::records_offset;
  while (at + format::record_bytes(0) <= bytes.size()) {
    auto header = load<format::RecordHeader>(bytes, at);
    if (header.length < format::record_header_bytes ||
        header.length - format::record_header_bytes > bytes.size() - at - format::record_bytes(0)) {
      return;
    }
    header.crc = affix::base::crc32c({bytes.data() + at + 8, header.length - 8},
                                     format::record_seed(number, static_cast<std::uint32_t>(at)));
    store(bytes, at, header);
    at += format::record_bytes(header.length - format::record_header_bytes);
  }
}

void read_all() {
  auto reader = journal::Reader::open(directory());
  if (!reader) {
    return;
  }
  std::size_t sum = 0;
  while (const auto record = reader->next()) {
    for (const char byte : record->bytes) {
      sum += static_cast<unsigned char>(byte);
    }
    require(to_text(record->kind) != nullptr && to_text(record->event) != nullptr);
  }
  require(sum < SIZE_MAX);
}

void open_and_use() {
  journal::Options options;
  options.directory = directory();
  options.identity = "x";
  options.first_segment_bytes = segment_bytes;
  options.max_segment_bytes = segment_bytes;
  options.sequence_reserve = 0;
  options.sync_on_close = false;
  auto opened = journal::Journal::open(options);
  if (!opened) {
    require(!opened.error().message.empty());
    return;
  }
  journal::Journal& log = **opened;
  journal::Replay unprocessed = log.unprocessed();
  while (const auto record = unprocessed.next()) {
    log.mark_processed(record->position);
  }
  for (const std::uint64_t from :
       {std::uint64_t{0}, log.next_outgoing() / 2, log.next_outgoing() - 1}) {
    journal::Replay replay = log.replay(from, UINT64_MAX);
    while (const auto record = replay.next()) {
      require(record->sequence >= from);
    }
  }
  const std::string message(100, 'm');
  const std::uint64_t first = log.next_outgoing();
  for (int sent = 0; sent < 120 && log.next_outgoing() < UINT64_MAX - 1; ++sent) {
    require(log.append_sent(log.next_outgoing(), 1, message) == journal::AppendResult::Appended);
  }
  const std::uint64_t next = log.next_outgoing();
  const std::uint64_t expected = log.next_expected();
  opened->reset();
  // The next opening must find the appended records.
  auto again = journal::Journal::open(options);
  require(again.has_value() && (*again)->next_outgoing() == next &&
          (*again)->next_expected() == expected);
  require(first <= next);
}

void clear_directory() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory(), ignored)) {
    std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const unsigned choice = input[0];
  std::string bytes(reinterpret_cast<const char*>(input + 1),
                    std::min(size - 1, 4 * segment_bytes));
  std::string second;
  if ((choice & 4U) != 0) {
    const std::size_t cut = bytes.size() * (choice >> 4) / 16;
    second = bytes.substr(cut);
    bytes.resize(cut);
  }
  std::uint32_t number = 1;
  for (std::string* const file : {&bytes, &second}) {
    if (file->empty()) {
      continue;
    }
    if ((choice & 8U) != 0) {
      file->resize(segment_bytes);
    }
    if ((choice & 1U) != 0 && file->size() >= format::records_offset) {
      mend_header(*file, number);
      if ((choice & 2U) != 0) {
        mend_records(*file, number);
      }
    }
    write_file(segment_path(number), *file);
    ++number;
  }
  read_all();
  open_and_use();
  read_all();
  clear_directory();
  return 0;
}
