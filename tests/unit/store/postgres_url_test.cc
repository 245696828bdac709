#include "store/postgres/postgres_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/matchers.h"

namespace bindery::store {
namespace {

using bindery::testing::FailsWith;
using bindery::testing::IsOk;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class OddPasswords : public ::testing::TestWithParam<const char*> {};

TEST_P(OddPasswords, AreNotRepeated) {
  EXPECT_THAT(ReadPostgresUrl(GetParam()),
              FailsWith(Code::kInvalidArgument,
                        AllOf(HasSubstr("store.url cannot be read"), Not(HasSubstr("SEKRET")))));
}

INSTANTIATE_TEST_SUITE_P(
    Each, OddPasswords,
    ::testing::Values("postgresql://bindery:SEKRET%zz@h/b", "postgresql://bindery:xx@SEKRET@h/b",
                      "postgresql://bindery:SEKRET/x@h/b", "postgresql://bindery:SEKRET@[h/b",
                      "postgresql://h/b?password=SEKRET%zz", "postgresql://h/b?password=a&SEKRET",
                      "postgresql://h/b?SEKRET=1"));

TEST(PostgresUrl, IsReadAsLibpqDoes) {
  for (const char* url :
       {"postgresql://bindery@h/b", "postgres://h1:1,h2:2/b?target_session_attrs=any",
        "postgresql://bindery@/b?host=/run/postgresql&port=5433", "host=h dbname=b"}) {
    EXPECT_THAT(ReadPostgresUrl(url), IsOk()) << url;
  }
}

TEST(PostgresUrl, ItsSecretsAreMasked) {
  const auto secrets = ReadPostgresUrl("postgresql://u:pa%40ss@h/b?sslpassword=key-word");
  ASSERT_THAT(secrets, IsOk());
  EXPECT_EQ(secrets->Masked("no pa@ss, no key-word, no pa@ss"), "no ***, no ***, no ***");
}

}  // namespace
}  // namespace bindery::store
