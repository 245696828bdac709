#include "core/settings/store_location.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"

namespace bindery {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

TEST(StoreLocation, IsAFileOrADatabase) {
  const auto file = StoreLocation::Parse("sqlite:state/bindery.db");
  ASSERT_THAT(file, IsOk());
  EXPECT_FALSE(file->InDatabase());
  EXPECT_EQ(file->file, "state/bindery.db");
  EXPECT_EQ(file->Url(), "sqlite:state/bindery.db");
  for (const char* url : {"postgresql://db.example/bindery", "postgres://db.example/bindery"}) {
    const auto database = StoreLocation::Parse(url);
    ASSERT_THAT(database, IsOk());
    EXPECT_TRUE(database->InDatabase());
    EXPECT_EQ(database->database, url);
    EXPECT_EQ(database->Url(), url);
  }
}

TEST(StoreLocation, AnotherUrlIsRefusedWithoutRepeatingIt) {
  for (const char* url :
       {"", "sqlite:", "state/bindery.db", "mysql://u:secret@h/b", "postgresql:"}) {
    EXPECT_THAT(StoreLocation::Parse(url),
                FailsWith(Code::kInvalidArgument, Not(HasSubstr("secret"))))
        << url;
  }
}

struct RedactionCase {
  const char* url;
  const char* shown;
};

class RedactedUrls : public ::testing::TestWithParam<RedactionCase> {};

TEST_P(RedactedUrls, ShowNoPassword) { EXPECT_EQ(RedactedUrl(GetParam().url), GetParam().shown); }

INSTANTIATE_TEST_SUITE_P(
    Spellings, RedactedUrls,
    ::testing::Values(
        RedactionCase{"postgresql://bindery@db:5432/b", "postgresql://bindery@db:5432/b"},
        RedactionCase{"postgresql://bindery:secret@db/b", "postgresql://bindery:***@db/b"},
        RedactionCase{"postgresql://bindery:se@c/r?et@db/b", "postgresql://bindery:***@db/b"},
        RedactionCase{"postgresql://db/b?password=secret&user=u",
                      "postgresql://db/b?password=***&user=u"},
        RedactionCase{"postgresql://db/b?sslpassword=secret", "postgresql://db/b?sslpassword=***"},
        RedactionCase{"postgresql://u:a@h1:1,h2:2/b?passfile=/etc/p&sslmode=verify-full",
                      "postgresql://u:***@h1:1,h2:2/b?passfile=/etc/p&sslmode=verify-full"},
        RedactionCase{"postgresql://db/b?password=a secret", "postgresql://db/b?password=***"},
        RedactionCase{"postgresql://db/b?password=a&secret", "postgresql://db/b?password=***&***"},
        RedactionCase{"postgresql://db/b?p%61ssword=secret", "postgresql://db/b?p%61ssword=***"},
        RedactionCase{"postgresql://db/b?options=-csecret", "postgresql://db/b?options=***"},
        RedactionCase{"postgresql:/bindery:secret@h/b", "postgresql:/bindery:***@h/b"},
        RedactionCase{"postgresql://bindery@/b?host=/run/pg&port=5433",
                      "postgresql://bindery@/b?host=/run/pg&port=5433"},
        RedactionCase{"postgresql:///b", "postgresql:///b"},
        RedactionCase{"host=db password=secret user=u", "host=db password=*** user=u"}));

}  // namespace
}  // namespace bindery
