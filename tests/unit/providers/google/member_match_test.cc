// Whom a member of a policy stands for: identities of pools in all their spellings, and everybody.

#include <gtest/gtest.h>

#include <string>

#include "providers/google/roles/members.h"

namespace bindery::google {
namespace {

using reconcilers::PrincipalMatch;

const std::string kClusters =
    "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/acme.svc.id.goog/";
const std::string kGithub =
    "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/gh/";
const std::string kStaff = "//iam.googleapis.com/locations/global/workforcePools/staff/";
const std::string kSubject = "principal:" + kClusters + "subject/ns/shop/sa/web";
const std::string kOlder = "serviceAccount:acme.svc.id.goog[shop/web]";
const std::string kById = "principal:" + kClusters + "kubernetes.serviceaccount.uid/0f1e";
const std::string kRobot = "serviceAccount:robot@acme.iam.gserviceaccount.com";
const std::string kAllRobots =
    "principalSet://cloudresourcemanager.googleapis.com/projects/1/type/ServiceAccount";
const std::string kHierarchy =
    "principalHierarchy://cloudresourcemanager.googleapis.com/organizations/1";

struct MatchCase {
  std::string granted;
  std::string asked;
  PrincipalMatch match;
};

/// As answers about access match: equal spellings first.
PrincipalMatch FindMatch(const std::string& granted, const std::string& asked) {
  const reconcilers::PrincipalRules& rules = MemberRules();
  const std::string normal = rules.normal(granted);
  return normal == rules.normal(asked) ? PrincipalMatch::kSame
                                       : rules.match(normal, rules.normal(asked));
}

TEST(MemberMatch, IdentitiesOfPools) {
  using enum PrincipalMatch;
  const MatchCase cases[] = {
      // A Kubernetes service account has an older form, a name and an id.
      {kOlder, kSubject, kSame},
      {kSubject, kOlder, kSame},
      {"serviceAccount:acme.svc.id.goog[Shop/Web]", kSubject, kSame},
      {kOlder, "principal:" + kClusters + "subject/ns/shop/sa/api", kNone},
      {kOlder, "principal:" + kClusters + "subject/ns/web/sa/shop", kNone},
      {"serviceAccount:other.svc.id.goog[shop/web]", kSubject, kNone},
      {kById, kSubject, kMayContain},
      {kById, kOlder, kMayContain},
      {kOlder, kById, kMayContain},
      {kById, "principal:" + kClusters + "kubernetes.serviceaccount.uid/9", kNone},
      {"serviceAccount:acme.hub.id.goog[shop/web]", kSubject, kNone},
      // All of a pool, all of a namespace, and other parts.
      {"principalSet:" + kClusters + "*", kSubject, kContains},
      {"principalSet:" + kClusters + "*", kOlder, kContains},
      {"principalSet:" + kClusters + "*", "principalSet:" + kClusters + "namespace/shop",
       kContains},
      {"principalSet:" + kClusters + "namespace/shop", kSubject, kContains},
      {"principalSet:" + kClusters + "namespace/shop", kOlder, kContains},
      {"principalSet:" + kClusters + "namespace/web", kSubject, kNone},
      {"principalSet:" + kClusters + "namespace/web", kOlder, kNone},
      {"principalSet:" + kClusters + "namespace/web",
       "principalSet:" + kClusters + "namespace/shop", kNone},
      {"principalSet:" + kClusters + "namespace/shop", kById, kMayContain},
      {"principalSet:" + kClusters + "namespace/shop", "principalSet:" + kClusters + "*",
       kMayContain},
      {"principalSet:" + kClusters + "kubernetes.cluster/https://c/v1/projects/acme/clusters/c",
       kOlder, kMayContain},
      {"principalSet:" + kGithub + "*", "principal:" + kGithub + "subject/x", kContains},
      {"principalSet:" + kGithub + "*", "principalSet:" + kGithub + "attribute.repository/a/b",
       kContains},
      {"principalSet:" + kGithub + "attribute.owner/a", "principal:" + kGithub + "subject/x",
       kMayContain},
      {"principalSet:" + kGithub + "attribute.owner/a",
       "principalSet:" + kGithub + "attribute.repository/a/b", kMayContain},
      // A namespace is a part of clusters alone.
      {"principalSet:" + kGithub + "namespace/shop", "principal:" + kGithub + "subject/ns/web/sa/x",
       kMayContain},
      {"principal:" + kGithub + "subject/x", "principalSet:" + kGithub + "*", kNone},
      {"principal:" + kGithub + "*", "principal:" + kGithub + "subject/x", kNone},
      {"principalSet:" + kStaff + "*", "principal:" + kStaff + "subject/ana", kContains},
      {"principalSet:" + kStaff + "group/g", "principal:" + kStaff + "subject/ana", kMayContain},
      {"principalSet:" + kStaff + "*", "principal:" + kGithub + "subject/x", kNone},
      {"principalSet:" + kGithub + "*", kSubject, kNone},
      {"principalSet:" + kGithub + "*", kOlder, kNone},
      // Nobody else is in a pool.
      {"principalSet:" + kGithub + "*", kRobot, kNone},
      {"principalSet:" + kClusters + "*", kRobot, kNone},
      {"principalSet:" + kGithub + "*", "user:ana@example.com", kNone},
      {kSubject, kRobot, kNone},
  };
  for (const MatchCase& test : cases) {
    EXPECT_EQ(FindMatch(test.granted, test.asked), test.match) << test.granted << " " << test.asked;
  }
}

TEST(MemberMatch, TheMembersOfASetAreSaidNotToBeKnown) {
  for (const std::string& set : {kHierarchy, kAllRobots, std::string("group:sre@example.com")}) {
    EXPECT_EQ(MemberRules().membership(set), "membership is not known") << set;
  }
  EXPECT_EQ(MemberRules().membership(kRobot), "");
}

TEST(MemberMatch, SetsOfAllSorts) {
  using enum PrincipalMatch;
  const std::string agent = "principal://agents.global.org-1.system.id.goog/resources/a";
  const MatchCase cases[] = {
      {kAllRobots, kRobot, kMayContain},
      {kAllRobots, kOlder, kMayContain},
      {kAllRobots, kSubject, kMayContain},
      {kAllRobots, "principal:" + kGithub + "subject/x", kNone},
      {kAllRobots, "user:ana@example.com", kNone},
      {"principalSet://agents.global.org-1.system.id.goog/*", agent, kMayContain},
      {"principalSet:" + kGithub + "*", agent, kNone},
      // Nothing is known of a hierarchy.
      {kHierarchy, "user:ana@example.com", kMayContain},
      {kHierarchy, kRobot, kMayContain},
      {kHierarchy, kSubject, kMayContain},
      {"group:sre@example.com", kHierarchy, kMayContain},
      {"principalSet:" + kGithub + "*", kHierarchy, kNone},
      {"allUsers", "user:ana@example.com", kContains},
      {"allUsers", kSubject, kContains},
      {"allAuthenticatedUsers", "user:ana@example.com", kContains},
      {"allAuthenticatedUsers", kRobot, kContains},
      {"allAuthenticatedUsers", kOlder, kMayContain},
      {"allAuthenticatedUsers", kSubject, kMayContain},
      {"allAuthenticatedUsers", "principal:" + kGithub + "subject/x", kNone},
      {"group:sre@example.com", "principalSet:" + kGithub + "*", kMayContain},
      {"group:sre@example.com", "group:all@example.com", kMayContain},
      {"domain:example.com", "user:ana@example.com", kMayContain},
      {"domain:example.com", "user:ana@other.com", kNone},
      {"user:ana@example.com", "user:bob@example.com", kNone},
  };
  for (const MatchCase& test : cases) {
    EXPECT_EQ(FindMatch(test.granted, test.asked), test.match) << test.granted << " " << test.asked;
  }
}

TEST(MemberMatch, APoolOfClustersNamesItsProjectTwice) {
  const auto project = [](const std::string& principal) {
    const reconcilers::ProjectIdentity found = MemberRules().project(principal);
    return found.id + " " + found.number;
  };
  EXPECT_EQ(project(kSubject), "acme 1");
  EXPECT_EQ(project("principalSet:" + kClusters + "*"), "acme 1");
  EXPECT_EQ(project("principal://iam.googleapis.com/projects/2/locations/global/"
                    "workloadIdentityPools/example.com:acme.hub.id.goog/subject/x"),
            "example.com:acme 2");
  for (const std::string& other : {kOlder, kRobot, "principal:" + kGithub + "subject/x",
                                   "principal:" + kStaff + "subject/ana"}) {
    EXPECT_EQ(project(other), " ") << other;
  }
}

}  // namespace
}  // namespace bindery::google
