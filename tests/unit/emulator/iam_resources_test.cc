#include "emulator/google/iam_resources.h"

#include <string>
#include <utility>
#include <vector>

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using namespace std::chrono_literals;

const std::string kKey = kPolicyName;

Entry Seeded(const Json& value) {
  return {std::string(section::kAuthorizationPolicies), kKey, value};
}

PolicyWrite WriteOf(const std::string& member) {
  PolicyWrite write;
  write.bindings = {{"roles/viewer", {member}, std::nullopt}};
  return write;
}

class IamResourcesTest : public ::testing::Test {
 protected:
  IamResourcesTest() { resources_.Put(Seeded(Json{{"document", {{"name", kPolicyName}}}})); }

  Json Written(const std::string& member) {
    auto policy = resources_.Changed(kKey, WriteOf(member));
    if (!policy) throw std::runtime_error(policy.error().message);
    return resources_.SetPolicy(kKey, std::move(*policy));
  }

  SteppedClock clock_;
  IamResources resources_{clock_};
};

TEST_F(IamResourcesTest, AreUnknownUntilTheyArePut) {
  EXPECT_FALSE(resources_.Holds("none"));
  EXPECT_EQ(resources_.ReadDocument("none").error().http_status, 404);
  EXPECT_EQ(resources_.ReadPolicy("none", 3, 0ms).error().http_status, 404);
  EXPECT_EQ(resources_.Changed("none", PolicyWrite()).error().http_status, 404);
}

TEST_F(IamResourcesTest, HaveADocumentAndAPolicy) {
  EXPECT_TRUE(resources_.Holds(kKey));
  EXPECT_EQ(resources_.ReadDocument(kKey).value(), (Json{{"name", kPolicyName}}));
  const Json written = Written("user:ana@example.com");
  EXPECT_EQ(resources_.ReadPolicy(kKey, 3, 0ms).value(), written);
  const Entry entry = resources_.ToEntry(kKey);
  EXPECT_EQ(entry.section, section::kAuthorizationPolicies);
  EXPECT_EQ(entry.value.at("document"), (Json{{"name", kPolicyName}}));
  EXPECT_TRUE(entry.value.contains("policy"));
}

TEST_F(IamResourcesTest, AnUnwrittenPolicyIsNotKept) {
  EXPECT_FALSE(resources_.ToEntry(kKey).value.contains("policy"));
}

TEST_F(IamResourcesTest, AWriteChangesNothingUntilItIsSet) {
  const Json before = resources_.ReadPolicy(kKey, 3, 0ms).value();
  ASSERT_TRUE(resources_.Changed(kKey, WriteOf("user:ana@example.com")).has_value());
  EXPECT_EQ(resources_.ReadPolicy(kKey, 3, 0ms).value(), before);
}

TEST_F(IamResourcesTest, AReplicaIsBehind) {
  const Json before = Written("user:ana@example.com");
  clock_.Advance(10s);
  const Json after = Written("user:bob@example.com");
  clock_.Advance(5s);
  EXPECT_EQ(resources_.ReadPolicy(kKey, 3, 6s).value(), before);
  EXPECT_EQ(resources_.ReadPolicy(kKey, 3, 4s).value(), after);
}

TEST_F(IamResourcesTest, EtagsGrowThoughTheClockStands) {
  std::vector<Entry> entries = {Seeded(Json{{"policy", Json::object()}}),
                                Seeded(Json{{"policy", {{"etag", 5}}}}),
                                Seeded(Json{{"policy", Json::object()}})};
  resources_.GiveEtags(entries);
  const auto etag = [&](std::size_t i) {
    return entries[i].value.at("policy").at("etag").get<EtagMicros>();
  };
  EXPECT_EQ(etag(1), 5);
  EXPECT_EQ(etag(2), etag(0) + 1);
}

TEST_F(IamResourcesTest, EtagsGrowOverWhatIsForgotten) {
  const EtagMicros late = 2'000'000'000'000'000;
  resources_.Put(Seeded(Json{{"policy", {{"etag", late}}}}));
  resources_.Clear();
  EXPECT_FALSE(resources_.Holds(kKey));
  std::vector<Entry> entries = {Seeded(Json{{"policy", Json::object()}})};
  resources_.GiveEtags(entries);
  EXPECT_EQ(entries[0].value.at("policy").at("etag"), late + 1);
}

TEST_F(IamResourcesTest, RulesDecideWhatMayBeWritten) {
  IamRules rules;
  rules.unsupported_roles = {"roles/viewer"};
  resources_.SetRules(std::move(rules));
  EXPECT_EQ(resources_.Changed(kKey, WriteOf("user:ana@example.com")).error().http_status, 400);
}

}  // namespace
}  // namespace bindery::emulator
