// SPDX-License-Identifier: MIT
// The memory of the rows: a head that tells its layout, the workers' signs, then the rows.
#include "host/link_table.hpp"

#include "affix/os/pages.hpp"

#include "os/nameless_file.hpp"
#include "os/page_advice.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::host {

namespace {

/// Precedes the signs and the rows.
struct Head {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t row_bytes;
  std::atomic<std::uint64_t> rows;
  std::atomic<std::uint64_t> last_token;
  std::atomic<ProcessEnd> end;
  std::array<char, 28> reserved;
};

constexpr std::array<char, 8> table_magic{'a', 'f', 'f', 'i', 'x', 'L', 'N', 'K'};
static_assert(offsetof(Head, end) == 32);
static_assert(sizeof(Head) == 64 && sizeof(TurnSign) == 64 && sizeof(LinkRecord) % 64 == 0);
static_assert(std::atomic<ProcessEnd>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

constexpr std::size_t rows_offset = sizeof(Head) + LinkTable::signs * sizeof(TurnSign);

std::size_t bytes_of(std::size_t rows) noexcept {
  return rows_offset + rows * sizeof(LinkRecord);
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
      signs_(reinterpret_cast<TurnSign*>(static_cast<char*>(memory) + sizeof(Head)), signs),
      rows_(reinterpret_cast<LinkRecord*>(static_cast<char*>(memory) + rows_offset),
            (bytes - rows_offset) / sizeof(LinkRecord)) {}

LinkTable::~LinkTable() {
  ::munmap(memory_, bytes_);
}

std::expected<std::unique_ptr<LinkTable>, base::Error> LinkTable::map(os::FileDescriptor file,
                                                                      std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED) {
    return std::unexpected(base::make_system_error("mmap", errno, "table of connections"));
  }
  // A session's first message must not wait for a page.
  static_cast<void>(os::make_pages_writable(memory, os::whole_pages(bytes)));
  return std::unique_ptr<LinkTable>(new LinkTable(std::move(file), memory, bytes));
}

std::expected<std::unique_ptr<LinkTable>, base::Error> LinkTable::create(std::size_t rows) {
  os::FileDescriptor file = os::make_nameless_file("affix-links");
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
  if (size < rows_offset || there > (size - rows_offset) / sizeof(LinkRecord)) {
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
    row.unserved_since_ns = 0;
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

TurnSign& LinkTable::sign(std::size_t worker) noexcept {
  return signs_[worker % signs];
}

void LinkTable::begin_process(std::int64_t ended_ns) noexcept {
  Head& head = head_of(memory_);
  const ProcessEnd end = head.end.load(std::memory_order_acquire);
  for (LinkRecord& row : rows_) {
    const std::int64_t sign_ns = sign(row.worker).at_ns.load(std::memory_order_acquire);
    // Without a sign the process before has served nothing: what it found still holds.
    if (sign_ns != 0 || row.unserved_since_ns == 0) {
      row.unserved_since_ns = unserved_since(sign_ns, end, ended_ns);
    }
  }
  for (TurnSign& one : signs_) {
    one.at_ns.store(0, std::memory_order_release);
  }
  head.end.store(ProcessEnd::Killed, std::memory_order_release);
}

void LinkTable::note_left() noexcept {
  // Released: the workers' last signs are there before.
  head_of(memory_).end.store(ProcessEnd::Left, std::memory_order_release);
}

}  // namespace affix::inline v0::host
