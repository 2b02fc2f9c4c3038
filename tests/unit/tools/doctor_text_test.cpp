// SPDX-License-Identifier: MIT
// The formats of /proc and /sys, and texts in other formats.
#include "doctor/system_files.hpp"
#include "doctor/system_text.hpp"
#include "support/temporary_directory.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <sys/stat.h>

namespace affix::tools::doctor {
namespace {

using Processors = std::vector<std::int64_t>;

TEST(DoctorText, NumbersAreNumbersAndNothingElse) {
  EXPECT_EQ(number_of(" 42\n"), 42);
  EXPECT_EQ(number_of("-1"), -1);
  for (const char* const text : {"", " ", "4x", "4 2", "max", "99999999999999999999", "0x10"}) {
    EXPECT_EQ(number_of(text), std::nullopt) << text;
  }
}

TEST(DoctorText, ProcessorsAreListsOfRanges) {
  EXPECT_EQ(processors_of("0-3,8\n"), (Processors{0, 1, 2, 3, 8}));
  EXPECT_EQ(processors_of(""), Processors());
  EXPECT_EQ(processors_of("5,1-2,2"), (Processors{1, 2, 5}));
  EXPECT_EQ(text_of(Processors{0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(text_of({}), "");
  for (const char* const text :
       {"3-1", "-3", "a", "1-", "1,,2", "0-99999999", "8192", "1-2-3", "0x1", "1;2"}) {
    EXPECT_EQ(processors_of(text), std::nullopt) << text;
  }
}

TEST(DoctorText, TheChosenWordStandsInBrackets) {
  EXPECT_EQ(chosen_word("always [madvise] never"), "madvise");
  EXPECT_EQ(chosen_word("none voluntary (full) lazy", '(', ')'), "full");
  EXPECT_EQ(chosen_word("always madvise"), "");
  EXPECT_EQ(chosen_word("] ["), "");
  EXPECT_EQ(chosen_word("[half"), "");
}

TEST(DoctorText, LimitsAreFoundByName) {
  constexpr std::string_view limits =
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max locked memory         unlimited            unlimited            bytes     \n"
      "Max open files            1024                 1048576              files     \n"
      "Max odd                   -5                   few                  things\n";
  ASSERT_TRUE(limit_of(limits, "Max open files"));
  EXPECT_EQ(limit_of(limits, "Max open files")->soft, 1024);
  EXPECT_TRUE(limit_of(limits, "Max locked memory")->is_unlimited);
  EXPECT_FALSE(limit_of(limits, "Max odd"));
  EXPECT_FALSE(limit_of(limits, "Max none"));
  EXPECT_FALSE(limit_of("Max open files", "Max open files"));
}

TEST(DoctorText, APathLiesOnTheNearestMountAboveIt) {
  constexpr std::string_view mounts =
      "22 1 259:2 / / rw - ext4 /dev/a rw\n"
      "not a mount\n"
      "23 22 8:1 / /data rw master:1 propagate_from:2 - xfs /dev/b rw\n"
      "24 22 8:2 / /data\\040too rw - nfs4 far:/ rw\n"
      "25 22 8:3 / /data rw - tmpfs none rw\n";
  EXPECT_EQ(mount_of(mounts, "/other")->device, "259:2");
  EXPECT_EQ(mount_of(mounts, "/datax")->type, "ext4");
  EXPECT_EQ(mount_of(mounts, "/data too/a")->type, "nfs4");
  // The last mounted one is visible.
  EXPECT_EQ(mount_of(mounts, "/data/a/b")->type, "tmpfs");
  EXPECT_EQ(mount_of(mounts, "/data")->device, "8:3");
  EXPECT_FALSE(mount_of("", "/"));
  EXPECT_FALSE(mount_of("1 2 3\n - \n", "/"));
}

TEST(DoctorText, AnyTextIsTaken) {
  std::mt19937_64 random(24);
  constexpr std::string_view letters = "0123456789-, \n[]()\\/:.max-\tunlimited\xff\x01";
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 80, '\0');
    for (char& letter : text) {
      letter = random() % 8 == 0 ? static_cast<char>(random() & 0xFF)
                                 : letters[random() % letters.size()];
    }
    static_cast<void>(number_of(text));
    if (const auto processors = processors_of(text)) {
      EXPECT_EQ(processors_of(text_of(*processors)), processors) << text;
    }
    static_cast<void>(chosen_word(text));
    static_cast<void>(words_of(text));
    static_cast<void>(line_behind(text, "0:"));
    static_cast<void>(limit_of("Max open files" + text, "Max open files"));
    static_cast<void>(mount_of("22 1 8:1 / /" + text + " - ext4" + text, "/" + text));
  }
}

TEST(DoctorFiles, AreReadAsFarAsTheyAreBounded) {
  const support::TemporaryDirectory directory;
  const SystemFiles files(directory.path());
  std::ofstream(directory.path() + "/large") << std::string(1'000'000, 'x');
  std::ofstream(directory.path() + "/number") << "17\n";
  std::ofstream(directory.path() + "/empty");
  EXPECT_EQ(files.text("/large")->size(), 65'536U);
  EXPECT_EQ(files.number("/number"), 17);
  EXPECT_EQ(files.text("/empty"), "");
  EXPECT_EQ(files.number("/large"), std::nullopt);
  EXPECT_EQ(files.text("/none"), std::nullopt);
  // A directory, and a pipe without a writer.
  EXPECT_EQ(files.text("/"), std::nullopt);
  ASSERT_EQ(::mkfifo((directory.path() + "/pipe").c_str(), 0600), 0);
  EXPECT_EQ(files.text("/pipe"), std::nullopt);
  EXPECT_EQ(files.names("/"), (std::vector<std::string>{"empty", "large", "number", "pipe"}));
  EXPECT_EQ(files.names("/none"), std::vector<std::string>());
  EXPECT_FALSE(files.is_this_machine());
}

}  // namespace
}  // namespace affix::tools::doctor
