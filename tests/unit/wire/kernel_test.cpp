// SPDX-License-Identifier: MIT
#include "affix/wire/kernel.hpp"

#include "affix/wire/index.hpp"

#include "support/fix_text.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace affix::wire {
namespace {

constexpr Kernel all[] = {Kernel::Scalar, Kernel::Sse42, Kernel::Avx2, Kernel::Avx512,
                          Kernel::Neon};

TEST(Kernel, NamesGoBothWays) {
  for (const Kernel kernel : all) {
    ASSERT_TRUE(kernel_of(to_text(kernel)).has_value());
    EXPECT_EQ(*kernel_of(to_text(kernel)), kernel);
  }
  for (const char* name : {"", "AVX2", "avx", "avx512 ", "fastest"}) {
    ASSERT_FALSE(kernel_of(name).has_value());
    EXPECT_EQ(kernel_of(name).error(), KernelError::UnknownName);
  }
}

TEST(Kernel, ScalarIsAlwaysThere) {
  EXPECT_TRUE(kernel_available(Kernel::Scalar));
}

TEST(Kernel, OneFamilyAtMost) {
  EXPECT_FALSE(kernel_available(Kernel::Neon) && kernel_available(Kernel::Sse42));
  EXPECT_TRUE(!kernel_available(Kernel::Avx512) || kernel_available(Kernel::Avx2));
  EXPECT_TRUE(!kernel_available(Kernel::Avx2) || kernel_available(Kernel::Sse42));
}

TEST(Kernel, ForcingTakesEffectOrSaysWhyNot) {
  const Kernel before = active_kernel();
  for (const Kernel kernel : all) {
    const auto forced = force_kernel(kernel);
    ASSERT_EQ(forced.has_value(), kernel_available(kernel));
    if (forced) {
      EXPECT_EQ(active_kernel(), kernel);
      FieldIndexOf<16> index;
      index_message(support::make_message("35=0|"), index);
      EXPECT_TRUE(index.clean());
      EXPECT_EQ(active_kernel(), kernel);
    } else {
      EXPECT_EQ(forced.error(), KernelError::Unavailable);
    }
  }
  ASSERT_TRUE(force_kernel(before).has_value());
}

TEST(Kernel, EachTellsAMessageBuiltAsOneBeforeWas) {
  const Kernel before = active_kernel();
  constexpr std::uint32_t fields_max = 304;
  FieldIndexOf<fields_max> index;
  std::array<std::uint32_t, fields_max> tags{};
  const auto fill = [&](std::uint32_t count) {
    // After the last field there are bytes that are neither a tag nor a value.
    for (std::uint32_t at = 0; at < tags.size(); ++at) {
      tags[at] = 8 + 1'000 * at;
      index.tags[at] = at < count ? tags[at] : tags[at] + 1;
      index.begins[at] = 10 * at;
      index.ends[at] = index.begins[at] + (at < count ? 1 : 0);
    }
    index.count = count;
  };
  for (const Kernel kernel : all) {
    if (!force_kernel(kernel)) {
      continue;
    }
    for (std::uint32_t count = 0; count <= fields_max; count += count < 48 ? 1 : 16) {
      SCOPED_TRACE(std::string(to_text(kernel)) + ", fields: " + std::to_string(count));
      fill(count);
      EXPECT_TRUE(has_tags_and_values(index, tags.data()));
      for (std::uint32_t at = 0; at < count; ++at) {
        tags[at] ^= 0x8000'0000;
        EXPECT_FALSE(has_tags_and_values(index, tags.data())) << "tag " << at;
        tags[at] ^= 0x8000'0000;
        --index.ends[at];
        EXPECT_FALSE(has_tags_and_values(index, tags.data())) << "value " << at;
        ++index.ends[at];
      }
    }
  }
  ASSERT_TRUE(force_kernel(before).has_value());
}

TEST(Kernel, EnvironmentIsObeyed) {
  // This variable selects the kernel for a test; a test that silently uses another would prove
  // nothing.
  if (const char* name = std::getenv("AFFIX_KERNEL"); name != nullptr && *name != '\0') {
    EXPECT_STREQ(to_text(active_kernel()), name);
  }
}

/// The choice is made once in a process, so each death test starts a fresh one.
class KernelDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void index_under(const char* name) {
  setenv("AFFIX_KERNEL", name, 1);
  FieldIndexOf<16> index;
  index_message(support::make_message("35=0|"), index);
}

TEST_F(KernelDeathTest, RefusesAnUnknownName) {
  EXPECT_DEATH(index_under("warp"), "AFFIX_KERNEL=warp: no such kernel");
}

TEST_F(KernelDeathTest, RefusesAKernelThatIsNotThere) {
  const char* missing = kernel_available(Kernel::Neon) ? "avx512" : "neon";
  EXPECT_DEATH(index_under(missing), "cannot run that kernel");
}

}  // namespace
}  // namespace affix::wire
