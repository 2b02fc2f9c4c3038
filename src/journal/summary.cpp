// SPDX-License-Identifier: MIT
// Two slots of 512 bytes, the older overwritten in place.
#include "journal/summary.hpp"

#include "affix/base/crc32c.hpp"
#include "affix/os/read_file.hpp"

#include "journal/gate.hpp"
#include "journal/segment_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

constexpr const char* summary_name = "summary";

std::uint32_t summary_crc(format::Summary summary) noexcept {
  summary.crc = 0;
  return base::crc32c({reinterpret_cast<const char*>(&summary), sizeof(summary)});
}

std::optional<format::Summary> newest_summary(const std::string& directory) {
  const auto bytes = os::read_file(summary_path(directory), SIZE_MAX);
  std::optional<format::Summary> newest;
  for (const std::size_t offset : format::summary_offset) {
    format::Summary slot;
    if (!bytes || bytes->size() < offset + sizeof(slot)) {
      break;
    }
    std::memcpy(&slot, bytes->data() + offset, sizeof(slot));
    if (slot.magic == format::summary_magic && slot.crc == summary_crc(slot) &&
        slot.identity_bytes <= format::identity_bytes_max &&
        (!newest || slot.generation > newest->generation)) {
      newest = slot;
    }
  }
  return newest;
}

}  // namespace

std::string summary_path(const std::string& directory) {
  return directory + "/" + summary_name;
}

bool has_summary(const std::string& directory) {
  return access(summary_path(directory).c_str(), F_OK) == 0;
}

std::optional<JournalSummary> read_summary(const std::string& directory) {
  const auto stored = newest_summary(directory);
  if (!stored) {
    return std::nullopt;
  }
  return JournalSummary{std::string(stored->identity, stored->identity_bytes), stored->journal_id,
                        stored->reserved_outgoing, stored->newest_segment, stored->flags};
}

std::expected<void, base::Error> SummaryWriter::open(const std::string& directory,
                                                     JournalSummary summary, bool is_new,
                                                     Disk& disk) {
  directory_ = &directory;
  disk_ = &disk;
  said_ = std::move(summary);
  said_.identity.resize(std::min(said_.identity.size(), format::identity_bytes_max));
  if (const auto stored = is_new ? std::nullopt : newest_summary(directory);
      stored && stored->journal_id == said_.journal_id) {
    generation_ = stored->generation;
    said_.newest_segment = std::max(said_.newest_segment, stored->newest_segment);
    said_.reserved_outgoing = std::max(said_.reserved_outgoing, stored->reserved_outgoing);
  }
  if (const int error_number = write(); error_number != 0) {
    return std::unexpected(base::make_system_error("write", error_number, summary_path(directory)));
  }
  return {};
}

void SummaryWriter::note_segment(std::uint32_t number) noexcept {
  const Gate gate(busy_);
  said_.newest_segment = std::max(said_.newest_segment, number);
  static_cast<void>(write());
}

void SummaryWriter::note_reserve(std::uint64_t reserved) noexcept {
  const Gate gate(busy_);
  said_.reserved_outgoing = std::max(said_.reserved_outgoing, reserved);
  static_cast<void>(write());
}

int SummaryWriter::write() noexcept {
  const std::string path = summary_path(*directory_);
  int file = -1;
  if (const int error_number = disk_->open_file(path, O_WRONLY | O_CREAT, file);
      error_number != 0) {
    return error_number;
  }
  // Made each time: it is rarely written, and each journal would keep half a kilobyte for it.
  format::Summary slot{.magic = format::summary_magic,
                       .generation = ++generation_,
                       .journal_id = said_.journal_id,
                       .reserved_outgoing = said_.reserved_outgoing,
                       .newest_segment = said_.newest_segment,
                       .flags = said_.flags,
                       .crc = 0,
                       .identity_bytes = static_cast<std::uint32_t>(said_.identity.size()),
                       .identity = {},
                       .reserved = {}};
  std::memcpy(slot.identity, said_.identity.data(), said_.identity.size());
  slot.crc = summary_crc(slot);
  const int error_number =
      disk_->write(file, path, {reinterpret_cast<const char*>(&slot), sizeof(slot)},
                   format::summary_offset[generation_ % 2]);
  close(file);
  return error_number;
}

}  // namespace affix::inline v0::journal
