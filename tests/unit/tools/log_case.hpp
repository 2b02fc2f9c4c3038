// SPDX-License-Identifier: MIT
// Shared by tests of the log reader: a directory removed after the test, and a log's output.
#pragma once

#include "affix/journal/journal.hpp"

#include "log/show_log.hpp"
#include "support/fix_text.hpp"
#include "support/lines.hpp"
#include "support/temporary_directory.hpp"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <vector>

namespace affix::tools::log {

using support::lines_of;

class LogCase : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return directory_.path(name); }

  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream file(path(name), std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

  [[nodiscard]] affix::journal::Options journal_options(const std::string& name) const {
    affix::journal::Options options;
    options.directory = path(name);
    options.identity = name;
    options.sequence_reserve = 0;
    options.sync_on_close = false;
    return options;
  }

  /// Output of show_log().
  [[nodiscard]] static std::string shown(const LogOptions& options, int expected_status = 0) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const out = ::open_memstream(&text, &size);
    EXPECT_EQ(show_log(options, out), expected_status);
    std::fclose(out);
    std::string result(text, size);
    std::free(text);
    return result;
  }

  support::TemporaryDirectory directory_;
};

}  // namespace affix::tools::log
