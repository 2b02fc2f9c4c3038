// SPDX-License-Identifier: MIT
// A disk that records the state of its files after a power loss: every page as last written to it,
// by a flush or at any moment by the system, and every name as of its directory's last flush. It
// can lose its power in the middle of a call, and fail calls that a test selects.
#pragma once

#include "affix/journal/disk.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::support {

/// Files are real ones, below one directory. One thread.
class RecordingDisk final : public journal::Disk {
 public:
  enum class Call : std::uint8_t {
    Open,
    Allocate,
    Map,
    Write,
    SyncFile,
    SyncMapping,
    SyncDirectory,
    SyncFileSystem,
    Rename,
    Remove,
  };

  explicit RecordingDisk(std::uint64_t seed) : random_(seed) { boot_.bytes[0] = 1; }

  /// Called before each call: returns 0, or the errno to fail with.
  std::function<int(Call, const std::string&)> fault;

  /// The power fails after this many more calls; the call during which it fails is cut short.
  void lose_power_after(std::uint64_t calls) { calls_left_ = calls; }

  [[nodiscard]] bool powered() const noexcept { return powered_; }

  /// The power did not fail: a process was killed in the call, and the files are as it left them.
  void power_up() {
    powered_ = true;
    calls_left_ = UINT64_MAX;
  }

  /// The system writes some page of some file to the disk, as it may at any time.
  void write_back_something() {
    if (live_.empty()) {
      return;
    }
    auto at = live_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_() % live_.size()));
    const std::string now = read(at->first);
    if (!now.empty()) {
      at->second->hold(now, random_() % now.size() / page * page, page);
    }
  }

  /// The system has written all pages, and all names.
  void write_back_everything() {
    for (const auto& [path, node] : live_) {
      node->bytes = read(path);
    }
    durable_ = live_;
  }

  /// Drops the state of all files.
  void forget() {
    live_.clear();
    durable_.clear();
  }

  /// The machine went down: the directory and those below it get the disk's contents, and the next
  /// boot is another.
  void restart(const std::string& directory) {
    for (const auto& [path, node] : live_) {
      lose_pages(path, *node);
    }
    std::map<std::string, std::shared_ptr<Node>> left;
    for (const auto& names : {live_, durable_}) {
      for (const auto& [path, node] : names) {
        const bool same =
            live_.contains(path) && durable_.contains(path) && live_.at(path) == durable_.at(path);
        if (same || random_() % 2 == 0) {
          // One that was renamed may be there by both names, and they are two files then.
          left[path] = std::make_shared<Node>(*node);
        }
      }
    }
    std::vector<std::filesystem::path> gone;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      if (entry.is_regular_file()) {
        gone.push_back(entry.path());
      }
    }
    for (const std::filesystem::path& path : gone) {
      std::filesystem::remove(path);
    }
    for (const auto& [path, node] : left) {
      std::ofstream(path, std::ios::binary)
          .write(node->bytes.data(), static_cast<std::streamsize>(node->bytes.size()));
    }
    live_ = left;
    durable_ = left;
    ++boot_.bytes[1];
    boot_.bytes[2] = static_cast<std::uint8_t>(boot_.bytes[2] + (boot_.bytes[1] == 0 ? 1 : 0));
    powered_ = true;
    calls_left_ = UINT64_MAX;
  }

  int open_file(const std::string& path, int flags, int& file) noexcept override {
    if (const int error_number = before(Call::Open, path); error_number != 0) {
      return error_number;
    }
    const int error_number = Disk::open_file(path, flags, file);
    if (error_number == 0 && (flags & O_CREAT) != 0 &&
        ((flags & O_TRUNC) != 0 || !live_.contains(path))) {
      live_[path] = std::make_shared<Node>();
    }
    return error_number;
  }

  int allocate(int file, const std::string& path, std::uint64_t bytes) noexcept override {
    const int error_number = before(Call::Allocate, path);
    return error_number != 0 ? error_number : Disk::allocate(file, path, bytes);
  }

  int map(int file, const std::string& path, std::size_t bytes, journal::MapKind kind,
          char*& at) noexcept override {
    const int error_number = before(Call::Map, path);
    return error_number != 0 ? error_number : Disk::map(file, path, bytes, kind, at);
  }

  int write(int file, const std::string& path, std::string_view bytes,
            std::uint64_t offset) noexcept override {
    if (const int error_number = before(Call::Write, path); error_number != 0) {
      if (error_number == power_gone) {
        // A page is copied under its lock, so the written part ends with a sector.
        const std::uint64_t end = (offset + random_() % (bytes.size() + 1)) / sector * sector;
        bytes = bytes.substr(0, end > offset ? end - offset : 0);
        static_cast<void>(Disk::write(file, path, bytes, offset));
      }
      return EIO;
    }
    return Disk::write(file, path, bytes, offset);
  }

  int sync_file(int file, const std::string& path) noexcept override {
    if (const int error_number = before(Call::SyncFile, path); error_number != 0) {
      return error_number == power_gone ? EIO : error_number;
    }
    if (const auto node = live_.find(path); node != live_.end()) {
      node->second->bytes = read(path);
    }
    return Disk::sync_file(file, path);
  }

  int sync_mapping(const std::string& path, char* base, std::size_t begin,
                   std::size_t end) noexcept override {
    if (const int error_number = before(Call::SyncMapping, path); error_number != 0) {
      return error_number == power_gone ? EIO : error_number;
    }
    if (const auto node = live_.find(path); node != live_.end()) {
      const std::string now = read(path);
      node->second->hold(now, begin, (end - begin + page - 1) / page * page);
    }
    return Disk::sync_mapping(path, base, begin, end);
  }

  int sync_directory(const std::string& directory) noexcept override {
    if (const int error_number = before(Call::SyncDirectory, directory); error_number != 0) {
      return error_number == power_gone ? EIO : error_number;
    }
    durable_ = live_;
    return 0;
  }

  int sync_file_system(int /*file*/, const std::string& directory,
                       std::uint64_t /*worth_bytes*/) noexcept override {
    if (const int error_number = before(Call::SyncFileSystem, directory); error_number != 0) {
      if (error_number == power_gone) {
        for (int page_of_many = 0; page_of_many < 8; ++page_of_many) {
          write_back_something();
        }
        return EIO;
      }
      return error_number;
    }
    write_back_everything();
    return 0;
  }

  int rename(const std::string& from, const std::string& to) noexcept override {
    if (const int error_number = before(Call::Rename, from); error_number != 0) {
      return error_number == power_gone ? EIO : error_number;
    }
    const int error_number = Disk::rename(from, to);
    if (auto node = live_.extract(from); error_number == 0 && !node.empty()) {
      live_[to] = node.mapped();
    }
    return error_number;
  }

  int remove(const std::string& path) noexcept override {
    if (const int error_number = before(Call::Remove, path); error_number != 0) {
      return error_number == power_gone ? EIO : error_number;
    }
    live_.erase(path);
    return Disk::remove(path);
  }

  journal::BootId boot_id() noexcept override { return boot_; }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t sector = 512;
  static constexpr int power_gone = -1;

  /// The disk's contents of one file.
  struct Node {
    std::string bytes;

    void hold(const std::string& now, std::size_t begin, std::size_t count) {
      bytes.resize(std::max(bytes.size(), now.size()));
      begin = std::min(begin, now.size());
      const std::size_t end = std::min(begin + count, now.size());
      std::copy(now.begin() + static_cast<std::ptrdiff_t>(begin),
                now.begin() + static_cast<std::ptrdiff_t>(end),
                bytes.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  };

  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::string bytes(file ? static_cast<std::size_t>(file.tellg()) : 0, '\0');
    file.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  int before(Call call, const std::string& path) {
    if (!powered_) {
      return EIO;
    }
    if (calls_left_ != UINT64_MAX && calls_left_-- == 0) {
      powered_ = false;
      return call == Call::Open || call == Call::Allocate || call == Call::Map ? EIO : power_gone;
    }
    return fault ? fault(call, path) : 0;
  }

  /// For each page changed since it was last written: either version, or a mixture by
  /// sectors.
  void lose_pages(const std::string& path, Node& node) {
    const std::string now = read(path);
    if (node.bytes.empty() && random_() % 4 == 0) {
      return;  // Not even its length.
    }
    node.bytes.resize(std::max(node.bytes.size(), now.size()));
    for (std::size_t at = 0; at < now.size(); at += page) {
      if (node.bytes.compare(at, page, now, at, page) == 0) {
        continue;
      }
      const std::uint64_t fate = random_() % 5;
      if (fate < 2) {
        node.hold(now, at, page);
      } else if (fate == 2) {
        for (std::size_t part = at; part < at + page; part += sector) {
          if (random_() % 2 == 0) {
            node.hold(now, part, sector);
          }
        }
      }
    }
  }

  std::mt19937_64 random_;
  journal::BootId boot_;
  std::map<std::string, std::shared_ptr<Node>> live_;
  std::map<std::string, std::shared_ptr<Node>> durable_;
  std::uint64_t calls_left_ = UINT64_MAX;
  bool powered_ = true;
};

/// The seed of AFFIX_SEED, or a fresh one.
inline std::uint64_t chosen_seed() {
  const char* const given = std::getenv("AFFIX_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10)
                          : (std::uint64_t{std::random_device{}()} << 32) | std::random_device{}();
}

/// The number in an environment variable, or `otherwise`.
inline std::uint64_t chosen_number(const char* variable, std::uint64_t otherwise) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

}  // namespace affix::support
