#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using ::testing::ElementsAre;
using testing::FailsWith;
using testing::IsOk;
using testing::PolicyTarget;
using testing::StoreTest;

constexpr const char* kPath = "projects/p/locations/l/authorizationPolicies/";

/// How a change brings its resources.
enum class As { kRecords, kSnapshots, kBoth };

class Kept final : public ResourceSnapshot {
 public:
  explicit Kept(ResourceRecord record) : record_(std::move(record)) {}
  [[nodiscard]] const std::string& Name() const override { return record_.name; }
  [[nodiscard]] ResourceRecord Record() const override { return record_; }

 private:
  const ResourceRecord record_;
};

class StoreResources : public StoreTest, public ::testing::WithParamInterface<As> {
 protected:
  Expected<void> Upsert(const std::vector<ResourceRecord>& records,
                        std::vector<std::string> forgotten = {}) {
    StoreChange change;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const bool late = GetParam() == As::kSnapshots || (GetParam() == As::kBoth && i % 2 == 0);
      if (late) {
        change.upsert_snapshots.push_back(std::make_shared<const Kept>(records[i]));
      } else {
        change.upsert_resources.push_back(records[i]);
      }
    }
    change.forget_resources = std::move(forgotten);
    return store().Apply(std::move(change));
  }
};

INSTANTIATE_TEST_SUITE_P(As, StoreResources,
                         ::testing::Values(As::kRecords, As::kSnapshots, As::kBoth),
                         [](const auto& param) {
                           if (param.param == As::kRecords) return "Records";
                           return param.param == As::kSnapshots ? "Snapshots" : "Both";
                         });

ResourceRecord Unaccepted(ResourceRecord record) {
  record.accepted = false;
  return record;
}

ResourceRecord Complete() {
  ResourceRecord record = Binding("payments", "a", "roles/viewer");
  record.target.scope = "monitoring";
  record.options = R"({"protect":true})";
  record.labels = R"({"team":"payments"})";
  record.annotations = "{}";
  record.digest = "digest";
  record.source_file = "a.yaml";
  record.source_line = 7;
  record.generation = 3;
  record.observed_generation = 2;
  record.status = {ResourceState::kStalled, "GuardHeld", "waits: \"é\""};
  record.status_since = At(5) + std::chrono::milliseconds(123);
  record.outputs = R"({"etag":"x"})";
  record.suspended = true;
  record.missing_scans = 1;
  record.grants = 7;
  record.gave_up = true;
  return record;
}

TEST_P(StoreResources, EveryFieldComesBack) {
  ASSERT_THAT(Upsert({Complete()}), IsOk());
  Reopen();
  EXPECT_THAT(Value(store().Resources()), ElementsAre(Complete()));
}

TEST_P(StoreResources, OneIsFoundByItsName) {
  ASSERT_THAT(Upsert({Binding("apples", "a", "roles/x"), Complete()}), IsOk());
  EXPECT_EQ(Value(store().Resource("payments")), Complete());
  EXPECT_EQ(Value(store().Resource("pears")), std::nullopt);
  EXPECT_EQ(Value(store().Resource(kPath + std::string("a"))), std::nullopt)
      << "the name of a target is none of a resource";
}

TEST_P(StoreResources, AnUpsertReplacesEveryFieldAndNamesAreSorted) {
  ResourceRecord plain = Binding("payments", "b", "roles/editor");
  ASSERT_THAT(Upsert({Complete(), Binding("apples", "a", "roles/x")}), IsOk());
  ASSERT_THAT(Upsert({plain}), IsOk());
  EXPECT_THAT(Value(store().Resources()), ElementsAre(Binding("apples", "a", "roles/x"), plain));
}

StandingRecord StandingIn(const ResourceRecord& record) {
  return {record.name,    record.target,       record.role,    record.observed_generation,
          record.status,  record.status_since, record.outputs, record.untouched,
          record.gave_up, record.age};
}

TEST_P(StoreResources, AStandingLeavesTheDeclarationAsItIs) {
  ASSERT_THAT(Upsert({Complete(), Binding("apples", "a", "roles/x")}), IsOk());
  ResourceRecord expected = Complete();
  expected.observed_generation = 3;
  expected.status = {ResourceState::kReady, "AsDeclared", "as declared on a"};
  expected.status_since = At(9);
  expected.outputs = R"({"name":")" + expected.target.name + R"(","role":"roles/viewer"})";
  expected.untouched = true;
  expected.gave_up = false;
  expected.age = 14;
  StandingRecord earlier = StandingIn(expected);
  earlier.status.reason = "Earlier";
  StoreChange change;
  change.standings = {earlier, StandingIn(expected)};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Value(store().Resources()), ElementsAre(Binding("apples", "a", "roles/x"), expected));
}

TEST_P(StoreResources, AStandingOfOneThatIsNotOnRecordIsNothing) {
  ASSERT_THAT(Upsert({Complete(), Binding("apples", "a", "roles/x")}), IsOk());
  StoreChange change;
  change.forget_resources = {"apples"};
  change.standings = {StandingIn(Binding("apples", "a", "roles/x")),
                      StandingIn(Binding("never", "a", "roles/y"))};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Value(store().Resources()), ElementsAre(Complete()));
}

TEST_P(StoreResources, AStandingIsTakenWithTheResourceOfItsChange) {
  ResourceRecord expected = Complete();
  expected.status.reason = "Later";
  StoreChange change;
  change.upsert_resources = {Complete()};
  change.standings = {StandingIn(expected)};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Value(store().Resources()), ElementsAre(expected));
}

TEST_P(StoreResources, AManifestThatNeverHadATargetIsOnRecord) {
  ResourceRecord broken;
  broken.name = "broken";
  broken.target.kind = "AuthorizationPolicyIamBinding";
  ASSERT_THAT(Upsert({broken}), IsOk());
  EXPECT_THAT(Value(store().Resources()), ElementsAre(broken));
}

TEST_P(StoreResources, ForgettingIsForEverAndUnknownNamesDoNotMatter) {
  ASSERT_THAT(Upsert({Binding("a", "t", "r")}), IsOk());
  ASSERT_THAT(Upsert({}, {"a", "unknown"}), IsOk());
  EXPECT_THAT(Claims(), ElementsAre());
}

TEST_P(StoreResources, OneRoleOfATargetHasOneHolder) {
  ASSERT_THAT(Upsert({Binding("incumbent", "t", "roles/viewer")}), IsOk());
  EXPECT_THAT(
      Upsert({Binding("other", "u", "roles/viewer"), Binding("challenger", "t", "roles/viewer")}),
      FailsWith(Code::kAlreadyExists, "resource \"challenger\" claims role \"roles/viewer\" on \"" +
                                          std::string(kPath) + "t\", which \"incumbent\" holds"));
  EXPECT_THAT(Claims(), ElementsAre("incumbent roles/viewer")) << "the change is undone whole";
}

TEST_P(StoreResources, TwoChallengersOfOneChangeAreRefused) {
  EXPECT_THAT(Upsert({Binding("a", "t", "r"), Binding("b", "t", "r")}),
              FailsWith(Code::kAlreadyExists, "resource \"b\" claims role \"r\" on \"" +
                                                  std::string(kPath) + "t\", which \"a\" holds"));
  EXPECT_THAT(Claims(), ElementsAre());
}

TEST_P(StoreResources, ARejectedChallengerIsOnRecordBesideTheHolder) {
  ASSERT_THAT(Upsert({Binding("a", "t", "r"), Unaccepted(Binding("b", "t", "r"))}), IsOk());
  EXPECT_THAT(Claims(), ElementsAre("a r", "(b) r"));
}

TEST_P(StoreResources, TheSameRoleOnAnotherTargetKindOrScopeIsAnotherClaim) {
  ResourceRecord kind = Binding("c", "t", "r");
  kind.target.kind = "ManagementServerIamBinding";
  ResourceRecord scope = Binding("d", "t", "r");
  scope.target.scope = "other-provider";
  EXPECT_THAT(Upsert({Binding("a", "t", "r"), Binding("b", "u", "r"), kind, scope}), IsOk());
}

TEST_P(StoreResources, AnEmptyRoleClaimsNothing) {
  EXPECT_THAT(Upsert({Binding("lookup-1", "t", ""), Binding("lookup-2", "t", "")}), IsOk());
}

TEST_P(StoreResources, AForgottenHolderMakesRoomInTheSameChange) {
  ASSERT_THAT(Upsert({Binding("former", "t", "r")}), IsOk());
  ASSERT_THAT(Upsert({Binding("heir", "t", "r")}, {"former"}), IsOk());
  EXPECT_THAT(Claims(), ElementsAre("heir r"));
}

TEST_P(StoreResources, AnUnacceptedHolderMakesRoomInTheSameChangeWhateverTheOrder) {
  ASSERT_THAT(Upsert({Binding("former", "t", "r")}), IsOk());
  ASSERT_THAT(Upsert({Binding("heir", "t", "r"), Unaccepted(Binding("former", "t", "r"))}), IsOk());
  EXPECT_THAT(Claims(), ElementsAre("(former) r", "heir r"));
}

TEST_P(StoreResources, AHolderThatMovesOnMakesRoomInTheSameChange) {
  ASSERT_THAT(Upsert({Binding("a", "t", "r1")}), IsOk());
  ASSERT_THAT(Upsert({Binding("b", "t", "r1"), Binding("a", "t", "r2")}), IsOk());
  EXPECT_THAT(Claims(), ElementsAre("a r2", "b r1"));
}

TEST_P(StoreResources, TwoHoldersCanExchangeTheirClaims) {
  ASSERT_THAT(Upsert({Binding("a", "t", "r1"), Binding("b", "t", "r2")}), IsOk());
  ASSERT_THAT(Upsert({Binding("a", "t", "r2"), Binding("b", "t", "r1")}), IsOk());
  EXPECT_THAT(Claims(), ElementsAre("a r2", "b r1"));
}

TEST_P(StoreResources, OfOneTargetAreAllThatNameItInForceOrNot) {
  ResourceRecord lookup = Binding("lookup", "a", "");
  ResourceRecord dataset = Binding("elsewhere", "a", "roles/viewer");
  dataset.target.kind = "Another";
  ASSERT_THAT(Upsert({Binding("viewers", "a", "roles/viewer"),
                      Unaccepted(Binding("twice", "a", "roles/viewer")), lookup, dataset,
                      Binding("other", "b", "roles/viewer")}),
              IsOk());
  const auto names_on = [this](const Target& target) {
    std::vector<std::string> names;
    for (const ResourceRecord& record : Value(store().ResourcesOn(target))) {
      EXPECT_EQ(record, *Value(store().Resource(record.name))) << "as it is read by its name";
      names.push_back(record.name);
    }
    return names;
  };
  EXPECT_THAT(names_on(PolicyTarget("a")), ElementsAre("lookup", "twice", "viewers"));
  EXPECT_THAT(names_on(dataset.target), ElementsAre("elsewhere"));
  EXPECT_THAT(names_on(PolicyTarget("c")), ElementsAre());

  const auto on_each = [this](const std::vector<Target>& targets) {
    std::set<std::string> names;
    for (const ResourceRecord& record : Value(store().ResourcesOnEach(targets))) {
      EXPECT_EQ(record, *Value(store().Resource(record.name)));
      EXPECT_TRUE(names.insert(record.name).second) << record.name;
    }
    return names;
  };
  EXPECT_THAT(on_each({PolicyTarget("a"), PolicyTarget("b"), PolicyTarget("c")}),
              ElementsAre("lookup", "other", "twice", "viewers"));
  EXPECT_THAT(on_each({dataset.target}), ElementsAre("elsewhere"));
  EXPECT_THAT(on_each({}), ElementsAre());
}

TEST_P(StoreResources, ATargetOfAResourceInForceIsFoundBeforeItIsRead) {
  ASSERT_THAT(
      Upsert({Binding("viewers", "a", "roles/viewer"), Binding("admins", "a", "roles/admin"),
              Binding("lookup", "b", ""), Unaccepted(Binding("twice", "c", "roles/viewer"))}),
      IsOk());
  const auto found = [this](const std::string& name) {
    std::vector<Target> targets;
    for (const TargetRecord& record : Value(store().TargetsNamed(PolicyTarget(name).name))) {
      EXPECT_FALSE(record.observed);
      EXPECT_EQ(record.provider, Binding("viewers", "a", "roles/viewer").provider);
      targets.push_back(record.target);
    }
    return targets;
  };
  EXPECT_THAT(found("a"), ElementsAre(PolicyTarget("a"))) << "once, whatever number names it";
  EXPECT_THAT(found("b"), ElementsAre(PolicyTarget("b")));
  EXPECT_THAT(found("c"), ElementsAre()) << "no manifest in force stands on it";
  EXPECT_THAT(found("d"), ElementsAre());
}

}  // namespace
}  // namespace bindery::store
