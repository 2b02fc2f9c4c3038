// SPDX-License-Identifier: MIT
// `affix generate` with valid and invalid files.
#include "generate/command.hpp"
#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace affix::tools::generate {
namespace {

namespace fs = std::filesystem;

class Generate : public testing::Test {
 protected:
  void SetUp() override {
    command_.dictionary = (folder_ / "venue.xml").string();
    command_.name_space = "acme";
    command_.output = (folder_ / "out").string();
  }

  /// The command's standard error when it fails.
  std::string failure(const std::string& dictionary) {
    std::ofstream(command_.dictionary) << dictionary;
    testing::internal::CaptureStderr();
    EXPECT_EQ(generate_headers(command_), 1);
    EXPECT_FALSE(fs::exists(command_.output));
    return testing::internal::GetCapturedStderr();
  }

  static std::string with_body(const std::string& body) {
    return "<fix type='FIX' major='4' minor='4' servicepack='0'><header><field name='MsgType' "
           "required='Y'/></header><trailer><field name='CheckSum' required='Y'/></trailer>"
           "<messages><message name='Note' msgtype='U1' msgcat='app'>" +
           body +
           "</message></messages><components/><fields><field number='35' name='MsgType' "
           "type='STRING'/><field number='10' name='CheckSum' type='STRING'/><field number='58' "
           "name='Text' type='STRING'/></fields></fix>";
  }

  support::TemporaryDirectory directory_;
  const fs::path folder_ = directory_.path();
  GenerateCommand command_;
};

TEST_F(Generate, WritesHeadersIntoTheNamespacesFolder) {
  std::ofstream(command_.dictionary) << with_body("<field name='Text' required='Y'/>");
  EXPECT_EQ(generate_headers(command_), 0);
  EXPECT_TRUE(fs::exists(folder_ / "out/acme/note.hpp"));
  EXPECT_TRUE(fs::exists(folder_ / "out/acme.hpp"));
}

TEST_F(Generate, ListsWithoutWriting) {
  std::ofstream(command_.dictionary) << with_body("<field name='Text' required='Y'/>");
  command_.list = true;
  testing::internal::CaptureStdout();
  EXPECT_EQ(generate_headers(command_), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("out/acme/note.hpp\n"), std::string::npos);
  EXPECT_FALSE(fs::exists(command_.output));
}

TEST_F(Generate, ReportsEveryProblemOfADictionary) {
  const std::string said =
      failure(with_body("<field name='Nowhere' required='Y'/>\n<field name='Else' required='N'/>"));
  EXPECT_TRUE(support::has_message(said, "D116", {"venue.xml:", "Nowhere"}));
  EXPECT_TRUE(support::has_message(said, "D116", {"venue.xml:", "Else"}));
}

TEST_F(Generate, RefusesAFileThatIsNotADictionary) {
  EXPECT_NE(failure(""), "");
  EXPECT_NE(failure("<fix>"), "");
  EXPECT_NE(failure("not XML"), "");
}

TEST_F(Generate, NamesTheFileThatIsNotThere) {
  command_.transport = (folder_ / "transport.xml").string();
  const std::string said = failure(with_body("<field name='Text' required='Y'/>"));
  EXPECT_TRUE(support::has_message(said, "O101", {"transport.xml"}));
}

TEST_F(Generate, RefusesTextThatIsNotANamespace) {
  command_.name_space = "../acme";
  const std::string said = failure(with_body("<field name='Text' required='Y'/>"));
  EXPECT_TRUE(support::has_message(said, "D126", {"../acme"}));
}

}  // namespace
}  // namespace affix::tools::generate
