#include <cstdlib>

#include "providers/datadog/credentials.h"
#include "support/authorizer_calls.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::datadog {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using testing::HeadersOf;
using testing::IsOk;
using ::testing::Pair;
using testing::Sent;
using testing::TempDir;

/// The two variables as a test wants them, and as they were afterwards.
class Variables {
 public:
  Variables(const char* api_key, const char* app_key) {
    Set("DD_API_KEY", api_key);
    Set("DD_APP_KEY", app_key);
  }
  ~Variables() {
    ::unsetenv("DD_API_KEY");
    ::unsetenv("DD_APP_KEY");
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  static void Set(const char* name, const char* value) {
    if (value == nullptr) {
      ::unsetenv(name);
    } else {
      ::setenv(name, value, 1);
    }
  }
};

TEST(Authorizer, KeysOfTheEnvironmentAreAlwaysAtHand) {
  const Variables variables("key", "app");
  const auto authorizer = DatadogKeys("", "");
  ASSERT_THAT(authorizer, IsOk());
  cloud::HttpRequest request;
  EXPECT_TRUE((*authorizer)->TryAuthorize(request));
  EXPECT_THAT(request.headers,
              ElementsAre(Pair("DD-API-KEY", "key"), Pair("DD-APPLICATION-KEY", "app")));
}

TEST(DatadogKeys, ComeFromFilesBeforeTheEnvironment) {
  const TempDir dir;
  dir.Write("api", "file-api\n");
  const Variables variables("env-api", "env-app");
  const auto authorizer = DatadogKeys(dir / "api", "");
  ASSERT_THAT(authorizer, IsOk());
  EXPECT_THAT(HeadersOf(**authorizer),
              ElementsAre(Pair("DD-API-KEY", "file-api"), Pair("DD-APPLICATION-KEY", "env-app")));
  const cloud::HttpRequest sent =
      Sent({{"DD-API-KEY", "file-api"}, {"DD-APPLICATION-KEY", "env-app"}});
  EXPECT_FALSE((*authorizer)->Refused(sent));
  dir.Write("api", "new-api");
  EXPECT_TRUE((*authorizer)->Refused(sent));
  EXPECT_THAT(HeadersOf(**authorizer),
              ElementsAre(Pair("DD-API-KEY", "new-api"), Pair("DD-APPLICATION-KEY", "env-app")));
}

TEST(DatadogKeys, WhichIsMissingIsSaidWithTheRemedy) {
  {
    const Variables variables(nullptr, "env-app");
    EXPECT_THAT(DatadogKeys("", ""),
                FailsWith(Code::kUnauthenticated,
                          "no Datadog key: set apiKeyFile in the provider's configuration, or the "
                          "environment variable DD_API_KEY"));
  }
  const Variables variables("env-api", "");
  EXPECT_THAT(DatadogKeys("", ""),
              FailsWith(Code::kUnauthenticated,
                        "no Datadog key: set appKeyFile in the provider's configuration, or the "
                        "environment variable DD_APP_KEY"));
}

TEST(DatadogKeys, AFileThatCannotBeReadFailsAtTheStart) {
  const TempDir dir;
  const Variables variables("env-api", "env-app");
  EXPECT_THAT(
      DatadogKeys(dir / "none", ""),
      FailsWith(Code::kUnauthenticated, "credential file \"" + (dir / "none") +
                                            "\" cannot be read: No such file or directory"));
}

}  // namespace
}  // namespace bindery::datadog
