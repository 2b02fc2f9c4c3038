// SPDX-License-Identifier: MIT
// Answers of HTTP servers, in pieces of every size.
#include "service/http_answer.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::service {
namespace {

using Progress = HttpAnswer::Progress;

constexpr std::size_t body_bytes_max = 100;

struct Result {
  Progress progress = Progress::More;
  int status = 0;
  std::string body;
  bool may_go_on = false;
  std::string fault;

  bool operator==(const Result&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Result& result) {
  return out << static_cast<int>(result.progress) << ' ' << result.status << " '" << result.body
             << "' " << result.may_go_on << ' ' << result.fault;
}

Result result_of(HttpAnswer& answer, Progress progress) {
  return {progress, answer.status(), answer.body(), answer.may_go_on(), answer.fault()};
}

/// In one piece; the same in pieces of one byte each.
Result read(std::string_view bytes) {
  HttpAnswer whole(body_bytes_max);
  const Result result = result_of(whole, whole.add(bytes));
  HttpAnswer slow(body_bytes_max);
  Progress progress = Progress::More;
  for (const char byte : bytes) {
    progress = slow.add({&byte, 1});
  }
  EXPECT_EQ(result_of(slow, progress), result);
  return result;
}

Result fault(const char* text, int status = 200) {
  return {Progress::Broken, status, "", false, text};
}

TEST(HttpAnswer, ABodyWithALength) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\ncontent-LENGTH: \t 2 \r\n\r\nab"),
            (Result{Progress::Whole, 200, "ab", true, ""}));
  EXPECT_EQ(read("HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n"),
            (Result{Progress::Whole, 503, "", false, ""}));
  EXPECT_EQ(read("HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nab"),
            (Result{Progress::More, 200, "ab", true, ""}));
  // Line ends without a carriage return are taken, as RFC 9112 (2.2) allows.
  EXPECT_EQ(read("HTTP/1.1 200 OK\nContent-Length: 1\n\na"),
            (Result{Progress::Whole, 200, "a", true, ""}));
}

TEST(HttpAnswer, ABodyInChunks) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
                 "2\r\nab\r\n0A ;x=\"y\"\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"),
            (Result{Progress::Whole, 200, "ab0123456789", true, ""}));
  // An end that is ambiguous is not trusted for another request.
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "1\r\na\r\n0\r\n\r\n"),
            (Result{Progress::Whole, 200, "a", false, ""}));
}

TEST(HttpAnswer, ABodyUntilTheEnd) {
  HttpAnswer answer(body_bytes_max);
  EXPECT_EQ(answer.add("HTTP/1.1 500 Fault\r\n\r\nwhy"), Progress::More);
  EXPECT_EQ(answer.end(), Progress::Whole);
  EXPECT_EQ(answer.body(), "why");
  EXPECT_FALSE(answer.may_go_on());
}

TEST(HttpAnswer, AnEndInTheMiddleIsAFault) {
  for (const std::string_view begin :
       {"", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"}) {
    HttpAnswer answer(body_bytes_max);
    EXPECT_EQ(answer.add(begin), Progress::More) << begin;
    EXPECT_EQ(answer.end(), Progress::Broken) << begin;
    EXPECT_STREQ(answer.fault(), "ends before it is complete");
  }
}

TEST(HttpAnswer, InterimAnswersAreSkipped) {
  EXPECT_EQ(read("HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n"
                 "HTTP/1.1 204 None\r\n\r\n"),
            (Result{Progress::Whole, 204, "", true, ""}));
  EXPECT_EQ(read("HTTP/1.1 101 Switch\r\n\r\n"), fault("changes the protocol", 101));
}

TEST(HttpAnswer, AVersionWithoutKeptConnections) {
  EXPECT_EQ(read("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na"),
            (Result{Progress::Whole, 200, "a", false, ""}));
}

TEST(HttpAnswer, BytesThatNobodyAskedFor) {
  HttpAnswer answer(body_bytes_max);
  EXPECT_EQ(answer.add("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab"), Progress::Whole);
  EXPECT_EQ(answer.body(), "a");
  EXPECT_FALSE(answer.may_go_on());
}

TEST(HttpAnswer, NoAnswerOfHttp) {
  for (const char* line : {"HTTP/2 200 OK", "HTTP/1.1  200", "HTTP/1.1 20", "HTTP/1.1 2000",
                           "HTTP/1.1 +20 OK", "HTTP/1.1 099 OK", "SSH-2.0-OpenSSH", ""}) {
    EXPECT_EQ(read(std::string(line) + "\r\n"),
              (Result{Progress::Broken, 0, "", false, "is not of HTTP/1"}))
        << line;
  }
}

TEST(HttpAnswer, HeadersThatContradict) {
  const std::string begin = "HTTP/1.1 200 OK\r\n";
  for (const char* length :
       {"Content-Length: ", "Content-Length: 1x", "Content-Length: -1",
        "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 99999999999999999999999"}) {
    EXPECT_EQ(read(begin + length + "\r\n"), fault("has a Content-Length that is no number"))
        << length;
  }
  EXPECT_EQ(read(begin + "Transfer-Encoding: gzip\r\n"),
            fault("has a Transfer-Encoding other than chunked"));
  for (const char* line : {"no colon", ": no name", " folded: line"}) {
    EXPECT_EQ(read(begin + line + "\r\n"), fault("has a header line without a name")) << line;
  }
}

TEST(HttpAnswer, ChunksThatContradict) {
  const std::string begin = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(read(begin + "x\r\n"), fault("has a chunk without a size"));
  EXPECT_EQ(read(begin + "\r\n"), fault("has a chunk without a size"));
  EXPECT_EQ(read(begin + "1\r\nab\r\n").fault, "has a chunk that is longer than it says");
}

TEST(HttpAnswer, Limits) {
  const std::string begin = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(read(begin + "Content-Length: 101\r\n\r\n"), fault("is too long"));
  EXPECT_EQ(read(begin + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"),
            fault("is too long"));
  EXPECT_EQ(
      read(begin + "Transfer-Encoding: chunked\r\n\r\n64\r\n" + std::string(100, 'a') + "\r\n1\r\n")
          .fault,
      "is too long");
  EXPECT_EQ(read(begin + "\r\n" + std::string(101, 'a')).fault, "is too long");
  EXPECT_EQ(read(begin + "A: " + std::string(HttpAnswer::lines_bytes_max, 'a')),
            fault("has more header lines than an answer has"));
  std::string many = begin;
  while (many.size() < HttpAnswer::lines_bytes_max + 10) {
    many += "A: a\r\n";
  }
  EXPECT_EQ(read(many), fault("has more header lines than an answer has"));
}

}  // namespace
}  // namespace affix::service
