// Two providers that reach one organization.

#include "app/clouds/provider_twins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/datadog/credentials.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using ::testing::HasSubstr;

class ProviderTwins : public ::testing::Test {
 protected:
  void Add(const std::string& name, const std::string& url, const std::string& api_key,
           const std::string& app_key = "app") {
    auto connection = std::make_shared<cloud::Connection>();
    connection->provider = name;
    connection->type = "monitoring";
    connection->endpoints = {{"datadog", url}};
    connection->authorizer =
        *datadog::DatadogKeys(File(name + "-api", api_key), File(name + "-app", app_key));
    connections[name] = connection;
  }
  std::string File(const std::string& name, const std::string& text) {
    dir.Write(name, text);
    return (dir.path() / name).string();
  }
  [[nodiscard]] std::string Refusal() const {
    const auto refused = RefuseTwins(connections);
    return refused ? "" : refused.error().message;
  }

  testing::TempDir dir;
  controller::Engine::Connections connections;
};

TEST_F(ProviderTwins, OneServiceAndOneApiKeyAreOneOrganization) {
  Add("first", "https://api.datadoghq.eu", "key", "app-one");
  Add("second", "https://API.datadoghq.eu:443/", "key", "app-two");
  EXPECT_THAT(Refusal(), HasSubstr("providers.second: it reaches the same organization as "
                                   "providers.first"));
  EXPECT_EQ(Refusal().find("key-one"), std::string::npos);
}

TEST_F(ProviderTwins, OthersMayBe) {
  Add("first", "https://api.datadoghq.eu", "key-one");
  Add("second", "https://api.datadoghq.eu", "key-two");
  Add("third", "https://api.datadoghq.com", "key-one");
  EXPECT_EQ(Refusal(), "");
}

TEST_F(ProviderTwins, TwoOfTheEmbeddedCloudAreOne) {
  for (const char* name : {"a", "b"}) {
    auto connection = std::make_shared<cloud::Connection>();
    connection->type = "monitoring";
    connection->endpoints = {{"datadog", "http://127.0.0.1:9818"}};
    connection->authorizer = cloud::NoCredentials();
    connections[name] = connection;
  }
  EXPECT_THAT(Refusal(), HasSubstr("providers.b: it reaches the same organization"));
}

TEST_F(ProviderTwins, GooglesNamesAreGlobal) {
  for (const char* name : {"a", "b"}) {
    auto connection = std::make_shared<cloud::Connection>();
    connection->type = "cloudnative";
    connection->endpoints = {{"networksecurity", "http://127.0.0.1:9818"}};
    connection->authorizer = cloud::NoCredentials();
    connections[name] = connection;
  }
  EXPECT_EQ(Refusal(), "");
}

}  // namespace
}  // namespace bindery::app
