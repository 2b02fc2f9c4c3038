// SPDX-License-Identifier: MIT
// The monitor's requests before they are answered: targets, parameters, access.
#include "affix/base/time.hpp"

#include "monitor/access.hpp"
#include "monitor/action.hpp"
#include "monitor/page_files.hpp"
#include "monitor/request.hpp"
#include "monitor/watched_engine.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <stdlib.h>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::monitor {
namespace {

Request request(std::string_view target) {
  auto made = request_of_target(target);
  EXPECT_TRUE(made.has_value()) << target;
  Request one = made ? *made : Request{.method = "GET", .path = "/"};
  one.method = "GET";
  one.host = "127.0.0.1:9444";
  return one;
}

TEST(MonitorRequest, HasItsParametersDecoded) {
  const Request one =
      request("/api/messages?session=CLIENTS%2fC17&text=a+b%2Bc&&tag=54%3D1&tag=38#top");
  EXPECT_EQ(one.path, "/api/messages");
  Parameters parameters(one, {"session", "text", "tag*"});
  EXPECT_EQ(parameters.error(), "");
  EXPECT_EQ(parameters.text("session"), "CLIENTS/C17");
  EXPECT_EQ(parameters.text("text"), "a b+c");
  EXPECT_EQ(parameters.texts("tag"), (std::vector<std::string>{"54=1", "38"}));
  EXPECT_EQ(parameters.text("none"), "");
}

TEST(MonitorRequest, IsRefusedWhereItIsNone) {
  for (const char* const target : {"", "api", "/%", "/%zz", "/%0a", "/a?b=%4", "*"}) {
    EXPECT_FALSE(request_of_target(target).has_value()) << target;
  }
  EXPECT_FALSE(request_of_target("/" + std::string(target_bytes_max, 'a')).has_value());
  std::string many = "/?";
  for (std::size_t number = 0; number <= parameters_max; ++number) {
    many += "a=1&";
  }
  EXPECT_FALSE(request_of_target(many).has_value());
}

TEST(MonitorRequest, SaysWhichParameterIsWrong) {
  const auto error = [](std::string_view target) {
    const Request one = request(target);
    Parameters parameters(one, {"a", "n", "b", "t"});
    static_cast<void>(parameters.number("n", 7, 1, 10));
    static_cast<void>(parameters.flag("b"));
    static_cast<void>(parameters.time("t", false));
    return parameters.error();
  };
  EXPECT_EQ(error("/?a=1&n=10&b=1&t=2026-01-31T09:30:00Z"), "");
  EXPECT_EQ(error("/?c=1"), "unknown parameter 'c'");
  EXPECT_EQ(error("/?a=1&a=2"), "parameter 'a' is given twice");
  EXPECT_EQ(error("/?n=11"), "n is a number from 1 to 10");
  EXPECT_EQ(error("/?n=x"), "n is a number from 1 to 10");
  EXPECT_EQ(error("/?b=yes"), "b is 0 or 1");
  EXPECT_NE(error("/?t=soon"), "");
}

TEST(MonitorRequest, ReadsTimesToTheirFirstOrLastMoment) {
  const auto time = [](std::string_view text, bool upper) {
    const Request one = request("/?t=" + std::string(text));
    Parameters parameters(one, {"t"});
    const auto read = parameters.time("t", upper);
    EXPECT_EQ(parameters.error(), "") << text;
    return read.value_or(-1);
  };
  constexpr long long noon = 1'769'860'800LL * base::ns_per_second;  // 2026-01-31 12:00:00.
  EXPECT_EQ(time("1769860800000000001", false), noon + 1);
  EXPECT_EQ(time("2026-01-31T12:00:00Z", false), noon);
  EXPECT_EQ(time("2026-01-31T12:00Z", true), noon + 60 * base::ns_per_second - 1);
  EXPECT_EQ(time("2026-01-31+12:00:00.5", false), noon + base::ns_per_second / 2);
  EXPECT_EQ(time("2026-01-31T12:00:00.5Z", true),
            noon + base::ns_per_second / 2 + base::ns_per_second / 10 - 1);
  EXPECT_EQ(time("2026-01-31", false), noon - base::ns_per_day / 2);
  EXPECT_EQ(time("2026-01-31", true), noon + base::ns_per_day / 2 - 1);
  EXPECT_EQ(iso_time(noon + 5), "2026-01-31T12:00:00.000000005Z");
}

TEST(MonitorRequest, GivesTextThatJsonCanHold) {
  EXPECT_EQ(as_utf8("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(as_utf8("\xFF\x61\xC3"), "\xEF\xBF\xBD\x61\xEF\xBF\xBD");
  EXPECT_EQ(as_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "a surrogate";
  EXPECT_EQ(refuse(404, "\xFF", "M122").body, "{\"code\":\"M122\",\"error\":\"\xEF\xBF\xBD\"}");
}

class MonitorAccess : public ::testing::Test {
 protected:
  MonitorAccess() {
    ::setenv("AFFIX_TEST_READ", "the-token-for-reading", 1);
    ::setenv("AFFIX_TEST_OPERATE", "the-token-for-operating", 1);
    affix::config::ManagementSettings settings;
    settings.management_read_token = "env:AFFIX_TEST_READ";
    settings.management_operate_token = "env:AFFIX_TEST_OPERATE";
    rules_.engines.emplace_back().tokens = admin::Tokens::read(settings).value();
    rules_.hosts = {"Monitor.example"};
  }

  static int status(const std::optional<Answer>& refused) {
    return refused ? refused->status : 200;
  }

  AccessRules rules_;
};

TEST_F(MonitorAccess, KnowsItsOwnNames) {
  const Access access(rules_);
  for (const char* const host : {"127.0.0.1:9444", "localhost", "LocalHost:1", "[::1]:9444",
                                 "[::1]", "10.0.0.7:9444", "monitor.example:443"}) {
    Request one = request("/");
    one.host = host;
    EXPECT_EQ(status(access.refuse_host(one)), 200) << host;
  }
  for (const char* const host : {"", "evil.example", "evil.example:9444", "*", "*:9444",
                                 "127.0.0.1.evil.example", "monitor.example.evil"}) {
    Request one = request("/");
    one.host = host;
    EXPECT_EQ(status(access.refuse_host(one)), 421) << host;
  }
}

TEST_F(MonitorAccess, ReadsNeedATokenWhereTheRulesSaySo) {
  Request one = request("/api/state");
  EXPECT_EQ(status(Access(rules_).refuse_read(one, 0)), 200);
  one.fetch_site = "cross-site";
  EXPECT_EQ(status(Access(rules_).refuse_read(one, 0)), 403);
  one.fetch_site = "same-origin";
  rules_.engines[0].reads_need_token = true;
  Access access(rules_);
  EXPECT_EQ(status(access.refuse_read(one, 0)), 401);
  one.authorization = "Bearer the-token-for-readinG";
  EXPECT_EQ(status(access.refuse_read(one, 0)), 401);
  one.authorization = "bearer  the-token-for-reading";
  EXPECT_EQ(status(access.refuse_read(one, 0)), 200);
  one.authorization = "Basic the-token-for-reading";
  EXPECT_EQ(status(access.refuse_read(one, 0)), 401);
}

TEST_F(MonitorAccess, WrongTokensAreCountedAndRightOnesAreNot) {
  rules_.engines[0].reads_need_token = true;
  Access access(rules_);
  Request wrong = request("/api/state");
  wrong.authorization = "Bearer nothing-of-the-kind";
  for (int number = 0; number < 20; ++number) {
    EXPECT_EQ(status(access.refuse_read(wrong, 0)), 401);
  }
  EXPECT_EQ(status(access.refuse_read(wrong, 0)), 429);
  Request right = wrong;
  right.authorization = "Bearer the-token-for-operating";
  EXPECT_EQ(status(access.refuse_read(right, 0)), 200);
  EXPECT_EQ(status(access.refuse_read(wrong, 11 * base::ns_per_second)), 401);
}

TEST_F(MonitorAccess, ChangesNeedTheFlagTheTokenAndTheOwnPage) {
  Request one = request("/api/action");
  one.authorization = "Bearer the-token-for-operating";
  EXPECT_EQ(status(Access(rules_).refuse_change(one, 0)), 403);
  rules_.operate = true;
  Access access(rules_);
  EXPECT_EQ(status(access.refuse_change(one, 0)), 200);
  one.origin = "http://127.0.0.1:9444";
  EXPECT_EQ(status(access.refuse_change(one, 0)), 200);
  for (const char* const origin : {"http://127.0.0.1:9445", "null", "http://evil.example", "x"}) {
    one.origin = origin;
    EXPECT_EQ(status(access.refuse_change(one, 0)), 403) << origin;
  }
  one.origin.clear();
  one.authorization = "Bearer the-token-for-reading";
  EXPECT_EQ(status(access.refuse_change(one, 0)), 403);
  one.authorization.clear();
  EXPECT_EQ(status(access.refuse_change(one, 0)), 401);
}

TEST_F(MonitorAccess, OfSeveralEnginesAReaderOfOneSeesThatOne) {
  ::setenv("AFFIX_TEST_OTHER", "the-token-of-another", 1);
  affix::config::ManagementSettings settings;
  settings.management_operate_token = "env:AFFIX_TEST_OTHER";
  rules_.operate = true;
  rules_.engines[0].reads_need_token = true;
  rules_.engines.emplace_back().tokens = admin::Tokens::read(settings).value();
  rules_.engines[1].reads_need_token = true;
  Access access(rules_);
  Request one = request("/api/state");
  EXPECT_EQ(status(access.refuse_read(one, 0)), 401);
  one.authorization = "Bearer the-token-for-operating";
  EXPECT_EQ(status(access.refuse_read(one, 0)), 200);
  EXPECT_TRUE(access.may_read(one, 0));
  EXPECT_FALSE(access.may_read(one, 1));
  EXPECT_EQ(status(access.refuse_change(one, 0)), 200);
  EXPECT_TRUE(access.may_change(one, 0));
  EXPECT_FALSE(access.may_change(one, 1));
  one.authorization = "Bearer the-token-of-another";
  EXPECT_FALSE(access.may_read(one, 0));
  EXPECT_TRUE(access.may_change(one, 1));
}

Fleet fleet_of(const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<WatchedEngine>> engines;
  for (const std::string& name : names) {
    engines.push_back(std::make_unique<WatchedEngine>());
    engines.back()->name = name;
  }
  return Fleet(std::move(engines));
}

TEST(MonitorFleet, NamesSessionsByTheirEnginesWhereThereAreSeveral) {
  const Fleet one = fleet_of({"venue"});
  EXPECT_EQ(one.name_of(one[0], "A:B"), "A:B");
  EXPECT_EQ(one.place_of("A:B").engine, &one[0]);
  EXPECT_EQ(one.place_of("A:B").session, "A:B");
  EXPECT_EQ(one.chosen_place("", "").value().engine, &one[0]);
  EXPECT_FALSE(one.chosen_place("other", ""));
  const Fleet two = fleet_of({"venue", "gateway"});
  EXPECT_EQ(two.name_of(two[1], "A:B"), "gateway:A:B");
  EXPECT_EQ(two.place_of("gateway:A:B").engine, &two[1]);
  EXPECT_EQ(two.place_of("gateway:A:B").session, "A:B");
  EXPECT_EQ(two.place_of("A").engine, nullptr);
  EXPECT_EQ(two.place_of("none:A").engine, nullptr);
  EXPECT_EQ(two.chosen_place("", "venue:A").value().engine, &two[0]);
  EXPECT_EQ(two.chosen_place("gateway", "").value().engine, &two[1]);
  EXPECT_FALSE(two.chosen_place("", "")) << "which one?";
  EXPECT_FALSE(two.chosen_place("", "A"));
  EXPECT_FALSE(two.chosen_place("gateway", "venue:A"));
  for (const char* const bad : {"", "a:b", "a b", "a/b", "\xC3\xA4"}) {
    EXPECT_FALSE(is_engine_name(bad)) << bad;
  }
  EXPECT_TRUE(is_engine_name("venue-2.eu_1"));
}

TEST(MonitorAction, GoesToTheEngineThatItIsFor) {
  const Fleet two = fleet_of({"venue", "gateway"});
  const auto line = command_line_of(R"({"command":"logout","session":"gateway:A"})", two);
  ASSERT_TRUE(line) << line.error().text();
  EXPECT_EQ(line->engine, &two[1]);
  EXPECT_EQ(line->line, R"({"id":2,"command":"logout","arguments":["A"]})");
  const auto all =
      command_line_of(R"({"command":"kill","engine":"venue","arguments":["engine"]})", two);
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->engine, &two[0]);
  EXPECT_FALSE(command_line_of(R"({"command":"kill","arguments":["engine"]})", two));
  EXPECT_FALSE(command_line_of(R"({"command":"logout","session":"A"})", two));
  EXPECT_FALSE(command_line_of(R"({"command":"kill","engine":"none"})", two));
  EXPECT_FALSE(command_line_of(R"({"command":"kill","engine":7})", two));
}

TEST(MonitorAction, IsOneLineWhateverItHolds) {
  EXPECT_EQ(command_line_of(R"({"command":"logout","session":"A","arguments":["x\ny",7,true]})", {})
                .value()
                .line,
            R"({"id":2,"command":"logout","arguments":["A","x\ny",7,true]})");
  EXPECT_EQ(command_line_of(R"({"command":"sessions"})", {}).value().line,
            R"({"id":2,"command":"sessions","arguments":[]})");
  for (const char* const body :
       {"", "[]", "7", "{", R"({"command":7})", R"({"command":"tap","session":"A"})",
        R"({"command":"quit"})", R"({"command":"auth","arguments":["x"]})",
        R"({"command":"help","arguments":"x"})", R"({"command":"help","arguments":[[1]]})",
        R"({"command":"help","arguments":[1.5]})", R"({"command":"help","other":1})",
        R"({"command":"help","session":7})"}) {
    EXPECT_FALSE(command_line_of(body, {}).has_value()) << body;
  }
}

TEST(MonitorPage, GivesItsFilesAndNothingElse) {
  const Answer index = answer_page(request("/"), {});
  EXPECT_EQ(index.status, 200);
  EXPECT_TRUE(index.body.starts_with("<!")) << index.body.substr(0, 20);
  EXPECT_EQ(answer_page(request("/index.html"), {}).body, index.body);
  for (const char* const path :
       {"/none.js", "/../page_files.cpp", "/a//b.js", "/.js", "/app", "/x/.css"}) {
    EXPECT_EQ(answer_page(request(path), {}).status, 404) << path;
    EXPECT_EQ(answer_page(request(path), "/").status, 404) << path;
  }
}

}  // namespace
}  // namespace affix::tools::monitor
