// Coverage: every grant of a scope is counted once, by who answers for it.

#include "inventory/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "core/text/digest.h"
#include "store/open_store.h"
#include "support/fake_clock.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::inventory {
namespace {

using ::testing::Contains;
using testing::FailsWith;
using testing::FakeClock;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;
using testing::TempDir;

constexpr const char* kScope = "organizations/1";
constexpr const char* kTopic = "projects/acme/topics/orders";

std::string Bindings(const std::string& role, const std::vector<std::string>& members) {
  Json list = Json::array();
  for (const std::string& member : members) list.push_back(member);
  return Json::array({Json{{"role", role}, {"members", list}}}).dump();
}

InventoryPolicy TopicPolicy(const std::string& name, const std::string& bindings) {
  return {"//pubsub.googleapis.com/" + name,
          "pubsub.googleapis.com/Topic",
          "pubsub:Topic",
          name,
          "projects/42",
          bindings};
}

class CoverageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened =
        store::OpenStore(StoreLocation(dir_ / "state.db"), store::StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
    settings_.provider_types = {{"cloud", "cloudnative"}};
  }

  /// A finished scan that began `ago`.
  void Scanned(std::vector<InventoryPolicy> policies, std::chrono::hours ago = {}) {
    InventoryRecord scan;
    scan.provider = "cloud";
    scan.scope = scope_;
    scan.started = clock_.Wall() - ago;
    scan.others = {{"iam.googleapis.com/PolicyV2", 3}};
    auto id = store_->inventory().BeginInventory(scan);
    ASSERT_THAT(id, IsOk());
    scan.id = *id;
    InventoryPage page;
    page.policies = std::move(policies);
    if (places_are_known_)
      page.containers = {{"organizations/1", "", "", "", "ACTIVE"},
                         {"folders/20", "", "organizations/1", "", "ACTIVE"},
                         {"projects/acme", "projects/42", "folders/20", "Acme", "ACTIVE"}};
    ASSERT_THAT(store_->inventory().AddInventoryPage(scan, page), IsOk());
    scan.finished = scan.started;
    ASSERT_THAT(store_->inventory().FinishInventory(scan), IsOk());
  }

  /// A manifest in force that declares the publishers of that topic.
  void Declared(const std::string& name, const std::vector<std::string>& members) {
    store::ResourceRecord record;
    record.name = "publishers";
    record.token = {"cloudnative:pubsub/v1", "TopicIamBinding"};
    record.target = {"pubsub:Topic", "", name};
    record.provider = "cloud";
    record.role = "roles/pubsub.publisher";
    record.accepted = true;
    Json list = Json::array();
    for (const std::string& member : members) list.push_back(member);
    record.spec = Json{{"name", name}, {"role", record.role}, {"members", list}}.dump();
    store::StoreChange change;
    change.upsert_resources = {record};
    ASSERT_THAT(store_->Apply(std::move(change)), IsOk());
  }

  /// What bindery itself read of that topic, `ago`.
  void Observed(const std::string& name, const std::string& bindings, std::chrono::hours ago = {}) {
    const std::string body = R"({"bindings":)" + bindings + "}";
    const Target target = {"pubsub:Topic", "", name};
    store::StoreChange change;
    store::RevisionRecord revision;
    revision.target = target;
    revision.digest = Sha256Hex(body);
    revision.policy = body;
    revision.time = clock_.Wall() - ago;
    change.revisions = {revision};
    store::TargetRecord record;
    record.target = target;
    record.provider = "cloud";
    record.observed = true;
    record.exists = true;
    record.policy_digest = revision.digest;
    record.observed_at = clock_.Wall() - ago;
    change.upsert_targets = {record};
    ASSERT_THAT(store_->Apply(std::move(change)), IsOk());
  }

  Expected<report::Coverage> Report(const CoverageQuery& query = {}) {
    return CoverageReport({*store_, store_->inventory(), settings_}, query, clock_.Wall());
  }
  report::Coverage Told(const CoverageQuery& query = {}) {
    auto report = Report(query);
    EXPECT_THAT(report, IsOk());
    return report ? *std::move(report) : report::Coverage();
  }

  TempDir dir_;
  FakeClock clock_;
  std::unique_ptr<store::Store> store_;
  controller::CatalogSettings settings_;
  std::string scope_ = kScope;
  bool places_are_known_ = true;
};

TEST_F(CoverageTest, WithoutAScanItSaysHowToMakeOne) {
  EXPECT_THAT(Report(), FailsWith(Code::kNotFound, HasSubstr("bindery scan --scope")));
  Scanned({});
  EXPECT_THAT(Report({"folders/7"}), FailsWith(Code::kNotFound, HasSubstr(kScope)));
}

TEST_F(CoverageTest, CountsEveryGrantOnce) {
  Declared(kTopic, {"user:ana@example.com"});
  Scanned(
      {TopicPolicy(kTopic, Bindings("roles/pubsub.publisher",
                                    {"user:ana@example.com", "user:bob@example.com"})),
       TopicPolicy("projects/acme/topics/other",
                   Bindings("roles/pubsub.viewer", {"user:ana@example.com", "user:ana@example.com",
                                                    "deleted:user:eve@example.com?uid=7"})),
       {"//x.googleapis.com/projects/acme/things/a", "x.googleapis.com/Thing", "", "",
        "projects/42", Bindings("roles/viewer", {"user:ana@example.com"})}});
  const report::Coverage coverage = Told();
  EXPECT_EQ(coverage.classes.declared, 1);
  EXPECT_EQ(coverage.classes.undeclared, 1);
  EXPECT_EQ(coverage.classes.unmanaged, 2) << "no kind manages the thing";
  EXPECT_EQ(coverage.classes.tombstones, 1);
  EXPECT_EQ(coverage.grants, 5);
  EXPECT_EQ(coverage.classes.All(), coverage.grants);
  EXPECT_EQ(coverage.policies, 3);
  EXPECT_EQ(coverage.as_of, clock_.Wall());
  EXPECT_THAT(coverage.not_looked_at, Contains(HasSubstr("deny policies: 3 found")));
}

TEST_F(CoverageTest, GroupsAddUpToAllWhateverTheyAre) {
  Declared(kTopic, {"user:ana@example.com"});
  Scanned(
      {TopicPolicy(kTopic, Bindings("roles/pubsub.publisher", {"user:ana@example.com"})),
       {"//cloudresourcemanager.googleapis.com/folders/20",
        "cloudresourcemanager.googleapis.com/Folder", "cloudresourcemanager:Folder", "folders/20",
        "folders/20", Bindings("roles/owner", {"user:ana@example.com", "group:sre@example.com"})}});
  const std::vector<std::pair<CoverageBy, std::vector<std::string>>> cases = {
      {CoverageBy::kProject, {"folders/20", "projects/acme"}},
      {CoverageBy::kFolder, {"folders/20"}},
      {CoverageBy::kKind, {"cloudresourcemanager:Folder", "pubsub:Topic"}},
      {CoverageBy::kRole, {"roles/owner", "roles/pubsub.publisher"}},
      {CoverageBy::kPrincipal, {"group:sre@example.com", "user:ana@example.com"}},
  };
  for (const auto& [by, names] : cases) {
    const report::Coverage coverage = Told({.by = by});
    std::int64_t grants = 0;
    std::vector<std::string> found;
    for (const report::CoverageGroup& group : coverage.groups) {
      grants += group.grants;
      found.push_back(group.name);
    }
    EXPECT_EQ(grants, 3) << ToString(by);
    EXPECT_EQ(found, names) << ToString(by);
    EXPECT_EQ(coverage.by, ToString(by));
  }
  EXPECT_EQ(Told({.by = CoverageBy::kSeverity}).groups.front().name, "critical");
}

TEST_F(CoverageTest, WhatBinderyReadCountsBeforeWhatTheIndexHas) {
  Declared(kTopic, {"user:ana@example.com"});
  const std::string read = Bindings("roles/pubsub.publisher", {"user:ana@example.com"});
  const std::string indexed =
      Bindings("roles/pubsub.publisher", {"user:ana@example.com", "user:bob@example.com"});
  Scanned({TopicPolicy(kTopic, indexed)});
  Observed(kTopic, read, std::chrono::hours(35));
  EXPECT_EQ(Told().classes.undeclared, 0) << "the index may be older than that reading";
  Observed(kTopic, read, std::chrono::hours(37));
  EXPECT_EQ(Told().classes.undeclared, 1) << "the index is newer for sure";
}

TEST_F(CoverageTest, DeclaredTargetsThatTheScanDidNotShowAreCounted) {
  Declared(kTopic, {"user:ana@example.com"});
  Observed(kTopic, Bindings("roles/pubsub.publisher", {"user:ana@example.com"}));
  Scanned({});
  EXPECT_EQ(Told().classes.declared, 1);
}

TEST_F(CoverageTest, OddEntriesOfPoliciesAreCountedAndTheRestAddsUp) {
  const std::string odd = R"([
    {"role": "roles/viewer", "members": ["user:ana@example.com", "user:ANA@example.com"]},
    {"role": "roles/viewer", "members": ["user:ana@example.com"], "condition": null},
    {"role": "roles/viewer", "members": []},
    {"role": "roles/viewer"},
    {"members": ["user:ana@example.com"]},
    {"role": 7, "members": ["user:ana@example.com"]},
    {"role": "roles/viewer", "members": [7, "user:bob@example.com"]},
    {"role": "roles/viewer", "members": "user:ana@example.com"},
    "roles/viewer", null])";
  Scanned({TopicPolicy(kTopic, odd), TopicPolicy("projects/acme/topics/none", "[]"),
           TopicPolicy("projects/acme/topics/text", "\"x\"")});
  const report::Coverage coverage = Told({.by = CoverageBy::kPrincipal});
  EXPECT_EQ(coverage.grants, 2) << "ana once, and bob";
  EXPECT_EQ(coverage.classes.All(), coverage.grants);
  EXPECT_EQ(coverage.policies, 1);
  EXPECT_THAT(coverage.not_looked_at,
              Contains(HasSubstr("without a role and a list of members: 8")));
}

TEST_F(CoverageTest, DeclaredTargetsThatNobodyReadAreNamed) {
  Declared(kTopic, {"user:ana@example.com"});
  Scanned({});
  EXPECT_EQ(Told().grants, 0);
  EXPECT_THAT(Told().not_looked_at, Contains(HasSubstr(std::string("has read: 1: ") + kTopic)));
}

TEST_F(CoverageTest, WithoutTheHierarchyTargetsInDoubtAreCounted) {
  Declared("projects/elsewhere/topics/orders", {"user:ana@example.com"});
  Observed("projects/elsewhere/topics/orders",
           Bindings("roles/pubsub.publisher", {"user:ana@example.com"}));
  Scanned({});
  EXPECT_THAT(Told().not_looked_at, Not(Contains(HasSubstr("may be outside"))));
  places_are_known_ = false;
  Scanned({});
  EXPECT_EQ(Told().grants, 0);
  EXPECT_THAT(Told().not_looked_at, Contains(HasSubstr("may be outside of the scope: 1")));
}

TEST_F(CoverageTest, AScanOfAnAccountHoldsAllOfItsTargets) {
  settings_.provider_types = {{"cloud", "monitoring"}};
  scope_ = "organization";
  Scanned({{"dashboard:abc-def-ghi", "dashboard", "RestrictionPolicy", "dashboard:abc-def-ghi",
            "organization", R"([{"relation": "editor", "principals": ["role:a", "team:b"]}])"}});
  const report::Coverage coverage = Told({.by = CoverageBy::kRole});
  EXPECT_EQ(coverage.classes.unmanaged, 2);
  EXPECT_EQ(coverage.groups.front().name, "editor");
  EXPECT_EQ(coverage.index_hours, 0) << "the policies themselves were read";
}

TEST_F(CoverageTest, ATargetIsFoundUnderBothNamesOfItsProject) {
  Declared("projects/42/topics/orders", {"user:ana@example.com"});
  Scanned({TopicPolicy(kTopic, Bindings("roles/pubsub.publisher", {"user:ana@example.com"}))});
  EXPECT_EQ(Told().classes.declared, 1);
  EXPECT_EQ(Told().grants, 1);
}

TEST_F(CoverageTest, AnAccountOfTheCloudOnABucketIsJudgedAsByACheck) {
  const std::string agents =
      Bindings("roles/editor", {"serviceAccount:42-compute@developer.gserviceaccount.com"});
  InventoryPolicy bucket{"//storage.googleapis.com/data",
                         "storage.googleapis.com/Bucket",
                         "storage:Bucket",
                         "b/data",
                         "projects/42",
                         agents};
  Scanned({bucket, TopicPolicy("projects/acme/topics/t", agents)});
  const report::Coverage told = Told();
  EXPECT_EQ(told.classes.unmanaged, 1) << "the name of a bucket tells no project";
  EXPECT_EQ(told.classes.service_agents, 1) << "the name of a topic does";
}

TEST_F(CoverageTest, UnmanagedGrantsAreThoseOfTheCoverageByTargetAndRole) {
  const auto unmanaged = [&] {
    auto read = ReadUnmanaged({*store_, store_->inventory(), settings_}, clock_.Wall());
    EXPECT_THAT(read, IsOk());
    return read.value_or(nullptr);
  };
  EXPECT_EQ(unmanaged(), nullptr) << "nothing was scanned";
  Declared(kTopic, {"user:ana@example.com"});
  const std::string other = "projects/acme/topics/other";
  Scanned({TopicPolicy(kTopic, Bindings("roles/pubsub.publisher",
                                        {"user:ana@example.com", "user:bob@example.com"})),
           TopicPolicy(other, Bindings("roles/pubsub.viewer",
                                       {"user:ana@example.com", "user:bob@example.com",
                                        "deleted:user:eve@example.com?uid=7"})),
           {"//x.googleapis.com/projects/acme/things/a", "x.googleapis.com/Thing", "", "",
            "projects/42", Bindings("roles/owner", {"user:ana@example.com"})}},
          std::chrono::hours(1));
  const auto first = unmanaged();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->grants, Told().classes.unmanaged);
  EXPECT_EQ(first->grants, 3);
  EXPECT_EQ(first->targets, 2);
  EXPECT_EQ(first->as_of, Told().as_of);
  ASSERT_EQ(first->roles.size(), 2U);
  EXPECT_EQ(first->roles[0].role, "roles/owner") << "the worst first";
  EXPECT_EQ(first->roles[0].target, "//x.googleapis.com/projects/acme/things/a");
  EXPECT_EQ(first->roles[1].target, other);
  EXPECT_EQ(first->roles[1].grants, 2);
  std::int64_t severities = 0;
  for (const Severity severity : report::kWorstFirst) severities += first->by_severity.Of(severity);
  EXPECT_EQ(severities, first->grants);
  // The same manifest: now the other topic is managed, and the first one is not.
  Declared(other, {"user:ana@example.com"});
  EXPECT_EQ(unmanaged()->grants, 3);
  EXPECT_EQ(unmanaged()->grants, Told().classes.unmanaged);
  EXPECT_EQ(unmanaged()->roles[1].target, kTopic);
}

TEST_F(CoverageTest, OfManyUnmanagedRolesTheFirstAreListed) {
  std::vector<InventoryPolicy> policies;
  for (int i = 0; i < 130; ++i) {
    policies.push_back(TopicPolicy("projects/acme/topics/t" + std::to_string(i),
                                   Bindings("roles/pubsub.viewer", {"user:ana@example.com"})));
  }
  Scanned(policies);
  const auto read = ReadUnmanaged({*store_, store_->inventory(), settings_}, clock_.Wall());
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ((*read)->grants, 130);
  EXPECT_EQ((*read)->roles.size(), 100U);
  EXPECT_EQ((*read)->more_roles, 30);
}

}  // namespace
}  // namespace bindery::inventory
