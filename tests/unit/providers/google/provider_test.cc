#include <gtest/gtest.h>

#include <string>

#include "providers/google/settings.h"
#include "providers/registry/providers.h"

namespace bindery::google {
namespace {

struct RateCase {
  const char* name;
  std::string service;
  double configured;
  std::string endpoint;  ///< Of the configuration; empty: none.
  double expected;
};

class WriteRate : public ::testing::TestWithParam<RateCase> {};

TEST_P(WriteRate, IsThatOfServicesAtTheirOwnAddress) {
  const RateCase& tested = GetParam();
  providers::ProviderConfig config;
  auto& own = config.own.Of<GoogleSettings>();
  own.writes_per_second = tested.configured;
  own.endpoints[tested.service] = tested.endpoint;
  const providers::ServiceAddress address =
      providers::ProviderOfType("cloudnative").MakeAddress(config, {}, tested.service);
  EXPECT_EQ(address.writes_a_second, tested.expected);
  const std::string public_url = "https://" + tested.service + ".googleapis.com";
  EXPECT_EQ(address.url, tested.endpoint.empty() ? public_url : tested.endpoint);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, WriteRate,
    ::testing::Values(RateCase{"Usual", "pubsub", 4, "", 4}, RateCase{"Keys", "cloudkms", 4, "", 1},
                      RateCase{"KeysSlower", "cloudkms", 0.5, "", 0.5},
                      RateCase{"Unlimited", "pubsub", 0, "", 0},
                      RateCase{"KeysUnlimited", "cloudkms", 0, "", 0},
                      RateCase{"Elsewhere", "pubsub", 4, "https://pubsub.example", 0},
                      RateCase{"NotQuiteThere", "pubsub", 4, "https://x.com/a.googleapis.com", 0},
                      RateCase{"Private", "pubsub", 4, "https://pubsub-a.p.googleapis.com", 4}),
    [](const ::testing::TestParamInfo<RateCase>& tested) { return tested.param.name; });

TEST(DefaultEndpoint, IsAnEmulatorForEveryServiceWithoutAnEntry) {
  providers::ProviderConfig config;
  auto& own = config.own.Of<GoogleSettings>();
  own.endpoints["default"] = "http://127.0.0.1:9818";
  own.endpoints["storage"] = "https://storage.example";
  const providers::Provider& google = providers::ProviderOfType("cloudnative");
  for (const std::string& service : google.Services()) {
    const providers::ServiceAddress address = google.MakeAddress(config, {}, service);
    EXPECT_EQ(address.url, service == "storage"
                               ? "https://storage.example"
                               : google.EmbeddedUrl("http://127.0.0.1:9818", service));
    EXPECT_EQ(address.writes_a_second, 0) << service;
  }
}

TEST(WriteRateByDefault, IsFour) { EXPECT_EQ(GoogleSettings().writes_per_second, 4); }

}  // namespace
}  // namespace bindery::google
