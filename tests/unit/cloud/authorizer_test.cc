#include "cloud/authorizer.h"

#include <sys/stat.h>

#include "cloud/secret_file_warning.h"
#include "support/authorizer_calls.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::cloud {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using testing::HeadersOf;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Pair;
using testing::Sent;
using testing::TempDir;

TEST(Authorizer, NoCredentialsLeavesARequestAsItIs) {
  EXPECT_THAT(HeadersOf(*NoCredentials()), IsEmpty());
  EXPECT_FALSE(NoCredentials()->Refused({}));
}

TEST(Authorizer, AStaticTokenIsABearerToken) {
  EXPECT_THAT(HeadersOf(*StaticBearerToken("t0")), ElementsAre(Pair("Authorization", "Bearer t0")));
  HttpRequest request;
  EXPECT_THAT(StaticBearerToken("")->Authorize(request),
              FailsWith(Code::kUnauthenticated, "the access token is empty"));
}

TEST(Authorizer, AFileThatOthersMayReadOrChangeIsWarnedOf) {
  const TempDir dir;
  dir.Write("token", "t");
  const std::string path = dir / "token";
  const auto warning = [&path](mode_t mode) {
    ::chmod(path.c_str(), mode);
    return AccessWarning(path).value_or("fine");
  };
  EXPECT_EQ(warning(0600), "fine");
  EXPECT_EQ(warning(0440), "fine");
  EXPECT_EQ(warning(0644), "credential file \"" + path +
                               "\" can be read by every user of this machine: run chmod 600 \"" +
                               path + "\"");
  EXPECT_EQ(warning(0620), "credential file \"" + path +
                               "\" can be changed by others than its owner: run chmod 600 \"" +
                               path + "\"");
  EXPECT_EQ(AccessWarning(dir / "none"), std::nullopt);
  EXPECT_EQ(AccessWarning(dir.path()), std::nullopt);
}

TEST(Authorizer, WhatIsAtHandIsAddedWithoutWaiting) {
  HttpRequest request;
  EXPECT_TRUE(NoCredentials()->TryAuthorize(request));
  EXPECT_THAT(request.headers, IsEmpty());
  EXPECT_FALSE(StaticBearerToken("")->TryAuthorize(request));
  EXPECT_FALSE(BearerTokenFile("/nowhere")->TryAuthorize(request));
  EXPECT_THAT(request.headers, IsEmpty());
  EXPECT_TRUE(StaticBearerToken("abc")->TryAuthorize(request));
  EXPECT_THAT(request.headers, ElementsAre(Pair("Authorization", "Bearer abc")));
}

TEST(Authorizer, ATokenFileIsReadAgainWhenItChanges) {
  const TempDir dir;
  dir.Write("token", "first\n");
  const auto authorizer = BearerTokenFile(dir / "token");
  EXPECT_THAT(HeadersOf(*authorizer), ElementsAre(Pair("Authorization", "Bearer first")));
  dir.Write("token", "  second  \n\n");
  EXPECT_THAT(HeadersOf(*authorizer), ElementsAre(Pair("Authorization", "Bearer second")));
}

TEST(Authorizer, ARefusedTokenIsWorthAnotherTryOnlyWhenTheFileHoldsAnother) {
  const TempDir dir;
  dir.Write("token", "aaaa");
  const auto authorizer = BearerTokenFile(dir / "token");
  EXPECT_THAT(HeadersOf(*authorizer), ElementsAre(Pair("Authorization", "Bearer aaaa")));
  const HttpRequest sent = Sent({{"Authorization", "Bearer aaaa"}});
  EXPECT_FALSE(authorizer->Refused(sent));
  dir.Write("token", "bbbb");
  EXPECT_TRUE(authorizer->Refused(sent));
  EXPECT_TRUE(authorizer->Refused(sent)) << "a second request with the same old token";
  EXPECT_THAT(HeadersOf(*authorizer), ElementsAre(Pair("Authorization", "Bearer bbbb")));
  EXPECT_FALSE(authorizer->Refused(Sent({{"Authorization", "Bearer bbbb"}})));
}

TEST(Authorizer, AFileThatHoldsNoTokenIsNamedAndItsContentIsNot) {
  const TempDir dir;
  const std::string path = dir / "token";
  const auto authorizer = BearerTokenFile(path);
  HttpRequest request;
  EXPECT_THAT(
      authorizer->Authorize(request),
      FailsWith(Code::kUnauthenticated,
                "credential file \"" + path + "\" cannot be read: No such file or directory"));
  dir.Write("token", " \n");
  EXPECT_THAT(authorizer->Authorize(request),
              FailsWith(Code::kUnauthenticated, "credential file \"" + path + "\" is empty"));
  dir.Write("token", "one\ntwo\n");
  EXPECT_THAT(
      authorizer->Authorize(request),
      FailsWith(Code::kUnauthenticated,
                "credential file \"" + path + "\" does not hold one line of printable characters"));
  EXPECT_THAT(request.headers, IsEmpty());
}

}  // namespace
}  // namespace bindery::cloud
