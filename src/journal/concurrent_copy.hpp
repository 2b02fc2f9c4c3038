// SPDX-License-Identifier: MIT
// Informs the thread sanitizer of copies of a journal's pages made while their writer goes on.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define AFFIX_JOURNAL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AFFIX_JOURNAL_THREAD_SANITIZER 1
#endif
#endif

#ifdef AFFIX_JOURNAL_THREAD_SANITIZER
// The sanitizer's runtime has them, but no header declares them.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" void AnnotateIgnoreReadsBegin(const char* file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char* file, int line);
// NOLINTEND(readability-identifier-naming)
#endif

namespace affix::inline v0::journal {

/// While one lives, the thread sanitizer ignores this thread's reads. With durability `sync`,
/// pwrite copies pages of a journal to its file while the writer stores to other bytes of them: the
/// sparse index, a hint that is checked before use, and processed marks, one byte each, which go to
/// the file again with the next flush if this one may have missed them. Records are stored before
/// the position that is flushed to. A suppression by name would need a symbolizer at run time.
/// Costs nothing in a build without that sanitizer.
class ConcurrentCopy {
 public:
#ifdef AFFIX_JOURNAL_THREAD_SANITIZER
  ConcurrentCopy() noexcept { AnnotateIgnoreReadsBegin(__FILE__, __LINE__); }

  ~ConcurrentCopy() { AnnotateIgnoreReadsEnd(__FILE__, __LINE__); }
#else
  // Not defaulted: compilers would warn of an unused object where it does nothing.
  ConcurrentCopy() noexcept {}

  ~ConcurrentCopy() {}
#endif
  ConcurrentCopy(const ConcurrentCopy&) = delete;
  ConcurrentCopy& operator=(const ConcurrentCopy&) = delete;
};

}  // namespace affix::inline v0::journal
