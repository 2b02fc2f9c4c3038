// SPDX-License-Identifier: MIT
// Compares every kernel of this machine with the slow reference on one message: same fields,
// same findings, no reads outside the message, no writes outside the index; and look-ups find
// the first field of a tag, whatever the messages before. Used by property tests and by the
// fuzzer.
#pragma once

#include "affix/wire/index.hpp"
#include "affix/wire/kernel.hpp"
#include "affix/wire/view.hpp"

#include "support/guarded_bytes.hpp"
#include "support/index_reference.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::support {

/// Buffers for comparisons, so that each allocates little.
class KernelComparison {
 public:
  explicit KernelComparison(std::size_t message_bytes_max)
      : guarded_(message_bytes_max + base::PaddedBytes::padding), before_(wire::active_kernel()) {
    for (const wire::Kernel kernel : {wire::Kernel::Scalar, wire::Kernel::Sse42, wire::Kernel::Avx2,
                                      wire::Kernel::Avx512, wire::Kernel::Neon}) {
      if (wire::kernel_available(kernel)) {
        kernels_.push_back(kernel);
        kept_.push_back(std::make_unique<KeptIndex>());
      }
    }
  }

  KernelComparison(const KernelComparison&) = delete;
  KernelComparison& operator=(const KernelComparison&) = delete;

  ~KernelComparison() { static_cast<void>(wire::force_kernel(before_)); }

  /// Empty when all agree, else the kernel that differs and its difference.
  [[nodiscard]] std::string differences(std::string_view message, std::uint32_t capacity,
                                        const wire::DataFields& data_fields) {
    const IndexResult wanted = index_slowly(message, capacity, data_fields);
    std::string padded(message);
    padded.append(base::PaddedBytes::padding, '\x01');
    for (const wire::Kernel kernel : kernels_) {
      if (!wire::force_kernel(kernel)) {
        return "cannot force a kernel that is available";
      }
      for (int place = 0; place < 3; ++place) {
        Storage storage(capacity);
        if (place == 2) {
          const std::string_view copy = guarded_.at_end(padded);
          wire::index_message(base::PaddedBytes(copy.substr(0, message.size())), storage.index,
                              data_fields);
        } else {
          const std::string_view copy =
              place == 0 ? guarded_.at_end(message) : guarded_.at_begin(message);
          wire::index_message(copy, storage.index, data_fields);
        }
        const IndexResult got = result_of(storage.index);
        if (got != wanted) {
          return std::string(wire::to_text(kernel)) + " says " + got.text() + "\nreference says " +
                 wanted.text();
        }
        if (!storage.marks_right()) {
          return std::string(wire::to_text(kernel)) + " has marks that are not of the tags";
        }
        if (!storage.fences_whole()) {
          return std::string(wire::to_text(kernel)) + " wrote outside the index";
        }
      }
    }
    return {};
  }

  /// The same for look-ups in an index that each kernel reuses from the messages before. Looks up
  /// every `stride`th field's tag, so that not every message leaves all places known.
  [[nodiscard]] std::string lookup_differences(std::string_view message,
                                               const wire::DataFields& data_fields,
                                               std::uint32_t stride = 1) {
    for (std::size_t at = 0; at < kernels_.size(); ++at) {
      if (!wire::force_kernel(kernels_[at])) {
        return "cannot force a kernel that is available";
      }
      KeptIndex& index = *kept_[at];
      wire::index_message(message, index, data_fields);
      const wire::MessageView view(message, index);
      for (std::uint32_t field = 0; field < index.count; field += stride) {
        // The tag, and tags that share its place or its mark.
        for (const std::uint32_t more : {0U, 64U, 256U}) {
          const std::uint32_t tag = index.tags[field] + more;
          if (tag == 0) {
            continue;
          }
          const std::uint32_t* const end = index.tags + index.count;
          const std::uint32_t* const first = std::find<const std::uint32_t*>(index.tags, end, tag);
          const std::uint32_t wanted =
              first == end ? wire::no_position : static_cast<std::uint32_t>(first - index.tags);
          if (view.position_of(tag) != wanted) {
            return std::string(wire::to_text(kernels_[at])) + " has tag " + std::to_string(tag) +
                   " found at " + std::to_string(view.position_of(tag)) + ", not at " +
                   std::to_string(wanted);
          }
        }
      }
    }
    return {};
  }

 private:
  using KeptIndex = wire::FieldIndexOf<512>;

  /// An index of any capacity, with guard words after its slack that must not change.
  struct Storage {
    static constexpr std::uint32_t fence = 0xfe9ce5a1;
    static constexpr std::size_t fence_words = 16;
    static constexpr std::uint8_t mark_fence = 0xe5;

    explicit Storage(std::uint32_t capacity)
        : words(3 * (capacity + std::size_t{wire::FieldIndex::slack} + fence_words), fence) {
      part = words.size() / 3;
      index.tags = words.data();
      index.begins = words.data() + part;
      index.ends = words.data() + 2 * part;
      marks.assign(capacity + std::size_t{wire::FieldIndex::mark_slack} + fence_words, mark_fence);
      index.marks = marks.data();
      index.capacity = capacity;
    }

    [[nodiscard]] bool fences_whole() const {
      for (std::size_t array = 1; array <= 3; ++array) {
        for (std::size_t word = 1; word <= fence_words; ++word) {
          if (words[array * part - word] != fence) {
            return false;
          }
        }
      }
      return std::all_of(marks.end() - fence_words, marks.end(),
                         [](std::uint8_t mark) { return mark == mark_fence; });
    }

    [[nodiscard]] bool marks_right() const {
      for (std::uint32_t position = 0; position < index.count; ++position) {
        if (marks[position] != static_cast<std::uint8_t>(index.tags[position])) {
          return false;
        }
      }
      const auto behind = marks.begin() + index.count;
      return std::all_of(behind, behind + wire::FieldIndex::mark_step,
                         [](std::uint8_t mark) { return mark == 0; });
    }

    std::vector<std::uint32_t> words;
    std::vector<std::uint8_t> marks;
    std::size_t part = 0;
    wire::FieldIndex index;
  };

  GuardedBytes guarded_;
  wire::Kernel before_;
  std::vector<wire::Kernel> kernels_;
  std::vector<std::unique_ptr<KeptIndex>> kept_;
};

}  // namespace affix::support
