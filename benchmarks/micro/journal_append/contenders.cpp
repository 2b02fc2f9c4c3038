// SPDX-License-Identifier: MIT
// The contenders and the files they write.
#include "benchmarks.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace affix_bench {

namespace {

constexpr std::size_t floor_bytes = 64UL * 1024 * 1024;
constexpr std::size_t record_bytes = affix::journal::format::record_bytes(message_bytes);

/// A file of write()s is truncated at this size, so that the disk is not
/// measured.
constexpr std::size_t plain_bytes_max = 64UL * 1024 * 1024;

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(2);
}

}  // namespace

std::string_view message() {
  static const std::string text = [] {
    std::string bytes =
        "8=FIX.4.4|9=189|35=8|49=VENUE|56=FIRM|34=123456|52=20250311-14:30:00.123456789|37=ORD-1|"
        "17=EXEC-1|150=F|39=2|55=ACME|54=1|38=100|44=101.25|32=100|31=101.25|151=0|14=100|6=101."
        "25|";
    for (char& byte : bytes) {
      byte = byte == '|' ? '\x01' : byte;
    }
    bytes.resize(message_bytes, '0');
    return bytes;
  }();
  return text;
}

EndlessJournal::EndlessJournal(const std::string& directory, affix::journal::Durability durability)
    : directory_(directory) {
  affix::journal::Options options;
  options.directory = directory;
  options.identity = "FIX.4.4:FIRM->VENUE";
  options.durability = durability;
  auto opened = affix::journal::Journal::open(options);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text().c_str());
    std::exit(2);
  }
  journal_ = std::move(*opened);
}

void EndlessJournal::append() noexcept {
  using affix::journal::AppendResult;
  AppendResult result = AppendResult::NoReserve;
  for (;; ++reserve_waits_) {
    result = journal_->append_sent(sequence_, 1'700'000'000'000'000'000, message());
    if (result != AppendResult::NoReserve) {
      break;
    }
    std::this_thread::yield();  // The disk is slow; an engine would stop the session.
  }
  if (result != AppendResult::Appended) {
    std::fprintf(stderr, "%s\n", affix::journal::to_text(result));
    std::exit(2);
  }
  ++sequence_;
}

void EndlessJournal::append_order() noexcept {
  const affix::journal::Appended received =
      journal_->append_received(sequence_, sequence_ + 1, 1'700'000'000'000'000'000, message());
  journal_->mark_processed(received.position());
  append();
}

void EndlessJournal::grow_up() {
  // 64 KiB, doubled each time: the eleventh has full length.
  constexpr std::uint32_t first_of_full_length = 11;
  while (journal_->end().segment < first_of_full_length || journal_->needs_preparation()) {
    append();
    prepare();
  }
  if (const auto flushed = journal_->flush(); !flushed) {
    std::fprintf(stderr, "%s\n", flushed.error().text().c_str());
    std::exit(2);
  }
}

void EndlessJournal::prepare() {
  if (!journal_->needs_preparation()) {
    return;
  }
  while (journal_->needs_preparation()) {
    if (const auto prepared = journal_->prepare(); !prepared) {
      std::fprintf(stderr, "%s\n", prepared.error().text().c_str());
      std::exit(2);
    }
  }
  forget();
}

void EndlessJournal::forget() {
  for (; oldest_ + 2 < journal_->end().segment; ++oldest_) {
    char name[32];
    std::snprintf(name, sizeof(name), "/%010u.journal", oldest_);
    unlink((directory_ + name).c_str());
  }
}

MappedFloor::MappedFloor(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  if (file < 0 || posix_fallocate(file, 0, floor_bytes) != 0) {
    die(path.c_str());
  }
  void* const at =
      mmap(nullptr, floor_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  close(file);
  if (at == MAP_FAILED) {
    die("mmap");
  }
  base_ = static_cast<char*>(at);
  std::memset(base_, 1, floor_bytes);
}

MappedFloor::~MappedFloor() {
  munmap(base_, floor_bytes);
}

void MappedFloor::append() noexcept {
  if (offset_ + record_bytes > floor_bytes) {
    offset_ = 0;
  }
  std::memcpy(base_ + offset_ + affix::journal::format::record_header_bytes, message().data(),
              message_bytes);
  offset_ += record_bytes;
  keep(base_);
}

PlainFile::PlainFile(const std::string& path)
    : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600)) {
  if (file_ < 0) {
    die(path.c_str());
  }
}

PlainFile::~PlainFile() {
  close(file_);
}

void PlainFile::append() {
  if (write(file_, message().data(), message_bytes) != static_cast<ssize_t>(message_bytes)) {
    die("write");
  }
  bytes_ += message_bytes;
}

void PlainFile::start_over() {
  if (bytes_ >= plain_bytes_max) {
    if (ftruncate(file_, 0) != 0) {
      die("ftruncate");
    }
    bytes_ = 0;
  }
}

}  // namespace affix_bench
