// SPDX-License-Identifier: MIT
// Keys, texts and directories of identities.
#include "config/identity.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::config {
namespace {

SessionSettings settings(std::string us, std::string them) {
  SessionSettings made;
  made.begin_string = "FIX.4.4";
  made.sender_comp_id = std::move(us);
  made.target_comp_id = std::move(them);
  return made;
}

struct Message {
  explicit Message(std::string_view fields)
      : bytes(support::make_message("35=A|" + std::string(fields))), view(bytes, index) {
    wire::index_message(bytes, index);
  }

  std::string bytes;
  wire::FieldIndexOf<64> index;
  wire::MessageView view;
};

TEST(Identity, APeersMessageHasTheKeyOfTheMirroredSession) {
  EXPECT_EQ(identity_key(settings("VENUE", "FIRM")),
            identity_key(Message("49=FIRM|56=VENUE|").view));
  EXPECT_NE(identity_key(settings("VENUE", "FIRM")),
            identity_key(Message("49=VENUE|56=FIRM|").view));
  EXPECT_NE(identity_key(settings("AB", "C")), identity_key(settings("A", "BC")));
  EXPECT_NE(identity_key(settings("VENUE", "FIRM")), identity_key(Message("49=FIRM|").view));
}

TEST(Identity, AllConfiguredPartsMustBeThereAndMoreAreBetter) {
  SessionSettings plain = settings("VENUE", "FIRM");
  SessionSettings desk = plain;
  desk.target_sub_id = "DESK";
  SessionSettings place = desk;
  place.target_location_id = "LDN";
  place.sender_sub_id = "OMS";
  place.sender_location_id = "NY";
  const Message nothing("49=FIRM|56=VENUE|");
  const Message named("49=FIRM|56=VENUE|50=DESK|");
  const Message all("49=FIRM|56=VENUE|50=DESK|142=LDN|57=OMS|143=NY|");
  EXPECT_EQ(identity_fit(finer_ids(plain), nothing.view), 0);
  EXPECT_EQ(identity_fit(finer_ids(plain), all.view), 0);
  EXPECT_EQ(identity_fit(finer_ids(desk), nothing.view), -1);
  EXPECT_EQ(identity_fit(finer_ids(desk), named.view), 1);
  EXPECT_EQ(identity_fit(finer_ids(place), named.view), -1);
  EXPECT_EQ(identity_fit(finer_ids(place), all.view), 4);
}

TEST(Identity, TextNamesSetFields) {
  SessionSettings made = settings("BANK", "VENUE");
  EXPECT_EQ(identity_text(made), "FIX.4.4:BANK->VENUE");
  made.sender_sub_id = "DESK";
  made.target_location_id = "LDN";
  EXPECT_EQ(identity_text(made), "FIX.4.4:BANK/DESK->VENUE//LDN");
}

TEST(Identity, DirectoriesAreSafeNamesAndNeverShared) {
  SessionSettings made = settings("../x", "a b");
  EXPECT_EQ(directory_name(made), "FIX.4.4-..%2Fx-a%20b");
  std::set<std::string> names;
  std::size_t count = 0;
  for (const char* us : {"A", "A-B", "A+B", "A%2B", "", "a"}) {
    for (const char* sub : {"", "B", "-", "+"}) {
      for (const char* them : {"C", "B-C", "+C"}) {
        made = settings(us, them);
        made.sender_sub_id = sub;
        names.insert(directory_name(made));
        ++count;
      }
    }
  }
  EXPECT_EQ(names.size(), count);
}

}  // namespace
}  // namespace affix::config
