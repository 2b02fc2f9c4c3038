// SPDX-License-Identifier: MIT
// Blocks, locks and pages of files, on every system alike.
#include "os/file_blocks.hpp"

#include "os/file_lock.hpp"
#include "os/nameless_file.hpp"
#include "os/page_advice.hpp"
#include "support/temporary_directory.hpp"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::os {

namespace {

std::uint64_t size_of(int file) {
  struct stat status{};
  EXPECT_EQ(::fstat(file, &status), 0);
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

TEST(FileBlocks, AllocatingKeepsWhatIsThereAndNeverShortens) {
  const support::TemporaryDirectory directory;
  const FileDescriptor file(
      ::open((directory.path() + "/blocks").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_TRUE(file.is_open());
  ASSERT_EQ(::write(file.number(), "affix", 5), 5);
  constexpr std::uint64_t bytes = 256 * 1024;
  ASSERT_EQ(allocate_blocks(file.number(), 0, bytes), 0);
  EXPECT_EQ(size_of(file.number()), bytes);
  ASSERT_EQ(allocate_blocks(file.number(), 0, 4096), 0);
  EXPECT_EQ(size_of(file.number()), bytes);
  ASSERT_EQ(allocate_blocks(file.number(), bytes, bytes), 0);
  EXPECT_EQ(size_of(file.number()), 2 * bytes);
  std::string text(6, 'x');
  ASSERT_EQ(::pread(file.number(), text.data(), text.size(), 0), 6);
  EXPECT_EQ(text, std::string("affix\0", 6));
  begin_flush(file.number(), 0, bytes);
  EXPECT_EQ(flush_contents(file.number()), 0);
  EXPECT_EQ(flush_all(file.number()), 0);
  drop_cached(file.number(), 0, bytes);
  expect_single_reads(file.number());
  EXPECT_NE(allocate_blocks(-1, 0, bytes), 0);
  EXPECT_NE(flush_contents(-1), 0);
}

TEST(FileLock, IsOfTheDescriptorThatTookIt) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path() + "/lock";
  FileDescriptor one(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const FileDescriptor other(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  const FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(is_locked(reader.number()));
  ASSERT_EQ(lock_file(one.number()), 0);
  EXPECT_TRUE(is_locked(other.number()));
  EXPECT_TRUE(is_locked(reader.number()));
  EXPECT_EQ(lock_file(other.number()), EAGAIN);
  one = FileDescriptor();
  EXPECT_FALSE(is_locked(reader.number()));
  EXPECT_EQ(lock_file(other.number()), 0);
}

TEST(NamelessFile, IsOpenedAgainByItsPath) {
  const FileDescriptor file = make_nameless_file("affix-test");
  ASSERT_TRUE(file.is_open());
  ASSERT_EQ(::pwrite(file.number(), "affix", 5, 0), 5);
  const FileDescriptor again(::open(path_of_descriptor(file.number()).c_str(), O_RDONLY));
  std::string text(5, 'x');
  ASSERT_EQ(::pread(again.number(), text.data(), text.size(), 0), 5);
  EXPECT_EQ(text, "affix");
}

TEST(PageAdvice, EmptiedPagesAreZero) {
  const std::size_t bytes = 4 * page_bytes();
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const text = static_cast<char*>(memory);
  std::memset(text, 'x', bytes);
  empty_pages(text + page_bytes(), 2 * page_bytes());
  EXPECT_EQ(text[0], 'x');
  EXPECT_EQ(text[page_bytes()], '\0');
  EXPECT_EQ(text[3 * page_bytes() - 1], '\0');
  EXPECT_EQ(text[3 * page_bytes()], 'x');
  text[page_bytes()] = 'y';
  // Part of a page keeps all of it, and its neighbours.
  empty_pages(text + 1, page_bytes() + 1);
  empty_pages(text + page_bytes() - 1, 1);
  EXPECT_EQ(text[0], 'x');
  EXPECT_EQ(text[page_bytes()], 'y');
  ::munmap(memory, bytes);
}

TEST(PageAdvice, PagesOfAFileThatWereLeftComeBack) {
  const std::size_t bytes = 4 * page_bytes();
  const FileDescriptor file = make_nameless_file("affix-test");
  ASSERT_EQ(allocate_blocks(file.number(), 0, bytes), 0);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  ASSERT_NE(memory, MAP_FAILED);
  const int made = make_pages_writable(memory, bytes);
  EXPECT_TRUE(made == 0 || made == EINVAL) << made;
  auto* const text = static_cast<char*>(memory);
  std::memset(text, 'x', bytes);
  EXPECT_EQ(present_bytes(memory, bytes), bytes);
  EXPECT_EQ(present_bytes(memory, 0), 0U);
  leave_pages(memory, bytes);
  read_pages_ahead(memory, bytes);
  expect_single_pages(memory, bytes);
  EXPECT_EQ(std::string_view(text, bytes), std::string(bytes, 'x'));
  ::munmap(memory, bytes);
}

}  // namespace affix::os
