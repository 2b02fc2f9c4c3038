// SPDX-License-Identifier: MIT
// The rows of an engine's connections, in a file of memory that a keeper holds while no process
// does.
#pragma once

#include "affix/base/error.hpp"
#include "affix/os/file_descriptor.hpp"

#include "host/link_record.hpp"
#include "host/turn_sign.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string_view>

namespace affix::inline v0::host {

/// Any thread takes and gives back rows; the rest is for the thread that opens it.
class LinkTable {
 public:
  /// Makes an empty one of `rows`. Allocates memory of the system; errors are the system's.
  [[nodiscard]] static std::expected<std::unique_ptr<LinkTable>, base::Error> create(
      std::size_t rows);

  /// Opens one of an earlier process, and makes it larger if it has fewer than `rows`.
  /// Unsupported: another version of the layout. Damaged: it is none.
  [[nodiscard]] static std::expected<std::unique_ptr<LinkTable>, base::Error> adopt(
      os::FileDescriptor file, std::size_t rows);

  LinkTable(const LinkTable&) = delete;
  LinkTable& operator=(const LinkTable&) = delete;
  ~LinkTable();

  /// A free row, for the session of that identity; null: there is none. The row's token is new.
  [[nodiscard]] LinkRecord* take(std::uint64_t identity, std::string_view name,
                                 std::uint32_t role) noexcept;

  /// The row is free from here on.
  static void give_back(LinkRecord& row) noexcept {
    row.stage.store(LinkStage::Free, std::memory_order_release);
  }

  /// The row of that token; null: none that is in use has it.
  [[nodiscard]] LinkRecord* find(std::uint64_t token) noexcept;

  [[nodiscard]] std::span<LinkRecord> rows() noexcept { return rows_; }

  // --- Since when nobody serves ---

  /// Signs of workers with a higher number are those of this number less.
  static constexpr std::size_t signs = 64;

  /// The sign of that worker. Any thread; written by the worker's.
  [[nodiscard]] TurnSign& sign(std::size_t worker) noexcept;

  /// A process begins: writes into each row since when no process has served it, and removes the
  /// signs. `ended_ns` is the steady time at which the process before was seen to end; 0: unknown.
  void begin_process(std::int64_t ended_ns) noexcept;

  /// This process leaves in order: no worker runs any more.
  void note_left() noexcept;

  /// Descriptor of the memory, for a keeper. Owned by the table.
  [[nodiscard]] int file() const noexcept { return file_.number(); }

 private:
  LinkTable(os::FileDescriptor file, void* memory, std::size_t bytes) noexcept;

  [[nodiscard]] static std::expected<std::unique_ptr<LinkTable>, base::Error> map(
      os::FileDescriptor file, std::size_t bytes);

  os::FileDescriptor file_;
  void* memory_;
  std::size_t bytes_;
  std::span<TurnSign> signs_;
  std::span<LinkRecord> rows_;
};

}  // namespace affix::inline v0::host
