// SPDX-License-Identifier: MIT
// The memory of the rows: a head that tells its layout, then the rows.
#include "host/link_table.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::host {

namespace {

/// Precedes the rows.
struct Head {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t row_bytes;
  std::atomic<std::uint64_t> rows;
  std::atomic<std::uint64_t> last_token;
  std::array<char, 32> reserved;
};

constexpr std::array<char, 8> table_magic{'a', 'f', 'f', 'i', 'x', 'L', 'N', 'K'};
static_assert(sizeof(Head) == 64 && sizeof(LinkRecord) % 64 == 0);

std::size_t bytes_of(std::size_t rows) noexcept {
  return sizeof(Head) + rows * sizeof(LinkRecord);
}

Head& head_of(void* memory) noexcept {
  return *static_cast<Head*>(memory);
}

base::Error fault(base::ErrorCode code, const char* text) {
  return {code, text, "table of connections", "K308"};
}

}  // namespace

LinkTable::LinkTable(os::FileDescriptor file, void* memory, std::size_t bytes) noexcept
    : file_(std::move(file)),
      memory_(memory),
      bytes_(bytes),
      rows_(reinterpret_cast<LinkRecord*>(static_cast<char*>(memory) + sizeof(Head)),
            (bytes - sizeof(Head)) / sizeof(LinkRecord)) {}

LinkTable::~LinkTable() {
  ::munmap(memory_, bytes_);
}

std::expected<std::unique_ptr<LinkTable>, base::Error> LinkTable::map(os::FileDescriptor file,
                                                                      std::size_t bytes) {
  // Populated: a session's first message must not wait for a page.
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.number(), 0);
  if (memory == MAP_FAILED) {
    return std::unexpected(base::make_system_error("mmap", errno, "table of connections"));
  }
  return std::unique_ptr<LinkTable>(new LinkTable(std::move(file), memory, bytes));
}

std::expected<std::unique_ptr<LinkTable>, base::Error> LinkTable::create(std::size_t rows) {
  os::FileDescriptor file(::memfd_create("affix-links", MFD_CLOEXEC));
  const std::size_t bytes = bytes_of(rows);
  if (file.number() < 0 || ::ftruncate(file.number(), static_cast<off_t>(bytes)) != 0) {
    return std::unexpected(base::make_system_error("memfd_create", errno, "table of connections"));
  }
  auto table = map(std::move(file), bytes);
  if (table) {
    Head& head = head_of((*table)->memory_);
    head.version = link_table_version;
    head.row_bytes = sizeof(LinkRecord);
    head.rows.store(rows, std::memory_order_relaxed);
    head.magic = table_magic;
  }
  return table;
}

std::expected<std::unique_ptr<LinkTable>, base::Error> LinkTable::adopt(os::FileDescriptor file,
                                                                        std::size_t rows) {
  struct stat found{};
  if (::fstat(file.number(), &found) != 0) {
    return std::unexpected(base::make_system_error("fstat", errno, "table of connections"));
  }
  Head head_there{};
  const auto size = static_cast<std::size_t>(found.st_size);
  if (size < sizeof(Head) ||
      ::pread(file.number(), static_cast<void*>(&head_there), sizeof(Head), 0) != sizeof(Head) ||
      head_there.magic != table_magic) {
    return std::unexpected(fault(base::ErrorCode::Damaged, "it is no table of connections"));
  }
  if (head_there.version != link_table_version || head_there.row_bytes != sizeof(LinkRecord)) {
    return std::unexpected(
        fault(base::ErrorCode::Unsupported, "another version of affix has written it"));
  }
  const std::uint64_t there = head_there.rows.load(std::memory_order_relaxed);
  if (there > (size - sizeof(Head)) / sizeof(LinkRecord)) {
    return std::unexpected(fault(base::ErrorCode::Damaged, "it has fewer rows than it says"));
  }
  const std::size_t bytes = bytes_of(std::max<std::size_t>(rows, there));
  if (size < bytes && ::ftruncate(file.number(), static_cast<off_t>(bytes)) != 0) {
    return std::unexpected(base::make_system_error("ftruncate", errno, "table of connections"));
  }
  auto table = map(std::move(file), bytes);
  if (table) {
    head_of((*table)->memory_).rows.store((*table)->rows_.size(), std::memory_order_release);
  }
  return table;
}

LinkRecord* LinkTable::take(std::uint64_t identity, std::string_view name,
                            std::uint32_t role) noexcept {
  for (LinkRecord& row : rows_) {
    LinkStage expected = LinkStage::Free;
    if (!row.stage.compare_exchange_strong(expected, LinkStage::Taken, std::memory_order_acq_rel)) {
      continue;
    }
    row.places = {};  // Those of another connection explain nothing.
    row.role = role;
    row.identity = identity;
    row.token = head_of(memory_).last_token.fetch_add(1, std::memory_order_relaxed) + 1;
    row.name_size =
        static_cast<std::uint32_t>(name.copy(row.name_bytes.data(), row.name_bytes.size()));
    return &row;
  }
  return nullptr;
}

LinkRecord* LinkTable::find(std::uint64_t token) noexcept {
  const auto found = std::ranges::find_if(rows_, [token](const LinkRecord& row) {
    return row.token == token && row.stage.load(std::memory_order_acquire) != LinkStage::Free;
  });
  return found == rows_.end() ? nullptr : &*found;
}

}  // namespace affix::inline v0::host
