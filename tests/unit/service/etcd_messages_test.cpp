// SPDX-License-Identifier: MIT
// The texts of etcd's JSON gateway, as etcd 3.4 writes them and as it never should.
#include "service/etcd_messages.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace affix::service {
namespace {

TEST(EtcdMessages, Base64IsThatOfTheStandard) {
  for (const auto& [bytes, text] : std::initializer_list<std::pair<std::string, std::string>>{
           {"", ""},
           {"f", "Zg=="},
           {"fo", "Zm8="},
           {"foo", "Zm9v"},
           {"foob", "Zm9vYg=="},
           {"fooba", "Zm9vYmE="},
           {"foobar", "Zm9vYmFy"},
           {std::string("\xFB\xFF\x00", 3), "+/8A"},
       }) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  for (const char* const text : {"Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zh==", "Zm9=",
                                 "Zg=g", "Zm9v\n", "Z-9v", "Zg= ="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

TEST(EtcdMessages, RequestsAreThoseOfTheGateway) {
  EXPECT_EQ(range_request("foo"), R"({"key":"Zm9v"})");
  EXPECT_EQ(range_request("foo", "fop"), R"({"key":"Zm9v","range_end":"Zm9w"})");
  EXPECT_EQ(write_request("foo", "bar", 5),
            R"({"compare":[{"key":"Zm9v","mod_revision":"5","result":"EQUAL","target":"MOD"}],)"
            R"("failure":[{"request_range":{"key":"Zm9v"}}],)"
            R"("success":[{"request_put":{"key":"Zm9v","value":"YmFy"}}]})");
  EXPECT_EQ(token_request("a\"b", "\xFF"), "{\"name\":\"a\\\"b\",\"password\":\"\xEF\xBF\xBD\"}");
}

TEST(EtcdMessages, ReadsARange) {
  const auto none = read_range(R"({"header":{"cluster_id":"1","revision":"1"}})");
  ASSERT_TRUE(none.has_value());
  EXPECT_TRUE(none->empty());
  const auto one =
      read_range(R"({"header":{"revision":"9"},"kvs":[{"key":"Zm9v","create_revision":"2",)"
                 R"("mod_revision":"7","version":"3","value":"YmFy"}],"count":"1"})");
  ASSERT_TRUE(one.has_value()) << one.error();
  ASSERT_EQ(one->size(), 1U);
  EXPECT_EQ(one->front().key, "foo");
  EXPECT_EQ(one->front().value, "bar");
  EXPECT_EQ(one->front().revision, 7U);
  // An empty value is left out; numbers may be numbers.
  const auto empty = read_range(R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":7}]})");
  ASSERT_TRUE(empty.has_value()) << empty.error();
  EXPECT_EQ(empty->front().value, "");
}

TEST(EtcdMessages, ReadsTheValueOfOneKey) {
  EXPECT_EQ(read_value(R"({"header":{}})").value(), std::nullopt);
  const auto one = read_value(R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":"7"}]})");
  ASSERT_TRUE(one.has_value() && one->has_value());
  EXPECT_EQ((*one)->revision, 7U);
  EXPECT_FALSE(read_value(R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":"7"},)"
                          R"({"key":"Zm9v","mod_revision":"8"}]})")
                   .has_value());
}

TEST(EtcdMessages, RefusesWhatIsNoRange) {
  for (const char* const text :
       {"", "{", "[]", "null", "{}", R"({"header":1})", R"({"header":{},"kvs":{}})",
        R"({"header":{},"kvs":[1]})", R"({"header":{},"kvs":[{"mod_revision":"7"}]})",
        R"({"header":{},"kvs":[{"key":"Zm9v"}]})",
        R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":"0"}]})",
        R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":"-1"}]})",
        R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":-1}]})",
        R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":"1x"}]})",
        R"({"header":{},"kvs":[{"key":"?","mod_revision":"1"}]})",
        R"({"header":{},"kvs":[{"key":"Zm9v","mod_revision":"1","value":7}]})"}) {
    EXPECT_FALSE(read_range(text).has_value()) << text;
    EXPECT_FALSE(read_value(text).has_value()) << text;
    EXPECT_FALSE(read_write(text).has_value()) << text;
    EXPECT_FALSE(read_token(text).has_value()) << text;
  }
}

TEST(EtcdMessages, ReadsWhatBecameOfAWrite) {
  const auto done = read_write(
      R"({"header":{"revision":"8"},"succeeded":true,"responses":[{"response_put":{"header":{}}}]})");
  ASSERT_TRUE(done.has_value()) << done.error();
  EXPECT_TRUE(done->is_written);
  EXPECT_EQ(done->revision, 8U);

  const auto other =
      read_write(R"({"header":{"revision":"8"},"responses":[{"response_range":{"header":{},)"
                 R"("kvs":[{"key":"Zm9v","mod_revision":"7","value":"YmFy"}],"count":"1"}}]})");
  ASSERT_TRUE(other.has_value()) << other.error();
  EXPECT_FALSE(other->is_written);
  ASSERT_TRUE(other->present.has_value());
  EXPECT_EQ(other->present->revision, 7U);

  const auto nothing = read_write(
      R"({"header":{"revision":"8"},"succeeded":false,"responses":[{"response_range":{"header":{}}}]})");
  ASSERT_TRUE(nothing.has_value()) << nothing.error();
  EXPECT_FALSE(nothing->present.has_value());

  // A request that is not certainly refused must not count as that.
  for (const char* const text :
       {R"({"header":{},"succeeded":true})", R"({"header":{"revision":"0"},"succeeded":true})",
        R"({"header":{"revision":"8"},"succeeded":"true"})", R"({"header":{"revision":"8"}})",
        R"({"header":{"revision":"8"},"responses":[]})",
        R"({"header":{"revision":"8"},"responses":[{"response_put":{}}]})"}) {
    EXPECT_FALSE(read_write(text).has_value()) << text;
  }
}

TEST(EtcdMessages, ReadsAToken) {
  EXPECT_EQ(read_token(R"({"header":{},"token":"abc.9"})"), "abc.9");
  for (const char* const text : {R"({"header":{},"token":""})", R"({"header":{},"token":"a b"})",
                                 R"({"header":{},"token":"a\r\nX: y"})", R"({"token":"a"})"}) {
    EXPECT_FALSE(read_token(text).has_value()) << text;
  }
}

TEST(EtcdMessages, ToldFaultsAreRefusalsOrNot) {
  struct Told {
    const char* text;
    int code;
    bool is_refusal;
    bool is_about_token;
  };

  for (const Told& told : std::initializer_list<Told>{
           {R"({"error":"etcdserver: permission denied","code":7})", 7, true, false},
           {R"({"error":"etcdserver: invalid auth token","code":16})", 16, true, true},
           {R"({"error":"etcdserver: user name is empty","code":3})", 3, true, true},
           {R"({"message":"etcdserver: request timed out","code":14})", 14, false, false},
           {R"({"error":"etcdserver: mvcc: database space exceeded","code":8})", 8, true, false},
           {R"({"error":"x","code":"7"})", 7, true, false},
           {R"({"error":7,"code":1000})", 0, false, false},
           {"<html>", 0, false, false},
           {"", 0, false, false}}) {
    const EtcdFault fault = read_fault(told.text);
    EXPECT_EQ(fault.code, told.code) << told.text;
    EXPECT_EQ(is_refusal(fault), told.is_refusal) << told.text;
    EXPECT_EQ(is_about_token(fault), told.is_about_token) << told.text;
  }
  EXPECT_EQ(read_fault(R"({"error":"a","message":"b"})").message, "b");
}

}  // namespace
}  // namespace affix::service
