// SPDX-License-Identifier: MIT
// A page of a mapped file that is gone: an empty one is in its place, however many mappings there
// are.
#include "affix/os/bus_error.hpp"

#include "affix/os/mapping_guard.hpp"

#include "os/mappings.hpp"

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
  LostPage() : file_(memfd_create("lost", 0)) {
    EXPECT_EQ(ftruncate(file_, page_bytes), 0);
    void* const at = mmap(nullptr, page_bytes, PROT_READ, MAP_SHARED, file_, 0);
    EXPECT_NE(at, MAP_FAILED);
    at_ = static_cast<const char*>(at);
    EXPECT_EQ(ftruncate(file_, 0), 0);
  }

  LostPage(const LostPage&) = delete;
  LostPage& operator=(const LostPage&) = delete;

  ~LostPage() {
    munmap(const_cast<char*>(at_), page_bytes);
    close(file_);
  }

  [[nodiscard]] const char* at() const noexcept { return at_; }

  [[nodiscard]] char read() const noexcept { return *static_cast<const volatile char*>(at_); }

  static constexpr std::size_t page_bytes = 4096;

 private:
  int file_;
  const char* at_ = nullptr;
};

TEST(BusError, APageThatIsGoneIsReadAsZeros) {
  ASSERT_TRUE(install_bus_error_handler());
  const LostPage page;
  const MappingGuard guard(page.at(), LostPage::page_bytes);
  EXPECT_EQ(page.read(), 0);
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
    std::atomic<bool> lost{false};
    enter_mapping(page.at(), LostPage::page_bytes, &lost);
    EXPECT_EQ(page.read(), 0);
    EXPECT_TRUE(lost);
    leave_mapping(page.at());
  }
  for (std::uintptr_t number = others; number-- > 0;) {
    leave_mapping(address_of(number));
  }
  EXPECT_FALSE(other_lost);
  // An entry that became free is used again.
  const LostPage page;
  const MappingGuard guard(page.at(), LostPage::page_bytes);
  EXPECT_EQ(page.read(), 0);
}

}  // namespace
}  // namespace affix::os
