// SPDX-License-Identifier: MIT
// A page of a mapped file that is gone: an empty one is in its place, however many mappings there
// are.
#include "affix/os/bus_error.hpp"

#include "affix/os/file_descriptor.hpp"
#include "affix/os/file_mapping.hpp"

#include "os/mappings.hpp"
#include "os/nameless_file.hpp"

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace affix::os {
namespace {

/// A mapping of a page that its file has lost.
class LostPage {
 public:
  LostPage() {
    const FileDescriptor file = make_nameless_file("lost");
    EXPECT_EQ(ftruncate(file.number(), page_bytes), 0);
    mapping_ = FileMapping::of_reader(file.number(), page_bytes);
    EXPECT_EQ(mapping_.bytes(), page_bytes);
    EXPECT_EQ(ftruncate(file.number(), 0), 0);
  }

  [[nodiscard]] std::byte read() const noexcept {
    return *static_cast<const volatile std::byte*>(mapping_.begin());
  }

  [[nodiscard]] bool lost() const noexcept { return mapping_.lost(); }

 private:
  static constexpr std::size_t page_bytes = 4096;

  FileMapping mapping_;
};

TEST(BusError, APageThatIsGoneIsReadAsZeros) {
  ASSERT_TRUE(install_bus_error_handler());
  const LostPage page;
  EXPECT_FALSE(page.lost());
  EXPECT_EQ(page.read(), std::byte{0});
  EXPECT_TRUE(page.lost());
}

TEST(BusError, MappingsBeyondTheFirstBlockAreSafeToo) {
  ASSERT_TRUE(install_bus_error_handler());
  constexpr std::uintptr_t others = 20'000;
  std::atomic<bool> other_lost{false};
  // Low addresses, which nothing is ever mapped at.
  const auto address_of = [](std::uintptr_t number) {
    return reinterpret_cast<const char*>(number + 1);
  };
  for (std::uintptr_t number = 0; number < others; ++number) {
    enter_mapping(address_of(number), 1, &other_lost);
  }
  {
    const LostPage page;
    EXPECT_EQ(page.read(), std::byte{0});
    EXPECT_TRUE(page.lost());
  }
  for (std::uintptr_t number = others; number-- > 0;) {
    leave_mapping(address_of(number));
  }
  EXPECT_FALSE(other_lost);
  // An entry that became free is used again.
  const LostPage page;
  EXPECT_EQ(page.read(), std::byte{0});
}

}  // namespace
}  // namespace affix::os
