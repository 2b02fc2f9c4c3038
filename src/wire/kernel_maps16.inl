// SPDX-License-Identifier: MIT
// Kernels with vectors of 16 bytes: four of them in a block of 64, one running sum, tags one by
// one. A kernel includes this inside its own namespace and target region, after its definitions
// of
//   Block                                       an aggregate with `parts`, four vectors,
//   load(const void*) -> Block                  64 bytes at any address,
//   both_of(part, part) -> part                 bitwise and,
//   map_of(const Block&, char) -> std::uint64_t the bytes that are this one,
//   sum_of(const Block&) -> std::uint64_t       the sum of the bytes.
// So each kernel has its own copy of these functions, compiled to its own instructions.

using Sums = std::uint64_t;

/// 64 when there is none, as store_begins requires.
[[gnu::always_inline]] inline std::size_t lowest_bit(std::uint64_t map) noexcept {
  return map == 0 ? 64 : static_cast<std::size_t>(__builtin_ctzll(map));
}

[[gnu::always_inline]] inline Sums no_sums() noexcept {
  return 0;
}

[[gnu::always_inline]] inline std::uint32_t total(Sums sums) noexcept {
  return static_cast<std::uint32_t>(sums);
}

[[gnu::always_inline]] inline Maps maps_of(const Block& block) noexcept {
  return {map_of(block, soh), map_of(block, '=')};
}

[[gnu::always_inline]] inline Maps map_block(const char* bytes, Sums& sums) noexcept {
  const Block block = load(bytes);
  sums += sum_of(block);
  return maps_of(block);
}

/// The first `done` bytes read zero, which is neither SOH nor `=` and adds nothing.
[[gnu::always_inline]] inline Block load_last(const char* bytes, std::size_t done) noexcept {
  Block block = load(bytes);
  const Block mask = load(sliding_mask.bytes + 64 - done);
  for (int part = 0; part < 4; ++part) {
    block.parts[part] = both_of(block.parts[part], mask.parts[part]);
  }
  return block;
}

[[gnu::always_inline]] inline Maps map_last(const char* bytes, std::uint32_t done,
                                            Sums& sums) noexcept {
  const Block block = load_last(bytes, done);
  sums += sum_of(block);
  return maps_of(block);
}

[[gnu::always_inline]] inline edges::Tags convert_tags(const char* bytes, FieldIndex& index,
                                                       std::uint32_t count,
                                                       const DataFields& data_fields) noexcept {
  return edges::convert_tags(bytes, index, count, data_fields);
}

[[gnu::always_inline]] inline void mark_tags(const FieldIndex& index,
                                             std::uint32_t count) noexcept {
  mark_each_tag(index, count);
}

[[gnu::always_inline]] inline void choose_places(FieldIndex& index) noexcept {
  index.choose_places();
}

#include "wire/kernel_maps.inl"

/// Any size; below one block the scalar kernel reads the bytes, so nothing is read after them.
[[gnu::always_inline]] inline SumAndSoh sum_by_blocks(const char* bytes,
                                                      std::size_t size) noexcept {
  if (size < 64) {
    return scalar_kernel.sum(bytes, size);
  }
  std::uint64_t sum = 0;
  std::uint64_t soh_count = 0;
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) {
    const Block block = load(bytes + at);
    sum += sum_of(block);
    soh_count += static_cast<std::uint64_t>(__builtin_popcountll(map_of(block, soh)));
  }
  if (at < size) {
    const Block block = load_last(bytes + size - 64, at + 64 - size);
    sum += sum_of(block);
    soh_count += static_cast<std::uint64_t>(__builtin_popcountll(map_of(block, soh)));
  }
  return {static_cast<std::uint32_t>(sum), static_cast<std::uint32_t>(soh_count)};
}
