#include "providers/registry/kinds.h"

#include <gtest/gtest.h>

namespace bindery::providers {
namespace {

TEST(Kinds, AreFoundByTokenAndByNameInAnyCase) {
  const Kinds kinds;
  struct Case {
    TypeToken token;
    const char* kind;  // empty: none
  };
  const Case cases[] = {
      {{"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"},
       "AuthorizationPolicyIamBinding"},
      {{"cloudnative:backupdr/v1", "ManagementServerIamBinding"}, "ManagementServerIamBinding"},
      {{"monitoring", "RestrictionPolicy"}, "RestrictionPolicy"},
      {{"", "restrictionpolicy"}, "RestrictionPolicy"},
      {{"monitoring", "restrictionPolicy"}, ""},
      {{"cloudnative:backupdr/v1", "AuthorizationPolicyIamBinding"}, ""},
      {{"", "Restriction"}, ""},
  };
  for (const Case& one : cases) {
    const reconcilers::Kind* kind = kinds.Find(one.token);
    EXPECT_EQ(kind == nullptr ? "" : kind->schema().token.kind, one.kind) << one.token.Text();
  }
}

TEST(Kinds, EachHasAServiceAProviderAndASchemaOfItsOwn) {
  const Kinds kinds;
  const std::size_t all = kinds.Schemas().size();  // Makes them.
  ASSERT_EQ(kinds.InUse().size(), all);
  for (const reconcilers::Kind* kind : kinds.InUse()) {
    EXPECT_FALSE(kind->traits().service.empty());
    EXPECT_FALSE(kind->traits().provider_type.empty());
    EXPECT_EQ(kinds.Find(kind->schema().token), kind);
    EXPECT_EQ(kinds.FindSchema(kind->schema().token), &kind->schema());
    if (kind->schema().read_only) continue;
    const reconcilers::Kind* of_targets = kinds.FindByTargets(kind->traits().policy);
    ASSERT_NE(of_targets, nullptr) << kind->traits().policy;
    EXPECT_EQ(of_targets->traits().policy, kind->traits().policy);
  }
}

TEST(Kinds, GrantsInTheWordsOfEachAreReadBack) {
  const Kinds kinds;
  ASSERT_FALSE(kinds.Schemas().empty());  // Makes them.
  const Grant grant{"role", "principal"};
  for (const reconcilers::Kind* kind : kinds.InUse()) {
    EXPECT_EQ(GrantFromJson(ToJson(grant, kind->traits().words)), grant)
        << kind->schema().token.Text() << ": its words are no row of kGrantWords";
  }
}

TEST(Kinds, AGenericTokenIsTheKindOfItsResource) {
  const Kinds kinds;
  const std::pair<const char*, const char*> cases[] = {
      {"//pubsub.googleapis.com/projects/p/topics/t", "TopicIamMember"},
      {"//cloudresourcemanager.googleapis.com/projects/p", "ProjectIamMember"},
      {"//storage.googleapis.com/projects/_/buckets/b", "BucketIamMember"},
      {"//iam.googleapis.com/projects/p/serviceAccounts/a@p.iam.gserviceaccount.com",
       "ServiceAccountIamMember"},
      {"//example.com/projects/p/topics/t", ""},
      {"projects/p/topics/t", ""},
  };
  for (const char* version : {"cloudnative:iam", "google-native:iam"}) {
    ASSERT_TRUE(kinds.IsGeneric({version, "IamMember"}));
    for (const auto& [name, kind] : cases) {
      const manifests::KindSchema* found = kinds.FindForResource({version, "IamMember"}, name);
      EXPECT_EQ(found == nullptr ? "" : found->token.kind, kind) << name;
    }
  }
  EXPECT_FALSE(kinds.IsGeneric({"cloudnative:iam/v1", "IamMember"}));
  EXPECT_FALSE(kinds.IsGeneric({"cloudnative:iam", "TopicIamMember"}));
}

TEST(Kinds, OneKindStandsForAPolicyWhicheverWasMadeFirst) {
  const Kinds kinds;
  ASSERT_NE(kinds.Find({"cloudnative:pubsub/v1", "TopicIamMember"}), nullptr);
  EXPECT_EQ(kinds.FindByTargets("pubsub:Topic")->schema().token.kind, "TopicIamBinding");
}

TEST(Kinds, OutputsOfOneThatWritesFollowFromTheTargetAndItsEtag) {
  const Kinds kinds;
  reconcilers::Observation etag_alone;
  etag_alone.etag = "BwX";
  reconcilers::Observation whole = etag_alone;
  whole.exists = true;
  whole.document = {{"etag", "BwX"}, {"bindings", {{{"role", "r"}}}}, {"data", {{"id", "i"}}}};
  whole.grants = {{"r", "user:ana@example.com"}};
  whole.note = "odd";
  for (const reconcilers::Kind* kind : kinds.InUse()) {
    if (kind->schema().read_only) continue;
    EXPECT_EQ(kind->Outputs("projects/acme/x", whole), kind->Outputs("projects/acme/x", etag_alone))
        << kind->schema().token.kind;
  }
}

}  // namespace
}  // namespace bindery::providers
