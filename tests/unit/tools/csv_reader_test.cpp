// SPDX-License-Identifier: MIT
// Rows, quotes and places of CSV text, valid and invalid.
#include "trade/flow/csv_reader.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace affix::tools::trade {
namespace {

/// Every row in brackets, every fault as its text.
std::vector<std::string> rows_of(std::string_view text) {
  std::vector<std::string> rows;
  CsvReader reader(text);
  for (;;) {
    switch (reader.next()) {
      case CsvReader::Row::End:
        return rows;
      case CsvReader::Row::Fault:
        rows.push_back(reader.problem().text());
        break;
      case CsvReader::Row::Read: {
        std::string row;
        for (const CsvField& field : reader.fields()) {
          row += "[" + field.text + "]";
        }
        rows.push_back(row);
        break;
      }
    }
  }
}

using Rows = std::vector<std::string>;

TEST(CsvReader, ReadsRowsWithEitherLineEnd) {
  EXPECT_EQ(rows_of("a,b\nc,d\n"), (Rows{"[a][b]", "[c][d]"}));
  EXPECT_EQ(rows_of("a,b\r\nc,d"), (Rows{"[a][b]", "[c][d]"}));
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "a"),
            Rows{"[a]"});
  EXPECT_EQ(rows_of(""), Rows{});
}

TEST(CsvReader, EmptyFieldsAreFieldsAndEmptyLinesAreNot) {
  EXPECT_EQ(rows_of("a,,\n\r\n\n,\n\"\"\n"), (Rows{"[a][][]", "[][]", "[]"}));
  EXPECT_EQ(rows_of("a,"), Rows{"[a][]"});
}

TEST(CsvReader, QuotesHoldCommasQuotesAndLineEnds) {
  EXPECT_EQ(rows_of("\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\"\nnext"),
            (Rows{"[a,b][say \"hi\"][two\r\nlines]", "[next]"}));
}

TEST(CsvReader, FaultsNameTheirPlaceAndReadingGoesOn) {
  EXPECT_EQ(
      rows_of("a,b\"c\nd,e\n"),
      (Rows{"line 1, column 4: a quote within a field that does not begin with one", "[d][e]"}));
  EXPECT_EQ(rows_of("\"a\"b,c\nd"), (Rows{"line 1, column 4: bytes after a closing quote", "[d]"}));
  EXPECT_EQ(rows_of("x\ny,\"never\nclosed\n"),
            (Rows{"[x]", "line 2, column 3: a quote is never closed"}));
  EXPECT_EQ(rows_of("a\rb\nc"),
            (Rows{"line 1, column 2: a carriage return without a line feed", "[c]"}));
}

TEST(CsvReader, PlacesCountLinesWithinQuotes) {
  CsvReader reader("\"1\n2\",\"x\"\nlast,one");
  ASSERT_EQ(reader.next(), CsvReader::Row::Read);
  EXPECT_EQ(reader.fields()[1].place.line, 2U);
  EXPECT_EQ(reader.fields()[1].place.column, 4U);
  ASSERT_EQ(reader.next(), CsvReader::Row::Read);
  EXPECT_EQ(reader.fields()[1].place.line, 3U);
  EXPECT_EQ(reader.fields()[1].place.column, 6U);
}

TEST(CsvReader, SizesAreBounded) {
  const std::string long_field(CsvReader::field_bytes_max, 'x');
  EXPECT_EQ(rows_of(long_field + ",a"), Rows{"[" + long_field + "][a]"});
  EXPECT_EQ(rows_of(long_field + "x,a\nb"),
            (Rows{"line 1, column 1: a field of more than 4096 bytes", "[b]"}));
  EXPECT_EQ(rows_of("\"" + long_field + "x\",a"),
            Rows{"line 1, column 1: a field of more than 4096 bytes"});
  const std::string commas(CsvReader::fields_max, ',');
  EXPECT_EQ(rows_of(commas + "\nb"), (Rows{"line 1, column 65: more than 64 fields", "[b]"}));
}

}  // namespace
}  // namespace affix::tools::trade
