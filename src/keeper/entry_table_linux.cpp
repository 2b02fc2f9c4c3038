// SPDX-License-Identifier: MIT
// Searches by hash, since names lie far apart in memory.
#include "keeper/entry_table.hpp"

#include <algorithm>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::keeper {

namespace {

/// FNV-1a, and never 0.
std::uint64_t hash_of(std::size_t instance, std::string_view name) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325 ^ instance;
  for (const char one : name) {
    hash = (hash ^ static_cast<unsigned char>(one)) * 0x100000001b3;
  }
  return hash | 1;
}

/// Not a listener's: shutting it down would end it in other processes.
bool is_connection(int descriptor) noexcept {
  int listens = 0;
  socklen_t size = sizeof listens;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 0;
}

}  // namespace

bool EntryTable::put(std::size_t instance, std::string_view name, net::Socket socket) noexcept {
  const std::uint64_t hash = hash_of(instance, name);
  std::size_t place = find(instance, name);
  if (place == size()) {
    place = static_cast<std::size_t>(std::ranges::find(hashes_, 0U) - hashes_.begin());
  }
  if (place == size()) {
    return false;
  }
  Entry& entry = entries_[place];
  hashes_[place] = hash;
  entry.instance = instance;
  entry.socket = std::move(socket);
  entry.name_size = name.size();
  std::ranges::copy(name, entry.name_bytes.data());
  return true;
}

bool EntryTable::remove(std::size_t instance, std::string_view name) noexcept {
  const std::size_t place = find(instance, name);
  if (place == size()) {
    return false;
  }
  clear(place);
  return true;
}

std::size_t EntryTable::remove_all(std::size_t instance, bool end_connections) noexcept {
  std::size_t removed = 0;
  for (std::size_t place = next(instance, 0); place < size(); place = next(instance, place + 1)) {
    const int descriptor = entries_[place].socket.fd();
    if (end_connections && is_connection(descriptor)) {
      static_cast<void>(::shutdown(descriptor, SHUT_RDWR));
    }
    clear(place);
    ++removed;
  }
  return removed;
}

std::size_t EntryTable::count(std::size_t instance) const noexcept {
  std::size_t counted = 0;
  for (std::size_t place = next(instance, 0); place < size(); place = next(instance, place + 1)) {
    ++counted;
  }
  return counted;
}

std::size_t EntryTable::next(std::size_t instance, std::size_t place) const noexcept {
  while (place < size() && (hashes_[place] == 0 || entries_[place].instance != instance)) {
    ++place;
  }
  return place;
}

std::size_t EntryTable::find(std::size_t instance, std::string_view name) const noexcept {
  const std::uint64_t hash = hash_of(instance, name);
  for (std::size_t place = 0; place < size(); ++place) {
    if (hashes_[place] == hash && entries_[place].instance == instance &&
        entries_[place].name() == name) {
      return place;
    }
  }
  return size();
}

void EntryTable::clear(std::size_t place) noexcept {
  hashes_[place] = 0;
  entries_[place].socket.close();
}

}  // namespace affix::inline v0::keeper
