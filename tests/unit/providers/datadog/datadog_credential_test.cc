#include "providers/datadog/credentials.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::datadog {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using testing::IsOk;
using ::testing::Pair;
using testing::TempDir;

class DatadogCredentialTest : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : kNames) ::unsetenv(name);
  }

  void Set(const char* api_key, const char* app_key, const char* bearer) {
    const char* const values[] = {api_key, app_key, bearer};
    for (std::size_t i = 0; i < 3; ++i) ::setenv(kNames[i], values[i], 1);
  }

  static cloud::HttpHeaders HeadersOf(
      const Expected<std::shared_ptr<cloud::Authorizer>>& authorizer) {
    if (!authorizer) return {{"error", authorizer.error().message}};
    cloud::HttpRequest request;
    if (auto done = (*authorizer)->Authorize(request); !done) {
      return {{"error", done.error().message}};
    }
    return request.headers;
  }

  static constexpr const char* kNames[] = {"DD_API_KEY", "DD_APP_KEY", "DD_BEARER_TOKEN"};
  TempDir dir_;
};

TEST_F(DatadogCredentialTest, ATokenComesFromTheFileBeforeTheEnvironment) {
  Set("", "", "env-token\n");
  EXPECT_THAT(HeadersOf(DatadogBearer("")), ElementsAre(Pair("Authorization", "Bearer env-token")));
  dir_.Write("token", "file-token\n");
  const auto authorizer = DatadogBearer(dir_ / "token");
  EXPECT_THAT(HeadersOf(authorizer), ElementsAre(Pair("Authorization", "Bearer file-token")));
  dir_.Write("token", "other-token\n");
  EXPECT_THAT(HeadersOf(authorizer), ElementsAre(Pair("Authorization", "Bearer other-token")));
  EXPECT_THAT(
      DatadogBearer(dir_ / "none"),
      FailsWith(Code::kUnauthenticated, "credential file \"" + (dir_ / "none") +
                                            "\" cannot be read: No such file or directory"));
  Set("", "", "");
  EXPECT_THAT(DatadogBearer(""),
              FailsWith(Code::kUnauthenticated,
                        "no Datadog token: set bearerTokenFile in the provider's configuration, or "
                        "the environment variable DD_BEARER_TOKEN"));
}

TEST_F(DatadogCredentialTest, KeysComeBeforeTokensUnlessATokenFileIsGiven) {
  dir_.Write("token", "file-token");
  dir_.Write("api", "file-api");
  Set("env-api", "env-app", "env-token");
  EXPECT_THAT(HeadersOf(DatadogCredentials({dir_ / "api", "", dir_ / "token"})),
              ElementsAre(Pair("Authorization", "Bearer file-token")));
  EXPECT_THAT(HeadersOf(DatadogCredentials({dir_ / "api", "", ""})),
              ElementsAre(Pair("DD-API-KEY", "file-api"), Pair("DD-APPLICATION-KEY", "env-app")));
  EXPECT_THAT(HeadersOf(DatadogCredentials({})),
              ElementsAre(Pair("DD-API-KEY", "env-api"), Pair("DD-APPLICATION-KEY", "env-app")));
  // An agent's API key alone signs nobody in.
  Set("env-api", "", "env-token");
  EXPECT_THAT(HeadersOf(DatadogCredentials({})),
              ElementsAre(Pair("Authorization", "Bearer env-token")));
  EXPECT_THAT(DatadogCredentials({dir_ / "api", "", ""}),
              FailsWith(Code::kUnauthenticated,
                        "no Datadog key: set appKeyFile in the provider's configuration, or the "
                        "environment variable DD_APP_KEY"));
}

TEST_F(DatadogCredentialTest, WithoutAnyTheWaysToGiveSomeAreSaid) {
  Set("env-api", "", "");
  EXPECT_THAT(DatadogCredentials({}),
              FailsWith(Code::kUnauthenticated,
                        "no Datadog credentials: set apiKeyFile and appKeyFile, or "
                        "bearerTokenFile, in the provider's configuration, or the environment "
                        "variables DD_API_KEY and DD_APP_KEY, or DD_BEARER_TOKEN"));
}

TEST_F(DatadogCredentialTest, ARequestSentWithOlderKeysIsWorthAnotherTry) {
  dir_.Write("api", "api-1");
  dir_.Write("app", "app-1");
  const auto authorizer = DatadogKeys(dir_ / "api", dir_ / "app");
  cloud::HttpRequest sent;
  ASSERT_THAT((*authorizer)->Authorize(sent), IsOk());
  EXPECT_FALSE((*authorizer)->Refused(sent));
  dir_.Write("app", "app-2");
  EXPECT_TRUE((*authorizer)->Refused(sent));
  EXPECT_TRUE((*authorizer)->Refused(sent)) << "another request that was sent before the change";
  cloud::HttpRequest next;
  ASSERT_THAT((*authorizer)->Authorize(next), IsOk());
  EXPECT_FALSE((*authorizer)->Refused(next));
}

}  // namespace
}  // namespace bindery::datadog
