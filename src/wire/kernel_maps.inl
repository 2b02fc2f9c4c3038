// SPDX-License-Identifier: MIT
// Kernels of instruction sets that have no compress: bit maps of 64 bytes, then the maps' bits one
// by one. A kernel includes this inside its own namespace and target region, after its definitions
// of
//   Sums, no_sums(), total(Sums)                    the running sum of all bytes,
//   map_block(const char*, Sums&) -> Maps           the maps of 64 bytes, which are summed,
//   map_last(const char*, std::uint32_t, Sums&)     the same, without summing the first bytes,
//   convert_tags(bytes, index, count, data_fields)  converts the texts in `tags` to numbers,
//   mark_tags(index, count)                         makes `marks` from `tags`,
//   choose_places(index)                              is FieldIndex::choose_places.
// So each kernel has its own copy of these functions, compiled to its own instructions.

/// Positions written in one pass of a loop: up to one less may be superfluous, for which there is
/// room.
constexpr std::uint32_t steps = 3;

/// A map without bits has no positions.
[[gnu::always_inline]] inline void store_ends(std::uint32_t* to, std::uint64_t map,
                                              std::size_t base) noexcept {
  while (map != 0) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      to[step] = static_cast<std::uint32_t>(base + lowest_bit(map));
      map &= map - 1;
    }
    to += steps;
  }
}

/// The same for value begins, and the four bytes before each `=`. Superfluous positions, which
/// equal the block's size, get the block's own last bytes.
[[gnu::always_inline]] inline void store_begins(const char* block, std::uint32_t* to,
                                                std::uint32_t* texts, std::uint64_t map,
                                                std::size_t base) noexcept {
  while (map != 0) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      const std::size_t at = lowest_bit(map);
      to[step] = static_cast<std::uint32_t>(base + at + 1);
      texts[step] = edges::load<std::uint32_t>(block + at - 4);
      map &= map - 1;
    }
    to += steps;
    texts += steps;
  }
}

struct MapScan {
  std::uint32_t begins = 0;   ///< First `=` of a field found so far.
  std::uint32_t ends = 0;     ///< SOH found so far.
  std::uint64_t pending = 1;  ///< A field waits for its `=`, from the next block's first byte on.
};

/// The first `=` of each field. A one added at each field's first byte is carried through the bytes
/// that are no `=` and stops in the field's first `=`, whose bit it sets; every other `=` keeps a
/// sum bit of zero. A carry out of the top continues in the next block. `from`: the block's first
/// byte that counts.
[[gnu::always_inline]] inline std::uint64_t first_equals_of(Maps maps, std::uint32_t from,
                                                            MapScan& scan) noexcept {
  unsigned long long stopped = 0;
  const bool open = __builtin_add_overflow(
      static_cast<unsigned long long>(~maps.equals),
      static_cast<unsigned long long>((maps.ends << 1) | (scan.pending << from)), &stopped);
  scan.pending = (maps.ends >> 63) | static_cast<std::uint64_t>(open);
  return maps.equals & stopped;
}

/// False: no room.
[[gnu::always_inline]] inline bool store_block(const char* bytes, Maps maps,
                                               std::uint64_t first_equals, std::uint32_t base,
                                               MapScan& scan, FieldIndex& index) noexcept {
  const auto end_count = static_cast<std::uint32_t>(__builtin_popcountll(maps.ends));
  if (scan.ends + end_count > index.capacity) [[unlikely]] {
    return false;
  }
  store_ends(index.ends + scan.ends, maps.ends, base);
  store_begins(bytes + base, index.begins + scan.begins, index.tags + scan.begins, first_equals,
               base);
  scan.ends += end_count;
  scan.begins += static_cast<std::uint32_t>(__builtin_popcountll(first_equals));
  return true;
}

/// False: the scalar kernel must do the message.
[[gnu::always_inline]] inline bool index_by_maps(const char* bytes, std::uint32_t size,
                                                 FieldIndex& index,
                                                 const DataFields& data_fields) noexcept {
  constexpr std::uint32_t block_size = 64;
  if (size < block_size || index.capacity == 0) [[unlikely]] {
    return false;
  }
  MapScan scan;
  Sums sums = no_sums();
  Maps first = map_block(bytes, sums);
  std::uint64_t first_equals = first_equals_of(first, 0, scan);
  // The first field must be `8=`, so it has no four bytes before it; the second `=` has, unless it
  // is the fourth byte.
  if ((first_equals & 15) != 2) [[unlikely]] {
    return false;
  }
  index.begins[0] = 2;
  index.tags[0] = 0x38303030;
  scan.begins = 1;
  if (!store_block(bytes, first, first_equals & ~std::uint64_t{2}, 0, scan, index)) [[unlikely]] {
    return false;
  }
  std::uint32_t base = block_size;
  for (; size - base >= block_size; base += block_size) {
    Maps maps = map_block(bytes + base, sums);
    first_equals = first_equals_of(maps, 0, scan);
    if (!store_block(bytes, maps, first_equals, base, scan, index)) [[unlikely]] {
      return false;
    }
  }
  if (base < size) {
    // The last 64 bytes, of which the first are done already: nothing is read after the message.
    const std::uint32_t done = base + block_size - size;
    base = size - block_size;
    Maps maps = map_last(bytes + base, done, sums);
    maps.ends &= ~std::uint64_t{0} << done;
    maps.equals &= ~std::uint64_t{0} << done;
    first_equals = first_equals_of(maps, done, scan);
    if (!store_block(bytes, maps, first_equals, base, scan, index)) [[unlikely]] {
      return false;
    }
  }
  if (scan.begins != scan.ends ||
      !edges::check_edges<false>(bytes, size, static_cast<std::uint32_t>(lowest_bit(first.ends)),
                                 total(sums), first.ends)) [[unlikely]] {
    return false;
  }
  const edges::Tags tags = convert_tags(bytes, index, scan.ends, data_fields);
  if (!tags.good || (tags.maybe_lengths && !edges::data_reads_as_text(bytes, index, scan.ends,
                                                                      data_fields))) [[unlikely]] {
    return false;
  }
  mark_tags(index, scan.ends);
  edges::set_clean(index, scan.ends);
  choose_places(index);
  return true;
}

[[gnu::always_inline]] inline void index_by_maps_or_scalar(std::string_view message,
                                                           FieldIndex& index,
                                                           const DataFields& data_fields) noexcept {
  if (!index_by_maps(message.data(), static_cast<std::uint32_t>(message.size()), index,
                     data_fields)) [[unlikely]] {
    index_scalar(message, index, data_fields);
  }
}
