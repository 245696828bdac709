// The registry: what holds for every provider.

#include "providers/registry/providers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "providers/registry/kinds.h"

namespace bindery::providers {
namespace {

TEST(Providers, EachHasATypeOfItsOwnAndServesItsKinds) {
  std::set<std::string_view> types;
  for (const Provider* provider : Providers()) {
    EXPECT_TRUE(types.insert(provider->type()).second) << provider->type();
    EXPECT_EQ(&ProviderOfType(provider->type()), provider);
    const std::vector<std::string> services = provider->Services();
    for (const std::unique_ptr<reconcilers::Kind>& kind : provider->MakeKinds()) {
      EXPECT_EQ(kind->traits().provider_type, provider->type()) << kind->schema().token.kind;
      EXPECT_THAT(services, ::testing::Contains(kind->traits().service));
      EXPECT_EQ(kind->schema().read_only, kind->traits().principals == nullptr);
    }
  }
}

TEST(Providers, AKindIsFoundByTheTargetItWrites) {
  ASSERT_FALSE(KnownKinds().Schemas().empty());  // Makes all.
  for (const reconcilers::Kind* kind : KnownKinds().InUse()) {
    const Target target{kind->traits().policy, "", "x"};
    EXPECT_EQ(GetTraits(target).service, kind->traits().service);
    EXPECT_EQ(IsLookup(kind->schema().token), kind->schema().read_only);
  }
  const reconcilers::KindTraits& unknown = GetTraits({"OfAnotherVersion", "", "x"});
  EXPECT_STREQ(unknown.words.role, "role");
  EXPECT_EQ(unknown.opens_to, nullptr);
  EXPECT_FALSE(IsLookup({"other:v1", "OfAnotherVersion"}));
}

}  // namespace
}  // namespace bindery::providers
