// SPDX-License-Identifier: MIT
// Options of etcd that an operator may write.
#include "affix/service/etcd_options.hpp"

#include "support/temporary_directory.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace affix::service {
namespace {

EtcdOptions options_with(std::vector<std::string> endpoints) {
  return {.endpoints = std::move(endpoints), .cluster = "prod"};
}

std::string fault_of(const EtcdOptions& options) {
  const auto checked = check_etcd_options(options);
  return checked ? std::string() : checked.error().text();
}

TEST(EtcdOptions, TakesNamesAndAddresses) {
  for (const char* const endpoint : {"http://etcd-1:2379", "http://10.0.0.1:1",
                                     "http://[::1]:65535", "https://etcd.example:2379"}) {
    EXPECT_EQ(fault_of(options_with({endpoint})), "");
  }
}

TEST(EtcdOptions, SaysWhatIsWrong) {
  EXPECT_EQ(fault_of(options_with({})), "no endpoint of etcd is given [R221]");
  for (const char* const endpoint :
       {"", "etcd:2379", "http://etcd", "http://etcd:", "http://etcd:0", "http://etcd:65536",
        "http://etcd:2379/", "http://:2379", "http://a b:1", "http://::1:2379", "http://[]:1",
        "ftp://etcd:2379", "http://etcd:2379\n"}) {
    EXPECT_NE(fault_of(options_with({endpoint})).find("an endpoint is written http://HOST:PORT"),
              std::string::npos)
        << endpoint;
  }
  EXPECT_EQ(fault_of(options_with({"http://a:1", "https://b:1"})),
            "https://b:1: some endpoints are http and some https [R221]");
  EtcdOptions options = options_with({"https://a:1"});
  options.cluster = "a/b";
  EXPECT_NE(fault_of(options).find("the cluster's name"), std::string::npos);
}

TEST(EtcdOptions, CertificatesNeedTheirKeysAndHttps) {
  const support::TemporaryDirectory directory;
  const std::string file = directory.path("file");
  std::ofstream(file) << "x";
  EtcdOptions options = options_with({"https://a:1"});
  options.certificate_file = file;
  EXPECT_NE(fault_of(options).find("a certificate needs its key"), std::string::npos);
  options.key_file = file;
  options.ca_file = file;
  EXPECT_EQ(fault_of(options), "");
  options.ca_file = directory.path("missing");
  EXPECT_NE(fault_of(options).find(directory.path("missing")), std::string::npos);
  options.ca_file = file;
  options.endpoints = {"http://a:1"};
  EXPECT_NE(fault_of(options).find("https endpoints only"), std::string::npos);
}

}  // namespace
}  // namespace affix::service
